//! DISKSPD's XML: the profile that `-X` reads, and the tree that profiles and results are
//! written from.

mod element;
mod read;
mod row;
mod span;
mod target;

pub use element::Element;
pub use read::profile_element;
pub(super) use read::read;
pub use target::with_rest;
