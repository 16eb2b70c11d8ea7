//! What a million requests cost, in US dollars.
//!
//! The prices are those of docs/operations.md: public notes on `ap-northeast-2` in October 2026.

use serde::{Deserialize, Serialize};

use crate::functions::Storage;

/// For a million requests to Lambda.
const REQUESTS: f64 = 0.20;
/// For a GB of memory during a millisecond, a million times.
const GB_MILLISECOND: f64 = 0.016_666_7;
/// For a million read units of DynamoDB.
const READ: f64 = 0.1355;
/// For a million write units of DynamoDB.
const WRITE: f64 = 0.68;
/// For a million objects put to S3.
const PUT: f64 = 4.50;

/// The megabytes of memory that come with one whole processor; less memory comes with less of it.
const PROCESSOR: f64 = 1769.0;

/// The parts of the price of a million requests.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Cost {
    /// The milliseconds that each is billed for, at least.
    pub billed: f64,
    /// Lambda.
    pub lambda: f64,
    /// DynamoDB and S3.
    pub storage: f64,
}

impl Cost {
    /// The cost of requests that take so many milliseconds of a whole processor, in a function of so
    /// many megabytes. The time that they wait for DynamoDB and S3 is left out.
    #[must_use]
    pub fn of(processor: f64, megabytes: f64, storage: Storage) -> Self {
        // Billed by the millisecond, rounded up.
        let billed = (processor * (PROCESSOR / megabytes).max(1.0)).ceil();
        Self {
            billed,
            lambda: REQUESTS + megabytes / 1024.0 * billed * GB_MILLISECOND,
            storage: storage.read * READ + storage.write * WRITE + storage.put * PUT,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOTHING: Storage = Storage { read: 0.0, write: 0.0, put: 0.0 };

    #[test]
    fn less_memory_takes_longer_by_its_share_of_a_processor() {
        let half = Cost::of(10.0, 884.5, NOTHING);
        assert!((half.billed - 20.0).abs() < f64::EPSILON);
        let more = Cost::of(10.0, 3538.0, NOTHING);
        assert!((more.billed - 10.0).abs() < f64::EPSILON);
    }

    #[test]
    fn what_docs_operations_bills_is_billed_here() {
        // members-join: 1,769 MB for 30 ms, and 6 write units.
        let join = Cost::of(30.0, 1769.0, Storage { write: 6.0, ..NOTHING });
        assert!((join.lambda - 1.06).abs() < 0.005, "{join:?}");
        assert!((join.storage - 4.08).abs() < 0.005, "{join:?}");
    }
}
