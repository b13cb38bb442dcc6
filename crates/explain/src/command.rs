//! Command lines in a paste, as data: they are never executed.

use crate::paste::Line;

/// A command line with the tool that it calls.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Command {
    /// Name of the tool.
    pub(crate) tool: &'static str,
    /// Its words after the name of the program.
    pub(crate) words: Vec<String>,
    /// Folder that the prompt shows, empty if none.
    pub(crate) folder: String,
    /// The line where it starts.
    pub(crate) line: usize,
    /// Lines that it takes.
    pub(crate) used: usize,
    /// Whether it is in a loop of a shell, so that several results are of it.
    pub(crate) repeats: bool,
    /// Whether the shell does not wait for it.
    pub(crate) is_parallel: bool,
    /// The line of text above it, empty if none.
    pub(crate) heading: String,
    /// Whether the page cache was emptied before.
    pub(crate) is_cache_dropped: bool,
}

/// Programs and the tools that they are.
const PROGRAMS: [(&str, &str); 18] = [
    ("fio", "fio"),
    ("dd", "dd"),
    ("gdd", "dd"),
    ("diskspd", "diskspd"),
    ("diskspd64", "diskspd"),
    ("ioping", "ioping"),
    ("sysbench", "sysbench"),
    ("hdparm", "hdparm"),
    ("elbencho", "elbencho"),
    ("ior", "ior"),
    ("mdtest", "mdtest"),
    ("vdbench", "vdbench"),
    ("bonnie++", "bonnie++"),
    ("rados", "rados"),
    ("iostat", "iostat"),
    ("sar", "sar"),
    ("zpool", "zpool"),
    ("fathom", "fathom"),
];

/// Words that may come before the program.
const BEFORE: [&str; 11] = [
    "do", "sudo", "time", "nice", "doas", "exec", "timeout", "taskset", "numactl", "&&", ";",
];

/// Programs that start others on many hosts, after options with values.
const LAUNCHERS: [&str; 4] = ["mpiexec", "mpirun", "prun", "srun"];

/// Lines that one command may take, and characters of a line that may be one.
const MOST_LINES: usize = 60;
const LONGEST: usize = 8192;

/// The command that begins at the first line.
pub(crate) fn read(lines: &[Line]) -> Option<Command> {
    let first = lines.first().filter(|line| line.text.len() <= LONGEST)?;
    let (tool, after) = program(&first.text)?;
    let before = &first.text[..first.text.len() - after.len()];
    let mut text = after.to_owned();
    let mut used = 1;
    while used < lines.len().min(MOST_LINES) && lines[used].text.len() <= LONGEST {
        let next = lines[used].text.trim();
        let continued = text
            .trim_end()
            .strip_suffix(['\\', '`', '^'])
            .map(str::to_owned);
        match continued {
            Some(shorter) => text = shorter + " " + next,
            // A command that was wrapped where it was pasted.
            None if next.starts_with("--") && next.contains('=') => {
                text = text + " " + next;
            }
            None => break,
        }
        used += 1;
    }
    let words = words(&text);
    let is_call = match tool {
        "dd" => words
            .iter()
            .any(|word| word.starts_with("if=") || word.starts_with("of=")),
        "zpool" => words.first().is_some_and(|word| word == "iostat"),
        _ => {
            words.iter().any(|word| word.starts_with('-'))
                || words.first().is_some_and(|word| is_job_file(word))
                || matches!(tool, "sysbench" | "rados" | "fathom" | "iostat" | "sar")
                    && words.len() > 1
                    && first.text.trim_start() != after
        }
    };
    let is_in_loop = before.split_whitespace().any(|word| word == "do")
        || lines
            .get(used)
            .is_some_and(|next| next.text.trim() == "done");
    is_call.then_some(Command {
        tool,
        words,
        folder: folder(before).unwrap_or_default().to_owned(),
        line: first.number,
        used,
        repeats: is_in_loop,
        is_parallel: is_parallel(&text),
        heading: String::new(),
        is_cache_dropped: false,
    })
}

/// Whether a word of its own is `&`, or a word ends with one: not `&&`, `|&` or what is quoted.
fn is_parallel(text: &str) -> bool {
    let is_quoted = text.contains(['"', '\'', '\\']);
    let ends = |word: &str| {
        let rest = word.strip_suffix('&');
        rest.is_some_and(|rest| !rest.ends_with(['&', '|', '<', '>']))
    };
    !is_quoted && text.split_whitespace().any(ends)
}

/// The folder in a prompt such as `user@host:/data$`.
fn folder(before: &str) -> Option<&str> {
    let end = before.rfind(['#', '$', '%'])?;
    let (_, folder) = before[..end].rsplit_once(':')?;
    folder.starts_with(['/', '~']).then_some(folder)
}

/// Whether a word is the name of a job file of fio.
pub(crate) fn is_job_file(word: &str) -> bool {
    word.to_ascii_lowercase().ends_with(".fio")
}

/// The tool that a line calls, and what follows its name. Before it may be a prompt and words such
/// as `sudo`.
fn program(line: &str) -> Option<(&'static str, &str)> {
    let mut rest = line.trim_start();
    let line = rest;
    for _ in 0..24 {
        let end = rest.find(char::is_whitespace).unwrap_or(rest.len());
        let word = &rest[..end];
        let path = word
            .rsplit(['/', '\\', '>', '$', '#'])
            .next()
            .unwrap_or(word);
        let name = path.to_ascii_lowercase();
        let name = name.strip_suffix(".exe").unwrap_or(&name);
        if let Some((_, tool)) = PROGRAMS.iter().find(|(program, _)| *program == name) {
            // A prompt, or nothing but words that lead to a program.
            let before = line[..line.len() - rest.len()].trim_end();
            let is_launched = before
                .split_whitespace()
                .any(|word| LAUNCHERS.contains(&word));
            let leads = before.is_empty()
                || is_launched && matches!(*tool, "ior" | "mdtest")
                || before.ends_with(['$', '#', '%', '>', '~', '+'])
                || before
                    .rsplit(char::is_whitespace)
                    .next()
                    .is_some_and(|last| BEFORE.contains(&last) || last.contains('='));
            return leads.then_some((*tool, &rest[end..]));
        }
        rest = rest[end..].trim_start();
        if rest.is_empty() {
            return None;
        }
    }
    None
}

/// Splits words as a shell does, without expanding anything, up to a pipe or the next command.
pub(crate) fn words(text: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word = String::new();
    let mut quote = None;
    let mut is_word = false;
    for sign in text.chars() {
        match (quote, sign) {
            (Some(open), sign) if open == sign => quote = None,
            (Some(_), sign) => word.push(sign),
            (None, '"' | '\'') => {
                quote = Some(sign);
                is_word = true;
            }
            (None, '|' | ';' | '&' | '<') => break,
            (None, '>') => {
                // `2>file` and `>file` are no words of the program.
                if word.chars().all(|sign| sign.is_ascii_digit()) {
                    word.clear();
                    is_word = false;
                }
                break;
            }
            (None, sign) if sign.is_whitespace() => {
                if is_word {
                    words.push(std::mem::take(&mut word));
                }
                is_word = false;
            }
            (None, sign) => {
                word.push(sign);
                is_word = true;
            }
        }
    }
    if is_word {
        words.push(word);
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::paste::lines;

    #[test]
    fn commands_are_found_behind_prompts() {
        let cases: [(&str, Option<(&str, &str)>); 10] = [
            (
                "$ fio --name=x --rw=read",
                Some(("fio", "--name=x|--rw=read")),
            ),
            (
                "root@host:~# sudo /usr/bin/fio --name='a b' | tee x",
                Some(("fio", "--name=a b")),
            ),
            (
                "PS C:\\tools> .\\diskspd.exe -b8K -d30 c:\\t.dat",
                Some(("diskspd", "-b8K|-d30|c:\\t.dat")),
            ),
            ("C:\\>diskspd -b8K x", Some(("diskspd", "-b8K|x"))),
            (
                "dd if=/dev/zero of=x bs=1M 2>&1",
                Some(("dd", "if=/dev/zero|of=x|bs=1M")),
            ),
            (
                "fio \\\n  --name=x \\\n  --bs=4k",
                Some(("fio", "--name=x|--bs=4k")),
            ),
            ("fio says that it is slow", None),
            ("I ran dd yesterday", None),
            ("fio-3.33", None),
            ("my fio - what does it mean", None),
        ];
        for (text, expected) in cases {
            let found = read(&lines(text));
            let found = found.map(|command| (command.tool, command.words.join("|")));
            let expected = expected.map(|(tool, words)| (tool, words.to_owned()));
            assert_eq!(found, expected, "{text}");
        }
    }
    #[test]
    fn the_folder_is_that_of_the_prompt() {
        let folder = |text: &str| read(&lines(text)).expect("a command").folder;
        assert_eq!(
            [
                "root@host:/data# dd if=/dev/zero of=x",
                "user@host:~/a b$ time dd if=/dev/zero of=x",
                "[root@host data]# dd if=/dev/zero of=x",
                "dd if=/dev/zero of=/a:/b#x",
            ]
            .map(folder),
            ["/data", "~/a b", "", ""]
        );
    }
}
