//! The traces that fio's `write_iolog` asks for, gathered while the run goes on and written at its
//! end, since requests are known when they complete and are replayed as they were issued.

use super::fio_files;
use crate::error::{Problem, system_words};
use crate::exit::Exit;
use fathom_core::Nanos;
use fathom_core::spec::Phase;
use fathom_device::Door;
use fathom_session::{Entry, Event, Observer};
use fathom_tools::fio::{FioRecording, RecordedRequest, write_iolog};
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{BufWriter, Write as _};

/// The traces of a run.
#[derive(Debug, Default)]
pub(super) struct Recordings {
    all: Vec<Recording>,
    /// For each job of the phase that runs: its trace, and the number of its first file there.
    now: Vec<Option<(usize, u16)>>,
}

#[derive(Debug)]
struct Recording {
    spec: FioRecording,
    out: BufWriter<File>,
    files: Vec<String>,
    requests: Vec<RecordedRequest>,
}

impl Recordings {
    /// Makes all files, so that a bad path fails before anything is measured.
    pub(super) fn open(
        door: &Door,
        specs: &[FioRecording],
        overwrite: bool,
    ) -> Result<Self, Problem> {
        let open = |spec: &FioRecording| {
            let path = spec.path.as_ref();
            let file = fio_files::renewed(door, path, fio_files::is_trace, overwrite);
            let file = file.map_err(|error| {
                fio_files::refused(format!("cannot write the trace {}", spec.path), &error)
            })?;
            Ok(Recording {
                spec: spec.clone(),
                out: BufWriter::new(file),
                files: Vec::new(),
                requests: Vec::new(),
            })
        };
        Ok(Self {
            all: specs.iter().map(open).collect::<Result<_, Problem>>()?,
            now: Vec::new(),
        })
    }

    /// Adds the jobs whose requests are wanted, by phase.
    pub(super) fn add_journals(&self, journals: &mut BTreeMap<String, Vec<String>>) {
        for Recording { spec, .. } in &self.all {
            let jobs = journals.entry(spec.phase.clone()).or_default();
            for job in &spec.jobs {
                if !jobs.contains(job) {
                    jobs.push(job.clone());
                }
            }
        }
    }

    fn begin(&mut self, phase: &Phase, targets: &[&[String]]) {
        self.now.clear();
        for (job, paths) in phase.jobs.iter().zip(targets) {
            let wanted = self.all.iter_mut().enumerate();
            let mut wanted = wanted.filter(|(_, recording)| {
                recording.spec.phase == phase.name && recording.spec.jobs.contains(&job.name)
            });
            self.now.push(wanted.next().map(|(index, recording)| {
                let first = recording.files.len() as u16;
                recording.files.extend(paths.iter().cloned());
                (index, first)
            }));
        }
    }

    fn add(&mut self, job: usize, start: Nanos, entries: &[Entry]) {
        let Some((index, first)) = self.now.get(job).copied().flatten() else {
            return;
        };
        let recorded = entries.iter().map(|entry| RecordedRequest {
            at: entry.issued.saturating_sub(start),
            offset: entry.offset,
            bytes: entry.len,
            file: first + entry.target,
            op: entry.op,
        });
        self.all[index].requests.extend(recorded);
    }

    /// Writes all of them.
    pub(super) fn finish(mut self) -> Result<(), Problem> {
        for recording in &mut self.all {
            recording.write()?;
        }
        Ok(())
    }
}

impl Recording {
    fn write(&mut self) -> Result<(), Problem> {
        self.join_files();
        let odd = self
            .files
            .iter()
            .find(|file| file.contains(char::is_whitespace));
        if let Some(file) = odd {
            let cause = format!("an I/O log cannot name `{file}`, which has a blank in it");
            return Err(cannot_write(&self.spec, cause).remedy("a path without blanks"));
        }
        let data_only = self.spec.data_only;
        write_iolog(&self.files, &mut self.requests, data_only, &mut self.out)
            .and_then(|()| self.out.flush())
            .map_err(|error| cannot_write(&self.spec, system_words(&error)))
    }

    /// Names each file once, however many clones use it.
    fn join_files(&mut self) {
        let mut joined: Vec<String> = Vec::new();
        let mut places = Vec::new();
        for file in &self.files {
            let place = joined.iter().position(|other| other == file);
            places.push(place.unwrap_or(joined.len()) as u16);
            if place.is_none() {
                joined.push(file.clone());
            }
        }
        for request in &mut self.requests {
            request.file = places[usize::from(request.file)];
        }
        self.files = joined;
    }
}

impl Observer for Recordings {
    fn event(&mut self, event: &Event<'_>) {
        match event {
            Event::Leg { leg, targets } => self.begin(&leg.phase, targets),
            Event::Requests {
                job,
                start,
                entries,
                ..
            } => self.add(*job, *start, entries),
            _ => {}
        }
    }
}

fn cannot_write(spec: &FioRecording, cause: impl Into<String>) -> Problem {
    let thing = format!("cannot write the trace {}", spec.path);
    Problem::new(Exit::Environment, thing).because(cause)
}
