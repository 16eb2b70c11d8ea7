//! E-mail addresses.

use std::net::IpAddr;

use idna::domain_to_ascii;
use serde::Serialize;
use validator::ValidateEmail;

use crate::{
    described,
    text::{Line, is_blank, is_invisible},
    violation::Violation,
};

/// Maximum number of characters of an address.
pub const MAX_CHARS: usize = 50;

/// A well-formed address of at most 50 characters.
///
/// Well-formed means valid by the HTML standard, or with an internationalised domain or an IP address, as the
/// `validator` crate implements it, and without invisible characters. White space around it is no part of it, because
/// keyboards of phones add a space after a suggestion. `docs/api.md` tells clients so.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct Email(Line<MAX_CHARS>);

described!(Email as "Email", like Line<MAX_CHARS>, {
    "description": "Domains are compared after IDNA (UTS 46, non-transitional), the rest without regard to case.",
    "format": "email",
});

impl Email {
    /// Parses the address of a registration.
    ///
    /// # Errors
    ///
    /// Returns only `Required` if the text is blank; otherwise all that apply of `InvalidEmail`, `TooLong`
    /// and `ControlCharacter`.
    pub fn parse(text: &str) -> Result<Self, Vec<Violation>> {
        let text = text.trim();
        let line = Line::parse(text);
        if is_blank(text) || text.validate_email() && !text.contains(is_invisible) {
            return line.map(Self);
        }
        let mut violations = vec![Violation::InvalidEmail];
        violations.extend(line.err().into_iter().flatten());
        Err(violations)
    }

    /// Parses the address of a login.
    ///
    /// # Errors
    ///
    /// Returns the violations of [`Email::parse`], with `InvalidLoginEmail` and `LengthOutOfRange` in place
    /// of `InvalidEmail` and `TooLong`.
    pub fn parse_at_login(text: &str) -> Result<Self, Vec<Violation>> {
        Self::parse(text).map_err(|violations| violations.into_iter().map(Violation::into_login).collect())
    }

    /// Returns the address without white space around it.
    #[must_use]
    pub fn as_str(&self) -> &str {
        self.0.as_str()
    }

    /// Returns the form in which all spellings of one address are equal.
    ///
    /// Its domain is the ASCII form of IDNA (UTS 46, non-transitional): `공연.kr`, decomposed or not, becomes
    /// `xn--ob0bt78b.kr`. An IP address in brackets has the form of RFC 5952. Any other domain is only lower-cased.
    #[must_use]
    pub fn canonical(&self) -> String {
        let (local, domain) = self.parts();
        // A well-formed local part is ASCII, which NFC does not change.
        format!("{}@{domain}", local.to_ascii_lowercase())
    }

    /// Returns the address as mail servers take it: the local part as registered, and the domain in ASCII.
    ///
    /// Returns `None` if the domain is neither a host name nor an IP address in brackets, such as `b,c[127.0.0.1]`,
    /// which `validator` accepts. A mail server could read such an address as another one.
    #[must_use]
    pub fn deliverable(&self) -> Option<String> {
        let (local, domain) = self.parts();
        let is_host_name = domain.split('.').all(|label| !label.is_empty())
            && domain.bytes().all(|byte| byte.is_ascii_alphanumeric() || b".-".contains(&byte));
        (is_host_name || ip_literal(&domain).is_some()).then(|| format!("{local}@{domain}"))
    }

    /// Returns the local part as registered, and the canonical domain.
    fn parts(&self) -> (&str, String) {
        let (local, domain) = self.as_str().rsplit_once('@').unwrap_or((self.as_str(), ""));
        let domain = match ip_literal(domain) {
            Some(address) => format!("[{address}]"),
            None => domain_to_ascii(domain).unwrap_or_else(|_| domain.to_ascii_lowercase()),
        };
        (local, domain)
    }

    /// Rebuilds a stored value without validating it.
    #[must_use]
    pub fn from_stored(text: String) -> Self {
        Self(Line::from_stored(text))
    }
}

/// Parses an IP address in brackets.
fn ip_literal(domain: &str) -> Option<IpAddr> {
    domain.strip_prefix('[')?.strip_suffix(']')?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn well_formed_address_is_accepted() {
        let texts = "Kim.Chul-Su+tickets@mail.example.co.kr a@b k@한국.kr a..b!#$%&'*+/=?^_`{|}~-@x.kr a@127.0.0.1 a@[::1] \
                     a@xy[127.0.0.1] a@xn--a.kr";
        for text in texts.split(' ') {
            assert_eq!(Email::parse(text).unwrap().as_str(), text);
        }
    }

    #[test]
    fn surrounding_white_space_is_ignored() {
        for text in ["kim@example.com ", " \u{3000}kim@example.com\n", "\tkim@example.com"] {
            assert_eq!(Email::parse(text).unwrap().as_str(), "kim@example.com", "{text:?}");
            assert_eq!(Email::parse_at_login(text).unwrap().as_str(), "kim@example.com", "{text:?}");
        }
        let longest = format!("{}@example.com", "a".repeat(38));
        assert!(Email::parse(&format!("  {longest}  ")).is_ok());
        for text in ["kim @example.com", "kim@ example.com", "\u{feff}kim@example.com"] {
            assert_eq!(Email::parse(text), Err(vec![Violation::InvalidEmail]), "{text:?}");
        }
    }

    #[test]
    fn deliverable_address_has_ascii_domain() {
        for (text, expected) in [
            ("K.Im@Example.com", "K.Im@example.com"),
            ("Kim@공연.kr", "Kim@xn--ob0bt78b.kr"),
            ("Kim@[2001:DB8::000A]", "Kim@[2001:db8::a]"),
        ] {
            assert_eq!(Email::parse(text).unwrap().deliverable().as_deref(), Some(expected));
        }
    }

    #[test]
    fn ambiguous_address_is_not_deliverable() {
        for text in ["a@xy[127.0.0.1]", "a@x,b[127.0.0.1]", "a@b＠x[127.0.0.1]", "a@b＠[127.0.0.1]", "a@‥x[127.0.0.1]"]
        {
            assert_eq!(Email::parse(text).unwrap().deliverable(), None, "{text}");
        }
    }

    #[test]
    fn malformed_address_is_rejected() {
        let texts = "kim|kim@|@example.com|김@example.com|kim@exa mple.com|kim@example.com.|kim@-example.com|kim@공연..kr\
                     |kim@[127.0.0.256]|kim＠example.com|kim@exam\u{AD}ple.com|kim@한\u{3164}국.kr|a@x y[127.0.0.1]";
        for text in texts.split('|') {
            assert_eq!(Email::parse(text), Err(vec![Violation::InvalidEmail]), "{text}");
        }
    }

    #[test]
    fn address_over_50_chars_is_rejected() {
        let of_length = |n: usize| format!("{}@example.com", "a".repeat(n - "@example.com".len()));
        assert!(Email::parse(&of_length(50)).is_ok());
        assert_eq!(Email::parse(&of_length(51)), Err(vec![Violation::TooLong(50)]));
        let both = Err(vec![Violation::InvalidEmail, Violation::TooLong(50)]);
        assert_eq!(Email::parse(&"가".repeat(51)), both);
        let both_at_login = Err(vec![Violation::InvalidLoginEmail, Violation::LengthOutOfRange(1..=50)]);
        assert_eq!(Email::parse_at_login(&"가".repeat(51)), both_at_login);
    }

    #[test]
    fn blank_address_is_missing() {
        assert_eq!(Email::parse("  "), Err(vec![Violation::Required]));
        assert_eq!(Email::parse_at_login(""), Err(vec![Violation::Required]));
    }

    fn canonical(text: &str) -> String {
        Email::parse(text).unwrap_or_else(|_| panic!("{text} is not well-formed")).canonical()
    }

    #[test]
    fn spellings_of_one_address_are_equal() {
        for (one, other) in [
            ("K.Im@Bücher.Example", "k.im@xn--bcher-kva.example"),
            ("k@공연.kr", "K@XN--OB0BT78B.KR"),
            ("k@공연.kr", "k@\u{1100}\u{1169}\u{11bc}\u{110b}\u{1167}\u{11ab}.kr"),
            ("k@example.com", "k@Ｅｘａｍｐｌｅ。ｃｏｍ"),
            ("k@straße.de", "k@STRAẞE.de"),
            ("k@xn--a.kr", "K@XN--A.kr"),
            ("k@[2001:db8::a]", "k@[2001:DB8::000A]"),
        ] {
            assert_eq!(canonical(one), canonical(other), "{one} {other}");
            assert_eq!(Email::from_stored(canonical(one)).canonical(), canonical(one));
        }
        assert_eq!(canonical("K.Im@Bücher.Example"), "k.im@xn--bcher-kva.example");
    }

    #[test]
    fn other_addresses_differ() {
        for (one, other) in [
            ("kim@example.com", "kim+a@example.com"),
            ("k.im@example.com", "kim@example.com"),
            ("k@straße.de", "k@strasse.de"),
            ("k@[::1]", "k@[::2]"),
        ] {
            assert_ne!(canonical(one), canonical(other), "{one} {other}");
        }
    }
}
