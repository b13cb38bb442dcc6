//! The history: every run kept in one SQLite file.
#![forbid(unsafe_code)]
#![deny(missing_docs)]
