//! Catalogue of all Korean texts in responses.

use domain::{
    decimal::grouped,
    error::Error as DomainError,
    poster,
    violation::{DrawingError, Violation},
};
use seating::svg;

use crate::error::{Error, FormFault, Limit};

/// Message for a new member.
pub const JOINED: &str = "회원가입이 완료되었습니다.";
/// Message for a successful login.
pub const LOGGED_IN: &str = "로그인되었습니다.";
/// Message for a new event.
pub const EVENT_CREATED: &str = "공연이 등록되었습니다.";
/// Message for a list of events.
pub const EVENTS_LISTED: &str = "공연 목록을 조회했습니다.";
/// Message for a single event.
pub const EVENT_FOUND: &str = "공연을 조회했습니다.";
/// Message for a deleted event.
pub const EVENT_DELETED: &str = "공연이 삭제되었습니다.";

/// Returns the message for an error.
#[must_use]
pub fn message(error: &Error) -> String {
    match error {
        Error::Fields(_) => "입력한 정보가 모두 올바른지 확인해 주세요.".into(),
        Error::NotJson => "요청 본문은 UTF-8로 인코딩된 JSON 객체여야 합니다.".into(),
        Error::Parameters(_) => "요청 매개변수 또는 헤더 값이 올바르지 않습니다.".into(),
        Error::MediaType(expected) => format!("Content-Type은 {expected}만 지원합니다."),
        Error::TooLarge(Limit::Body(max)) => {
            format!("요청 본문은 {}바이트를 넘을 수 없습니다.", grouped(max))
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
        DomainError::TooManyFailedLogins(_) => "로그인 실패 횟수를 초과했습니다. 잠시 후 다시 시도해 주세요.".into(),
        DomainError::NotAuthenticated => "관리자 인증 토큰이 없거나 유효하지 않습니다.".into(),
        DomainError::PermissionDenied => "이 작업을 수행할 권한이 없습니다.".into(),
        DomainError::AlreadyRegistered => "제목과 장소가 같고 회차가 겹치는 공연이 이미 등록되어 있습니다.".into(),
        DomainError::NoSuchEvent => "해당 공연을 찾을 수 없습니다.".into(),
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
        Violation::NotAnObject => "중복된 이름이 없는 객체여야 합니다.".into(),
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
        Violation::TooManyDecimals(decimals) => format!("소수점 아래 {decimals}자리까지 입력할 수 있습니다."),
        Violation::InvalidTime => {
            "1970년부터 9999년까지의 시각을 유닉스 시간(초) 또는 시간대를 포함한 ISO 8601 형식으로 입력해 주세요."
                .into()
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
        Violation::InvalidIdempotencyKey(max) => {
            format!("공백 없이 1자 이상 {max}자 이하의 ASCII 문자로 입력해 주세요.")
        }
        Violation::InvalidCursor => "이 서비스가 발급한 커서가 아닙니다.".into(),
    }
}

fn form_message(fault: FormFault) -> String {
    match fault {
        FormFault::NoBoundary => "multipart 요청에 올바른 boundary가 없습니다.".into(),
        FormFault::Malformed => "multipart 본문이 잘렸거나 손상되었습니다.".into(),
        FormFault::TooManyParts(max) => format!("multipart 파트는 {max}개까지 보낼 수 있습니다."),
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
        poster::Rejection::Corrupt => "포스터 이미지가 잘렸거나 손상되었습니다.".into(),
    }
}

fn drawing_message(fault: &DrawingError) -> String {
    match fault {
        DrawingError::NotWellFormed { line } => format!("SVG의 {line}번째 줄이 올바른 XML이 아닙니다."),
        DrawingError::Root => "SVG의 최상위 요소는 <svg> 또는 <g> 하나여야 합니다.".into(),
        DrawingError::TooDeep => format!("SVG 요소는 {}단계까지 중첩할 수 있습니다.", svg::MAX_DEPTH),
        DrawingError::TooManyAttributes(element) => format!("SVG의 {element} 요소에 속성이 너무 많습니다."),
        DrawingError::Element(name) => format!("SVG에 {name} 요소를 사용할 수 없습니다."),
        DrawingError::Attribute(name) => format!("SVG에 {name} 속성을 사용할 수 없습니다."),
        DrawingError::Namespace(name) => format!("SVG에 {name} 네임스페이스를 사용할 수 없습니다."),
        DrawingError::Link(name) => format!("SVG의 {name} 속성은 안전한 내부 링크여야 합니다."),
        DrawingError::Value(name) => format!("SVG의 {name} 속성에 사용할 수 없는 값이 있습니다."),
        DrawingError::MarkupInText(name) => format!("SVG의 {name} 요소에는 텍스트만 넣을 수 있습니다."),
        DrawingError::Doctype => "SVG에 문서 형식 선언(DOCTYPE)을 사용할 수 없습니다.".into(),
        DrawingError::CData => "SVG에 CDATA를 사용할 수 없습니다.".into(),
        DrawingError::ProcessingInstruction => "SVG에 처리 명령을 사용할 수 없습니다.".into(),
        DrawingError::TooManyElements => {
            format!(
                "참조를 포함해 그려지는 SVG 요소는 모두 합쳐 {}개를 넘을 수 없습니다.",
                grouped(svg::MAX_DRAWN_ELEMENTS)
            )
        }
        DrawingError::Comment => "SVG 주석에 <, >, --를 사용할 수 없습니다.".into(),
        DrawingError::UnsafeUrl => "SVG 또는 공백 없는 http, https 주소나 경로를 입력해 주세요.".into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn drawing_message_names_fault() {
        let name = || "name".to_owned();
        for (fault, expected) in [
            (DrawingError::NotWellFormed { line: 17 }, "17번째 줄"),
            (DrawingError::Root, "<svg> 또는 <g>"),
            (DrawingError::TooDeep, "100단계"),
            (DrawingError::TooManyAttributes(name()), "name 요소에 속성"),
            (DrawingError::Element(name()), "name 요소"),
            (DrawingError::Attribute(name()), "name 속성"),
            (DrawingError::Namespace(name()), "name 네임스페이스"),
            (DrawingError::Link(name()), "name 속성은 안전한 내부 링크"),
            (DrawingError::Value(name()), "name 속성에 사용할 수 없는 값"),
            (DrawingError::MarkupInText(name()), "name 요소에는 텍스트만"),
            (DrawingError::Doctype, "문서 형식 선언"),
            (DrawingError::CData, "CDATA"),
            (DrawingError::ProcessingInstruction, "처리 명령"),
            (DrawingError::TooManyElements, "150,000개"),
        ] {
            let reason = reason(&Violation::UnsafeDrawing(fault.clone()));
            assert!(reason.contains("SVG") && reason.contains(expected), "{fault:?}: {reason}");
        }
    }
}
