//! Comparison of failed logins: all must take the same work, so that their time does not reveal members.

use std::{ffi::OsString, iter};

use bytes::Bytes;
use domain::{error::Cause, password::MAX_CHARS_AT_LOGIN};
use serde_json::json;

use crate::{
    callgrind,
    counts::ratio,
    environment::Environment,
    functions::{FUNCTIONS, HASHING, WRONG_PASSWORD, is_unauthorized},
    sample::{proxy_event, set_json},
};

/// Measured function.
pub const SLUG: &str = "members-login";

/// Largest allowed ratio of the most to the least instructions.
const TOLERANCE: f64 = 1.01;

/// Number of counted warm requests. All logins of a run stay below the limit of login throttling.
const COUNTED_REQUESTS: u64 = 4;

/// Checks that failed logins take the same instructions, at the default cost of a hash.
///
/// They fail because of an unknown address, a wrong password, a lost hash, or a password longer than any
/// member's.
///
/// # Errors
///
/// Returns an error if their instructions differ or cannot be counted.
pub async fn check_equal_costs(command: &[OsString]) -> Result<(), Cause> {
    let mut counts = Vec::new();
    for name in ["unknown", "wrong", "empty-hash", "oversized"] {
        let counted = count(name, command).await?;
        println!("{SLUG:<14} {name:<14} {counted:>13}");
        counts.push(counted);
    }
    let least = counts.iter().min().copied().unwrap_or_default();
    let ratio = ratio(counts.iter().max().copied().unwrap_or_default(), least);
    println!("{SLUG:<14} failures differ by a factor of {ratio:.5}");
    if ratio <= TOLERANCE { Ok(()) } else { Err("the instructions of a failed login reveal its cause".into()) }
}

async fn count(name: &str, command: &[OsString]) -> Result<u64, Cause> {
    let function = FUNCTIONS.iter().find(|function| function.slug == SLUG).ok_or("no such function")?;
    let environment = Environment::start(HASHING).await?;
    let variables = environment.variables(function.slug)?;
    let event = event(name, &environment).await?;
    let few = callgrind::count(command, &variables, [event.clone()], is_unauthorized).await?;
    let many = iter::repeat_n(event, usize::try_from(1 + COUNTED_REQUESTS)?);
    let all = callgrind::count(command, &variables, many, is_unauthorized).await?;
    Ok(all.saturating_sub(few) / COUNTED_REQUESTS)
}

async fn event(name: &str, environment: &Environment) -> Result<Bytes, Cause> {
    let mut credentials = match name {
        "empty-hash" => environment.add_member_without_hash().await?,
        _ => environment.add_member().await?,
    };
    match name {
        "unknown" => credentials["email"] = tests::sample::member()["email"].clone(),
        "wrong" => credentials["password"] = json!(WRONG_PASSWORD),
        "oversized" => credentials["password"] = json!("x".repeat(MAX_CHARS_AT_LOGIN)),
        _ => {}
    }
    proxy_event(SLUG, |event| set_json(event, &credentials))
}
