//! The recording on volumes: whether their credit would have lasted.

use crate::args::NeedArgs;
use crate::commands::catalog::Known;
use crate::commands::recorded::{Recorded, Subject};
use crate::commands::volume_model;
use crate::error::Problem;
use crate::exit::Exit;
use fathom_core::figure;
use fathom_volume::catalog::Remark;
use fathom_volume::layout::Options;
use fathom_volume::models::ServiceLaw;
use fathom_volume::sizing::{Replay, replay};

/// One volume and what the recording did to it.
pub(super) struct Played {
    pub(super) volume: String,
    pub(super) replay: Replay,
    pub(super) remarks: Vec<Remark>,
}

pub(super) fn play(
    args: &NeedArgs,
    known: &Known,
    recorded: &Recorded,
) -> Result<Vec<Played>, Problem> {
    if args.volume.is_empty() {
        return Ok(Vec::new());
    }
    let subject = recorded.whole()?;
    let instance = volume_model::instance(known, &args.instance)?;
    let options = Options {
        instance,
        instance_credit: volume_model::credit(&args.instance)?,
        // Service time in addition to the limits does not change the credit.
        service: Some(ServiceLaw::Constant(0.0)),
        ..Options::default()
    };
    let volumes = args.volume.iter();
    volumes
        .map(|text| {
            let built = volume_model::layout(text)?
                .build(&known.catalog, known.at, &options)
                .map_err(|error| volume_model::impossible(&error))?;
            let replay = run(&built.system, subject, recorded.factor())?;
            Ok(Played {
                volume: text.clone(),
                replay,
                remarks: built.remarks,
            })
        })
        .collect()
}

/// Plays what a subject did on a volume.
fn run(system: &fathom_volume::System, subject: &Subject, factor: f64) -> Result<Replay, Problem> {
    replay(system, &subject.samples, factor).map_err(|error| {
        Problem::new(Exit::Usage, "the recording cannot be played")
            .because(error.to_string())
            .remedy("--interval 10s, or as long as its intervals were")
    })
}

impl Played {
    /// The answer in sentences.
    pub(super) fn text(&self) -> String {
        let span = |seconds: f64| figure::duration((seconds * 1e9) as u64);
        let replay = &self.replay;
        let mut sentences = vec![match replay.first_held_seconds {
            None => format!(
                "{} would have carried all {} of the recording",
                self.volume,
                span(replay.seconds)
            ),
            Some(first) => format!(
                "{} would have held requests back after {}, for {} of {}, by {}; the longest \
                 wait would have been {}",
                self.volume,
                span(first),
                span(replay.held_seconds),
                span(replay.seconds),
                replay.held_by.as_deref().unwrap_or("a limit"),
                span(replay.longest_wait_seconds)
            ),
        }];
        for lowest in &replay.lowest {
            sentences.push(format!(
                "the credit of {} would have been lowest after {}, at {} of a full bucket",
                lowest.name,
                span(lowest.at_seconds),
                figure::percent(lowest.tokens / lowest.full * 100.0)
            ));
        }
        if replay.left >= 0.5 {
            let left = figure::count(replay.left as u64);
            sentences.push(format!(
                "{left} requests would still have waited at the end"
            ));
        }
        match replay.held_in_repeat {
            Some(time) if time > 1 => sentences.push(format!(
                "the same load again would start with less credit: the {} run is throttled",
                ordinal(time)
            )),
            None if !replay.lowest.is_empty() => {
                sentences.push("the same load repeated would never be throttled".to_owned());
            }
            _ => {}
        }
        sentences.join("\n  ")
    }
}

fn ordinal(number: u32) -> String {
    let ending = match (number % 10, number % 100) {
        (_, 11..=13) => "th",
        (1, _) => "st",
        (2, _) => "nd",
        (3, _) => "rd",
        _ => "th",
    };
    format!("{number}{ending}")
}

#[cfg(test)]
mod tests {
    use super::ordinal;

    #[test]
    fn numbers_have_their_endings() {
        let found = [1, 2, 3, 4, 11, 12, 13, 21, 22, 32].map(ordinal);
        let expected = [
            "1st", "2nd", "3rd", "4th", "11th", "12th", "13th", "21st", "22nd", "32nd",
        ];
        assert_eq!(found, expected);
    }
}
