//! What a program asked of its files, from the lines of strace.

use std::collections::{BTreeMap, HashMap};

/// The grain in which offsets are counted as touched.
const GRAIN_BYTES: u64 = 4096;

/// Reads, writes, and space given back.
pub(crate) const DIRECTIONS: [&str; 3] = ["read", "write", "trim"];

/// All requests of a run.
#[derive(Debug, Default)]
pub(crate) struct Seen {
    /// Number of requests by direction and size.
    pub(crate) sizes: BTreeMap<(usize, u64), u64>,
    pub(crate) flushes: u64,
    /// Requests that begin where the one before of their direction, file and thread has ended.
    pub(crate) in_order: [u64; 3],
    /// What the run has reported of itself.
    pub(crate) reported: [u64; 3],
    /// Share of the files that was touched, in percent.
    pub(crate) touched_percent: f64,
    files: HashMap<String, Vec<bool>>,
    span_bytes: u64,
}

impl Seen {
    pub(crate) fn new(files: &[(&str, u64)], span_bytes: u64, reported: [u64; 3]) -> Self {
        let grains = |bytes: u64| vec![false; (bytes / GRAIN_BYTES) as usize];
        let files = files.iter();
        Self {
            files: files
                .map(|(name, bytes)| ((*name).to_owned(), grains(*bytes)))
                .collect(),
            span_bytes,
            reported,
            ..Self::default()
        }
    }

    /// The lines of one thread.
    pub(crate) fn take(&mut self, text: &str) {
        let mut ends: HashMap<(String, usize), u64> = HashMap::new();
        for call in text.lines().flat_map(calls) {
            let Call { file, what } = call;
            let Some(grains) = self.files.get_mut(file) else {
                continue;
            };
            let (direction, offset, bytes) = match what {
                What::Flush => {
                    self.flushes += 1;
                    continue;
                }
                What::Move(direction, offset, bytes) => (direction, offset, bytes),
            };
            *self.sizes.entry((direction, bytes)).or_default() += 1;
            let end = ends.insert((file.to_owned(), direction), offset + bytes);
            self.in_order[direction] += u64::from(end == Some(offset));
            let touched = offset / GRAIN_BYTES..(offset + bytes).div_ceil(GRAIN_BYTES);
            for grain in touched {
                if let Some(grain) = grains.get_mut(grain as usize) {
                    *grain = true;
                }
            }
        }
    }

    /// Counts what was touched.
    pub(crate) fn finish(&mut self) {
        let touched = self.files.values().flatten().filter(|grain| **grain);
        let bytes = touched.count() as u64 * GRAIN_BYTES;
        self.touched_percent = bytes as f64 * 100.0 / self.span_bytes.max(1) as f64;
    }

    pub(crate) fn requests(&self, direction: usize) -> u64 {
        let own = self.sizes.iter().filter(|((way, _), _)| *way == direction);
        own.map(|(_, count)| count).sum()
    }

    pub(crate) fn bytes(&self, direction: usize) -> u64 {
        let own = self.sizes.iter().filter(|((way, _), _)| *way == direction);
        own.map(|((_, size), count)| size * count).sum()
    }

    pub(crate) fn total(&self) -> u64 {
        self.sizes.values().sum()
    }

    /// Share of all requests that go on where the one before has ended, in percent.
    pub(crate) fn in_order_percent(&self) -> f64 {
        self.in_order.iter().sum::<u64>() as f64 * 100.0 / self.total().max(1) as f64
    }
}

#[derive(Debug, PartialEq, Eq)]
struct Call<'a> {
    file: &'a str,
    what: What,
}

#[derive(Debug, PartialEq, Eq)]
enum What {
    Flush,
    /// Direction, offset, bytes.
    Move(usize, u64, u64),
}

/// The requests of one line; none of one that failed or was about no file.
fn calls(line: &str) -> Vec<Call<'_>> {
    let Some((name, rest)) = line.split_once('(') else {
        return Vec::new();
    };
    let Some((arguments, result)) = rest.rsplit_once(" = ") else {
        return Vec::new();
    };
    let Some(result) = leading_number(result) else {
        return Vec::new();
    };
    if name == "io_submit" {
        let parts = arguments.split("aio_lio_opcode=").skip(1);
        return parts.take(result as usize).filter_map(submitted).collect();
    }
    single(name, arguments, result).into_iter().collect()
}

fn single<'a>(name: &str, arguments: &'a str, result: u64) -> Option<Call<'a>> {
    let file = file_of(arguments)?;
    let mut last = arguments.trim_end_matches(')').rsplit(", ");
    let what = match name {
        "fsync" | "fdatasync" => What::Flush,
        "pread64" | "preadv" => What::Move(0, leading_number(last.next()?)?, result),
        "pwrite64" | "pwritev" => What::Move(1, leading_number(last.next()?)?, result),
        // The flags of the second form come after the offset.
        "preadv2" => What::Move(0, leading_number(last.nth(1)?)?, result),
        "pwritev2" => What::Move(1, leading_number(last.nth(1)?)?, result),
        "fallocate" if arguments.contains("PUNCH_HOLE") => {
            let bytes = leading_number(last.next()?)?;
            What::Move(2, leading_number(last.next()?)?, bytes)
        }
        _ => return None,
    };
    Some(Call { file, what })
}

/// One of a list: `IOCB_CMD_PREAD, aio_fildes=5</path>, …, aio_nbytes=8192, aio_offset=0}`.
fn submitted(part: &str) -> Option<Call<'_>> {
    let file = file_of(part)?;
    let (command, _) = part.split_once(',')?;
    let number = |key: &str| leading_number(part.split_once(key)?.1);
    let what = match command {
        "IOCB_CMD_PREAD" | "IOCB_CMD_PREADV" => 0,
        "IOCB_CMD_PWRITE" | "IOCB_CMD_PWRITEV" => 1,
        "IOCB_CMD_FSYNC" | "IOCB_CMD_FDSYNC" => {
            return Some(Call {
                file,
                what: What::Flush,
            });
        }
        _ => return None,
    };
    let what = What::Move(what, number("aio_offset=")?, number("aio_nbytes=")?);
    Some(Call { file, what })
}

/// The last part of the first path, which strace puts in angle brackets after a descriptor.
fn file_of(text: &str) -> Option<&str> {
    let (_, rest) = text.split_once('<')?;
    let (path, _) = rest.split_once('>')?;
    path.rsplit('/').next()
}

fn leading_number(text: &str) -> Option<u64> {
    let digits = text.trim_start();
    let end = digits
        .find(|letter: char| !letter.is_ascii_digit())
        .unwrap_or(digits.len());
    digits[..end].parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn call(file: &str, what: What) -> Call<'_> {
        Call { file, what }
    }

    #[test]
    fn lines_of_strace_are_requests() {
        let cases = [
            (
                r#"pread64(5</t/a.dat>, ""..., 4096, 8192) = 4096"#,
                vec![call("a.dat", What::Move(0, 8192, 4096))],
            ),
            (
                "fdatasync(5</t/a.dat>)                  = 0",
                vec![call("a.dat", What::Flush)],
            ),
            (
                "fallocate(5</t/a.dat>, FALLOC_FL_KEEP_SIZE|FALLOC_FL_PUNCH_HOLE, 4096, 512) = 0",
                vec![call("a.dat", What::Move(2, 4096, 512))],
            ),
            (
                "pread64(5</t/a.dat>, 0x1, 4096, 0) = -1 EINVAL (Invalid argument)",
                vec![],
            ),
            ("+++ exited with 0 +++", vec![]),
        ];
        for (line, expected) in cases {
            assert_eq!(calls(line), expected, "{line}");
        }
    }

    /// Of a list only as many as were taken count.
    #[test]
    fn lists_are_taken_apart() {
        let line = "io_submit(0x7f, 3, [{aio_data=0, aio_lio_opcode=IOCB_CMD_PREAD, \
                    aio_fildes=6</t/a>, aio_buf=0x1, aio_nbytes=512, aio_offset=1024}, \
                    {aio_data=0, aio_lio_opcode=IOCB_CMD_PWRITE, aio_fildes=7</t/b>, \
                    aio_buf=\"\"..., aio_nbytes=4096, aio_offset=0}, {aio_data=0, \
                    aio_lio_opcode=IOCB_CMD_PREAD, aio_fildes=6</t/a>, aio_buf=0x1, \
                    aio_nbytes=1, aio_offset=1}]) = 2";
        let expected = [
            call("a", What::Move(0, 1024, 512)),
            call("b", What::Move(1, 0, 4096)),
        ];
        assert_eq!(calls(line), expected);
    }

    #[test]
    fn a_run_is_summed_up() {
        let mut seen = Seen::new(&[("a", 40_960)], 40_960, [2, 1, 0]);
        seen.take(
            "pread64(3</t/a>, \"\"..., 8192, 0) = 8192\n\
             pwrite64(3</t/a>, \"\"..., 4096, 4096) = 4096\n\
             pread64(3</t/a>, \"\"..., 4096, 8192) = 4096\n\
             pread64(4</t/other>, \"\"..., 4096, 8192) = 4096\n\
             fsync(3</t/a>) = 0\n",
        );
        seen.finish();
        let counts = [(0, 4096), (0, 8192), (1, 4096)].map(|key| (key, 1));
        assert_eq!(seen.sizes, BTreeMap::from(counts));
        assert_eq!(
            (seen.flushes, seen.in_order, seen.requests(0)),
            (1, [1, 0, 0], 2)
        );
        assert_eq!(
            (seen.bytes(0), seen.bytes(1), seen.total()),
            (12_288, 4096, 3)
        );
        assert!((seen.touched_percent - 30.0).abs() < 1e-9);
    }
}
