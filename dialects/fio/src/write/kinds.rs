//! The weighted list of requests as fio says it: directions, their shares, sizes and order.

use super::section::size;
use fathom_core::Op;
use fathom_core::SmallSort as _;
use fathom_core::spec::{IoKind, Job, Walk};
use fathom_tools::losses::Losses;
use fathom_tools::translation::Standing;
use fathom_tools::writers::{same, whole_percents};

/// Most sizes of a direction that fio takes.
const MOST_SIZES: usize = 64;

/// Those that fio has values for.
const EACH: [Op; 3] = [Op::Read, Op::Write, Op::Trim];

/// Requests of one direction.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Direction {
    pub(crate) op: Op,
    /// Share of all requests in whole percents.
    pub(crate) share: u32,
    /// Block sizes, and their shares of these requests in whole percents.
    pub(crate) sizes: Vec<(u64, u32)>,
    /// Share that goes to a random place, in whole percents.
    random: u32,
    /// What random offsets are a multiple of, where that is not the smallest size.
    align: Option<u64>,
}

/// Requests in order and at random, whose sizes differ.
#[derive(Clone, Debug, PartialEq)]
struct ByOrder {
    in_order: Vec<(u64, u32)>,
    at_random: Vec<(u64, u32)>,
}

/// All requests of a job.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Mix {
    pub(crate) directions: Vec<Direction>,
    by_order: Option<ByOrder>,
    /// Distance between requests in order beyond their size.
    step: Option<u64>,
    /// Whether each write follows a trim of its place.
    pairs: bool,
}

impl Mix {
    /// What fio can say of the requests of a job; the rest is reported.
    pub(crate) fn of(job: &Job, losses: &mut Losses) -> Self {
        let pairs = job.access.walk == Walk::TrimFirst;
        let ops = if pairs {
            vec![Op::Write]
        } else {
            ops(&job.kinds, losses)
        };
        let weights: Vec<f64> = ops.iter().map(|op| weight(&job.kinds, *op)).collect();
        let shares = shares(&weights, "read", losses);
        let by_order = ByOrder::of(&job.kinds, &ops);
        let directions = ops.iter().zip(shares).map(|(op, share)| {
            let kinds: Vec<&IoKind> = job.kinds.iter().filter(|kind| kind.op == *op).collect();
            direction(*op, share, &kinds, by_order.is_some(), losses)
        });
        let directions: Vec<Direction> = directions.collect();
        let mut mix = Self {
            directions,
            by_order,
            step: None,
            pairs,
        };
        mix.step = mix.step_of(job, losses);
        mix
    }

    pub(crate) fn reads(&self) -> bool {
        self.has(Op::Read)
    }

    pub(crate) fn writes(&self) -> bool {
        self.has(Op::Write)
    }

    fn has(&self, op: Op) -> bool {
        self.directions.iter().any(|direction| direction.op == op)
    }

    fn is_random(&self) -> bool {
        self.by_order.is_some() || self.directions.iter().any(|direction| direction.random > 0)
    }

    /// Whether all requests have one size and are aligned to it.
    pub(crate) fn has_one_block(&self) -> bool {
        let mut sizes = self
            .directions
            .iter()
            .flat_map(|direction| &direction.sizes);
        let first = sizes.next().map(|(size, _)| *size);
        let alike = sizes.all(|(size, _)| Some(*size) == first);
        let is_first = |direction: &Direction| direction.align.is_none();
        alike && self.directions.iter().all(is_first)
    }

    /// Mean bytes of a request of a direction.
    pub(crate) fn mean_bytes(direction: &Direction) -> f64 {
        let bytes = |(size, share): &(u64, u32)| *size as f64 * f64::from(*share);
        direction.sizes.iter().map(bytes).sum::<f64>() / 100.0
    }

    fn step_of(&self, job: &Job, losses: &mut Losses) -> Option<u64> {
        let stride = job.access.stride?.0;
        let block = job.largest_io().0;
        if stride == block && self.has_one_block() {
            return None;
        }
        if self.is_random() || !self.has_one_block() || stride < block {
            let message = "fio steps over blocks of one size in order only; requests follow on \
                           each other";
            losses.say(Standing::Refused, "stride", message);
            return None;
        }
        Some(stride - block)
    }

    /// `rw`: direction, order and stride.
    pub(crate) fn pattern(&self) -> String {
        let random = if self.is_random() { "rand" } else { "" };
        let name = match self.directions.as_slice() {
            [_] if self.pairs => "trimwrite",
            [only] => only.op.name(),
            _ => "rw",
        };
        match self.step {
            Some(step) => format!("{random}{name}:{}", size(step)),
            None => format!("{random}{name}"),
        }
    }

    /// Percent of reads among reads and writes, where there are both.
    pub(crate) fn read_share(&self) -> Option<u32> {
        match self.directions.as_slice() {
            [read, _] => Some(read.share),
            _ => None,
        }
    }

    /// Whether the sizes are those of requests in order and at random.
    pub(crate) const fn is_by_order(&self) -> bool {
        self.by_order.is_some()
    }

    fn all_sizes(&self) -> [&[(u64, u32)]; 3] {
        match &self.by_order {
            Some(sizes) => [&sizes.in_order, &sizes.at_random, &sizes.at_random],
            None => EACH.map(|op| self.sizes(op)),
        }
    }

    /// One size for each direction, if that says it.
    pub(crate) fn one_size_each(&self) -> Option<String> {
        let sizes = self.all_sizes();
        let alone = sizes.iter().all(|sizes| sizes.len() == 1);
        alone.then(|| short(&sizes.map(|sizes| size(sizes[0].0))))
    }

    /// All sizes with their shares, where there are several.
    pub(crate) fn split_sizes(&self) -> Option<String> {
        let split = |sizes: &[(u64, u32)]| {
            let part = |(bytes, share): &(u64, u32)| format!("{}/{share}", size(*bytes));
            sizes.iter().map(part).collect::<Vec<_>>().join(":")
        };
        let sizes = self.all_sizes();
        let several = sizes.iter().any(|sizes| sizes.len() != 1);
        several.then(|| short(&sizes.map(split)))
    }

    /// Percent of random requests of each direction, where some are in order.
    pub(crate) fn random_shares(&self) -> Option<String> {
        let random = EACH.map(|op| self.of_op(op).random);
        let mut directions = self.directions.iter();
        let needed = directions.any(|direction| direction.random != 100);
        (self.is_random() && needed).then(|| short(&random))
    }

    /// What offsets are a multiple of, where that is not the smallest size.
    pub(crate) fn alignments(&self) -> Option<String> {
        let mut directions = self.directions.iter();
        let needed = directions.any(|direction| direction.align.is_some());
        let align = EACH.map(|op| {
            let direction = self.of_op(op);
            let smallest = direction.sizes.iter().map(|(size, _)| *size).min();
            size(direction.align.or(smallest).unwrap_or(512))
        });
        needed.then(|| short(&align))
    }

    /// The direction of an operation; another's where there is none, for fio to have a value.
    fn of_op(&self, op: Op) -> &Direction {
        let found = self.directions.iter().find(|direction| direction.op == op);
        found.unwrap_or(&self.directions[0])
    }

    fn sizes(&self, op: Op) -> &[(u64, u32)] {
        &self.of_op(op).sizes
    }
}

/// Values for reads, writes and trims, those at the end left out that repeat.
fn short<T: PartialEq + ToString>(values: &[T; 3]) -> String {
    let [read, write, trim] = values;
    let count = match (read == write, write == trim) {
        (true, true) => 1,
        (_, true) => 2,
        _ => 3,
    };
    let values: Vec<String> = values.iter().take(count).map(T::to_string).collect();
    values.join(",")
}

/// The operations that fio mixes.
fn ops(kinds: &[IoKind], losses: &mut Losses) -> Vec<Op> {
    let has = |op: &Op| kinds.iter().any(|kind| kind.op == *op);
    let ops: Vec<Op> = [Op::Read, Op::Write].into_iter().filter(has).collect();
    if ops.is_empty() {
        return vec![Op::Trim];
    }
    losses.say_if(
        has(&Op::Trim),
        Standing::Refused,
        "op",
        "fio does not mix trims with reads and writes; they are left out",
    );
    ops
}

fn weight(kinds: &[IoKind], op: Op) -> f64 {
    kinds
        .iter()
        .filter(|kind| kind.op == op)
        .map(|kind| kind.weight)
        .sum()
}

/// Whole percents, each at least one.
fn shares(weights: &[f64], what: &'static str, losses: &mut Losses) -> Vec<u32> {
    let mut whole = whole_percents(weights);
    while let (Some(least), Some(most)) = (
        whole.iter().position(|share| *share == 0),
        (0..whole.len()).max_by_key(|index| whole[*index]),
    ) {
        whole[least] = 1;
        whole[most] -= 1;
    }
    let sum: f64 = weights.iter().sum();
    let exact = weights.iter().zip(&whole);
    let exact = exact
        .into_iter()
        .all(|(weight, share)| same(weight / sum * 100.0, f64::from(*share)));
    losses.say_if(
        !exact,
        Standing::Approximated,
        what,
        "fio has whole percents, and none below 1; rounded",
    );
    whole
}

fn sizes(kinds: &[&IoKind], losses: &mut Losses) -> Vec<(u64, u32)> {
    let mut sizes: Vec<(u64, f64)> = Vec::new();
    for kind in kinds {
        match sizes
            .iter_mut()
            .find(|(size, _)| *size == kind.block_size.0)
        {
            Some((_, weight)) => *weight += kind.weight,
            None => sizes.push((kind.block_size.0, kind.weight)),
        }
    }
    if sizes.len() > MOST_SIZES {
        sizes.small_sort_by(|one, other| other.1.total_cmp(&one.1));
        sizes.truncate(MOST_SIZES);
        let message = "fio has 64 block sizes at most; the rarest are left out";
        losses.say(Standing::Approximated, "block_size", message);
    }
    let weights: Vec<f64> = sizes.iter().map(|(_, weight)| *weight).collect();
    let shares = shares(&weights, "weight", losses);
    sizes
        .into_iter()
        .map(|(size, _)| size)
        .zip(shares)
        .collect()
}

fn direction(
    op: Op,
    share: u32,
    kinds: &[&IoKind],
    by_order: bool,
    losses: &mut Losses,
) -> Direction {
    let sizes = sizes(kinds, losses);
    let weight: f64 = kinds.iter().map(|kind| kind.weight).sum();
    let mean = kinds
        .iter()
        .map(|kind| kind.weight * kind.random.0)
        .sum::<f64>()
        / weight;
    let differs = kinds
        .iter()
        .any(|kind| !same(kind.random.0, kinds[0].random.0));
    losses.say_if(
        differs && !by_order,
        Standing::Refused,
        "random",
        "fio has one random share for all sizes of a direction; it is the mean",
    );
    let random = if mean > 0.0 && mean < 1.0 {
        1.0
    } else {
        mean.round()
    };
    losses.say_if(
        !same(random, mean),
        Standing::Approximated,
        "random",
        "fio has whole percents; rounded",
    );
    Direction {
        op,
        share,
        align: align(kinds, &sizes, losses),
        sizes,
        random: random as u32,
    }
}

/// What random offsets are a multiple of, where that is not the smallest size.
fn align(kinds: &[&IoKind], sizes: &[(u64, u32)], losses: &mut Losses) -> Option<u64> {
    let smallest = sizes.iter().map(|(size, _)| *size).min()?;
    let mut aligns = kinds
        .iter()
        .filter(|kind| kind.random.0 > 0.0)
        .map(|kind| kind.align.0);
    let first = aligns.next()?;
    let least = aligns.clone().fold(first, u64::min);
    losses.say_if(
        aligns.any(|align| align != first),
        Standing::Approximated,
        "align",
        "fio aligns all sizes of a direction alike; it is the finest",
    );
    (least != smallest).then_some(least)
}

impl ByOrder {
    /// The sizes of requests in order and of those at random, where only these differ and in the
    /// same way in every direction.
    fn of(kinds: &[IoKind], ops: &[Op]) -> Option<Self> {
        let of = |op: Op, random: bool| -> Option<Vec<(u64, u32)>> {
            let wanted = |kind: &&IoKind| kind.op == op && (kind.random.0 > 0.0) == random;
            let kinds: Vec<&IoKind> = kinds.iter().filter(wanted).collect();
            let mut unsaid = Losses::default();
            let sizes = (!kinds.is_empty()).then(|| sizes(&kinds, &mut unsaid))?;
            unsaid.into_notes().is_empty().then_some(sizes)
        };
        let pure = |kind: &IoKind| kind.random.0 <= 0.0 || kind.random.0 >= 100.0;
        let both: Vec<_> = ops
            .iter()
            .map(|op| Some((of(*op, false)?, of(*op, true)?)))
            .collect();
        let (in_order, at_random) = both.first()?.clone()?;
        let alike = both
            .iter()
            .all(|one| *one == Some((in_order.clone(), at_random.clone())));
        // Of one size for both, one share of random requests says it.
        let needed = in_order != at_random;
        (kinds.iter().all(pure) && alike && needed && !ops.contains(&Op::Trim)).then_some(Self {
            in_order,
            at_random,
        })
    }
}
