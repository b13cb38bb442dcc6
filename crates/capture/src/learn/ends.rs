//! The ends of recent requests, by which a request is known to continue one.

/// Streams that are followed at once.
const STREAMS: usize = 32;
/// What is this near to the end of another request belongs to its stream: programs rewrite the
/// last page of a log, and leave out pages when they read in order.
const NEAR_BYTES: u64 = 64 << 10;

/// The ends of recent requests of one operation to one device.
#[derive(Clone, Debug)]
pub(super) struct Ends {
    ends: [u64; STREAMS],
    next: usize,
}

/// How a request is placed after others.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Follows {
    /// It starts where another one ended.
    pub(super) exactly: bool,
    /// It starts there or near.
    pub(super) nearly: bool,
    /// It starts its own length behind, as many do by chance as start exactly there by chance.
    pub(super) skipping: bool,
}

impl Ends {
    /// Bytes of a device that are near to an end, at most.
    pub(super) const COVERED_BYTES: u64 = STREAMS as u64 * 2 * NEAR_BYTES;

    pub(super) fn add(&mut self, offset: u64, bytes: u64) -> Follows {
        let end = offset.saturating_add(bytes);
        let exact = self.ends.iter().position(|one| *one == offset);
        let is_near = |one: &u64| one.abs_diff(offset) <= NEAR_BYTES;
        let near = self.ends.iter().position(is_near);
        let place = exact.or(near).unwrap_or_else(|| {
            self.next = (self.next + 1) % STREAMS;
            self.next
        });
        let behind = offset.wrapping_sub(bytes);
        let follows = Follows {
            exactly: exact.is_some(),
            nearly: exact.or(near).is_some(),
            skipping: exact.is_none() && self.ends.contains(&behind),
        };
        self.ends[place] = end;
        follows
    }
}

impl Default for Ends {
    fn default() -> Self {
        Self {
            // No request starts there.
            ends: [u64::MAX; STREAMS],
            next: 0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn streams_are_followed_among_others() {
        let mut ends = Ends::default();
        let requests = [
            (0, 4096, [false, false, false]),
            (1 << 30, 8192, [false, false, false]),
            (4096, 4096, [true, true, false]),
            ((1 << 30) + 8192, 8192, [true, true, false]),
            (4096, 4096, [false, true, false]),
            (8192, 4096, [true, true, false]),
            (16_384, 4096, [false, true, true]),
            (1 << 40, 4096, [false, false, false]),
        ];
        for (offset, bytes, expected) in requests {
            let Follows {
                exactly,
                nearly,
                skipping,
            } = ends.add(offset, bytes);
            assert_eq!([exactly, nearly, skipping], expected, "{offset}");
        }
    }
}
