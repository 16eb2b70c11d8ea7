//! The one catalogue of what callers read, in Korean.

use domain::{
    decimal::grouped,
    error::Error as DomainError,
    poster,
    violation::{DrawingError, Violation},
};
use seating::svg;

use crate::error::{Error, FormFault, Limit};

/// A member was registered.
pub const JOINED: &str = "회원 가입이 완료되었습니다.";
/// A member logged in.
pub const LOGGED_IN: &str = "로그인되었습니다.";
/// An event was registered.
pub const EVENT_CREATED: &str = "공연이 등록되었습니다.";
/// Events are listed.
pub const EVENTS_LISTED: &str = "공연 목록을 조회했습니다.";
/// An event is shown.
pub const EVENT_FOUND: &str = "공연을 조회했습니다.";
/// An event was deleted.
pub const EVENT_DELETED: &str = "공연이 삭제되었습니다.";

/// What the caller reads of an error.
#[must_use]
pub fn message(error: &Error) -> String {
    match error {
        Error::Fields(_) => "요청하신 정보가 모두 올바르게 입력되었는지 확인해 주세요.".into(),
        Error::NotJson => "요청 본문은 UTF-8로 작성된 JSON 객체여야 합니다.".into(),
        Error::Parameters(_) => "요청 매개변수나 헤더의 값을 사용할 수 없습니다.".into(),
        Error::MediaType(expected) => format!("요청의 Content-Type은 {expected}이어야 합니다."),
        Error::TooLarge(Limit::Body(max)) => {
            format!("요청 본문은 {}바이트를 넘을 수 없습니다.", grouped(max))
        }
        Error::TooLarge(Limit::Response(max)) => {
            format!(
                "응답이 {}바이트를 넘게 되어 등록하지 않았습니다. 좌석이나 도면을 줄여 주세요.",
                grouped(max)
            )
        }
        Error::Form(fault) => form(*fault),
        Error::NoSuchRoute => "요청하신 주소나 메서드를 찾을 수 없습니다.".into(),
        Error::NoManager => "x-api-managerId 헤더에 관리자 식별자를 넣어 주세요.".into(),
        Error::Domain(error) => domain_message(error),
    }
}

fn domain_message(error: &DomainError) -> String {
    match error {
        DomainError::Poster(refusal) => poster(*refusal),
        DomainError::InProgress => {
            "같은 Idempotency-Key의 요청을 처리하고 있습니다. 잠시 후 다시 시도해 주세요.".into()
        }
        DomainError::KeyReused => "이 Idempotency-Key는 다른 내용의 요청에 이미 사용되었습니다.".into(),
        DomainError::EmailTaken => "이미 가입된 이메일입니다.".into(),
        DomainError::NicknameTaken => "이미 사용 중인 닉네임입니다.".into(),
        DomainError::WrongCredentials => "이메일 또는 비밀번호가 올바르지 않습니다.".into(),
        DomainError::TooManyFailedLogins(_) => {
            "로그인에 너무 많이 실패했습니다. 잠시 후 다시 시도해 주세요.".into()
        }
        DomainError::NotAuthenticated => "관리자 인증 토큰이 없거나 유효하지 않습니다.".into(),
        DomainError::PermissionDenied => "이 작업을 수행할 권한이 없습니다.".into(),
        DomainError::AlreadyRegistered => {
            "같은 제목과 장소, 같은 일시의 공연이 이미 등록되어 있습니다.".into()
        }
        DomainError::NoSuchEvent => "해당 공연을 찾을 수 없습니다.".into(),
        DomainError::Unexpected(_) => "서버에서 요청을 처리하지 못했습니다.".into(),
        DomainError::PosterExpired | DomainError::PosterStorage(_) => {
            "포스터 저장소를 잠시 사용할 수 없습니다. 잠시 후 다시 시도해 주세요.".into()
        }
        DomainError::Database(_) => {
            "데이터베이스를 잠시 사용할 수 없습니다. 잠시 후 다시 시도해 주세요.".into()
        }
    }
}

/// Why a field fails validation.
#[must_use]
pub fn reason(violation: &Violation) -> String {
    match violation {
        Violation::Required => "필수 입력 값입니다.".into(),
        Violation::NotAString => "문자열이어야 합니다.".into(),
        Violation::NotANumber => "숫자여야 합니다.".into(),
        Violation::NotAnArray => "배열이어야 합니다.".into(),
        Violation::NotAnObject => "이름이 겹치지 않는 객체여야 합니다.".into(),
        Violation::TooLong(max) => format!("{}자 이하여야 합니다.", grouped(max)),
        Violation::LengthOutOfRange(range) => {
            format!("{}자 이상 {}자 이하여야 합니다.", range.start(), range.end())
        }
        Violation::ControlCharacter => "제어 문자를 포함할 수 없습니다.".into(),
        Violation::CommonPassword => "너무 흔히 쓰이는 비밀번호입니다. 다른 비밀번호를 입력해 주세요.".into(),
        Violation::InvalidEmail => "올바른 이메일 형식이 아닙니다.".into(),
        Violation::InvalidLoginEmail => "must be a well-formed email address".into(),
        Violation::OutOfRange(range) => format!("{} 이상 {} 이하여야 합니다.", range.start(), range.end()),
        Violation::NotAnInteger => "정수여야 합니다.".into(),
        Violation::TooManyDecimals(decimals) => format!("소수점 아래 {decimals}자리까지 입력할 수 있습니다."),
        Violation::InvalidTime => {
            "1970년부터 9999년까지의 에포크 초 또는 시간대가 있는 ISO 8601 시각이어야 합니다.".into()
        }
        Violation::TooMany(max) => format!("{}개까지 입력할 수 있습니다.", grouped(max)),
        Violation::TooManySeats(max) => {
            format!("좌석은 모두 합해 {}개까지 등록할 수 있습니다.", grouped(max))
        }
        Violation::Duplicate => "앞의 값과 중복됩니다.".into(),
        Violation::UnsafeDrawing(fault) => drawing(fault),
        Violation::DrawingsTooLarge(max) => {
            format!("도면은 모두 합해 {}바이트를 넘을 수 없습니다.", grouped(max))
        }
        Violation::InvalidIdempotencyKey(max) => {
            format!("1자 이상 {max}자 이하의 ASCII 문자여야 하며 공백은 쓸 수 없습니다.")
        }
        Violation::InvalidCursor => "이 서비스가 발급한 커서가 아닙니다.".into(),
    }
}

fn form(fault: FormFault) -> String {
    match fault {
        FormFault::NoBoundary => "multipart 요청에 boundary가 없습니다.".into(),
        FormFault::Malformed => "multipart 본문을 끝까지 읽을 수 없습니다.".into(),
        FormFault::TooManyParts(max) => format!("multipart 파트는 {max}개까지 보낼 수 있습니다."),
        FormFault::HeadersTooLarge(max) => {
            format!("multipart 파트의 헤더는 {}바이트를 넘을 수 없습니다.", grouped(max))
        }
        FormFault::Missing(name) => format!("multipart 파트 {name}이(가) 없습니다."),
        FormFault::Repeated(name) => format!("multipart 파트 {name}이(가) 두 번 이상 있습니다."),
    }
}

fn poster(refusal: poster::Rejection) -> String {
    match refusal {
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

fn drawing(fault: &DrawingError) -> String {
    match fault {
        DrawingError::NotWellFormed { line } => format!("SVG의 {line}번째 줄이 올바른 XML이 아닙니다."),
        DrawingError::Root => "SVG의 최상위 요소는 하나의 <svg> 또는 <g>여야 합니다.".into(),
        DrawingError::TooDeep => format!("SVG 요소는 {}단계까지 중첩할 수 있습니다.", svg::MAX_DEPTH),
        DrawingError::TooManyAttributes(element) => format!("SVG의 {element} 요소에 속성이 너무 많습니다."),
        DrawingError::Element(name) => format!("SVG에 {name} 요소를 사용할 수 없습니다."),
        DrawingError::Attribute(name) => format!("SVG에 {name} 속성을 사용할 수 없습니다."),
        DrawingError::Namespace(name) => format!("SVG의 {name} 이름공간을 사용할 수 없습니다."),
        DrawingError::Link(name) => format!("SVG의 {name} 속성은 안전한 내부 링크여야 합니다."),
        DrawingError::Value(name) => format!("SVG의 {name} 속성에 사용할 수 없는 값이 있습니다."),
        DrawingError::MarkupInText(name) => format!("SVG의 {name} 요소에는 텍스트만 넣을 수 있습니다."),
        DrawingError::Doctype => "SVG에 문서 형식 선언을 사용할 수 없습니다.".into(),
        DrawingError::CData => "SVG에 CDATA를 사용할 수 없습니다.".into(),
        DrawingError::ProcessingInstruction => "SVG에 처리 명령을 사용할 수 없습니다.".into(),
        DrawingError::TooManyElements => {
            format!("참조를 포함해 그려지는 SVG 요소는 모두 합해 {}개까지입니다.", svg::MAX_DRAWN_ELEMENTS)
        }
        DrawingError::Comment => "SVG의 주석에 <나 >, --를 사용할 수 없습니다.".into(),
        DrawingError::UnsafeUrl => "SVG이거나 공백 없는 http, https 주소 또는 경로여야 합니다.".into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn drawing_message_names_fault() {
        let name = || "name".to_owned();
        for (refusal, told) in [
            (DrawingError::NotWellFormed { line: 17 }, "17번째 줄"),
            (DrawingError::Root, "<svg> 또는 <g>"),
            (DrawingError::TooDeep, "100단계"),
            (DrawingError::TooManyAttributes(name()), "name 요소에 속성"),
            (DrawingError::Element(name()), "name 요소"),
            (DrawingError::Attribute(name()), "name 속성"),
            (DrawingError::Namespace(name()), "name 이름공간"),
            (DrawingError::Link(name()), "name 속성은 안전한 내부 링크"),
            (DrawingError::Value(name()), "name 속성에 사용할 수 없는 값"),
            (DrawingError::MarkupInText(name()), "name 요소에는 텍스트만"),
            (DrawingError::Doctype, "문서 형식 선언"),
            (DrawingError::CData, "CDATA"),
            (DrawingError::ProcessingInstruction, "처리 명령"),
            (DrawingError::TooManyElements, "150000개까지"),
        ] {
            let reason = reason(&Violation::UnsafeDrawing(refusal.clone()));
            assert!(reason.contains("SVG") && reason.contains(told), "{refusal:?}: {reason}");
        }
    }
}
