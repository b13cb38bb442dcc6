//! Pages of block events from the kernel's ring buffers: one buffer for each processor, read as
//! they are (`trace_pipe_raw`). Whoever decodes them needs the `format` file of each event.

use std::fs::File;
use std::io::{self, Read as _};

use fathom_platform::fs::OFlags;

use crate::devnum::DevNum;
use crate::input;
use crate::sysfs::names_in;
use crate::tracing::Tracing;

/// Bits of the minor number in the kernel's number of a device.
const MINOR_BITS: u32 = 20;
/// Bytes of a page where the kernel does not say.
const PAGE_BYTES: usize = 4096;
/// Lines of the `stats` file of a buffer that count events nobody can read any more.
const LOST: [&str; 2] = ["overrun:", "dropped events:"];

/// What is traced.
#[derive(Clone, Copy, Debug)]
pub struct Setting<'a> {
    /// Names of events below `events/block`.
    pub events: &'a [&'static str],
    /// More of them, which a kernel may lack.
    pub optional: &'a [&'static str],
    /// The devices whose events are recorded; the kernel drops those of others. Without any, all.
    pub devices: &'a [DevNum],
    /// Memory of the kernel for the events of each processor, KiB.
    pub buffer_kib: u64,
}

/// Events that are being recorded.
#[derive(Debug)]
pub struct RequestTrace {
    /// Closed before the instance goes, which they come before here.
    pipes: Vec<Pipe>,
    tracing: Tracing,
    /// The name and the `format` file of each event.
    formats: Vec<(&'static str, String)>,
    page: Vec<u8>,
    /// Pages that a buffer holds at most.
    most_pages: u64,
}

/// The buffer of a processor.
#[derive(Debug)]
struct Pipe {
    file: File,
    /// Its `stats` file.
    stats: String,
}

impl RequestTrace {
    /// Starts to record.
    ///
    /// # Errors
    ///
    /// Why it cannot, as words for a sentence: it takes root, tracefs and the events.
    pub fn begin(setting: Setting<'_>) -> Result<Self, String> {
        let tracing = Tracing::begin("capture")?;
        // CLOCK_MONOTONIC, which everybody else has too.
        tracing.set("trace_clock", "mono")?;
        tracing.set("buffer_size_kb", &setting.buffer_kib.to_string())?;
        let mut formats = Vec::new();
        let is_there = |event: &&str| tracing.path(&format!("events/block/{event}")).is_dir();
        let optional = setting.optional.iter().filter(|event| is_there(event));
        let events = setting.events.iter().chain(optional).copied();
        for event in events.clone() {
            formats.push((
                event,
                tracing.text(&format!("events/block/{event}/format"))?,
            ));
            if let Some(filter) = filter(setting.devices) {
                tracing.set(&format!("events/block/{event}/filter"), &filter)?;
            }
        }
        let pages = tracing.text("buffer_subbuf_size_kb").ok();
        let kib = pages.and_then(|text| text.trim().parse::<usize>().ok());
        let mut pipes = Vec::new();
        let folders = names_in(&tracing.path("per_cpu")).map_err(|error| error.to_string())?;
        for folder in folders {
            let path = tracing.path(&format!("per_cpu/{folder}/trace_pipe_raw"));
            let file = input::open(path).map_err(|error| tracing.because(&error))?;
            fathom_platform::fs::fcntl_setfl(&file, OFlags::NONBLOCK)
                .map_err(|error| tracing.because(&error.into()))?;
            pipes.push(Pipe {
                file,
                stats: format!("per_cpu/{folder}/stats"),
            });
        }
        for event in events {
            tracing.set(&format!("events/block/{event}/enable"), "1")?;
        }
        let page_bytes = kib.map_or(PAGE_BYTES, |kib| kib << 10).max(PAGE_BYTES);
        Ok(Self {
            pipes,
            tracing,
            formats,
            page: vec![0; page_bytes],
            // Two more are in use by the writer and the reader.
            most_pages: (setting.buffer_kib << 10) / page_bytes as u64 + 2,
        })
    }

    /// The name and the `format` file of each event that is recorded.
    pub fn formats(&self) -> &[(&'static str, String)] {
        &self.formats
    }

    /// Hands out all pages that have been recorded, of one processor after another, each in its
    /// order. After it the buffers hold nothing that was recorded before.
    ///
    /// # Errors
    ///
    /// What reading says.
    pub fn pages(&mut self, each: &mut dyn FnMut(&[u8])) -> io::Result<()> {
        for pipe in &mut self.pipes {
            // Whoever records while this reads keeps nobody here.
            for _ in 0..=self.most_pages {
                match pipe.file.read(&mut self.page) {
                    Ok(0) => break,
                    Ok(count) => each(&self.page[..count]),
                    Err(error) if error.kind() == io::ErrorKind::WouldBlock => break,
                    Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                    Err(error) => return Err(error),
                }
            }
        }
        Ok(())
    }

    /// Stops recording; what was recorded can still be read.
    ///
    /// # Errors
    ///
    /// As words for a sentence.
    pub fn stop(&self) -> Result<(), String> {
        self.tracing.set("tracing_on", "0")
    }

    /// Events that were overwritten before they were read. The pages know less: they do not count
    /// all of them.
    ///
    /// # Errors
    ///
    /// As words for a sentence.
    pub fn lost(&self) -> Result<u64, String> {
        let stats = self.pipes.iter().map(|pipe| &pipe.stats);
        let stats = stats.map(|name| self.tracing.text(name).map(|text| lost(&text)));
        stats.sum()
    }
}

/// The kernel's number of a device in its events.
pub const fn kernel_number(device: DevNum) -> u32 {
    device.major << MINOR_BITS | device.minor
}

/// A filter that leaves the events of these devices; none where all are.
fn filter(devices: &[DevNum]) -> Option<String> {
    let one = |device: &DevNum| format!("dev == {}", kernel_number(*device));
    let all: Vec<String> = devices.iter().map(one).collect();
    (!all.is_empty()).then(|| all.join(" || "))
}

/// Events that a buffer has lost, by its `stats` file.
fn lost(stats: &str) -> u64 {
    let counts = stats.lines().filter_map(|line| {
        let line = line.trim();
        let count = LOST.iter().find_map(|name| line.strip_prefix(name))?;
        count.trim().parse::<u64>().ok()
    });
    counts.sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_filter_names_devices_as_the_kernel_does() {
        let devices = [DevNum::new(254, 0), DevNum::new(8, 16)];
        let expected = "dev == 266338304 || dev == 8388624";
        assert_eq!(filter(&devices).as_deref(), Some(expected));
        assert_eq!(filter(&[]), None);
    }

    #[test]
    fn what_a_buffer_has_lost_is_in_its_stats() {
        let stats = "entries: 128\noverrun: 37505\ncommit overrun: 0\nbytes: 8704\n\
                     oldest event ts:  12.5\nnow ts:  13.0\ndropped events: 3\nread events: 99\n";
        assert_eq!((lost(stats), lost("")), (37_508, 0));
    }
}
