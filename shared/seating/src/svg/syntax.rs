//! Lexical rules of XML on which HTML agrees.

/// Splits the rest of a tag or declaration, after its name, into attribute names and raw values.
///
/// The first malformed attribute is returned as `None` and ends the iteration.
pub fn attributes(text: &str) -> impl Iterator<Item = Option<(&str, &str)>> {
    let mut rest = text.trim_end_matches(is_space);
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let attribute = split_attribute(rest);
        rest = attribute.map_or("", |(.., rest)| rest);
        Some(attribute.map(|(name, value, _)| (name, value)))
    })
}

/// Splits off the first attribute and returns its name, its raw value and the rest.
///
/// White space must precede the attribute.
fn split_attribute(text: &str) -> Option<(&str, &str, &str)> {
    let attribute = text.strip_prefix(is_space)?;
    let (name, value) = attribute.split_once('=')?;
    let name = name.trim_matches(is_space);
    let value = value.trim_start_matches(is_space);
    let quote = value.chars().next().filter(|c| matches!(c, '"' | '\''))?;
    let (value, rest) = value.strip_prefix(quote)?.split_once(quote)?;
    (!name.contains(is_space)).then_some((name, value, rest))
}

/// Returns true if the content of `<?xml ...?>` is well-formed and its encoding is safe.
///
/// A safe encoding reads ASCII bytes as UTF-8 does. In others, such as UTF-7, text could become markup.
pub fn is_declaration(content: &str) -> bool {
    const ENCODINGS: [&str; 5] = ["utf-8", "us-ascii", "iso-8859-1", "windows-1252", "euc-kr"];
    let content = content.strip_prefix("xml").unwrap_or_default();
    let Some(fields) = attributes(content).take(4).collect::<Option<Vec<_>>>() else {
        return false;
    };
    let [("version", "1.0"), fields @ ..] = fields.as_slice() else {
        return false;
    };
    let (encoding, fields) = match fields {
        [("encoding", encoding), rest @ ..] => (*encoding, rest),
        _ => ("utf-8", fields),
    };
    ENCODINGS.contains(&encoding.to_ascii_lowercase().as_str()) && matches!(fields, [] | [("standalone", "yes" | "no")])
}

/// Decodes the raw value of an attribute.
///
/// # Errors
///
/// Returns the reference, without its `&`, that [`resolve`] does not know, or an empty text if the value has a
/// forbidden character.
pub fn decode(raw: &str) -> Result<String, &str> {
    if raw.contains('<') || !raw.chars().all(is_xml_char) {
        return Err("");
    }
    let mut parts = raw.split('&');
    let mut decoded = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (name, text) = part.split_once(';').ok_or(part)?;
        decoded.push(resolve(name).ok_or(name)?);
        decoded.push_str(text);
    }
    Ok(decoded)
}

/// Resolves an entity or character reference, without its `&` and `;`, if XML and HTML agree on it.
///
/// These are XML's five entities, `&nbsp;`, and the number of any character that XML allows and HTML does
/// not read as Windows-1252.
pub fn resolve(name: &str) -> Option<char> {
    match name {
        "amp" => Some('&'),
        "lt" => Some('<'),
        "gt" => Some('>'),
        "quot" => Some('"'),
        "apos" => Some('\''),
        "nbsp" => Some('\u{a0}'),
        _ => {
            let number = name.strip_prefix('#')?;
            let (digits, radix) = match number.strip_prefix('x') {
                Some(digits) => (digits, 16),
                None => (number, 10),
            };
            // `from_str_radix` would accept a sign.
            if !digits.chars().all(|digit| digit.is_digit(radix)) {
                return None;
            }
            let code = u32::from_str_radix(digits, radix).ok()?;
            char::from_u32(code).filter(|&c| is_xml_char(c) && !(0x80..0xa0).contains(&code))
        }
    }
}

/// Returns true if XML allows the character (production `Char`).
pub fn is_xml_char(c: char) -> bool {
    is_space(c) || !matches!(c, '\0'..='\x1f' | '\u{fffe}' | '\u{ffff}')
}

/// Returns true if the character is white space in XML (production `S`).
pub fn is_space(c: char) -> bool {
    matches!(c, ' ' | '\t' | '\n' | '\r')
}

pub fn is_ascii_name(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && text.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.'))
}

/// Returns true if a `<!DOCTYPE …>` without an internal subset is that of SVG, in any version.
///
/// XML tools may fetch an external subset, so only those of the W3C are accepted.
pub fn is_svg_doctype(declaration: &str) -> bool {
    let content = declaration.strip_prefix("<!DOCTYPE").and_then(|rest| rest.strip_suffix('>')).unwrap_or_default();
    let Some(rest) =
        content.strip_prefix(is_space).and_then(|rest| rest.trim_start_matches(is_space).strip_prefix("svg"))
    else {
        return false;
    };
    let rest = rest.trim_end_matches(is_space);
    if rest.is_empty() {
        return true;
    }
    let Some(external) = rest.strip_prefix(is_space).map(|rest| rest.trim_start_matches(is_space)) else {
        return false;
    };
    let system = if let Some(rest) = external.strip_prefix("PUBLIC") {
        let is_svg = |public: &str| public.starts_with("-//W3C//DTD SVG") && public.chars().all(is_public_id_char);
        literal(rest).filter(|(public, _)| is_svg(public)).map_or("", |(_, rest)| rest)
    } else {
        external.strip_prefix("SYSTEM").unwrap_or_default()
    };
    literal(system).is_some_and(|(url, rest)| {
        let path = url.strip_prefix("http://www.w3.org/").or_else(|| url.strip_prefix("https://www.w3.org/"));
        rest.is_empty()
            && path.is_some_and(|path| path.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"/.-".contains(&byte)))
    })
}

/// Returns true if a public identifier may have the character (production `PubidChar`).
fn is_public_id_char(c: char) -> bool {
    c.is_ascii_alphanumeric() || " \r\n-'()+,./:=?;!*#@$_%".contains(c)
}

/// Splits off white space and a literal in quotes; returns its content and the rest.
fn literal(text: &str) -> Option<(&str, &str)> {
    let text = text.strip_prefix(is_space)?.trim_start_matches(is_space);
    let quote = text.chars().next().filter(|c| matches!(c, '"' | '\''))?;
    let (content, rest) = text[1..].split_once(quote)?;
    (!content.contains(['<', '>', '&'])).then_some((content, rest))
}

/// Returns true if a class name is generated: letters, an optional hyphen, digits.
pub fn is_generated_class(name: &str) -> bool {
    let digits = name.trim_start_matches(|c: char| c.is_ascii_alphabetic());
    let has_letters = digits.len() < name.len();
    let digits = digits.strip_prefix('-').unwrap_or(digits);
    has_letters && !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
}
