//! The I/O scheduler of a block device, which is switched where a load asks for one.

use std::io;
use std::io::Write as _;

use crate::devnum::DevNum;
use crate::sysfs::{self, Sysfs};

/// Has the queue of a block device scheduled by `wanted`; that of its disk where it is a partition.
/// It stays so. A device without a choice has `none`.
///
/// # Errors
///
/// What the system says; [`io::ErrorKind::Unsupported`] where the device has no such scheduler.
pub fn switch_scheduler(sysfs: &Sysfs, dev: DevNum, wanted: &str) -> io::Result<()> {
    let name = sysfs.block_name(dev).map_err(io::Error::other)?;
    let dir = sysfs.block_dir(&name).map_err(io::Error::other)?;
    let disk = dir.parent().filter(|_| dir.join("partition").exists());
    let queue = disk.unwrap_or(&dir).join("queue");
    let offered = || sysfs::text(&queue, "scheduler").unwrap_or_else(|| "none".to_owned());
    if is_active(&offered(), wanted) {
        return Ok(());
    }
    let wrote = write(&queue.join("scheduler"), wanted);
    if is_active(&offered(), wanted) {
        return Ok(());
    }
    match wrote {
        Err(error) if error.kind() == io::ErrorKind::PermissionDenied => Err(error),
        Ok(()) | Err(_) => {
            let offered = offered().replace(['[', ']'], "");
            let message = format!("its schedulers are {}", offered.replace(' ', ", "));
            Err(io::Error::new(io::ErrorKind::Unsupported, message))
        }
    }
}

/// Whether it is the one of those on offer that is in brackets, or the only one.
fn is_active(offered: &str, wanted: &str) -> bool {
    let mut words = offered.split_whitespace();
    let bracketed = format!("[{wanted}]");
    offered == wanted || words.any(|word| word == bracketed)
}

fn write(attribute: &std::path::Path, text: &str) -> io::Result<()> {
    #[expect(
        clippy::disallowed_methods,
        reason = "an attribute of the kernel, which is there and no file"
    )]
    let mut file = std::fs::OpenOptions::new()
        .write(true)
        .truncate(true)
        .open(attribute)?;
    // The kernel takes it in one piece.
    file.write_all(text.as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::Machine;

    /// A file keeps what is written to it, and has no brackets: no switch is seen.
    #[test]
    fn only_what_is_on_offer_is_active() {
        let of = |offered: Option<&str>, wanted: &str| {
            let mut machine = Machine::new();
            machine.disk("sda", DevNum::new(8, 0), 100);
            machine.partition("sda", "sda1", DevNum::new(8, 1), 10);
            if let Some(offered) = offered {
                machine.attribute("sda", "queue/scheduler", offered);
            }
            let system = machine.system();
            let told = switch_scheduler(&system.sysfs, DevNum::new(8, 1), wanted);
            told.map_err(|error| error.to_string())
        };
        let offered = Some("none [mq-deadline] kyber\n");
        assert_eq!(of(offered, "mq-deadline"), Ok(()));
        assert_eq!(of(None, "none"), Ok(()));
        assert_eq!(of(Some("none\n"), "none"), Ok(()));
        let without = of(None, "kyber");
        assert_eq!(without, Err("its schedulers are none".to_owned()));
        // It is written to the queue of the disk.
        assert_eq!(of(offered, "kyber"), Ok(()));
    }
}
