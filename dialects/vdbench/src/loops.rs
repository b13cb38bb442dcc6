//! The loops of a run: each step of them is a run of its own.

use crate::parameter::{Parameter, Unit, Wrong, whole};

/// Steps that the loops of a file may have together.
pub(crate) const MOST_STEPS: usize = 2000;

/// What a loop changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Loop {
    Threads,
    Transfer,
    Reads,
    Random,
    ReadHits,
    WriteHits,
    HitArea,
    Compression,
    Depth,
    Width,
    Files,
    Sizes,
}

impl Loop {
    /// As the name of a run has it.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Threads => "threads",
            Self::Transfer => "xfersize",
            Self::Reads => "rdpct",
            Self::Random => "seekpct",
            Self::ReadHits => "rhpct",
            Self::WriteHits => "whpct",
            Self::HitArea => "hitarea",
            Self::Compression => "compratio",
            Self::Depth => "depth",
            Self::Width => "width",
            Self::Files => "files",
            Self::Sizes => "sizes",
        }
    }

    /// Reads the values of a loop.
    pub(crate) fn values(self, parameter: &Parameter) -> Result<Vec<f64>, Wrong> {
        let values = parameter.numbers(Unit::Bytes)?;
        let is_right = |value: &f64| match self {
            Self::Reads | Self::Random | Self::ReadHits | Self::WriteHits => {
                (0.0..=100.0).contains(value)
            }
            Self::Compression => *value >= 1.0,
            Self::Depth | Self::Width | Self::Files | Self::Threads => {
                whole(*value).is_some_and(|value| (1..=1 << 32).contains(&value))
            }
            Self::Transfer | Self::HitArea | Self::Sizes => {
                whole(*value).is_some_and(|value| (1..=1 << 40).contains(&value))
            }
        };
        match values.iter().find(|value| !is_right(value)) {
            Some(wrong) => {
                let message = format!("{wrong} is not possible for `{}`", parameter.key);
                Err((message, String::new()))
            }
            None => Ok(values),
        }
    }
}

/// An error if one of these loops changes nothing in a run of its kind.
pub(crate) fn check(loops: &[(Loop, Vec<f64>)], on_files: bool) -> Result<(), Wrong> {
    use Loop::{Depth, Files, Reads, Sizes, Threads, Transfer, Width};
    let applies = |what: Loop| match what {
        Threads | Transfer | Reads => true,
        Depth | Width | Files | Sizes => on_files,
        _ => !on_files,
    };
    match loops.iter().find(|(what, _)| !applies(*what)) {
        Some((what, _)) => {
            let message = format!("`for{}=` has nothing to change in this run", what.name());
            Err((message, "leave it out".to_owned()))
        }
        None => Ok(()),
    }
}

/// A step: the value of each loop.
pub(crate) type Step = Vec<(Loop, f64)>;

/// The steps of loops, the last one innermost; none if there are too many.
pub(crate) fn steps(loops: &[(Loop, Vec<f64>)]) -> Option<Vec<Step>> {
    let mut steps: Vec<Step> = vec![Vec::new()];
    for (what, values) in loops {
        if steps.len().saturating_mul(values.len()) > MOST_STEPS {
            return None;
        }
        let with = |step: &Step| {
            let step = step.clone();
            let one = move |value: &f64| [step.as_slice(), &[(*what, *value)]].concat();
            values.iter().map(one).collect::<Vec<_>>()
        };
        steps = steps.iter().flat_map(with).collect();
    }
    Some(steps)
}

/// What is added to the name of a run.
pub(crate) fn suffix(step: &Step) -> String {
    let one = |(what, value): &(Loop, f64)| format!(" {}={value}", what.name());
    step.iter().map(one).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_loop_is_the_innermost() {
        let loops = [
            (Loop::Threads, vec![1.0, 8.0]),
            (Loop::Reads, vec![0.0, 50.5]),
        ];
        let names = steps(&loops).map(|steps| steps.iter().map(suffix).collect::<Vec<_>>());
        let expected = [
            " threads=1 rdpct=0",
            " threads=1 rdpct=50.5",
            " threads=8 rdpct=0",
            " threads=8 rdpct=50.5",
        ];
        assert_eq!(names, Some(expected.map(str::to_owned).to_vec()));
        let many = vec![1.0; 1000];
        let bomb = vec![(Loop::Threads, many.clone()), (Loop::Transfer, many)];
        assert_eq!(steps(&bomb), None);
    }
}
