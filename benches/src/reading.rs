//! What a tool says it did, read from its JSON result.

use anyhow::{Context, Result, ensure};
use serde_json::Value;

/// Every case does I/Os of this size.
pub(crate) const BLOCK_BYTES: u64 = 4096;

/// The figures taken from a tool's own result.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Reading {
    pub(crate) ios: u64,
    pub(crate) iops: f64,
    /// When the run was, in the tool's own words.
    pub(crate) date: Option<String>,
    /// From the start of the process to its first I/O; only Fathom says.
    pub(crate) first_io_ns: Option<u64>,
}

impl Reading {
    /// From `fio --output-format=json`, which may put notes before the document.
    pub(crate) fn of_fio(text: &str) -> Result<Self> {
        let start = text.find('{').context("no JSON in fio's result")?;
        let document: Value =
            serde_json::from_str(&text[start..]).context("fio's result is not JSON")?;
        let jobs = document["jobs"]
            .as_array()
            .context("fio's result has no jobs")?;
        let mut sum = Sum::default();
        for job in jobs {
            ensure!(
                job["error"].as_u64() == Some(0),
                "fio reports error {}",
                job["error"]
            );
            for direction in ["read", "write", "trim"] {
                sum.add(&job[direction], "total_ios", "io_bytes")?;
            }
        }
        sum.checked("fio", document["time"].as_str(), None)
    }

    /// From `fathom-bare --output FILE`.
    pub(crate) fn of_bare(text: &str) -> Result<Self> {
        let document: Value = serde_json::from_str(text).context("the result is not JSON")?;
        let mut sum = Sum::default();
        let seconds = document["seconds"].as_f64().context("no seconds")?;
        let ios = document["ios"].as_u64().context("no whole number ios")?;
        let bytes = document["bytes"]
            .as_u64()
            .context("no whole number bytes")?;
        (sum.ios, sum.bytes, sum.iops) = (ios, bytes, ios as f64 / seconds);
        sum.checked("fathom-bare", None, None)
    }

    /// From `fathom run --output json:FILE`.
    pub(crate) fn of_fathom(text: &str) -> Result<Self> {
        let document: Value = serde_json::from_str(text).context("Fathom's result is not JSON")?;
        let phases = document["phases"]
            .as_array()
            .context("Fathom's result has no phases")?;
        ensure!(
            phases.len() == 1,
            "Fathom's result has {} phases, not one",
            phases.len()
        );
        let jobs = phases[0]["jobs"]
            .as_array()
            .context("Fathom's result has no jobs")?;
        let mut sum = Sum::default();
        for job in jobs {
            for direction in ["read", "write", "trim"] {
                sum.add(&job[direction], "ios", "bytes")?;
            }
        }
        let first_io_ns = document["provenance"]["timings"]["first_io_ns"].as_u64();
        sum.checked(
            "Fathom",
            document["provenance"]["started_at"].as_str(),
            first_io_ns,
        )
    }
}

/// Jobs and directions added up.
#[derive(Debug, Default)]
struct Sum {
    ios: u64,
    bytes: u64,
    iops: f64,
}

impl Sum {
    /// A direction that is absent or null did nothing.
    fn add(&mut self, direction: &Value, ios_key: &str, bytes_key: &str) -> Result<()> {
        if direction.is_null() {
            return Ok(());
        }
        let whole = |key: &str| {
            direction[key]
                .as_u64()
                .with_context(|| format!("no whole number {key} in the result"))
        };
        self.ios += whole(ios_key)?;
        self.bytes += whole(bytes_key)?;
        self.iops += direction["iops"]
            .as_f64()
            .context("no number iops in the result")?;
        Ok(())
    }

    /// A result that contradicts itself must not become a ratio.
    fn checked(self, tool: &str, date: Option<&str>, first_io_ns: Option<u64>) -> Result<Reading> {
        let Self { ios, bytes, iops } = self;
        ensure!(ios > 0, "{tool} reports no I/O");
        ensure!(
            bytes == ios * BLOCK_BYTES,
            "{tool} reports {ios} I/Os and {bytes} bytes, which is not {BLOCK_BYTES} bytes each"
        );
        Ok(Reading {
            ios,
            iops,
            date: date.map(str::to_owned),
            first_io_ns,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fio_3_33_reads_and_writes() {
        let read = Reading::of_fio(include_str!("samples/fio-3.33-randread.json")).unwrap();
        assert_eq!(
            read,
            Reading {
                ios: 906_030,
                iops: 452_788.605_697,
                date: Some("Sat Nov 21 09:06:19 2026".to_owned()),
                first_io_ns: None,
            }
        );
        let write = Reading::of_fio(include_str!("samples/fio-3.33-randwrite.json")).unwrap();
        assert_eq!((write.ios, write.iops), (1_485_270, 742_263.868_066));
    }

    #[test]
    fn notes_before_fios_document_are_skipped() {
        let text = r#"note: both iodepth >= 1 and synchronous I/O engine are selected
            {"jobs": [{"error": 0, "read": {"total_ios": 2, "io_bytes": 8192, "iops": 1.5}}]}"#;
        let reading = Reading::of_fio(text).unwrap();
        assert_eq!(
            reading,
            Reading {
                ios: 2,
                iops: 1.5,
                date: None,
                first_io_ns: None
            }
        );
    }

    #[test]
    fn fathoms_jobs_are_added_up() {
        let text = r#"{
            "schema_version": 1,
            "provenance": {
                "started_at": "2026-11-21T09:06:19Z",
                "timings": {"first_io_ns": 4200000}
            },
            "phases": [{"jobs": [
                {"name": "a", "read": {"ios": 10, "bytes": 40960, "iops": 5.0}, "write": null},
                {"name": "b", "write": {"ios": 20, "bytes": 81920, "iops": 10.5}}
            ]}]
        }"#;
        assert_eq!(
            Reading::of_fathom(text).unwrap(),
            Reading {
                ios: 30,
                iops: 15.5,
                date: Some("2026-11-21T09:06:19Z".to_owned()),
                first_io_ns: Some(4_200_000),
            }
        );
    }

    #[test]
    fn the_bare_path_states_its_time() {
        let text = r#"{"ios": 10, "bytes": 40960, "seconds": 2.5}"#;
        let expected = Reading {
            ios: 10,
            iops: 4.0,
            date: None,
            first_io_ns: None,
        };
        assert_eq!(Reading::of_bare(text).unwrap(), expected);
    }

    #[test]
    fn results_that_cannot_be_compared_are_refused() {
        let job = |read: &str| format!(r#"{{"phases": [{{"jobs": [{{"read": {read}}}]}}]}}"#);
        let fathom = [
            (
                r#"{"phases": [{}, {}]}"#.to_owned(),
                "Fathom's result has 2 phases, not one",
            ),
            (
                job(r#"{"ios": 0, "bytes": 0, "iops": 0.0}"#),
                "Fathom reports no I/O",
            ),
            (
                job(r#"{"ios": 2, "bytes": 4096, "iops": 1.0}"#),
                "Fathom reports 2 I/Os and 4096 bytes, which is not 4096 bytes each",
            ),
            (
                job(r#"{"bytes": 4096, "iops": 1.0}"#),
                "no whole number ios in the result",
            ),
            ("fathom: oh".to_owned(), "Fathom's result is not JSON"),
        ];
        for (text, message) in fathom {
            assert_eq!(Reading::of_fathom(&text).unwrap_err().to_string(), message);
        }
        let fio = [
            ("fio: oh", "no JSON in fio's result"),
            (r#"{"jobs": [{"error": 22}]}"#, "fio reports error 22"),
        ];
        for (text, message) in fio {
            assert_eq!(Reading::of_fio(text).unwrap_err().to_string(), message);
        }
    }
}
