//! Whether the kernel lets us use an interface, asked by one system call that makes nothing.

use std::io;

const IO_URING_DISABLED: &str = "/proc/sys/kernel/io_uring_disabled";

/// Needs nothing of the kernel that could be missing.
#[expect(clippy::unnecessary_wraps, reason = "one signature for all probes")]
pub(crate) fn always() -> Result<(), String> {
    Ok(())
}

/// Asks for a ring without entries: the kernel looks at permission first, and answers "invalid
/// argument" to those that have it.
pub(crate) fn io_uring() -> Result<(), String> {
    // `struct io_uring_params`, all zero.
    let mut parameters = [0_u32; 30];
    let entries = 0_u32;
    // SAFETY: the structure has the size that the kernel reads and writes, and lives through
    // the call.
    let answer =
        unsafe { libc::syscall(libc::SYS_io_uring_setup, entries, parameters.as_mut_ptr()) };
    match errno_of(answer) {
        libc::EINVAL => Ok(()),
        errno => Err(io_uring_refusal(errno)),
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
