//! Forms with files.

use std::convert::Infallible;

use bytes::Bytes;
use futures_util::stream;
use multer::{Field, Multipart};

use crate::domain::error::{Error, FormFault};

/// The most parts that a form may have, those that nobody asks for included.
pub const MAX_PARTS: usize = 100;
/// The most bytes of headers that a part may have.
pub const MAX_HEADERS: usize = 16 * 1024;

/// Reads the named parts of a form, in the order of the names.
///
/// A part is known by its name alone; parts of other names are passed over. A
/// part has at most 32 lines of headers, as the `multer` crate has it.
///
/// # Errors
///
/// `Form` where the form cannot be read to its end, or a named part is missing
/// or there more than once.
pub async fn parts<const N: usize>(
    content_type: &str,
    body: Bytes,
    names: [&'static str; N],
) -> Result<[Bytes; N], Error> {
    let boundary = multer::parse_boundary(content_type).map_err(|_| Error::Form(FormFault::NoBoundary))?;
    let mut form = Multipart::new(stream::iter([Ok::<_, Infallible>(body)]), boundary);
    let mut found: [Option<Bytes>; N] = [const { None }; N];
    let mut count = 0;
    while let Some(part) = form.next_field().await.map_err(malformed)? {
        count += 1;
        if count > MAX_PARTS {
            return Err(Error::Form(FormFault::TooManyParts(MAX_PARTS)));
        }
        if header_bytes(&part) > MAX_HEADERS {
            return Err(Error::Form(FormFault::HeadersTooLarge(MAX_HEADERS)));
        }
        let wanted = names.iter().position(|name| part.name() == Some(name));
        let content = part.bytes().await.map_err(malformed)?;
        if let Some(index) = wanted
            && found[index].replace(content).is_some()
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
    part.headers()
        .iter()
        .map(|(name, value)| name.as_str().len() + value.len() + COLON_SPACE_AND_LINE_END)
        .sum()
}

fn malformed(_: multer::Error) -> Error {
    Error::Form(FormFault::Malformed)
}
