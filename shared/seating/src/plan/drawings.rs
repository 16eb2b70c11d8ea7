//! Drawings of a hall, each as an image in its picture.
//!
//! An image is a document of its own, so ids, classes and style sheets of two drawings stay apart, and nothing in it
//! runs or loads anything. Drawings, `totalMap` or `areaMap`, are written for a page; to be a document of XML, a
//! drawing loses what precedes its root, gets the namespace of `xlink:`, and its `&nbsp;` become character references.
//!
//! The document has the `viewBox` of the drawing's place in the hall, and the root is a `<g>` in it. So its user
//! coordinates are the hall's, for any size that it requests.
//!
//! An area's `<svg>` with a `viewBox` may show only the area. It is omitted unless it uses the hall's coordinates: its
//! `viewBox` contains all seats of the area, or equals that of `totalMap`. Drawings that are a URL or a path are also
//! omitted.

use base64_simd::STANDARD;
use quick_xml::{
    Reader,
    events::{BytesStart, Event},
};

use super::{bounds::Rect, push};
use crate::seat_map::{Area, SeatMap};

/// Maximum absolute value of a number in a `viewBox`; with a larger one, it is ignored.
const MAX_VIEW_BOX: f64 = 1e7;

/// Drawings that a picture shows.
pub struct Drawings {
    total: Option<Drawing>,
    areas: Vec<Drawing>,
}

struct Drawing {
    /// The drawing as a `<g>`.
    group: String,
    /// Bounds of its `viewBox`, or its size from the origin, if the root has either.
    viewport: Option<Rect>,
}

impl Drawings {
    /// Collects the drawings of a hall that can be shown.
    pub fn new(seat_map: &SeatMap) -> Self {
        let total = Drawing::read(seat_map.total_map().as_str());
        let hall = total.as_ref().and_then(|total| total.viewport);
        let areas = seat_map.areas().iter().filter_map(|area| {
            Drawing::read(area.area_map.as_str()).filter(|drawing| drawing.uses_hall_coordinates(area, hall))
        });
        Self { areas: areas.collect(), total }
    }

    /// Returns the bounds of `totalMap`, if it has any.
    pub fn viewport(&self) -> Option<Rect> {
        self.total.as_ref()?.viewport
    }

    /// Draws the images; a drawing without bounds may cover the hall.
    pub fn draw(&self, hall: Rect) -> String {
        let mut svg = String::new();
        for drawing in self.total.iter().chain(&self.areas) {
            let place = drawing.viewport.unwrap_or(hall);
            let document = format!(
                "<svg xmlns='http://www.w3.org/2000/svg' xmlns:xlink='http://www.w3.org/1999/xlink' \
                 viewBox='{place}' font-family='sans-serif'>{}</svg>",
                drawing.group,
            );
            let (place, base64) = (place.attributes(), STANDARD.encode_to_string(document));
            push(&mut svg, format_args!("<image {place} href='data:image/svg+xml;base64,{base64}'/>"));
        }
        svg
    }
}

impl Drawing {
    /// Reads a drawing; returns `None` if it is a URL or a path.
    fn read(markup: &str) -> Option<Self> {
        let markup = markup.trim_start_matches('\u{feff}').trim_start();
        if !markup.starts_with('<') {
            return None;
        }
        let mut reader = Reader::from_str(markup);
        let (root, is_empty) = loop {
            match reader.read_event().ok()? {
                Event::Start(root) => break (root, false),
                Event::Empty(root) => break (root, true),
                Event::Eof => return None,
                _ => {}
            }
        };
        let content = &markup[usize::try_from(reader.buffer_position()).ok()?..];
        let content = if is_empty { "" } else { &content[..content.rfind("</")?] };
        let group = format!("<g{}>{content}</g>", root.attributes_raw()).replace("&nbsp;", "&#160;");
        Some(Self { group, viewport: viewport(&root) })
    }

    fn uses_hall_coordinates(&self, area: &Area, hall: Option<Rect>) -> bool {
        let contains_seats = |own: Rect| !area.seats.is_empty() && area.seats.iter().all(|seat| own.contains(seat));
        self.viewport.is_none_or(|own| hall == Some(own) || contains_seats(own))
    }
}

/// Returns the bounds that a root `<svg>` shows, if it has any.
fn viewport(root: &BytesStart) -> Option<Rect> {
    if root.name().into_inner() != "svg" {
        return None;
    }
    let attribute = |name| root.try_get_attribute(name).ok().flatten().map(|attribute| attribute.value);
    let length = |name| attribute(name)?.trim().trim_end_matches("px").parse::<f64>().ok();
    let view_box = attribute("viewBox").and_then(|text| {
        let numbers = text.split([' ', ',', '\t', '\r', '\n']).filter(|number| !number.is_empty());
        <[f64; 4]>::try_from(numbers.map(str::parse).collect::<Result<Vec<_>, _>>().ok()?).ok()
    });
    let [left, top, width, height] = match view_box {
        Some(view_box) => view_box,
        None => [0.0, 0.0, length("width")?, length("height")?],
    };
    let is_valid = width > 0.0 && height > 0.0 && [left, top, width, height].iter().all(|n| n.abs() <= MAX_VIEW_BOX);
    is_valid.then_some(Rect { left, top, right: left + width, bottom: top + height })
}
