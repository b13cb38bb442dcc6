//! A text that is one line of ten megabytes, or a million words of no language: whoever gives it to
//! any command is answered on a screen.

use crate::command::Cli;

/// Characters that an answer to one line may have: 25 lines of 80 columns, twice.
const SCREENS: usize = 4_000;

/// And one to very many mistakes, of which twenty are shown.
const TWENTY: usize = 20_000;

/// The commands that read a text of somebody else, each with the name of the text.
const READERS: [(&str, &str); 15] = [
    ("run a.toml --engine null", "a.toml"),
    ("suite a.toml", "a.toml"),
    ("suite a.txt", "a.txt"),
    ("fio a.fio", "a.fio"),
    ("diskspd -Xa.xml", "a.xml"),
    ("iometer a.icf", "a.icf"),
    ("vdbench -f a.vdb", "a.vdb"),
    ("convert --from fio --to native a", "a"),
    ("convert --from diskspd --to native a", "a"),
    ("convert --from dd --to native a", "a"),
    ("convert --from iotest --to native a", "a"),
    ("convert --from mdtest --to native a", "a"),
    ("convert --from ior --to native a", "a"),
    ("import --no-save a.json", "a.json"),
    ("import --no-save x_lat.1.log", "x_lat.1.log"),
];

/// Holds how much is printed of a text to a bound.
fn answers(text: &str, most: usize) {
    for (line, name) in READERS {
        let (ended, _) = Cli::line(line).file(name, text).end();
        // What is no mistake has an answer of its own, as the workload that it says.
        let answer = Some(ended.stdout).filter(|_| ended.status != Some(0));
        let printed = (answer.unwrap_or_default() + &ended.stderr).chars().count();
        assert!(
            (1..=most).contains(&printed),
            "{line}: {printed} characters"
        );
    }
}

#[test]
fn a_line_of_ten_megabytes_is_answered_on_a_screen() {
    answers(&"a".repeat(10_000_000), SCREENS);
    let line = "diskspd -c1M -d1".to_owned() + &"x".repeat(10_000_000) + " f\n";
    answers(&line, SCREENS);
    let document = format!("{{\"schema_version\": \"{}\"}}", "x".repeat(10_000_000));
    answers(&document, SCREENS);
}

#[test]
fn a_hundred_thousand_mistakes_are_answered_with_twenty() {
    answers(&"-a1 [b]\nc=\"".repeat(100_000), TWENTY);
}

/// What is no mistake is told as well: that the end of a word is not read.
#[test]
fn of_a_hundred_thousand_notes_a_screen_is_told() {
    let words: Vec<String> = (0..100_000).map(|n| format!("-d1x{n}")).collect();
    let line = format!("diskspd -c1M {} f\n", words.join(" "));
    let words = ["convert", "--from", "diskspd", "--to", "native", "a"];
    let (ended, _) = Cli::new(words).file("a", &line).end();
    let reading = |line: &&str| line.starts_with("reading: ");
    let told: Vec<&str> = ended.stderr.lines().filter(reading).collect();
    let last = "reading: 902 more notes are not shown";
    assert_eq!((told.len(), told.last().copied()), (101, Some(last)));
}
