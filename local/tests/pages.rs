//! Tests of the pages of the local stack.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use local::{Addresses, Data, Settings, Stack};
use reqwest::{
    Client, Response,
    header::{ACCEPT, HOST},
    multipart::{Form, Part},
    redirect::Policy,
};
use serde_json::{Value, json};

const MANAGER: &str = "5b0c6f0e-3d5a-4e0e-9a55-2f6f1f3f7c10";

async fn stack() -> Stack {
    Stack::start(Addresses::default(), Data::temporary().unwrap()).await.unwrap()
}

async fn get(stack: &Stack, path: &str) -> Response {
    reqwest::get(format!("{}{path}", stack.url())).await.unwrap()
}

fn header<'a>(response: &'a Response, name: &str) -> &'a str {
    response.headers()[name].to_str().unwrap()
}

#[tokio::test]
async fn pages_load_only_own_content() {
    let stack = stack().await;
    for path in ["/", "/docs/", "/docs/swagger-ui-bundle.js"] {
        let response = get(&stack, path).await;
        assert_eq!(response.status(), 200, "{path}");
        let policy = header(&response, "content-security-policy");
        for directive in ["default-src 'none'", "base-uri 'none'", "frame-ancestors 'none'", "connect-src 'self'"] {
            assert!(policy.contains(directive), "{path}: {policy}");
        }
        let scripts = policy.split("; ").find(|directive| directive.starts_with("script-src")).unwrap();
        assert!(!scripts.contains("unsafe") && !scripts.contains("http"), "{path}: {scripts}");
        assert_eq!(header(&response, "x-content-type-options"), "nosniff");
        let page = response.text().await.unwrap();
        assert!(
            path.ends_with("js") || page.contains("<meta name=\"viewport\" content=\"width=device-width"),
            "{path}"
        );
    }
}

#[tokio::test]
async fn site_allows_no_code_inside_pages() {
    let stack = stack().await;
    let id = "01a21c54-7100-76e8-8efb-14bd6a747368";
    let paths =
        ["/", "/login", "/join", "/account", "/manager", "/forgot-password", "/reset-password", "/verify-email"];
    // A page also says that there is no such event.
    let of_event = [format!("/events/{id}"), format!("/events/{id}/shows/{id}"), "/events/x".to_owned()];
    let paths = paths.map(|path| (path, 200)).into_iter();
    for (path, status) in paths.chain(of_event.iter().map(|path| (&**path, 404))) {
        let response = get(&stack, path).await;
        assert_eq!(
            (response.status().as_u16(), header(&response, "content-type")),
            (status, "text/html; charset=utf-8"),
            "{path}"
        );
        let policy = header(&response, "content-security-policy");
        for directive in ["script-src 'self';", "style-src 'self';", "img-src 'self' data:;"] {
            assert!(policy.contains(directive), "{path}: {policy}");
        }
    }
}

#[tokio::test]
async fn mails_are_rejected_at_host_names() {
    let stack = stack().await;
    for path in ["/mail", "/mail.json"] {
        let url = format!("{}{path}", stack.url());
        for (host, status) in [("page.example", 403), ("localhost", 200), ("127.0.0.1:3000", 200), ("[::1]", 200)] {
            // A browser sends this header for every page.
            let request = Client::new().get(&url).header(HOST, host).header("sec-fetch-site", "none");
            assert_eq!(request.send().await.unwrap().status(), status, "{path} {host}");
        }
    }
}

#[tokio::test]
async fn openapi_has_requested_host() {
    let stack = stack().await;
    for (host, expected) in [("localhost:3000", "http://localhost:3000"), ("a b", "/")] {
        let request = Client::new().get(format!("{}/openapi.json", stack.url())).header(HOST, host);
        let response = request.send().await.unwrap();
        assert_eq!(header(&response, "content-type"), "application/json");
        let document: Value = response.json().await.unwrap();
        assert_eq!(document["servers"][0]["url"], expected);
    }
}

#[tokio::test]
async fn unknown_paths_get_envelope() {
    let stack = stack().await;
    for path in [
        "/docs/nothing.js",
        "/docs/..%2Fopenapi.json",
        "/docs/%FF",
        "/index.html",
        "/site/a.js",
        "/site/..%2Fsrc%2Flib.rs",
    ] {
        let response = get(&stack, path).await;
        assert_eq!(response.status(), 404, "{path}");
        let envelope: Value = response.json().await.unwrap();
        assert_eq!(envelope["code"], "C_008", "{path}");
    }
}

/// Opens an address as a browser does, without following redirections.
async fn open(stack: &Stack, path: &str) -> Response {
    let client = Client::builder().redirect(Policy::none()).build().unwrap();
    let accept = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8";
    client.get(format!("{}{path}", stack.url())).header(ACCEPT, accept).send().await.unwrap()
}

#[tokio::test]
async fn browsers_see_page_at_unknown_address() {
    let stack = stack().await;
    let unknown = open(&stack, "/nothing").await;
    assert_eq!((unknown.status().as_u16(), header(&unknown, "content-type")), (404, "text/html; charset=utf-8"));
    assert!(unknown.text().await.unwrap().contains("<title>페이지를 찾을 수 없어요 · 봄날티켓</title>"));
    for (path, target) in [("/tickets/", "/tickets"), ("/events/", "/"), ("/manager/new/", "/manager/new")] {
        let moved = open(&stack, path).await;
        assert_eq!((moved.status().as_u16(), header(&moved, "location")), (308, target));
    }
    // Programs get the envelope.
    for path in ["/api/v1/nothing", "/site/a.js", "/upload/a.jpg"] {
        assert_eq!(header(&open(&stack, path).await, "content-type"), "application/json", "{path}");
    }
    assert_eq!(header(&get(&stack, "/nothing").await, "content-type"), "application/json");
}

/// Registers the event of the examples with these fields, and returns its data.
async fn registered(stack: &Stack, fields: Value) -> Value {
    let mut event = json!({
        "title": "봄 <콘서트> & \"밤\"", "description": "봄밤의\n야외 </script> 콘서트", "place": "올림픽홀", "artist": "아이유",
        "eventOpenTime": "2100-01-01T00:00:00Z", "ticketingOpenTime": "2099-01-01T00:00:00Z",
        "eventDatetimes": ["2100-01-01T00:00:00Z", "2100-01-02T00:00:00Z"], "runningMinutes": 90,
        "address": "서울 송파구", "totalMap": "<g/>",
        "areas": [
            {"label": "A", "price": 50000, "areaMap": "<g/>", "seats": [{"cx": 1, "cy": 1, "row": 1, "number": 1}]},
            {"label": "B", "price": 99000.5, "areaMap": "<g/>", "seats": [{"cx": 2, "cy": 1, "row": 1, "number": 1}]},
            {"label": "C", "price": 1, "areaMap": "<g/>", "seats": []},
        ],
    });
    event.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
    let poster = Part::bytes(include_bytes!("../../tests/corpus/images/accepted/interlaced.png").to_vec());
    let form = Form::new().text("request", event.to_string()).part("thumbnail", poster.file_name("a.png"));
    let request = Client::new().post(format!("{}/api/v1/events", stack.url())).multipart(form);
    let response = request.header("x-api-managerId", MANAGER).send().await.unwrap();
    let body: Value = response.json().await.unwrap();
    assert_eq!(body["code"], "0", "{body}");
    body["data"].clone()
}

#[tokio::test]
async fn page_of_event_describes_it_without_script() {
    let stack = stack().await;
    let event = registered(&stack, json!({})).await;
    let [id, thumbnail] = ["id", "thumbnail"].map(|name| event[name].as_str().unwrap());
    let [moved, show] = [0, 1].map(|show| event["eventDatetimes"][show]["id"].as_str().unwrap());
    for (show, change) in [(moved, json!({"datetime": "2099-12-31T10:00:00Z"})), (show, json!({"status": "CANCELLED"}))]
    {
        let edit = Client::new().patch(format!("{}/api/v1/events/{id}/dates/{show}", stack.url()));
        let edited = edit.header("x-api-managerId", MANAGER).json(&change).send().await.unwrap();
        assert_eq!(edited.status(), 200);
    }
    let base = stack.base_url();
    let html = open(&stack, &format!("/events/{id}")).await.text().await.unwrap();
    let title = "봄 &lt;콘서트&gt; &amp; &quot;밤&quot;";
    // The template engine also escapes slashes.
    let unescaped = html.replace("&#x2f;", "/");
    for part in [
        format!("<title>{title} · 봄날티켓</title>"),
        format!("<link rel=\"canonical\" href=\"{base}/events/{id}\">"),
        format!("<meta property=\"og:title\" content=\"{title}\">"),
        format!("<meta property=\"og:image\" content=\"{base}/upload/{thumbnail}\">"),
        "<meta name=\"description\" content=\"봄밤의 야외 &lt;/script&gt; 콘서트\">".to_owned(),
    ] {
        assert!(unescaped.contains(&part), "{part}\n{html}");
    }
    let (_, data) = html.split_once("<script type=\"application/ld+json\">").unwrap();
    let shows: Value = serde_json::from_str(data.split_once("</script>").unwrap().0).unwrap();
    assert_eq!(shows[0]["name"], "봄 <콘서트> & \"밤\"");
    assert_eq!(shows[0]["description"], "봄밤의\n야외 </script> 콘서트");
    assert_eq!(shows[0]["startDate"], "2099-12-31T10:00:00Z");
    assert_eq!(shows[0]["previousStartDate"], "2100-01-01T00:00:00Z");
    assert_eq!(shows[0]["offers"]["lowPrice"], 50_000);
    assert_eq!(shows[0]["offers"]["highPrice"].to_string(), "99000.5");
    let statuses = [0, 1].map(|show| shows[show]["eventStatus"].as_str().unwrap().to_owned());
    assert_eq!(statuses, ["https://schema.org/EventRescheduled", "https://schema.org/EventCancelled"]);
    assert!(shows[1].get("offers").is_none() && shows[1].get("previousStartDate").is_none());
    assert!(!html.contains("noindex"));
    let seats = open(&stack, &format!("/events/{id}/shows/{show}")).await;
    assert_eq!(seats.status(), 200);
    assert_eq!(open(&stack, &format!("/events/{id}/shows/{id}")).await.status(), 404);
    // The page of an order is about one person.
    let order = open(&stack, &format!("/tickets/{id}/{show}/{id}")).await;
    assert_eq!(order.status(), 200);
    let html = order.text().await.unwrap();
    assert!(html.contains("noindex") && !html.contains("콘서트"), "{html}");
    let list = open(&stack, "/sitemap.xml").await.text().await.unwrap();
    assert!(list.contains(&format!("<loc>{base}/events/{id}</loc>")));
    assert!(open(&stack, "/robots.txt").await.text().await.unwrap().ends_with("/sitemap.xml\n"));
}

#[tokio::test]
async fn draft_is_unknown_to_previews() {
    let stack = stack().await;
    let draft = registered(&stack, json!({"published": false})).await;
    let path = format!("/events/{}", draft["id"].as_str().unwrap());
    let response = open(&stack, &path).await;
    assert_eq!(response.status(), 404);
    let html = response.text().await.unwrap();
    assert!(html.contains("noindex") && !html.contains("콘서트"), "{html}");
    assert!(!open(&stack, "/sitemap.xml").await.text().await.unwrap().contains(&path));
}

#[tokio::test]
async fn calendar_file_describes_show() {
    let stack = stack().await;
    let title = "봄, 밤; \\ 콘서트 ".to_owned() + &"아주 ".repeat(20) + "긴 제목";
    let fields =
        json!({"title": title, "address": "서울 송파구, 올림픽로", "eventDatetimes": ["2100-01-01T10:30:00.5Z"]});
    let event = registered(&stack, fields).await;
    let [id, show] = [&event["id"], &event["eventDatetimes"][0]["id"]].map(|id| id.as_str().unwrap());
    let path = format!("/events/{id}/shows/{show}/calendar.ics");
    let response = open(&stack, &path).await;
    assert_eq!((response.status().as_u16(), header(&response, "content-type")), (200, "text/calendar; charset=utf-8"));
    let file = response.text().await.unwrap();
    assert!(file.split("\r\n").all(|line| line.len() <= 75 && !line.contains('\n')), "{file}");
    let (base, title) = (stack.base_url(), title.replace('\\', "\\\\").replace(',', "\\,").replace(';', "\\;"));
    let lines = unfolded(&file);
    assert_eq!((&*lines[0], &*lines[lines.len() - 1]), ("BEGIN:VCALENDAR", "END:VCALENDAR"));
    for line in [
        &format!("UID:{show}@localhost"),
        "SEQUENCE:0",
        "DTSTART:21000101T103000Z",
        "DTEND:21000101T120000Z",
        &format!("SUMMARY:{title}"),
        "LOCATION:올림픽홀\\, 서울 송파구\\, 올림픽로",
        &format!("URL:{base}/events/{id}"),
        "STATUS:CONFIRMED",
    ] {
        assert!(lines.iter().any(|known| known == line), "{line}\n{file}");
    }
    for (status, expected, version) in [("POSTPONED", "TENTATIVE", 1), ("CANCELLED", "CANCELLED", 2)] {
        let change = Client::new().patch(format!("{}/api/v1/events/{id}/dates/{show}", stack.url()));
        let change = change.header("x-api-managerId", MANAGER);
        let change = change.json(&json!({"status": status, "notice": "태풍으로\n열리지 않습니다."}));
        assert_eq!(change.send().await.unwrap().status(), 200);
        let lines = unfolded(&open(&stack, &path).await.text().await.unwrap());
        let expected = [format!("STATUS:{expected}"), format!("SEQUENCE:{version}")];
        assert!(expected.iter().all(|line| lines.contains(line)), "{lines:?}");
        assert!(lines.contains(&"DESCRIPTION:태풍으로\\n열리지 않습니다.".to_owned()), "{lines:?}");
    }
}

/// Returns the lines of a calendar file, without the ends that only fold them.
fn unfolded(file: &str) -> Vec<String> {
    file.replace("\r\n ", "").lines().map(str::to_owned).collect()
}

#[tokio::test]
async fn unknown_show_has_no_calendar_file() {
    let stack = stack().await;
    let event = registered(&stack, json!({})).await;
    let draft = registered(&stack, json!({"title": "비공개", "published": false})).await;
    let id = event["id"].as_str().unwrap();
    let of_draft = [&draft["id"], &draft["eventDatetimes"][0]["id"]].map(|id| id.as_str().unwrap());
    for [event, show] in [[id, id], ["x", id], [MANAGER, id], of_draft] {
        let path = format!("/events/{event}/shows/{show}/calendar.ics");
        let response = open(&stack, &path).await;
        assert_eq!((response.status().as_u16(), header(&response, "content-type")), (404, "text/html; charset=utf-8"));
        assert_eq!(header(&get(&stack, &path).await, "content-type"), "application/json");
    }
}

#[tokio::test]
async fn files_of_page_can_be_kept_for_ever() {
    let stack = stack().await;
    let html = get(&stack, "/login").await.text().await.unwrap().replace("&#x2f;", "/");
    let paths: Vec<_> = html.split('"').filter(|part| part.starts_with("/site/")).collect();
    assert!(paths.iter().any(|path| path.ends_with("account/login-page.js")) && paths.len() > 10, "{paths:?}");
    for path in paths {
        let response = get(&stack, path).await;
        assert_eq!(response.status(), 200, "{path}");
        assert_eq!(header(&response, "cache-control"), "public, max-age=31536000, immutable", "{path}");
    }
    // Without the hash, a file may be another one tomorrow.
    assert_eq!(header(&get(&stack, "/site/dom.js").await, "cache-control"), "no-store");
}

#[tokio::test]
async fn responses_are_compressed_for_browsers() {
    let settings = Settings { compression: true, ..Settings::default() };
    let stack = Stack::start_with(Addresses::default(), Data::temporary().unwrap(), settings).await.unwrap();
    for path in ["/site/dom.js", "/api/v1/events"] {
        let request = Client::new().get(format!("{}{path}", stack.url())).header("accept-encoding", "gzip, br");
        let response = request.send().await.unwrap();
        assert_eq!(header(&response, "content-encoding"), "gzip", "{path}");
        let varied = response.headers().get_all("vary").iter().map(|value| value.to_str().unwrap());
        assert!(varied.flat_map(|names| names.split(", ")).any(|name| name.eq_ignore_ascii_case("accept-encoding")));
        assert!(response.bytes().await.unwrap().starts_with(&[0x1f, 0x8b]), "{path}");
        assert!(get(&stack, path).await.headers().get("content-encoding").is_none(), "{path}");
    }
}

#[tokio::test]
async fn too_long_text_has_no_qr_code() {
    let stack = stack().await;
    let draw = |length| {
        let request = Client::new().post(format!("{}/qr", stack.url())).body("a".repeat(length));
        async { request.send().await.unwrap() }
    };
    let drawn = draw(2_331).await;
    assert_eq!((drawn.status().as_u16(), header(&drawn, "content-type")), (200, "image/svg+xml"));
    assert_eq!(header(&drawn, "cache-control"), "no-store");
    let rejected = draw(2_332).await;
    assert_eq!(rejected.status(), 413);
    assert_eq!(rejected.json::<Value>().await.unwrap()["code"], "C_005");
}
