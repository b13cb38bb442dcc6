//! Options that take a count or a time.

use super::{Fault, OptionResult, Reader, Seed};
use crate::number;
use crate::profile::Throttle;

impl Reader<'_> {
    pub(super) fn cool_down(&mut self, value: &str, index: usize) -> OptionResult {
        let seconds = self.count(value, index, 0, "the cool-down in seconds")?;
        self.span.cool_down_s = seconds;
        self.beside(|file| file.cool_down_s = Some(seconds));
        Ok(())
    }

    pub(super) fn duration(&mut self, value: &str, index: usize) -> OptionResult {
        let seconds = self.count(value, index, 0, "the duration in seconds")?;
        self.span.duration_s = seconds;
        self.beside(|file| file.duration_s = Some(seconds));
        Ok(())
    }

    pub(super) fn warm_up(&mut self, value: &str, index: usize) -> OptionResult {
        let seconds = self.count(value, index, 0, "the warm-up in seconds")?;
        self.span.warm_up_s = seconds;
        self.beside(|file| file.warm_up_s = Some(seconds));
        Ok(())
    }

    #[expect(clippy::unnecessary_wraps, reason = "DISKSPD takes whatever follows")]
    pub(super) fn bucket(&mut self, value: &str) -> OptionResult {
        let (number, _) = number::count(value);
        let bucket = u32::try_from(number).ok().filter(|ms| *ms > 0);
        // Without a length it is as it was.
        let before = self.span.iops_bucket_ms.unwrap_or(1000);
        self.span.iops_bucket_ms = Some(bucket.unwrap_or(before));
        Ok(())
    }

    pub(super) fn pool(&mut self, value: &str, index: usize) -> OptionResult {
        self.span.threads = self.count(value, index, 1, "the number of threads")?;
        Ok(())
    }

    pub(super) fn threads(&mut self, value: &str, index: usize) -> OptionResult {
        self.target.threads = self.count(value, index, 1, "the number of threads")?;
        Ok(())
    }

    pub(super) fn outstanding(&mut self, value: &str, index: usize) -> OptionResult {
        self.target.outstanding =
            self.count(value, index, 1, "the number of outstanding requests")?;
        Ok(())
    }

    pub(super) fn pool_outstanding(&mut self, value: &str, index: usize) -> OptionResult {
        self.span.outstanding =
            self.count(value, index, 1, "the number of outstanding requests")?;
        Ok(())
    }

    pub(super) fn burst(&mut self, value: &str, index: usize) -> OptionResult {
        self.target.burst = Some(self.count(value, index, 1, "the length of a burst")?);
        Ok(())
    }

    pub(super) fn think(&mut self, value: &str, index: usize) -> OptionResult {
        self.target.think_ms = Some(self.count(value, index, 1, "the pause in milliseconds")?);
        Ok(())
    }

    pub(super) fn rate(&mut self, value: &str, index: usize) -> OptionResult {
        let (number, end) = match value.strip_suffix('i') {
            Some(number) => (number, "i"),
            None => (value, ""),
        };
        if end.is_empty() && !number.ends_with(|c: char| c.is_ascii_digit()) {
            return Err(Fault::new(
                "a rate ends in a digit, or in `i` for requests a second",
                "as in `-g80` for 80 bytes a millisecond, or `-g1000i`",
            ));
        }
        let number = self.count(number, index, 1, "the rate")?;
        self.target.throttle = Some(if end == "i" {
            Throttle::Iops(number)
        } else {
            Throttle::BytesPerMs(number)
        });
        Ok(())
    }

    pub(super) fn priority(&mut self, value: &str, index: usize) -> OptionResult {
        let number = self.count(value, index, 1, "the priority")?;
        if number > 3 {
            return Err(Fault::new(
                "the highest I/O priority is 3",
                "choose 1, 2 or 3",
            ));
        }
        self.target.priority = number as u8;
        Ok(())
    }

    #[expect(clippy::unnecessary_wraps, reason = "DISKSPD takes whatever follows")]
    pub(super) fn progress(&mut self, value: &str) -> OptionResult {
        let (number, _) = number::count(value);
        let every = u32::try_from(number).ok().filter(|every| *every > 0);
        self.profile.progress = every.unwrap_or(65_536);
        Ok(())
    }

    pub(super) fn writes(&mut self, value: &str, index: usize) -> OptionResult {
        if value.is_empty() {
            return Err(Fault::new(
                "the share of writes is missing; DISKSPD 2.0 took it for 0",
                "`-w0` for reads only, which is the default",
            ));
        }
        let percent = self.count(value, index, 0, "the share of writes in percent")?;
        if percent > 100 {
            return Err(Fault::new(
                format!("{percent} is more than all requests"),
                "choose 0 to 100",
            ));
        }
        self.target.write_percent = percent;
        Ok(())
    }

    pub(super) fn seed(&mut self, value: &str, index: usize) -> OptionResult {
        if value.is_empty() {
            self.span.fresh_seed = true;
            self.beside(|file| file.seed = Some(Seed::Fresh));
            return Ok(());
        }
        let Some(seed) = number::unsigned(value).map(u64::from) else {
            let word = &self.argv[index];
            return Err(Fault::new(
                format!("`{word}` has no number for a seed"),
                "as in `-z42`, or `-z` for a new one each time",
            ));
        };
        self.span.seed = seed;
        self.span.fresh_seed = false;
        self.beside(|file| file.seed = Some(Seed::Number(seed)));
        Ok(())
    }

    #[expect(clippy::unnecessary_wraps, reason = "DISKSPD takes whatever follows")]
    pub(super) fn experiment(&mut self, value: &str) -> OptionResult {
        let (number, _) = number::count(value);
        // Bits: a negative number has them too.
        self.profile.experiment_flags = number as u32;
        self.beside(|file| file.has_experiment_flags = true);
        Ok(())
    }
}
