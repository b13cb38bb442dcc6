//! One module for each output format.

pub(crate) mod brief;
pub(crate) mod csv;
pub(crate) mod hlog;
pub(crate) mod html;
pub(crate) mod json;
pub(crate) mod junit;
pub(crate) mod markdown;
pub(crate) mod openmetrics;
pub(crate) mod text;
