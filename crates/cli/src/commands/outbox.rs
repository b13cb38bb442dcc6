//! Results on their way to where they are collected, and what is said of those that did not arrive.
//!
//! Everything is noted in the history first and taken out when it has arrived, so that a run
//! that is cut short, a network that is down and a mail server that is asleep cost nothing but
//! time. The run's exit status stays its own.

use super::archive;
use crate::aside;
use crate::config;
use crate::error::Problem;
use crate::exit::Exit;
use fathom_core::figure::plural;
use fathom_core::result::RunResult;
use fathom_deliver::{Attachment, Destination, Failure, Message, Netrc};
use fathom_report::TextOptions;
use fathom_store::{Claim, Pending, Store, StoreError, Wanted};
use std::env::VarError;
use std::path::{Path, PathBuf};

/// How much of what was sent has arrived.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Arrivals {
    pub(crate) arrived: u64,
    pub(crate) waiting: u64,
}

/// Tries all of these, and tells of each on standard error. A place that one result did not reach
/// is not tried for the next: what keeps one keeps them all, and each would wait its while.
pub(crate) fn send(store: &mut Store, pending: &[Pending]) -> Result<Arrivals, Problem> {
    let netrc = Netrc::of_user();
    let mut outcome = Arrivals::default();
    let mut shut: Vec<&str> = Vec::new();
    let mut made: Option<(String, Message)> = None;
    for one in pending {
        if shut.contains(&one.destination.as_str()) {
            outcome.waiting += 1;
            continue;
        }
        if !is_ours(store, one, &mut outcome)? {
            continue;
        }
        // Of a run with several places the page is drawn once.
        if made
            .as_ref()
            .is_none_or(|(run_id, _)| *run_id != one.run_id)
        {
            made = match message_of(store, &one.run_id) {
                Ok(message) => Some((one.run_id.clone(), message)),
                Err(error) => {
                    hold(store, one, &unsaid(error.to_string()))?;
                    outcome.waiting += 1;
                    continue;
                }
            };
        }
        let Some((_, message)) = &made else { continue };
        match deliver(&one.destination, message, &netrc) {
            Ok(place) => {
                aside::say(&format!("delivered: {} {place}\n", one.run_id));
                let gone = store.unpost(&one.run_id, &one.destination);
                gone.map_err(|error| archive::problem(&error))?;
                outcome.arrived += 1;
            }
            Err(failure) => {
                hold(store, one, &failure)?;
                shut.push(&one.destination);
                outcome.waiting += 1;
            }
        }
    }
    if outcome.waiting > 0 {
        let count = plural(outcome.waiting, "result");
        aside::say(&format!(
            "{count} not delivered: kept in the history, fathom deliver --pending\n"
        ));
    }
    Ok(outcome)
}

/// Whether it is this process that sends a result. Another may have begun to meanwhile, as when
/// `--pending` is called every few minutes, or be done.
fn is_ours(store: &mut Store, one: &Pending, outcome: &mut Arrivals) -> Result<bool, Problem> {
    let claimed = store.claim(&one.run_id, &one.destination);
    let claimed = claimed.map_err(|error| archive::problem(&error))?;
    let why = match claimed {
        Claim::Ours => return Ok(true),
        Claim::Taken => {
            outcome.waiting += 1;
            "is being sent by another process"
        }
        Claim::Gone => "does not wait any more",
    };
    aside::say(&format!(
        "note: {} {why}: {}\n",
        one.run_id, one.destination
    ));
    Ok(false)
}

/// Sends a result that no history keeps. What does not arrive is lost, which is said.
pub(crate) fn send_unkept(result: &RunResult, to: &[Destination]) {
    let (netrc, message) = (Netrc::of_user(), message(result));
    for destination in to {
        match destination.send(&message, &netrc) {
            Ok(place) => aside::say(&format!("delivered: {} {place}\n", result.run_id)),
            Err(failure) => {
                tell_of(&result.run_id, &destination.to_string(), &failure);
                aside::say("the result is not in the history either: -o json:FILE keeps it\n");
            }
        }
    }
}

/// Destinations of every result: those of the command line and of the environment; without either,
/// those of the defaults file.
pub(crate) fn places(typed: &[String]) -> Result<Vec<Destination>, Problem> {
    let named = match std::env::var(super::DELIVER) {
        Ok(named) => named,
        Err(VarError::NotPresent) if typed.is_empty() => config::defaults().deliver.join(" "),
        Err(VarError::NotPresent) => String::new(),
        Err(VarError::NotUnicode(_)) => {
            let thing = format!("{} cannot be read", super::DELIVER);
            return Err(Problem::new(Exit::Usage, thing).because("it is not UTF-8"));
        }
    };
    let mut to = Vec::new();
    for text in typed
        .iter()
        .map(String::as_str)
        .chain(named.split_whitespace())
    {
        let place = place(text)?;
        if !to.contains(&place) {
            to.push(place);
        }
    }
    Ok(to)
}

/// The place that a URL names, as one that something will be sent to.
pub(crate) fn place(text: &str) -> Result<Destination, Problem> {
    let place = named(text)?;
    place
        .look_ahead()
        .map_err(|failure| unusable(failure.cause).remedy(failure.remedy.unwrap_or_default()))?;
    Ok(place)
}

/// The place that a URL names, whatever has become of it.
pub(crate) fn named(text: &str) -> Result<Destination, Problem> {
    let place = text.parse::<Destination>();
    place.map_err(|error| unusable(error.cause).remedy(error.remedy))
}

/// The message does not repeat the URL: it may hold a password.
fn unusable(cause: String) -> Problem {
    Problem::new(Exit::Usage, "a place for results cannot be used").because(cause)
}

/// Runs that are sent together when this goes, after the last of them and whatever ends them.
#[derive(Debug, Default)]
pub(crate) struct AtTheEnd {
    /// The histories that the runs are kept in; none is the usual one.
    stores: Vec<Option<PathBuf>>,
    run_ids: Vec<String>,
}

impl AtTheEnd {
    /// For runs that are kept in these histories.
    pub(crate) fn new(stores: impl IntoIterator<Item = Option<PathBuf>>) -> Self {
        let mut unlike = Vec::new();
        for store in stores {
            if !unlike.contains(&store) {
                unlike.push(store);
            }
        }
        Self {
            stores: unlike,
            run_ids: Vec::new(),
        }
    }

    /// One more run.
    pub(crate) fn add(&mut self, run_id: &str) {
        self.run_ids.push(run_id.to_owned());
    }
}

impl Drop for AtTheEnd {
    fn drop(&mut self) {
        for store in &self.stores {
            send_of(store.as_deref(), &self.run_ids);
        }
    }
}

/// Sends what waits of these runs, once nothing is measured any more. What the history refuses then
/// is only said: the measurement has its own status.
pub(crate) fn send_of(named: Option<&Path>, run_ids: &[String]) {
    if run_ids.is_empty() {
        return;
    }
    let sent = archive::open(named).and_then(|mut store| {
        let mut pending = store.pending().map_err(|error| archive::problem(&error))?;
        pending.retain(|one| run_ids.contains(&one.run_id));
        send(&mut store, &pending)
    });
    if let Err(problem) = sent {
        let because = problem.because.unwrap_or_default();
        aside::say(&format!(
            "warning: results are not delivered: {}\n  because: {because}\n  try:     fathom \
             deliver --pending\n",
            problem.thing
        ));
    }
}

fn deliver(destination: &str, message: &Message, netrc: &Netrc) -> Result<String, Failure> {
    let place = destination.parse::<Destination>();
    place
        .map_err(|error| unsaid(error.to_string()))?
        .send(message, netrc)
}

/// A cause for which there is no advice.
fn unsaid(cause: String) -> Failure {
    Failure {
        cause,
        remedy: None,
    }
}

fn hold(store: &mut Store, one: &Pending, failure: &Failure) -> Result<(), Problem> {
    tell_of(&one.run_id, &one.destination, failure);
    let held = store.held_back(&one.run_id, &one.destination, &failure.cause);
    held.map_err(|error| archive::problem(&error))
}

fn tell_of(run_id: &str, destination: &str, failure: &Failure) {
    let mut text = format!(
        "warning: {run_id} is not delivered to {destination}\n  because: {}\n",
        failure.cause
    );
    if let Some(remedy) = &failure.remedy {
        text = format!("{text}  try:     {remedy}\n");
    }
    aside::say(&text);
}

fn message_of(store: &Store, run_id: &str) -> Result<Message, StoreError> {
    Ok(message(&store.result(Wanted::Prefix(run_id))?))
}

/// What is delivered of a run: what a program reads, what a person looks at, and the answer.
fn message(result: &RunResult) -> Message {
    let host = &result.provenance.host.hostname;
    let workload = &result.provenance.workload.name;
    let stem = format!("{}-{host}-{workload}", result.run_id);
    let files = ["json", "html", "brief"]
        .into_iter()
        .filter_map(fathom_report::find);
    let attachments = files.map(|format| {
        let name = format!("{stem}.{}", format.extension);
        Attachment::new(&name, format.media_type, written(result, format))
    });
    let brief = fathom_report::find("brief").map(|format| written(result, format));
    Message {
        subject: format!("{host}: {}", fathom_report::first_line(result)),
        text: String::from_utf8_lossy(&brief.unwrap_or_default()).into_owned(),
        html: Some(fathom_report::mail_html(result)),
        attachments: attachments.collect(),
    }
}

fn written(result: &RunResult, format: fathom_report::Format) -> Vec<u8> {
    let mut bytes = Vec::new();
    let options = TextOptions {
        width: 80,
        ..TextOptions::default()
    };
    // Memory takes everything.
    let _ = fathom_report::write(result, format, options, &mut bytes);
    bytes
}
