//! Attacks on the program, as a sceptical engineer and a clumsy operator would make them: what it
//! destroys, what it claims, what it leaves behind.
//!
//! A group is a table of attacks in a file of its own, an attack a line of that table. Each says
//! what was done, what was expected and what was seen. Everything that is attacked was made for it:
//! loop and zram devices, file systems on them, files in a temporary folder, all watched byte by
//! byte; and it is removed in `Drop`, also when a group fails or a signal ends it.

mod document;
mod fathom;
mod groups;
mod kept;
pub(crate) mod lab;
mod line;
mod options;
pub(crate) mod random;
mod result;

use std::os::unix::process::CommandExt as _;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use anyhow::{Context as _, Result, ensure};

pub use line::AttackRecord;

use document::Document;
use fathom::Fathom;
use groups::{GROUPS, Group};
use kept::Kept;
use line::AttackLog;
use options::Options;

/// What a group needs to attack.
pub(crate) struct Siege {
    pub(crate) fathom: Fathom,
    pub(crate) seed: u64,
    /// Whether a small part has to do.
    pub(crate) is_quick: bool,
    /// How many times as many attempts, in groups that have chance in them.
    pub(crate) effort: u32,
    slice: Option<(u32, u32)>,
    interrupted: Arc<AtomicBool>,
}

impl Siege {
    fn new(fathom: &Path, options: &Options) -> Result<Self> {
        Ok(Self {
            fathom: Fathom::new(fathom)?,
            seed: options.seed,
            is_quick: options.is_quick,
            effort: options.effort,
            slice: options.slice,
            interrupted: Arc::new(AtomicBool::new(false)),
        })
    }

    /// Ends the siege at the next attack after a signal, so that everything is removed.
    pub(crate) fn go_on(&self) -> Result<()> {
        ensure!(
            !self.interrupted.load(Ordering::Relaxed),
            "interrupted by a signal"
        );
        Ok(())
    }

    /// The number of attempts, or as few as a quick siege has time for.
    pub(crate) fn attempts(&self, full: u32, quick: u32) -> u32 {
        if self.is_quick {
            quick
        } else {
            full * self.effort
        }
    }

    /// Whether a pair of a large matrix has its turn: one of four, others with another seed, all
    /// with an effort of four.
    pub(crate) fn has_turn(&self, row: usize, column: usize) -> bool {
        let stride = (4 / u64::from(self.effort)).max(1);
        (row as u64 + column as u64 + self.seed).is_multiple_of(stride)
    }

    /// Whether an attack of that number belongs to the slice that is made.
    pub(crate) fn is_of_slice(&self, number: u32) -> bool {
        self.slice.is_none_or(|(part, of)| number % of == part - 1)
    }

    /// Whether all of a group is made.
    pub(crate) const fn is_whole(&self) -> bool {
        self.slice.is_none()
    }

    fn watch_signals(&self) -> Result<()> {
        for signal in [
            signal_hook::consts::SIGINT,
            signal_hook::consts::SIGTERM,
            signal_hook::consts::SIGHUP,
        ] {
            signal_hook::flag::register(signal, Arc::clone(&self.interrupted))?;
        }
        Ok(())
    }
}

/// `cargo lab siege`: true if all was seen as expected.
pub(crate) fn run(words: &[&str]) -> Result<bool> {
    if words.contains(&"help") || words.contains(&"--help") {
        print!("{}", options::usage());
        return Ok(true);
    }
    let options = Options::parse(words)?;
    ensure!(
        rustix::process::geteuid().is_root(),
        "a siege makes devices and mounts file systems: run it as root"
    );
    if std::env::var_os(ALONE).is_none() {
        return in_namespace(words);
    }
    let binary = match &options.fathom {
        Some(path) => path.clone(),
        None => xtask::built::release()?,
    };
    let siege = Siege::new(&binary, &options)?;
    siege.watch_signals()?;
    let program = siege.fathom.line("--version").end()?.stdout;
    let program = program.lines().next().unwrap_or("nameless").to_owned();
    let mut lines = AttackLog::default();
    let mut seconds = 0.0;
    for group in GROUPS.iter().filter(|group| options.wants(group.name)) {
        let took = attack(&siege, group, &mut lines)?;
        if let Some(folder) = &options.keep {
            kept::keep(folder, (group.name, options.slice), &lines, &program, took)?;
        }
        seconds += took;
    }
    let is_met = lines.all_met();
    tell(&options, lines, program, seconds)?;
    Ok(is_met)
}

/// Makes the attacks of a group; how many seconds they took.
fn attack(siege: &Siege, group: &Group, lines: &mut AttackLog) -> Result<f64> {
    eprintln!("== {}: {}", group.name, group.purpose);
    // Fathom's own clock would bring half of Fathom into every check of this repository.
    let before = Instant::now();
    made(siege, group, lines)?;
    let seconds = before.elapsed().as_secs_f64();
    eprintln!("-- {} after {seconds:.0} s", lines.summary(group.name));
    Ok(seconds)
}

/// Makes the attacks of a group, of which there have to be some, or a reason why not.
fn made(siege: &Siege, group: &Group, lines: &mut AttackLog) -> Result<()> {
    let ended = (group.run)(siege, &mut lines.of(group.name));
    ended.with_context(|| format!("the group {}", group.name))?;
    let is_empty = lines.in_group(group.name).next().is_none();
    anyhow::ensure!(
        !is_empty || lines.skipped(group.name).next().is_some(),
        "the group {} attacked nothing, and skipped nothing",
        group.name
    );
    Ok(())
}

/// Writes the page: of these lines, or of all that were kept.
fn tell(options: &Options, lines: AttackLog, program: String, seconds: f64) -> Result<()> {
    let now = match &options.keep {
        Some(folder) => Kept::read(folder)?,
        None => Kept {
            lines,
            programs: vec![program],
            seconds,
        },
    };
    let before = options.before.as_deref().map(Kept::read).transpose()?;
    let text = Document {
        lines: &now.lines,
        before: before.as_ref(),
        options,
        program: &now.programs.join(" and "),
        seconds: now.seconds,
    }
    .write();
    if let Some(path) = &options.write {
        return std::fs::write(path, text)
            .with_context(|| format!("cannot write {}", path.display()));
    }
    print!("{text}");
    Ok(())
}

/// Set for the process that is alone with its mounts.
const ALONE: &str = "FATHOM_SIEGE_ALONE";

/// Becomes this command again where its mounts are seen by nobody else, and go with it.
fn in_namespace(words: &[&str]) -> Result<bool> {
    let program = std::env::current_exe().context("the path of this program")?;
    let failed = std::process::Command::new("unshare")
        .args(["--mount", "--propagation", "private"])
        .arg(program)
        .arg("siege")
        .args(words)
        .env(ALONE, "1")
        .exec();
    Err(failed).context("cannot run unshare (of util-linux)")
}

/// The part that `cargo test` makes, of this program: all lines, and why groups were skipped.
pub fn quick(fathom: &Path) -> Result<Vec<AttackRecord>> {
    let siege = Siege::new(fathom, &Options::quick())?;
    let mut lines = AttackLog::default();
    for group in GROUPS.iter().filter(|group| group.is_quick) {
        made(&siege, group, &mut lines)?;
    }
    Ok(lines.into_all())
}
