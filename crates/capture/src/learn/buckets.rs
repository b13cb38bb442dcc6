//! Counts of times in buckets that are at most an eighth wide: small enough to have some for
//! each of thousands of tasks.

/// Buckets of an octave.
const STEPS: u64 = 8;

/// How many times were in each bucket.
#[derive(Clone, Debug, Default)]
pub(super) struct Buckets {
    counts: Vec<u32>,
    all: u64,
}

impl Buckets {
    pub(super) fn add(&mut self, value_ns: u64) {
        self.add_many(value_ns, 1);
    }

    pub(super) fn add_many(&mut self, value_ns: u64, count: u32) {
        let index = index(value_ns);
        if self.counts.len() <= index {
            self.counts.resize(index + 1, 0);
        }
        self.counts[index] = self.counts[index].saturating_add(count);
        self.all += u64::from(count);
    }

    pub(super) fn join(&mut self, other: &Self) {
        for (value, count) in other.each() {
            self.add_many(value as u64, count);
        }
    }

    /// The middle of each bucket with its count, rising, from the first used one; the empty
    /// ones too.
    pub(super) fn each(&self) -> impl Iterator<Item = (f64, u32)> {
        let counts = self.counts.iter().enumerate();
        let each = counts.map(|(index, count)| (middle(index), *count));
        each.skip_while(|(_, count)| *count == 0)
    }

    /// Share of the values below this one, 0 to 1; half of those in its bucket count.
    pub(super) fn share_below(&self, value_ns: u64) -> f64 {
        self.below(index(value_ns)) / self.all.max(1) as f64
    }

    /// How many pairs of a value of this one and of another have the first below the second, as a
    /// share of the first's values times the number of the second's.
    pub(super) fn expected_below(&self, others: &Self) -> f64 {
        let mut sum = 0.0;
        for (index, count) in others.counts.iter().enumerate().filter(|one| *one.1 > 0) {
            sum += f64::from(*count) * self.below(index) / self.all.max(1) as f64;
        }
        sum
    }

    /// Values in lower buckets, and half of those in this one.
    fn below(&self, index: usize) -> f64 {
        let lower = self.counts.iter().take(index);
        let lower: u64 = lower.map(|count| u64::from(*count)).sum();
        lower as f64 + self.counts.get(index).copied().map_or(0.0, f64::from) / 2.0
    }
}

fn index(value: u64) -> usize {
    if value < STEPS {
        return value as usize;
    }
    let exponent = u64::from(value.ilog2());
    let step = value >> (exponent - 3) & (STEPS - 1);
    ((exponent - 2) * STEPS + step) as usize
}

/// The middle of a bucket.
fn middle(index: usize) -> f64 {
    let (octave, step) = (index as u64 / STEPS, index as u64 % STEPS);
    if octave == 0 {
        return step as f64;
    }
    let width = (1_u64 << (octave - 1)) as f64;
    (STEPS + step) as f64 * width + width / 2.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_are_those_of_the_values() {
        let mut buckets = Buckets::default();
        for value in 1..=1000 {
            buckets.add(value * 100);
        }
        let near = |found: f64, expected: f64| (found - expected).abs() < 0.04;
        assert!(near(buckets.share_below(50_000), 0.5));
        assert!(near(buckets.share_below(u64::MAX), 1.0));
        assert!(near(buckets.share_below(1), 0.0));
        assert!(near(buckets.expected_below(&buckets) / 1000.0, 0.5));
    }

    #[test]
    fn every_time_has_a_bucket() {
        let found = [0, 7, 8, 9, 15, 16, 18, u64::MAX].map(index);
        assert_eq!(found, [0, 7, 8, 9, 15, 16, 17, 495]);
        let found = [0, 7, 8, 9, 15, 16, 17].map(|index| (2.0 * middle(index)) as u64);
        assert_eq!(found, [0, 14, 17, 19, 31, 34, 38]);
    }
}
