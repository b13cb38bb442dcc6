//! A zram device of our own: a block device in memory.
//!
//! The kernel names the new device, so no existing one can be hit.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

const CONTROL: &str = "/sys/class/zram-control";

/// A device that this process added; removed on drop.
#[derive(Debug)]
pub(crate) struct Zram {
    number: u32,
}

impl Zram {
    /// Why none can be added here, if so.
    pub(crate) fn obstacle() -> Option<&'static str> {
        if !Path::new(CONTROL).exists() {
            Some("this kernel has no zram (try `modprobe zram`)")
        } else if !rustix::process::geteuid().is_root() {
            Some("adding a zram device needs root")
        } else {
            None
        }
    }

    /// Add a device of `bytes`.
    pub(crate) fn add(bytes: u64) -> Result<Self> {
        let hot_add = Path::new(CONTROL).join("hot_add");
        // Reading this file is what adds the device.
        let number = fs::read_to_string(&hot_add).context("cannot add a zram device")?;
        let number = number
            .trim()
            .parse()
            .with_context(|| format!("zram number {number}"))?;
        let zram = Self { number };
        let size = zram.attribute("disksize");
        fs::write(&size, bytes.to_string()).with_context(|| size.display().to_string())?;
        Ok(zram)
    }

    pub(crate) fn path(&self) -> PathBuf {
        PathBuf::from(format!("/dev/zram{}", self.number))
    }

    fn attribute(&self, name: &str) -> PathBuf {
        PathBuf::from(format!("/sys/block/zram{}/{name}", self.number))
    }
}

impl Drop for Zram {
    fn drop(&mut self) {
        let hot_remove = Path::new(CONTROL).join("hot_remove");
        let removed = fs::write(self.attribute("reset"), "1")
            .and_then(|()| fs::write(hot_remove, self.number.to_string()));
        if let Err(error) = removed {
            crate::say(&format!("cannot remove {}: {error}", self.path().display()));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_device_comes_with_its_size_and_goes() {
        if let Some(why) = Zram::obstacle() {
            crate::say(&format!("skipped: {why}"));
            return;
        }
        let zram = Zram::add(64 << 20).unwrap();
        let sectors = fs::read_to_string(zram.attribute("size")).unwrap();
        assert_eq!(sectors.trim(), "131072");
        let path = zram.path();
        drop(zram);
        assert!(!path.exists());
    }
}
