//! Reasons why a drawing is rejected.

use domain::{
    decimal::grouped,
    violation::{DrawingError, DrawingFault, DrawnElement},
};
use seating::svg;

use super::place;

/// Returns the place of a fault, the rule that the drawing breaks, and how to avoid the fault.
pub(super) fn message(fault: &DrawingFault) -> String {
    let place = fault.position.map(place).unwrap_or_default();
    let hint = hint(&fault.error).map(|hint| format!(" {hint}"));
    [place, rule(&fault.error), hint.unwrap_or_default()].concat()
}

fn rule(error: &DrawingError) -> String {
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
fn hint(error: &DrawingError) -> Option<&'static str> {
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
    use domain::violation::Position;

    use super::*;

    fn reason(position: Option<Position>, error: DrawingError) -> String {
        message(&DrawingFault { position, error })
    }

    #[test]
    fn message_starts_with_place() {
        let position = Some(Position { line: 2, column: 1_500 });
        insta::assert_snapshot!(reason(position, DrawingError::Comment("-".into())), @"2번째 줄 1,500번째 글자: 주석은 ‘-’로 끝날 수 없습니다. 주석을 지워 주세요.");
        insta::assert_snapshot!(reason(None, DrawingError::Comment("->".into())), @"주석의 ‘->’ 부분은 사용할 수 없습니다. 주석을 지워 주세요.");
        insta::assert_snapshot!(reason(None, DrawingError::Element("style".into())), @"style 요소는 <svg> 안에서만 사용할 수 있습니다.");
    }

    #[test]
    fn drawing_message_names_elements_that_draw_most() {
        let most = vec![
            DrawnElement { name: "use", line: 1_200, count: 1_000_000 },
            DrawnElement { name: "g", line: 7, count: 3 },
        ];
        insta::assert_snapshot!(reason(None, DrawingError::TooManyElements { total: 1_000_003, most }), @"도면에 그려지는 요소는 모두 합쳐 150,000개까지인데, 이 도면까지 1,000,003개입니다. 가장 많이 그리는 요소: 1,200번째 줄 use(1,000,000개), 7번째 줄 g(3개). 복제한 객체와 패턴의 반복을 줄이거나 경로를 단순하게 만들어 주세요.");
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
                let reason = reason(None, error.clone());
                assert!(reason.contains(hint), "{error:?}: {reason}");
            }
        }
        for error in [element("iframe"), attribute("href2"), value("position"), DrawingError::CData] {
            assert_eq!(hint(&error), None, "{error:?}");
        }
    }
}
