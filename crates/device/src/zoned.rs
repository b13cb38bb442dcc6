//! Devices that are written zone by zone: each zone from its start, in order, and not again
//! until it is reset as a whole.

use std::fmt;

use crate::sysfs::{Sysfs, text, value};

/// How such a device is divided, as far as the kernel says. None of a number means no limit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Zoned {
    /// Bytes from the start of a zone to that of the next.
    pub zone_bytes: u64,
    /// Zones of the device.
    pub zones: u64,
    /// Zones that can be open at once.
    pub most_open: Option<u64>,
    /// Zones that can be begun and not full at once.
    pub most_active: Option<u64>,
}

impl Zoned {
    /// Of a block device by its kernel name; none of one that can be written anywhere.
    pub fn of(sysfs: &Sysfs, name: &str) -> Option<Self> {
        let queue = sysfs.block_dir(name).ok()?.join("queue");
        if text(&queue, "zoned")? != "host-managed" {
            return None;
        }
        let limit = |name| value::<u64>(&queue, name).filter(|limit| *limit > 0);
        Some(Self {
            // Of a zoned device this is the size of its zones, in sectors of 512 bytes.
            zone_bytes: limit("chunk_sectors").unwrap_or(0) * 512,
            zones: limit("nr_zones").unwrap_or(0),
            most_open: limit("max_open_zones"),
            most_active: limit("max_active_zones"),
        })
    }
}

impl fmt::Display for Zoned {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mebibytes = self.zone_bytes >> 20;
        write!(f, "{} zones of {mebibytes} MiB", self.zones)?;
        match self.most_open {
            Some(most) => write!(f, ", at most {most} open"),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::devnum::DevNum;
    use crate::fixture::Machine;

    #[test]
    fn only_what_must_be_written_in_order_is_zoned() {
        let mut machine = Machine::new();
        let models = [
            ("sda", "none"),
            ("sdb", "host-aware"),
            ("sdc", "host-managed"),
        ];
        for (minor, (name, model)) in (0..).zip(models) {
            machine.disk(name, DevNum::new(8, minor), 64);
            machine.attribute(name, "queue/zoned", model);
            machine.attribute(name, "queue/chunk_sectors", "8192");
            machine.attribute(name, "queue/nr_zones", "16");
            machine.attribute(name, "queue/max_open_zones", "4");
            machine.attribute(name, "queue/max_active_zones", "0");
        }
        machine.disk("sdd", DevNum::new(8, 9), 64);
        let system = machine.system();
        let of = |name| Zoned::of(&system.sysfs, name);
        assert_eq!(
            [of("sda"), of("sdb"), of("sdd"), of("gone")],
            [None, None, None, None]
        );
        let found = of("sdc").unwrap();
        let expected = Zoned {
            zone_bytes: 4 << 20,
            zones: 16,
            most_open: Some(4),
            most_active: None,
        };
        assert_eq!(found, expected);
        assert_eq!(found.to_string(), "16 zones of 4 MiB, at most 4 open");
    }
}
