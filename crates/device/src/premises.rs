//! What surrounds a file on Windows and changes what a request costs, as far as its own tools say.

/// It is empty where nobody tells, as on other systems.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Premises {
    /// Programs that have the file open, perhaps through the cache, as `sqlservr.exe (process
    /// 1234)`.
    pub openers: Vec<String>,
    /// Why that is not known, if it is not: a sentence without its end.
    pub openers_unknown: Option<String>,
    /// The file keeps checksums of its content (integrity streams of ReFS), so that each write is
    /// one to another place.
    pub integrity: bool,
    /// The virus scanner looks at every file that is opened, and this one is not excluded. Whether
    /// it is may be kept from this user.
    pub scanned: Option<Scanned>,
    /// The state of the encryption of the volume, as in `FullyEncrypted XtsAes128`.
    pub encryption: Option<String>,
    /// Storage pools, virtual disks and jobs that are not at rest, each with its state.
    pub arrays: Vec<(String, String)>,
    /// The node that owns the cluster shared volume, where that is another one.
    pub owner: Option<String>,
    /// Why requests to a cluster shared volume go by another node, as in `FileSystemRedirected`.
    pub redirected: Option<String>,
    /// The power plan, if it is not one for performance.
    pub power_plan: Option<String>,
    /// The Storage Spaces that the volume lies on, and their tiers.
    pub spaces: Vec<StorageSpace>,
    /// Why the tools of the system gave no answer, or not all of it: a sentence without its end.
    pub silent: Option<String>,
}

/// How a Storage Space, or a tier of one, lies on its disks.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StorageSpace {
    /// As the user calls it.
    pub name: String,
    /// As `Mirror`, `Parity` or `Simple`.
    pub resiliency: String,
    /// Disks that a stripe lies on, or groups of them.
    pub columns: u32,
    /// What of a stripe lies on one of them.
    pub interleave_bytes: u64,
    /// Of the data; none where it is not stated.
    pub copies: Option<u32>,
}

/// How the virus scanner looks at a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scanned {
    /// No exclusion covers it.
    Surely,
    /// Only an administrator sees the exclusions.
    Perhaps,
}
