//! A compressed-memory disk of our own: a fast block device without hardware.

use std::fs;
use std::path::PathBuf;

use anyhow::{Context, Result};

const CONTROL: &str = "/sys/class/zram-control";

/// A device that was added for us and is removed when dropped.
pub struct Zram {
    number: u32,
}

impl Zram {
    /// Adds a device of this size, never written: a read of it is a memset of the reader's buffer.
    pub fn add(size_bytes: u64) -> Result<Self> {
        let number = fs::read_to_string(format!("{CONTROL}/hot_add"))
            .with_context(|| format!("cannot add a zram device through {CONTROL}"))?;
        let number = number
            .trim()
            .parse()
            .context("the number of the new zram device")?;
        let zram = Self { number };
        fs::write(zram.attribute("disksize"), size_bytes.to_string())
            .with_context(|| format!("cannot set the size of zram{number}"))?;
        Ok(zram)
    }

    pub fn path(&self) -> PathBuf {
        PathBuf::from(format!("/dev/zram{}", self.number))
    }

    fn attribute(&self, name: &str) -> PathBuf {
        PathBuf::from(format!("/sys/block/zram{}/{name}", self.number))
    }
}

impl Drop for Zram {
    fn drop(&mut self) {
        let removed = fs::write(self.attribute("reset"), "1")
            .and_then(|()| fs::write(format!("{CONTROL}/hot_remove"), self.number.to_string()));
        if let Err(error) = removed {
            eprintln!("warning: {} is left behind: {error}", self.path().display());
        }
    }
}
