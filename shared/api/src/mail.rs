//! Korean texts of the mails to members: a subject, plain text, and HTML that says the same.
//!
//! A mail says what was asked for, has the link, and says until when it is valid and what to do if it was not you. It
//! has no image, nothing that tracks, and nothing personal.

use domain::{instant::Instant, mail::MailKind};

/// Mail, ready to be sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mail {
    /// Subject.
    pub subject: String,
    /// Plain text.
    pub text: String,
    /// HTML with the same sentences.
    pub html: String,
}

/// Sentences of a kind of mail.
struct Sentences {
    subject: &'static str,
    request: &'static str,
    button: &'static str,
    use_of_link: &'static str,
    not_you: &'static str,
}

impl Mail {
    /// Writes a mail with a link that is valid until a time.
    #[must_use]
    pub fn write(kind: MailKind, link: &str, end: Instant) -> Self {
        let Sentences { subject, request, button, use_of_link, not_you } = sentences(kind);
        let validity = format!("이 링크는 {}(한국 시간)까지 {use_of_link}", end.in_korea());
        let text = format!("{request}\n\n{button}:\n{link}\n\n{validity}\n\n{not_you}\n");
        let html = html_page(subject, &[request.to_owned()], (button, link), &[validity, not_you.to_owned()]);
        Self { subject: subject.to_owned(), text, html }
    }
}

/// Writes a page of HTML with paragraphs before and after a button, which leads to a link.
///
/// The paragraphs are HTML; the title, the text of the button and the link are not.
pub(crate) fn html_page(title: &str, before: &[String], (button, link): (&str, &str), after: &[String]) -> String {
    let (title, link) = (escaped(title), escaped(link));
    let paragraph = |html: &String| format!("<p style=\"margin: 0 0 24px\">{html}</p>\n");
    let [before, after] = [before, after].map(|paragraphs| paragraphs.iter().map(paragraph).collect::<String>());
    // Styles are inline, because some clients drop a style element. Only the button has colours of its own, so a dark
    // client may choose all others.
    format!(
        r#"<!doctype html>
<html lang="ko">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>{title}</title>
</head>
<body style="margin: 0; padding: 24px 16px; font-family: 'Apple SD Gothic Neo', 'Malgun Gothic', 'Noto Sans KR', sans-serif; font-size: 16px; line-height: 1.6; word-break: keep-all; overflow-wrap: anywhere">
<div style="max-width: 480px; margin: 0 auto">
{before}<p style="margin: 0 0 24px"><a href="{link}" style="display: inline-block; padding: 12px 24px; border-radius: 6px; background-color: #1a56c4; color: #ffffff; font-weight: bold; text-decoration: none">{button}</a></p>
<p style="margin: 0 0 24px">버튼이 눌리지 않으면 다음 주소를 브라우저에 붙여 넣어 주세요.<br>
<span style="word-break: break-all; font-size: 14px">{link}</span></p>
{after}</div>
</body>
</html>
"#
    )
}

fn sentences(kind: MailKind) -> Sentences {
    match kind {
        MailKind::PasswordReset => Sentences {
            subject: "비밀번호 재설정 안내",
            request: "비밀번호 재설정을 요청하셨습니다. 아래 링크에서 새 비밀번호를 설정해 주세요.",
            button: "비밀번호 재설정하기",
            use_of_link: "한 번만 사용할 수 있습니다.",
            not_you: "직접 요청하지 않으셨다면 이 메일을 무시하셔도 됩니다. 비밀번호는 바뀌지 않습니다.",
        },
        MailKind::EmailVerification => Sentences {
            subject: "이메일 인증 안내",
            request: "이메일 인증을 요청하셨습니다. 아래 링크에서 이메일 주소를 인증해 주세요.",
            button: "이메일 인증하기",
            use_of_link: "사용할 수 있습니다.",
            not_you: "직접 요청하지 않으셨다면 링크를 열지 말고 이 메일을 무시해 주세요.",
        },
    }
}

/// Escapes a text in HTML.
pub(crate) fn escaped(text: &str) -> String {
    let mut html = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => html.push_str("&amp;"),
            '<' => html.push_str("&lt;"),
            '>' => html.push_str("&gt;"),
            '"' => html.push_str("&quot;"),
            '\'' => html.push_str("&#39;"),
            _ => html.push(c),
        }
    }
    html
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn html_says_what_text_says() {
        for kind in [MailKind::PasswordReset, MailKind::EmailVerification] {
            let end = Instant::from_text("2026-11-27T15:05:00Z").unwrap();
            let mail = Mail::write(kind, "https://a.example/b?c=d&e=f#token=x", end);
            assert!(mail.text.contains("https://a.example/b?c=d&e=f#token=x"));
            assert_eq!(mail.html.matches("https://a.example/b?c=d&amp;e=f#token=x").count(), 2);
            let html = mail.html.replace("&amp;", "&");
            for line in mail.text.lines() {
                assert!(html.contains(line.trim_end_matches(':')), "{line}");
            }
            assert!(mail.text.contains("2026년 11월 28일 0시 05분(한국 시간)까지"), "{}", mail.text);
        }
    }
}
