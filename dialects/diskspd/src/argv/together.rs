//! What contradicts what between words that are fine by themselves.

use super::{Fault, Reader};

impl Reader<'_> {
    /// What contradicts what between words, each of which is fine.
    pub(super) fn together(&mut self) {
        if self.has("-rd") && self.target.order.random_percent == 0 {
            let index = self.seen["-rd"];
            self.keep(
                index,
                Err(Fault::new(
                    "a distribution needs random requests",
                    "add `-r` or `-rs`",
                )),
            );
        }
        if self.has("-B:") && self.has("-f") {
            let index = self.seen["-f"];
            self.keep(
                index,
                Err(Fault::new(
                    "the end of the used part is given twice",
                    "leave the length after `-B` or `-f` out",
                )),
            );
        }
        if self.paths.is_empty() && self.file.is_none() {
            let end = self.source.text.len();
            self.faults.push(self.source.error(
                end..end,
                "no target is named",
                "name a file or a device last, as in /mnt/test/io.dat; `-?` lists the options",
            ));
        }
        if self.file.is_none() && !self.profile.print_only {
            self.refuse_templates();
        }
    }

    fn refuse_templates(&mut self) {
        let first = self.argv.len() - self.paths.len();
        for (number, path) in self.paths.clone().iter().enumerate() {
            if path.starts_with('*') {
                let fault = Fault::new(
                    format!("`{path}` needs a target given with the profile"),
                    "name the target; `-Rp` shows a profile with such places",
                );
                self.keep(first + number, Err(fault));
            }
        }
    }
}
