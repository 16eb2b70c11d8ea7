//! What the fuzz targets have in common: properties of what is accepted and of what is refused.

pub mod drawing;
pub mod event;
pub mod png;
pub mod rejection;
