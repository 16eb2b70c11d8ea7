//! Receiver of changes.

use http::{HeaderValue, Uri};

/// Receiver of changes, and how it knows that they are ours.
#[derive(Clone, Debug)]
pub struct Receiver {
    /// Address to which each change is posted.
    pub url: Uri,
    /// Value of the header `x-api-key`, if it wants one.
    pub key: Option<HeaderValue>,
}

impl Receiver {
    /// Parses the address of a receiver.
    ///
    /// # Errors
    ///
    /// Returns the expected form if it is another text.
    pub fn parse_url(text: &str) -> Result<Uri, &'static str> {
        let url = text.parse::<Uri>().ok().filter(|url| matches!(url.scheme_str(), Some("http" | "https")));
        let url =
            url.filter(|url| !text.contains('#') && url.authority().is_some_and(|host| !host.as_str().contains('@')));
        url.ok_or("expected an address such as https://orders.example/changes")
    }

    /// Parses the key of a receiver: visible ASCII characters.
    ///
    /// # Errors
    ///
    /// Returns the expected form if it is another text.
    pub fn parse_key(text: &str) -> Result<HeaderValue, &'static str> {
        let is_visible = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_graphic());
        let key = HeaderValue::from_str(text).ok().filter(|_| is_visible).ok_or("expected visible ASCII characters");
        key.map(|mut key| {
            key.set_sensitive(true);
            key
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn url_is_an_address() {
        for url in ["http://localhost:8080/", "https://orders.example/changes?tenant=1", "http://127.0.0.1:1"] {
            assert!(Receiver::parse_url(url).is_ok(), "{url}");
        }
        for text in ["", "orders.example", "/changes", "ftp://a", "https://", "https://a#b", "https://kim@a/"] {
            assert!(Receiver::parse_url(text).is_err(), "{text}");
        }
    }

    #[test]
    fn key_is_visible_ascii() {
        let key = Receiver::parse_key("k3y~!").unwrap();
        assert_eq!((key.as_bytes(), format!("{key:?}").as_str()), (&b"k3y~!"[..], "Sensitive"));
        for text in ["", "a b", "a\n", "열쇠"] {
            assert!(Receiver::parse_key(text).is_err(), "{text}");
        }
    }
}
