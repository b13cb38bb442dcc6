//! Volumes: models of what limits them, what they cost, and the planner over both.
//!
//! - [`catalog`]: what vendors state, each figure with its source and the days on which it held.
//!   [`Catalog::embedded`] is what comes with the program.
//! - [`feed`]: the vendors' own feeds of prices and limits, as rows that add to the catalogue.
//! - [`classes`]: what classes of devices give, by data sheets and tests.
//! - [`fit`]: whether a recorded load fits on volumes.
//! - [`model`]: what a volume does with requests, one by one or many at once; [`models`] holds the
//!   physics.
//!
//! The crate is pure: it reads no file and no clock. Whoever asks says for which day.
#![forbid(unsafe_code)]
#![deny(missing_docs)]
#![cfg_attr(
    test,
    allow(clippy::disallowed_methods, reason = "tests make files of their own")
)]

pub mod catalog;
pub mod classes;
pub mod feed;
pub mod fit;
pub mod forecast;
pub mod layout;
pub mod model;
pub mod models;
pub mod plan;
pub mod sizing;

pub use catalog::{
    Catalog, CatalogError, Cloud, Confidence, Evidence, InstanceType, PriceBook, VolumeLimits,
    VolumeOrder, VolumeType,
};
pub use forecast::forecast;
pub use layout::Layout;
pub use model::{Admission, Demand, Flow, FlowKind, IoShape, Served, VolumeModel, VolumeState};
pub use models::System;
