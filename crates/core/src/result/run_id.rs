//! The name of a run.

use crate::units::timestamp;

/// A name that sorts by time and is unique: the UTC second and twelve hexadecimal digits made
/// from the nanosecond and `entropy`, as in `20261121T093000Z-1f3a9c44e0b2`.
pub fn run_id(utc_ns: u64, entropy: u64) -> String {
    // The finaliser of splitmix64: neighbouring instants get unlike digits.
    let mut mixed = utc_ns ^ entropy.rotate_left(40);
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    mixed ^= mixed >> 31;
    let stamp = timestamp(utc_ns).strftime("%Y%m%dT%H%M%SZ").to_string();
    format!("{stamp}-{:012x}", mixed >> 16)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_carry_their_second() {
        let utc_ns = 1_795_253_400_123_456_789;
        let (name, next) = (run_id(utc_ns, 1), run_id(utc_ns + 1, 1));
        assert_eq!(&name[..17], "20261121T093000Z-");
        assert_eq!(name.len(), 29);
        assert_ne!(name, next);
    }
}
