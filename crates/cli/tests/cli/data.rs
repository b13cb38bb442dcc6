//! The recipes of `docs/data.md`, on files that its commands write.

use crate::command::Cli;
use std::io::{ErrorKind, Write as _};
use std::path::Path;
use std::process::{Command, Stdio};

const PAGE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/data.md");

/// Languages of the recipes, each with the words that run one from standard input.
const LANGUAGES: [(&str, &[&str]); 3] = [
    ("python", &["python3", "-"]),
    ("r", &["Rscript", "-"]),
    ("sql", &["duckdb", "-csv"]),
];

/// Fences of code, and the text within and between them.
fn parts(page: &str) -> Vec<&str> {
    page.split("```").collect()
}

/// What a recipe prints; none where its program is not installed.
fn printed(words: &[&str], recipe: &str, folder: &Path) -> Option<String> {
    let mut command = Command::new(words[0]);
    let command = command.args(&words[1..]).current_dir(folder);
    let pipes = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let mut started = match pipes.spawn() {
        Err(error) if error.kind() == ErrorKind::NotFound => {
            fathom_testing::skip(format!("{} is not installed", words[0]));
            return None;
        }
        started => started.expect("the program can be started"),
    };
    let stdin = started.stdin.take();
    stdin
        .expect("it is piped")
        .write_all(recipe.as_bytes())
        .expect("it is read");
    let output = started.wait_with_output().expect("it ends");
    let text = |bytes| String::from_utf8(bytes).expect("UTF-8");
    let (stdout, stderr) = (text(output.stdout), text(output.stderr));
    assert_eq!(
        (output.status.code(), stderr.as_str()),
        (Some(0), ""),
        "{recipe}"
    );
    Some(stdout)
}

#[test]
fn every_recipe_prints_what_the_page_shows() {
    let page = std::fs::read_to_string(PAGE).expect("the page");
    let old = parts(&page);
    let commands = old.iter().find_map(|part| part.strip_prefix("sh\n"));
    let mut folder = tempfile::tempdir().expect("a folder");
    for line in commands.expect("commands").lines() {
        let words = line.split(' ').skip(1);
        folder = Cli::in_folder(folder, words).check(0, "", "");
    }
    let mut new: Vec<String> = old.iter().map(|part| (*part).to_owned()).collect();
    for (index, part) in old.iter().enumerate() {
        let recipe = LANGUAGES.iter().find_map(|(language, words)| {
            let recipe = part.strip_prefix(language)?.strip_prefix('\n')?;
            Some((recipe, *words))
        });
        let Some((recipe, words)) = recipe else {
            continue;
        };
        if let Some(printed) = printed(words, recipe, folder.path()) {
            // A fence, the blank line, and the fence of what is printed.
            new[index + 2] = format!("text\n{printed}");
        }
    }
    let new = new.join("```");
    if std::env::var_os("FATHOM_WRITE_DOCS").is_some() {
        std::fs::write(PAGE, &new).expect("written");
        return;
    }
    assert_eq!(page, new, "FATHOM_WRITE_DOCS=1 writes it");
}
