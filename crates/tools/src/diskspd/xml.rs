//! DISKSPD's XML: the profile that `-X` reads, and the tree that profiles and results are
//! written from.

mod element;
mod read;
mod target;
mod write;

pub use element::Element;
pub(super) use read::read;
pub use write::{profile_element, with_rest};
