//! Code shared by the fuzz targets: properties of accepted and of rejected input.

// The unit tests of `seating` use it, too.
#[path = "../../shared/seating/src/svg/cross_check.rs"]
pub mod cross_check;
pub mod drawing;
pub mod event;
pub mod rejection;

use seating::svg::allow_list;
