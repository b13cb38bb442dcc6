//! From one seed to many independent ones.

/// The next number of the splitmix64 sequence (Steele, Lea, Flood, OOPSLA 2014).
pub fn next(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
    let mut z = *state;
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

/// A seed for one place in a run, told apart by `path` (phase, job, thread, …).
pub fn derive(seed: u64, path: &[u64]) -> u64 {
    let mut state = seed;
    for step in path {
        state = next(&mut state) ^ step.wrapping_mul(0xA076_1D64_78BD_642F);
    }
    next(&mut state)
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
}
