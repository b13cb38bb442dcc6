//! What was seen, in files: so that groups can be made one by one, and two programs be compared.

use std::fs;
use std::path::Path;

use anyhow::{Context as _, Result};
use serde_json::{Value, json};

use crate::siege::groups::GROUPS;
use crate::siege::line::{AttackLog, AttackRecord};

/// Lines of several calls.
#[derive(Default)]
pub(crate) struct Kept {
    pub(crate) lines: AttackLog,
    /// The program, as it calls itself; several if they differ.
    pub(crate) programs: Vec<String>,
    /// Time that all took, seconds.
    pub(crate) seconds: f64,
}

/// Writes the lines of a group, or of a slice of it, in place of those that are there.
pub(crate) fn keep(
    folder: &Path,
    (group, slice): (&str, Option<(u32, u32)>),
    lines: &AttackLog,
    program: &str,
    seconds: f64,
) -> Result<()> {
    let all: Vec<Value> = lines
        .in_group(group)
        .map(|line| json!([line.done, line.expected, line.seen, line.is_met]))
        .collect();
    let skipped: Vec<&str> = lines.skipped(group).collect();
    let kept = json!({
        "group": group, "program": program, "seconds": seconds, "skipped": skipped, "lines": all,
    });
    let slice = slice.map_or(String::new(), |(part, of)| format!("-{part}-of-{of}"));
    fs::create_dir_all(folder)?;
    let path = folder.join(format!("{group}{slice}.json"));
    fs::write(&path, format!("{kept:#}\n")).with_context(|| format!("{}", path.display()))
}

impl Kept {
    /// Reads all files of a folder.
    pub(crate) fn read(folder: &Path) -> Result<Self> {
        let entries = fs::read_dir(folder).with_context(|| format!("{}", folder.display()))?;
        let mut paths: Vec<_> = entries.flatten().map(|entry| entry.path()).collect();
        paths.sort();
        let mut kept = Self::default();
        for path in paths {
            let text = fs::read_to_string(&path)?;
            let json: Value = serde_json::from_str(&text)
                .with_context(|| format!("{} was not kept by a siege", path.display()))?;
            kept.add(&json);
        }
        Ok(kept)
    }

    fn add(&mut self, json: &Value) {
        let Some(group) = GROUPS.iter().find(|group| json["group"] == group.name) else {
            return;
        };
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        let list = |value: &Value| value.as_array().cloned().unwrap_or_default();
        let lines = list(&json["lines"]).into_iter().map(|line| AttackRecord {
            group: group.name,
            done: text(&line[0]),
            expected: text(&line[1]),
            seen: text(&line[2]),
            is_met: line[3] == true,
        });
        let skipped = list(&json["skipped"]);
        let skipped = skipped.iter().map(|why| (group.name, text(why)));
        self.lines.join(lines.collect(), skipped.collect());
        self.seconds += json["seconds"].as_f64().unwrap_or(0.0);
        let program = text(&json["program"]);
        if !self.programs.contains(&program) {
            self.programs.push(program);
        }
    }
}
