//! Edits and withdrawals of members: bodies that are no JSON, and invalid fields.

use crate::{
    bodies::NOT_JSON,
    case::{Case, MEMBER, WITHDRAWAL, table},
    fields::LINES,
    service::assert_rejected,
};

#[tokio::test(flavor = "multi_thread")]
async fn hostile_accounts_are_rejected() {
    assert_rejected(&rejected(), 158).await;
}

fn rejected() -> Vec<Case> {
    let passwords = |kind: &str, path: &str, values: &[(&str, &str)]| {
        table(values, "C_001", |name, json, code| {
            Case::account(format!("{kind} with a password {name}"), path, format!("{{\"password\":{json}}}"), code)
        })
    };
    let not_json = |kind: &str, path: &str| {
        table(NOT_JSON, "C_002", |name, body, code| Case::account(format!("{kind} {name}"), path, body, code))
    };
    [
        not_json("edit of a member", MEMBER),
        // These have unknown fields twice, which a withdrawal ignores.
        not_json("withdrawal", WITHDRAWAL).into_iter().filter(|case| !case.name.contains("twice")).collect(),
        passwords("edit of a member", MEMBER, LINES),
        passwords("edit of a member", MEMBER, NO_PASSWORDS),
        passwords("withdrawal", WITHDRAWAL, LINES),
        passwords("withdrawal", WITHDRAWAL, NO_PASSWORDS),
        edits("name"),
        edits("nickname"),
        edits("newPassword"),
        vec![
            Case::account("edit of a member in upper case", MEMBER, r#"{"PASSWORD":"secret"}"#, "C_001"),
            Case::account(
                "withdrawal with a password twice",
                WITHDRAWAL,
                r#"{"password":"a","password":"b"}"#,
                "C_002",
            ),
            Case::account("withdrawal without fields", WITHDRAWAL, "{}", "C_001"),
            Case::account("edit one byte too large", MEMBER, vec![b' '; 4_700_001], "C_005"),
            Case::account("withdrawal one byte too large", WITHDRAWAL, vec![b' '; 4_700_001], "C_005"),
        ],
    ]
    .concat()
}

/// Edits of a member's field, with a valid password.
fn edits(field: &str) -> Vec<Case> {
    let edit = |name: &str, json: &str, code| {
        let body = format!("{{\"password\":\"secret\",\"{field}\":{json}}}");
        Case::account(format!("edit of {field} {name}"), MEMBER, body, code)
    };
    [table(LINES, "C_001", edit), table(TOO_LONG, "C_001", edit)].concat()
}

const NO_PASSWORDS: &[(&str, &str)] = &[
    ("that is null", "null"),
    ("that is empty", "\"\""),
    ("that is true", "true"),
    ("that is an operator", "{\"$gt\":\"\"}"),
    ("that is a typed attribute", "{\"S\":\"secret\"}"),
    ("in an array", "[\"secret\"]"),
    ("of 51 characters", "\"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\""),
];

const TOO_LONG: &[(&str, &str)] = &[
    ("that is null", "null"),
    ("of 21 characters", "\"가나다라마바사아자차카타파하가나다라마바사\""),
    ("of joined emoji", "\"👨‍👩‍👧‍👦👨‍👩‍👧‍👦👨‍👩‍👧‍👦\""),
];
