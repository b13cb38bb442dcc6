//! Whether the kernel lets us use an interface, asked by making one and using it for nothing.

use io_uring::{cqueue, squeue};
use std::io;

/// Requests that the ring of a probe holds.
const ENTRIES: u32 = 4;

const IO_URING_DISABLED: &str = "/proc/sys/kernel/io_uring_disabled";

/// Makes a small ring and sends nothing through it: a limit on locked memory or on open files
/// refuses the ring, and a sandbox may let a ring be made and refuse each call on it.
pub(crate) fn io_uring() -> Result<(), String> {
    let refused = |error: io::Error| match error.raw_os_error() {
        Some(libc::ENOMEM) => "refused within the limit on locked memory (ulimit -l)".to_owned(),
        errno => io_uring_refusal(errno.unwrap_or_default()),
    };
    let mut ring = io_uring::IoUring::new(ENTRIES).map_err(refused)?;
    let nothing = io_uring::opcode::Nop::new().build();
    // SAFETY: the request has neither a buffer nor a file that could be gone.
    let pushed = unsafe { ring.submission().push(&nothing) };
    pushed.map_err(|_| "refused: its queue takes nothing".to_owned())?;
    ring.submit_and_wait(1).map_err(refused)?;
    Ok(())
}

/// Makes a ring of the entries that a command takes, and sends nothing through it.
pub(crate) fn nvme() -> Result<(), String> {
    io_uring()?;
    let ring = io_uring::IoUring::<squeue::Entry128, cqueue::Entry32>::builder().build(ENTRIES);
    match ring.map_err(|error| error.raw_os_error()) {
        Ok(_) => Ok(()),
        Err(Some(libc::EINVAL)) => Err("not in this kernel (it came with Linux 5.19)".to_owned()),
        Err(errno) => Err(io_uring_refusal(errno.unwrap_or_default())),
    }
}

/// Asks for a context without events, which the kernel refuses as invalid if it has the
/// interface.
pub(crate) fn libaio() -> Result<(), String> {
    let mut context = 0_u64;
    let events = 0_u32;
    // SAFETY: the kernel reads and writes one word at `context`, which lives through the call.
    let answer = unsafe { libc::syscall(libc::SYS_io_setup, events, &raw mut context) };
    match errno_of(answer) {
        libc::EINVAL => Ok(()),
        libc::ENOSYS => Err("not in this kernel".into()),
        libc::EPERM => Err("refused by a sandbox (seccomp)".into()),
        errno => Err(format!("refused: {}", io::Error::from_raw_os_error(errno))),
    }
}

/// Why `io_uring` is refused, in words that follow "it is".
pub(crate) fn io_uring_refusal(errno: i32) -> String {
    #[expect(clippy::disallowed_methods, reason = "a file of the kernel's")]
    let value = std::fs::read_to_string(IO_URING_DISABLED).ok();
    refusal_in_words(errno, value.as_deref().map(str::trim))
}

fn refusal_in_words(errno: i32, disabled: Option<&str>) -> String {
    match (errno, disabled) {
        (libc::EPERM, Some("2")) => {
            format!("disabled by kernel.io_uring_disabled=2 ({IO_URING_DISABLED})")
        }
        (libc::EPERM, Some("1")) => format!(
            "disabled for users outside kernel.io_uring_group \
             by kernel.io_uring_disabled=1 ({IO_URING_DISABLED})"
        ),
        (libc::EPERM | libc::EACCES, _) => {
            "refused by a sandbox (seccomp, as in containers) or a security module".into()
        }
        (libc::ENOSYS, _) => "not in this kernel (it came with Linux 5.1)".into(),
        _ => format!("refused: {}", io::Error::from_raw_os_error(errno)),
    }
}

/// Whether a release such as `6.18.4-generic` is at least `major.minor`. No if it cannot be read.
pub(crate) fn kernel_at_least(release: &str, major: u32, minor: u32) -> bool {
    let mut numbers = release
        .split(|c: char| !c.is_ascii_digit())
        .map_while(|number| number.parse::<u32>().ok());
    match (numbers.next(), numbers.next()) {
        (Some(this_major), Some(this_minor)) => (this_major, this_minor) >= (major, minor),
        _ => false,
    }
}

fn errno_of(answer: libc::c_long) -> i32 {
    if answer < 0 {
        io::Error::last_os_error().raw_os_error().unwrap_or(0)
    } else {
        0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_refusal_names_its_reason() {
        let cases = [
            (
                libc::EPERM,
                Some("2"),
                "disabled by kernel.io_uring_disabled=2 (/proc/sys/kernel/io_uring_disabled)",
            ),
            (
                libc::EPERM,
                Some("1"),
                "disabled for users outside kernel.io_uring_group by \
                 kernel.io_uring_disabled=1 (/proc/sys/kernel/io_uring_disabled)",
            ),
            (
                libc::EPERM,
                Some("0"),
                "refused by a sandbox (seccomp, as in containers) or a security module",
            ),
            (
                libc::ENOSYS,
                None,
                "not in this kernel (it came with Linux 5.1)",
            ),
            (
                libc::EMFILE,
                None,
                "refused: Too many open files (os error 24)",
            ),
        ];
        for (errno, disabled, words) in cases {
            assert_eq!(refusal_in_words(errno, disabled), words);
        }
    }

    /// Refuses a system call of this thread, as a sandbox does.
    fn forbid(call: libc::c_long) {
        let statement = |code: u32, yes, no, k: u32| libc::sock_filter {
            code: code as u16,
            jt: yes,
            jf: no,
            k,
        };
        let (load, jump, answer) = (
            libc::BPF_LD | libc::BPF_W | libc::BPF_ABS,
            libc::BPF_JMP | libc::BPF_JEQ | libc::BPF_K,
            libc::BPF_RET | libc::BPF_K,
        );
        let mut program = [
            statement(load, 0, 0, 0),
            statement(jump, 0, 1, call as u32),
            statement(answer, 0, 0, libc::SECCOMP_RET_ERRNO | libc::EPERM as u32),
            statement(answer, 0, 0, libc::SECCOMP_RET_ALLOW),
        ];
        let program = libc::sock_fprog {
            len: program.len() as u16,
            filter: program.as_mut_ptr(),
        };
        // SAFETY: takes numbers only.
        let first = unsafe { libc::prctl(libc::PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) };
        let mode = libc::SECCOMP_MODE_FILTER;
        // SAFETY: the program lives through the call, which copies it.
        let second = unsafe { libc::prctl(libc::PR_SET_SECCOMP, mode, &raw const program) };
        assert_eq!((first, second), (0, 0));
    }

    #[test]
    fn a_ring_that_may_be_made_and_not_entered_is_no_ring() {
        if let Err(why) = io_uring() {
            fathom_testing::skip(format_args!("io_uring is {why}"));
            return;
        }
        for call in [libc::SYS_io_uring_enter, libc::SYS_io_uring_setup] {
            // A filter holds for its thread.
            let found = std::thread::spawn(move || {
                forbid(call);
                io_uring()
            });
            let words = "refused by a sandbox (seccomp, as in containers) or a security module";
            assert_eq!(found.join().expect("it ends"), Err(words.to_owned()));
        }
    }

    #[test]
    fn releases_are_compared_by_number() {
        let cases = [
            ("6.12.0", true),
            ("6.18.44-fc-v657", true),
            ("7.0-rc1", true),
            ("6.9.3", false),
            ("5.15.0-91-generic", false),
            ("unknown", false),
        ];
        for (release, expected) in cases {
            assert_eq!(kernel_at_least(release, 6, 12), expected, "{release}");
        }
    }
}
