//! Cost of a million requests, in US dollars.
//!
//! The prices are those of docs/operations.md: public prices of `ap-northeast-2` in October 2026.

use serde::{Deserialize, Serialize};

use crate::functions::Storage;

/// Price of a million requests to Lambda.
const MILLION_REQUESTS: f64 = 0.20;
/// Price of a million GB-milliseconds.
const MILLION_GB_MILLISECONDS: f64 = 0.016_666_7;
/// Price of a million read units of DynamoDB.
const MILLION_READ_UNITS: f64 = 0.1355;
/// Price of a million write units of DynamoDB.
const MILLION_WRITE_UNITS: f64 = 0.68;
/// Price of a million uploads to S3.
const MILLION_UPLOADS: f64 = 4.50;

/// Memory that comes with one whole processor, in MB. Less memory comes with a smaller share.
const MB_PER_PROCESSOR: f64 = 1769.0;

/// Parts of the price of a million requests.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Cost {
    /// Minimum billed milliseconds of each request.
    pub billed: f64,
    /// Price of Lambda.
    pub lambda: f64,
    /// Price of DynamoDB and S3.
    pub storage: f64,
}

impl Cost {
    /// Computes the cost of requests from their milliseconds on a whole processor and the function's memory.
    ///
    /// Waiting for DynamoDB and S3 is left out.
    #[must_use]
    pub fn new(processor: f64, megabytes: f64, storage: Storage) -> Self {
        // Billed by the millisecond, rounded up.
        let billed = (processor * (MB_PER_PROCESSOR / megabytes).max(1.0)).ceil();
        Self {
            billed,
            lambda: MILLION_REQUESTS + megabytes / 1024.0 * billed * MILLION_GB_MILLISECONDS,
            storage: storage.read * MILLION_READ_UNITS
                + storage.write * MILLION_WRITE_UNITS
                + storage.put * MILLION_UPLOADS,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOTHING: Storage = Storage { read: 0.0, write: 0.0, put: 0.0 };

    #[test]
    fn less_memory_takes_longer() {
        let half = Cost::new(10.0, 884.5, NOTHING);
        assert!((half.billed - 20.0).abs() < f64::EPSILON);
        let more = Cost::new(10.0, 3538.0, NOTHING);
        assert!((more.billed - 10.0).abs() < f64::EPSILON);
    }

    #[test]
    fn costs_match_operations_document() {
        // members-join: 1,769 MB for 30 ms, and 6 write units.
        let join = Cost::new(30.0, 1769.0, Storage { write: 6.0, ..NOTHING });
        assert!((join.lambda - 1.06).abs() < 0.005, "{join:?}");
        assert!((join.storage - 4.08).abs() < 0.005, "{join:?}");
    }
}
