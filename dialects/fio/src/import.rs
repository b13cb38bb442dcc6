//! Results that fio wrote, as Fathom's own.

pub(crate) mod json;
pub(crate) mod log;
mod options;
mod rows;
mod shape;
pub(crate) mod terse;
