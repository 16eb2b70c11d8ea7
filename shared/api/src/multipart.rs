//! Forms with files.

use std::{borrow::Cow, convert::Infallible};

use bytes::Bytes;
use futures_util::stream;
use http::header::{CONTENT_TYPE, HeaderValue};
use multer::{Field, Multipart};

use crate::{
    error::{Error, FormFault},
    gzip,
    request::is_media_type,
};

/// Media type of a form with files.
pub const MEDIA_TYPE: &str = "multipart/form-data";
/// Maximum number of parts of a form, including ignored ones.
pub const MAX_PARTS: usize = 100;
/// Maximum size of the headers of a part, in bytes.
pub const MAX_HEADERS: usize = 16 * 1024;

/// Part of a form.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Part {
    /// Content as sent.
    pub content: Bytes,
    /// True if the headers of the part declare a gzip file.
    pub is_gzip: bool,
}

impl Part {
    /// Returns the content, inflated if it is declared as gzip.
    ///
    /// # Errors
    ///
    /// Returns `TooLarge` if it inflates to more than its limit, and `NotJson` if it cannot be inflated.
    pub fn inflated(&self) -> Result<Cow<'_, [u8]>, Error> {
        Ok(if self.is_gzip { gzip::inflate(&self.content)?.into() } else { (&*self.content).into() })
    }
}

/// Reads the named parts of a form, in the order of the names.
///
/// Parts are identified only by name; other parts are ignored. The `multer` crate limits a part to
/// 32 header lines.
///
/// # Errors
///
/// Returns `Form` if the form is unreadable, or if a named part is missing or repeated.
pub async fn parts<const N: usize>(
    content_type: &str,
    body: Bytes,
    names: [&'static str; N],
) -> Result<[Part; N], Error> {
    let boundary = multer::parse_boundary(content_type).map_err(|_| Error::Form(FormFault::NoBoundary))?;
    let mut form = Multipart::new(stream::iter([Ok::<_, Infallible>(body)]), boundary);
    let mut found: [Option<Part>; N] = [const { None }; N];
    let mut count = 0;
    while let Some(part) = form.next_field().await.map_err(malformed)? {
        count += 1;
        if count > MAX_PARTS {
            return Err(Error::Form(FormFault::TooManyParts(MAX_PARTS)));
        }
        if header_bytes(&part) > MAX_HEADERS {
            return Err(Error::Form(FormFault::HeadersTooLarge(MAX_HEADERS)));
        }
        let requested = names.iter().position(|name| part.name() == Some(name));
        let media_type = part.headers().get(CONTENT_TYPE).map(HeaderValue::as_bytes).unwrap_or_default();
        let is_gzip = is_media_type(media_type, gzip::MEDIA_TYPE);
        let content = part.bytes().await.map_err(malformed)?;
        if let Some(index) = requested
            && found[index].replace(Part { content, is_gzip }).is_some()
        {
            return Err(Error::Form(FormFault::Repeated(names[index])));
        }
    }
    for (content, name) in found.iter().zip(names) {
        if content.is_none() {
            return Err(Error::Form(FormFault::Missing(name)));
        }
    }
    Ok(found.map(Option::unwrap_or_default))
}

fn header_bytes(part: &Field) -> usize {
    const COLON_SPACE_AND_LINE_END: usize = 4;
    part.headers().iter().map(|(name, value)| name.as_str().len() + value.len() + COLON_SPACE_AND_LINE_END).sum()
}

fn malformed(_: multer::Error) -> Error {
    Error::Form(FormFault::Malformed)
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt as _;

    use super::*;

    fn read<const N: usize>(parameters: &str, body: &[u8], names: [&'static str; N]) -> Result<[Bytes; N], FormFault> {
        let content_type = format!("{MEDIA_TYPE}; {parameters}");
        let read = parts(&content_type, Bytes::copy_from_slice(body), names);
        match read.now_or_never().expect("a body in memory never waits") {
            Ok(parts) => Ok(parts.map(|part| part.content)),
            Err(Error::Form(fault)) => Err(fault),
            Err(other) => panic!("expected a form error, not {other:?}"),
        }
    }

    fn form(parts: &[(&str, &[u8])]) -> Vec<u8> {
        let mut form = Vec::new();
        for (name, content) in parts {
            let head = format!("--B\r\nContent-Disposition: form-data; name=\"{name}\"\r\n\r\n");
            form.extend([head.as_bytes(), content, b"\r\n"].concat());
        }
        [form, b"--B--\r\n".to_vec()].concat()
    }

    #[test]
    fn unusable_boundary_is_rejected() {
        for c in "()<>@,:/[]?=".chars() {
            assert_eq!(read(&format!("boundary=a{c}b"), b"", ["a"]), Err(FormFault::NoBoundary));
            assert_eq!(read(&format!("boundary=\"a{c}b\""), b"", ["a"]), Err(FormFault::Malformed));
        }
        for other in ["", "boundary", "boundaries=a=b", "boundary=\"a=b", "boundary=a b"] {
            assert_eq!(read(other, b"", ["a"]), Err(FormFault::NoBoundary), "{other}");
        }
    }

    #[test]
    fn parts_keep_bytes() {
        let (a, b) = (&b"\0\xFF\r\n--\r\n-B--\r"[..], &b""[..]);
        let sent = form(&[("b", b), ("extra", b"c"), ("a", a)]);
        assert_eq!(read("boundary=B", &sent, ["a", "b"]), Ok([a, b].map(Bytes::from_static)));
    }

    #[test]
    fn truncated_form_is_malformed() {
        let whole = form(&[("a", b"\r\n--")]);
        for end in 0..whole.len() - "--\r\n".len() {
            assert_eq!(read("boundary=B", &whole[..end], ["a"]), Err(FormFault::Malformed), "{end} bytes");
        }
    }
}
