//! What this process and the calling thread have used.

use std::io::{Error, ErrorKind, Result};

use windows_sys::Wdk::System::SystemInformation::{
    NtQuerySystemInformation, SystemProcessInformation,
};
use windows_sys::Win32::Foundation::{
    FILETIME, RtlNtStatusToDosError, STATUS_INFO_LENGTH_MISMATCH,
};
use windows_sys::Win32::System::ProcessStatus::{K32GetProcessMemoryInfo, PROCESS_MEMORY_COUNTERS};
use windows_sys::Win32::System::SystemInformation::GROUP_AFFINITY;
use windows_sys::Win32::System::Threading::{
    GetCurrentProcess, GetCurrentProcessorNumberEx, GetCurrentThread, GetCurrentThreadId,
    GetProcessTimes, GetThreadTimes, SetThreadGroupAffinity,
};

use crate::switches;

/// Processors of a group at most.
const GROUP: u32 = 64;

/// What all threads of this process have used.
#[derive(Clone, Copy, Debug)]
pub struct OwnUsage {
    /// CPU time in user mode, and in the kernel.
    pub user_ns: u64,
    /// The same in the kernel.
    pub kernel_ns: u64,
    /// Page faults, those without I/O included.
    pub faults: u64,
    /// Most memory that it had.
    pub peak_bytes: u64,
}

/// Nanoseconds of a time in units of 100 ns.
fn nanos(time: FILETIME) -> u64 {
    (u64::from(time.dwHighDateTime) << 32 | u64::from(time.dwLowDateTime)) * 100
}

/// What this process has used so far.
///
/// # Errors
///
/// What the system said.
pub fn own_usage() -> Result<OwnUsage> {
    let mut times = [FILETIME::default(); 4];
    let [created, ended, kernel, user] = &mut times;
    // SAFETY: the handle is that of this process, which needs no closing; the call fills four
    // times.
    if unsafe { GetProcessTimes(GetCurrentProcess(), created, ended, kernel, user) } == 0 {
        return Err(Error::last_os_error());
    }
    let mut memory = PROCESS_MEMORY_COUNTERS::default();
    let bytes = size_of_val(&memory) as u32;
    // SAFETY: the same; the call fills no more than `bytes`.
    if unsafe { K32GetProcessMemoryInfo(GetCurrentProcess(), &raw mut memory, bytes) } == 0 {
        return Err(Error::last_os_error());
    }
    let [_, _, kernel, user] = times;
    Ok(OwnUsage {
        user_ns: nanos(user),
        kernel_ns: nanos(kernel),
        faults: memory.PageFaultCount.into(),
        peak_bytes: memory.PeakWorkingSetSize as u64,
    })
}

/// Context switches of the threads that this process has now. The system gives them with those of
/// all processes, which takes milliseconds.
///
/// # Errors
///
/// What the system said.
pub fn own_switches() -> Result<u64> {
    let found = switches::of_process(&processes()?, std::process::id());
    found.ok_or_else(|| ErrorKind::InvalidData.into())
}

/// Those of the calling thread, which take as long.
///
/// # Errors
///
/// What the system said.
pub fn thread_switches() -> Result<u64> {
    // SAFETY: the call takes nothing and has no effect.
    let thread = unsafe { GetCurrentThreadId() };
    let found = switches::of_thread(&processes()?, std::process::id(), thread);
    found.ok_or_else(|| ErrorKind::InvalidData.into())
}

/// The list of all processes and their threads.
fn processes() -> Result<Vec<u8>> {
    // Processes that begin meanwhile need more.
    for shift in 18..26 {
        let mut list = vec![0_u64; (1 << shift) / 8];
        let mut told = 0;
        // SAFETY: the call writes no more bytes than the room has, which is ours.
        let status = unsafe {
            let (room, bytes) = (list.as_mut_ptr().cast(), 1 << shift);
            NtQuerySystemInformation(SystemProcessInformation, room, bytes, &raw mut told)
        };
        if status == STATUS_INFO_LENGTH_MISMATCH {
            continue;
        }
        if status < 0 {
            // SAFETY: the call looks up a number.
            let code = unsafe { RtlNtStatusToDosError(status) };
            return Err(Error::from_raw_os_error(code.cast_signed()));
        }
        let mut list: Vec<u8> = list.into_iter().flat_map(u64::to_ne_bytes).collect();
        list.truncate(told as usize);
        return Ok(list);
    }
    Err(ErrorKind::OutOfMemory.into())
}

/// CPU time that the calling thread has had, in nanoseconds; 0 if it is not known.
pub fn thread_cpu_ns() -> u64 {
    let mut times = [FILETIME::default(); 4];
    let [created, ended, kernel, user] = &mut times;
    // SAFETY: the handle is that of this thread, which needs no closing; the call fills four times.
    let answer = unsafe { GetThreadTimes(GetCurrentThread(), created, ended, kernel, user) };
    let [_, _, kernel, user] = times;
    if answer == 0 {
        0
    } else {
        nanos(kernel) + nanos(user)
    }
}

/// Keeps the calling thread on a processor, by its number over groups of 64.
///
/// # Errors
///
/// What the system said: there may be no such processor.
pub fn pin_thread(processor: u32) -> Result<()> {
    let affinity = GROUP_AFFINITY {
        Mask: 1 << (processor % GROUP),
        Group: u16::try_from(processor / GROUP).map_err(|_| ErrorKind::InvalidInput)?,
        ..GROUP_AFFINITY::default()
    };
    // SAFETY: the handle is that of this thread; the call reads the set of processors.
    let answer = unsafe {
        SetThreadGroupAffinity(
            GetCurrentThread(),
            &raw const affinity,
            std::ptr::null_mut(),
        )
    };
    (answer != 0).then_some(()).ok_or_else(Error::last_os_error)
}

/// The processor that the calling thread is on, numbered the same.
pub fn current_processor() -> u32 {
    let mut found = Default::default();
    // SAFETY: the call fills the number.
    unsafe { GetCurrentProcessorNumberEx(&raw mut found) };
    u32::from(found.Group) * GROUP + u32::from(found.Number)
}
