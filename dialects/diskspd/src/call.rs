//! DISKSPD called: its words in, its report out.

use super::layout::{input_text, remarks, text, xml};
use super::profile::{Profile, ResultFormat, TimeSpan};
use super::xml::profile_element;
use super::{read, usage, wants_help};
use fathom_core::result::RunResult;
use fathom_core::spec::{Job, Phase};
use fathom_tools::call::{Call, Given, Refusal, Reply, Said};
use fathom_tools::drives::{mapped, raw_device};
use fathom_tools::translation::Translation;
use std::collections::BTreeMap;

struct CallLine {
    argv: Vec<String>,
    profile: Profile,
    translation: Translation,
}

/// Answers a call.
pub(super) fn answer(given: &Given<'_>) -> Result<Reply, Refusal> {
    let program = std::iter::once("diskspd".to_owned());
    let words = given.words.iter();
    let drives = given.surroundings.drives();
    let here = |word: &String| raw_device(word, drives).unwrap_or_else(|| mapped(word, drives));
    let words = words.map(here);
    let argv: Vec<String> = program.chain(words).collect();
    if wants_help(&argv) {
        return Ok(Reply::Text(usage()));
    }
    if given.words.is_empty() {
        return Err(Refusal::NoWords(usage()));
    }
    let input =
        read(&argv, given.surroundings)?.rebound(&given.beside.targets, given.surroundings)?;
    let profile = input.profile.clone();
    if profile.print_only {
        return Ok(Reply::Text(match profile.format {
            ResultFormat::Text => input_text(&profile, &argv),
            ResultFormat::Xml => profile_element(&profile).render(),
        }));
    }
    let translation = input.translate(given.surroundings)?;
    Ok(Reply::Run(Box::new(CallLine {
        argv,
        profile,
        translation,
    })))
}

impl Call for CallLine {
    fn translation(&self) -> &Translation {
        &self.translation
    }

    fn translation_mut(&mut self) -> &mut Translation {
        &mut self.translation
    }

    /// DISKSPD has a row for each thread and target, and in XML the buckets of each.
    fn apart(&self) -> BTreeMap<String, Vec<String>> {
        let phases = self.translation.workload.phases.iter();
        let spans = self.profile.spans.iter().zip(phases);
        let wanted = |(span, phase): (&TimeSpan, &Phase)| {
            let buckets = span.iops_bucket_ms.is_some() && self.profile.format == ResultFormat::Xml;
            let is_wanted = |job: &&Job| job.targets.len() > 1 || buckets && job.threads > 1;
            let names = phase.jobs.iter().filter(is_wanted);
            let names: Vec<String> = names.map(|job| job.name.clone()).collect();
            (phase.name.clone(), names)
        };
        spans.map(wanted).collect()
    }

    fn said(&self, result: &RunResult, asked: bool, quiet: bool) -> Said {
        if asked {
            return Said::default();
        }
        let mut profile = self.profile.clone();
        // A new seed each time is drawn when the run begins.
        let fresh = profile.spans.iter_mut().filter(|span| span.fresh_seed);
        fresh.for_each(|span| span.seed = result.provenance.seed);
        let profile = &profile;
        let out = match profile.format {
            ResultFormat::Text => text(result, profile, &self.argv),
            ResultFormat::Xml => xml(result, profile),
        };
        // What reads DISKSPD's output takes all of it for its own.
        let told = if quiet {
            Vec::new()
        } else {
            remarks(result, profile)
        };
        let err = told.iter().map(|remark| format!("note: {remark}\n"));
        Said {
            out,
            err: err.collect(),
            judged: true,
        }
    }
}
