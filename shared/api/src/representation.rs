//! Entity tags of the representations of an event.

use headers::ETag;

use crate::content_encoding::ContentEncoding;
use domain::event::Event;

/// Representation of an event. The version of the event determines its content, since the seats never change.
#[derive(Clone, Copy, Debug)]
pub enum Representation {
    /// JSON without its seats.
    Summary,
    /// JSON with all its seats, as its registration returned it.
    Detail,
    /// JSON of its areas, without their seats.
    Areas,
    /// Picture of its hall.
    SeatMap,
}

impl Representation {
    /// Name and version of the representation. Increase the version when the output changes, so that clients drop old
    /// copies.
    const fn name(self) -> &'static str {
        match self {
            Self::Summary => "summary-1",
            Self::Detail => "detail-2",
            Self::Areas => "areas-1",
            Self::SeatMap => "seat-map-2",
        }
    }

    /// Returns the `ETag` of this representation of an event in an encoding, such as `"detail-2-7-gzip"`.
    #[must_use]
    #[expect(clippy::missing_panics_doc, reason = "letters, digits and hyphens are a valid entity tag")]
    pub fn etag(self, event: &Event, encoding: ContentEncoding) -> ETag {
        let suffix = match encoding {
            ContentEncoding::Identity => "",
            ContentEncoding::Gzip => "-gzip",
        };
        format!("\"{}-{}{suffix}\"", self.name(), event.version).parse().expect("valid entity tag")
    }

    /// Returns the `ETag` of this representation in each encoding.
    #[must_use]
    pub fn etags(self, event: &Event) -> [ETag; 2] {
        [ContentEncoding::Identity, ContentEncoding::Gzip].map(|encoding| self.etag(event, encoding))
    }

    /// Returns the version of the event whose uncompressed representation has this `ETag`, with its quotes.
    #[must_use]
    pub fn version_of(self, etag: &str) -> Option<u64> {
        let number = etag.strip_prefix('"')?.strip_prefix(self.name())?.strip_prefix('-')?.strip_suffix('"')?;
        let version = number.parse().ok()?;
        (number == u64::to_string(&version)).then_some(version)
    }
}
