//! `fathom throttled`.

use crate::command::Cli;
use crate::privileged::{Group, LoopDevice, is_root};
use serde_json::Value;
use std::process::{Child, Command, Stdio};

/// Reads a device over and over in a control group, until it is dropped.
struct Reader(Child);

impl Reader {
    fn start(device: &LoopDevice, group: &Group) -> Self {
        let script = "echo $$ > \"$1\" && \
                      exec dd if=\"$2\" of=/dev/null bs=4k iflag=direct count=100000 status=none";
        let mut command = Command::new("sh");
        command
            .args(["-c", script, "sh"])
            .arg(group.members())
            .arg(&device.path);
        let child = command.stdin(Stdio::null()).spawn();
        Self(child.expect("there is a shell"))
    }
}

impl Drop for Reader {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Exit status, whether it is limited, by what, and what the cause rests on.
fn asked(words: &[&str]) -> (Option<i32>, String, Value, Value) {
    let words = ["throttled", "--json"].iter().chain(words);
    let (ended, _folder) = Cli::new(words).end();
    assert_eq!(ended.stderr, "");
    let answer: Value = serde_json::from_str(&ended.stdout).expect("JSON");
    let rows = answer["evidence"].as_array().expect("evidence");
    let cause = rows.iter().find(|row| row["is_cause"] == true);
    let row = cause.map_or(Value::Null, |row| {
        Value::from(vec![row["what"].clone(), row["limit"].clone()])
    });
    let standing = answer["standing"].as_str().expect("a word");
    (
        ended.status,
        standing.to_owned(),
        answer["cause"].clone(),
        row,
    )
}

#[test]
fn a_limit_of_a_control_group_is_named_while_it_holds() {
    if !is_root("a control group") {
        return;
    }
    let Some(group) = Group::new("io") else {
        return;
    };
    let Some(device) = LoopDevice::new(16 << 20) else {
        return;
    };
    if !group.limit_reads(&device, 50) {
        return;
    }
    let node = device.path.to_string_lossy().into_owned();
    let reader = Reader::start(&device, &group);
    let limited = (
        Some(1),
        "limited".to_owned(),
        Value::from("control_group"),
        serde_json::json!(["reads per second", 50.0]),
    );
    assert_eq!(asked(&[&node, "--time", "3"]), limited);
    let pid = reader.0.id().to_string();
    assert_eq!(asked(&["--pid", &pid, "--time", "3"]), limited);
    drop(reader);
    let idle = (Some(0), "idle".to_owned(), Value::Null, Value::Null);
    assert_eq!(asked(&[&node, "--time", "1"]), idle);
}

#[test]
fn what_cannot_be_looked_at_is_refused() {
    let process = "error: cannot look at the storage
  because: there is no process 2147483647
  try:     use a name or path from `fathom devices`, or a process that runs
";
    Cli::new(["throttled", "--pid", "2147483647"]).check(4, "", process);
    let memory = "error: nothing to look at
  because: no block device and no NFS mount is below it
  try:     use a name or path from `fathom devices`, or a file on a device
";
    Cli::new(["throttled", "/proc/version"]).check(4, "", memory);
}
