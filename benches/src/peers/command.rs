//! The two programs, traced or left alone.

use crate::cases::Case;
use crate::folder::Folder;
use crate::seen::Seen;
use anyhow::{Context, Result, bail};
use serde_json::Value;
use std::ffi::OsString;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

/// System calls that move data, make it durable or give it up.
const CALLS: &str = "trace=read,write,pread64,pwrite64,preadv,pwritev,preadv2,pwritev2,io_submit,\
                     fsync,fdatasync,fallocate";
const TRACES: &str = "calls";

/// A program that runs job files.
#[derive(Debug)]
pub(crate) struct Tool {
    pub(crate) name: &'static str,
    pub(crate) version: String,
    words: Vec<OsString>,
}

impl Tool {
    pub(crate) fn fio() -> Self {
        let words = ["fio", "--output-format=json", "--eta=never"];
        Self {
            name: "fio",
            version: said(Command::new("fio").arg("--version")),
            words: words.map(OsString::from).into(),
        }
    }

    pub(crate) fn fathom(program: &Path) -> Self {
        let words = [
            "fio",
            "--overwrite",
            "--no-save",
            "--quiet",
            "--output-format=json",
        ];
        let words = words.map(OsString::from);
        Self {
            name: "fathom",
            version: said(Command::new(program).arg("--version")),
            words: std::iter::once(program.into()).chain(words).collect(),
        }
    }
}

/// What a program says of its version; empty where it says nothing.
fn said(command: &mut Command) -> String {
    let output = command.output().map(|output| output.stdout);
    let text = String::from_utf8(output.unwrap_or_default()).unwrap_or_default();
    text.trim().to_owned()
}

/// What a run reports of itself.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Report {
    pub(crate) iops: f64,
    /// Requests that it says it made: reads, writes, trims.
    pub(crate) requests: [u64; 3],
}

/// A run as it is.
pub(crate) fn measured(tool: &Tool, folder: &Folder) -> Result<Report> {
    report(&run(&tool.words, folder)?)
}

/// A run under strace; what it asked of the files of the case, which are `span` bytes.
pub(crate) fn traced(tool: &Tool, case: &Case, folder: &Folder, span: u64) -> Result<Seen> {
    let strace = [
        "strace", "-ff", "-y", "-v", "-s", "0", "-e", CALLS, "-o", TRACES, "--",
    ];
    let mut words: Vec<OsString> = strace.map(OsString::from).into();
    words.extend(tool.words.iter().cloned());
    let report = report(&run(&words, folder)?)?;
    let mut seen = Seen::new(case.files, span, report.requests);
    for path in folder.names()? {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        if name.starts_with(TRACES) {
            let text = fs::read_to_string(&path).context("cannot read a trace")?;
            seen.take(&text);
            fs::remove_file(&path).context("cannot remove a trace")?;
        }
    }
    seen.finish();
    Ok(seen)
}

fn run(words: &[OsString], folder: &Folder) -> Result<Vec<u8>> {
    let output = Command::new(&words[0])
        .args(&words[1..])
        .arg("job.fio")
        .current_dir(folder.path())
        .stdin(Stdio::null())
        .output()
        .with_context(|| format!("cannot run {}", words[0].to_string_lossy()))?;
    if !output.status.success() {
        bail!(
            "{}: {}{}",
            output.status,
            String::from_utf8_lossy(&output.stderr),
            String::from_utf8_lossy(&output.stdout)
        );
    }
    Ok(output.stdout)
}

/// Reads the JSON of fio, which Fathom writes too; notes may stand before it.
fn report(output: &[u8]) -> Result<Report> {
    let start = output.iter().position(|byte| *byte == b'{').unwrap_or(0);
    let document: Value = serde_json::from_slice(&output[start..]).context("no JSON")?;
    let mut report = Report::default();
    for job in document["jobs"].as_array().context("no jobs")? {
        for (index, direction) in ["read", "write", "trim"].into_iter().enumerate() {
            report.iops += job[direction]["iops"].as_f64().unwrap_or(0.0);
            report.requests[index] += job[direction]["total_ios"].as_u64().unwrap_or(0);
        }
    }
    Ok(report)
}
