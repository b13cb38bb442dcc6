//! Frames on a stream of bytes: four bytes of length, lowest first, and that many bytes.

use crate::limits;

/// Bytes of the length before each frame.
const PREFIX: usize = 4;
/// What is shown of a stream that does not speak the protocol.
const SHOWN: usize = 60;

/// Why a stream cannot be read on.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FrameError {
    /// A frame is longer than it may be.
    #[error("a frame of {length} bytes came, {limit} are allowed")]
    TooLong {
        /// Bytes that it says it has.
        length: usize,
        /// Bytes that it may have.
        limit: usize,
    },
    /// The stream begins with something else.
    #[error(
        "instead of fathom, this answered: `{0}`; if a shell printed it, make its start-up files \
         silent where there is no terminal"
    )]
    Foreign(String),
    /// The stream begins with bytes that are no text.
    #[error("the program at this address has another protocol than fathom: it answered `{0}`")]
    OtherProtocol(String),
}

/// A frame as it travels.
pub fn framed(body: &[u8]) -> Vec<u8> {
    let mut frame = Vec::with_capacity(PREFIX + body.len());
    let length = u32::try_from(body.len()).expect("no body is longer than the limit of frames");
    frame.extend(length.to_le_bytes());
    frame.extend(body);
    frame
}

/// Cuts a stream into frames.
#[derive(Debug)]
pub struct Frames {
    bytes: Vec<u8>,
    /// Bytes of `bytes` that have been taken.
    taken: usize,
    limit: usize,
    /// Bytes with which the first frame must begin, as long as none has come.
    opening: Option<&'static [u8]>,
}

impl Frames {
    /// For a stream whose first frame begins with `opening`; frames may be as long as those of
    /// strangers until [`Self::trust`].
    pub const fn new(opening: &'static [u8]) -> Self {
        Self {
            bytes: Vec::new(),
            taken: 0,
            limit: limits::STRANGER_BYTES,
            opening: Some(opening),
        }
    }

    /// From now on frames may be as long as any.
    pub const fn trust(&mut self) {
        self.limit = limits::FRAME_BYTES;
    }

    /// Adds what was read.
    pub fn push(&mut self, bytes: &[u8]) {
        if self.taken > 0 {
            self.bytes.drain(..self.taken);
            self.taken = 0;
        }
        self.bytes.extend(bytes);
    }

    /// The next whole frame.
    ///
    /// # Errors
    ///
    /// [`FrameError`]; the stream has no more meaning then.
    pub fn take(&mut self) -> Result<Option<Vec<u8>>, FrameError> {
        let rest = &self.bytes[self.taken..];
        let Some((prefix, rest)) = rest.split_first_chunk::<PREFIX>() else {
            return Ok(None);
        };
        let length = u32::from_le_bytes(*prefix) as usize;
        if let Some(opening) = self.opening {
            let seen = rest.len().min(opening.len());
            if rest[..seen] != opening[..seen] || length > limits::STRANGER_BYTES {
                let is_text = !self.bytes[self.taken..].contains(&0);
                let error = if is_text {
                    FrameError::Foreign
                } else {
                    FrameError::OtherProtocol
                };
                return Err(error(self.shown()));
            }
        }
        if length > self.limit {
            let limit = self.limit;
            return Err(FrameError::TooLong { length, limit });
        }
        let Some(body) = rest.get(..length) else {
            return Ok(None);
        };
        let body = body.to_vec();
        self.taken += PREFIX + length;
        self.opening = None;
        if self.taken == self.bytes.len() {
            self.bytes.clear();
            self.taken = 0;
        }
        Ok(Some(body))
    }

    /// Takes what was pushed and is no whole frame, or no frame at all.
    pub fn take_rest(&mut self) -> Vec<u8> {
        let rest = self.bytes.split_off(self.taken);
        self.bytes.clear();
        self.taken = 0;
        rest
    }

    fn shown(&self) -> String {
        let text = String::from_utf8_lossy(&self.bytes[self.taken..]);
        let plain = text.trim().chars();
        plain
            .take(SHOWN)
            .map(|sign| if sign.is_control() { ' ' } else { sign })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const OPENING: &[u8] = b"OPEN";

    #[test]
    fn what_is_no_frame_is_shown() {
        let mut frames = Frames::new(OPENING);
        frames.push(b"Welcome to db3\nLast login\n");
        let error = frames.take().expect_err("a message of the day");
        assert_eq!(
            error.to_string(),
            "instead of fathom, this answered: `Welcome to db3 Last login`; if a shell printed \
             it, make its start-up files silent where there is no terminal"
        );
    }

    #[test]
    fn a_server_of_another_program_is_no_shell() {
        let mut frames = Frames::new(OPENING);
        frames.push(b"a\0\0\0N\0\0\0hello");
        let error = frames.take().expect_err("another protocol");
        assert_eq!(
            error.to_string(),
            "the program at this address has another protocol than fathom: it answered `a   N   \
             hello`"
        );
    }

    #[test]
    fn a_stranger_may_say_little() {
        let mut frames = Frames::new(OPENING);
        frames.push(&framed(b"OPEN"));
        assert_eq!(frames.take(), Ok(Some(b"OPEN".to_vec())));
        let long = framed(&[7; limits::STRANGER_BYTES + 1]);
        frames.push(&long);
        let refused = FrameError::TooLong {
            length: limits::STRANGER_BYTES + 1,
            limit: limits::STRANGER_BYTES,
        };
        assert_eq!(frames.take(), Err(refused));
        frames.trust();
        assert_eq!(frames.take(), Ok(Some(long[PREFIX..].to_vec())));
    }

    proptest! {
        #[test]
        fn frames_come_out_as_they_went_in_however_they_are_cut(
            bodies in prop::collection::vec(prop::collection::vec(any::<u8>(), 0..40), 0..12),
            cuts in prop::collection::vec(1_usize..9, 1..20),
        ) {
            let mut stream = framed(OPENING);
            for body in &bodies {
                stream.extend(framed(body));
            }
            let mut frames = Frames::new(OPENING);
            let mut out = Vec::new();
            let mut cuts = cuts.iter().cycle();
            let mut rest = stream.as_slice();
            while !rest.is_empty() {
                let cut = (*cuts.next().expect("a cycle")).min(rest.len());
                frames.push(&rest[..cut]);
                rest = &rest[cut..];
                while let Some(body) = frames.take().expect("own frames") {
                    out.push(body);
                }
            }
            prop_assert_eq!(&out[0], OPENING);
            prop_assert_eq!(&out[1..], bodies.as_slice());
        }
    }
}
