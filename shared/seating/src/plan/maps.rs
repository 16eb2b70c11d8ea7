//! The maps of a hall, put into one picture.
//!
//! Each `totalMap` and `areaMap` is markup of its own, written for a page of its own. Here
//! they stand in one document, so each
//!
//! - loses its XML declaration, comments, namespace declarations and custom attributes; the
//!   picture declares what is left to declare;
//! - has every id begin with `m` and its number, `totalMap` being number 0: `#a` becomes
//!   `#m0-a`. A reference leads to the map's own element, or else to that of the first map
//!   which has one, as on a page that shows all of them;
//! - stands in an `<svg>` whose `viewBox` is its place, so that its user coordinates are the
//!   hall's, whatever size it asks for.
//!
//! A root `<svg>` becomes a `<g>` without what sizes or moves it. An area's `<svg>` with a
//! `viewBox` shows the area by itself. It is left out unless its coordinates are the
//! hall's, which is so where it holds all seats of the area, or has the `viewBox` of
//! `totalMap`. A map that is a URL or a path is left out too, and so are links to `blob:`
//! objects, which are a page's.

use std::collections::HashMap;

use quick_xml::{
    Reader,
    events::{BytesStart, Event},
};

use super::{bounds::Rect, push};
use crate::{
    seat_map::{Area, SeatMap},
    svg::{self, allow_list},
};

/// What sizes, moves or describes a root `<svg>`, and has no place on a `<g>`.
const OF_ROOT: [&str; 12] = [
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

/// The largest magnitude of a number in a `viewBox` that is taken for one.
const FARTHEST: f64 = 1e7;

/// The maps that a picture shows, `totalMap` first.
pub struct Maps<'a> {
    maps: Vec<Map<'a>>,
    /// The numbers of the maps that have an id, ascending.
    homes: HashMap<String, Vec<usize>>,
}

/// The markup of a map.
struct Map<'a> {
    markup: &'a str,
    /// Its `viewBox`, or its size from the origin, where the root says either.
    viewport: Option<Rect>,
    is_area: bool,
}

impl<'a> Maps<'a> {
    /// Takes those maps of a hall that can be shown.
    pub fn read(seat_map: &'a SeatMap) -> Self {
        let total = Map::read(seat_map.total_map().as_str(), false);
        let hall = total.as_ref().and_then(|total| total.viewport);
        let areas = seat_map.areas().iter().filter_map(|area| {
            Map::read(area.area_map.as_str(), true).filter(|map| map.is_in_hall(area, hall))
        });
        let maps: Vec<_> = total.into_iter().chain(areas).collect();
        let mut homes: HashMap<_, Vec<_>> = HashMap::new();
        for (number, map) in maps.iter().enumerate() {
            map.ids(|id| {
                let homes = homes.entry(id).or_default();
                if homes.last() != Some(&number) {
                    homes.push(number);
                }
            });
        }
        Self { maps, homes }
    }

    /// The edges of `totalMap`, where it has any.
    pub fn viewport(&self) -> Option<Rect> {
        self.maps.first().filter(|map| !map.is_area)?.viewport
    }

    /// Writes the maps; one without a `viewBox` has its percentages of the hall.
    pub fn write(&self, svg: &mut String, hall: Rect) {
        let hall = self.viewport().unwrap_or(hall);
        for (number, map) in self.maps.iter().enumerate() {
            let place = map.viewport.unwrap_or(hall);
            let before = svg.len();
            push(svg, format_args!("<svg {} viewBox='{place}'", place.attributes()));
            svg.push_str(if map.viewport.is_some() { ">" } else { " overflow='visible'>" });
            if self.write_markup(svg, number).is_some() {
                svg.push_str("</svg>");
            } else {
                svg.truncate(before);
            }
        }
    }

    /// Writes a map's elements; gives nothing where the markup breaks off, as no map's does.
    fn write_markup(&self, svg: &mut String, number: usize) -> Option<()> {
        let mut reader = Reader::from_str(self.maps[number].markup);
        let mut depth = 0_usize;
        loop {
            match reader.read_event().ok()? {
                Event::Start(tag) => {
                    self.write_tag(svg, number, &tag, depth == 0)?;
                    svg.push('>');
                    depth += 1;
                }
                Event::Empty(tag) => {
                    self.write_tag(svg, number, &tag, depth == 0)?;
                    svg.push_str("/>");
                }
                Event::End(tag) => {
                    depth = depth.checked_sub(1)?;
                    let name = if depth == 0 { "g" } else { tag.name().into_inner() };
                    svg.extend(["</", name, ">"]);
                }
                Event::Text(text) => write_text(svg, &text),
                // The one name that HTML knows and XML does not.
                Event::GeneralRef(name) if &*name == "nbsp" => svg.push('\u{a0}'),
                Event::GeneralRef(name) => svg.extend(["&", &name, ";"]),
                Event::Eof => return (depth == 0).then_some(()),
                _ => {}
            }
        }
    }

    /// Writes a tag up to its end.
    fn write_tag(&self, svg: &mut String, number: usize, tag: &BytesStart, is_root: bool) -> Option<()> {
        let name = tag.name().into_inner();
        svg.extend(["<", if is_root { "g" } else { name }]);
        for attribute in svg::attributes(tag.attributes_raw()) {
            let (attribute, raw) = attribute?;
            let is_custom = ["xmlns", "data-", "aria-"].iter().any(|prefix| attribute.starts_with(prefix));
            let is_roots = is_root && name == "svg" && OF_ROOT.contains(&attribute);
            if is_custom || is_roots {
                continue;
            }
            let value = svg::decode(raw)?;
            let is_link = matches!(attribute, "href" | "xlink:href");
            if is_link && value.starts_with("blob:") {
                continue;
            }
            let value = match attribute {
                "id" => format!("m{number}-{value}"),
                "href" | "xlink:href" => match value.strip_prefix('#') {
                    Some(id) => format!("#{}", self.isolated(id, number)),
                    None => value,
                },
                "style" if is_root && name == "svg" => self.isolated_urls(&presentation(&value), number),
                _ if value.contains('#') => self.isolated_urls(&value, number),
                _ => value,
            };
            svg.extend([" ", attribute, "="]);
            write_value(svg, &value);
        }
        Some(())
    }

    /// The id in the picture that a reference of a map leads to.
    fn isolated(&self, id: &str, number: usize) -> String {
        let homes = self.homes.get(id).map_or(&[][..], Vec::as_slice);
        let home = match homes.binary_search(&number) {
            Ok(_) => number,
            Err(_) => homes.first().copied().unwrap_or(number),
        };
        format!("m{home}-{id}")
    }

    /// A value whose `url(#…)` lead to where they do in the picture.
    fn isolated_urls(&self, value: &str, number: usize) -> String {
        let mut isolated = String::with_capacity(value.len() + 8);
        let mut done = 0;
        for (at, url) in value.to_ascii_lowercase().match_indices("url(") {
            let argument = value[at + url.len()..].trim_start();
            let quote = argument.chars().next().filter(|c| matches!(c, '"' | '\''));
            let Some(rest) = argument.trim_start_matches(['"', '\'']).strip_prefix('#') else { continue };
            let Some((id, _)) = rest.split_once(quote.unwrap_or(')')) else { continue };
            let start = value.len() - rest.len();
            let id = if quote.is_some() { id } else { id.trim_end() };
            let Some(before) = value.get(done..start) else { continue };
            isolated.push_str(before);
            isolated.push_str(&self.isolated(id, number));
            done = start + id.len();
        }
        isolated.push_str(&value[done..]);
        isolated
    }
}

impl<'a> Map<'a> {
    fn read(markup: &'a str, is_area: bool) -> Option<Self> {
        if !markup.trim_start().starts_with('<') {
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

    /// Says whether the map of an area has the hall's coordinates.
    fn is_in_hall(&self, area: &Area, hall: Option<Rect>) -> bool {
        let holds_seats = |own: Rect| !area.seats.is_empty() && area.seats.iter().all(|seat| own.holds(seat));
        self.viewport.is_none_or(|own| hall == Some(own) || holds_seats(own))
    }

    /// Calls with each id of the map.
    fn ids(&self, mut found: impl FnMut(String)) {
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
                if let ("id", Some(id)) = (name, svg::decode(raw)) {
                    found(id);
                }
            }
        }
    }
}

/// What a root `<svg>` shows of the plane, if it says so.
fn viewport(root: &BytesStart) -> Option<Rect> {
    if root.name().into_inner() != "svg" {
        return None;
    }
    let attributes: HashMap<_, _> = svg::attributes(root.attributes_raw())
        .flatten()
        .filter_map(|(name, raw)| Some((name, svg::decode(raw)?)))
        .collect();
    let length = |name: &str| attributes.get(name).and_then(|text| length(text));
    view_box(attributes.get("viewBox").map_or("", String::as_str))
        .or_else(|| Some(Rect { x: 0.0, y: 0.0, width: length("width")?, height: length("height")? }))
        .filter(|rect| rect.width > 0.0 && rect.height > 0.0 && rect.longer_side() <= FARTHEST)
        .filter(|rect| rect.x.abs() <= FARTHEST && rect.y.abs() <= FARTHEST)
}

fn view_box(text: &str) -> Option<Rect> {
    let numbers = text.split(|c: char| c == ',' || c.is_ascii_whitespace()).filter(|text| !text.is_empty());
    let numbers: Vec<f64> = numbers.map(str::parse).collect::<Result<_, _>>().ok()?;
    match numbers[..] {
        [x, y, width, height] => Some(Rect { x, y, width, height }),
        _ => None,
    }
}

/// A length in user units, as CSS counts them: 96 to the inch. A share of a page is none.
fn length(text: &str) -> Option<f64> {
    let text = text.trim();
    let number = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let unit = match &text[number.len()..] {
        "" | "px" => 1.0,
        "pt" => 4.0 / 3.0,
        "pc" => 16.0,
        "mm" => 96.0 / 25.4,
        "cm" => 96.0 / 2.54,
        "in" => 96.0,
        _ => return None,
    };
    Some(number.parse::<f64>().ok()? * unit)
}

/// The declarations of a root's style that a `<g>` takes, too.
fn presentation(style: &str) -> String {
    let declarations = style.split(';').filter(|declaration| {
        let property = declaration.split(':').next().unwrap_or_default().trim();
        allow_list::PROPERTIES.contains(&property.to_ascii_lowercase().as_str())
    });
    declarations.collect::<Vec<_>>().join(";")
}

/// Writes a text. Only a comment may part `]]` from `>`, and none is kept.
fn write_text(svg: &mut String, text: &str) {
    let after = text.trim_start_matches(']');
    match after.strip_prefix('>') {
        Some(rest) => svg.extend([&text[..text.len() - after.len()], "&gt;", rest]),
        None => svg.push_str(text),
    }
}

/// Writes an attribute's value, in the quotes that take the least in a JSON string.
fn write_value(svg: &mut String, value: &str) {
    let quote = if value.contains('\'') { '"' } else { '\'' };
    svg.push(quote);
    for c in value.chars() {
        match c {
            '&' => svg.push_str("&amp;"),
            '<' => svg.push_str("&lt;"),
            '"' if quote == '"' => svg.push_str("&quot;"),
            // An XML parser would read spaces, whatever is written.
            '\n' | '\r' | '\t' => svg.push(' '),
            c => svg.push(c),
        }
    }
    svg.push(quote);
}
