//! Mails that a service sent.

use local::{Stack, StoredMail};
use serde_json::Value;

/// Returns the mails to a member, newest first.
#[must_use]
pub fn mails_to(stack: &Stack, member: &Value) -> Vec<StoredMail> {
    stack.mails().into_iter().filter(|mail| mail.to == member["email"]).collect()
}

/// Returns the token in the link of the newest mail to a member.
#[must_use]
pub fn mail_token(stack: &Stack, member: &Value) -> String {
    let mails = mails_to(stack, member);
    let text = &mails.first().unwrap_or_else(|| panic!("no mail to {member}")).text;
    let (_, rest) = text.split_once("#token=").expect("a link with a token");
    rest.split_whitespace().next().expect("token").to_owned()
}
