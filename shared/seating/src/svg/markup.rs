//! Validation of SVG markup, event by event.

use std::collections::HashSet;

use domain::violation::{DrawingError, DrawingFault, Position};
use quick_xml::{
    Reader,
    events::{BytesStart, Event},
};

use super::{
    MAX_ATTRIBUTES, MAX_DEPTH, MAX_FAULTS, allow_list,
    drawn_elements::{PAGE, References, START},
    edge::Edge,
    images,
    namespaces::{Namespaces, may_be_declared},
    style_sheet::StyleSheet,
    syntax::{attributes, decode, is_declaration, is_space, is_svg_doctype, is_xml_char, resolve},
    truncate, values,
};

/// Validates markup that starts at a byte of a text.
///
/// # Errors
///
/// Returns the faults in the order of the text, at most [`MAX_FAULTS`]. Faults after malformed XML, or within elements
/// and CSS rules that must be removed as a whole, are not among them.
pub fn validate(text: &str, start: usize) -> Result<References, Vec<DrawingFault>> {
    let mut validator = Validator { text, ..Validator::default() };
    let mut reader = Reader::from_str(&text[start..]);
    while validator.faults.len() < MAX_FAULTS && !validator.is_finished {
        let at = start + offset(reader.buffer_position());
        match reader.read_event() {
            Ok(Event::DocType(_)) => {
                let end = start + offset(reader.buffer_position());
                validator.doctype(at, text.get(at..end).unwrap_or_default());
            }
            Ok(Event::Decl(declaration)) if at == start => {
                let is_valid = is_declaration(&declaration);
                validator.check(at, is_valid, || DrawingError::NotWellFormed);
            }
            Ok(Event::Start(tag)) => {
                validator.start(at, &tag, false);
                if validator.parent() == "style" {
                    match reader.read_to_end(tag.name()) {
                        Ok(content) => {
                            let [from, to] = [content.start, content.end].map(|at| start + offset(at));
                            validator.style_sheet(from, text.get(from..to).unwrap_or_default());
                            validator.end();
                        }
                        Err(_) => validator.stop(at, DrawingError::NotWellFormed),
                    }
                }
            }
            Ok(event) => validator.event(at, event),
            Err(_) => validator.stop(at, DrawingError::NotWellFormed),
        }
    }
    let Validator { mut faults, mut references, .. } = validator;
    if !faults.is_empty() {
        faults.truncate(MAX_FAULTS);
        faults.sort_by_key(|fault| fault.position.map(|position| (position.line, position.column)));
        return Err(faults);
    }
    let circular = |position| vec![DrawingFault { position: Some(position), error: DrawingError::CircularReference }];
    references.drawn = references.count().map_err(circular)?;
    Ok(references)
}

#[derive(Default)]
struct Validator<'a> {
    text: &'a str,
    /// Offset and position of the last element or fault.
    located: Option<(usize, Position)>,
    references: References,
    faults: Vec<DrawingFault>,
    unknown_entities: HashSet<String>,
    open: Vec<Open>,
    namespaces: Namespaces,
    /// Depth of the open element whose content is not validated.
    skipped: Option<usize>,
    pixels: u64,
    root_seen: bool,
    doctype_seen: bool,
    is_finished: bool,
}

#[derive(Clone, Copy)]
struct Open {
    /// Listed name, or an empty text for other elements.
    name: &'static str,
    in_svg: bool,
    /// Node of the element, or of the nearest accepted element around it.
    node: usize,
}

impl Validator<'_> {
    fn event(&mut self, at: usize, event: Event) {
        match event {
            Event::Empty(tag) => self.start(at, &tag, true),
            Event::End(_) => self.end(),
            Event::Eof => {
                self.is_finished = true;
                self.check(at, self.open.is_empty(), || DrawingError::NotWellFormed);
                self.check(at, self.root_seen || !self.open.is_empty(), || DrawingError::Root);
            }
            _ if self.skipped.is_some() => {}
            Event::Text(text) if self.open.is_empty() => {
                self.check(at, text.chars().all(is_space), || DrawingError::Root);
            }
            Event::GeneralRef(_) if self.open.is_empty() => self.reject(at, DrawingError::Root),
            Event::Text(text) => {
                self.check(at, !text.contains("]]>") && text.chars().all(is_xml_char), || DrawingError::NotWellFormed);
            }
            Event::GeneralRef(name) => {
                self.check(at, resolve(&name).is_some(), || DrawingError::Entity(truncate(&name)));
            }
            Event::CData(_) => self.reject(at, DrawingError::CData),
            Event::Comment(comment) => self.comment(at, &comment),
            Event::Decl(_) | Event::PI(_) => self.reject(at, DrawingError::ProcessingInstruction),
            Event::Start(_) | Event::DocType(_) => {}
        }
    }

    fn doctype(&mut self, at: usize, declaration: &str) {
        let is_first = !self.root_seen && !self.doctype_seen;
        if is_first && declaration.contains('[') {
            self.reject(at, DrawingError::InternalSubset);
        } else {
            self.check(at, is_first && is_svg_doctype(declaration), || DrawingError::Doctype);
        }
        self.doctype_seen = true;
    }

    fn start(&mut self, at: usize, tag: &BytesStart, is_empty: bool) {
        if self.open.len() >= MAX_DEPTH {
            return self.stop(at, DrawingError::TooDeep);
        }
        let name = tag.name().into_inner();
        if self.open.is_empty() {
            if !matches!(name, "svg" | "g") {
                return self.stop(at, DrawingError::Root);
            }
            self.check(at, !self.root_seen, || DrawingError::Root);
            self.root_seen = true;
        }
        let in_svg = name == "svg" || self.open.last().is_some_and(|parent| parent.in_svg);
        let mut open = Open { name: "", in_svg, node: self.node() };
        if self.skipped.is_none() {
            self.declare_prefixes(at, tag);
            match self.element(name, is_empty) {
                Ok(element) => {
                    open.name = element.unwrap_or_default();
                    let position = self.position(at);
                    open.node = self.references.add_element(open.node, open.name, position);
                    self.attributes(at, tag, element, open.node);
                }
                Err(error) => {
                    let is_whole = matches!(name, "filter" | "font" | "foreignObject" | "script" | "style")
                        || matches!(error, DrawingError::MarkupInText(_));
                    self.skipped = (is_whole && !is_empty).then_some(self.open.len());
                    self.reject(at, error);
                }
            }
        }
        self.open.push(open);
        if is_empty {
            self.end();
        }
    }

    /// Returns the listed name of an element, or `None` for an element of a drawing tool.
    fn element(&self, name: &str, is_empty: bool) -> Result<Option<&'static str>, DrawingError> {
        let in_svg = self.open.last().is_some_and(|parent| parent.in_svg);
        if let element @ ("title" | "desc") = self.parent() {
            return Err(DrawingError::MarkupInText(element.to_owned()));
        }
        if let Some((prefix, local)) = name.split_once(':') {
            return match self.namespaces.is_foreign(prefix) {
                Some(true) if is_tool_name(local) => Ok(None),
                None => Err(DrawingError::UndeclaredPrefix(truncate(name))),
                Some(_) => Err(DrawingError::Element(truncate(name))),
            };
        }
        match allow_list::element(name) {
            // Outside `<svg>`, HTML continues a title up to a `</title>`, and a style up to a `</style>`.
            Some("title") if is_empty && !in_svg => Err(DrawingError::MarkupInText(name.to_owned())),
            Some("style") if !in_svg => Err(DrawingError::Element(name.to_owned())),
            Some(element) => Ok(Some(element)),
            None => Err(DrawingError::Element(truncate(name))),
        }
    }

    fn end(&mut self) {
        self.open.pop();
        self.namespaces.close(self.open.len());
        self.skipped = self.skipped.filter(|&depth| depth < self.open.len());
    }

    fn declare_prefixes(&mut self, at: usize, tag: &BytesStart) {
        for (name, raw) in attributes(tag.attributes_raw()).map_while(|attribute| attribute).take(MAX_ATTRIBUTES) {
            if let (Some(prefix), Ok(namespace)) = (name.strip_prefix("xmlns:"), decode(raw)) {
                let fits = self.namespaces.declare(self.open.len() + 1, prefix, &namespace);
                self.check(at, fits, || DrawingError::Namespace(truncate(name)));
            }
        }
    }

    /// Validates the attributes of a tag and counts them for an element.
    fn attributes(&mut self, at: usize, tag: &BytesStart, element: Option<&'static str>, node: usize) {
        let raw_attributes = tag.attributes_raw();
        // The name starts after `<`, and the attributes after the name.
        let start = at + 1 + tag.name().into_inner().len();
        let mut seen = HashSet::new();
        for (index, attribute) in attributes(raw_attributes).enumerate() {
            let Some((name, raw)) = attribute else {
                return self.reject(at, DrawingError::NotWellFormed);
            };
            if index >= MAX_ATTRIBUTES {
                return self.reject(at, DrawingError::TooManyAttributes(truncate(tag.name().into_inner())));
            }
            let at = start + offset_in(raw_attributes, name);
            self.check(at, seen.insert(name), || DrawingError::DuplicateAttribute(truncate(name)));
            match decode(raw) {
                Ok(value) => {
                    if let Err(error) = self.attribute(at, element, node, name, &value) {
                        self.reject(at, error);
                    }
                    self.references.add_attribute(node, name, &value);
                }
                Err("") => self.reject(at, DrawingError::NotWellFormed),
                Err(reference) => self.reject(at, DrawingError::Entity(truncate(reference))),
            }
        }
    }

    fn attribute(
        &mut self,
        at: usize,
        element: Option<&'static str>,
        node: usize,
        name: &str,
        value: &str,
    ) -> Result<(), DrawingError> {
        if let Some(prefix) = name.strip_prefix("xmlns") {
            if !may_be_declared(prefix, value) {
                return Err(DrawingError::Namespace(truncate(name)));
            }
        } else if element == Some("style") {
            if !(matches!(name, "id" | "class") || (name, value) == ("type", "text/css")) {
                return Err(DrawingError::Attribute(truncate(name)));
            }
        } else if !allow_list::is_attribute(name) {
            return self.tool_attribute(element, name);
        }
        if matches!(name, "href" | "xlink:href") {
            match images::base64(value) {
                Some(image) => self.add_image(image)?,
                None => {
                    if let Some(id) = values::linked_id(element.unwrap_or_default(), value)? {
                        self.references.add_reference(node, Edge::Link, id);
                    }
                }
            }
        }
        let unsafe_part = |part| DrawingError::Value { attribute: truncate(name), part };
        if let Some(part) = values::forbidden_part(value) {
            return Err(unsafe_part(part));
        }
        if allow_list::is_css(name) {
            let references = values::property_references(name, value).map_err(unsafe_part)?;
            self.add_references(node, &references);
        } else if name == "style" {
            for css in values::split_declarations(value) {
                match values::declaration_references(element, css) {
                    Ok(references) => self.add_references(node, &references),
                    Err(part) => self.reject(at, unsafe_part(part)),
                }
                if self.faults.len() >= MAX_FAULTS {
                    break;
                }
            }
        }
        Ok(())
    }

    fn add_references(&mut self, node: usize, references: &[(Edge, &str)]) {
        for &(edge, id) in references {
            self.references.add_reference(node, edge, id);
        }
    }

    /// Accepts an attribute of a drawing tool, whose value no browser reads.
    fn tool_attribute(&self, element: Option<&'static str>, name: &str) -> Result<(), DrawingError> {
        let lower = name.to_ascii_lowercase();
        // HTML reads names in lower case, so `STYLE` and `XLINK:href` are not those of a tool there.
        let is_accepted = if allow_list::is_attribute(&lower) {
            false
        } else if let Some((prefix, local)) = name.split_once(':') {
            match self.namespaces.is_foreign(prefix) {
                Some(is_foreign) => is_foreign && is_tool_name(local),
                None if prefix == "xml" || prefix == "xlink" => false,
                None => return Err(DrawingError::UndeclaredPrefix(truncate(name))),
            }
        } else {
            // Scripts of pages know names such as `v-html`, and browsers events such as `onclick`.
            element.is_none()
                && is_tool_name(name)
                && (!name.contains(['-', '.']) || allow_list::TOOL_ATTRIBUTES.contains(name))
                && (!lower.starts_with("on") || lower.contains('_'))
                && !allow_list::GLOBAL_ATTRIBUTES.contains(lower.as_str())
        };
        if is_accepted { Ok(()) } else { Err(DrawingError::Attribute(truncate(name))) }
    }

    fn add_image(&mut self, base64: &str) -> Result<(), DrawingError> {
        let (before, pixels) = (self.pixels, images::pixels(base64)?);
        self.pixels = before.saturating_add(pixels);
        let exceeds = before <= images::MAX_PIXELS && self.pixels > images::MAX_PIXELS;
        if exceeds { Err(DrawingError::TooManyPixels(images::MAX_PIXELS)) } else { Ok(()) }
    }

    /// Rejects a malformed comment, and one that an HTML parser could end elsewhere or read as text.
    fn comment(&mut self, at: usize, comment: &str) {
        if let element @ ("title" | "desc") = self.parent() {
            return self.reject(at, DrawingError::MarkupInText(element.to_owned()));
        }
        let part = ["<", "->", ">", "--"].into_iter().find(|part| comment.contains(part));
        let part = part.or_else(|| comment.ends_with('-').then_some("-"));
        match part {
            Some(part) => self.reject(at, DrawingError::Comment(part.to_owned())),
            None => self.check(at, comment.chars().all(is_xml_char), || DrawingError::NotWellFormed),
        }
    }

    /// Validates the content of a `style` element, which is one text, or one CDATA section within white space.
    fn style_sheet(&mut self, at: usize, content: &str) {
        let css = content.trim_matches(is_space);
        let css = css.strip_prefix("<![CDATA[").and_then(|css| css.strip_suffix("]]>")).unwrap_or(css);
        let sheet = match css.find('<') {
            Some(markup) => StyleSheet { rejected: vec![&css[markup..]], ..StyleSheet::default() },
            None => StyleSheet::read(css),
        };
        self.check(at, css.chars().all(is_xml_char), || DrawingError::NotWellFormed);
        for part in sheet.rejected {
            self.reject(at + offset_in(content, part), DrawingError::StyleSheet(truncate(part)));
        }
        for rule in &sheet.rules {
            self.references.add_rule(&rule.classes, &rule.references);
        }
    }

    fn node(&self) -> usize {
        self.open.last().map_or(PAGE, |open| open.node)
    }

    /// Returns the line and column of an offset, in time of the text since the last one.
    fn position(&mut self, at: usize) -> Position {
        let (before, mut position) = self.located.filter(|(before, _)| *before <= at).unwrap_or((0, START));
        for c in self.text.get(before..at).unwrap_or_default().chars() {
            match c {
                '\n' => position = Position { line: position.line + 1, column: 1 },
                // Editors do not count a byte order mark.
                '\u{feff}' => {}
                _ => position.column += 1,
            }
        }
        self.located = Some((at, position));
        position
    }

    fn parent(&self) -> &'static str {
        self.open.last().map_or("", |open| open.name)
    }

    fn check(&mut self, at: usize, holds: bool, error: impl FnOnce() -> DrawingError) {
        if !holds {
            self.reject(at, error());
        }
    }

    /// Adds a fault; an unknown entity is reported only where it first occurs.
    fn reject(&mut self, at: usize, error: DrawingError) {
        let is_new = match &error {
            DrawingError::Entity(name) => self.unknown_entities.insert(name.clone()),
            _ => true,
        };
        if is_new {
            let position = Some(self.position(at));
            self.faults.push(DrawingFault { position, error });
        }
    }

    /// Rejects the drawing without validating the rest.
    fn stop(&mut self, at: usize, error: DrawingError) {
        self.reject(at, error);
        self.is_finished = true;
    }
}

fn offset(position: u64) -> usize {
    usize::try_from(position).unwrap_or(usize::MAX)
}

/// Returns true if a name has only letters, digits, `-`, `_` and `.`, and starts with a letter.
fn is_tool_name(name: &str) -> bool {
    name.starts_with(|c: char| c.is_ascii_alphabetic())
        && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte))
}

/// Returns the offset of a part within the text that contains it.
fn offset_in(text: &str, part: &str) -> usize {
    (part.as_ptr() as usize).saturating_sub(text.as_ptr() as usize).min(text.len())
}
