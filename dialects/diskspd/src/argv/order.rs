//! Options on where requests go: `-r`, `-rs`, `-rd`, `-s`, `-T`, `-B`, `-f`.

use super::{Fault, OptionResult, Reader};
use crate::number;
use crate::profile::Ranges;

impl Reader<'_> {
    /// `-r`. What was said of the order before decides what may still be said.
    pub(super) fn random(&mut self, value: &str, index: usize) -> OptionResult {
        if let Some(percent) = value.strip_prefix('s') {
            return self.mixed(percent, index);
        }
        if let Some(ranges) = value.strip_prefix('d') {
            return self.ranges(ranges, index);
        }
        let mut align = self.target.block_bytes;
        if !value.is_empty() {
            align = self.size(value, "-r4K")?;
            if align == 0 {
                return Err(Fault::new(
                    "offsets cannot be a multiple of 0",
                    "`-r` alone aligns to the block size",
                ));
            }
        }
        if self.stride_bytes.is_some() {
            return Err(if self.target.order.random_percent > 0 {
                Fault::new("random order is asked for twice", "give `-r` once")
            } else {
                both_orders()
            });
        }
        self.stride_bytes = Some(align);
        if self.target.order.random_percent == 0 {
            self.target.order.random_percent = 100;
        }
        Ok(())
    }

    fn mixed(&mut self, value: &str, index: usize) -> OptionResult {
        let percent = self.count(value, index, 1, "the share of random requests in percent")?;
        if percent > 100 {
            return Err(Fault::new(
                format!("{percent} is more than all requests"),
                "choose 1 to 100",
            ));
        }
        match self.target.order.random_percent {
            0 if self.stride_bytes.is_some() => return Err(both_orders()),
            // A share goes before all of `-r`.
            0 | 100 => {}
            _ => {
                return Err(Fault::new(
                    "the random share is given twice",
                    "give `-rs` once",
                ));
            }
        }
        self.target.order.random_percent = percent;
        Ok(())
    }

    /// The last distribution counts.
    fn ranges(&mut self, value: &str, index: usize) -> OptionResult {
        self.again("-rd", index);
        self.target.order.ranges = if let Some(list) = value.strip_prefix("pct") {
            Ranges::Percent(percent_ranges(list)?)
        } else if let Some(list) = value.strip_prefix("abs") {
            Ranges::Absolute(self.absolute_ranges(list)?)
        } else {
            return Err(Fault::new(
                "a distribution is by percent or by absolute sizes",
                "as in `-rdpct90/10:5/20` or `-rdabs90/10G`",
            ));
        };
        Ok(())
    }

    fn absolute_ranges(&self, list: &str) -> Result<Vec<(u32, u64)>, Fault> {
        let remedy = "as in `-rdabs90/10G:0/10G:5/20G`: percent of requests / bytes of the target";
        let mut ranges = Vec::new();
        for (ios, size) in pairs(list, remedy)? {
            let size = number::size(size, self.target.block_bytes)
                .map_err(|bad| Fault::new(bad.message(), remedy))?;
            ranges.push((ios, size));
        }
        Ok(ranges)
    }

    pub(super) fn sequential(&mut self, value: &str) -> OptionResult {
        if self.target.order.random_percent > 0 {
            return Err(both_orders());
        }
        if self.stride_bytes.is_some() {
            return Err(Fault::new(
                "sequential order is asked for twice",
                "give `-s` once",
            ));
        }
        let stride = if let Some(stride) = value.strip_prefix('i') {
            self.target.order.interlocked = true;
            stride
        } else {
            value
        };
        let stride = if stride.is_empty() {
            self.target.block_bytes
        } else {
            self.size(stride, "-s64K")?
        };
        // A stride of 0 is none, and the block counts.
        self.stride_bytes = above_zero(stride);
        Ok(())
    }

    pub(super) fn thread_stride(&mut self, value: &str) -> OptionResult {
        let stride = self.size(value, "-T1M")?;
        if stride == 0 {
            return Err(Fault::new(
                "threads that start 0 bytes apart start at one place",
                "leave `-T` out for that",
            ));
        }
        self.target.thread_stride_bytes = stride;
        Ok(())
    }

    pub(super) fn base(&mut self, value: &str, index: usize) -> OptionResult {
        if self.again("-B", index).is_some() {
            return Err(Fault::new(
                "the first byte is given twice",
                "give `-B` once",
            ));
        }
        let (base, length) = match value.split_once(':') {
            Some((base, length)) => (base, Some(length)),
            None => (value, None),
        };
        self.target.base_bytes = self.size(base, "-B1G")?;
        if let Some(length) = length {
            self.again("-B:", index);
            let length = self.size(length, "-B1G:10G")?;
            let end = self.target.base_bytes.checked_add(length);
            let end = end.ok_or_else(|| {
                Fault::new(
                    "the end does not fit in 64 bits",
                    "a smaller base or length",
                )
            })?;
            self.target.max_bytes = above_zero(end);
        }
        Ok(())
    }

    /// `-f` with a size is where to end, with letters it is hints.
    pub(super) fn max_or_hints(&mut self, value: &str, index: usize) -> OptionResult {
        if value.starts_with(|c: char| c.is_ascii_digit()) {
            if self.again("-f", index).is_some() {
                return Err(Fault::new("the end is given twice", "give `-f<size>` once"));
            }
            self.target.max_bytes = above_zero(self.size(value, "-f10G")?);
            return Ok(());
        }
        if value.is_empty() {
            return Err(Fault::new(
                "`-f` needs a size or hints",
                "`-f10G` to end there, or letters of `rst`",
            ));
        }
        for letter in value.chars() {
            match letter {
                'r' => self.target.random_access_hint = true,
                's' => self.target.sequential_scan_hint = true,
                't' => self.target.temporary_hint = true,
                other => {
                    return Err(Fault::new(
                        format!("`{other}` is no hint"),
                        "the hints are r (random), s (sequential) and t (temporary)",
                    ));
                }
            }
        }
        Ok(())
    }
}

fn both_orders() -> Fault {
    Fault::new(
        "sequential and random exclude each other",
        "`-rs<percent>` mixes them, with the stride after `-r`",
    )
}

/// The size, where 0 is as none.
fn above_zero(bytes: u64) -> Option<u64> {
    Some(bytes).filter(|bytes| *bytes > 0)
}

fn percent_ranges(list: &str) -> Result<Vec<(u32, u64)>, Fault> {
    let remedy = "as in `-rdpct90/10:0/10:5/20`: percent of requests / percent of the target";
    let mut ranges = Vec::new();
    for (ios, of) in pairs(list, remedy)? {
        let of = plain(of).ok_or_else(|| Fault::new("a share is a whole number", remedy))?;
        ranges.push((ios, of));
    }
    Ok(ranges)
}

/// The ranges of a list, share of requests first.
fn pairs<'a>(list: &'a str, remedy: &str) -> Result<Vec<(u32, &'a str)>, Fault> {
    list.split(':')
        .map(|range| {
            let (ios, of) = range
                .split_once('/')
                .ok_or_else(|| Fault::new(format!("`{range}` is no range"), remedy))?;
            let ios = plain(ios).filter(|ios| *ios <= 100).ok_or_else(|| {
                Fault::new(format!("`{ios}` is no share of the requests"), remedy)
            })?;
            Ok((ios as u32, of))
        })
        .collect()
}

fn plain(text: &str) -> Option<u64> {
    let digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    digits.then(|| text.parse().ok()).flatten()
}
