//! A show on sale, and its seats.

use local::layouts::Layout;
use reqwest::Method;
use serde_json::{Value, json};
use uuid::Uuid;

use crate::{Api, Response, sample};

/// Show on sale of an event of [`sample::MANAGER`], with 130 seats for 50,000 won and three for 99,000.5.
#[derive(Clone, Debug)]
pub struct Sale {
    /// Id of the event.
    pub event: String,
    /// Id of the show.
    pub show: String,
}

impl Sale {
    /// Registers the event.
    pub async fn open(api: &Api) -> Self {
        Self::of(&api.create(&Self::on_sale()).await)
    }

    /// Registers the event with other fields.
    pub async fn open_with(api: &Api, fields: Value) -> Self {
        Self::of(&api.create(&sample::with(Self::on_sale(), fields)).await)
    }

    /// Registers the event in another hall.
    pub async fn open_in(api: &Api, hall: &Layout) -> Self {
        let request = api.create_request(&sample::gzip_form(&sample::with_hall(Self::on_sale(), hall)));
        let created = Api::send(request.header("Accept-Encoding", "gzip")).await;
        let event = created.header("Location").rsplit('/').next().expect("id").to_owned();
        Self { show: api.event(&event).await.show(), event }
    }

    /// Returns the first show of an event that was registered.
    #[must_use]
    pub fn of(created: &Response) -> Self {
        created.check(201, "0");
        Self { event: created.id(), show: created.show() }
    }

    /// Returns an event that is not registered yet, with two shows in 2100 and ticketing that opened in 2025.
    #[must_use]
    pub fn on_sale() -> Value {
        let mut event = sample::event();
        event["eventDatetimes"] = json!(["2100-01-01T10:00:00Z", "2100-01-02T10:00:00Z"]);
        let seat = |number: u32| json!({"cx": number, "cy": 10, "row": 1, "number": number});
        event["areas"][0]["price"] = json!(50_000);
        event["areas"][0]["seats"] = (1..=130).map(seat).collect();
        event["areas"][1]["price"] = json!(99_000.5);
        event["areas"][1]["seats"] = (1..=3).map(seat).collect();
        event
    }

    /// Returns the id of a seat, by its number in the hall.
    #[must_use]
    pub fn seat(&self, number: usize) -> String {
        domain::id::seat(self.event.parse::<Uuid>().expect("id"), number).to_string()
    }

    /// Returns the body of a request about seats.
    #[must_use]
    pub fn seats(&self, numbers: &[usize]) -> Value {
        json!({"seatIds": numbers.iter().map(|number| self.seat(*number)).collect::<Vec<_>>()})
    }

    /// Returns a path below the show.
    #[must_use]
    pub fn path(&self, end: &str) -> String {
        format!("/api/v1/events/{}/dates/{}/{end}", self.event, self.show)
    }

    /// Makes a gate, and returns it with its token.
    pub async fn gate(&self, api: &Api, name: &str) -> Value {
        api.post_as_manager(&self.path("gates"), &json!({ "name": name })).await.expect(201, "0").data()
    }

    /// Lists the gates.
    pub async fn gates(&self, api: &Api) -> Response {
        api.get_as_manager(&self.path("gates")).await
    }

    /// Sells seats at the box office, and returns the id of the hold.
    pub async fn sold(&self, api: &Api, seats: &[usize]) -> String {
        self.sell(api, "box-1", seats).await.expect(201, "0").id()
    }

    /// Lists the tickets of a sale.
    pub async fn tickets(&self, api: &Api, hold: &str) -> Response {
        api.get_as_manager(&self.path(&format!("sales/{hold}/tickets"))).await
    }

    /// Sells seats at the box office, and returns the codes of their tickets.
    pub async fn codes(&self, api: &Api, seats: &[usize]) -> Vec<String> {
        let hold = self.sold(api, seats).await;
        let tickets = self.tickets(api, &hold).await.expect(200, "0").data();
        let code = |ticket: &Value| ticket["code"].as_str().expect("code").to_owned();
        tickets.as_array().expect("tickets").iter().map(code).collect()
    }

    /// Sends scans as a gate, with any body.
    pub async fn scan_with(&self, api: &Api, gate: &Value, body: &Value) -> Response {
        self.post_at(api, gate, "admissions", body).await
    }

    /// Sends the scan of a code as a gate.
    pub async fn scan(&self, api: &Api, gate: &Value, code: &str) -> Response {
        self.scan_with(api, gate, &json!({"scans": [{ "code": code }]})).await
    }

    /// Returns the result of the scan of a code.
    pub async fn scanned(&self, api: &Api, gate: &Value, code: &str) -> String {
        self.scan(api, gate, code).await.expect(200, "0").data()[0]["result"].as_str().expect("result").to_owned()
    }

    /// Takes the admission of a seat back as a gate.
    pub async fn remove_admission(&self, api: &Api, gate: &Value, seat: usize) -> Response {
        self.post_at(api, gate, "admissions/removal", &json!({"seatId": self.seat(seat)})).await
    }

    /// Posts to a path below the show with the token of a gate.
    pub async fn post_at(&self, api: &Api, gate: &Value, path: &str, body: &Value) -> Response {
        let request = api.request(Method::POST, &self.path(path)).bearer_auth(gate["token"].as_str().expect("token"));
        Api::send(request.json(body)).await
    }

    /// Reads a gate and its show as this gate.
    pub async fn gate_of_show(&self, api: &Api, gate: &Value) -> Response {
        let [id, token] = ["id", "token"].map(|name| gate[name].as_str().expect("text"));
        Api::send(api.request(Method::GET, &self.path(&format!("gates/{id}"))).bearer_auth(token)).await
    }

    /// Removes a gate.
    pub async fn remove_gate(&self, api: &Api, id: &str) -> Response {
        Api::send(api.manager_request(Method::DELETE, &self.path(&format!("gates/{id}")))).await
    }

    /// Counts the admitted people.
    pub async fn admissions(&self, api: &Api) -> Response {
        api.get_as_manager(&self.path("admissions")).await
    }

    /// Reads which seats are free.
    pub async fn availability(&self, api: &Api) -> Response {
        api.get(&self.path("availability")).await
    }

    /// Returns the number of taken seats.
    pub async fn taken(&self, api: &Api) -> u64 {
        let areas = self.availability(api).await.expect(200, "0").data()["areas"].take();
        areas
            .as_array()
            .expect("areas")
            .iter()
            .map(|area| area["seats"].as_u64().unwrap_or(0) - area["free"].as_u64().unwrap_or(0))
            .sum()
    }

    /// Holds seats for a member.
    pub async fn hold(&self, api: &Api, tokens: &Value, seats: &[usize]) -> Response {
        self.hold_with(api, tokens, &self.seats(seats)).await
    }

    /// Holds seats with any body.
    pub async fn hold_with(&self, api: &Api, tokens: &Value, body: &Value) -> Response {
        api.send_as_member(Method::POST, &self.path("holds"), tokens, Some(body)).await
    }

    /// Holds seats with an idempotency key.
    pub async fn hold_with_key(&self, api: &Api, tokens: &Value, key: &str, body: &Value) -> Response {
        let request = api.request(Method::POST, &self.path("holds")).header("Idempotency-Key", key);
        let request = request.bearer_auth(tokens["accessToken"].as_str().expect("token"));
        Api::send(request.json(body)).await
    }

    /// Holds seats for a new member, and returns the tokens and the id of the hold.
    pub async fn held(&self, api: &Api, seats: &[usize]) -> (Value, String) {
        let (_, tokens) = api.joined_with_session().await;
        let hold = self.hold(api, &tokens, seats).await.expect(201, "0").id();
        (tokens, hold)
    }

    /// Reads a hold.
    pub async fn get(&self, api: &Api, tokens: &Value, hold: &str) -> Response {
        api.send_as_member(Method::GET, &self.path(&format!("holds/{hold}")), tokens, None).await
    }

    /// Releases a hold.
    pub async fn release(&self, api: &Api, tokens: &Value, hold: &str) -> Response {
        api.send_as_member(Method::DELETE, &self.path(&format!("holds/{hold}")), tokens, None).await
    }

    /// Confirms a hold for an order.
    pub async fn confirm(&self, api: &Api, hold: &str, order: &str, amount: f64) -> Response {
        let body = json!({"orderId": order, "amount": amount});
        api.post_as_manager(&self.path(&format!("holds/{hold}/confirmation")), &body).await
    }

    /// Cancels an order.
    pub async fn cancel(&self, api: &Api, hold: &str, order: &str) -> Response {
        api.post_as_manager(&self.path(&format!("holds/{hold}/cancellation")), &json!({"orderId": order})).await
    }

    /// Sells seats at the box office.
    pub async fn sell(&self, api: &Api, order: &str, seats: &[usize]) -> Response {
        let mut body = self.seats(seats);
        body["orderId"] = json!(order);
        self.sell_with(api, &body).await
    }

    /// Sells seats at the box office, with any body.
    pub async fn sell_with(&self, api: &Api, body: &Value) -> Response {
        api.post_as_manager(&self.path("sales"), body).await
    }

    /// Lists the sales, with these parameters.
    pub async fn sales(&self, api: &Api, parameters: &str) -> Response {
        api.get_as_manager(&self.path(&format!("sales{parameters}"))).await
    }

    /// Counts the seats by their state.
    pub async fn summary(&self, api: &Api) -> Response {
        api.get_as_manager(&self.path("summary")).await
    }

    /// Blocks seats.
    pub async fn block(&self, api: &Api, seats: &[usize]) -> Response {
        api.post_as_manager(&self.path("blocks"), &self.seats(seats)).await
    }

    /// Frees blocked seats.
    pub async fn unblock(&self, api: &Api, seats: &[usize]) -> Response {
        api.post_as_manager(&self.path("blocks/removal"), &self.seats(seats)).await
    }
}
