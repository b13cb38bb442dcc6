//! Bytes to text. `PowerShell` writes what is redirected in UTF-16.

/// The text of a file: UTF-8, or UTF-16 with a mark of its byte order.
///
/// # Errors
///
/// Why it is not a text, in words.
pub fn decode(bytes: Vec<u8>) -> Result<String, &'static str> {
    let unit: fn([u8; 2]) -> u16 = match bytes.get(..2) {
        Some([0xFF, 0xFE]) => u16::from_le_bytes,
        Some([0xFE, 0xFF]) => u16::from_be_bytes,
        _ => return String::from_utf8(bytes).map_err(|_| "it is not a text"),
    };
    let (pairs, rest) = bytes[2..].as_chunks::<2>();
    if !rest.is_empty() {
        return Err("it ends in the middle of a letter of UTF-16");
    }
    let units: Vec<u16> = pairs.iter().map(|pair| unit(*pair)).collect();
    String::from_utf16(&units).map_err(|_| "it is not a text in UTF-16")
}

/// Whether a text that begins so is in UTF-16.
pub(crate) fn is_utf16(begin: &[u8]) -> bool {
    matches!(begin.get(..2), Some([0xFF, 0xFE] | [0xFE, 0xFF]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_byte_orders_are_read() {
        let cases: [(&[u8], Result<&str, &str>); 6] = [
            (b"a\xC3\xA4", Ok("aä")),
            (b"\xFF\xFEa\0\xE4\0", Ok("aä")),
            (b"\xFE\xFF\0a\0\xE4", Ok("aä")),
            (
                b"\xFF\xFEa",
                Err("it ends in the middle of a letter of UTF-16"),
            ),
            (b"\xFF\xFE\0\xD8", Err("it is not a text in UTF-16")),
            (b"\xE4", Err("it is not a text")),
        ];
        for (bytes, expected) in cases {
            let found = decode(bytes.to_vec());
            assert_eq!(found, expected.map(str::to_owned), "{bytes:?}");
        }
    }
}
