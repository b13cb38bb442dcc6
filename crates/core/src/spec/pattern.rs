//! Bytes that are repeated over a request, with its place in them where that is asked for.

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::collections::BTreeSet;
use std::fmt;
use std::str::FromStr;
use std::sync::{Mutex, PoisonError};

/// Longest pattern, bytes.
pub const MOST_PATTERN_BYTES: usize = 64 << 10;
/// Bytes of a place: the offset of the request, little-endian.
const PLACE_BYTES: usize = 8;
const PLACE: &str = "%o";

/// Bytes that begin anew at the head of every request and are repeated to its end.
///
/// As text: hexadecimal digits in pairs, and `%o` for the eight bytes of the request's offset, as
/// in `deadbeef%o`.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Pattern {
    content: &'static Content,
}

/// What a pattern is made of.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Content {
    bytes: Box<[u8]>,
    /// Where an offset begins, in their order.
    places: Box<[usize]>,
}

/// All patterns that there were: each is kept once for the rest of the program, so that a job is no
/// larger for a long one and requests look nothing up.
static KNOWN: Mutex<BTreeSet<&'static Content>> = Mutex::new(BTreeSet::new());

/// Why a text is no pattern.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PatternError {
    /// Not a byte in it.
    #[error("a pattern has at least one byte")]
    Empty,
    /// More than [`MOST_PATTERN_BYTES`].
    #[error("a pattern has at most {MOST_PATTERN_BYTES} bytes")]
    TooLong,
    /// Something else than pairs of hexadecimal digits and `%o`.
    #[error("a pattern is hexadecimal digits in pairs, with %o for the offset")]
    NotHex,
}

impl Pattern {
    /// The pattern of `parts`: bytes, or an offset where there are none.
    ///
    /// # Errors
    ///
    /// When it is empty or too long.
    pub fn new<'a>(
        parts: impl IntoIterator<Item = Option<&'a [u8]>>,
    ) -> Result<Self, PatternError> {
        let (mut bytes, mut places) = (Vec::new(), Vec::new());
        for part in parts {
            if part.is_none() {
                places.push(bytes.len());
            }
            let part = part.unwrap_or(&[0; PLACE_BYTES]);
            if bytes.len() + part.len() > MOST_PATTERN_BYTES {
                return Err(PatternError::TooLong);
            }
            bytes.extend_from_slice(part);
        }
        if bytes.is_empty() {
            return Err(PatternError::Empty);
        }
        Ok(Self::known(Content {
            bytes: bytes.into(),
            places: places.into(),
        }))
    }

    fn known(content: Content) -> Self {
        let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
        let found = known.get(&content).copied();
        let content = found.unwrap_or_else(|| {
            let kept: &'static Content = Box::leak(Box::new(content));
            known.insert(kept);
            kept
        });
        Self { content }
    }

    /// The bytes; zeros where an offset goes.
    pub fn bytes(&self) -> &'static [u8] {
        &self.content.bytes
    }

    /// Whether the offset of the request is in it, so that requests differ.
    pub const fn has_offset(&self) -> bool {
        !self.content.places.is_empty()
    }

    /// The parts again: bytes, or an offset where there are none.
    pub fn parts(&self) -> Vec<Option<&'static [u8]>> {
        let (mut parts, mut begin) = (Vec::new(), 0);
        let bytes = self.bytes();
        for &place in &self.content.places {
            if begin < place {
                parts.push(Some(&bytes[begin..place]));
            }
            parts.push(None);
            begin = place + PLACE_BYTES;
        }
        if begin < bytes.len() {
            parts.push(Some(&bytes[begin..]));
        }
        parts
    }

    /// Fills the buffer of a request at `offset`.
    pub fn fill(&self, buffer: &mut [u8], offset: u64) {
        let bytes = self.bytes();
        for part in buffer.chunks_mut(bytes.len()) {
            part.copy_from_slice(&bytes[..part.len()]);
            for &place in &self.content.places {
                let Some(rest) = part.get_mut(place..) else {
                    break;
                };
                for (to, from) in rest.iter_mut().zip(offset.to_le_bytes()) {
                    *to = from;
                }
            }
        }
    }
}

impl fmt::Display for Pattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for part in self.parts() {
            match part {
                None => f.write_str(PLACE)?,
                Some(bytes) => {
                    for byte in bytes {
                        write!(f, "{byte:02x}")?;
                    }
                }
            }
        }
        Ok(())
    }
}

impl fmt::Debug for Pattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Pattern({self})")
    }
}

impl FromStr for Pattern {
    type Err = PatternError;

    fn from_str(text: &str) -> Result<Self, PatternError> {
        let mut parts: Vec<Option<Vec<u8>>> = Vec::new();
        for (index, digits) in text.split(PLACE).enumerate() {
            if index > 0 {
                parts.push(None);
            }
            if !digits.bytes().all(|digit| digit.is_ascii_hexdigit()) || digits.len() % 2 == 1 {
                return Err(PatternError::NotHex);
            }
            let byte = |at| u8::from_str_radix(&digits[at..at + 2], 16);
            let bytes: Result<Vec<u8>, _> = (0..digits.len()).step_by(2).map(byte).collect();
            parts.push(Some(bytes.map_err(|_| PatternError::NotHex)?));
        }
        Self::new(parts.iter().map(Option::as_deref))
    }
}

impl Serialize for Pattern {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Pattern {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        text.parse().map_err(serde::de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pattern_is_text_and_bytes() {
        let texts = ["00", "deadbeef", "%o", "aabb%o", "%o01%o", "0a%o%off"];
        for text in texts {
            let pattern: Pattern = text.parse().expect(text);
            assert_eq!(pattern.to_string(), text);
            let json = serde_json::to_string(&pattern).expect("a text");
            assert_eq!(json, format!("\"{text}\""));
            assert_eq!(serde_json::from_str::<Pattern>(&json).ok(), Some(pattern));
        }
        // As fio 3.33 has written `0xaabb%o` at 4096.
        let mut bytes = [0xff; 14];
        let pattern: Pattern = "aabb%o".parse().expect("a pattern");
        pattern.fill(&mut bytes, 4096);
        assert_eq!(
            bytes,
            [0xaa, 0xbb, 0, 0x10, 0, 0, 0, 0, 0, 0, 0xaa, 0xbb, 0, 0x10]
        );
        assert!(pattern.has_offset());
    }

    #[test]
    fn what_is_none_is_refused() {
        let cases = [
            ("", PatternError::Empty),
            ("a", PatternError::NotHex),
            ("0xab", PatternError::NotHex),
            ("é", PatternError::NotHex),
            ("%n", PatternError::NotHex),
        ];
        for (text, error) in cases {
            assert_eq!(text.parse::<Pattern>(), Err(error), "{text}");
        }
        let long = "00".repeat(MOST_PATTERN_BYTES + 1);
        assert_eq!(long.parse::<Pattern>(), Err(PatternError::TooLong));
        assert_eq!(
            "%o".repeat(MOST_PATTERN_BYTES / 8 + 1).parse::<Pattern>(),
            Err(PatternError::TooLong)
        );
    }
}
