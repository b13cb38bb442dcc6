//! Where the kernel's account of itself is hidden, as in a sandbox: what cannot be found out is not
//! taken for harmless.

use crate::privileged::{LoopDevice, is_root};
use fathom_testing::skip;
use std::process::{Command, Output, Stdio};

const PROGRAM: &str = env!("CARGO_BIN_EXE_fathom");

/// Runs the program in a mount name space of its own, where this folder is empty.
fn without(hidden: &str, words: &[&str]) -> Output {
    let script = "mount -t tmpfs none \"$1\" || exit 99; shift; exec \"$@\"";
    Command::new("unshare")
        .args(["--mount", "sh", "-c", script, "sh", hidden, PROGRAM])
        .args(words)
        .stdin(Stdio::null())
        .output()
        .expect("unshare is part of every system")
}

#[test]
fn what_cannot_be_examined_is_not_written() {
    if !is_root("a mount name space") {
        return;
    }
    let Some(device) = LoopDevice::new(1 << 20) else {
        return;
    };
    let before = std::fs::read(device.backing()).expect("it is ours");
    let backing = device.backing();
    let backing = backing.to_str().expect("a name");
    let node = device.path.to_str().expect("a name");
    let load = [
        "run",
        "random-write-4k",
        "--ios",
        "4",
        "--no-save",
        "--quiet",
    ];
    let simulated = "run random-read-4k --target null --engine null --ios 4 --no-save --quiet";
    let simulated: Vec<&str> = simulated.split(' ').collect();
    let output = format!("json:{backing}");
    let cases = [
        [&load[..], &["--target", backing, "--overwrite"]].concat(),
        [&load[..], &["--target", node, "--destroy", node]].concat(),
        [&simulated[..], &["--output", &output, "--overwrite"]].concat(),
    ];
    for hidden in ["/sys", "/proc"] {
        for words in &cases {
            let ended = without(hidden, words);
            if ended.status.code() == Some(99) {
                skip(format_args!(
                    "nothing can be mounted over {hidden} in a name space"
                ));
                return;
            }
            let error = String::from_utf8_lossy(&ended.stderr);
            assert_eq!(ended.status.code(), Some(4), "{hidden} {words:?} {error}");
        }
    }
    for path in [backing, node] {
        assert!(std::fs::read(path).expect("it is ours") == before, "{path}");
    }
}
