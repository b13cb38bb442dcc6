//! Hosts without a file system in common, of which one is to read what the other has written.

use crate::executable::write_script;
use crate::privileged::is_root;
use crate::together::{StandIn, ior_in};

#[test]
fn a_host_that_does_not_see_what_another_has_written_is_named() {
    if !is_root("a mount") {
        return;
    }
    for (words, file) in [("-F -C", "file.00000000.0"), ("-C", "file")] {
        let place = StandIn::new();
        // One of the two hosts has a file system of its own there.
        let target = place.target();
        let apart = format!(
            "#!/bin/sh\nhost=$1; shift; [ $host = a2 ] || exec \"$@\"\n\
             exec unshare -m sh -c 'mount -t tmpfs none {} && exec \"$@\"' sh \"$@\"\n",
            target.display()
        );
        write_script(&place.ssh(), &apart);
        let (ended, place) = ior_in(place, &format!("{words} -w -r -t 4k -b 16k"));
        let line = format!(
            "a2 (rank 1) failed: {}/{file} contains nothing that rank 0 wrote: this host \
             does not see it: the hosts have no shared file system; use a file system shared by \
             all hosts, or omit --shift-reads (ior: -C)",
            target.display()
        );
        let said = ended.stderr.lines().find(|line| line.starts_with("a2 "));
        assert_eq!((ended.status, said), (Some(7), Some(&*line)), "{words}");
        drop(place);
    }
}
