//! Code shared by the fuzz targets: properties of accepted and of rejected input.

pub mod drawing;
pub mod event;
pub mod png;
pub mod rejection;
