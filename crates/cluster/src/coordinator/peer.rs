//! One connection.

use crate::link::Link;
use crate::message::{ToCoordinator, ToMember};
use crate::token::Nonce;
use fathom_core::Nanos;

#[derive(Debug)]
pub(super) struct Peer {
    pub(super) link: Link<ToMember, ToCoordinator>,
    /// What it was challenged with.
    pub(super) nonce: Nonce,
    /// Who it is, or must be.
    pub(super) rank: Option<u32>,
    /// Whether it has shown that it knows the token.
    pub(super) is_known: bool,
    /// When it came.
    pub(super) came: Nanos,
    /// When anything was last heard of it.
    pub(super) heard: Nanos,
    /// Whether its silence was reported to the user.
    pub(super) is_silent: bool,
    pub(super) is_open: bool,
}

impl Peer {
    pub(super) const fn new(
        link: Link<ToMember, ToCoordinator>,
        nonce: Nonce,
        rank: Option<u32>,
        now: Nanos,
    ) -> Self {
        Self {
            link,
            nonce,
            rank,
            is_known: false,
            came: now,
            heard: now,
            is_silent: false,
            is_open: true,
        }
    }
}
