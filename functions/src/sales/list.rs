//! Lists the sales of a show: `GET /api/v1/events/{eventId}/dates/{showId}/sales`.

use api::{
    content_encoding::ContentEncoding,
    envelope::{self, Response},
    error::{Error, Limit},
    fields::Errors,
    messages, page, request,
};
use domain::{cursor::CursorKey, error::Cause, manager::Seller, show::ShowId};
use http::{
    HeaderValue,
    header::{ACCEPT, CONTENT_DISPOSITION},
};
use lambda_http::Request;
use storage::seats::sales::Sales;

use crate::{
    caller::SeatSeller,
    environment::Environment,
    operation::Operation,
    sales::{csv, sale::SaleResponse},
};

/// Maximum number of sales on a page.
pub const MAX_SALES: usize = 500;

/// Endpoint with its stores.
#[derive(Debug)]
pub struct List {
    sales: Sales,
    cursors: CursorKey,
}

/// Lists the sales of a show.
///
/// The owner of the event may, and an order service. Returns the confirmed holds in the order of their first seat in
/// the hall; `memberId` is null if the box office sold them. With `Accept: text/csv` it returns all of them as CSV,
/// with a line for each seat.
///
/// - A page that would be too large ends early. A walk lists every sale that is there throughout exactly once.
/// - With `text/csv` before JSON in `Accept`, the response is CSV without pages:
///   `order,area,row,number,price,hold,member`, a line for each seat, in UTF-8 with a byte order mark. A cell that a
///   spreadsheet would take for a formula begins with an apostrophe. If it is too large (`C_005`), read pages.
#[utoipa::path(
    get,
    path = "/api/v1/events/{eventId}/dates/{showId}/sales",
    operation_id = "sales-list",
    params(("x-api-managerId", Header), ("salesLimit", Query), ("cursor", Query)),
    responses((
        status = 200,
        description = "One page of sales, or all of them as CSV.",
        content((ref("Sales") = "application/json"), (String = "text/csv")),
        headers(("Content-Disposition")),
    )),
)]
pub fn operation() {}

impl Operation for List {
    type Caller = SeatSeller;

    const NEGOTIATES_ENCODING: bool = true;

    async fn new(environment: &impl Environment) -> Result<Self, Cause> {
        let cursors = environment.parse("CURSOR_KEY")?;
        Ok(Self { sales: Sales::new(environment.table().await?, environment.clock()), cursors })
    }

    async fn handle(&self, SeatSeller(seller): SeatSeller, request: Request) -> Result<Response, Error> {
        if wants_csv(&request) { self.csv(&seller, &request).await } else { self.page(&seller, &request).await }
    }
}

impl List {
    async fn page(&self, seller: &Seller, request: &Request) -> Result<Response, Error> {
        let mut errors = Errors::default();
        let limit = page::limit_up_to(&mut errors, request, MAX_SALES);
        let show = request::show_id(request);
        let path = show.as_ref().map(path_of).unwrap_or_default();
        let position =
            |text: &str| Some(u32::from_be_bytes(self.cursors.verify_position(&path, text)?.try_into().ok()?));
        let after = page::cursor(&mut errors, request, position);
        errors.into_parameters()?;
        let found = self.sales.page(show?, seller, after, limit).await?;
        let mut sales: Vec<_> = found.sales.iter().map(|(_, sale)| SaleResponse::new(sale, &found.hall)).collect();
        let mut response = loop {
            match envelope::ok_encoded(messages::SALES_LISTED, &sales, ContentEncoding::accepted_by(request)) {
                Err(Error::TooLarge(_)) if sales.len() > 1 => sales.truncate(sales.len() / 2),
                response => break response?,
            }
        };
        let last = found.sales[..sales.len()].last().map(|(seat, _)| *seat);
        let next = if sales.len() == found.sales.len() { found.next } else { last };
        if let Some(last) = next {
            let cursor = self.cursors.sign_position(&path, &last.to_be_bytes());
            let parameters = [("limit", Some(limit.to_string())), ("cursor", Some(cursor))];
            page::add_link(&mut response, &page::next(&path, &parameters))?;
        }
        Ok(response)
    }

    async fn csv(&self, seller: &Seller, request: &Request) -> Result<Response, Error> {
        let show = request::show_id(request)?;
        let found = self.sales.all(show, seller).await?;
        let document = csv::write(found.sales.iter().map(|(_, sale)| sale), &found.hall)?;
        let response = envelope::document(csv::MEDIA_TYPE, document, ContentEncoding::accepted_by(request));
        let mut response = response.map_err(|error| match error {
            Error::TooLarge(Limit::Response(max) | Limit::UncompressedResponse(max)) => {
                Error::TooLarge(Limit::Unpaged(max))
            }
            error => error,
        })?;
        let file = format!("attachment; filename=\"sales-{}.csv\"", show.show);
        let disposition = HeaderValue::from_str(&file).map_err(Error::unexpected)?;
        response.headers_mut().insert(CONTENT_DISPOSITION, disposition);
        Ok(response)
    }
}

/// Returns the path of the list, to which its cursors belong.
fn path_of(show: &ShowId) -> String {
    format!("/api/v1/events/{}/dates/{}/sales", show.event, show.show)
}

/// Returns true if the client accepts CSV, before JSON in `Accept`.
fn wants_csv(request: &Request) -> bool {
    let values = request.headers().get_all(ACCEPT).into_iter().filter_map(|value| value.to_str().ok());
    let mut ranges = values.flat_map(|value| value.split(',')).filter_map(|range| {
        let mut parts = range.split(';').map(|part| part.trim().to_ascii_lowercase());
        let media_type = parts.next()?;
        // A weight of zero rejects the type.
        let is_rejected = |part: String| part.strip_prefix("q=").is_some_and(|weight| weight.parse() == Ok(0.0));
        (!parts.any(is_rejected)).then_some(media_type)
    });
    ranges
        .find(|range| matches!(range.as_str(), "text/csv" | "application/json" | "application/*" | "*/*"))
        .is_some_and(|range| range == "text/csv")
}
