//! Counts completions while a callback receives them.

/// Completions that were handed to the callback. They leave the number in flight when this value is
/// dropped, so also when the callback panics: an engine that counts too many in flight would wait
/// for them for ever when it is dropped.
pub(crate) struct Delivered<'a> {
    in_flight: &'a mut u32,
    count: u32,
}

impl<'a> Delivered<'a> {
    #[inline]
    pub(crate) fn of(in_flight: &'a mut u32) -> Self {
        Self {
            in_flight,
            count: 0,
        }
    }

    #[inline]
    pub(crate) fn add(&mut self, count: u32) {
        self.count += count;
    }

    #[inline]
    pub(crate) fn count(&self) -> u32 {
        self.count
    }
}

impl Drop for Delivered<'_> {
    #[inline]
    fn drop(&mut self) {
        *self.in_flight -= self.count;
    }
}
