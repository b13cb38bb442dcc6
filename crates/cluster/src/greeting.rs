//! The first frame in each direction. Its layout never changes, so that programs of any two
//! versions can name each other's before they part.

/// What every greeting begins with.
pub const OPENING: &[u8] = b"FTHM";

/// Version of the protocol. Programs of different ones do not work together.
pub const PROTOCOL: u16 = 2;

/// Longest name of a release, bytes.
const RELEASE_BYTES: usize = 64;

/// Who speaks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Greeting {
    /// Version of the protocol.
    pub protocol: u16,
    /// Release of the program, as in `0.1.0`.
    pub release: String,
}

impl std::fmt::Display for Greeting {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "fathom {} (protocol {})", self.release, self.protocol)
    }
}

impl Greeting {
    /// Of this program, whose release the binary knows.
    pub fn of(release: &str) -> Self {
        Self {
            protocol: PROTOCOL,
            release: release.to_owned(),
        }
    }

    /// The frame.
    pub fn to_bytes(&self) -> Vec<u8> {
        let release = self.release.as_bytes();
        let mut bytes = OPENING.to_vec();
        bytes.extend(self.protocol.to_le_bytes());
        bytes.extend(&release[..release.len().min(RELEASE_BYTES)]);
        bytes
    }

    /// Reads a frame, if it is a greeting.
    pub fn read(bytes: &[u8]) -> Option<Self> {
        let rest = bytes.strip_prefix(OPENING)?;
        let (protocol, release) = rest.split_first_chunk::<2>()?;
        let release = std::str::from_utf8(release).ok()?;
        let plain = release.chars().all(|sign| sign.is_ascii_graphic());
        (plain && release.len() <= RELEASE_BYTES).then(|| Self {
            protocol: u16::from_le_bytes(*protocol),
            release: release.to_owned(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_greeting_of_another_version_is_read() {
        let later = Greeting {
            protocol: 700,
            release: "3.2.1-rc1".to_owned(),
        };
        assert_eq!(Greeting::read(&later.to_bytes()), Some(later.clone()));
        assert_eq!(later.to_string(), "fathom 3.2.1-rc1 (protocol 700)");
        let ours = Greeting::of("0.1.0").to_bytes();
        assert_eq!(ours, b"FTHM\x02\x000.1.0");
        for damaged in [&ours[..5], b"SSH-2.0-OpenSSH", b"FTHM\x01\x00a\nb"] {
            assert_eq!(Greeting::read(damaged), None);
        }
    }
}
