//! What sections do beside requests.

/// When files are made and removed, and which there are.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(in crate::fio) struct MadeTold {
    /// Folders whose files are all meant.
    pub(in crate::fio) folders: Vec<String>,
    /// Whether they are not laid out before.
    pub(in crate::fio) on_open: bool,
    /// Whether they are removed between two passes.
    pub(in crate::fio) each_loop: bool,
}
