//! Comparison of failed password checks: all must take the same work, so that their time does not reveal members.

use std::ffi::OsString;

use bytes::Bytes;
use domain::{error::Cause, password::MAX_CHARS_AT_LOGIN};
use serde_json::{Value, json};
use storage::keys::Account;
use uuid::{Uuid, uuid};

use crate::{
    callgrind,
    counts::ratio,
    environment::Environment,
    functions::HASHING,
    instance::{Accepts, is_unauthorized},
    requests::WRONG_PASSWORD,
    sample::{proxy_event, set_json, set_member_id},
};

/// Measured functions.
pub const SLUGS: [&str; 3] = ["members-login", "members-edit", "members-withdraw"];

/// Id that no member has.
const UNKNOWN: Uuid = uuid!("6f1dd7b4-6a24-4c53-9f5e-0d1c8a3b2e11");

/// Largest allowed ratio of the most to the least instructions.
const TOLERANCE: f64 = 1.01;

/// Checks that failures of a function take the same instructions, at the default cost of a hash.
///
/// They fail because of an unknown or malformed account, a wrong password, a lost hash, a password longer than any
/// member's, or because the client is barred, whether or not the account is a member's.
///
/// # Errors
///
/// Returns an error if their instructions differ or cannot be counted.
pub async fn check_equal_costs(slug: &str, command: &[OsString]) -> Result<(), Cause> {
    let accounts: &[&str] = if slug == SLUGS[0] { &["unknown"] } else { &["unknown", "malformed"] };
    let failures = [accounts, &["wrong", "empty-hash", "oversized"]].concat();
    let mut counts = Vec::new();
    for name in failures {
        counts.push(count(slug, name, command, is_unauthorized).await?);
    }
    for name in ["barred-unknown", "barred-member", "barred-wrong"] {
        counts.push(count(slug, name, command, is_barred).await?);
    }
    let least = counts.iter().min().copied().unwrap_or_default();
    let ratio = ratio(counts.iter().max().copied().unwrap_or_default(), least);
    println!("{slug:<14} failures differ by a factor of {ratio:.5}");
    if ratio <= TOLERANCE { Ok(()) } else { Err("the instructions of a failure reveal its cause".into()) }
}

fn is_barred(response: &Value) -> bool {
    response["statusCode"] == 429
}

/// Counts the instructions from the start of a process to the end of its first request, most of them for the hash.
async fn count(slug: &str, name: &str, command: &[OsString], accepts: Accepts) -> Result<u64, Cause> {
    let environment = Environment::start(HASHING).await?;
    let variables = environment.variables(slug)?;
    let event = event(slug, name, &environment).await?;
    let counted = callgrind::count(command, &variables, [event], accepts).await?;
    println!("{slug:<14} {name:<14} {counted:>13}");
    Ok(counted)
}

/// Prepares an account, and makes the request that fails.
async fn event(slug: &str, name: &str, environment: &Environment) -> Result<Bytes, Cause> {
    let member = environment.register().await?;
    let (mut email, mut id) = (member.email.clone(), member.id.to_string());
    let mut password = json!(tests::sample::PASSWORD);
    match name {
        "unknown" | "barred-unknown" => (email, id) = (tests::sample::registration().email, UNKNOWN.to_string()),
        "malformed" => id = tests::sample::unique(),
        "wrong" | "barred-wrong" => password = json!(WRONG_PASSWORD),
        "oversized" => password = json!("x".repeat(MAX_CHARS_AT_LOGIN)),
        "empty-hash" => environment.empty_hash(&email).await?,
        _ => {}
    }
    if name.starts_with("barred") {
        let has_no_email = slug != SLUGS[0] && name == "barred-unknown";
        environment.bar(&if has_no_email { Account::unknown(UNKNOWN) } else { Account::from(&email) }).await?;
    }
    let body = if slug == SLUGS[0] {
        json!({"email": email.as_str(), "password": password})
    } else {
        json!({"password": password})
    };
    proxy_event(slug, |event| {
        if slug != SLUGS[0] {
            set_member_id(event, &id);
        }
        set_json(event, &body);
    })
}
