//! The `OpenAPI` document, and Swagger UI to read and try it.

use std::sync::Arc;

use api::error::Error;
use axum::{
    Json, Router,
    extract::{Path, State, rejection::PathRejection},
    response::{Redirect, Response},
    routing::get,
};
use http::{
    HeaderMap,
    header::{CONTENT_TYPE, HOST},
    uri::Authority,
};
use serde_json::{Value, json};
use utoipa_swagger_ui::Config;

use crate::{gateway, pages};

/// Content security policy of Swagger UI: its own files, inline styles, icons in its style sheet, and
/// requests to the service.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; \
                      img-src 'self' data: blob:; connect-src 'self'";

/// The document, which `cargo run -p openapi` writes.
const DOCUMENT: &str = include_str!("../../openapi.json");

/// End of the head. Its styles come after those of Swagger UI, and so override them.
const HEAD: &str = concat!(include_str!("pages/docs.html"), "</head>");

/// Title of the page.
const TITLE: &str = "<title>Member and Event Service: API</title>";

/// Link to the site, and the element in which Swagger UI appears.
const BODY: &str = "<header><a href=\"/\" lang=\"ko\">← 공연 사이트</a></header><main id=\"swagger-ui\"></main>";

/// Serves `/openapi.json` and `/docs`.
pub fn router() -> Router {
    let viewer = Config::from("/openapi.json")
        .try_it_out_enabled(true)
        .display_request_duration(true)
        .default_models_expand_depth(-1)
        // Links inside the buttons that open an operation are not accessible.
        .deep_linking(false)
        .use_base_layout();
    Router::new()
        .route("/openapi.json", get(document))
        .route("/docs", get(|| async { Redirect::temporary("/docs/") }))
        .route("/docs/", get(index))
        .route("/docs/{file}", get(file))
        .with_state(Arc::new(viewer))
}

/// Returns the document, with the base URL from the header `Host`.
async fn document(headers: HeaderMap) -> Json<Value> {
    let host = headers.get(HOST).and_then(|host| Authority::try_from(host.as_bytes()).ok());
    let base_url = host.map_or_else(|| "/".to_owned(), |host| format!("http://{host}"));
    Json(with_server(&base_url))
}

/// Returns the committed document with the address of a server.
fn with_server(base_url: &str) -> Value {
    let mut document: Value = serde_json::from_str(DOCUMENT).expect("a document in JSON");
    document["servers"] = json!([{ "url": base_url }]);
    document
}

async fn index(State(viewer): State<Arc<Config<'static>>>) -> Response {
    serve("index.html", viewer)
}

async fn file(file: Result<Path<String>, PathRejection>, State(viewer): State<Arc<Config<'static>>>) -> Response {
    match file {
        Ok(Path(file)) => serve(&file, viewer),
        Err(_) => gateway::error_response(&Error::NoSuchRoute),
    }
}

fn serve(file: &str, viewer: Arc<Config<'static>>) -> Response {
    match utoipa_swagger_ui::serve(file, viewer) {
        Ok(Some(found)) if file == "index.html" => {
            let page = adapted(&String::from_utf8_lossy(&found.bytes));
            pages::page(POLICY, ([(CONTENT_TYPE, found.content_type)], page))
        }
        Ok(Some(found)) => pages::page(POLICY, ([(CONTENT_TYPE, found.content_type)], found.bytes.into_owned())),
        Ok(None) => gateway::error_response(&Error::NoSuchRoute),
        Err(error) => gateway::error_response(&Error::unexpected(error.to_string())),
    }
}

/// Adds a viewport, styles, a title, a link to the site and a main landmark to the page of Swagger UI.
fn adapted(page: &str) -> String {
    page.replacen("</head>", HEAD, 1).replacen("<title>Swagger UI</title>", TITLE, 1).replacen(
        "<div id=\"swagger-ui\"></div>",
        BODY,
        1,
    )
}
