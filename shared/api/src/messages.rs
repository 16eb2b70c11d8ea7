//! Catalogue of all Korean texts in responses.

use std::time::Duration;

use domain::{
    decimal::grouped,
    error::Error as DomainError,
    poster,
    violation::{DrawingError, DrawingFault, DrawnElement, Position, Violation},
};
use seating::svg;

use crate::error::{Error, FormFault, JsonError, JsonFault, Limit};

/// Message for a new member.
pub const JOINED: &str = "회원가입이 완료되었습니다.";
/// Message for a successful login.
pub const LOGGED_IN: &str = "로그인되었습니다.";
/// Message for a continued session.
pub const REFRESHED: &str = "로그인 상태가 연장되었습니다.";
/// Message for an ended session.
pub const LOGGED_OUT: &str = "로그아웃되었습니다.";
/// Message for a request of a mail that resets the password; it does not say if a member has the address.
pub const RESET_REQUESTED: &str = "가입된 이메일이면 비밀번호 재설정 메일을 보냈습니다. 메일함을 확인해 주세요.";
/// Message for a new password by a mail.
pub const PASSWORD_RESET: &str = "비밀번호가 재설정되었습니다.";
/// Message for a request of a mail that verifies the address.
pub const VERIFICATION_REQUESTED: &str = "이메일 인증을 요청했습니다. 메일함을 확인해 주세요.";
/// Message for a verified address.
pub const EMAIL_VERIFIED: &str = "이메일이 인증되었습니다.";
/// Message for a single member.
pub const MEMBER_FOUND: &str = "회원 정보를 조회했습니다.";
/// Message for a changed member.
pub const MEMBER_EDITED: &str = "회원 정보가 변경되었습니다.";
/// Message for a member who withdrew.
pub const WITHDRAWN: &str = "회원 탈퇴가 완료되었습니다.";
/// Message for a new event.
pub const EVENT_CREATED: &str = "공연이 등록되었습니다.";
/// Message for a list of events.
pub const EVENTS_LISTED: &str = "공연 목록을 조회했습니다.";
/// Message for a single event.
pub const EVENT_FOUND: &str = "공연을 조회했습니다.";
/// Message for an event whose shows are cancelled.
pub const EVENT_CANCELLED: &str = "공연을 취소했습니다.";
/// Message for a changed show.
pub const SHOW_EDITED: &str = "회차 정보가 수정되었습니다.";
/// Message for an edited event.
pub const EVENT_EDITED: &str = "공연 정보가 수정되었습니다.";
/// Message for a deleted event.
pub const EVENT_DELETED: &str = "공연이 삭제되었습니다.";
/// Message for a restored event.
pub const EVENT_RESTORED: &str = "공연이 복구되었습니다.";

/// Message for the states of the seats of a show.
pub const SEATS_FOUND: &str = "좌석 현황을 조회했습니다.";
/// Message for new held seats.
pub const SEATS_HELD: &str = "좌석을 선점했습니다.";
/// Message for a single hold.
pub const HOLD_FOUND: &str = "좌석 선점을 조회했습니다.";
/// Message for a released hold.
pub const HOLD_RELEASED: &str = "좌석 선점을 해제했습니다.";
/// Message for a confirmed hold.
pub const HOLD_CONFIRMED: &str = "좌석 판매를 확정했습니다.";
/// Message for a cancelled order.
pub const ORDER_CANCELLED: &str = "좌석 판매를 취소했습니다.";
/// Message for the holds of a member.
pub const HOLDS_LISTED: &str = "예매 내역을 조회했습니다.";
/// Message for the numbers of seats of a show.
pub const SALES_COUNTED: &str = "판매 현황을 조회했습니다.";
/// Message for the sales of a show.
pub const SALES_LISTED: &str = "판매 내역을 조회했습니다.";
/// Message for seats that the box office sold.
pub const SEATS_SOLD: &str = "좌석을 판매했습니다.";
/// Message for blocked seats.
pub const SEATS_BLOCKED: &str = "좌석 판매를 막았습니다.";
/// Message for seats that are no longer blocked.
pub const SEATS_FREED: &str = "막아 둔 좌석의 판매를 다시 열었습니다.";

/// Message for fields that fail validation.
const INVALID_FIELDS: &str = "입력한 정보가 모두 올바른지 확인해 주세요.";
/// Message for seats that somebody else has.
const SEATS_TAKEN: &str = "예매할 수 없는 좌석이 있습니다. 다른 좌석을 선택해 주세요.";

/// Returns the message for an error.
#[must_use]
pub fn message(error: &Error) -> String {
    match error {
        Error::Fields(_) => INVALID_FIELDS.into(),
        Error::SeatsTaken(_) => SEATS_TAKEN.into(),
        Error::NotJson(fault) => json_message(fault),
        Error::Parameters(_) => "요청 매개변수 또는 헤더 값이 올바르지 않습니다.".into(),
        Error::MediaType(expected) => format!("Content-Type은 {expected}만 지원합니다."),
        Error::ContentEncoding => "Content-Encoding은 지원하지 않습니다. 본문을 압축하지 말고 보내 주세요.".into(),
        Error::TooLarge(Limit::Body(max)) => {
            format!("요청 본문은 {}바이트를 넘을 수 없습니다.", grouped(max))
        }
        Error::TooLarge(Limit::Inflated(max)) => {
            format!("request 파트는 압축을 푼 크기가 {}바이트를 넘을 수 없습니다.", grouped(max))
        }
        Error::TooLarge(Limit::UncompressedResponse(max)) => {
            format!("압축하지 않은 응답이 {}바이트를 넘습니다. Accept-Encoding: gzip 헤더를 보내 주세요.", grouped(max))
        }
        Error::TooLarge(Limit::Unpaged(max)) => {
            format!(
                "응답이 {}바이트를 넘습니다. Accept-Encoding: gzip 헤더를 보내거나, JSON으로 limit과 cursor를 사용해 나누어 \
                 조회해 주세요.",
                grouped(max)
            )
        }
        Error::TooLarge(Limit::Response(max)) => {
            format!("응답이 {}바이트를 넘어 요청을 처리할 수 없습니다. 좌석이나 도면을 줄여 주세요.", grouped(max))
        }
        Error::Form(fault) => form_message(*fault),
        Error::NoSuchRoute => "요청한 주소 또는 메서드를 찾을 수 없습니다.".into(),
        Error::NoManager => "x-api-managerId 헤더에 관리자 ID를 입력해 주세요.".into(),
        Error::Domain(error) => domain_message(error),
    }
}

fn domain_message(error: &DomainError) -> String {
    match error {
        DomainError::Poster(rejection) => poster_message(*rejection),
        DomainError::InProgress => {
            "같은 Idempotency-Key를 사용한 요청을 처리하고 있습니다. 잠시 후 다시 시도해 주세요.".into()
        }
        DomainError::KeyReused => "이미 다른 요청에 사용된 Idempotency-Key입니다.".into(),
        DomainError::EmailTaken => "이미 가입된 이메일입니다.".into(),
        DomainError::NicknameTaken => "이미 사용 중인 닉네임입니다.".into(),
        DomainError::WrongCredentials => "이메일 또는 비밀번호가 올바르지 않습니다.".into(),
        DomainError::TooManyFailedLogins(left) => {
            format!("로그인 시도가 너무 많습니다. {} 뒤에 다시 시도해 주세요.", minutes(*left))
        }
        DomainError::InvalidRefreshToken => "로그인이 만료되었습니다. 다시 로그인해 주세요.".into(),
        DomainError::NoAccessToken | DomainError::InvalidAccessToken => "로그인이 필요합니다.".into(),
        DomainError::InvalidMailToken => "사용할 수 없는 링크입니다. 메일을 다시 요청해 주세요.".into(),
        DomainError::TooManyMails(left) => {
            format!("메일을 너무 많이 요청했습니다. {} 뒤에 다시 시도해 주세요.", minutes(*left))
        }
        DomainError::EmailNotVerified => "이메일 인증이 필요합니다. 메일의 링크로 인증한 뒤 다시 시도해 주세요.".into(),
        DomainError::NoMail | DomainError::Mail(_) => {
            "지금은 메일을 보낼 수 없습니다. 잠시 후 다시 시도해 주세요.".into()
        }
        DomainError::NotTheMember => "다른 회원의 정보에는 접근할 수 없습니다.".into(),
        DomainError::NotAuthenticated => "관리자 인증 토큰이 없거나 유효하지 않습니다.".into(),
        DomainError::PermissionDenied => "이 작업을 수행할 권한이 없습니다.".into(),
        DomainError::AlreadyRegistered => "제목과 장소가 같고 회차가 겹치는 공연이 이미 등록되어 있습니다.".into(),
        DomainError::TooManyShows => {
            "같은 제목과 장소로 등록된 회차가 너무 많습니다. 제목이나 장소를 다르게 입력해 주세요.".into()
        }
        DomainError::PreconditionFailed => "공연 정보가 그사이 변경되었습니다. 다시 조회한 뒤 수정해 주세요.".into(),
        DomainError::NoSuchEvent => "해당 공연을 찾을 수 없습니다.".into(),
        DomainError::SeatsOfEventTaken => {
            "선점되거나 판매되었거나 판매를 막아 둔 좌석이 있어 공연을 삭제하거나 비공개로 돌리거나 회차를 뺄 수 없습니다."
                .into()
        }
        DomainError::NoSuchSeats(_)
        | DomainError::SeatsTooScattered
        | DomainError::ShowTimeTaken
        | DomainError::TooManyChanges
        | DomainError::NoticesTooLong
        | DomainError::UnknownAreas(_)
        | DomainError::NoSuchAreas(_) => INVALID_FIELDS.into(),
        DomainError::NoFreeGroup => {
            "선택한 구역에 조건에 맞는 빈 좌석이 없습니다. 구역이나 매수를 바꿔 다시 시도해 주세요.".into()
        }
        DomainError::SeatsTaken(_) => SEATS_TAKEN.into(),
        DomainError::TooManySeatsOfMember(max) => {
            format!("한 회차에 {}석까지만 예매할 수 있습니다.", grouped(max))
        }
        DomainError::TooManyHolds(left) => {
            format!("이 회차의 좌석을 너무 여러 번 선점했습니다. {} 뒤에 다시 시도해 주세요.", minutes(*left))
        }
        DomainError::NotOnSale => "지금은 예매할 수 없는 회차입니다. 예매 시작 일시와 공연 일시, 연기·취소 여부를 확인해 주세요.".into(),
        DomainError::HoldUnusable => "처리할 수 없는 선점입니다. 선점 상태와 주문 번호, 금액을 확인해 주세요.".into(),
        DomainError::NoSuchHold => "해당 좌석 선점을 찾을 수 없습니다.".into(),
        DomainError::Unexpected(_) => "서버 오류로 요청을 처리하지 못했습니다.".into(),
        DomainError::PosterExpired | DomainError::PosterStorage(_) => {
            "지금은 포스터 저장소를 사용할 수 없습니다. 잠시 후 다시 시도해 주세요.".into()
        }
        DomainError::Database(_) => "지금은 데이터베이스를 사용할 수 없습니다. 잠시 후 다시 시도해 주세요.".into(),
    }
}

/// Returns the reason why a field is invalid.
#[must_use]
pub fn reason(violation: &Violation) -> String {
    match violation {
        Violation::Required => "필수 입력값입니다.".into(),
        Violation::NotAString => "문자열이어야 합니다.".into(),
        Violation::NotANumber => "숫자여야 합니다.".into(),
        Violation::NotAnArray => "배열이어야 합니다.".into(),
        Violation::NotAnObject => "객체여야 합니다.".into(),
        Violation::DuplicateName(name) => format!("‘{name}’ 필드가 두 번 이상 있습니다."),
        Violation::TooLong(max) => format!("{}자 이하여야 합니다.", grouped(max)),
        Violation::LengthOutOfRange(range) => {
            format!("{}자 이상 {}자 이하여야 합니다.", grouped(range.start()), grouped(range.end()))
        }
        Violation::ControlCharacter => "제어 문자를 포함할 수 없습니다.".into(),
        Violation::CommonPassword => "너무 흔한 비밀번호입니다. 다른 비밀번호를 입력해 주세요.".into(),
        Violation::InvalidEmail => "올바른 이메일 형식이 아닙니다.".into(),
        // The interface specifies this text in English.
        Violation::InvalidLoginEmail => "must be a well-formed email address".into(),
        Violation::OutOfRange(range) => {
            format!("{} 이상 {} 이하여야 합니다.", grouped(range.start()), grouped(range.end()))
        }
        Violation::NotAnInteger => "정수여야 합니다.".into(),
        Violation::TooManyDecimals(decimals) => {
            format!("소수점 아래 {}자리까지 입력할 수 있습니다.", grouped(decimals))
        }
        Violation::InvalidTime => "시각은 유닉스 시간(초) 또는 시간대를 포함한 ISO 8601 형식으로 입력해 주세요.".into(),
        Violation::NoSuchTime => "존재하지 않는 날짜 또는 시각입니다.".into(),
        Violation::TimeOutOfRange => {
            "1970년부터 9999년까지의 시각이어야 합니다. 유닉스 시간은 밀리초가 아닌 초 단위로 입력해 주세요.".into()
        }
        Violation::TooMany(max) => format!("{}개까지 입력할 수 있습니다.", grouped(max)),
        Violation::TooManySeats(max) => {
            format!("좌석은 모든 구역을 합쳐 {}개까지 등록할 수 있습니다.", grouped(max))
        }
        Violation::Duplicate => "앞에 입력한 값과 중복됩니다.".into(),
        Violation::UnsafeDrawing(fault) => drawing_message(fault),
        Violation::DrawingsTooLarge(max) => {
            format!("도면은 모두 합쳐 {}바이트를 넘을 수 없습니다.", grouped(max))
        }
        Violation::InvalidOrderId(max) => {
            format!("주문 번호는 공백이 없는 영문, 숫자, 기호 {}자 이하여야 합니다.", grouped(max))
        }
        Violation::NoSuchSeat => "이 공연에 없는 좌석입니다.".into(),
        Violation::TooScattered => "좌석이 너무 흩어져 있습니다. 구역별로 나누어 요청해 주세요.".into(),
        Violation::SeatTaken => "선택할 수 없는 좌석입니다.".into(),
        Violation::OwnSeat => "이미 선점하거나 예매한 좌석입니다.".into(),
        Violation::SeatsAndAreas => "seatIds와 count, areaIds는 함께 보낼 수 없습니다.".into(),
        Violation::NoSuchArea => "이 공연에 없는 구역입니다.".into(),
        Violation::NoticesTooLong(max) => {
            format!("안내문은 모든 회차를 합쳐 {}자까지 입력할 수 있습니다.", grouped(max))
        }
        Violation::ShowTimeTaken => "이 공연의 다른 회차와 일시가 같습니다.".into(),
        Violation::TooManyChanges => {
            "수정 횟수가 한도에 이르러 새 회차를 추가할 수 없습니다. 공연을 복사해 새로 등록해 주세요.".into()
        }
        Violation::NotABoolean => "true 또는 false여야 합니다.".into(),
        Violation::InvalidIdempotencyKey(max) => {
            format!("공백 없이 1자 이상 {}자 이하의 ASCII 문자로 입력해 주세요.", grouped(max))
        }
        Violation::InvalidEntityTags => "큰따옴표로 묶은 ETag 값의 목록이나 *를 입력해 주세요.".into(),
        Violation::Unchangeable => "수정할 수 없는 항목입니다.".into(),
        Violation::NotOneOf(names) => format!("{} 중 하나여야 합니다.", names.join(", ")),
        Violation::NotBefore(parameter) => format!("{parameter}보다 이른 시각이어야 합니다."),
        Violation::InvalidCursor => "이 서비스가 같은 조건의 목록에서 발급한 커서가 아닙니다.".into(),
    }
}

fn json_message(JsonFault { position, error }: &JsonFault) -> String {
    let rule = match error {
        JsonError::Interrupted => "요청 본문이 끝까지 전송되지 않았거나 전송 중에 손상되었습니다.".into(),
        JsonError::Gzip => "gzip 압축을 풀 수 없습니다. 손상되지 않은 gzip 데이터를 하나만 보내 주세요.".into(),
        JsonError::Empty => "내용이 비어 있습니다. JSON 객체를 보내 주세요.".into(),
        JsonError::ByteOrderMark => "바이트 순서 표시(BOM)를 지워 주세요.".into(),
        JsonError::NotUtf8 => "UTF-8이 아닌 문자가 있습니다. JSON을 UTF-8로 인코딩해 주세요.".into(),
        JsonError::NotAnObject => "JSON은 ‘{’로 시작하는 객체여야 합니다.".into(),
        JsonError::Truncated => "JSON이 중간에 끝났습니다. 닫지 않은 괄호나 따옴표가 없는지 확인해 주세요.".into(),
        JsonError::Syntax => "JSON 문법에 맞지 않습니다. 쉼표, 따옴표, 괄호를 확인해 주세요.".into(),
        JsonError::LoneSurrogate => "짝이 없는 서로게이트 이스케이프가 있습니다.".into(),
        JsonError::DuplicateName(name) => format!("‘{name}’ 필드가 두 번 이상 있습니다."),
    };
    [position.map(place).unwrap_or_default(), rule].concat()
}

fn form_message(fault: FormFault) -> String {
    match fault {
        FormFault::NoBoundary => {
            "multipart 요청에 올바른 boundary가 없습니다. 특수 문자가 있는 boundary 값은 큰따옴표로 묶어 주세요.".into()
        }
        FormFault::Malformed => "multipart 본문이 잘렸거나 손상되었습니다.".into(),
        FormFault::TooManyParts(max) => format!("multipart 파트는 {}개까지 보낼 수 있습니다.", grouped(max)),
        FormFault::HeadersTooLarge(max) => {
            format!("multipart 파트의 헤더는 {}바이트를 넘을 수 없습니다.", grouped(max))
        }
        FormFault::Missing(name) => format!("multipart에 {name} 파트가 없습니다."),
        FormFault::Repeated(name) => format!("multipart에 {name} 파트가 두 개 이상 있습니다."),
    }
}

fn poster_message(rejection: poster::Rejection) -> String {
    match rejection {
        poster::Rejection::Empty => "포스터 파일이 비어 있습니다.".into(),
        poster::Rejection::TooLarge => {
            format!("포스터는 {}바이트를 넘을 수 없습니다.", grouped(poster::MAX_BYTES))
        }
        poster::Rejection::NotAnImage => "포스터는 JPEG, PNG, GIF, WebP 이미지여야 합니다.".into(),
        poster::Rejection::SideTooLong => {
            format!("포스터의 가로와 세로는 각각 {}픽셀을 넘을 수 없습니다.", grouped(poster::MAX_SIDE))
        }
        poster::Rejection::TooManyPixels => {
            format!("포스터는 전체 {}픽셀(가로 × 세로)을 넘을 수 없습니다.", grouped(poster::MAX_PIXELS))
        }
        poster::Rejection::Corrupt => "포스터 이미지가 잘렸거나 손상되었습니다.".into(),
    }
}

/// Writes a time in minutes, rounded up, or below a minute in seconds.
fn minutes(time: Duration) -> String {
    match time.as_secs() {
        seconds @ ..60 => format!("{seconds}초"),
        seconds => format!("{}분", seconds.div_ceil(60)),
    }
}

/// Returns the place of a fault, for the beginning of a message.
fn place(Position { line, column }: Position) -> String {
    format!("{}번째 줄 {}번째 글자: ", grouped(line), grouped(column))
}

/// Returns the place of a fault, the rule that the drawing breaks, and how to avoid the fault.
fn drawing_message(fault: &DrawingFault) -> String {
    let place = fault.position.map(place).unwrap_or_default();
    let hint = drawing_hint(&fault.error).map(|hint| format!(" {hint}"));
    [place, drawing_error_message(&fault.error), hint.unwrap_or_default()].concat()
}

fn drawing_error_message(error: &DrawingError) -> String {
    match error {
        DrawingError::NotWellFormed => {
            "XML 문법에 맞지 않습니다. 닫지 않은 태그나 잘못된 문자가 없는지 확인해 주세요.".into()
        }
        DrawingError::Entity(name) => format!("‘&{name}’ 참조를 해석할 수 없습니다."),
        DrawingError::Root => "최상위에는 <svg> 또는 <g> 요소 하나만 있어야 합니다.".into(),
        DrawingError::TooDeep => format!("요소는 {}단계까지 중첩할 수 있습니다.", grouped(svg::MAX_DEPTH)),
        DrawingError::TooManyAttributes(element) => format!("{element} 요소의 속성이 너무 많습니다."),
        DrawingError::DuplicateAttribute(name) => format!("{name} 속성이 한 요소에 두 번 이상 있습니다."),
        DrawingError::Element(name) if name == "style" => "style 요소는 <svg> 안에서만 사용할 수 있습니다.".into(),
        DrawingError::Element(name) => format!("{name} 요소는 사용할 수 없습니다."),
        DrawingError::Attribute(name) => format!("{name} 속성은 사용할 수 없습니다."),
        DrawingError::UndeclaredPrefix(name) => format!("{name}의 접두사가 xmlns로 선언되지 않았습니다."),
        DrawingError::Namespace(name) => format!("{name} 네임스페이스 선언은 사용할 수 없습니다."),
        DrawingError::Link(link) => format!("‘{link}’ 링크는 사용할 수 없습니다."),
        DrawingError::PercentEncodedId(link) => {
            format!("‘{link}’ 링크의 id에는 퍼센트 인코딩을 사용할 수 없습니다.")
        }
        DrawingError::ImageFormat => "도면에 포함한 이미지는 PNG, JPEG, GIF, WebP 형식이어야 합니다.".into(),
        DrawingError::ImageTooLarge(max) => {
            format!("도면에 포함한 이미지의 가로와 세로는 각각 {}픽셀을 넘을 수 없습니다.", grouped(max))
        }
        DrawingError::TooManyPixels(max) => {
            format!("도면 하나에 포함한 이미지는 모두 합쳐 {}픽셀을 넘을 수 없습니다.", grouped(max))
        }
        DrawingError::Value { attribute, part } => {
            format!("{attribute} 속성 값의 ‘{part}’ 부분은 사용할 수 없습니다.")
        }
        DrawingError::StyleSheet(part) => format!("style 요소의 ‘{part}’ 부분은 사용할 수 없습니다."),
        DrawingError::MarkupInText(element) => format!("{element} 요소에는 텍스트만 넣을 수 있습니다."),
        DrawingError::Doctype => {
            "문서 형식 선언(DOCTYPE)은 SVG 형식으로 최상위 요소 앞에 한 번만 쓸 수 있습니다.".into()
        }
        DrawingError::InternalSubset => "문서 형식 선언(DOCTYPE)에는 [ ]로 묶은 내부 선언을 넣을 수 없습니다.".into(),
        DrawingError::CData => "CDATA는 style 요소 안에서만 사용할 수 있습니다.".into(),
        DrawingError::ProcessingInstruction => {
            "처리 명령은 사용할 수 없습니다. XML 선언은 도면의 맨 앞에만 쓸 수 있습니다.".into()
        }
        DrawingError::Comment(part) if part == "-" => "주석은 ‘-’로 끝날 수 없습니다.".into(),
        DrawingError::Comment(part) => format!("주석의 ‘{part}’ 부분은 사용할 수 없습니다."),
        DrawingError::CircularReference => "참조가 순환해 요소가 자기 자신을 다시 그립니다.".into(),
        DrawingError::TooManyElements { total, most } => {
            let most: Vec<_> = most.iter().map(drawn_element).collect();
            format!(
                "도면에 그려지는 요소는 모두 합쳐 {}개까지인데, 이 도면까지 {}개입니다. 가장 많이 그리는 요소: {}.",
                grouped(svg::MAX_DRAWN_ELEMENTS),
                grouped(total),
                most.join(", ")
            )
        }
        DrawingError::UnsafeUrl => "SVG 또는 공백 없는 http, https 주소나 경로를 입력해 주세요.".into(),
    }
}

fn drawn_element(DrawnElement { name, line, count }: &DrawnElement) -> String {
    format!("{}번째 줄 {name}({}개)", grouped(line), grouped(count))
}

/// Returns how to avoid a fault in the drawing tool, with the labels of its Korean version.
fn drawing_hint(error: &DrawingError) -> Option<&'static str> {
    const NO_FILTER: &str = "필터와 그림자를 없애거나 비트맵 이미지로 바꾼 뒤 다시 내보내 주세요.";
    const NO_HTML: &str = "draw.io에서는 모든 레이블의 ‘서식이 적용된 텍스트(Formatted Text)’를, Illustrator에서는 \
                           ‘Illustrator 편집 기능 유지’를 끄고, Figma에서는 배경 흐림 효과를 없애 주세요.";
    const NO_EDITING: &str = "Illustrator에서는 ‘Illustrator 편집 기능 유지’를 끄고 저장해 주세요.";
    const NO_FONT: &str =
        "글꼴을 포함하지 말고 글자를 윤곽선으로 바꿔 주세요(Illustrator의 글꼴 옵션: ‘윤곽선으로 변환’).";
    const NO_RULES: &str = "스타일을 속성으로 내보내 주세요(Illustrator의 CSS 속성 옵션: ‘프레젠테이션 속성’).";
    const NO_SCRIPT: &str = "스크립트와 애니메이션 없이 다시 내보내 주세요.";
    const NO_PREFIX: &str = "Inkscape에서는 ‘일반 SVG(Plain SVG)’로 저장해 주세요.";
    const PLAIN_ID: &str = "레이어와 객체의 이름을 영문자와 숫자로 바꾼 뒤 다시 내보내 주세요.";
    const SMALLER_IMAGE: &str = "이미지의 해상도를 낮춰 주세요.";
    let hint = match error {
        DrawingError::Element(name) => match name.as_str() {
            "a" => "객체에 걸린 링크와 툴팁을 지운 뒤 다시 내보내 주세요.",
            "foreignObject" | "switch" => NO_HTML,
            "script" | "set" => NO_SCRIPT,
            "font" | "glyph" | "missing-glyph" | "hkern" | "vkern" => NO_FONT,
            "flowRoot" | "flowRegion" | "flowPara" => {
                "Inkscape에서는 ‘텍스트로 전환시키기(Convert to Text)’를 실행한 뒤 저장해 주세요."
            }
            _ if name == "filter" || name.starts_with("fe") => NO_FILTER,
            _ if name.starts_with("font-face") => NO_FONT,
            _ if name.starts_with("animate") => NO_SCRIPT,
            _ if is_inkscape(name) => NO_PREFIX,
            _ => return None,
        },
        DrawingError::Attribute(name) if name == "content" => {
            "draw.io에서는 ‘내 다이어그램 복사본 포함(Include a copy of my diagram)’을 끄고 내보내 주세요."
        }
        DrawingError::Attribute(name) if name.starts_with("on") => NO_SCRIPT,
        DrawingError::Attribute(name) if is_inkscape(name) => NO_PREFIX,
        DrawingError::UndeclaredPrefix(name) if is_inkscape(name) => NO_PREFIX,
        DrawingError::UndeclaredPrefix(name) if name.starts_with("i:") => NO_EDITING,
        DrawingError::UndeclaredPrefix(_) => "<svg> 태그의 xmlns 선언까지 모두 올려 주세요.",
        DrawingError::InternalSubset => NO_EDITING,
        DrawingError::Entity(name) if name.starts_with("ns_") => NO_EDITING,
        DrawingError::Entity(_) => "& 문자는 &amp;로 입력해 주세요.",
        DrawingError::StyleSheet(part) if part.starts_with("@font-face") || part.starts_with("src") => NO_FONT,
        DrawingError::StyleSheet(_) => NO_RULES,
        DrawingError::Link(_) => {
            "외부 파일 대신 도면 안의 #id 또는 도면에 포함한 PNG, JPEG, GIF, WebP 이미지를 사용해 주세요."
        }
        DrawingError::PercentEncodedId(_) => PLAIN_ID,
        DrawingError::Value { part, .. } if part.starts_with("url(#") && part.contains('%') => PLAIN_ID,
        DrawingError::Value { part, .. } if part.starts_with("url(") => "url()에는 도면 안의 #id만 쓸 수 있습니다.",
        DrawingError::Value { part, .. } if is_filter(part) => NO_FILTER,
        DrawingError::Value { part, .. } if part == "stroke-dasharray" => {
            "점선의 길이와 간격은 숫자 32개까지 쓸 수 있습니다."
        }
        DrawingError::Value { part, .. } if part.starts_with("--") || part == "var(" => {
            "CSS 변수 대신 색이나 숫자를 직접 써 주세요."
        }
        DrawingError::ImageTooLarge(_) | DrawingError::TooManyPixels(_) => SMALLER_IMAGE,
        DrawingError::TooDeep => "필요 없는 그룹을 해제해 주세요.",
        DrawingError::Comment(_) => "주석을 지워 주세요.",
        DrawingError::CircularReference => "use, 패턴, 마스크가 자신을 포함한 요소를 참조하지 않게 해 주세요.",
        DrawingError::TooManyElements { .. } => "복제한 객체와 패턴의 반복을 줄이거나 경로를 단순하게 만들어 주세요.",
        _ => return None,
    };
    Some(hint)
}

fn is_inkscape(name: &str) -> bool {
    name.starts_with("inkscape:") || name.starts_with("sodipodi:")
}

/// Returns true for the beginning of a CSS filter function.
fn is_filter(part: &str) -> bool {
    let Some(name) = part.strip_suffix('(') else { return false };
    matches!(name, "blur" | "brightness" | "contrast" | "drop-shadow" | "grayscale")
        || matches!(name, "hue-rotate" | "invert" | "opacity" | "saturate" | "sepia")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn drawing_reason(position: Option<Position>, error: DrawingError) -> String {
        reason(&Violation::UnsafeDrawing(DrawingFault { position, error }))
    }

    #[test]
    fn message_starts_with_place() {
        let position = Some(Position { line: 2, column: 1_500 });
        let fault = JsonFault { position, error: JsonError::Syntax };
        insta::assert_snapshot!(message(&Error::NotJson(fault)), @"2번째 줄 1,500번째 글자: JSON 문법에 맞지 않습니다. 쉼표, 따옴표, 괄호를 확인해 주세요.");
        insta::assert_snapshot!(message(&Error::not_json(JsonError::Empty)), @"내용이 비어 있습니다. JSON 객체를 보내 주세요.");
        insta::assert_snapshot!(drawing_reason(position, DrawingError::Comment("-".into())), @"2번째 줄 1,500번째 글자: 주석은 ‘-’로 끝날 수 없습니다. 주석을 지워 주세요.");
        insta::assert_snapshot!(drawing_reason(None, DrawingError::Comment("->".into())), @"주석의 ‘->’ 부분은 사용할 수 없습니다. 주석을 지워 주세요.");
        insta::assert_snapshot!(drawing_reason(None, DrawingError::Element("style".into())), @"style 요소는 <svg> 안에서만 사용할 수 있습니다.");
    }

    #[test]
    fn drawing_message_names_elements_that_draw_most() {
        let most = vec![
            DrawnElement { name: "use", line: 1_200, count: 1_000_000 },
            DrawnElement { name: "g", line: 7, count: 3 },
        ];
        insta::assert_snapshot!(drawing_reason(None, DrawingError::TooManyElements { total: 1_000_003, most }), @"도면에 그려지는 요소는 모두 합쳐 150,000개까지인데, 이 도면까지 1,000,003개입니다. 가장 많이 그리는 요소: 1,200번째 줄 use(1,000,000개), 7번째 줄 g(3개). 복제한 객체와 패턴의 반복을 줄이거나 경로를 단순하게 만들어 주세요.");
    }

    #[test]
    fn drawing_message_ends_with_hint() {
        let element = |name: &str| DrawingError::Element(name.into());
        let attribute = |name: &str| DrawingError::Attribute(name.into());
        let entity = |name: &str| DrawingError::Entity(name.into());
        let prefixed = |name: &str| DrawingError::UndeclaredPrefix(name.into());
        let style_sheet = |part: &str| DrawingError::StyleSheet(part.into());
        let value = |part: &str| DrawingError::Value { attribute: "fill".into(), part: part.into() };
        for (hint, errors) in [
            ("필터와 그림자", vec![element("filter"), element("feBlend"), value("blur("), value("drop-shadow(")]),
            ("서식이 적용된 텍스트", vec![element("foreignObject"), element("switch")]),
            ("다이어그램 복사본", vec![attribute("content")]),
            ("윤곽선으로 변환", vec![element("font"), element("font-face-src"), style_sheet("@font-face")]),
            ("프레젠테이션 속성", vec![style_sheet("*"), style_sheet(".st0:hover")]),
            ("Illustrator 편집 기능 유지", vec![DrawingError::InternalSubset, entity("ns_ai"), prefixed("i:layer")]),
            ("&amp;로", vec![entity("eacute")]),
            ("일반 SVG(Plain SVG)", vec![prefixed("inkscape:label"), attribute("sodipodi:role")]),
            ("xmlns 선언까지", vec![prefixed("a:b")]),
            ("스크립트와 애니메이션", vec![element("script"), element("animateMotion"), attribute("onclick")]),
            ("링크와 툴팁", vec![element("a")]),
            ("#id 또는", vec![DrawingError::Link("a.png".into())]),
            ("영문자와 숫자", vec![DrawingError::PercentEncodedId("#%20".into()), value("url(#%20)")]),
            ("도면 안의 #id만", vec![value("url(a.svg#b)")]),
            ("숫자 32개", vec![value("stroke-dasharray")]),
            ("CSS 변수", vec![value("--a"), value("var(")]),
            ("해상도", vec![DrawingError::ImageTooLarge(1), DrawingError::TooManyPixels(1)]),
        ] {
            for error in errors {
                let reason = drawing_reason(None, error.clone());
                assert!(reason.contains(hint), "{error:?}: {reason}");
            }
        }
        for error in [element("iframe"), attribute("href2"), value("position"), DrawingError::CData] {
            assert_eq!(drawing_hint(&error), None, "{error:?}");
        }
    }
}
