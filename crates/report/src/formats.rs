//! One module for each output format.

pub(crate) mod brief;
pub(crate) mod csv;
pub(crate) mod dd_text;
pub mod diskspd;
mod fio_figures;
pub(crate) mod fio_iolog;
pub(crate) mod fio_json;
pub(crate) mod fio_layout;
pub(crate) mod fio_log;
mod fio_normal;
mod fio_steady;
mod fio_terse;
mod fio_when;
pub(crate) mod hlog;
pub(crate) mod html;
pub(crate) mod iometer_csv;
pub(crate) mod iotest_text;
pub(crate) mod json;
pub(crate) mod markdown;
pub(crate) mod openmetrics;
pub(crate) mod slowest;
pub(crate) mod text;
