//! The engines, one file each.

pub mod sim;
