//! Linux.

mod member;
mod process;
mod server;
mod signals;
mod terminal;
mod tty;

pub(crate) use member::{over_stdio, over_tcp};
pub(crate) use process::{apart, end_with_parent, interrupt, processors, was_asked_to_end};
pub(crate) use server::{Listening, listen, listen_at, own, serve, serve_inherited};
pub(crate) use signals::{
    ASK_FOR_AN_END, Signals, emulate_default_handler, outlive_file_limits, raise_when_asked,
};
pub(crate) use terminal::{columns, is_ours, would_wait};
pub(crate) use tty::Tty;
