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
    use proptest::{collection::vec, prelude::*, sample::select};

    use super::*;

    const BOUNDARY: &str = "----boundary";
    const TOKENS: &[&[u8]] = &[
        b"------boundary",
        b"--",
        b"\r\n",
        b"\r\n\r\n",
        b"Content-Disposition: ",
        b"form-data; name=",
        b"\"a\"",
        b"\\",
        b"\"",
        b"\0\xff",
        b"a",
    ];

    fn read<const N: usize>(body: Vec<u8>, names: [&'static str; N]) -> Result<[Bytes; N], FormFault> {
        let content_type = format!("{MEDIA_TYPE}; boundary={BOUNDARY}");
        let read = parts(&content_type, body.into(), names);
        match read.now_or_never().expect("a body in memory never waits") {
            Ok(parts) => Ok(parts.map(|part| part.content)),
            Err(Error::Form(fault)) => Err(fault),
            Err(other) => panic!("expected a form error, not {other:?}"),
        }
    }

    fn form(parts: &[(&str, &[u8])]) -> Vec<u8> {
        let mut form = Vec::new();
        for (name, content) in parts {
            let head = format!("--{BOUNDARY}\r\nContent-Disposition: form-data; name=\"{name}\"\r\n\r\n");
            form.extend([head.as_bytes(), content, b"\r\n"].concat());
        }
        form.extend(format!("--{BOUNDARY}--\r\n").bytes());
        form
    }

    #[test]
    fn unusable_boundary_is_rejected() {
        let fault = |parameters: &str| {
            let content_type = format!("{MEDIA_TYPE}; {parameters}");
            match parts(&content_type, Bytes::new(), ["a"]).now_or_never() {
                Some(Err(Error::Form(fault))) => fault,
                other => panic!("expected a form error, not {other:?}"),
            }
        };
        for c in "()<>@,:/[]?=".chars() {
            assert_eq!(fault(&format!("boundary=a{c}b")), FormFault::NoBoundary);
            assert_eq!(fault(&format!("boundary=\"a{c}b\"")), FormFault::Malformed);
        }
        for other in ["", "boundary", "boundaries=a=b", "boundary=\"a=b", "boundary=a b"] {
            assert_eq!(fault(other), FormFault::NoBoundary, "{other}");
        }
    }

    proptest! {
        #[test]
        fn parts_keep_bytes_and_order(
            a in vec(any::<u8>(), 0..300),
            b in vec(prop_oneof![Just(b'\r'), Just(b'\n'), Just(b'-'), any::<u8>()], 0..300),
            extra in vec(any::<u8>(), 0..50),
        ) {
            let sent = form(&[("b", &b), ("extra", &extra), ("a", &a)]);
            prop_assert_eq!(read(sent, ["a", "b"]), Ok([Bytes::from(a), Bytes::from(b)]));
        }

        #[test]
        fn truncated_form_is_malformed(content in vec(any::<u8>(), 0..100), at in any::<prop::sample::Index>()) {
            let whole = form(&[("a", &content)]);
            let end = whole.len() - "--\r\n".len();
            let cut = whole[..at.index(end)].to_vec();
            prop_assert_eq!(read(cut, ["a"]), Err(FormFault::Malformed));
        }

        #[test]
        fn arbitrary_bytes_never_panic(tokens in vec(select(TOKENS), 0..40)) {
            let _ = read(tokens.concat(), ["a"]);
        }
    }
}
