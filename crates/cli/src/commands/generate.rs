//! `fathom generate`: manual pages and completions, from the same definitions as `--help`.

mod grafana;
mod kubernetes;
mod prometheus_rules;
mod yaml;

use super::{cluster, print};
use crate::args::{self, COMPLETE_VARIABLE, GenerateArgs, GenerateKind};
use crate::error::{Error, Problem};
use crate::exit::Exit;
use clap::Command;
use clap_complete::Shell;
use clap_complete::env::Shells;
use clap_mangen::Man;
use fathom_cluster::token::Token;
use fathom_device::{Door, Existing};
use std::io;
use std::path::Path;

pub(crate) fn run(args: &GenerateArgs) -> Result<Exit, Error> {
    let command = args::command();
    match &args.kind {
        GenerateKind::Man {
            directory: None, ..
        } => print(&page(&command, "")?),
        GenerateKind::Man {
            directory: Some(directory),
            replace,
        } => {
            // Its pages would be all the others once more.
            let mut command = command.disable_help_subcommand(true);
            command.build();
            let existing = Existing::replaced_if(replace.overwrite);
            Door::default().make_folder(directory).map_err(|error| {
                let thing = format!("cannot make the directory {}", directory.display());
                Problem::new(Exit::Environment, thing)
                    .because(error.cause())
                    .remedy("another directory")
            })?;
            write_pages(&command, "", directory, existing)?;
            Ok(Exit::Ok)
        }
        GenerateKind::Completions { shell } => {
            let mut bytes = Vec::new();
            write_script(*shell, &mut bytes).map_err(|error| {
                Problem::new(
                    Exit::Defect,
                    format!("there are no completions for {shell}"),
                )
                .because(error.to_string())
            })?;
            print(&String::from_utf8_lossy(&bytes))
        }
        GenerateKind::Kubernetes(args) => {
            kubernetes::check(args)?;
            let token = Token::random(&cluster::random()?);
            let token = String::from_utf8_lossy(token.secret());
            print(&kubernetes::manifest(args, &token))
        }
        GenerateKind::Grafana(args) => print(&grafana::dashboard(args)?),
        GenerateKind::PrometheusRules(args) => print(&prometheus_rules::rules(args)),
    }
}

/// What makes a shell ask for completions.
fn write_script(shell: Shell, to: &mut dyn io::Write) -> io::Result<()> {
    let shells = Shells::builtins();
    let completer = shells
        .completer(&shell.to_string())
        .ok_or(io::ErrorKind::Unsupported)?;
    completer.write_registration(COMPLETE_VARIABLE, "fathom", "fathom", "fathom", to)
}

/// Writes the page of a command and those of all below it. `words` are those of the command after
/// `fathom`.
fn write_pages(
    command: &Command,
    words: &str,
    directory: &Path,
    existing: Existing,
) -> Result<(), Error> {
    let name = format!("fathom {words}").trim_end().replace(' ', "-");
    let path = directory.join(format!("{name}.1"));
    let written = Door::default().write(&path, page(command, words)?.as_bytes(), existing);
    written.map_err(|error| {
        let thing = format!("cannot write {}", path.display());
        Problem::of_door(thing, &error, Some("--replace-results"))
            .otherwise("a directory that may be written to")
    })?;
    let below = command
        .get_subcommands()
        .filter(|below| !below.is_hide_set());
    for below in below {
        let words = format!("{words} {}", below.get_name());
        write_pages(below, words.trim_start(), directory, existing)?;
    }
    Ok(())
}

fn page(command: &Command, words: &str) -> Result<String, Error> {
    let mut bytes = Vec::new();
    render(command, words, &mut bytes).map_err(|error| {
        Problem::new(Exit::Defect, "cannot draw the manual page").because(error.to_string())
    })?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

fn render(command: &Command, words: &str, to: &mut Vec<u8>) -> io::Result<()> {
    let has_commands = command.get_subcommands().any(|below| !below.is_hide_set());
    let man = Man::new(command.clone());
    man.render_title(to)?;
    man.render_name_section(to)?;
    man.render_synopsis_section(to)?;
    man.render_description_section(to)?;
    man.render_options_section(to)?;
    if has_commands {
        man.render_subcommands_section(to)?;
    }
    let is_program = command.get_version().is_some();
    let examples = args::examples_of(words).map(<[_; 3]>::as_slice);
    if let Some(examples) = examples.or_else(|| is_program.then_some(&args::QUESTIONS[..])) {
        to.extend_from_slice(examples_section(examples).as_bytes());
    }
    to.extend_from_slice(exit_status_section().as_bytes());
    to.extend_from_slice(section("FILES", &FILES).as_bytes());
    to.extend_from_slice(section("ENVIRONMENT", &ENVIRONMENT).as_bytes());
    // Only the program has a version, its commands have none of their own.
    if is_program {
        man.render_version_section(to)?;
    }
    Ok(())
}

fn examples_section(examples: &[(&str, &str)]) -> String {
    let entry = |(wish, line): &(&str, &str)| {
        let end = if wish.ends_with('?') { "" } else { ":" };
        format!(".TP\n{}{end}\n.nf\n{}\n.fi\n", roff(wish), roff(line))
    };
    let entries: Vec<String> = examples.iter().map(entry).collect();
    format!(".SH EXAMPLES\n{}", entries.concat())
}

fn section(title: &str, entries: &[(&str, &str)]) -> String {
    let entry =
        |(name, meaning): &(&str, &str)| format!(".TP\n{}\n{}\n", roff(name), roff(meaning));
    let entries: Vec<String> = entries.iter().map(entry).collect();
    format!(".SH {title}\n{}", entries.concat())
}

/// Text that roff shows as it is, with hyphens that can be copied.
fn roff(text: &str) -> String {
    text.replace('\\', "\\e").replace('-', "\\-")
}

const FILES: [(&str, &str); 3] = [
    (
        "$XDG_DATA_HOME/fathom/history.db",
        "the history, if that variable is set",
    ),
    ("~/.local/share/fathom/history.db", "the history otherwise"),
    (
        "fathom-data.dat",
        "the scratch file of a run without a file of its own; removed at its end",
    ),
];

const ENVIRONMENT: [(&str, &str); 11] = [
    ("FATHOM_STORE", "another file for the history"),
    (
        fathom_device::guard::allow::VARIABLE,
        "list of the devices and folders that may be written on this host, and no others",
    ),
    ("XDG_DATA_HOME, HOME", "history database"),
    (
        cluster::SERVER_TOKEN,
        "file with the secret of a server, on its host and for --client",
    ),
    (
        super::DELIVER,
        "destinations that every result is sent to, separated by spaces",
    ),
    ("NETRC", "file with their passwords instead of ~/.netrc"),
    ("SSL_CERT_FILE, SSL_CERT_DIR", "additional CA certificates"),
    ("NO_COLOR", "no colours, unless --color always"),
    ("TERM", "with `dumb` no colours and no live view"),
    (
        "LC_ALL, LC_CTYPE, LANG",
        "the first that is set: without UTF-8 text keeps to ASCII",
    ),
    ("COLUMNS", "width of the output if there is no terminal"),
];

fn exit_status_section() -> String {
    let entry = |exit: Exit| format!(".TP\n{}\n{}\n", exit.number(), exit.meaning());
    let entries = Exit::ALL.map(entry).concat();
    format!(
        ".SH \"EXIT STATUS\"\n{entries}.PP\n{}\n",
        Exit::precedence()
    )
}
