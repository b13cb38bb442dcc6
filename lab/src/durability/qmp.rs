//! Commands to QEMU while it runs, over its monitor's socket.

use std::io::{BufRead as _, BufReader, Write as _};
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, bail, ensure};
use serde_json::{Value, json};

/// How long anything may take.
const PATIENCE: Duration = Duration::from_mins(4);
const PAUSE: Duration = Duration::from_millis(50);

/// A monitor.
pub(super) struct Qmp {
    to: UnixStream,
    from: BufReader<UnixStream>,
}

impl Qmp {
    /// As soon as it listens.
    pub(super) fn connect(socket: &Path) -> Result<Self> {
        let began = Instant::now();
        let to = loop {
            match UnixStream::connect(socket) {
                Ok(stream) => break stream,
                Err(error) => ensure!(began.elapsed() < PATIENCE, "no monitor: {error}"),
            }
            std::thread::sleep(PAUSE);
        };
        to.set_read_timeout(Some(PATIENCE))?;
        let from = BufReader::new(to.try_clone()?);
        let mut qmp = Self { to, from };
        // It greets first.
        qmp.line()?;
        qmp.ask("qmp_capabilities", &json!({}))?;
        Ok(qmp)
    }

    fn line(&mut self) -> Result<Value> {
        let mut line = String::new();
        self.from.read_line(&mut line)?;
        ensure!(!line.is_empty(), "QEMU has ended");
        serde_json::from_str(&line).with_context(|| line)
    }

    /// Does a command: what it answers.
    pub(super) fn ask(&mut self, command: &str, arguments: &Value) -> Result<Value> {
        let text = json!({"execute": command, "arguments": arguments});
        writeln!(self.to, "{text}")?;
        loop {
            let mut answer = self.line()?;
            if let Some(value) = answer.get_mut("return") {
                return Ok(value.take());
            }
            if let Some(error) = answer.get("error") {
                bail!("{command}: {error}");
            }
        }
    }

    /// Asks until a field of the answer is one of these words.
    pub(super) fn wait(&mut self, command: &str, field: &str, words: &[&str]) -> Result<String> {
        let began = Instant::now();
        loop {
            let answer = self.ask(command, &json!({}))?;
            let word = answer[field].as_str().unwrap_or_default();
            if words.contains(&word) {
                return Ok(word.to_owned());
            }
            ensure!(began.elapsed() < PATIENCE, "{command} says {answer}");
            std::thread::sleep(PAUSE);
        }
    }
}
