//! Options on the target and its content: `-b`, `-c`, `-S`, `-h`, `-N`, `-Z`.

use super::{Fault, OptionResult, Reader};
use crate::options;
use crate::profile::{Cache, Content, MapFlush};

/// DISKSPD keeps block sizes in 32 bits.
const MAX_BLOCK_BYTES: u64 = u32::MAX as u64;

impl Reader<'_> {
    /// In blocks it is a multiple of the size so far.
    pub(super) fn block(&mut self, value: &str) -> OptionResult {
        let block = self.size(value, "-b8K")?;
        if block == 0 || block >= MAX_BLOCK_BYTES {
            return Err(Fault::new(
                "a block has at least 1 byte and less than 4G",
                "as in `-b8K`",
            ));
        }
        self.target.block_bytes = block;
        Ok(())
    }

    pub(super) fn create(&mut self, value: &str) -> OptionResult {
        self.target.file_bytes = Some(self.size(value, "-c10G")?);
        Ok(())
    }

    pub(super) fn uncached_through(&mut self, value: &str, index: usize) -> OptionResult {
        if !self.cache_flags.is_empty() {
            return Err(Fault::new(
                "the cache mode is given before `-h`",
                "give it once",
            ));
        }
        self.rest(index, value)?;
        self.cache("h")
    }

    pub(super) fn cache(&mut self, value: &str) -> OptionResult {
        let letters = if value.is_empty() { "u" } else { value };
        for letter in letters.chars() {
            self.cache_flag(letter)?;
        }
        Ok(())
    }

    fn cache_flag(&mut self, letter: char) -> OptionResult {
        // The letters of diskspd-for-linux that mean the same.
        let plain = match letter {
            'd' => 'u',
            's' => 'w',
            other => other,
        };
        let excludes: &[char] = match plain {
            'b' | 'r' => &['b', 'u', 'r', 'h'],
            'u' => &['b', 'u', 'r', 'h', 'm'],
            'h' => &['b', 'u', 'r', 'h', 'm', 'w'],
            'w' => &['w', 'h'],
            'm' => &['m', 'u', 'h'],
            _ => {
                return Err(Fault::new(
                    format!("`{letter}` is no cache mode"),
                    "the modes are b cached, u uncached, w write-through, h both of these, r \
                     without the local cache, m mapped",
                ));
            }
        };
        if let Some(other) = self.cache_flags.iter().find(|flag| excludes.contains(flag)) {
            return Err(Fault::new(
                format!("the cache modes `{other}` and `{letter}` exclude each other"),
                "give one of them, once",
            ));
        }
        self.cache_flags.push(plain);
        match plain {
            'u' => self.target.cache = Cache::Uncached,
            'h' => {
                self.target.cache = Cache::Uncached;
                self.target.write_through = true;
            }
            'r' => self.target.cache = Cache::LocalUncached,
            'w' => self.target.write_through = true,
            'm' => self.target.memory_mapped = true,
            _ => {}
        }
        Ok(())
    }

    pub(super) fn map_flush(&mut self, value: &str) -> OptionResult {
        self.target.flush = Some(match value.to_ascii_lowercase().as_str() {
            "v" => MapFlush::View,
            "n" => MapFlush::NonVolatile,
            "i" => MapFlush::NonVolatileNoDrain,
            _ => {
                return Err(Fault::new(
                    format!("`{value}` is no way to flush"),
                    "the ways are v, n and i",
                ));
            }
        });
        Ok(())
    }

    pub(super) fn content(&mut self, value: &str, index: usize) -> OptionResult {
        let said = match value {
            "" | "z" => Content::Zero,
            "r" => Content::Random,
            "s" => {
                self.note(&options::LINUX_BUFFERS, index);
                return Ok(());
            }
            source => {
                let (size, file) = match source.split_once(',') {
                    Some((size, file)) => (size, Some(file).filter(|file| !file.is_empty())),
                    None => (source, None),
                };
                Content::Buffer {
                    bytes: self.size(size, "-Z1M")?,
                    file: file.map(str::to_owned),
                }
            }
        };
        let content = &mut self.target.content;
        if said.rank() >= content.rank() {
            *content = said;
        }
        Ok(())
    }
}
