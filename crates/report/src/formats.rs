//! One module for each output format.

pub(crate) mod dd_text;
pub mod diskspd;
pub(crate) mod iometer_csv;
pub(crate) mod iotest_text;
pub(crate) mod json;
pub(crate) mod text;
