//! What is known of the writes that a job verifies, from the files of `verify_state_load`.

use super::{Maker, amount::Region};
use crate::dialects::{Surroundings, reason};
use crate::fio::settings::{Checksum, Settings};
use crate::fio::source::{Findings, TextPlace, Wrong};
use crate::fio::verify_state::{Pass, VerifyState, WriteOrder};
use crate::translation::Standing;
use fathom_core::spec::{IoKind, JobStop, Verify};
use std::path::Path;

const SAVED: &str = "the folder in which the writes ran, with verify_state_save=1";

/// The name of the file of a clone.
pub(in crate::fio) fn file_name(job: &str, index: u64) -> String {
    format!("local-{}-{index}-verify.state", job.replace('/', "."))
}

/// Reads the files of all clones, and takes over the seed of what was drawn by us.
pub(super) fn load(
    name: &str,
    settings: &mut Settings,
    place: &TextPlace,
    surroundings: &dyn Surroundings,
    findings: &mut Findings,
) {
    if !settings.loads_state {
        return;
    }
    let word = settings.word("verify_state_load").cloned();
    let place = word.as_ref().map_or(place, |word| &word.place);
    if let (Some(word), true) = (&word, surroundings.is_elsewhere()) {
        let message = "the files are read where it runs; here nothing is known of them";
        return findings.note(Standing::Ignored, &word.what(), message);
    }
    for clone in 0..settings.clones {
        let file = file_name(name, settings.first_clone + clone);
        let path = Path::new(&settings.state_directory).join(file);
        let bytes = surroundings.read_bytes(&path);
        let state = bytes
            .map_err(|error| reason(&error))
            .and_then(|bytes| VerifyState::of_bytes(&bytes).map_err(|error| error.to_string()));
        match state {
            Ok(state) => {
                if let WriteOrder::Made { seed, .. } = state.order {
                    settings.seed = Some(seed);
                }
                settings.states.push(state);
            }
            Err(why) => {
                let message = format!("cannot use the state {}: {why}", path.display());
                return findings.error(place, Wrong::new(message, SAVED));
            }
        }
    }
}

impl Maker<'_> {
    /// The end of a clone that reads no further than something is known to have been written.
    pub(super) fn known(
        &self,
        stop: JobStop,
        region: &Region,
        kinds: &[IoKind],
        clone: u64,
        findings: &mut Findings,
    ) -> Option<JobStop> {
        let settings = self.settings;
        let Some(state) = settings.states.get(clone as usize) else {
            return Some(stop);
        };
        if !matches!(self.verify(kinds), Verify::Check | Verify::Revisit) {
            if let Some(word) = settings.word("verify_state_load") {
                let message = "the job only reads what it has written itself";
                findings.note(Standing::Ignored, &word.what(), message);
            }
            return Some(stop);
        }
        let pass = self.pass_of(region, kinds);
        let found = state.known(&pass).and_then(|requests| match requests {
            0 => Err("it says that nothing was written".to_owned()),
            requests => Ok(requests),
        });
        match found {
            Ok(requests) => Some(JobStop {
                ios: Some(stop.ios.map_or(requests, |ios| ios.min(requests))),
                ..stop
            }),
            Err(why) => {
                let wrong = Wrong::new(
                    format!("the state of the writes is of no use: {why}"),
                    "the job that wrote, with verify_only; or without verify_state_load",
                );
                self.error(findings, "verify_state_load", wrong);
                None
            }
        }
    }

    /// Where the requests of the first clone go.
    pub(super) fn whole_pass(&self) -> Option<Pass> {
        let settings = self.settings;
        if self.checksum() == Checksum::Off || !settings.replays.traces.is_empty() {
            return None;
        }
        let region = self.region(&self.targets(0), 0, &mut Findings::default())?;
        Some(self.pass_of(&region, &self.kinds()))
    }

    /// Where the requests of a clone go.
    fn pass_of(&self, region: &Region, kinds: &[IoKind]) -> Pass {
        let settings = self.settings;
        let smallest = self.smallest_block().max(1);
        let is_plain = settings.pattern_step.is_none() && !settings.strided;
        Pass {
            requests: region.amount / smallest,
            block: kinds
                .iter()
                .all(|kind| kind.block_size.0 == smallest)
                .then_some(smallest),
            random: kinds.iter().any(|kind| kind.random.0 > 0.0),
            mixed: kinds.iter().any(|kind| kind.op != kinds[0].op),
            line: (is_plain && region.amount <= region.length).then_some(region.offset),
        }
    }
}
