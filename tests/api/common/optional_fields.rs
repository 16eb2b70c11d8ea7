//! Values that say nothing, in every optional field of every request: null, `[]`, `{}`, an empty text, false and 0.

use std::collections::BTreeSet;
use tests::prelude::*;

/// Outcomes of null, `[]`, `{}`, an empty text, false and 0 in a field of an operation, one character each:
///
/// - `-` the field counts as absent, or is removed
/// - `+` the value is accepted
/// - `!` the value is rejected (`C_001`)
/// - `x` the value is valid, but conflicts with what is stored
const OUTCOMES: &[(&str, &str, &str)] = &[
    // A null, or a blank text, of an edit is a value: these fields can be changed, not removed.
    ("members-edit", "name", "!!!!!!"),
    ("members-edit", "nickname", "!!!!!!"),
    ("members-edit", "newPassword", "!!!!!!"),
    ("events-create", "genre", "--!-!!"),
    ("events-create", "ageRating", "--!-!+"),
    ("events-create", "runningMinutes", "--!-!!"),
    ("events-create", "address", "--!-!!"),
    ("events-create", "ticketingCloseMinutes", "--!-!+"),
    ("events-create", "maxSeats", "--!-!!"),
    // True, false or absent.
    ("events-create", "published", "!!!!+!"),
    ("events-edit", "title", "!!!!!!"),
    ("events-edit", "description", "!!!!!!"),
    ("events-edit", "place", "!!!!!!"),
    ("events-edit", "artist", "!!!!!!"),
    ("events-edit", "eventOpenTime", "!!!!!+"),
    ("events-edit", "ticketingOpenTime", "!!!!!+"),
    ("events-edit", "eventDatetimes", "!!!!!!"),
    ("events-edit", "genre", "--!-!!"),
    ("events-edit", "ageRating", "--!-!+"),
    ("events-edit", "runningMinutes", "--!-!!"),
    ("events-edit", "address", "--!-!!"),
    ("events-edit", "ticketingCloseMinutes", "--!-!+"),
    ("events-edit", "maxSeats", "--!-!!"),
    // A blocked seat keeps the event public.
    ("events-edit", "published", "!!!!x!"),
    ("events-copy", "title", "!!!!!!"),
    ("events-copy", "description", "!!!!!!"),
    ("events-copy", "place", "!!!!!!"),
    ("events-copy", "artist", "!!!!!!"),
    ("events-copy", "genre", "--!-!!"),
    ("events-copy", "ageRating", "--!-!+"),
    ("events-copy", "runningMinutes", "--!-!!"),
    ("events-copy", "address", "--!-!!"),
    ("events-copy", "ticketingCloseMinutes", "--!-!+"),
    ("events-copy", "maxSeats", "--!-!!"),
    ("events-copy", "published", "!!!!+!"),
    ("events-copy", "prices", "-!+!!!"),
    ("shows-edit", "status", "!!!!!!"),
    ("shows-edit", "datetime", "!!!!!+"),
    ("shows-edit", "notice", "--!-!!"),
    ("shows-edit", "notifyBuyers", "!!!!+!"),
    ("events-cancel", "notice", "--!-!!"),
    ("events-cancel", "notifyBuyers", "!!!!+!"),
    // Beside `count` and `areaIds`.
    ("holds-create", "seatIds", "-!!!!!"),
    // Beside `seatIds`.
    ("holds-create", "count", "-!!!!!"),
    ("holds-create", "areaIds", "-!!!!!"),
    // Two seats that are not next to each other are free, and the default is true.
    ("holds-create", "adjacent", "x!!!+!"),
    ("holds-create", "kinds", "-!!!!!"),
    ("sales-create", "amount", "-!!!!x"),
    ("seats-block", "label", "--!-!!"),
    // Beside `label`, and a label beside `seatIds`.
    ("seats-unblock", "seatIds", "-!!!!!"),
    ("seats-unblock", "label", "--!-!!"),
];

/// Returns the operations with the names of their fields that need not be there.
fn optional_fields() -> BTreeSet<(String, String)> {
    let document = ::openapi::document("/");
    let resolved = |schema: &Value| document.pointer(&schema["$ref"].as_str().unwrap()[1..]).unwrap().clone();
    let mut fields = BTreeSet::new();
    let operations = document["paths"].as_object().unwrap().values().flat_map(|methods| methods.as_object().unwrap());
    for (_, operation) in operations {
        let Some(content) = operation["requestBody"]["content"].as_object() else { continue };
        let mut body = resolved(&content.values().next().unwrap()["schema"]);
        if content.contains_key("multipart/form-data") {
            let Some(part) = body["properties"].get("request") else { continue };
            body = resolved(part);
        }
        let alternatives = body["oneOf"].as_array().cloned().unwrap_or_else(|| vec![body]);
        for alternative in &alternatives {
            let required = alternative["required"].as_array().cloned().unwrap_or_default();
            let names = alternative["properties"].as_object().unwrap().keys();
            for name in names.filter(|name| !required.contains(&json!(name))) {
                fields.insert((operation["operationId"].as_str().unwrap().to_owned(), name.clone()));
            }
        }
    }
    fields
}

/// Requests that are valid without the optional field.
struct Requests {
    api: Api,
    member: Value,
    /// Show of an event that requests change; one of its seats is blocked.
    edited: Sale,
    sale: Sale,
    areas: [String; 2],
}

impl Requests {
    async fn new() -> Self {
        let api = Api::new();
        let created = api.create(&Sale::on_sale()).await;
        let sale = Sale::of(&created);
        let area = |index: usize| created.data()["areas"][index]["id"].as_str().unwrap().to_owned();
        // The second area has three seats.
        sale.block(&api, &[131]).await.check(200, "0");
        let edited = Sale::open(&api).await;
        edited.block(&api, &[0]).await.check(200, "0");
        Self { member: api.joined().await, areas: [area(0), area(1)], api, edited, sale }
    }

    /// Sends a request with a value; requests with different numbers are about different seats and times.
    async fn send(&self, slug: &str, number: usize, field: &str, value: &Value) -> Response {
        let Self { api, member, edited, sale, areas: [first, second] } = self;
        let with = |mut body: Value| {
            body[field] = value.clone();
            body
        };
        match (slug, field) {
            ("members-edit", _) => api.edit_member(member, &with(json!({"password": sample::PASSWORD}))).await,
            ("events-create", _) => api.create(&with(sample::event())).await,
            ("events-edit", _) => api.edit(&edited.event, &with(json!({}))).await,
            ("events-copy", _) => {
                let times = json!({"eventOpenTime": 0, "ticketingOpenTime": 0, "eventDatetimes": [number]});
                api.copy(&sale.event, &with(times)).await
            }
            ("shows-edit", _) => api.edit_show(&edited.event, &edited.show, &with(json!({}))).await,
            ("events-cancel", _) => api.cancel(&edited.event, &with(json!({}))).await,
            ("sales-create", _) => {
                let mut body = with(sale.seats(&[number % 130]));
                body["orderId"] = json!("1");
                sale.sell_with(api, &body).await
            }
            ("holds-create", _) => {
                let body = match field {
                    "seatIds" | "kinds" => json!({"count": 1, "areaIds": [first]}),
                    "adjacent" => json!({"count": 2, "areaIds": [second]}),
                    _ => sale.seats(&[number % 130]),
                };
                let (_, tokens) = api.joined_with_session().await;
                sale.hold_with(api, &tokens, &with(body)).await
            }
            ("seats-block", _) => api.post_as_manager(&edited.path("blocks"), &with(edited.seats(&[5]))).await,
            ("seats-unblock", _) => {
                let body = if field == "label" { edited.seats(&[7]) } else { json!({"label": "press"}) };
                api.post_as_manager(&edited.path("blocks/removal"), &with(body)).await
            }
            _ => panic!("no request of {slug}"),
        }
    }
}

#[tokio::test]
async fn empty_values_of_optional_fields_are_absent_or_rejected() {
    let requests = Requests::new().await;
    let values = [json!(null), json!([]), json!({}), json!(""), json!(false), json!(0)];
    let listed: BTreeSet<_> =
        OUTCOMES.iter().map(|(slug, field, _)| ((*slug).to_owned(), (*field).to_owned())).collect();
    assert_eq!(listed, optional_fields());
    for (number, &(slug, field, expected)) in OUTCOMES.iter().enumerate() {
        for (index, (value, outcome)) in values.iter().zip(expected.chars()).enumerate() {
            let response = requests.send(slug, number * values.len() + index, field, value).await;
            let case = format!("{slug} {field} {value}: {response}");
            match outcome {
                '!' => {
                    assert_eq!((response.status, &*response.code()), (400, "C_001"), "{case}");
                    let is_excluded =
                        ["count", "areaIds"].contains(&field) || (slug, field) == ("seats-unblock", "label");
                    let named = if is_excluded { "seatIds" } else { field };
                    assert_eq!(response.errors()[0][0], named, "{case}");
                }
                'x' => assert!(["E_004", "H_004", "H_006"].contains(&&*response.code()), "{case}"),
                _ => {
                    assert!([200, 201].contains(&response.status), "{case}");
                    let data = response.data();
                    let is_absent = data.get(field).is_none() && !data["eventDatetimes"].to_string().contains("notice");
                    assert!(outcome == '+' || ["holds-create", "sales-create"].contains(&slug) || is_absent, "{case}");
                }
            }
        }
    }
}
