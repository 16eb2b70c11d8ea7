//! Practice payments on the site: an order service that charges nobody.
//!
//! `PUT /practice/<event>/<show>/<hold>` confirms a hold of the member whose access token the request has, and `DELETE`
//! cancels its order. The amount and the order are not in the request, so a page cannot choose them.

use std::sync::Arc;

use api::error::Error;
use axum::{
    Router,
    body::{Body, to_bytes},
    extract::{Path, Request, State, rejection::PathRejection},
    response::Response,
    routing::put,
};
use domain::error::Error as DomainError;
use http::{
    HeaderMap, HeaderValue, Method,
    header::{AUTHORIZATION, CONTENT_TYPE},
    request::Builder,
};
use lambda_http::Service as _;
use serde_json::{Value, json};
use uuid::Uuid;

use crate::{emulators::web_pages::comes_from_own_page, gateway, issuer::Issuer};

/// Order service for the members of the site.
#[derive(Clone)]
struct OrderService {
    /// Routes of the service.
    service: Router,
    /// Issuer of its tokens. Without one, the service accepts every manager.
    issuer: Option<Arc<Issuer>>,
}

/// Serves the payments, with requests to the routes of `service`.
pub fn router(service: Router, issuer: Option<Arc<Issuer>>) -> Router {
    let route = put(respond).delete(respond);
    Router::new().route("/practice/{event}/{show}/{hold}", route).with_state(OrderService { service, issuer })
}

async fn respond(
    State(orders): State<OrderService>,
    ids: Result<Path<[Uuid; 3]>, PathRejection>,
    method: Method,
    headers: HeaderMap,
) -> Response {
    let response = match ids {
        Ok(Path(ids)) => orders.change(ids, &method, &headers).await,
        Err(_) => Err(Error::NoSuchRoute),
    };
    response.unwrap_or_else(|error| gateway::error_response(&error))
}

impl OrderService {
    /// Confirms a hold of the member, or cancels the order that confirmed it here.
    ///
    /// Returns the response of the service to the first request that fails.
    async fn change(
        self,
        [event, show, hold]: [Uuid; 3],
        method: &Method,
        headers: &HeaderMap,
    ) -> Result<Response, Error> {
        if !comes_from_own_page(headers) {
            return Err(DomainError::PermissionDenied.into());
        }
        let path = format!("/api/v1/events/{event}/dates/{show}/holds/{hold}");
        // Only the member of a hold can read it.
        let authorization = headers.get(AUTHORIZATION).cloned().unwrap_or(HeaderValue::from_static(""));
        let found = self.send(Request::get(&path).header(AUTHORIZATION, authorization), Body::empty()).await?;
        if !found.status().is_success() {
            return Ok(found);
        }
        let found = to_bytes(found.into_body(), usize::MAX).await.map_err(Error::unexpected)?;
        let found: Value = serde_json::from_slice(&found).map_err(Error::unexpected)?;
        // Each hold has one order, so that no attempt confirms it twice.
        let order_id = format!("order-{}", &hold.to_string()[24..]);
        let order = json!({"orderId": order_id, "amount": found["data"]["amount"]});
        let action = if method == Method::DELETE { "cancellation" } else { "confirmation" };
        let request = Request::post(format!("{path}/{action}")).header(CONTENT_TYPE, "application/json");
        let request = match &self.issuer {
            Some(issuer) => {
                let token = issuer.order_token().map_err(Error::unexpected)?;
                request.header(AUTHORIZATION, format!("Bearer {token}"))
            }
            None => request.header("x-api-managerId", Uuid::nil().to_string()),
        };
        self.send(request, order.to_string().into()).await
    }

    async fn send(&self, request: Builder, body: Body) -> Result<Response, Error> {
        let request = request.body(body).map_err(Error::unexpected)?;
        let Ok(response) = self.service.clone().call(request).await;
        Ok(response)
    }
}
