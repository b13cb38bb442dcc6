//! Options of engines of fio.

use crate::command::Cli;

/// That no processor has this number is found out by the kernel, which has been asked.
#[test]
fn the_thread_of_the_kernel_is_asked_for() {
    let words = "fio --name=a --filename=f --size=64k --ioengine=io_uring --sqthread_poll=1 \
                 --sqthread_poll_cpu=4095 --quiet";
    let (ended, _) = Cli::line(words).end();
    let refusal = "error: io_uring is not available: the kernel does not take this queue depth \
                   (32768 at most) or these polling options\n  try:     --engine libaio\n";
    assert_eq!((ended.status, ended.stderr.as_str()), (Some(4), refusal));
}
