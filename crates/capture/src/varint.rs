//! Numbers in as few bytes as they need: seven bits a byte, the lowest first, the highest bit of
//! each byte but the last set.

/// Most bytes of a number.
const MOST_BYTES: usize = 10;

/// Adds a number.
pub fn put(bytes: &mut Vec<u8>, mut number: u64) {
    while number > 0x7f {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}

/// Takes a number from the front; none where there is none, or one beyond 64 bits.
pub fn take(bytes: &mut &[u8]) -> Option<u64> {
    let mut number = 0;
    for (index, byte) in bytes.iter().take(MOST_BYTES).enumerate() {
        let bits = u64::from(byte & 0x7f);
        let shift = 7 * index as u32;
        if bits << shift >> shift != bits {
            return None;
        }
        number |= bits << shift;
        if byte & 0x80 == 0 {
            *bytes = &bytes[index + 1..];
            return Some(number);
        }
    }
    None
}

/// A difference as a number that is small where the difference is.
pub const fn folded(difference: i64) -> u64 {
    (difference << 1 ^ difference >> 63) as u64
}

/// The difference again.
pub const fn unfolded(number: u64) -> i64 {
    (number >> 1) as i64 ^ -((number & 1) as i64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn what_is_no_number_is_refused() {
        let cases: [&[u8]; 4] = [
            &[],
            &[0x80],
            &[0xff; 11],
            &[0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x02],
        ];
        for mut bytes in cases {
            assert_eq!(take(&mut bytes), None);
        }
    }

    proptest! {
        #[test]
        fn numbers_come_back(number: u64, difference: i64) {
            let mut bytes = Vec::new();
            put(&mut bytes, number);
            put(&mut bytes, folded(difference));
            let mut rest = bytes.as_slice();
            prop_assert_eq!(take(&mut rest), Some(number));
            prop_assert_eq!(take(&mut rest).map(unfolded), Some(difference));
            prop_assert_eq!(rest, &[] as &[u8]);
        }
    }
}
