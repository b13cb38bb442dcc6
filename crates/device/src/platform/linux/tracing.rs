//! Why the kernel's tracing is out of reach.

/// As words for a sentence, where nothing is found at its usual `place`.
pub(crate) fn no_tracing(place: &str) -> String {
    if fathom_platform::process::geteuid().is_root() {
        format!("no tracefs with block events is mounted at {place}")
    } else {
        "it is for root".to_owned()
    }
}
