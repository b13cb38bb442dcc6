//! What can be read and was hardly meant.

use super::phases::Group;
use super::settings::{Limit, Settings};
use super::source::{Findings, TextPlace, Wrong};
use fathom_core::Nanos;

/// One warning about a job: where, and why.
type Check = fn(&Settings) -> Option<(&TextPlace, String, &'static str)>;

const CHECKS: [Check; 7] = [
    no_depth,
    said_twice,
    not_asynchronous,
    mix_disagrees,
    no_time,
    clones_follow,
    lenient_steadiness,
];

/// Warns of every section; what several sections share is reported once, with their number.
pub(super) fn check(groups: &[Group], findings: &mut Findings) {
    for check in CHECKS {
        let all = groups.iter().flatten();
        let mut told = all.filter_map(|built| check(&built.settings));
        if let Some((place, message, remedy)) = told.next() {
            let others = told.count();
            let message = match others {
                0 => message,
                others => format!("{message} (and {others} more)"),
            };
            findings.warn(place, Wrong::new(message, remedy));
        }
    }
}

/// Warns of sections that all run at once where nothing says that they should.
pub(super) fn check_at_once(group: &Group, findings: &mut Findings) {
    let intended = |built: &super::job::Built| {
        let settings = &built.settings;
        settings.new_group || settings.stonewall || settings.start_delay > Nanos::ZERO
    };
    let rest = group.iter().skip(1);
    if group.len() < 2 || rest.clone().any(intended) {
        return;
    }
    let Some(second) = rest.clone().next() else {
        return;
    };
    let message = format!("no stonewall: all {} jobs run at once", group.len());
    let remedy = "use --one-by-one to run them one after another, or --as-written if this is \
                  intended";
    findings.warn(&second.place, Wrong::new(message, remedy));
}

fn no_depth(settings: &Settings) -> Option<(&TextPlace, String, &'static str)> {
    let engine = settings.word("ioengine")?;
    if settings.engine.synchronous || settings.has("iodepth") || engine.text() == "null" {
        return None;
    }
    let message = format!(
        "{} without iodepth keeps one request in flight",
        engine.text()
    );
    Some((
        &engine.place,
        message,
        "use iodepth=N, or iodepth=1 if this is intended",
    ))
}

fn said_twice(settings: &Settings) -> Option<(&TextPlace, String, &'static str)> {
    let (direct, buffered) = (settings.word("direct")?, settings.word("buffered")?);
    let message = if direct.text() == buffered.text() {
        "direct and buffered contradict each other; the later one holds"
    } else {
        "direct and buffered are one switch, written twice"
    };
    Some((&buffered.place, message.to_owned(), "direct alone"))
}

fn not_asynchronous(settings: &Settings) -> Option<(&TextPlace, String, &'static str)> {
    let engine = settings.word("ioengine")?;
    if engine.text() != "libaio" || settings.job.durability.direct {
        return None;
    }
    let message = "libaio through the page cache waits for each request".to_owned();
    Some((&engine.place, message, "direct=1, or ioengine=io_uring"))
}

fn mix_disagrees(settings: &Settings) -> Option<(&TextPlace, String, &'static str)> {
    let (read, write) = (settings.word("rwmixread")?, settings.word("rwmixwrite")?);
    let (reads, writes): (f64, f64) = (read.text().parse().ok()?, write.text().parse().ok()?);
    if (reads + writes - 100.0).abs() < 1e-9 {
        return None;
    }
    let message = format!(
        "rwmixread={reads} and rwmixwrite={writes} are not 100; the later one holds: {} % reads",
        settings.read_share
    );
    Some((&write.place, message, "one of the two"))
}

fn no_time(settings: &Settings) -> Option<(&TextPlace, String, &'static str)> {
    let word = settings.word("time_based")?;
    if !settings.time_based || settings.runtime > Nanos::ZERO {
        return None;
    }
    let message = "time_based without runtime has no effect".to_owned();
    Some((&word.place, message, "runtime=60s"))
}

fn clones_follow(settings: &Settings) -> Option<(&TextPlace, String, &'static str)> {
    let word = settings.word("numjobs")?;
    let apart = settings.has("offset_increment") || settings.filenames.is_empty();
    if settings.clones < 2 || settings.pattern.random || apart {
        return None;
    }
    let message = format!(
        "all {} clones go through the same blocks in the same order",
        settings.clones
    );
    let remedy = "offset_increment=, so that each has a part of its own";
    Some((&word.place, message, remedy))
}

/// fio's limits are not those of the SNIA test specification that they are often taken for.
fn lenient_steadiness(settings: &Settings) -> Option<(&TextPlace, String, &'static str)> {
    let word = settings.word("steadystate")?;
    let criterion = settings.steady?;
    let Limit::Percent(percent) = criterion.limit else {
        return None;
    };
    let window = (settings.steady_time.0 / 1_000_000_000).max(3);
    if criterion.slope {
        let drift = percent * (window - 1) as f64;
        if drift <= 10.0 {
            return None;
        }
        let message = format!(
            "a slope of {percent} % a second is a drift of {drift} % over {window} s; SNIA allows \
             10 %"
        );
        let remedy = "10 % divided by the seconds of the window less one; iops_slope:2.5% for five";
        return Some((&word.place, message, remedy));
    }
    if percent <= 10.0 {
        return None;
    }
    let message = format!(
        "{percent} % to either side of the mean is a band of {} %; SNIA allows a range of 20 %",
        percent * 2.0
    );
    Some((&word.place, message, "10%, for a range of about 20 %"))
}
