//! What the options of a job file are written from, and with.

mod kinds;
pub(super) mod pacing;
mod pen;
pub(super) mod place;
mod section;
mod subject;
pub(super) mod times;
pub(super) mod unsaid;

pub(super) use pen::Pen;
pub(super) use section::{Section, render, size, time};
pub(super) use subject::{OfJob, OfRun, Turn};
