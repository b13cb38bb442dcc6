//! What Windows answers about a disk or volume as a whole: its number, size and sectors. A handle
//! on one has no attributes of a file.

use std::io::{Error, ErrorKind, Result};

use crate::ranges::Control;

/// Numbers of `winioctl.h`. That of the length takes a handle that may read; the others take any.
const IOCTL_STORAGE_GET_DEVICE_NUMBER: u32 = 0x002D_1080;
const IOCTL_DISK_GET_LENGTH_INFO: u32 = 0x0007_405C;
const IOCTL_DISK_GET_DRIVE_GEOMETRY: u32 = 0x0007_0000;
const IOCTL_VOLUME_GET_VOLUME_DISK_EXTENTS: u32 = 0x0056_0000;
/// Bytes of the answer to the last: a count, and the first extent.
const EXTENTS: usize = 32;
/// The type of disks and of their partitions.
const FILE_DEVICE_DISK: u32 = 7;
/// The partition of a device that has none, `-1`.
const NONE: u32 = u32::MAX;
/// The driver of disks in a device number, which no Windows has; partitions follow it.
const DRIVER: u32 = 1;

/// A device number as Linux has them: the driver in the upper half, the disk in the lower.
///
/// # Errors
///
/// What the system said; it is no disk. A volume over several disks has no number.
pub(crate) fn number(device: &impl Control) -> Result<u64> {
    let found = device.control(IOCTL_STORAGE_GET_DEVICE_NUMBER, &[], 12)?;
    let [kind, disk, partition] = [field(&found, 0)?, field(&found, 4)?, field(&found, 8)?];
    if kind != FILE_DEVICE_DISK {
        return Err(ErrorKind::Unsupported.into());
    }
    let partition = if partition == NONE { 0 } else { partition };
    let driver = partition.saturating_add(DRIVER);
    Ok(u64::from(driver) << 32 | u64::from(disk))
}

/// Whether this is a volume of disks which has no number: the disk manager of Windows gives none to
/// volumes on dynamic disks.
pub(crate) fn is_on_dynamic_disks(device: &impl Control) -> bool {
    let extents = device.control(IOCTL_VOLUME_GET_VOLUME_DISK_EXTENTS, &[], EXTENTS);
    let count = extents.and_then(|found| field(&found, 0));
    number(device).is_err() && count.is_ok_and(|count| count > 0)
}

/// Bytes of a disk, partition or volume.
///
/// # Errors
///
/// What the system said.
pub(crate) fn size(device: &impl Control) -> Result<u64> {
    let found = device.control(IOCTL_DISK_GET_LENGTH_INFO, &[], 8)?;
    let halves = [field(&found, 0)?, field(&found, 4)?].map(u64::from);
    Ok(halves[1] << 32 | halves[0])
}

/// Bytes of a logical sector, in which every request to it is aligned.
///
/// # Errors
///
/// What the system said.
pub(crate) fn sector(device: &impl Control) -> Result<u32> {
    // Cylinders in 64 bits, the kind of medium, tracks of a cylinder, sectors of a track.
    let found = device.control(IOCTL_DISK_GET_DRIVE_GEOMETRY, &[], 24)?;
    let bytes = field(&found, 20)?;
    let is_usual = bytes.is_power_of_two();
    is_usual
        .then_some(bytes)
        .ok_or_else(|| ErrorKind::InvalidData.into())
}

fn field(answer: &[u8], at: usize) -> Result<u32> {
    let bytes = answer.get(at..at + 4);
    let bytes = bytes.and_then(|bytes| bytes.try_into().ok());
    let number = bytes.map(u32::from_le_bytes);
    number.ok_or_else(|| Error::new(ErrorKind::InvalidData, "the answer is too short"))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A disk as Windows describes one: its type, number and partition, its bytes and its sectors.
    struct Fake([u32; 3], u64, u32);

    /// A volume that has extents and no number.
    struct Dynamic(u32);

    impl Control for Dynamic {
        fn control(&self, code: u32, _: &[u8], room: usize) -> Result<Vec<u8>> {
            if code != IOCTL_VOLUME_GET_VOLUME_DISK_EXTENTS {
                return Err(ErrorKind::Unsupported.into());
            }
            let mut answer = vec![0; room];
            answer[..4].copy_from_slice(&self.0.to_le_bytes());
            Ok(answer)
        }
    }

    #[test]
    fn a_volume_on_dynamic_disks_is_recognised() {
        let found = [2, 1, 0].map(|count| is_on_dynamic_disks(&Dynamic(count)));
        assert_eq!(found, [true, true, false]);
        assert!(!is_on_dynamic_disks(&Fake([FILE_DEVICE_DISK, 3, 1], 0, 0)));
        assert!(!is_on_dynamic_disks(&Fake([2, 3, NONE], 0, 0)));
    }

    impl Control for Fake {
        fn control(&self, code: u32, input: &[u8], room: usize) -> Result<Vec<u8>> {
            assert_eq!(input, []);
            let mut answer = match code {
                IOCTL_STORAGE_GET_DEVICE_NUMBER => self.0.map(u32::to_le_bytes).concat(),
                IOCTL_DISK_GET_LENGTH_INFO => self.1.to_le_bytes().to_vec(),
                IOCTL_DISK_GET_DRIVE_GEOMETRY => {
                    [100, 0, 12, 255, 63, self.2].map(u32::to_le_bytes).concat()
                }
                _ => return Err(ErrorKind::Unsupported.into()),
            };
            answer.truncate(room);
            Ok(answer)
        }
    }

    #[test]
    fn a_disk_and_its_partition_have_numbers_of_their_own() {
        let of = |partition| number(&Fake([FILE_DEVICE_DISK, 3, partition], 0, 0));
        let found = [0, NONE, 1, 2].map(|partition| of(partition).unwrap());
        assert_eq!(found, [1 << 32 | 3, 1 << 32 | 3, 2 << 32 | 3, 3 << 32 | 3]);
        // A CD has numbers of disks, too.
        let error = number(&Fake([2, 3, NONE], 0, 0)).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Unsupported);
    }

    #[test]
    fn a_disk_has_its_size_and_its_sectors() {
        let bytes = (5 << 40) + 512;
        for sectors in [512, 4096] {
            let disk = Fake([FILE_DEVICE_DISK, 0, 0], bytes, sectors);
            let found = (size(&disk).unwrap(), sector(&disk).unwrap());
            assert_eq!(found, (bytes, sectors));
        }
        for odd in [0, 520] {
            let error = sector(&Fake([FILE_DEVICE_DISK, 0, 0], bytes, odd)).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::InvalidData);
        }
    }

    #[test]
    fn an_answer_that_is_cut_is_an_error() {
        struct Short;
        impl Control for Short {
            fn control(&self, _: u32, _: &[u8], _: usize) -> Result<Vec<u8>> {
                Ok(vec![7, 0, 0, 0, 0])
            }
        }
        let errors = [
            number(&Short).unwrap_err(),
            size(&Short).unwrap_err(),
            sector(&Short).map(u64::from).unwrap_err(),
        ];
        let words = errors.map(|error| error.to_string());
        assert_eq!(words, ["the answer is too short"; 3]);
    }
}
