//! The kernel's block events.

/// A script of the shell that can trace them: with the tracefs of the system, or else with one
/// that nobody outside the namespace of the script sees. It ends with 77 where there is none.
pub(crate) fn with_events(script: &str) -> String {
    format!(
        "[ -d /sys/kernel/tracing/events/block ] || mount -t tracefs none /sys/kernel/tracing || \
         exit 77\n{script}"
    )
}
