//! Objects of requests and responses. A field of type `Option` may be missing; it is never null.

#![expect(dead_code, non_snake_case, reason = "describe JSON; no code makes such values")]

use serde_json::Value;
use utoipa::{OpenApi, ToSchema};

/// Objects that operations name.
#[derive(OpenApi)]
#[openapi(components(schemas(
    JoinRequest,
    LoginRequest,
    EditMemberRequest,
    WithdrawRequest,
    Member,
    Profile,
    ForgotRequest,
    ResetRequest,
    VerifyRequest,
    RefreshRequest,
    Tokens,
    NicknameRequest,
    ChangedNickname,
    KeySet,
    PublicKey,
    Configuration,
    CreateRequest,
    EditRequest,
    EditShowRequest,
    EventCancellation,
    CopyRequest,
    EventDetail,
    ManagedEvent,
    ManagedEventDetail,
    HoldRequest,
    BlockRequest,
    Confirmation,
    Cancellation,
    SaleRequest,
    Hold,
    OwnHold,
    Sale,
    SalesSummary,
    Blocked,
    Freed,
    Availability,
    ListedSeat,
)))]
pub struct Schemas;

/// Defines types that stand for the values in `document.json.jinja`.
macro_rules! values {
    ($($name:ident)+) => {
        $(
            #[derive(ToSchema)]
            pub struct $name(Value);
        )+
    };
}

values! {
    Adjacent GroupSize Address AgeRating Amount Bitmap HoldStatus NullableId OrderId PaidAmount Revenue SaleAmount SeatCount ReservationId RefreshToken MailToken TokenType Coordinate Drawing Email Genre Id Instant Label Line Name Notice NewPassword Nickname Nothing OptionalAddress
    OptionalAgeRating OptionalGenre OptionalNotice OptionalRunningMinutes Paragraph Password Position Price Prices Published RunningMinutes ShowStatus OffShowStatus Status
    Thumbnail Time
}

/// Body of a registration of a member.
#[derive(ToSchema)]
pub struct JoinRequest {
    email: Email,
    name: Name,
    nickname: Nickname,
    password: NewPassword,
}

/// Body of a login.
#[derive(ToSchema)]
pub struct LoginRequest {
    email: Email,
    password: Password,
}

/// Body of an edit of a member.
#[derive(ToSchema)]
pub struct EditMemberRequest {
    password: Password,
    name: Option<Name>,
    nickname: Option<Nickname>,
    newPassword: Option<NewPassword>,
}

/// Body of a withdrawal.
#[derive(ToSchema)]
pub struct WithdrawRequest {
    password: Password,
}

/// Member, as responses contain it.
#[derive(ToSchema)]
pub struct Member {
    id: Id,
    name: Name,
    nickname: Nickname,
    email: Email,
}

/// Member, as only the member sees it.
#[derive(ToSchema)]
pub struct Profile {
    id: Id,
    email: Email,
    /// True if the member followed a link in a mail to this address.
    emailVerified: bool,
    name: Name,
    nickname: Nickname,
}

/// Body of a request of a mail that resets the password.
#[derive(ToSchema)]
pub struct ForgotRequest {
    email: Email,
}

/// Body of a request to set a new password.
#[derive(ToSchema)]
pub struct ResetRequest {
    token: MailToken,
    newPassword: NewPassword,
}

/// Body of a request to verify the address.
#[derive(ToSchema)]
pub struct VerifyRequest {
    token: MailToken,
}

/// Body of a refresh or of a logout.
#[derive(ToSchema)]
pub struct RefreshRequest {
    refreshToken: RefreshToken,
}

/// Tokens of a session.
#[derive(ToSchema)]
pub struct Tokens {
    /// JWT (RFC 9068), which the routes of members and other services accept as `Authorization: Bearer`.
    accessToken: String,
    tokenType: TokenType,
    /// Seconds for which the access token is valid.
    expiresIn: u64,
    refreshToken: RefreshToken,
}

/// Body of a change of the nickname.
#[derive(ToSchema)]
pub struct NicknameRequest {
    nickname: Nickname,
}

/// Changed nickname.
#[derive(ToSchema)]
pub struct ChangedNickname {
    id: Id,
    nickname: Nickname,
}

/// Public keys (RFC 7517).
#[derive(ToSchema)]
pub struct KeySet {
    keys: Vec<PublicKey>,
}

/// Key for ES256.
#[derive(ToSchema)]
pub struct PublicKey {
    kty: String,
    crv: String,
    r#use: String,
    alg: String,
    /// Thumbprint of the key (RFC 7638).
    kid: String,
    x: String,
    y: String,
}

/// Metadata with which libraries verify access tokens (OpenID Connect Discovery 1.0).
#[derive(ToSchema)]
pub struct Configuration {
    /// Value of `iss` in access tokens.
    issuer: String,
    jwks_uri: String,
    response_types_supported: Vec<String>,
    subject_types_supported: Vec<String>,
    id_token_signing_alg_values_supported: Vec<String>,
}

/// Event to register, as a JSON object.
#[derive(ToSchema)]
pub struct CreateRequest {
    title: Line,
    description: Paragraph,
    place: Line,
    /// Performer. Not blank, no control characters.
    artist: Line,
    /// Time when the event opens. The service stores and returns it, and does not use it.
    eventOpenTime: Instant,
    ticketingOpenTime: Instant,
    totalMap: Drawing,
    areas: Vec<AreaRequest>,
    eventDatetimes: Vec<Instant>,
    genre: Option<OptionalGenre>,
    ageRating: Option<OptionalAgeRating>,
    runningMinutes: Option<OptionalRunningMinutes>,
    address: Option<OptionalAddress>,
    published: Option<Published>,
}

/// Area of an event to register.
#[derive(ToSchema)]
pub struct AreaRequest {
    label: Label,
    price: Price,
    areaMap: Drawing,
    seats: Vec<SeatRequest>,
}

/// Seat of an event to register.
#[derive(ToSchema)]
pub struct SeatRequest {
    cx: Coordinate,
    cy: Coordinate,
    row: Position,
    number: Position,
}

/// Fields of an event to change. `id`, `thumbnail`, `totalMap` and `areas` cannot be changed.
#[derive(ToSchema)]
pub struct EditRequest {
    title: Option<Line>,
    description: Option<Paragraph>,
    place: Option<Line>,
    artist: Option<Line>,
    eventOpenTime: Option<Instant>,
    ticketingOpenTime: Option<Instant>,
    eventDatetimes: Option<Vec<Instant>>,
    genre: Option<OptionalGenre>,
    ageRating: Option<OptionalAgeRating>,
    runningMinutes: Option<OptionalRunningMinutes>,
    address: Option<OptionalAddress>,
    published: Option<Published>,
}

/// Changes of a show.
#[derive(ToSchema)]
pub struct EditShowRequest {
    status: Option<ShowStatus>,
    datetime: Option<Instant>,
    notice: Option<OptionalNotice>,
}

/// Cancellation of the shows of an event.
#[derive(ToSchema)]
pub struct EventCancellation {
    notice: Option<OptionalNotice>,
}

/// New event with the hall and the poster of another one. Fields that are missing are those of the original.
#[derive(ToSchema)]
pub struct CopyRequest {
    eventOpenTime: Instant,
    ticketingOpenTime: Instant,
    eventDatetimes: Vec<Instant>,
    title: Option<Line>,
    description: Option<Paragraph>,
    place: Option<Line>,
    artist: Option<Line>,
    genre: Option<OptionalGenre>,
    ageRating: Option<OptionalAgeRating>,
    runningMinutes: Option<OptionalRunningMinutes>,
    address: Option<OptionalAddress>,
    published: Option<Published>,
    prices: Option<Prices>,
}

/// Event without its seats and drawings.
#[derive(ToSchema)]
pub struct EventSummary {
    id: Id,
    title: Line,
    description: Paragraph,
    place: Line,
    thumbnail: Thumbnail,
    artist: Line,
    eventDatetimes: Vec<Show>,
    eventOpenTime: Time,
    ticketingOpenTime: Time,
    genre: Option<Genre>,
    ageRating: Option<AgeRating>,
    runningMinutes: Option<RunningMinutes>,
    address: Option<Address>,
}

/// Show of an event.
#[derive(ToSchema)]
pub struct Show {
    id: Id,
    datetime: Time,
    status: Option<OffShowStatus>,
    notice: Option<Notice>,
}

/// Event with its seats and drawings.
#[derive(ToSchema)]
pub struct EventDetail {
    #[serde(flatten)]
    summary: EventSummary,
    totalMap: Drawing,
    areas: Vec<Area>,
}

/// Area of an event.
#[derive(ToSchema)]
pub struct Area {
    id: Id,
    eventId: Id,
    label: Label,
    price: Price,
    areaMap: Drawing,
    seats: Vec<Seat>,
}

/// Seat of an area.
#[derive(ToSchema)]
pub struct Seat {
    id: Id,
    areaId: Id,
    cx: Coordinate,
    cy: Coordinate,
    row: Position,
    number: Position,
}

/// Event of a manager, with its status.
#[derive(ToSchema)]
pub struct ManagedEvent {
    #[serde(flatten)]
    summary: EventSummary,
    status: Status,
    /// Time of the registration.
    registeredAt: Time,
    /// Only if the event is deleted: time from which it can no longer be restored.
    restorableUntil: Option<Time>,
}

/// Event of a manager with its seats and drawings, and its status.
#[derive(ToSchema)]
pub struct ManagedEventDetail {
    #[serde(flatten)]
    detail: EventDetail,
    status: Status,
    /// Time of the registration.
    registeredAt: Time,
    /// Only if the event is deleted: time from which it can no longer be restored.
    restorableUntil: Option<Time>,
}

/// Body of a request to hold seats: these seats, or the best ones of some areas.
#[derive(ToSchema)]
pub struct HoldRequest {
    seatIds: Option<Vec<Id>>,
    count: Option<GroupSize>,
    areaIds: Option<Vec<Id>>,
    adjacent: Option<Adjacent>,
}

/// Body of a request to block seats, or to free them.
#[derive(ToSchema)]
pub struct BlockRequest {
    seatIds: Vec<Id>,
}

/// Body of a request to sell seats at the box office.
#[derive(ToSchema)]
pub struct SaleRequest {
    orderId: OrderId,
    seatIds: Vec<Id>,
    amount: Option<SaleAmount>,
}

/// Body of a confirmation.
#[derive(ToSchema)]
pub struct Confirmation {
    orderId: OrderId,
    amount: PaidAmount,
}

/// Body of a cancellation.
#[derive(ToSchema)]
pub struct Cancellation {
    orderId: OrderId,
}

/// Seats of a show that a member holds, or an order has.
#[derive(ToSchema)]
pub struct Hold {
    id: Id,
    eventId: Id,
    /// Show: the `id` of an entry of `eventDatetimes`.
    eventDatetimeId: Id,
    status: HoldStatus,
    /// Time at which the hold expires, if nothing confirms it.
    expiresAt: Time,
    amount: Amount,
    /// Only once the hold was confirmed.
    orderId: Option<OrderId>,
    seats: Vec<HeldSeat>,
}

/// Hold of a member, with its show.
#[derive(ToSchema)]
pub struct OwnHold {
    id: Id,
    eventId: Id,
    /// Show: the `id` of an entry of `eventDatetimes`.
    eventDatetimeId: Id,
    eventTitle: Line,
    place: Line,
    thumbnail: Thumbnail,
    datetime: Time,
    showStatus: Option<OffShowStatus>,
    notice: Option<Notice>,
    status: HoldStatus,
    /// Time at which the hold expires, if nothing confirms it.
    expiresAt: Time,
    amount: Amount,
    /// Only once the hold was confirmed.
    orderId: Option<OrderId>,
    seats: Vec<HeldSeat>,
}

/// Sale: a confirmed hold, or one of the box office.
#[derive(ToSchema)]
pub struct Sale {
    /// The hold, which a cancellation names.
    id: Id,
    orderId: OrderId,
    memberId: NullableId,
    amount: Amount,
    seats: Vec<HeldSeat>,
}

/// Numbers of seats of a show by their state.
#[derive(ToSchema)]
pub struct SalesSummary {
    seats: SeatCount,
    free: SeatCount,
    held: SeatCount,
    sold: SeatCount,
    blocked: SeatCount,
    revenue: Revenue,
    areas: Vec<AreaSales>,
}

/// Numbers of seats of an area by their state.
#[derive(ToSchema)]
pub struct AreaSales {
    id: Id,
    label: Label,
    price: Price,
    seats: SeatCount,
    free: SeatCount,
    held: SeatCount,
    sold: SeatCount,
    blocked: SeatCount,
    revenue: Revenue,
}

/// Seat of a hold.
#[derive(ToSchema)]
pub struct HeldSeat {
    id: Id,
    areaId: Id,
    areaLabel: Label,
    price: Price,
    row: Position,
    number: Position,
}

/// Number of blocked seats.
#[derive(ToSchema)]
pub struct Blocked {
    /// Seats in the request.
    blocked: u32,
}

/// Number of freed seats.
#[derive(ToSchema)]
pub struct Freed {
    /// Seats that were blocked, and are free now.
    free: u32,
}

/// Seats of a show by area, in the order of the detail.
#[derive(ToSchema)]
pub struct Availability {
    areas: Vec<AreaAvailability>,
}

/// Free and taken seats of an area.
#[derive(ToSchema)]
pub struct AreaAvailability {
    id: Id,
    /// Number of seats.
    seats: u32,
    /// Number of free seats.
    free: u32,
    taken: Bitmap,
}

/// Seat of a show in the flat list.
#[derive(ToSchema)]
pub struct ListedSeat {
    id: Id,
    areaId: Id,
    areaLabel: Label,
    areaPrice: Price,
    cx: Coordinate,
    cy: Coordinate,
    row: Position,
    number: Position,
    reservationId: ReservationId,
    reserverId: Nothing,
    reserverName: Nothing,
    reserverEmail: Nothing,
}
