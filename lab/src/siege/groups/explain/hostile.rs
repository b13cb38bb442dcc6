//! Pastes that nobody meant: garbage, mutations, and text that a terminal or a browser obeys.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::time::Instant;

use anyhow::Result;
use fathom_explain::explanation::explain;
use xtask::sources;

use crate::siege::Siege;
use crate::siege::line::GroupLines;
use crate::siege::random::Random;

const CORPUS: &str = "lab/corpus/explain/threads";
/// A terminal clears its screen, a browser runs a script, Markdown shows an image.
const OBEYED: &str =
    "\u{1b}[2J\u{9b}2J\u{202e}<script>alert(1)</script>![x](http://x.invalid/x.png)";

fn pastes() -> Result<Vec<Vec<u8>>> {
    let folder: PathBuf = sources::root().join(CORPUS);
    let mut all = Vec::new();
    for entry in folder.read_dir()? {
        all.push(std::fs::read(entry?.path().join("paste.txt"))?);
    }
    Ok(all)
}

/// A paste with some of it changed, cut, doubled or exchanged with another.
fn mutated(random: &mut Random, pastes: &[Vec<u8>]) -> Vec<u8> {
    let mut paste = random.pick(pastes).clone();
    for _ in 0..=random.below(6) {
        let at = random.below(paste.len() as u64 + 1) as usize;
        match random.below(6) {
            0 => paste.truncate(at),
            1 => paste.insert(at, random.next() as u8),
            2 => {
                let other = random.pick(pastes);
                let from = random.below(other.len() as u64 + 1) as usize;
                paste.splice(at..at, other[from..].iter().copied());
            }
            3 => {
                let tail = paste.split_off(at);
                paste.extend(b"99999999999999999999.9e308k");
                paste.extend(tail);
            }
            4 => {
                let tail = paste.split_off(at);
                paste.extend("\u{fffd}\0-nan\r%=[".bytes());
                paste.extend(tail);
            }
            _ => {
                if let Some(byte) = paste.get_mut(at) {
                    *byte = random.next() as u8;
                }
            }
        }
    }
    paste
}

pub(super) fn run(siege: &Siege, lines: &mut GroupLines<'_>) -> Result<()> {
    let mut random = Random::new(siege.seed);
    let pastes = pastes()?;
    let wanted = siege.attempts(10_000, 300);
    let mut panics = 0_u32;
    for _ in 0..wanted {
        siege.go_on()?;
        let paste = mutated(&mut random, &pastes);
        let ended = catch_unwind(AssertUnwindSafe(|| explain(&paste, "paste", None)));
        panics += u32::from(ended.is_err());
    }
    lines.add(
        format!("{wanted} mutated pastes"),
        "no panic",
        format!("{panics} panics"),
        panics == 0,
    );
    garbage(siege, &mut random, &pastes, lines)?;
    obeyed(siege, &pastes, lines)
}

/// 10 MB of each kind, within a second.
fn garbage(
    siege: &Siege,
    random: &mut Random,
    pastes: &[Vec<u8>],
    lines: &mut GroupLines<'_>,
) -> Result<()> {
    const BYTES: usize = 10_000_000;
    let repeated = |text: &[u8]| -> Vec<u8> { text.iter().copied().cycle().take(BYTES).collect() };
    let all_pastes = pastes.concat();
    let kinds = [
        ("random bytes", random.bytes(BYTES)),
        ("zeros", vec![0; BYTES]),
        ("one line of blanks", vec![b' '; BYTES]),
        ("empty lines", vec![b'\n'; BYTES]),
        ("one line of a number", vec![b'9'; BYTES]),
        ("opened braces", repeated(b"{\"jobs\":[")),
        (
            "all pastes of the corpus again and again",
            repeated(&all_pastes),
        ),
        (
            "lines of a latency",
            repeated(b"     lat (usec): min=0, max=1099, avg= 0.90\n"),
        ),
    ];
    let folder = tempfile::tempdir()?;
    let path = folder.path().join("paste");
    for (name, bytes) in kinds {
        siege.go_on()?;
        std::fs::write(&path, bytes)?;
        let before = Instant::now();
        let words = ["explain".to_owned(), path.display().to_string()];
        let ended = siege.fathom.call(words).end()?;
        let seconds = before.elapsed().as_secs_f64();
        let is_fast = seconds <= 1.0;
        lines.add(
            format!("10 MB: {name}"),
            "an end within one second",
            format!("{}; {seconds:.2} s", ended.told()),
            ended.is_orderly() && is_fast,
        );
    }
    Ok(())
}

/// Escapes, Markdown and HTML in a paste come out as text.
fn obeyed(siege: &Siege, pastes: &[Vec<u8>], lines: &mut GroupLines<'_>) -> Result<()> {
    let folder = tempfile::tempdir()?;
    let path = folder.path().join("paste");
    let hostile = |paste: &[u8]| {
        let text = String::from_utf8_lossy(paste);
        let name = text.replace("name=", &format!("name={OBEYED}"));
        format!(
            "{OBEYED}\n{}{OBEYED}\n",
            name.replace("/dev/", &format!("/{OBEYED}/"))
        )
    };
    for output in ["text", "markdown", "html", "json"] {
        let mut obeyed = 0_u32;
        let mut told = String::new();
        for paste in pastes {
            siege.go_on()?;
            std::fs::write(&path, hostile(paste))?;
            let file = path.display().to_string();
            let words = ["explain", &file, "--full", "--output", output];
            let ended = siege.fathom.call(words).end()?;
            let text = &ended.stdout;
            let control = |sign: char| sign.is_control() && sign != '\n' && sign != '\t';
            let is_obeyed = match output {
                // JSON escapes what controls; a reader of it decides what to show.
                "json" => text.contains(control),
                "html" => text.contains(control) || text.contains("<script>alert"),
                _ => {
                    let is_markdown = output == "markdown";
                    text.contains(control)
                        || is_markdown && (text.contains("<script>") || text.contains("![x]("))
                }
            };
            if is_obeyed || !ended.is_orderly() {
                obeyed += 1;
                told = ended.told();
            }
        }
        lines.add(
            format!(
                "{} pastes with escapes, Markdown and HTML, as {output}",
                pastes.len()
            ),
            "nothing that is obeyed",
            format!("{obeyed} obeyed {told}"),
            obeyed == 0,
        );
    }
    Ok(())
}
