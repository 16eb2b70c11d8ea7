//! Catalogue of all Korean texts in responses.

mod drawings;

use std::time::Duration;

use domain::{
    decimal::grouped,
    error::Error as DomainError,
    gate::MAX_GATES,
    poster,
    violation::{Position, Violation},
};

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

/// Message for the areas of an event.
pub const AREAS_LISTED: &str = "구역 목록을 조회했습니다.";
/// Message for the blocked seats of a show.
pub const BLOCKS_LISTED: &str = "막아 둔 좌석을 조회했습니다.";
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

/// Message for a message to buyers, which is sent later.
pub const NOTICE_ACCEPTED: &str = "예매자에게 안내 메일을 보내기 시작했습니다.";
/// Message for the notices to buyers of a show.
pub const NOTICES_LISTED: &str = "예매자 안내 내역을 조회했습니다.";

/// Message for the tickets of a hold or of a sale.
pub const TICKETS_LISTED: &str = "티켓을 조회했습니다.";
/// Message for a new gate.
pub const GATE_CREATED: &str = "게이트를 만들었습니다.";
/// Message for the gates of a show.
pub const GATES_LISTED: &str = "게이트 목록을 조회했습니다.";
/// Message for a gate with its show.
pub const GATE_FOUND: &str = "게이트를 조회했습니다.";
/// Message for a removed gate.
pub const GATE_REMOVED: &str = "게이트를 삭제했습니다.";
/// Message for decided scans.
pub const SCANS_DECIDED: &str = "입장을 확인했습니다.";
/// Message for an admission that was taken back.
pub const ADMISSION_REMOVED: &str = "입장을 취소했습니다.";
/// Message for the numbers of admitted people.
pub const ADMISSIONS_COUNTED: &str = "입장 현황을 조회했습니다.";

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
        DomainError::TooManyNotices(left) => {
            format!("예매자 안내를 너무 많이 보냈습니다. {} 뒤에 다시 시도해 주세요.", minutes(*left))
        }
        DomainError::EmailNotVerified => "이메일 인증이 필요합니다. 메일의 링크로 인증한 뒤 다시 시도해 주세요.".into(),
        DomainError::NoMail => "이 서비스에서는 메일을 보내지 않습니다.".into(),
        DomainError::Mail(_) => "지금은 메일을 보낼 수 없습니다. 잠시 후 다시 시도해 주세요.".into(),
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
        | DomainError::CompanionAlone(_)
        | DomainError::SeatsTooScattered
        | DomainError::TooManyLabels(_)
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
        DomainError::NotOnSale => "지금은 예매할 수 없는 회차입니다. 예매 시작·마감 일시와 공연 일시, 연기·취소 여부를 확인해 주세요.".into(),
        DomainError::HoldUnusable => "처리할 수 없는 선점입니다. 선점 상태와 주문 번호, 금액을 확인해 주세요.".into(),
        DomainError::InvalidGateToken => "사용할 수 없는 게이트입니다. 관리자에게 새 게이트를 요청해 주세요.".into(),
        DomainError::TooManyGates => {
            format!("게이트는 한 회차에 {}개까지 만들 수 있습니다. 쓰지 않는 게이트를 삭제해 주세요.", grouped(MAX_GATES))
        }
        DomainError::NoSuchGate => "해당 게이트를 찾을 수 없습니다.".into(),
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
        Violation::UnsafeDrawing(fault) => drawings::message(fault),
        Violation::DrawingsTooLarge(max) => {
            format!("도면은 모두 합쳐 {}바이트를 넘을 수 없습니다.", grouped(max))
        }
        Violation::InvalidOrderId(max) => {
            format!("주문 번호는 공백이 없는 영문, 숫자, 기호 {}자 이하여야 합니다.", grouped(max))
        }
        Violation::InvalidScanId(max) => {
            format!("스캔 ID는 공백이 없는 영문, 숫자, 기호 {}자 이하여야 합니다.", grouped(max))
        }
        Violation::NoSuchSeat => "이 공연에 없는 좌석입니다.".into(),
        Violation::TooScattered => "좌석이 너무 흩어져 있습니다. 구역별로 나누어 요청해 주세요.".into(),
        Violation::SeatTaken => "선택할 수 없는 좌석입니다.".into(),
        Violation::OwnSeat => "이미 선점하거나 예매한 좌석입니다.".into(),
        Violation::SeatsAndAreas => "seatIds와 count, areaIds는 함께 보낼 수 없습니다.".into(),
        Violation::CompanionsOnly => "COMPANION은 WHEELCHAIR와 함께 보내야 합니다.".into(),
        Violation::CompanionAlone => "동반석은 같은 구역의 휠체어석과 함께 선택해 주세요.".into(),
        Violation::SeatsAndLabel => "seatIds와 label은 함께 보낼 수 없습니다.".into(),
        Violation::TooManyLabels(max) => {
            format!("한 회차에서 막아 둔 좌석의 이름은 {}개까지 쓸 수 있습니다.", grouped(max))
        }
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

/// Writes a time in minutes, rounded up; below a minute in seconds, and from two hours in hours.
fn minutes(time: Duration) -> String {
    match time.as_secs() {
        seconds @ ..60 => format!("{seconds}초"),
        seconds @ 7_200.. => format!("{}시간", seconds.div_ceil(3_600)),
        seconds => format!("{}분", seconds.div_ceil(60)),
    }
}

/// Returns the place of a fault, for the beginning of a message.
fn place(Position { line, column }: Position) -> String {
    format!("{}번째 줄 {}번째 글자: ", grouped(line), grouped(column))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn message_starts_with_place() {
        let position = Some(Position { line: 2, column: 1_500 });
        let fault = JsonFault { position, error: JsonError::Syntax };
        insta::assert_snapshot!(message(&Error::NotJson(fault)), @"2번째 줄 1,500번째 글자: JSON 문법에 맞지 않습니다. 쉼표, 따옴표, 괄호를 확인해 주세요.");
        insta::assert_snapshot!(message(&Error::not_json(JsonError::Empty)), @"내용이 비어 있습니다. JSON 객체를 보내 주세요.");
    }
}
