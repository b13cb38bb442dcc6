//! Runs the commands of claims as processes of this program, each once.

use super::line::ClaimLine;
use crate::commands::child;
use crate::config;
use crate::error::{Error, Problem, system_words};
use crate::exit::Exit;
use fathom_tools::shell_words;
use fathom_tools::studies::{Claim, TARGET};
use serde_json::Value;
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::Path;
use std::process::Stdio;

/// Signs of an error that are shown.
const MOST_SIGNS: usize = 300;

/// Commands that ran, and what they printed.
pub(super) struct Commands<'a> {
    /// Replaces [`TARGET`].
    target: Option<&'a Path>,
    /// The document of each command line, or the words of its error.
    ran: BTreeMap<String, Result<Value, String>>,
}

impl<'a> Commands<'a> {
    pub(super) const fn new(target: Option<&'a Path>) -> Self {
        Self {
            target,
            ran: BTreeMap::new(),
        }
    }

    /// The figure of a claim. Without a target a claim that needs one keeps none.
    pub(super) fn compute<'b>(&mut self, claim: &'b Claim) -> Result<ClaimLine<'b>, Error> {
        let commands = claim.command.iter().chain(&claim.over);
        if claim.command.is_none() || (claim.needs_target() && self.target.is_none()) {
            return Ok(ClaimLine::listed(claim));
        }
        let mut failure = None;
        for command in commands {
            if let Err(words) = self.document(&command.line)? {
                failure.get_or_insert_with(|| words.clone());
            }
        }
        let document = |line: &str| self.ran.get(line)?.clone().ok();
        let answer = match (failure, claim.figure(document)) {
            (Some(words), _) => Err(words),
            (None, None) => Err("the JSON of the command has no such number".to_owned()),
            (None, Some(figure)) => Ok(figure),
        };
        Ok(ClaimLine::computed(claim, answer))
    }

    fn document(&mut self, line: &str) -> Result<&Result<Value, String>, Error> {
        if !self.ran.contains_key(line) {
            let answer = self.run(line)?;
            self.ran.insert(line.to_owned(), answer);
        }
        Ok(&self.ran[line])
    }

    fn run(&self, line: &str) -> Result<Result<Value, String>, Error> {
        let cannot = |cause: String| {
            Problem::new(Exit::Environment, format!("cannot run {line}")).because(cause)
        };
        let words = shell_words(line).map_err(cannot)?;
        let words = words.into_iter().skip(1).map(|word| self.filled_in(word));
        let program = std::env::current_exe().map_err(|error| cannot(system_words(&error)))?;
        let output = fathom_device::command(program)
            .args(words)
            .arg("--json")
            .env(fathom_device::PARENT, std::process::id().to_string())
            .envs(config::for_children())
            .stdin(Stdio::null())
            .output()
            .map_err(|error| cannot(system_words(&error)))?;
        let told = child::last_words(&String::from_utf8_lossy(&output.stderr));
        let words = told.chars().take(MOST_SIGNS).collect();
        // A command with a questionable result has another status, and has printed the result.
        Ok(serde_json::from_slice(&output.stdout).map_err(|_| words))
    }

    /// A word of a command, with the user's target for [`TARGET`].
    fn filled_in(&self, word: String) -> OsString {
        match (word.strip_suffix(TARGET), self.target) {
            (Some(before), Some(target)) if before.is_empty() || before.ends_with('=') => {
                let mut word = OsString::from(before);
                word.push(target);
                word
            }
            _ => word.into(),
        }
    }
}
