//! From one seed to many independent ones.

/// The next number of the splitmix64 sequence (Steele, Lea, Flood, OOPSLA 2014).
pub fn next(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
    let mut z = *state;
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

/// A seed for one place in a run, distinguished by `path` (phase, job, thread, …).
pub fn derive(seed: u64, path: &[u64]) -> u64 {
    let mut state = seed;
    for step in path {
        state = next(&mut state) ^ step.wrapping_mul(0xA076_1D64_78BD_642F);
    }
    next(&mut state)
}

/// What the choices of a thread are for: each purpose has a stream of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// Where its requests go in a target of this number, and what they do.
    Requests(usize),
    /// When they are due.
    Arrivals,
    /// Which of its targets has its turn.
    Turns,
    /// Which part of a file its writes carry.
    Excerpts,
}

impl Purpose {
    /// The seed of these choices of a thread. They are distinguished by the first step, which is
    /// different for each.
    pub fn seed(self, thread_seed: u64) -> u64 {
        match self {
            Self::Requests(target) => derive(thread_seed, &[1, target as u64]),
            Self::Arrivals => derive(thread_seed, &[2]),
            Self::Turns => derive(thread_seed, &[3]),
            Self::Excerpts => derive(thread_seed, &[4]),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sequence_is_the_published_one() {
        let mut state = 1_234_567;
        let found: Vec<u64> = (0..3).map(|_| next(&mut state)).collect();
        let known = [
            6_457_827_717_110_365_317,
            3_203_168_211_198_807_973,
            9_817_491_932_198_370_423,
        ];
        assert_eq!(found, known);
    }

    #[test]
    fn places_differ() {
        let mut seeds: Vec<u64> = (0..10)
            .flat_map(|a| (0..10).map(move |b| derive(1, &[a, b])))
            .collect();
        seeds.sort_unstable();
        seeds.dedup();
        assert_eq!(seeds.len(), 100);
    }

    #[test]
    fn no_two_purposes_of_a_thread_share_their_choices() {
        // With a purpose more this does not compile until it is in the list.
        let next = |purpose| match purpose {
            Purpose::Requests(0) => Some(Purpose::Requests(1)),
            Purpose::Requests(_) => Some(Purpose::Arrivals),
            Purpose::Arrivals => Some(Purpose::Turns),
            Purpose::Turns => Some(Purpose::Excerpts),
            Purpose::Excerpts => None,
        };
        let all = std::iter::successors(Some(Purpose::Requests(0)), |purpose| next(*purpose));
        let mut seeds: Vec<u64> = all.map(|purpose| purpose.seed(7)).collect();
        let count = seeds.len();
        seeds.sort_unstable();
        seeds.dedup();
        assert_eq!((count, seeds.len()), (5, 5));
    }
}
