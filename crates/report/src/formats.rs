//! One module for each output format.

pub(crate) mod json;
pub(crate) mod text;
