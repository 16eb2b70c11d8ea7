//! Seat maps: safe drawings, the rules of a hall, its stored encoding, and its picture.

pub mod choice;
pub mod codec;
pub mod drawing;
pub mod plan;
pub mod seat_map;
pub mod svg;
