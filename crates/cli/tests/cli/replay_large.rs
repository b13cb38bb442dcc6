//! `fathom run --replay`, of requests that are larger than what a device takes from many small
//! pages.

use crate::command::Cli;
use crate::document::{fields, read};
use crate::privileged::{LoopDevice, is_root};
use serde_json::Value;
use std::fmt::Write as _;

/// 16 reads of 1 MiB.
fn trace() -> String {
    let mut text = "fio version 3 iolog\n0 f add\n0 f open\n".to_owned();
    for number in 0..16 {
        let _ = writeln!(text, "{number} f read {} {}", number << 20, 1 << 20);
    }
    text + "16 f close\n"
}

/// Requests that the device got.
fn device_reads(device: &str, more: &[&str]) -> Value {
    let words = "run --replay t --no-save --quiet -o json:r.json --target".split(' ');
    let words = words.chain([device]).chain(more.iter().copied());
    let (ended, folder) = Cli::new(words).file("t", trace()).end();
    assert_eq!((ended.status, ended.stderr.as_str()), (Some(0), ""));
    let result = read(&folder.path().join("r.json"));
    fields(&result, &["phases.0.devices.0.reads"])
}

/// From pages of 4 KiB a device with 128 segments gets 512 KiB at once.
#[test]
fn a_large_request_is_split_no_more_than_from_huge_pages() {
    if !is_root("a loop device") {
        return;
    }
    let Some(device) = LoopDevice::new(32 << 20) else {
        return;
    };
    let device = device.path.to_string_lossy().into_owned();
    let whole = device_reads(&device, &["--huge-pages"]);
    assert_eq!(device_reads(&device, &[]), whole);
}
