//! What `CloudWatch` makes metrics of, as its embedded metric format has it.
//!
//! <https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/CloudWatch_Embedded_Metric_Format_Specification.html>
//!
//! Every metric is paid for by the month, once for each value of its dimension: `docs/operations.md` has
//! the sum. So there are few, and a line names those alone that it has something to tell of.

use serde::Serialize;
use serde_json::value::{RawValue, to_raw_value};

use runtime::request_metrics::RequestMetrics;

/// The metrics: the name, which is that of a member of the line; the unit; the member, if any, by which
/// there is one for each value.
pub const ALL: [(&str, &str, Option<&str>); 6] = [
    ("requests", "Count", Some("code")),
    ("read_units", "Count", Some("route")),
    ("write_units", "Count", Some("route")),
    ("conflicts", "Count", None),
    ("throttles", "Count", None),
    ("hash_microseconds", "Microseconds", None),
];

/// What tells `CloudWatch` which members of a line are metrics; made once, since it is always the same.
#[derive(Debug)]
pub struct Metrics([Box<RawValue>; ALL.len()]);

/// One metric, as the format has it.
#[derive(Serialize)]
#[serde(rename_all = "PascalCase")]
struct Directive<'a> {
    namespace: &'a str,
    dimensions: [Vec<&'a str>; 1],
    metrics: [Definition<'a>; 1],
}

#[derive(Serialize)]
#[serde(rename_all = "PascalCase")]
struct Definition<'a> {
    name: &'a str,
    unit: &'a str,
}

impl Metrics {
    /// The metrics under this namespace: 1 to 255 characters.
    ///
    /// # Panics
    ///
    /// Never: texts can be JSON.
    #[must_use]
    pub fn new(namespace: &str) -> Self {
        Self(ALL.map(|(name, unit, dimension)| {
            let dimensions = [dimension.into_iter().collect()];
            let directive = Directive { namespace, dimensions, metrics: [Definition { name, unit }] };
            to_raw_value(&directive).expect("texts in JSON")
        }))
    }

    /// Returns the directives of the metrics that are not zero, in the order of [`ALL`].
    ///
    /// Metrics by route need a route.
    #[must_use]
    pub fn directives(&self, has_route: bool, metrics: &RequestMetrics) -> Vec<&RawValue> {
        let is_reported = [
            true,
            has_route && metrics.read_units > 0.0,
            has_route && metrics.write_units > 0.0,
            metrics.conflicts > 0,
            metrics.throttles > 0,
            metrics.hash_microseconds > 0,
        ];
        let reported = self.0.iter().zip(is_reported).filter(|(_, is_reported)| *is_reported);
        reported.map(|(directive, _)| &**directive).collect()
    }
}
