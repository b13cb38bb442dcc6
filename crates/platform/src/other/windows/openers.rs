//! Which programs have a file open, by the Restart Manager: it looks without opening the file, so
//! that nobody is disturbed.

use std::io::{Error, ErrorKind, Result};
use std::path::Path;
use std::ptr::{null, null_mut};

use windows_sys::Win32::Foundation::{ERROR_MORE_DATA, ERROR_SUCCESS};
use windows_sys::Win32::System::RestartManager::{
    CCH_RM_SESSION_KEY, RM_PROCESS_INFO, RM_UNIQUE_PROCESS,
};

use super::library::functions;
use super::wide;

/// Times that the list is asked for, since programs come and go.
const TRIES: u32 = 4;

functions! {
    /// Its functions that are used here.
    Manager in c"rstrtmgr.dll":
    start = c"RmStartSession"(*mut u32, u32, *mut u16);
    register = c"RmRegisterResources"(
        u32, u32, *const *const u16, u32, *const RM_UNIQUE_PROCESS, u32, *const *const u16
    );
    list = c"RmGetList"(u32, *mut u32, *mut u32, *mut RM_PROCESS_INFO, *mut u32);
    end = c"RmEndSession"(u32);
}

/// A question to it.
struct Session {
    manager: Manager,
    number: u32,
}

fn checked(status: u32) -> Result<()> {
    if status == ERROR_SUCCESS {
        return Ok(());
    }
    Err(Error::from_raw_os_error(status.cast_signed()))
}

impl Session {
    fn new() -> Result<Self> {
        let manager = Manager::load()?;
        let mut number = 0;
        let mut key = [0; CCH_RM_SESSION_KEY as usize + 1];
        // SAFETY: the call fills the number, and the key with a zero at its end.
        checked(unsafe { (manager.start)(&raw mut number, 0, key.as_mut_ptr()) })?;
        Ok(Self { manager, number })
    }

    fn add(&self, file: &Path) -> Result<()> {
        let name = wide(file);
        let files = [name.as_ptr()];
        let register = self.manager.register;
        // SAFETY: the session is ours; the call reads one name, which ends with a zero.
        let status = unsafe { register(self.number, 1, files.as_ptr(), 0, null(), 0, null()) };
        checked(status)
    }

    fn programs(&self) -> Result<Vec<RM_PROCESS_INFO>> {
        let mut room: Vec<RM_PROCESS_INFO> = Vec::new();
        for _ in 0..TRIES {
            let (mut needed, mut count, mut reasons) = (0, room.len() as u32, 0);
            let place = if room.is_empty() {
                null_mut()
            } else {
                room.as_mut_ptr()
            };
            // SAFETY: the session is ours; the call fills no more than `count` entries, which are
            // there, and three numbers.
            let status = unsafe {
                let (needed, count) = (&raw mut needed, &raw mut count);
                (self.manager.list)(self.number, needed, count, place, &raw mut reasons)
            };
            if status == ERROR_MORE_DATA {
                room = (0..needed).map(|_| RM_PROCESS_INFO::default()).collect();
                continue;
            }
            checked(status)?;
            room.truncate(count as usize);
            return Ok(room);
        }
        Err(ErrorKind::ResourceBusy.into())
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        // SAFETY: the session is ours, and nobody uses it from now on.
        unsafe { (self.manager.end)(self.number) };
    }
}

/// The processes that have a file open, by number, with the name that the system has for each. This
/// one is left out.
///
/// # Errors
///
/// What the system said.
pub fn openers(file: &Path) -> Result<Vec<(u32, String)>> {
    let session = Session::new()?;
    session.add(file)?;
    let named = session.programs()?.into_iter().map(|program| {
        let name = &program.strAppName;
        let end = name.iter().position(|unit| *unit == 0);
        let name = String::from_utf16_lossy(&name[..end.unwrap_or(name.len())]);
        (program.Process.dwProcessId, name)
    });
    let others = named.filter(|(process, _)| *process != std::process::id());
    Ok(others.collect())
}
