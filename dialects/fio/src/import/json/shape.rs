//! The parts of fio's document around its rows that are used, by fio's names.

use crate::import::shape::{Job, OptionMap};
use serde::Deserialize;

#[derive(Debug, Deserialize)]
pub(super) struct Document {
    #[serde(rename = "fio version")]
    pub(super) version: String,
    #[serde(default)]
    pub(super) timestamp: Option<u64>,
    #[serde(default)]
    pub(super) timestamp_ms: Option<u64>,
    #[serde(default, rename = "global options")]
    pub(super) global_options: OptionMap,
    #[serde(default)]
    pub(super) jobs: Option<Vec<Job>>,
    #[serde(default)]
    pub(super) client_stats: Option<Vec<Job>>,
    /// Only in documents that Fathom has written.
    #[serde(default)]
    pub(super) fathom: Option<Fathom>,
}

#[derive(Debug, Deserialize)]
pub(super) struct Fathom {
    pub(super) state: String,
    pub(super) caveats: Vec<Reason>,
}

#[derive(Debug, Deserialize)]
pub(super) struct Reason {
    pub(super) code: String,
    pub(super) message: String,
}
