//! Volumes: models of what limits them, what they cost, and the planner over both.
//!
//! - [`catalog`]: what vendors state, each figure with its source and the days on which it held.
//!   [`Catalog::embedded`] is what comes with the program.
//!
//! The crate is pure: it reads no file and no clock. Whoever asks says for which day.
#![forbid(unsafe_code)]
#![deny(missing_docs)]

pub mod catalog;

pub use catalog::{
    Catalog, CatalogError, Cloud, Confidence, Evidence, InstanceType, PriceBook, VolumeLimits,
    VolumeOrder, VolumeType,
};
