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
        for element in values.flat_map(|value| value.split(',')) {
            let (coding, parameter) = element.split_once(';').unwrap_or((element, "q=1"));
            let Some(quality) = quality(parameter) else { continue };
            let accepted = match coding.trim().to_ascii_lowercase().as_str() {
                "gzip" | "x-gzip" => &mut named,
                "*" => &mut any,
                _ => continue,
            };
            *accepted = Some(accepted.unwrap_or(true) && quality > 0.0);
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

/// Reads a quality from 0 to 1, such as `q=0.5`.
fn quality(parameter: &str) -> Option<f32> {
    let (name, quality) = parameter.split_once('=')?;
    let quality = quality.trim().parse().ok().filter(|quality| (0.0..=1.0).contains(quality));
    quality.filter(|_| name.trim().eq_ignore_ascii_case("q"))
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
        let lines =
            "GZip|x-gzip|deflate, gzip;q=1.0, *;q=0.5|br;q=1 , gzip ; Q = 0.001|*|*;q=0.1|identity;q=0, gzip|,,gzip,";
        for line in lines.split('|') {
            assert_eq!(accepted(&[line]), ContentEncoding::Gzip, "{line}");
        }
        assert_eq!(accepted(&["br", "gzip"]), ContentEncoding::Gzip);
    }

    #[test]
    fn gzip_is_not_accepted() {
        let lines = "|br, identity|gzip;q=0|gzip;q=0.000, *|*, gzip;q=0.|gzip, gzip;q=0|*;q=0|gzipped|gzip;q=1.5|gzip;q=-1\
                     |gzip;q=a|gzip;q=|gzip;q|gzip;level=1|gzip;q=1;q=1|gzip gzip";
        for line in lines.split('|') {
            assert_eq!(accepted(&[line]), ContentEncoding::Identity, "{line}");
        }
        assert_eq!(accepted(&[]), ContentEncoding::Identity);
        assert_eq!(accepted(&["*", "gzip;q=0"]), ContentEncoding::Identity);
    }
}
