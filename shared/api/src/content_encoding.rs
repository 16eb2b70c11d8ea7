//! Content encoding of responses, negotiated with the client (RFC 9110, sections 8.4 and 12.5.3).

use http::{
    Response,
    header::{ACCEPT_ENCODING, CONTENT_ENCODING, HeaderValue},
};
use lambda_http::Request;

/// Maximum size of a response body that is never compressed, in bytes.
pub const MAX_UNCOMPRESSED: usize = 1024 * 1024;

/// Encoding of a response body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ContentEncoding {
    /// The body as it is.
    Identity,
    /// The body compressed with gzip.
    Gzip,
}

impl ContentEncoding {
    /// Returns gzip if the client accepts it.
    ///
    /// A client without `Accept-Encoding` gets the body as it is: such clients rarely inflate. An element with an
    /// invalid quality is ignored.
    #[must_use]
    pub fn accepted_by(request: &Request) -> Self {
        let values = request.headers().get_all(ACCEPT_ENCODING).into_iter().filter_map(|value| value.to_str().ok());
        let (mut named, mut any) = (None, None);
        for (coding, is_accepted) in values.flat_map(|value| value.split(',')).filter_map(element) {
            if coding.eq_ignore_ascii_case("gzip") || coding.eq_ignore_ascii_case("x-gzip") {
                named = Some(named.unwrap_or(true) && is_accepted);
            } else if coding == "*" {
                any = Some(any.unwrap_or(true) && is_accepted);
            }
        }
        if named.or(any) == Some(true) { Self::Gzip } else { Self::Identity }
    }

    /// Returns the encoding of a response.
    #[must_use]
    pub fn of<T>(response: &Response<T>) -> Self {
        let is_gzip = response.headers().get(CONTENT_ENCODING).is_some_and(|value| value == Self::GZIP);
        if is_gzip { Self::Gzip } else { Self::Identity }
    }

    /// Value of `Content-Encoding` for gzip.
    pub(crate) const GZIP: HeaderValue = HeaderValue::from_static("gzip");
}

/// Reads an element of the list: a coding, and whether its quality is above zero.
fn element(text: &str) -> Option<(&str, bool)> {
    let mut parts = text.split(';').map(str::trim);
    let coding = parts.next()?;
    let is_accepted = match parts.next() {
        None => true,
        Some(parameter) => {
            let (name, quality) = parameter.split_once('=')?;
            if !name.trim_end().eq_ignore_ascii_case("q") {
                return None;
            }
            is_positive(quality.trim_start())?
        }
    };
    parts.next().is_none().then_some((coding, is_accepted))
}

/// Returns whether a quality from 0 to 1, with at most three decimals, is above zero.
fn is_positive(quality: &str) -> Option<bool> {
    let (whole, decimals) = quality.split_once('.').unwrap_or((quality, ""));
    let is_zero = decimals.bytes().all(|digit| digit == b'0');
    let is_valid = decimals.len() <= 3 && decimals.bytes().all(|digit| digit.is_ascii_digit());
    match whole {
        "0" if is_valid => Some(!is_zero),
        "1" if is_valid && is_zero => Some(true),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn accepted(lines: &[&'static str]) -> ContentEncoding {
        let mut request = Request::default();
        for line in lines {
            request.headers_mut().append(ACCEPT_ENCODING, HeaderValue::from_static(line));
        }
        ContentEncoding::accepted_by(&request)
    }

    #[test]
    fn gzip_is_accepted() {
        for line in [
            "gzip",
            "GZip",
            "x-gzip",
            "deflate, gzip;q=1.0, *;q=0.5",
            "br;q=1 , gzip ; Q = 0.001",
            "*",
            "*;q=0.1",
            "identity;q=0, gzip",
            "gzip;q=1.000",
            ",,gzip,",
        ] {
            assert_eq!(accepted(&[line]), ContentEncoding::Gzip, "{line}");
        }
        assert_eq!(accepted(&["br", "gzip"]), ContentEncoding::Gzip);
    }

    #[test]
    fn gzip_is_not_accepted() {
        for line in [
            "",
            "identity",
            "br, deflate",
            "gzip;q=0",
            "gzip;q=0.000, *",
            "*, gzip;q=0.",
            "gzip, gzip;q=0",
            "*;q=0",
            "gzipped",
            "gzip;q=2",
            "gzip;q=1.5",
            "gzip;q=0.0001",
            "gzip;q=-1",
            "gzip;q=a",
            "gzip;q=",
            "gzip;q",
            "gzip;level=1",
            "gzip;q=1;q=1",
            "gzip gzip",
        ] {
            assert_eq!(accepted(&[line]), ContentEncoding::Identity, "{line}");
        }
        assert_eq!(accepted(&[]), ContentEncoding::Identity);
        assert_eq!(accepted(&["*", "gzip;q=0"]), ContentEncoding::Identity);
    }
}
