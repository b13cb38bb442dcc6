//! Sends results to where they are collected: one URL, one [`Destination`]; one file in
//! `transports` and one line in its table for each transport.
//!
//! Nothing here knows what a result is: a [`Message`] is a subject, a text and files. A password
//! appears in no URL (`ps` and a history would show it) but in the user's netrc file.
#![forbid(unsafe_code)]
#![deny(missing_docs)]

mod arrivals;
mod destination;
mod failure;
mod message;
mod netrc;
mod platform;
mod tls;
mod transports;

pub use arrivals::{Arrived, arrived, folder};
pub use destination::Destination;
pub use failure::{DestinationError, Failure};
pub use message::{Attachment, Message};
pub use netrc::{Login, Netrc};
pub use transports::{AddressForm, forms, is_stick_mark};
