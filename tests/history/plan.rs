//! Sizes and seeds of histories, which environment variables set.

use std::{env, str::FromStr};

/// Number of simultaneous clients.
pub const CLIENTS: u8 = 32;
/// Number of operations, unless `HISTORY_OPERATIONS` sets another one.
const OPERATIONS: usize = 400;
/// Seed, unless `HISTORY_SEED` sets another one.
const SEED: u64 = 20_261_122;
/// Maximum number of operations in one stack. With 12,500 on seats, requests ran out of their time.
const OPERATIONS_OF_STACK: usize = 2_500;

/// Number of operations, and the seed of their random choices, which also depend on the order in which clients run.
#[derive(Clone, Copy, Debug)]
pub struct Plan {
    pub seed: u64,
    pub operations: usize,
}

impl Plan {
    /// Creates the plan that `HISTORY_SEED` and `HISTORY_OPERATIONS` describe.
    pub fn new() -> Self {
        let seed = variable("HISTORY_SEED").unwrap_or(SEED);
        println!("HISTORY_SEED={seed}");
        Self { seed, operations: variable("HISTORY_OPERATIONS").unwrap_or(OPERATIONS) }
    }

    /// Returns plans for stacks of their own, with the same operations in total.
    pub fn parts(self) -> impl Iterator<Item = Self> {
        (0..self.operations).step_by(OPERATIONS_OF_STACK).map(move |first| Self {
            seed: self.seed.wrapping_add(first as u64),
            operations: OPERATIONS_OF_STACK.min(self.operations - first),
        })
    }
}

/// Parses a number from the environment.
pub fn variable<T: FromStr>(name: &str) -> Option<T> {
    let value = env::var(name).ok()?;
    Some(value.parse().unwrap_or_else(|_| panic!("{name} is not a number: {value}")))
}
