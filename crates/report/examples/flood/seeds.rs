//! Shapes that are made of texts which are right: all of one again and again, each of its lines,
//! words and blocks again and again, and each of its values without end.

use crate::shape::Shape;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// Lines of a seed that are looked at.
const LINES: usize = 60;

/// The shapes of a target's corpus, and of texts that other tests have for it.
pub(crate) fn of(target: &str) -> Vec<Shape> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut paths = files(&root.join("fuzz/corpus").join(target));
    let results = root.join("crates/programs/tests/results");
    paths.extend(match target {
        "native" => vec![root.join("profiles/ms-oltp.toml")],
        "fio_job_file" => files(&root.join("crates/programs/tests/corpus/fio")),
        "result_fio_json" => vec![results.join("runs.json")],
        _ => Vec::new(),
    });
    let mut shapes = Vec::new();
    let mut known = BTreeSet::new();
    for path in paths {
        let Ok(text) = std::fs::read_to_string(&path) else {
            continue;
        };
        let name = path
            .file_name()
            .map(|name| name.to_string_lossy().into_owned());
        let name = name.unwrap_or_default();
        let seed = Seed {
            name: &name,
            text: &text,
        };
        seed.whole(&mut shapes);
        if text.lines().count() <= 2 {
            seed.words(&mut shapes, &mut known);
        } else {
            seed.lines(&mut shapes, &mut known);
        }
    }
    shapes
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
    paths.retain(|path| path.is_file());
    paths.sort();
    paths
}

struct Seed<'a> {
    name: &'a str,
    text: &'a str,
}

impl Seed<'_> {
    fn whole(&self, shapes: &mut Vec<Shape>) {
        let name = format!("{}: all", self.name);
        let text = self.text.replace(['#', '@'], "");
        shapes.push(Shape::repeated(name, String::new(), text, String::new()));
    }

    fn words(&self, shapes: &mut Vec<Shape>, known: &mut BTreeSet<String>) {
        let mut at = 0;
        for word in self.text.split_inclusive([' ', ',', '/', ':', '=']) {
            let (begin, end) = (at, at + word.len());
            at = end;
            if known.insert(without_digits(word)) {
                self.part(shapes, &format!("word {begin}"), begin..end, "");
            }
        }
    }

    fn lines(&self, shapes: &mut Vec<Shape>, known: &mut BTreeSet<String>) {
        let mut at = 0;
        let lines: Vec<&str> = self.text.split_inclusive('\n').collect();
        for (index, line) in lines.iter().enumerate() {
            let (begin, end) = (at, at + line.len());
            at = end;
            if known.len() > LINES * 4 || !known.insert(without_digits(line)) {
                continue;
            }
            let name = format!("line {}", index + 1);
            // A member of a list may be its last one, without a comma.
            let is_json = line.trim_end().ends_with(['"', ',', '{', '[']) && line.contains(": ");
            let is_last = is_json && !line.trim_end().ends_with(',');
            let whole = block(&lines[index..]);
            if whole > line.len() {
                let comma = if self.text.starts_with(['{', '[']) {
                    ","
                } else {
                    ""
                };
                self.part(
                    shapes,
                    &format!("block {}", index + 1),
                    begin..begin + whole,
                    comma,
                );
            } else {
                self.part(shapes, &name, begin..end, if is_last { "," } else { "" });
            }
        }
    }

    /// A part again and again, counted and not, and its last value without end.
    fn part(&self, shapes: &mut Vec<Shape>, name: &str, part: std::ops::Range<usize>, comma: &str) {
        let plain = |text: &str| text.replace(['#', '@'], "");
        let before = plain(&self.text[..part.start]);
        let each = plain(&self.text[part.clone()]);
        let each = match each.strip_suffix('\n').filter(|_| !comma.is_empty()) {
            Some(line) => format!("{}{comma}\n", line.trim_end_matches(',')),
            None => each,
        };
        let after = plain(&self.text[part.start..]);
        let name = format!("{}: {name}", self.name);
        shapes.push(Shape::repeated(
            name.clone(),
            before.clone(),
            each.clone(),
            after.clone(),
        ));
        let Some(value) = last_value(&each) else {
            return;
        };
        let counted = [&each[..value.end], "#", &each[value.end..]].concat();
        let begin = [&before, &each[..value.start]].concat();
        let is_number = each[value.clone()].chars().all(|c| c.is_ascii_digit());
        let digit = if is_number { "9" } else { "x" };
        let end = [&each[value.end..], &self.text[part.end..]].concat();
        shapes.push(Shape::repeated(
            format!("{name}, counted"),
            before,
            counted,
            after,
        ));
        shapes.push(Shape::repeated(
            format!("{name}, long"),
            begin,
            digit.to_owned(),
            end,
        ));
    }
}

/// What distinguishes a line from others that are of its kind.
fn without_digits(line: &str) -> String {
    line.chars().filter(|c| !c.is_ascii_digit()).collect()
}

/// Where the last word or number of a part stands.
fn last_value(part: &str) -> Option<std::ops::Range<usize>> {
    let is_of_value = |c: char| c.is_ascii_alphanumeric();
    let end = part.rfind(is_of_value)? + 1;
    let start = part[..end].rfind(|c| !is_of_value(c)).map_or(0, |at| {
        at + part[at..].chars().next().map_or(1, char::len_utf8)
    });
    Some(start..end)
}

/// Bytes of the block that begins with the first line: up to the next one that is indented as it
/// is, in documents that indent; else the line alone.
fn block(lines: &[&str]) -> usize {
    let Some((first, rest)) = lines.split_first() else {
        return 0;
    };
    let indent = |line: &str| line.len() - line.trim_start().len();
    let opened = first.trim_end();
    let is_opened = opened.ends_with(['{', '['])
        || (opened.trim_start().starts_with('<') && !opened.contains("</"));
    let close = |line: &&str| line.trim_start().starts_with(['}', ']']) || line.contains("</");
    match rest
        .iter()
        .position(|line| indent(line) <= indent(first) && close(line))
    {
        Some(at) if is_opened => lines[..=at + 1].iter().map(|line| line.len()).sum(),
        _ => first.len(),
    }
}
