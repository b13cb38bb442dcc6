//! Linux.

mod answers;
mod member;
mod process;
mod server;
mod signals;
mod terminal;
mod tty;

use fathom_tools::Drive;

/// Environment variables with the folder for the user's data, and the folder below it.
pub(crate) const DATA_FOLDERS: [(&str, &str); 2] =
    [("XDG_DATA_HOME", ""), ("HOME", ".local/share")];

/// The same for the user's configuration.
pub(crate) const CONFIG_FOLDERS: [(&str, &str); 2] = [("XDG_CONFIG_HOME", ""), ("HOME", ".config")];

/// Paths with drives lead nowhere, unless it is said where.
pub(crate) const fn own_drives() -> Vec<Drive> {
    Vec::new()
}

/// Whether every command is available.
pub(crate) const HAS_ALL: bool = true;

pub(crate) use answers::answer_all;
pub(crate) use member::{over_stdio, over_tcp};
pub(crate) use process::{
    DEATH_OF_PARENT, apart, end_with_parent, interrupt, own, processors, was_asked_to_end,
};
pub(crate) use server::{Listening, inherited, listen, listen_at, serve};
pub(crate) use signals::{
    ASK_FOR_AN_END, Signals, emulate_default_handler, outlive_file_limits, raise_when_asked,
};
pub(crate) use terminal::{columns, is_ours, would_wait};
pub(crate) use tty::Tty;
