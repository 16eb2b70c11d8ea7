//! Drawings of a hall, combined in one picture.
//!
//! Each drawing, `totalMap` or `areaMap`, is written for a page of its own. Here, one document has all of
//! them. So each drawing
//!
//! - loses its declarations, comments, metadata, custom attributes and everything of a drawing tool; the picture
//!   declares the namespaces that are still needed;
//! - gets a prefix for each class that a style sheet may select: two letters for its number. So `.st0` becomes
//!   `.aast0`, and two drawings with the same generated class do not color each other;
//! - gets a prefix for each id: `m` and the number of the drawing, 0 for `totalMap`. So `#a` becomes `#m0-a`.
//!   A reference leads to the drawing's own element, or else to that of the first drawing that has the id,
//!   as on a page that shows all drawings;
//! - is placed in an `<svg>` with the `viewBox` of its place. So its user coordinates are the hall's, for any
//!   size that it requests.
//!
//! A root `<svg>` becomes a `<g>` without the attributes that size or move it. An area's `<svg>` with a
//! `viewBox` may show only the area. It is omitted unless it uses the hall's coordinates: its `viewBox`
//! contains all seats of the area, or equals that of `totalMap`. Drawings that are a URL or a path are also
//! omitted, and so are links to `blob:` objects, because these belong to a page.

use std::collections::HashMap;

use quick_xml::{
    Reader,
    events::{BytesStart, Event},
};

use super::{bounds::Rect, push};
use crate::{
    seat_map::{Area, SeatMap},
    svg::{
        self, allow_list,
        style_sheet::{StyleSheet, is_generated_class},
    },
};

/// Attributes that size, move or describe a root `<svg>`, and do not belong on a `<g>`.
const ROOT_ONLY: [&str; 12] = [
    "x",
    "y",
    "width",
    "height",
    "viewBox",
    "preserveAspectRatio",
    "transform",
    "version",
    "baseProfile",
    "zoomAndPan",
    "contentScriptType",
    "contentStyleType",
];

/// Maximum absolute value of a number in a `viewBox`; with a larger one, it is ignored.
const MAX_VIEW_BOX: f64 = 1e7;

/// Drawings that a picture shows, `totalMap` first.
pub struct Drawings<'a> {
    drawings: Vec<DrawingMarkup<'a>>,
    /// Numbers of the drawings that have an id, ascending.
    owners: HashMap<String, Vec<usize>>,
}

struct DrawingMarkup<'a> {
    markup: &'a str,
    /// Its `viewBox`, or its size from the origin, if the root has either.
    viewport: Option<Rect>,
    is_area: bool,
}

impl<'a> Drawings<'a> {
    /// Collects the drawings of a hall that can be shown.
    pub fn new(seat_map: &'a SeatMap) -> Self {
        let total = DrawingMarkup::read(seat_map.total_map().as_str(), false);
        let hall = total.as_ref().and_then(|total| total.viewport);
        let areas = seat_map.areas().iter().filter_map(|area| {
            DrawingMarkup::read(area.area_map.as_str(), true)
                .filter(|drawing| drawing.uses_hall_coordinates(area, hall))
        });
        let drawings: Vec<_> = total.into_iter().chain(areas).collect();
        let mut owners: HashMap<_, Vec<_>> = HashMap::new();
        for (number, drawing) in drawings.iter().enumerate() {
            drawing.for_each_id(|id| {
                let owners = owners.entry(id).or_default();
                if owners.last() != Some(&number) {
                    owners.push(number);
                }
            });
        }
        Self { drawings, owners }
    }

    /// Returns the bounds of `totalMap`, if it has any.
    pub fn viewport(&self) -> Option<Rect> {
        self.drawings.first().filter(|drawing| !drawing.is_area)?.viewport
    }

    /// Writes the drawings; percentages in a drawing without a `viewBox` relate to the hall.
    pub fn write(&self, svg: &mut String, hall: Rect) {
        let hall = self.viewport().unwrap_or(hall);
        for (number, drawing) in self.drawings.iter().enumerate() {
            let place = drawing.viewport.unwrap_or(hall);
            let before = svg.len();
            push(svg, format_args!("<svg {} viewBox='{place}'", place.attributes()));
            svg.push_str(if drawing.viewport.is_some() { ">" } else { " overflow='visible'>" });
            if self.write_markup(svg, number).is_some() {
                svg.push_str("</svg>");
            } else {
                svg.truncate(before);
            }
        }
    }

    /// Writes a drawing's elements; returns `None` if the markup is malformed, which no valid drawing is.
    fn write_markup(&self, svg: &mut String, number: usize) -> Option<()> {
        let markup = self.drawings[number].markup;
        let mut reader = Reader::from_str(markup);
        let (mut depth, mut omitted) = (0_usize, None);
        loop {
            let event = reader.read_event().ok()?;
            match event {
                Event::Start(_) => depth += 1,
                Event::End(_) => depth = depth.checked_sub(1)?,
                _ => {}
            }
            if let Some(outer) = omitted {
                omitted = (depth > outer).then_some(outer);
                continue;
            }
            match event {
                Event::Start(tag) if is_omitted(&tag) => omitted = Some(depth - 1),
                Event::Start(tag) if tag.name().into_inner() == "style" => {
                    let end = reader.read_to_end(tag.name()).ok()?;
                    self.write_style(
                        svg,
                        number,
                        markup.get(usize::try_from(end.start).ok()?..usize::try_from(end.end).ok()?)?,
                    );
                    depth -= 1;
                }
                Event::Start(tag) => {
                    self.write_tag(svg, number, &tag, depth == 1)?;
                    svg.push('>');
                }
                Event::Empty(tag) if is_omitted(&tag) => {}
                Event::Empty(tag) => {
                    self.write_tag(svg, number, &tag, depth == 0)?;
                    svg.push_str("/>");
                }
                Event::End(tag) => {
                    let name = if depth == 0 { "g" } else { tag.name().into_inner() };
                    svg.extend(["</", name, ">"]);
                }
                Event::Text(text) if depth > 0 => write_text(svg, &text),
                // This is the only accepted name that XML does not define.
                Event::GeneralRef(name) if &*name == "nbsp" => svg.push('\u{a0}'),
                Event::GeneralRef(name) => svg.extend(["&", &name, ";"]),
                Event::Eof => return (depth == 0).then_some(()),
                _ => {}
            }
        }
    }

    /// Writes the rules of a style sheet, with the classes and ids of the picture.
    fn write_style(&self, svg: &mut String, number: usize, content: &str) {
        let css = content.trim().trim_start_matches("<![CDATA[").trim_end_matches("]]>");
        let prefix = class_prefix(number);
        svg.push_str("<style>");
        for rule in StyleSheet::read(css).rules {
            let selectors: Vec<_> = rule.classes.iter().map(|class| format!(".{prefix}{class}")).collect();
            let properties: Vec<_> = rule.properties.iter().map(|(name, value)| format!("{name}:{value}")).collect();
            let properties = self.with_picture_ids(&properties.join(";"), number);
            svg.extend([&selectors.join(","), "{", &properties, "}"]);
        }
        svg.push_str("</style>");
    }

    /// Writes a tag without its closing `>` or `/>`.
    fn write_tag(&self, svg: &mut String, number: usize, tag: &BytesStart, is_root: bool) -> Option<()> {
        let name = tag.name().into_inner();
        svg.extend(["<", if is_root { "g" } else { name }]);
        for attribute in svg::attributes(tag.attributes_raw()) {
            let (attribute, raw) = attribute?;
            let is_custom = ["xmlns", "data-", "aria-"].iter().any(|prefix| attribute.starts_with(prefix));
            let is_root_only = is_root && name == "svg" && ROOT_ONLY.contains(&attribute);
            let is_of_tool =
                attribute.contains(':') && !["xml:", "xlink:"].iter().any(|known| attribute.starts_with(known));
            if is_custom || is_root_only || is_of_tool {
                continue;
            }
            let value = svg::decode(raw).ok()?;
            let is_link = matches!(attribute, "href" | "xlink:href");
            if is_link && value.starts_with("blob:") {
                continue;
            }
            let value = match attribute {
                "id" => format!("m{number}-{value}"),
                "class" => with_class_prefix(&value, &class_prefix(number)),
                "href" | "xlink:href" => match value.strip_prefix('#') {
                    Some(id) => format!("#{}", self.picture_id(id, number)),
                    None => value,
                },
                "style" if is_root && name == "svg" => self.with_picture_ids(&presentation(&value), number),
                _ if value.contains('#') => self.with_picture_ids(&value, number),
                _ => value,
            };
            svg.extend([" ", attribute, "="]);
            write_value(svg, &value);
        }
        Some(())
    }

    /// Returns the id in the picture for a reference of a drawing.
    fn picture_id(&self, id: &str, number: usize) -> String {
        let owners = self.owners.get(id).map_or(&[][..], Vec::as_slice);
        let owner = match owners.binary_search(&number) {
            Ok(_) => number,
            Err(_) => owners.first().copied().unwrap_or(number),
        };
        format!("m{owner}-{id}")
    }

    /// Returns a value with the ids of the picture in its `url(#…)`.
    fn with_picture_ids(&self, value: &str, number: usize) -> String {
        let mut result = String::with_capacity(value.len() + 8);
        let mut done = 0;
        for (at, url) in value.to_ascii_lowercase().match_indices("url(") {
            let argument = value[at + url.len()..].trim_start();
            let quote = argument.chars().next().filter(|c| matches!(c, '"' | '\''));
            let Some(rest) = argument.trim_start_matches(['"', '\'']).strip_prefix('#') else { continue };
            let Some((id, _)) = rest.split_once(quote.unwrap_or(')')) else { continue };
            let start = value.len() - rest.len();
            let id = if quote.is_some() { id } else { id.trim_end() };
            let Some(before) = value.get(done..start) else { continue };
            result.push_str(before);
            result.push_str(&self.picture_id(id, number));
            done = start + id.len();
        }
        result.push_str(&value[done..]);
        result
    }
}

impl<'a> DrawingMarkup<'a> {
    fn read(markup: &'a str, is_area: bool) -> Option<Self> {
        let markup = markup.trim_start_matches('\u{feff}').trim_start();
        if !markup.starts_with('<') {
            return None;
        }
        let mut reader = Reader::from_str(markup);
        loop {
            match reader.read_event().ok()? {
                Event::Start(root) | Event::Empty(root) => {
                    return Some(Self { markup, viewport: viewport(&root), is_area });
                }
                Event::Eof => return None,
                _ => {}
            }
        }
    }

    fn uses_hall_coordinates(&self, area: &Area, hall: Option<Rect>) -> bool {
        let contains_seats = |own: Rect| !area.seats.is_empty() && area.seats.iter().all(|seat| own.contains(seat));
        self.viewport.is_none_or(|own| hall == Some(own) || contains_seats(own))
    }

    fn for_each_id(&self, mut on_id: impl FnMut(String)) {
        if !self.markup.contains("id") {
            return;
        }
        let mut reader = Reader::from_str(self.markup);
        while let Ok(event) = reader.read_event() {
            let (Event::Start(tag) | Event::Empty(tag)) = event else {
                if matches!(event, Event::Eof) {
                    return;
                }
                continue;
            };
            for (name, raw) in svg::attributes(tag.attributes_raw()).flatten() {
                if let ("id", Ok(id)) = (name, svg::decode(raw)) {
                    on_id(id);
                }
            }
        }
    }
}

/// Returns the bounds that a root `<svg>` shows, if it has any.
fn viewport(root: &BytesStart) -> Option<Rect> {
    if root.name().into_inner() != "svg" {
        return None;
    }
    let attributes: HashMap<_, _> = svg::attributes(root.attributes_raw())
        .flatten()
        .filter_map(|(name, raw)| Some((name, svg::decode(raw).ok()?)))
        .collect();
    let length = |name: &str| attributes.get(name).and_then(|text| svg::geometry::length(text));
    let view_box = attributes.get("viewBox").and_then(|text| svg::geometry::view_box(text));
    view_box
        .map(|[x, y, width, height]| Rect { x, y, width, height })
        .or_else(|| Some(Rect { x: 0.0, y: 0.0, width: length("width")?, height: length("height")? }))
        .filter(|rect| rect.width > 0.0 && rect.height > 0.0 && rect.longer_side() <= MAX_VIEW_BOX)
        .filter(|rect| rect.x.abs() <= MAX_VIEW_BOX && rect.y.abs() <= MAX_VIEW_BOX)
}

/// Returns true if an element has nothing to show: metadata, and what belongs to a drawing tool.
fn is_omitted(tag: &BytesStart) -> bool {
    let name = tag.name().into_inner();
    name == "metadata" || name.contains(':')
}

/// Returns the prefix of a drawing's generated classes; it has as many letters for every drawing.
fn class_prefix(number: usize) -> String {
    [number / 26 % 26, number % 26]
        .map(|letter| char::from(b'a' + u8::try_from(letter).unwrap_or_default()))
        .iter()
        .collect()
}

/// Returns a list of classes with a prefix before those that a style sheet may select.
fn with_class_prefix(classes: &str, prefix: &str) -> String {
    let classes = classes.split_ascii_whitespace();
    let classes =
        classes.map(|class| if is_generated_class(class) { format!("{prefix}{class}") } else { class.to_owned() });
    classes.collect::<Vec<_>>().join(" ")
}

/// Returns the declarations of a root's style that also apply to a `<g>`, with custom properties.
fn presentation(style: &str) -> String {
    let declarations = style.split(';').filter(|declaration| {
        let property = declaration.split(':').next().unwrap_or_default().trim();
        property.starts_with("--") || allow_list::PROPERTIES.contains(&property.to_ascii_lowercase().as_str())
    });
    declarations.collect::<Vec<_>>().join(";")
}

/// Writes a text; escapes a `>` that only a removed comment separated from `]]`.
fn write_text(svg: &mut String, text: &str) {
    let after = text.trim_start_matches(']');
    match after.strip_prefix('>') {
        Some(rest) => svg.extend([&text[..text.len() - after.len()], "&gt;", rest]),
        None => svg.push_str(text),
    }
}

/// Writes an attribute's value, in the quotes that need the fewest bytes in a JSON string.
fn write_value(svg: &mut String, value: &str) {
    let quote = if value.contains('\'') { '"' } else { '\'' };
    svg.push(quote);
    for c in value.chars() {
        match c {
            '&' => svg.push_str("&amp;"),
            '<' => svg.push_str("&lt;"),
            '"' if quote == '"' => svg.push_str("&quot;"),
            // An XML parser reads them as spaces anyway.
            '\n' | '\r' | '\t' => svg.push(' '),
            c => svg.push(c),
        }
    }
    svg.push(quote);
}
