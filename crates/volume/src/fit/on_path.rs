//! The load on a path: it ran there, and nothing is assumed of the storage.

use super::answer::{LEAST_SECONDS, SERVED, without_interval};
use super::{Answer, Interval, Method, Original};
use fathom_core::figure;
use fathom_core::{Caveat, State};
use serde::Serialize;

/// A rate within the distance of the original to itself is that of the original, up to this
/// distance.
const MOST_FLOOR: f64 = 0.15;

/// What the load got, at a multiple of its rate.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Got {
    /// The rate asked for over the recorded one.
    pub scale: f64,
    /// Requests a second that are asked for.
    pub asked_iops: f64,
    /// Requests a second that were served.
    pub delivered_iops: Interval,
    /// Response times in nanoseconds, where there were enough requests.
    pub p50_ns: Option<Interval>,
    /// See [`Self::p50_ns`].
    pub p99_ns: Option<Interval>,
    /// See [`Self::p50_ns`].
    pub p999_ns: Option<f64>,
    /// Why requests waited for others, if too many of them did.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub held: Option<String>,
}

/// The load on a path.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct OnPath {
    /// As it was given.
    pub path: String,
    /// Whether the load fits.
    pub answer: Answer,
    /// The same in words.
    pub sentence: String,
    /// How far the measurement can be trusted.
    pub state: State,
    /// The finding for which it cannot be trusted further, if it is SUSPECT or INVALID and the
    /// storage is not the reason.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub doubt: Option<String>,
    /// Everything that was found of it.
    pub caveats: Vec<Caveat>,
    /// Name of the run in the history; none if it was not saved there.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub run_id: Option<String>,
    /// What the load got there.
    pub got: Got,
    /// The highest multiple of the load that fits, as far as multiples were tried.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub headroom: Option<f64>,
    /// The multiples that were tried, in their order.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub multiples: Vec<Got>,
}

impl OnPath {
    /// Decides, and makes the sentence.
    #[must_use]
    pub(super) fn answered(mut self, original: &Original, method: Method) -> Self {
        let (answer, reason) = match &self.doubt {
            Some(doubt) if self.state == State::Invalid => {
                (Answer::CannotTell, format!("the run is INVALID: {doubt}"))
            }
            _ => decide(&self.got, original, method),
        };
        let fits = |got: &&Got| {
            let (answer, _) = decide(got, original, method);
            matches!(answer, Answer::Fits | Answer::FitsSlower)
        };
        self.answer = answer;
        self.headroom = match answer {
            Answer::Fits | Answer::FitsSlower if !self.multiples.is_empty() => {
                let fitting = self.multiples.iter().take_while(fits);
                Some(fitting.last().unwrap_or(&self.got).scale)
            }
            _ => None,
        };
        self.sentence = self.in_words(original, &reason);
        self
    }

    fn in_words(&self, original: &Original, reason: &str) -> String {
        let path = &self.path;
        let mut words = match self.answer {
            Answer::Fits => format!("fits: {}", self.figures(original)),
            Answer::FitsSlower => {
                format!("fits, but slower than today: {}", self.figures(original))
            }
            Answer::DoesNotFit => format!("does not fit on {path}: {reason}"),
            Answer::CannotTell | Answer::FitsForATime => {
                format!("cannot tell for {path}: {reason}")
            }
        };
        if let Some(headroom) = self.headroom {
            words.push_str(&self.headroom_in_words(headroom));
        }
        if self.doubt.is_some() && self.state == State::Suspect {
            words += "; the measurement is SUSPECT";
        }
        words
    }

    fn headroom_in_words(&self, headroom: f64) -> String {
        match self.multiples.last() {
            Some(last) if last.scale <= headroom => {
                format!("; also at {headroom} times the rate, the most that was tried")
            }
            _ if headroom > self.got.scale => {
                format!("; head room up to {headroom} times the rate")
            }
            _ => "; without head room".to_owned(),
        }
    }

    /// `1,200 IOPS (today 1,202), p50 140 µs [131 µs, 150 µs] (today …), p99 … on /mnt`.
    fn figures(&self, original: &Original) -> String {
        let got = &self.got;
        let time = |name: &str, found: Option<Interval>, today: Option<f64>| {
            let Some(found) = found else {
                return String::new();
            };
            let [estimate, low, high] = [found.estimate, found.low, found.high].map(figure::time);
            let today = today.map_or_else(String::new, |today| {
                format!(" (today {})", figure::time(today))
            });
            format!(", {name} {estimate} [{low}, {high}]{today}")
        };
        let [served, today] = [got.delivered_iops.estimate, original.iops].map(figure::iops);
        format!(
            "{served} IOPS (today {today}){}{} on {}",
            time("p50", got.p50_ns, original.p50_ns),
            time("p99", got.p99_ns, original.p99_ns),
            self.path
        )
    }
}

/// The answer, and what speaks against a fit.
fn decide(got: &Got, original: &Original, method: Method) -> (Answer, String) {
    if original.seconds < LEAST_SECONDS {
        let length = figure::duration((original.seconds * 1e9) as u64);
        let reason = format!("the trace has {length}, and an answer takes {LEAST_SECONDS} s");
        return (Answer::CannotTell, reason);
    }
    let served = got.delivered_iops;
    let least = got.asked_iops * SERVED;
    let is_slower = |today: f64| got.p99_ns.is_some_and(|p99| p99.low > today);
    let [rate, asked] = [served.estimate, got.asked_iops].map(figure::iops);
    let rate = format!("it serves {rate} of {asked} IOPS");
    let reason = match &got.held {
        Some(held) => format!("{rate}, and {held}"),
        None => rate,
    };
    // The windows of the original differ by as much.
    let floor = match method {
        Method::Replay => 0.0,
        Method::Twin => original.floor_of_rate.unwrap_or(0.0),
    };
    let is_as_near = floor <= MOST_FLOOR && served.estimate >= got.asked_iops * (-floor).exp();
    if served.high < least {
        return (Answer::DoesNotFit, reason);
    }
    if served.estimate < least && !is_as_near {
        let floor = figure::percent(floor.exp_m1() * 100.0);
        let reason = format!("{reason}, and windows of the trace differ by {floor}");
        return (Answer::CannotTell, reason);
    }
    if got.p99_ns.is_none() {
        return (Answer::CannotTell, without_interval(original));
    }
    match original.p99_ns {
        Some(today) if got.held.is_some() && is_slower(today) => (Answer::DoesNotFit, reason),
        None if got.held.is_some() => (Answer::DoesNotFit, reason),
        Some(today) if is_slower(today) => (Answer::FitsSlower, String::new()),
        _ => (Answer::Fits, String::new()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn around(estimate: f64, floor: f64) -> Interval {
        Interval::of(vec![estimate], floor).expect("one value")
    }

    /// A trace of 1,000 requests a second whose windows differ by 10 %, with a p99 of 1 ms.
    fn original() -> Original {
        Original {
            requests: 20_000,
            seconds: 20.0,
            iops: 1_000.0,
            bytes_per_second: 4_096_000.0,
            p50_ns: Some(2e5),
            p99_ns: Some(1e6),
            p999_ns: None,
            floor_of_rate: Some(1.1_f64.ln()),
            floor_of_p50: Some(0.0),
            floor_of_p99: Some(1.1_f64.ln()),
            longest_gap_seconds: 0.1,
            touched_bytes: 1 << 30,
        }
    }

    fn got(scale: f64, iops: f64, p99_ns: f64) -> Got {
        Got {
            scale,
            asked_iops: scale * 1_000.0,
            delivered_iops: around(iops, 0.0),
            p50_ns: Some(around(1e5, 0.0)),
            p99_ns: Some(around(p99_ns, 1.1_f64.ln())),
            p999_ns: None,
            held: None,
        }
    }

    fn on_path(got: Got, multiples: Vec<Got>) -> OnPath {
        OnPath {
            path: "/mnt".into(),
            answer: Answer::CannotTell,
            sentence: String::new(),
            state: State::Valid,
            doubt: None,
            caveats: Vec::new(),
            run_id: None,
            got,
            headroom: None,
            multiples,
        }
    }

    #[test]
    fn a_load_fits_where_its_rate_is_kept() {
        let held = |mut got: Got| {
            got.held = Some("all 256 are outstanding".into());
            got
        };
        let twin = |iops: f64| Got {
            delivered_iops: around(iops, 1.1_f64.ln()),
            ..got(1.0, iops, 9e5)
        };
        let short = Original {
            seconds: 4.0,
            ..original()
        };
        let cases = [
            (got(1.0, 1_000.0, 9e5), original(), Method::Replay),
            (got(1.0, 1_000.0, 2e6), original(), Method::Replay),
            (got(1.0, 950.0, 9e5), original(), Method::Replay),
            (twin(950.0), original(), Method::Twin),
            (twin(880.0), original(), Method::Twin),
            (held(got(1.0, 1_000.0, 2e6)), original(), Method::Replay),
            (held(got(1.0, 1_000.0, 9e5)), original(), Method::Replay),
            (got(1.0, 1_000.0, 9e5), short, Method::Replay),
        ];
        let found = cases.map(|(got, original, method)| {
            let answered = on_path(got, Vec::new()).answered(&original, method);
            answered.sentence
        });
        let fast = "1,000 IOPS (today 1,000), p50 100 µs [100 µs, 100 µs] (today 200 µs), p99 900 \
                    µs [818 µs, 990 µs] (today 1.00 ms) on /mnt";
        let slow = "1,000 IOPS (today 1,000), p50 100 µs [100 µs, 100 µs] (today 200 µs), p99 2.00 \
                    ms [1.82 ms, 2.20 ms] (today 1.00 ms) on /mnt";
        let expected = [
            format!("fits: {fast}"),
            format!("fits, but slower than today: {slow}"),
            "does not fit on /mnt: it serves 950.0 of 1,000 IOPS".to_owned(),
            format!("fits: 950.0{}", fast.trim_start_matches("1,000")),
            "does not fit on /mnt: it serves 880.0 of 1,000 IOPS".to_owned(),
            "does not fit on /mnt: it serves 1,000 of 1,000 IOPS, and all 256 are outstanding"
                .to_owned(),
            format!("fits: {fast}"),
            "cannot tell for /mnt: the trace has 4.0 s, and an answer takes 5 s".to_owned(),
        ];
        assert_eq!(found, expected);
    }

    #[test]
    fn head_room_ends_at_the_first_multiple_that_does_not_fit() {
        let multiples = |rates: &[(f64, f64)]| {
            let multiples = rates.iter().map(|(scale, iops)| got(*scale, *iops, 9e5));
            let on_path = on_path(got(1.0, 1_000.0, 9e5), multiples.collect());
            let answered = on_path.answered(&original(), Method::Replay);
            let words = answered.sentence.split_once("; ").map(|(_, words)| words);
            (answered.headroom, words.map(str::to_owned))
        };
        let found = [
            multiples(&[]),
            multiples(&[(1.5, 1_500.0), (2.0, 1_600.0), (3.0, 3_000.0)]),
            multiples(&[(1.5, 1_500.0), (2.0, 2_000.0)]),
            multiples(&[(1.5, 1_200.0), (2.0, 1_200.0)]),
        ];
        let said = |words: &str| Some(words.to_owned());
        let expected = [
            (None, None),
            (Some(1.5), said("head room up to 1.5 times the rate")),
            (
                Some(2.0),
                said("also at 2 times the rate, the most that was tried"),
            ),
            (Some(1.0), said("without head room")),
        ];
        assert_eq!(found, expected);
    }

    #[test]
    fn a_measurement_that_cannot_be_trusted_says_so() {
        let found = [State::Qualified, State::Suspect, State::Invalid].map(|state| {
            let on_path = OnPath {
                state,
                doubt: (state > State::Qualified).then(|| "the target is sparse".to_owned()),
                ..on_path(got(1.0, 800.0, 9e5), Vec::new())
            };
            on_path.answered(&original(), Method::Replay).sentence
        });
        let expected = [
            "does not fit on /mnt: it serves 800.0 of 1,000 IOPS",
            "does not fit on /mnt: it serves 800.0 of 1,000 IOPS; the measurement is SUSPECT",
            "cannot tell for /mnt: the run is INVALID: the target is sparse",
        ];
        assert_eq!(found, expected);
    }
}
