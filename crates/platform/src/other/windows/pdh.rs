//! Counters as Performance Monitor reads them, by the names that they have in English.

use std::io::{Error, Result};
use std::path::Path;
use std::ptr::{null, null_mut};

use windows_sys::Win32::System::Performance::{
    PDH_CSTATUS_NEW_DATA, PDH_CSTATUS_VALID_DATA, PDH_FMT_COUNTERVALUE_ITEM_W, PDH_FMT_DOUBLE,
    PDH_HCOUNTER, PDH_HQUERY, PDH_MORE_DATA,
};

use super::library::functions;
use super::wide;

functions! {
    /// Those of its functions that are used here.
    Helper in c"pdh.dll":
    open = c"PdhOpenQueryW"(*const u16, usize, *mut PDH_HQUERY);
    add = c"PdhAddEnglishCounterW"(PDH_HQUERY, *const u16, usize, *mut PDH_HCOUNTER);
    collect = c"PdhCollectQueryData"(PDH_HQUERY);
    values = c"PdhGetFormattedCounterArrayW"(
        PDH_HCOUNTER, u32, *mut u32, *mut u32, *mut PDH_FMT_COUNTERVALUE_ITEM_W
    );
    close = c"PdhCloseQuery"(PDH_HQUERY);
}

/// Counters that are looked at together.
#[derive(Debug)]
pub struct Pdh {
    helper: Helper,
    query: PDH_HQUERY,
    counters: Vec<PDH_HCOUNTER>,
}

/// What a call answered, 0 for success.
fn checked(status: u32, call: &str) -> Result<()> {
    if status == 0 {
        return Ok(());
    }
    Err(Error::other(format!("{call} answers 0x{status:08X}")))
}

impl Pdh {
    /// Counters by their paths, with `*` for all instances.
    ///
    /// # Errors
    ///
    /// What the system said: there may be no such counter, and Nano Server has none at all.
    pub fn of(paths: &[&str]) -> Result<Self> {
        let helper = Helper::load()?;
        let mut query = null_mut();
        // SAFETY: the call fills the handle; without a source it looks at this machine.
        checked(
            unsafe { (helper.open)(null(), 0, &raw mut query) },
            "PdhOpenQuery",
        )?;
        let mut pdh = Self {
            helper,
            query,
            counters: Vec::new(),
        };
        for path in paths {
            let name = wide(Path::new(path));
            let mut counter = null_mut();
            // SAFETY: the query is ours; the call reads the name, which ends with a zero, and
            // fills the handle.
            let status = unsafe { (helper.add)(pdh.query, name.as_ptr(), 0, &raw mut counter) };
            checked(status, &format!("PdhAddEnglishCounter of {path}"))?;
            pdh.counters.push(counter);
        }
        Ok(pdh)
    }

    /// Looks at all of them.
    ///
    /// # Errors
    ///
    /// What the system said.
    pub fn collect(&mut self) -> Result<()> {
        // SAFETY: the query is ours.
        let status = unsafe { (self.helper.collect)(self.query) };
        checked(status, "PdhCollectQueryData")
    }

    /// The value of a counter for each of its instances, between the last two looks; without those
    /// that have none.
    ///
    /// # Errors
    ///
    /// What the system said.
    pub fn values(&self, counter: usize) -> Result<Vec<(String, f64)>> {
        const CALL: &str = "PdhGetFormattedCounterArray";
        let ask = self.helper.values;
        let counter = self.counters[counter];
        let (mut bytes, mut count) = (0, 0);
        // SAFETY: the counter is ours; with no room the call only says how much it takes.
        let status = unsafe {
            let (bytes, count) = (&raw mut bytes, &raw mut count);
            ask(counter, PDH_FMT_DOUBLE, bytes, count, null_mut())
        };
        if status != PDH_MORE_DATA {
            checked(status, CALL)?;
            return Ok(Vec::new());
        }
        // The names lie behind the items, in the same room.
        let items = (bytes as usize).div_ceil(size_of::<PDH_FMT_COUNTERVALUE_ITEM_W>());
        let mut room = vec![PDH_FMT_COUNTERVALUE_ITEM_W::default(); items];
        // SAFETY: the same, with room of the length that it has asked for.
        let status = unsafe {
            let (bytes, count) = (&raw mut bytes, &raw mut count);
            ask(counter, PDH_FMT_DOUBLE, bytes, count, room.as_mut_ptr())
        };
        checked(status, CALL)?;
        let items = room.iter().take(count as usize);
        let valid = items.filter(|item| {
            let status = item.FmtValue.CStatus;
            [PDH_CSTATUS_VALID_DATA, PDH_CSTATUS_NEW_DATA].contains(&status)
        });
        let pairs = valid.map(|item| {
            // SAFETY: the call has written a text with a zero at its end for each item.
            let name = unsafe { of_wide(item.szName) };
            // SAFETY: this is the form of the value that was asked for.
            (name, unsafe { item.FmtValue.Anonymous.doubleValue })
        });
        Ok(pairs.collect())
    }
}

/// # Safety
///
/// It is a text that ends with a zero.
unsafe fn of_wide(text: *const u16) -> String {
    let mut length = 0;
    // SAFETY: by the contract no unit is read behind the zero.
    while unsafe { *text.add(length) } != 0 {
        length += 1;
    }
    // SAFETY: by the contract it has as many units.
    String::from_utf16_lossy(unsafe { std::slice::from_raw_parts(text, length) })
}

impl Drop for Pdh {
    fn drop(&mut self) {
        // SAFETY: the query is ours, and nobody uses it or its counters from now on.
        unsafe { (self.helper.close)(self.query) };
    }
}
