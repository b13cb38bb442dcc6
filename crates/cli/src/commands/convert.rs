//! `fathom convert`: from one format of a workload to another, with every loss named.

use super::surroundings::Live;
use super::{print, selection, standard_input};
use crate::args::{ConvertArgs, TargetArg};
use crate::aside;
use crate::error::{Error, Problem, system_words};
use crate::exit::Exit;
use fathom_core::Bytes;
use fathom_core::spec::Workload;
use fathom_device::{Door, Existing, input};
use fathom_programs::{detect, find, writer};
use fathom_tools::{
    Dialect, Drive, Note, RunWishes, Standing, Surroundings, Translation, Writer, Written, native,
    told_notes,
};
use std::io::{self, Read as _};
use std::path::Path;

pub(crate) fn run(args: &ConvertArgs) -> Result<Exit, Error> {
    let (format, file) = args.place().map_err(|cause| {
        Problem::new(Exit::Usage, "the output format is ambiguous")
            .because(cause)
            .remedy("use one of them, as in --output fio:FILE")
    })?;
    let writer = writer(format)
        .ok_or_else(|| Problem::new(Exit::Usage, format!("there is no format `{format}`")))?;
    let mut input = read(args)?;
    bind(&mut input.workload, &args.target)?;
    tell(&input.notes, "reading");
    let written =
        (writer.write)(&input.workload, &input.wishes).map_err(|note| cannot(writer, &note))?;
    tell(&written.notes, "writing");
    refuse(args, writer, &written.notes)?;
    let text = comments(writer, &input, &written) + &written.text;
    let Some(path) = file else {
        return print(&text);
    };
    let existing = Existing::replaced_if(args.replace.overwrite);
    let written = Door::default().write(path, text.as_bytes(), existing);
    written.map_err(|error| {
        let thing = format!("cannot write {}", path.display());
        Problem::of_door(thing, &error, Some("--replace-results")).otherwise("another file")
    })?;
    Ok(Exit::Ok)
}

/// The input as a workload with what it wishes, whatever its format.
fn read(args: &ConvertArgs) -> Result<Translation, Error> {
    let world = World {
        assumed_bytes: args.assume_size,
        drives: args.drives.map_drive.clone(),
    };
    let from = args.from.as_deref();
    let Some(name) = &args.input else {
        return words(args, &world);
    };
    let is_file = name == "-" || selection::is_file_name(name) || Path::new(name).exists();
    if !is_file && from.is_none_or(|from| from == "native") {
        return Ok(plain(selection::workload(name)?));
    }
    let text = text(name)?;
    let dialect = match from {
        Some("native") => None,
        Some(from) => find(from),
        None if Path::new(name).extension().is_some_and(|end| end == "toml") => None,
        None => detect(name, &text),
    };
    match dialect {
        Some(dialect) => (dialect.translate)(&text, name, &world).map_err(Error::Text),
        None => native::parse(&text, name).map(plain).map_err(Error::Text),
    }
}

/// The words of a command line; the program's name may be the first.
fn words(args: &ConvertArgs, world: &World) -> Result<Translation, Error> {
    let from = args.from.as_deref().unwrap_or_default();
    let Some((dialect, translate)) = find(from).and_then(|d| Some((d, d.translate_words?))) else {
        return Err(
            Problem::new(Exit::Usage, format!("{from} has no command lines"))
                .remedy("give a file name, or --from diskspd, fio, iotest or dd")
                .into(),
        );
    };
    let is_program = args
        .words
        .first()
        .is_some_and(|word| program(word, dialect));
    translate(&args.words[usize::from(is_program)..], world).map_err(Error::Text)
}

fn program(word: &str, dialect: &Dialect) -> bool {
    let name = word
        .rsplit(['/', '\\'])
        .next()
        .unwrap_or(word)
        .to_ascii_lowercase();
    let stem = name
        .strip_suffix(".exe")
        .or(name.strip_suffix(".sh"))
        .unwrap_or(&name);
    stem == dialect.name
}

fn text(name: &str) -> Result<String, Problem> {
    let mut bytes = Vec::new();
    let read = if name == "-" {
        let mut input = standard_input::once()?;
        input.read_to_end(&mut bytes).map(|_| ())
    } else {
        input::read(name).map(|read| bytes = read)
    };
    read.map_err(|error| {
        Problem::new(Exit::Usage, format!("cannot read {name}"))
            .because(system_words(&error))
            .remedy("a file, or one of the names that `fathom profiles` lists")
    })?;
    // Names in older files of Windows are in its code pages; what cannot be read is only a name.
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

fn plain(workload: Workload) -> Translation {
    Translation {
        workload,
        notes: Vec::new(),
        wishes: RunWishes::default(),
    }
}

/// The files here, and an assumption of those that are not.
struct World {
    assumed_bytes: Option<Bytes>,
    drives: Vec<Drive>,
}

impl Surroundings for World {
    fn size_bytes(&self, path: &Path) -> Option<u64> {
        Live.size_bytes(path)
            .or(self.assumed_bytes.map(|size| size.0))
    }

    fn read(&self, path: &Path) -> io::Result<String> {
        Live.read(path)
    }

    fn read_bytes(&self, path: &Path) -> io::Result<Vec<u8>> {
        Live.read_bytes(path)
    }

    fn variable(&self, name: &str) -> Option<String> {
        Live.variable(name)
    }

    fn drives(&self) -> &[Drive] {
        &self.drives
    }

    fn is_elsewhere(&self) -> bool {
        true
    }
}

/// Puts the paths given in the place of roles and of targets that are not named.
fn bind(workload: &mut Workload, given: &[TargetArg]) -> Result<(), Problem> {
    let mut used = vec![false; given.len()];
    let mut find = |role: Option<&str>| -> Vec<String> {
        let named = |arg: &&TargetArg| role.is_some() && arg.role.as_deref() == role;
        let wanted = if given.iter().any(|arg| named(&arg)) {
            role
        } else {
            None
        };
        let mut paths = Vec::new();
        for (arg, used) in given.iter().zip(&mut used) {
            if arg.role.as_deref() == wanted {
                *used = true;
                paths.push(within(&arg.path, role.unwrap_or("data")));
            }
        }
        paths
    };
    for job in workload.phases.iter_mut().flat_map(|phase| &mut phase.jobs) {
        if job.targets.is_empty() {
            job.targets = find(None);
        }
        let targets = std::mem::take(&mut job.targets);
        for target in targets {
            let bound = target.strip_prefix('@').map(|role| find(Some(role)));
            match bound {
                Some(paths) if !paths.is_empty() => job.targets.extend(paths),
                _ => job.targets.push(target),
            }
        }
    }
    let unused = given.iter().zip(used).find(|(_, used)| !used);
    unused.map_or(Ok(()), |(arg, _)| {
        let thing = format!("no job would use {}", arg.path.display());
        Err(Problem::new(Exit::Usage, thing)
            .because("no job has that role, or all have their own targets")
            .remedy("omit it, or use another role"))
    })
}

/// The path, or the scratch file of a role in it if it is a directory.
fn within(path: &Path, role: &str) -> String {
    let path = if path.is_dir() {
        path.join(format!("fathom-{}.dat", role.replace('/', "-")))
    } else {
        path.to_owned()
    };
    path.to_string_lossy().into_owned()
}

fn tell(notes: &[Note], when: &str) {
    for note in told_notes(notes) {
        // Also in the comments, and the status says whether it matters.
        aside::say(&format!("{when}: {note}"));
    }
}

fn cannot(writer: &Writer, note: &Note) -> Error {
    let thing = format!("the format `{}` cannot express this workload", writer.name);
    Problem::new(Exit::Usage, thing)
        .because(note.message.clone())
        .into()
}

/// Whether what is lost makes it a different load.
fn refuse(args: &ConvertArgs, writer: &Writer, notes: &[Note]) -> Result<(), Problem> {
    let is_other = notes.iter().any(|note| note.standing == Standing::Refused);
    if args.lossy || !is_other {
        return Ok(());
    }
    let thing = format!("the format `{}` cannot express this workload", writer.name);
    Err(Problem::new(Exit::Usage, thing)
        .because("the settings refused above would change the load; nothing is written")
        .remedy("use --lossy to write an approximation"))
}

/// What was lost on the way, for those who read the file.
fn comments(writer: &Writer, input: &Translation, written: &Written) -> String {
    let Some(comment) = writer.comment else {
        return String::new();
    };
    let workload = &input.workload;
    let mut lines = vec![format!("{}, by fathom convert", workload.name)];
    if writer.name != "native" {
        lines.extend(text_lines(&workload.description));
        lines.extend(text_lines(&workload.source));
    }
    let notes = input.notes.iter().chain(&written.notes);
    lines.extend(notes.map(ToString::to_string));
    comment(&lines)
}

fn text_lines(text: &str) -> impl Iterator<Item = String> {
    text.lines().map(str::to_owned)
}
