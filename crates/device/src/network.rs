//! Network links: what they carry, and what they have carried.

use std::path::{Path, PathBuf};

use crate::counter::Position::Attribute;
use crate::counter::{Family as _, counters};
use crate::sysfs::{names_in, text, value};

counters! {
    /// What a network link has carried since it was made.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    pub struct LinkCounters in "/sys/class/net/NAME/" {
        /// Bytes that came.
        received_bytes: u64 = Attribute("statistics/rx_bytes"), Bytes;
        /// Bytes that went.
        sent_bytes: u64 = Attribute("statistics/tx_bytes"), Bytes;
    }
}

impl LinkCounters {
    /// What was carried since an earlier look.
    #[must_use]
    pub fn since(&self, earlier: &Self) -> Self {
        self.passed_since(earlier)
    }
}

/// A link of this machine that is up and says how much it carries. Links without a device of their
/// own (bridges, tunnels, those of containers) are not counted: what they carry goes over others.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NetworkLink {
    /// Name of the interface.
    pub name: String,
    /// What it carries in each direction, bits a second.
    pub bits_per_second: u64,
    folder: PathBuf,
}

impl NetworkLink {
    /// Those of this machine.
    pub fn live() -> Vec<Self> {
        Self::below(Path::new("/sys/class/net"))
    }

    fn below(folder: &Path) -> Vec<Self> {
        let names = names_in(folder).unwrap_or_default().into_iter();
        let link = |name: String| {
            let folder = folder.join(&name);
            let is_up = text(&folder, "operstate").is_some_and(|state| state == "up");
            // Virtual adapters say -1, or refuse to be read.
            let megabits: i64 = value(&folder, "speed")?;
            let megabits = u64::try_from(megabits).ok().filter(|speed| *speed > 0)?;
            (is_up && folder.join("device").exists()).then_some(Self {
                name,
                bits_per_second: megabits * 1_000_000,
                folder,
            })
        };
        names.filter_map(link).collect()
    }

    /// What it has carried.
    pub fn counters(&self) -> Option<LinkCounters> {
        LinkCounters::reading(|counter| counter.below(&self.folder))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn only_links_that_say_what_they_carry_are_counted() {
        let dir = tempfile::tempdir().unwrap();
        for (name, speed, state, is_real) in [
            ("eth0", "10000\n", "up\n", true),
            ("eth1", "1000\n", "down\n", true),
            ("eth2", "-1\n", "up\n", true),
            ("br0", "10000\n", "up\n", false),
        ] {
            let folder = dir.path().join(name);
            fs::create_dir_all(folder.join("statistics")).unwrap();
            fs::write(folder.join("speed"), speed).unwrap();
            fs::write(folder.join("operstate"), state).unwrap();
            fs::write(folder.join("statistics/rx_bytes"), "700\n").unwrap();
            fs::write(folder.join("statistics/tx_bytes"), "30\n").unwrap();
            if is_real {
                fs::create_dir(folder.join("device")).unwrap();
            }
        }
        let links = NetworkLink::below(dir.path());
        let told: Vec<_> = links
            .iter()
            .map(|one| (one.name.as_str(), one.bits_per_second))
            .collect();
        assert_eq!(told, [("eth0", 10_000_000_000)]);
        let then = links[0].counters().unwrap();
        assert_eq!((then.received_bytes, then.sent_bytes), (700, 30));
        fs::write(dir.path().join("eth0/statistics/rx_bytes"), "1700\n").unwrap();
        let passed = links[0].counters().unwrap().since(&then);
        assert_eq!((passed.received_bytes, passed.sent_bytes), (1000, 0));
    }
}
