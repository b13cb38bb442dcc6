//! What the kernel swaps to: `/proc/swaps`.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::error::DeviceError;
use crate::mounts::unescape;

/// One swap area in use.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SwapArea {
    /// Block device or file.
    pub path: PathBuf,
    pub size_bytes: u64,
    /// How much of it is occupied.
    pub used_bytes: u64,
    /// Higher is taken first.
    pub priority: i32,
}

/// All swap areas in use.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Swaps(pub Vec<SwapArea>);

impl Swaps {
    /// Reads the areas in use now. A kernel without swap has no such file and no area.
    pub fn live() -> Result<Self, DeviceError> {
        let path = Path::new("/proc/swaps");
        match crate::input::read(path) {
            Ok(text) => Self::parse(&text),
            Err(error)
                if error.kind() == std::io::ErrorKind::NotFound
                    && fathom_platform::system::sysinfo().totalswap == 0 =>
            {
                Ok(Self::default())
            }
            Err(error) => Err(DeviceError::read(path, error)),
        }
    }

    /// Parses the text of `/proc/swaps`: a heading, then a line an area, sizes in KiB.
    pub fn parse(text: &[u8]) -> Result<Self, DeviceError> {
        text.split(|byte| *byte == b'\n')
            .skip(1)
            .filter(|line| !line.is_empty())
            .map(parse_line)
            .collect::<Result<_, _>>()
            .map(Self)
    }
}

fn parse_line(line: &[u8]) -> Result<SwapArea, DeviceError> {
    let malformed = || DeviceError::malformed("/proc/swaps", String::from_utf8_lossy(line));
    let fields: Vec<&[u8]> = line
        .split(u8::is_ascii_whitespace)
        .filter(|field| !field.is_empty())
        .collect();
    let [path, _kind, size, used, priority] = fields[..] else {
        return Err(malformed());
    };
    let text = |field| std::str::from_utf8(field).map_err(|_| malformed());
    let kib = |field| text(field)?.parse::<u64>().map_err(|_| malformed());
    Ok(SwapArea {
        path: unescape(path).into(),
        size_bytes: kib(size)? * 1024,
        used_bytes: kib(used)? * 1024,
        priority: text(priority)?.parse().map_err(|_| malformed())?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parses_devices_and_files() {
        let text = b"Filename\t\t\t\tType\t\tSize\t\tUsed\t\tPriority\n\
/dev/sda2                               partition\t8388604\t\t1024\t\t-2\n\
/var/swap\\040file                       file\t\t1048572\t\t0\t\t5\n";
        let area = |path: &str, kib: u64, used_kib: u64, priority| SwapArea {
            path: path.into(),
            size_bytes: kib * 1024,
            used_bytes: used_kib * 1024,
            priority,
        };
        assert_eq!(
            Swaps::parse(text).unwrap().0,
            [
                area("/dev/sda2", 8_388_604, 1024, -2),
                area("/var/swap file", 1_048_572, 0, 5)
            ]
        );
        assert_eq!(
            Swaps::parse(b"Filename Type Size Used Priority\n")
                .unwrap()
                .0,
            []
        );
    }

    #[test]
    fn a_strange_line_is_named() {
        assert_eq!(
            Swaps::parse(b"Filename\n/dev/sda2 partition\n")
                .unwrap_err()
                .to_string(),
            "cannot understand /proc/swaps: \"/dev/sda2 partition\""
        );
    }
}
