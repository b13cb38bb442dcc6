//! `fathom check`.

use crate::command::Cli;
use serde_json::Value;

#[test]
fn a_file_of_holes_is_unfit() {
    let cli = Cli::new(["check", "holes", "--no-wait", "--json"]).file("holes", "");
    let file = std::fs::File::options()
        .write(true)
        .open(cli.path("holes"))
        .expect("it is there");
    file.set_len(1 << 20).expect("a length");
    let (ended, _folder) = cli.end();
    let answer: Value = serde_json::from_str(&ended.stdout).expect("JSON");
    assert_eq!(
        (ended.status, &answer["verdict"]),
        (Some(8), &Value::from("unfit"))
    );
    let codes = answer["findings"].as_array().expect("a list");
    let found = codes
        .iter()
        .find(|one| one["code"] == "sparse")
        .expect("it has holes");
    let message = "the file has holes: 0 B of 1 MiB are allocated. Holes are read without I/O";
    assert_eq!(
        (&found["level"], &found["message"]),
        (&"invalid".into(), &message.into())
    );
}

#[test]
fn a_directory_without_room_for_a_file_is_unfit() {
    let (ended, _folder) = Cli::new(["check", "/proc", "--no-wait", "--json"]).end();
    let answer: Value = serde_json::from_str(&ended.stdout).expect("JSON");
    let codes = answer["findings"].as_array().expect("a list");
    let found = codes.iter().find(|one| one["code"] == "read_only");
    let message = "no file can be created here: it would be a file of the kernel's own file \
                   system proc";
    assert_eq!(
        (ended.status, found.map(|one| &one["message"])),
        (Some(8), Some(&message.into()))
    );
}

#[test]
fn what_is_not_there_is_not_measured_above() {
    let expected = "error: cannot check nowhere
  because: there is no such file, directory or \
                    device
  try:     use an existing path; `fathom devices` lists the devices
";
    Cli::new(["check", "nowhere"]).check(4, "", expected);
    let expected = "error: cannot check /dev/null
  because: it is a character device, which is \
                    not storage
  try:     use a file, a directory or a block device
";
    Cli::new(["check", "/dev/null"]).check(4, "", expected);
}
