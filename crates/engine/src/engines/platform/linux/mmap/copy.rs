//! A copy to or from a mapping that ends early where a page is not available, instead of ending the
//! program: the file became shorter, the storage failed, or there was no room for a page.
//!
//! The kernel says that by SIGBUS, at the instruction that touched the page. All copies are made
//! by one instruction, whose registers say at any time how far it is; the handler lets the thread
//! go on behind it.

use std::ptr::null_mut;
use std::sync::OnceLock;

std::arch::global_asm!(
    ".pushsection .text.fathom_mapping_copy, \"ax\", @progbits",
    ".globl fathom_mapping_copy",
    ".hidden fathom_mapping_copy",
    ".globl fathom_mapping_copy_moves",
    ".hidden fathom_mapping_copy_moves",
    ".globl fathom_mapping_copy_ends",
    ".hidden fathom_mapping_copy_ends",
    ".type fathom_mapping_copy, @function",
    "fathom_mapping_copy:",
    "mov rcx, rdx",
    "fathom_mapping_copy_moves:",
    "rep movsb",
    "fathom_mapping_copy_ends:",
    "mov rax, rcx",
    "ret",
    ".size fathom_mapping_copy, . - fathom_mapping_copy",
    ".popsection",
);

// SAFETY: the function above takes its arguments and gives its answer as the C convention has it,
// and changes no register that is to be kept; the other two are places in it.
unsafe extern "sysv64" {
    fn fathom_mapping_copy(to: *mut u8, from: *const u8, bytes: usize) -> usize;
    static fathom_mapping_copy_moves: u8;
    static fathom_mapping_copy_ends: u8;
}

/// Copies `bytes` bytes, or as many as there are pages for; how many.
///
/// # Safety
///
/// [`outlive_missing_pages`] was called. Each of both ranges is memory that this thread may read or
/// write, or lies in a shared mapping of a file that stays mapped through the call. What lies in
/// the mapping may be changed by others at the same time: the compiler knows nothing of the copy.
#[inline]
pub(super) unsafe fn copy(to: *mut u8, from: *const u8, bytes: usize) -> usize {
    // SAFETY: as the caller promises.
    let left = unsafe { fathom_mapping_copy(to, from, bytes) };
    bytes - left
}

/// What the program did about the signal before.
static BEFORE: OnceLock<libc::sigaction> = OnceLock::new();

/// Has copies end at a page that is not available, from now on. Everything else that the signal is
/// for goes on to whoever had it before.
///
/// # Errors
///
/// The system's, if it takes no handler.
pub(super) fn outlive_missing_pages() -> Result<(), rustix::io::Errno> {
    static INSTALLED: OnceLock<Result<(), rustix::io::Errno>> = OnceLock::new();
    *INSTALLED.get_or_init(|| {
        // SAFETY: all zero is a value of this struct of numbers and of no function.
        let mut before: libc::sigaction = unsafe { std::mem::zeroed() };
        // SAFETY: without a new action the kernel only tells the present one, into `before`.
        checked(unsafe { libc::sigaction(libc::SIGBUS, std::ptr::null(), &raw mut before) })?;
        // Known before the handler can run.
        BEFORE.get_or_init(|| before);
        // SAFETY: as above.
        let mut ours: libc::sigaction = unsafe { std::mem::zeroed() };
        ours.sa_sigaction = on_missing_page as *const () as usize;
        ours.sa_flags = libc::SA_SIGINFO | libc::SA_ONSTACK | libc::SA_RESTART;
        // SAFETY: the handler has the signature that `SA_SIGINFO` promises the kernel, and does
        // nothing that a handler must not do.
        checked(unsafe { libc::sigaction(libc::SIGBUS, &raw const ours, null_mut()) })
    })
}

fn checked(answer: libc::c_int) -> Result<(), rustix::io::Errno> {
    if answer == 0 {
        return Ok(());
    }
    let error = std::io::Error::last_os_error();
    let errno = error.raw_os_error().unwrap_or(libc::EINVAL);
    Err(rustix::io::Errno::from_raw_os_error(errno))
}

extern "C" fn on_missing_page(
    signal: libc::c_int,
    info: *mut libc::siginfo_t,
    context: *mut libc::c_void,
) {
    let (moves, ends) = (
        &raw const fathom_mapping_copy_moves as i64,
        &raw const fathom_mapping_copy_ends as i64,
    );
    // SAFETY: the kernel gives a handler of `SA_SIGINFO` this context for the time that it runs,
    // and nobody else has it.
    let stopped = unsafe { &mut *context.cast::<libc::ucontext_t>() };
    let at = &mut stopped.uc_mcontext.gregs[libc::REG_RIP as usize];
    // SAFETY: as the context.
    let code = unsafe { (*info).si_code };
    // Above zero it is the kernel's own word, and no other process's.
    if code > 0 && *at == moves {
        *at = ends;
        return;
    }
    // SAFETY: the handler's own arguments, handed on.
    unsafe { as_before(signal, info, context, code > 0) }
}

/// Does what was done about the signal before.
///
/// # Safety
///
/// The arguments are those of a handler that runs.
unsafe fn as_before(
    signal: libc::c_int,
    info: *mut libc::siginfo_t,
    context: *mut libc::c_void,
    is_fault: bool,
) {
    let before = BEFORE.get();
    match before.map(|before| (before.sa_sigaction, before.sa_flags & libc::SA_SIGINFO)) {
        // A fault that is ignored would be met again at once; the kernel does not do that either.
        Some((libc::SIG_IGN, _)) if !is_fault => {}
        Some((action, flags)) if action != libc::SIG_DFL && action != libc::SIG_IGN => {
            if flags == 0 {
                // SAFETY: an action that is a function, which takes the signal alone without that
                // flag.
                let handler: extern "C" fn(libc::c_int) = unsafe { std::mem::transmute(action) };
                handler(signal);
            } else {
                type Handler = extern "C" fn(libc::c_int, *mut libc::siginfo_t, *mut libc::c_void);
                // SAFETY: an action that is a function, which takes all three with that flag.
                let handler: Handler = unsafe { std::mem::transmute(action) };
                handler(signal, info, context);
            }
        }
        _ => {
            // SAFETY: it may be called in a handler, and installs none.
            unsafe { libc::signal(signal, libc::SIG_DFL) };
            // SAFETY: it may be called in a handler. The signal is blocked until this one ends, and
            // then ends the program.
            unsafe { libc::raise(signal) };
        }
    }
}
