//! The physics, one file for each part; [`System`] puts them together.
//!
//! A request goes through stages of limits (the way from the machine, a pool, the volume), then to
//! a device that takes its time. Arrays turn one request into several of their members. New
//! physics is a new file here, and where it is used: a law of service in `service`, a layer over
//! a [`VolumeModel`](crate::model::VolumeModel) in [`layers`], or a kind of [`Node`].

mod device;
mod fluid;
mod gate;
mod hosts;
pub mod layers;
mod limiter;
mod meter;
mod mirror;
mod node;
mod parity;
mod roles;
mod service;
pub(crate) mod streams;
mod stripe;
mod system;
mod waits;

pub use device::{Device, Seek};
pub use gate::HostCache;
pub use hosts::Hosts;
pub use limiter::Limiter;
pub use meter::Meter;
pub use mirror::Mirror;
pub use node::{Node, Stage};
pub use parity::Parity;
pub use roles::Roles;
pub use service::ServiceLaw;
pub use stripe::Stripe;
pub use system::System;
pub use waits::{Counted, Counts, Waits};
