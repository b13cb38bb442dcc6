//! A recording as it is looked at: the devices that count, each alone and all together.

mod reading;

use crate::args::RecordingOptions;
use crate::error::{Error, Problem};
use crate::exit::Exit;
use fathom_core::recording::{Recording, Sample, Uncounted};
use fathom_core::{Bytes, figure};
use fathom_tools::recordings;
use fathom_volume::catalog::Remark;
use fathom_volume::sizing::{Basis, Observed, Peak, Vector, observe, together};
use reading::{choose, set_lengths, set_size};
pub(crate) use reading::{read, unknown};
use std::path::Path;

/// The name of what several devices did as one.
pub(crate) const TOGETHER: &str = "together";

/// A recording and what it shows.
pub(crate) struct Recorded {
    /// Who recorded it, and where: `iostat on db1`.
    pub(crate) source: String,
    /// The devices, and last what they did together, if there are several.
    pub(crate) subjects: Vec<Subject>,
    /// What has to be said.
    pub(crate) remarks: Vec<Remark>,
    basis: Basis,
    factor: f64,
    /// Why the devices are not added up.
    apart: Option<String>,
    /// Whether the source counts requests as Linux hands them to a device.
    is_after_merging: bool,
    /// What the source does not count, unless somebody states the size of requests.
    pub(crate) uncounted: Option<Uncounted>,
}

/// One device, or several together.
pub(crate) struct Subject {
    pub(crate) name: String,
    pub(crate) samples: Vec<Sample>,
    pub(crate) observed: Observed,
}

/// What all of them together need.
pub(crate) struct Needed<'a> {
    pub(crate) subject: &'a Subject,
    /// The moments that count.
    pub(crate) moments: Vec<&'a Vector>,
    /// The same as loads, with what comes on top.
    pub(crate) peaks: Vec<Peak>,
}

impl Recorded {
    /// Reads a recording.
    pub(crate) fn read(
        file: &Path,
        options: &RecordingOptions,
        size: Option<Bytes>,
    ) -> Result<Self, Error> {
        let (name, mut recording) = read(file, None, options.columns.as_ref())?;
        let uncounted = set_size(&mut recording, &name, size)?;
        let found = Self::of(recording, &name, options)?;
        Ok(Self { uncounted, ..found })
    }

    /// Refuses a load whose sizes are a guess.
    pub(crate) fn refuse_unsized(&self) -> Result<(), Problem> {
        let counts = match self.uncounted {
            None => return Ok(()),
            Some(Uncounted::Requests) => "counts bytes and no requests",
            Some(Uncounted::Bytes) => "counts requests and no bytes",
        };
        Err(
            Problem::new(Exit::Usage, "the size of the requests is not known")
                .because(format!("the recording of {} {counts}", self.source))
                .remedy("state it, as in --block-size 16KiB, or record with iostat -x"),
        )
    }

    fn of(
        mut recording: Recording,
        file: &str,
        options: &RecordingOptions,
    ) -> Result<Self, Problem> {
        set_lengths(&mut recording, file, options.interval)?;
        let mut remarks: Vec<Remark> = recording.notes.iter().map(Remark::note).collect();
        let chosen = choose(&recording, file, options, &mut remarks)?;
        let basis = options.basis();
        let sum = (chosen.len() > 1).then(|| together(&chosen));
        let names: Vec<String> = chosen.iter().map(|series| series.device.clone()).collect();
        let mut subjects: Vec<Subject> = Vec::new();
        for name in &names {
            let samples = std::mem::take(&mut recording.device(name).samples);
            subjects.extend(Subject::of(name, samples, basis));
        }
        let mut apart = None;
        match sum {
            Some(Ok(samples)) => subjects.extend(Subject::of(TOGETHER, samples, basis)),
            Some(Err(error)) => apart = Some(error.to_string()),
            None => {}
        }
        let counts_requests = recording.uncounted != Some(Uncounted::Requests);
        let is_after_merging = counts_requests && recordings::is_after_merging(&recording.tool);
        let host = recording.host.map(|host| format!(" on {host}"));
        let found = Self {
            source: format!("{}{}", recording.tool, host.unwrap_or_default()),
            subjects,
            remarks,
            basis,
            factor: options.factor(),
            apart,
            is_after_merging,
            uncounted: None,
        };
        Ok(found.remarked())
    }

    /// All that was looked at as one.
    pub(crate) fn whole(&self) -> Result<&Subject, Problem> {
        match (&self.apart, self.subjects.last()) {
            (None, Some(subject)) => Ok(subject),
            (why, _) => {
                let names = self.subjects.iter().map(|subject| subject.name.as_str());
                let names: Vec<&str> = names.collect();
                let problem = Problem::new(Exit::Usage, "the devices cannot be added up");
                Err(problem
                    .because(why.clone().unwrap_or_default())
                    .remedy(format!("select one with --device: {}", names.join(", "))))
            }
        }
    }

    /// What is needed of all that was looked at.
    pub(crate) fn needed(&self) -> Result<Needed<'_>, Problem> {
        let subject = self.whole()?;
        let Some(moments) = self.basis.moments(&subject.observed) else {
            return Err(Problem::new(Exit::Usage, "--by sustained cannot be used")
                .because(
                    "the recording is shorter than half an hour, or does not contain its length",
                )
                .remedy("use --by p99, or --interval for the length of its intervals"));
        };
        let peaks = moments.iter().map(|moment| moment.peak(self.factor));
        Ok(Needed {
            subject,
            peaks: peaks.collect(),
            moments,
        })
    }

    /// What counts, in words: `p99 of 1.0 s means, 25.0 % more`.
    pub(crate) fn basis_in_words(&self) -> String {
        let mut lengths = self.subjects.iter().flat_map(|subject| &subject.samples);
        let length = lengths.next().and_then(|sample| sample.length_ns);
        let of = match (self.basis, length) {
            (Basis::Sustained, _) => "mean of the busiest half hour".to_owned(),
            (basis, Some(length)) => format!("{basis} of {} means", figure::duration(length)),
            (basis, None) => format!("{basis} of means of unknown length"),
        };
        match self.factor {
            same if same <= 1.0 => of,
            factor => format!("{of}, and {} more", figure::percent((factor - 1.0) * 100.0)),
        }
    }

    pub(crate) const fn factor(&self) -> f64 {
        self.factor
    }

    pub(crate) const fn basis(&self) -> Basis {
        self.basis
    }

    fn remarked(mut self) -> Self {
        let mut remarks = Vec::new();
        for subject in &self.subjects {
            remarks.extend(subject.flat_top());
        }
        if let Some(why) = &self.apart {
            remarks.push(Remark::warning(format!(
                "the devices are not added up: {why}"
            )));
        }
        let all = || self.subjects.iter().flat_map(|subject| &subject.samples);
        let is_joint = all().any(|sample| sample.reads_per_second.is_none());
        if is_joint {
            remarks.push(Remark::assumed(
                "reads and writes have the same size, and discards are included: the recording \
                 does not distinguish them",
            ));
        }
        if all().any(|sample| sample.length_ns.is_none()) {
            remarks.push(Remark::note(
                "the recording does not contain its interval length; set --interval",
            ));
        }
        let merged = if self.is_after_merging {
            ", and requests are counted after merging"
        } else {
            ""
        };
        remarks.push(Remark::note(format!(
            "peaks shorter than an interval are averaged{merged}"
        )));
        self.remarks.splice(0..0, remarks);
        self
    }
}

impl Subject {
    /// None for a device that was never looked at.
    fn of(name: &str, samples: Vec<Sample>, basis: Basis) -> Option<Self> {
        let observed = observe(&samples, basis.quantile())?;
        Some(Self {
            name: name.to_owned(),
            samples,
            observed,
        })
    }

    /// What a flat top means.
    fn flat_top(&self) -> Option<Remark> {
        let top = self.observed.flat_top?;
        let (name, share) = (&self.name, figure::percent(top.share * 100.0));
        let rate = figure::iops(top.iops);
        let seen = if top.is_slow == Some(true) {
            format!(
                "in {share} of the intervals requests waited more than three times as long, and at \
                 most {rate} IOPS were served"
            )
        } else {
            format!("{share} of the intervals are within 2 % of {rate} IOPS, as under a limit")
        };
        Some(Remark::warning(format!(
            "{name}: {seen}. The device was saturated, so the real demand may be higher"
        )))
    }
}
