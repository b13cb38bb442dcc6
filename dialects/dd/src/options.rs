//! Every operand of GNU dd and every word that may stand in its lists, once: how far it is
//! honoured, and what it does.

use super::operands::{Given, Operands, Status};
use fathom_core::rows;
use fathom_core::spec::{Fill, SyncEvery};
use fathom_tools::coverage::OptionRow;

/// One row of the table.
pub(super) struct DdOption {
    pub(super) row: OptionRow,
    says: Says,
    /// What a word of a list does.
    pub(super) set: Option<Set>,
}

/// What a row is said by.
#[derive(Clone, Copy)]
enum Says {
    /// Several operands together, or none at all.
    Together,
    /// A file by which `if=` asks for bytes that are made.
    Made(&'static [&'static str], Fill),
    /// An operand, by any of these names.
    Operand(&'static [&'static str], Read),
    /// A word of `status=`.
    Status(&'static str, Status),
    /// Words of lists.
    Words(&'static [List], &'static [&'static str]),
}

/// Takes the value of an operand.
pub(super) type Read = fn(&mut Operands, &Given<'_>);

/// Does what a word in one of the lists asks for.
pub(super) type Set = fn(&mut Operands, List);

/// An operand that is a list of words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum List {
    Conv,
    Input,
    Output,
}

impl List {
    const ALL: [Self; 3] = [Self::Conv, Self::Input, Self::Output];

    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Conv => "conv",
            Self::Input => "iflag",
            Self::Output => "oflag",
        }
    }
}

const CONV: &[List] = &[List::Conv];
const INPUT: &[List] = &[List::Input];
const OUTPUT: &[List] = &[List::Output];
const BOTH: &[List] = &[List::Input, List::Output];

impl DdOption {
    const fn of(row: OptionRow) -> Self {
        Self {
            row,
            says: Says::Together,
            set: None,
        }
    }

    const fn kept(form: &'static str, meaning: &'static str) -> Self {
        Self::of(OptionRow::kept(form, meaning))
    }

    const fn near(form: &'static str, meaning: &'static str, remark: &'static str) -> Self {
        Self::of(OptionRow::near(form, meaning, remark))
    }

    const fn ignored(form: &'static str, meaning: &'static str, remark: &'static str) -> Self {
        Self::of(OptionRow::ignored(form, meaning, remark))
    }

    const fn refused(form: &'static str, meaning: &'static str, remark: &'static str) -> Self {
        Self::of(OptionRow::refused(form, meaning, remark))
    }

    const fn made(mut self, files: &'static [&'static str], fill: Fill) -> Self {
        self.says = Says::Made(files, fill);
        self
    }

    const fn operand(mut self, names: &'static [&'static str], read: Read) -> Self {
        self.says = Says::Operand(names, read);
        self
    }

    const fn status(mut self, word: &'static str, status: Status) -> Self {
        self.says = Says::Status(word, status);
        self
    }

    const fn words(mut self, lists: &'static [List], words: &'static [&'static str]) -> Self {
        self.says = Says::Words(lists, words);
        self
    }

    const fn does(mut self, set: Set) -> Self {
        self.set = Some(set);
        self
    }

    /// The words of this list that it is about.
    fn words_of(&self, list: List) -> &'static [&'static str] {
        match self.says {
            Says::Words(lists, words) if lists.contains(&list) => words,
            _ => &[],
        }
    }
}

pub(super) const RANDOM: OptionRow = OptionRow::near(
    "if=/dev/urandom, /dev/random",
    "write random bytes",
    "Fathom makes the random bytes itself, faster than the kernel does, so that they do not hold \
     the writes back",
);
pub(super) const NO_STORAGE: OptionRow = OptionRow::refused(
    "if=/dev/zero of=/dev/null",
    "nothing",
    "neither end is storage",
);

/// All of them; a row of `conv=`, `iflag=` and `oflag=` for each word.
pub(super) static OPTIONS: &[DdOption] = rows! { DdOption;
    kept("if=/dev/zero", "write zeros").made(&["/dev/zero"], Fill::Zero);
    of(RANDOM).made(&["/dev/urandom", "/dev/random"], Fill::Random);
    kept("if=FILE of=/dev/null", "read a file or device")
        .operand(&["if"], |to, given| to.input = Some(given.named()));
    refused("if=FILE of=FILE", "copy",
        "a copy measures two targets at once, and it is not clear which one");
    of(NO_STORAGE);
    refused("no if=, no of=", "standard input and output", "a pipe is not storage");
    kept("of=FILE", "write to a file or device")
        .operand(&["of"], |to, given| to.output = Some(given.named()));
    kept("bs=N", "bytes of a request, 512 without it")
        .operand(&["bs"], |to, given| to.block = given.size(&mut to.errors));
    kept("ibs=N", "bytes of a read; the unit of count= and skip=")
        .operand(&["ibs"], |to, given| to.input_block = given.size(&mut to.errors));
    kept("obs=N", "bytes of a write; the unit of seek=")
        .operand(&["obs"], |to, given| to.output_block = given.size(&mut to.errors));
    kept("count=N", "requests, or bytes where N ends in B")
        .operand(&["count"], |to, given| to.count.amount = given.amount(&mut to.errors));
    refused("count=0", "make the output, and move nothing",
        "what moves nothing takes no time; `truncate -s` makes a file of holes");
    near("no count=", "to the end",
        "with iflag=direct a part of 512 bytes at the end of the file is not read");
    kept("seek=N, oseek=N", "blocks of the output to leave out")
        .operand(&["seek", "oseek"], |to, given| to.seek.amount = given.amount(&mut to.errors));
    kept("skip=N, iseek=N", "blocks of the input to leave out")
        .operand(&["skip", "iseek"], |to, given| to.skip.amount = given.amount(&mut to.errors));
    kept("status=none", "no lines").status("none", Status::Nothing);
    kept("status=noxfer", "no last line").status("noxfer", Status::NoTransfer);
    near("status=progress", "how it goes, meanwhile", "in Fathom's words, once a second")
        .status("progress", Status::Progress);
    refused("cbs=N", "conversion block", "no bytes are converted")
        .operand(&["cbs"], |to, given| to.errors.push(given.is_for_conversions()));
    kept("conv=fdatasync", "flush the data at the end, inside the time").words(CONV, &["fdatasync"])
        .does(|to, _| _ = to.writing.durability.sync.get_or_insert(at_the_end(true)));
    kept("conv=fsync", "flush data and metadata at the end, inside the time")
        .words(CONV, &["fsync"]).does(|to, _| to.writing.durability.sync = Some(at_the_end(false)));
    kept("conv=notrunc", "write into the file as it is").words(CONV, &["notrunc"])
        .does(|to, _| to.writing.set_compat(|compat| compat.uncut = true));
    kept("conv=nocreat", "the file has to be there").words(CONV, &["nocreat"])
        .does(|to, _| to.has_to_be_there = true);
    kept("conv=excl", "the file must not be there").words(CONV, &["excl"])
        .does(|to, _| to.has_to_be_new = true);
    near("conv=noerror", "go on after errors",
        "Fathom goes on after every error, without it too, and ends with status 1")
        .words(CONV, &["noerror"]);
    kept("conv=sync", "fill up a short block at the end").words(CONV, &["sync"])
        .does(|to, _| to.fills_up = true);
    refused("conv=sparse", "leave zeros out",
        "zeros are not written at all then, so there is nothing to measure")
        .words(CONV, &["sparse"]);
    refused("conv=swab, lcase, ucase, ascii, ebcdic, ibm, block, unblock", "change the bytes",
        "no bytes are converted")
        .words(CONV, &["swab", "lcase", "ucase", "ascii", "ebcdic", "ibm", "block", "unblock"]);
    kept("oflag=direct, iflag=direct", "past the page cache (O_DIRECT)").words(BOTH, &["direct"])
        .does(|to, list| to.end(list).durability.direct = true);
    kept("oflag=dsync", "writes complete when their data is durable (O_DSYNC)")
        .words(OUTPUT, &["dsync"]).does(|to, _| to.writing.durability.write_through = true);
    near("oflag=sync", "writes complete when data and metadata are durable",
        "metadata that nobody needs to read the data back (times) may come later")
        .words(OUTPUT, &["sync"]).does(|to, _| to.writing.durability.write_through = true);
    kept("oflag=append", "write at the end of the file; without conv=notrunc it was emptied before")
        .words(OUTPUT, &["append"]).does(|to, _| to.appends = true);
    kept("oflag=seek_bytes", "seek= counts bytes").words(OUTPUT, &["seek_bytes"])
        .does(|to, _| to.seek.in_bytes = true);
    kept("iflag=count_bytes", "count= counts bytes").words(INPUT, &["count_bytes"])
        .does(|to, _| to.count.in_bytes = true);
    kept("iflag=skip_bytes", "skip= counts bytes").words(INPUT, &["skip_bytes"])
        .does(|to, _| to.skip.in_bytes = true);
    kept("iflag=fullblock", "no short reads, which these inputs do not have")
        .words(INPUT, &["fullblock"]);
    near("iflag=nocache", "drop pages that have been read",
        "they are dropped before the time begins").words(INPUT, &["nocache"])
        .does(|to, _| to.reading.cold = true);
    ignored("oflag=nocache", "drop pages that have been written",
        "pages that are dropped late do not change the time of the writes")
        .words(OUTPUT, &["nocache"]);
    ignored("iflag=dsync, sync", "synchronous reads", "every read is synchronous")
        .words(INPUT, &["dsync", "sync"]);
    ignored("iflag= or oflag=noatime, nonblock, noctty, nofollow", "how the file is opened",
        "it does not change what is measured")
        .words(BOTH, &["noatime", "nonblock", "noctty", "nofollow"]);
    ignored("iflag=append, seek_bytes", "flags that are about the other end",
        "GNU dd takes them and does nothing").words(INPUT, &["append", "seek_bytes"]);
    ignored("oflag=count_bytes, skip_bytes", "flags that are about the other end",
        "GNU dd takes them and does nothing").words(OUTPUT, &["count_bytes", "skip_bytes"]);
    refused("iflag= or oflag=directory", "a folder", "only files and block devices are measured")
        .words(BOTH, &["directory"]);
};

/// A flush behind the last write; how many these are, the count says.
const fn at_the_end(data_only: bool) -> SyncEvery {
    SyncEvery {
        writes: 1,
        data_only,
    }
}

/// The rows for the page.
pub(super) fn rows() -> Vec<OptionRow> {
    OPTIONS.iter().map(|option| option.row).collect()
}

/// The bytes that are made for a file of this name.
pub(super) fn made(file: &str) -> Option<Fill> {
    OPTIONS.iter().find_map(|option| match option.says {
        Says::Made(files, fill) if files.contains(&file) => Some(fill),
        _ => None,
    })
}

/// How an operand is read that is not a list of words.
pub(super) fn operand(name: &str) -> Option<Read> {
    OPTIONS.iter().find_map(|option| match option.says {
        Says::Operand(names, read) if names.contains(&name) => Some(read),
        _ => None,
    })
}

/// The operand that is a list of words.
pub(super) fn list(name: &str) -> Option<List> {
    List::ALL.into_iter().find(|list| list.name() == name)
}

/// The name of the operand that says how much is printed.
pub(super) const STATUS: &str = "status";

/// The names of all operands, for suggestions.
pub(super) fn names() -> Vec<&'static str> {
    let operands = OPTIONS.iter().flat_map(|option| match option.says {
        Says::Operand(names, _) => names,
        _ => &[],
    });
    let others = [STATUS].into_iter().chain(List::ALL.map(List::name));
    operands.copied().chain(others).collect()
}

/// The words of `status=`, and what each means.
pub(super) fn statuses() -> Vec<(&'static str, Status)> {
    let words = OPTIONS.iter().filter_map(|option| match option.says {
        Says::Status(word, status) => Some((word, status)),
        _ => None,
    });
    words.collect()
}

pub(super) fn row(list: List, word: &str) -> Option<&'static DdOption> {
    let mut options = OPTIONS.iter();
    options.find(|option| option.words_of(list).contains(&word))
}

/// The words that a list may hold, those first that both lists of flags have.
pub(super) fn words(list: List) -> Vec<&'static str> {
    let of = |list| OPTIONS.iter().flat_map(move |option| option.words_of(list));
    let other = match list {
        List::Conv => return of(list).copied().collect(),
        List::Input => List::Output,
        List::Output => List::Input,
    };
    let is_shared = |word: &&str| row(list, word).is_some() && row(other, word).is_some();
    let shared = of(List::Output).copied().filter(is_shared);
    let own = of(list).copied().filter(|word| !is_shared(word));
    shared.chain(own).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use fathom_tools::translation::Standing;

    /// Everything that a row reads, as it stands on a command line.
    fn said(option: &DdOption) -> Vec<String> {
        match option.says {
            Says::Together => Vec::new(),
            Says::Made(files, _) => files.iter().map(|file| format!("if={file}")).collect(),
            Says::Operand(names, _) => names.iter().map(|name| format!("{name}=")).collect(),
            Says::Status(word, _) => vec![format!("{STATUS}={word}")],
            Says::Words(lists, words) => lists
                .iter()
                .flat_map(|list| words.iter().map(|word| format!("{}={word}", list.name())))
                .collect(),
        }
    }

    #[test]
    fn everything_is_read_by_one_row_that_names_it() {
        let all: Vec<String> = OPTIONS.iter().flat_map(said).collect();
        let mut once = all.clone();
        once.sort();
        once.dedup();
        assert_eq!(once.len(), all.len(), "{all:?}");
        for option in OPTIONS {
            let form = option.row.form;
            let parts = |text: &str| -> Vec<String> {
                let parts = text.split(['=', ',', ' ']);
                parts
                    .filter(|part| !part.is_empty())
                    .map(str::to_owned)
                    .collect()
            };
            for one in said(option) {
                let named = parts(&one).iter().all(|part| parts(form).contains(part));
                assert!(named, "{one} is not in {form}");
            }
        }
    }

    #[test]
    fn what_is_refused_does_nothing_and_all_that_differs_has_a_reason() {
        for option in OPTIONS {
            let row = &option.row;
            assert!(
                row.standing != Standing::Refused || option.set.is_none(),
                "{}",
                row.form
            );
            assert_eq!(
                row.remark.is_empty(),
                row.standing == Standing::Kept,
                "{}",
                row.form
            );
        }
    }

    #[test]
    fn words_of_a_list_are_its_own() {
        let form = |list, word| row(list, word).map(|option| option.row.form);
        assert_eq!(form(List::Conv, "direct"), None);
        assert_eq!(form(List::Output, "sync"), Some("oflag=sync"));
        assert_eq!(form(List::Conv, "sync"), Some("conv=sync"));
        assert_eq!(form(List::Input, "sync"), Some("iflag=dsync, sync"));
        let flags = "direct dsync sync append seek_bytes nocache noatime nonblock noctty nofollow \
                     count_bytes skip_bytes directory";
        let expected = [(List::Input, " fullblock"), (List::Output, "")];
        for (list, own) in expected {
            assert_eq!(words(list).join(" "), format!("{flags}{own}"));
        }
    }
}
