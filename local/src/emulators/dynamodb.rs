//! HTTP interface of the embedded DynamoDB.
//!
//! The server of `dynoxide` allows every web page to read its responses. So only its database is used.

use std::{path::Path, sync::Arc};

use axum::{
    Router,
    extract::{DefaultBodyLimit, State},
    response::{IntoResponse as _, Response},
    routing::post,
};
use bytes::Bytes;
use dynoxide::{Database, DynoxideError};
use http::{HeaderMap, StatusCode, header::CONTENT_TYPE};
use serde::{Serialize, de::DeserializeOwned};
use tokio::sync::Notify;

/// Header with the version of the interface and the operation.
const TARGET: &str = "x-amz-target";
const VERSION: &str = "DynamoDB_20120810.";
const MEDIA_TYPE: &str = "application/x-amz-json-1.0";

/// Operations that write items.
const WRITES: [&str; 5] = ["BatchWriteItem", "DeleteItem", "PutItem", "TransactWriteItems", "UpdateItem"];

/// Maximum bytes of a request (AWS quota: 16 MB).
const MAX_BODY: usize = 16 * 1024 * 1024;

/// Opens a database that stores its tables in a file, or in memory if no file is given.
///
/// # Errors
///
/// Returns the reason if the file cannot be read.
pub fn open(file: Option<&Path>) -> Result<Database, String> {
    let database = match file {
        Some(file) => Database::new(&file.to_string_lossy()),
        None => Database::memory(),
    };
    database.map_err(|error| match error.to_string() {
        // The text advises to enable a feature of the crate, which does not help here.
        text if text.contains("encrypted") => "it is not an SQLite database".to_owned(),
        text => text,
    })
}

/// Serves the operations that the service, its tests and viewers of tables use. Each write notifies `written`.
pub fn router(database: Database, written: Arc<Notify>) -> Router {
    let state = (database, written);
    Router::new().route("/", post(respond)).layer(DefaultBodyLimit::max(MAX_BODY)).with_state(state)
}

async fn respond(
    State((database, written)): State<(Database, Arc<Notify>)>,
    headers: HeaderMap,
    body: Bytes,
) -> Response {
    let target = headers.get(TARGET).and_then(|target| target.to_str().ok()).unwrap_or_default();
    let operation = target.strip_prefix(VERSION).unwrap_or_default();
    let (status, body) = match execute(&database, operation, &body) {
        Ok(response) => {
            if WRITES.contains(&operation) {
                written.notify_one();
            }
            (StatusCode::OK, response)
        }
        Err(error) => {
            let status = StatusCode::from_u16(error.status_code()).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
            (status, error.to_json())
        }
    };
    (status, [(CONTENT_TYPE, MEDIA_TYPE)], body).into_response()
}

fn execute(database: &Database, operation: &str, body: &[u8]) -> Result<String, DynoxideError> {
    match operation {
        "BatchGetItem" => call(body, |request| database.batch_get_item(request)),
        "BatchWriteItem" => call(body, |request| database.batch_write_item(request)),
        "CreateTable" => call(body, |request| database.create_table(request)),
        "DeleteItem" => call(body, |request| database.delete_item(request)),
        "DeleteTable" => call(body, |request| database.delete_table(request)),
        "DescribeTable" => call(body, |request| database.describe_table(request)),
        "DescribeTimeToLive" => call(body, |request| database.describe_time_to_live(request)),
        "GetItem" => call(body, |request| database.get_item(request)),
        "ListTables" => call(body, |request| database.list_tables(request)),
        "PutItem" => call(body, |request| database.put_item(request)),
        "Query" => call(body, |request| database.query(request)),
        "Scan" => call(body, |request| database.scan(request)),
        "TransactGetItems" => call(body, |request| database.transact_get_items(request)),
        "TransactWriteItems" => call(body, |request| database.transact_write_items(request)),
        "UpdateItem" => call(body, |request| database.update_item(request)),
        "UpdateTimeToLive" => call(body, |request| database.update_time_to_live(request)),
        _ => Err(DynoxideError::UnsupportedCapability(operation.to_owned())),
    }
}

fn call<Request: DeserializeOwned, Response: Serialize>(
    body: &[u8],
    operation: impl FnOnce(Request) -> Result<Response, DynoxideError>,
) -> Result<String, DynoxideError> {
    let request =
        serde_json::from_slice(body).map_err(|error| DynoxideError::SerializationException(error.to_string()))?;
    serde_json::to_string(&operation(request)?).map_err(|error| DynoxideError::InternalServerError(error.to_string()))
}
