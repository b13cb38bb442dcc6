//! The compartment for what only job files of other programs ask for.

use super::{BlockForm, DataFile};
use crate::is_default::is_default;
use crate::units::Bytes;
use serde::{Deserialize, Serialize};

/// In which order several targets have their turns, where it is not one after the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum TargetOrder {
    /// Any, whatever the requests before went to; each target begins anew by itself.
    Drawn,
}

/// The hint to the kernel about coming reads, for its read-ahead.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum ReadAhead {
    /// They are in order.
    Sequential,
}

/// What a job has because a job file of another program asks for it, and nobody would write in a
/// profile: the order of targets, the life of files, control of the page cache, forms of
/// verification, content and pauses.
///
/// A job leaves the plain path of the loop if [`Compat::is_of_requests`].
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Compat {
    /// Which target a thread goes to where they share its depth; in turn without it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub target_order: Option<TargetOrder>,
    /// Of targets that are drawn, how often each is, in their order: the share of the sum. All
    /// alike without them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub target_weights: Vec<u32>,
    /// Nothing of a fresh file goes: its bytes are written over where they are, and it grows where
    /// it ends before the job does.
    #[serde(default, skip_serializing_if = "is_default")]
    pub uncut: bool,
    /// The pages are dropped again each time a thread has requested this many bytes. The load does
    /// not pause, and pages that are not written back yet stay.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cold_again: Option<Bytes>,
    /// The advice to the kernel about the reads (`posix_fadvise`). Without it, random reads are
    /// announced as random.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub read_ahead: Option<ReadAhead>,
    /// The form in which blocks describe themselves.
    #[serde(default, skip_serializing_if = "BlockForm::is_own")]
    pub verify_as: BlockForm,
    /// Bytes of a block in a form of fio's; without it, each request is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub verify_interval: Option<Bytes>,
    /// Writes of a thread after which it reads them back before it goes on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub verify_backlog: Option<u32>,
    /// The file that supplies the content of writes, with `fill = "file"`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub data_file: Option<DataFile>,
    /// The targets are created and laid out, but the job makes no request.
    #[serde(default, skip_serializing_if = "is_default")]
    pub idle: bool,
}

impl Compat {
    /// Whether single requests depend on it. Files and advice are prepared before the load starts,
    /// and passes are counted for many requests at once.
    pub fn is_of_requests(&self) -> bool {
        let prepared = Self {
            uncut: self.uncut,
            cold_again: self.cold_again,
            read_ahead: self.read_ahead,
            ..Self::default()
        };
        *self != prepared
    }

    /// `None` if it asks for nothing.
    pub fn boxed(self) -> Option<Box<Self>> {
        (self != Self::default()).then(|| Box::new(self))
    }
}

/// Of a job that has none.
pub(super) static NOTHING: Compat = Compat {
    target_order: None,
    target_weights: Vec::new(),
    uncut: false,
    cold_again: None,
    read_ahead: None,
    verify_as: BlockForm::Fathom,
    verify_interval: None,
    verify_backlog: None,
    data_file: None,
    idle: false,
};
