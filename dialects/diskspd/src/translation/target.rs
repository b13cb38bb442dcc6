//! Which file a target is, and how much of it is used.

use super::Work;
use crate::options;
use crate::profile::{Ranges, Target};
use crate::source::At;
use fathom_core::units::Bytes;
use fathom_tools::drives::{RAW, are_own, on_drive};
use fathom_tools::writers::is_device_path;
use std::path::Path;

/// The used part of a target.
#[derive(Clone, Copy, Debug)]
pub(super) struct Used {
    /// Size of the file to make or to use.
    pub(super) size: Option<Bytes>,
    /// Length of the part, when it is not all up to the end.
    pub(super) window: Option<Bytes>,
    /// Bytes of the part.
    pub(super) length: u64,
}

/// Whether Windows would look for a device there: `#1`, `C:`.
fn is_windows_device(path: &str) -> bool {
    let number = path.strip_prefix('#');
    on_drive(path).is_some_and(|(_, rest)| rest.is_empty())
        || number.is_some_and(|n| !n.is_empty() && n.bytes().all(|b| b.is_ascii_digit()))
}

/// Whether it is a path of Windows: `C:\a`, `C:a`, `\\server\share`.
fn is_windows_path(path: &str) -> bool {
    on_drive(path).is_some() || path.contains('\\')
}

impl Work<'_> {
    /// What of a target is used; none when it cannot be.
    pub(super) fn used(&mut self, target: &Target, at: At) -> Option<Used> {
        let path = target.path.as_str();
        let place = |work: &Self| work.source.target(at, path);
        let row = if is_windows_device(path) {
            Some(options::PHYSICAL)
        } else {
            let is_here = !is_windows_path(path) || are_own(self.surroundings.drives());
            (!is_here).then_some(options::WINDOWS_PATH)
        };
        if let Some(row) = row {
            let error = self.source.error(
                place(self),
                format!("`{path}` cannot be used here: {}", row.remark),
                row.remedy,
            );
            self.errors.push(error);
            return None;
        }
        let device = is_device_path(path);
        if device && target.file_bytes.is_some() {
            self.say(&options::CREATE_DEVICE, at);
        }
        let make = target.file_bytes.filter(|_| !device);
        if make.is_some() {
            self.say(&options::CREATE, at);
        }
        let size = make.or_else(|| self.surroundings.size_bytes(Path::new(path)));
        if size.is_none() && self.surroundings.is_elsewhere() && target.max_bytes.is_none() {
            return self.elsewhere(target, at);
        }
        let Some(size) = size else {
            let mut remedy = "`-c<size>` makes it, as in `-c10G`".to_owned();
            if path.ends_with(',') {
                "names are parted by blanks, without a comma".clone_into(&mut remedy);
            } else if path.bytes().all(|byte| byte.is_ascii_digit()) {
                "write a number right after its option, as in `-t8`".clone_into(&mut remedy);
            }
            let mut message = format!("there is no file `{path}`");
            if path.starts_with(RAW) {
                message = format!("`{path}` is not there, or cannot be opened");
                "a disk or volume that is there, as administrator".clone_into(&mut remedy);
            }
            let error = self.source.error(place(self), message, &remedy);
            self.errors.push(error);
            return None;
        };
        let end = target.max_bytes.map_or(size, |max| max.min(size));
        let length = end.saturating_sub(target.base_bytes);
        if length < target.block_bytes {
            let message = format!(
                "`{path}` has {size} bytes, which leaves {length} for blocks of {}",
                target.block_bytes
            );
            let remedy = "a larger target, or smaller `-b` and `-B`";
            let error = self.source.error(place(self), message, remedy);
            self.errors.push(error);
            return None;
        }
        let whole = target.base_bytes + length == size;
        Some(Used {
            size: make.map(Bytes),
            window: (!whole).then_some(Bytes(length)),
            length,
        })
    }

    /// What is used of a target that is not here: all of it, whatever that is.
    fn elsewhere(&mut self, target: &Target, at: At) -> Option<Used> {
        let ranges = &target.order.ranges;
        if target.thread_stride_bytes == 0 && !matches!(ranges, Ranges::Absolute(_)) {
            return Some(Used {
                size: None,
                window: None,
                length: u64::MAX,
            });
        }
        let path = target.path.as_str();
        let message = format!("the size of `{path}` is needed, and it is not here");
        let remedy = "--assume-size with its size, as in --assume-size 10GiB";
        let place = self.source.target(at, path);
        self.errors.push(self.source.error(place, message, remedy));
        None
    }
}
