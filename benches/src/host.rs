//! Where and when the numbers were taken: without that they mean nothing.

use std::fmt;

use anyhow::{Context, Result};
use serde::Serialize;

use crate::cases::Tool;
use crate::runner::Tools;

/// The line above the table.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(crate) struct Host {
    pub(crate) cpus: usize,
    pub(crate) cpu_model: String,
    pub(crate) memory_bytes: u64,
    pub(crate) kernel: String,
    pub(crate) fio: String,
    pub(crate) fathom: String,
    /// Of the first run, as its tool wrote it.
    pub(crate) date: Option<String>,
}

impl Host {
    pub(crate) fn read(tools: &Tools, date: Option<String>) -> Result<Self> {
        let cpuinfo = std::fs::read_to_string("/proc/cpuinfo").context("/proc/cpuinfo")?;
        let meminfo = std::fs::read_to_string("/proc/meminfo").context("/proc/meminfo")?;
        Ok(Self {
            cpus: std::thread::available_parallelism()?.get(),
            cpu_model: cpu_model(&cpuinfo).unwrap_or("unknown CPU").to_owned(),
            memory_bytes: memory_bytes(&meminfo).context("/proc/meminfo has no MemTotal")?,
            kernel: rustix::system::uname()
                .release()
                .to_string_lossy()
                .into_owned(),
            fio: tools.version(Tool::Fio)?,
            fathom: tools.version(Tool::Fathom)?,
            date,
        })
    }
}

impl fmt::Display for Host {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let gib = self.memory_bytes as f64 / f64::from(1 << 30);
        write!(
            f,
            "{} x {}, {gib:.1} GiB; Linux {}; {}; {}; {}",
            self.cpus,
            self.cpu_model,
            self.kernel,
            self.fio,
            self.fathom,
            self.date.as_deref().unwrap_or("date unknown")
        )
    }
}

/// The first model name; some architectures have none.
fn cpu_model(cpuinfo: &str) -> Option<&str> {
    let line = cpuinfo
        .lines()
        .find(|line| line.starts_with("model name"))?;
    Some(line.split_once(':')?.1.trim())
}

fn memory_bytes(meminfo: &str) -> Option<u64> {
    let value = meminfo
        .lines()
        .find_map(|line| line.strip_prefix("MemTotal:"))?;
    Some(value.trim().strip_suffix(" kB")?.parse::<u64>().ok()? * 1024)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_has_machine_kernel_tools_and_date() {
        let cpuinfo = "processor\t: 0\nmodel name\t: A CPU @ 2.50GHz\n\nmodel name\t: another\n";
        let host = Host {
            cpus: 2,
            cpu_model: cpu_model(cpuinfo).unwrap().to_owned(),
            memory_bytes: memory_bytes("MemTotal:       24659292 kB\n").unwrap(),
            kernel: "6.1.0".to_owned(),
            fio: "fio-3.33".to_owned(),
            fathom: "fathom 0.1.0".to_owned(),
            date: Some("2026-11-21T09:06:19Z".to_owned()),
        };
        assert_eq!(
            host.to_string(),
            "2 x A CPU @ 2.50GHz, 23.5 GiB; Linux 6.1.0; fio-3.33; fathom 0.1.0; \
             2026-11-21T09:06:19Z"
        );
    }
}
