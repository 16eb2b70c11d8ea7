//! Scans at a gate on the wire.

use api::{
    declared,
    error::Error,
    fields::{Errors, Field, List, Nullable},
};
use domain::{
    described,
    instant::Instant,
    seats::admission::{MAX_SCANS, ScanId},
};
use schemars::JsonSchema;
use serde::Deserialize;

/// Body of a request to admit people.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(default)]
pub struct AdmissionRequest<'a> {
    #[serde(borrow)]
    scans: Field<'a, List<ScanRequest<'a>, 1, MAX_SCANS>>,
}

/// Scan of a code.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(default, rename_all = "camelCase")]
#[schemars(rename = "Scan")]
struct ScanRequest<'a> {
    #[serde(borrow)]
    code: Field<'a, ScannedText>,
    /// Id of the scan. A repetition with it by the same gate gets the first result, so that a lost response sends
    /// nobody away.
    scan_id: Field<'a, Nullable<ScanId>>,
    /// Time of the scan, if it is sent later. A time ahead of the service's is now, one before the gate was made is
    /// that.
    scanned_at: Field<'a, Nullable<Instant>>,
}

/// Text that a gate has read.
struct ScannedText;

described!(ScannedText as "ScannedText", {
    "description": "Code of a ticket, as scanned. White space around it is ignored, and all up to the last `/`, `#` or `=`. \
                    Any text is accepted, since one unreadable scan must not stop the others; it is `INVALID`.",
    "type": "string",
});

declared!(ScanRequest<'_> => (), ScannedText => String);

/// Scan of a text, which may be a ticket.
#[derive(Debug)]
pub struct Scanned {
    /// The text.
    pub text: String,
    /// Id of the scan.
    pub id: Option<ScanId>,
    /// Time of the scan.
    pub at: Option<Instant>,
}

impl AdmissionRequest<'_> {
    /// Validates the scans.
    ///
    /// # Errors
    ///
    /// Returns `Fields` with every violation.
    pub fn scans(self) -> Result<Vec<Scanned>, Error> {
        let mut errors = Errors::default();
        let mut scans = Vec::new();
        for (index, field) in errors.items("scans", self.scans).into_iter().flatten().enumerate() {
            let Some(scan) = errors.object(format_args!("scans[{index}]"), field) else { continue };
            scans.extend(read_scan(&mut errors, index, &scan));
        }
        if errors.is_empty() { Ok(scans) } else { Err(errors.into_error()) }
    }
}

fn read_scan(errors: &mut Errors, index: usize, scan: &ScanRequest) -> Option<Scanned> {
    let text = errors.any_text(format_args!("scans[{index}].code"), scan.code);
    let id = scan.scan_id.not_null();
    let id = id.and_then(|field| errors.text(format_args!("scans[{index}].scanId"), field, ScanId::parse));
    let at = scan.scanned_at.not_null();
    let at = at.and_then(|field| errors.instant(format_args!("scans[{index}].scannedAt"), field));
    Some(Scanned { text: text?, id, at })
}
