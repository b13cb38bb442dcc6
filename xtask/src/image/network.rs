//! The start over a network, by iPXE: a script in the folder of kernel and initrd.

use super::OPTIONS;

/// Words that the line of the kernel ends with.
pub(super) const LAST: &str = OPTIONS;

/// What iPXE does: it looks for both files where it found the script.
pub(super) fn script(stem: &str) -> String {
    format!(
        "#!ipxe\n\
         # A job stands at the end of the next line, as\n\
         # fathom.job=quick fathom.target=serial:NUMBER fathom.deliver=ssh://host/folder/\n\
         kernel {stem}.vmlinuz initrd={stem}.initrd {LAST}\n\
         initrd {stem}.initrd\n\
         boot\n"
    )
}

/// The same with a job.
pub fn with_job(script: &str, words: &str) -> String {
    script.replace(&format!(" {LAST}\n"), &format!(" {LAST} {words}\n"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_job_stands_at_the_end_of_the_kernels_line() {
        let expected = "\
#!ipxe
# A job stands at the end of the next line, as
# fathom.job=quick fathom.target=serial:NUMBER fathom.deliver=ssh://host/folder/
kernel live.vmlinuz initrd=live.initrd quiet panic=30 console=ttyS0,115200 console=tty0 fathom.job=a
initrd live.initrd
boot
";
        assert_eq!(with_job(&script("live"), "fathom.job=a"), expected);
    }
}
