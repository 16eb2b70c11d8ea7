//! That logins which fail take the same work, whatever they fail for, so that nobody learns from it who is a
//! member.

use std::{ffi::OsString, iter, ops::Range};

use bytes::Bytes;
use domain::{error::Cause, password::MAX_CHARS_AT_LOGIN};
use serde_json::json;

use crate::{
    callgrind,
    counts::ratio,
    environment::Environment,
    functions::{FUNCTIONS, HASHING},
    sample::{proxy_event, set_json},
};

/// The function that is looked at.
pub const SLUG: &str = "members-login";

/// What they may differ by: the most may take this many times the instructions of the least.
const TOLERANCE: f64 = 1.01;

/// The status that all of them are answered with.
const UNAUTHORIZED: Range<u64> = 401..402;

/// How many warm requests are counted; with the others, fewer than are throttled.
const COUNTED_REQUESTS: u64 = 4;

/// Counts the instructions of logins that fail at the default cost of a hash: with an address that nobody has,
/// with a wrong password, with a member's whose hash is lost, and with a password longer than any member's.
///
/// # Errors
///
/// Where they take instructions that differ, or cannot be counted.
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
    if ratio <= TOLERANCE { Ok(()) } else { Err("what a failed login takes tells what it failed for".into()) }
}

async fn count(name: &str, command: &[OsString]) -> Result<u64, Cause> {
    let function = FUNCTIONS.iter().find(|function| function.slug == SLUG).ok_or("no such function")?;
    let environment = Environment::start(HASHING).await?;
    let variables = environment.variables(function.slug)?;
    let event = event(name, &environment).await?;
    let few = callgrind::count(command, &variables, [event.clone()], &UNAUTHORIZED).await?;
    let many = iter::repeat_n(event, usize::try_from(1 + COUNTED_REQUESTS)?);
    let all = callgrind::count(command, &variables, many, &UNAUTHORIZED).await?;
    Ok(all.saturating_sub(few) / COUNTED_REQUESTS)
}

async fn event(name: &str, environment: &Environment) -> Result<Bytes, Cause> {
    let mut credentials = match name {
        "empty-hash" => environment.add_member_without_hash().await?,
        _ => environment.add_member().await?,
    };
    match name {
        "unknown" => credentials["email"] = tests::sample::member()["email"].clone(),
        "wrong" => credentials["password"] = json!("비밀번호4321!"),
        "oversized" => credentials["password"] = json!("x".repeat(MAX_CHARS_AT_LOGIN)),
        _ => {}
    }
    proxy_event(SLUG, |event| set_json(event, &credentials))
}
