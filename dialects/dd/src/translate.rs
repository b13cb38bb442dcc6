//! From dd's operands to a workload of one job.

use super::operands::{Amount, Counted, Named, Operands, Status};
use super::options;
use fathom_core::EngineKind;
use fathom_core::op::Op;
use fathom_core::spec::{Fill, Job, Walk};
use fathom_core::units::Bytes;
use fathom_tools::diagnostic::Diagnostic;
use fathom_tools::dialects::Surroundings;
use fathom_tools::faults::Faults;
use fathom_tools::plain_job::{in_order, phase, workload};
use fathom_tools::translation::{Note, RunWishes, Standing, Translation};
use fathom_tools::words::{CommandWords, calls};
use fathom_tools::writers::is_device_path;
use std::path::Path;

/// dd's block without `bs=`.
const BLOCK_BYTES: u64 = 512;
/// Bytes of which requests past the page cache are multiples.
const DIRECT_BYTES: u64 = 512;
/// Largest request.
const MOST_BYTES: u64 = 1 << 30;

/// Translates a whole command line.
///
/// # Errors
///
/// Everything that is wrong with it.
pub fn translate(
    text: &str,
    file: &str,
    surroundings: &dyn Surroundings,
) -> Result<Translation, Vec<Diagnostic>> {
    let words = CommandWords::split(text, file).map_err(|error| vec![*error])?;
    read(&words, surroundings).map(|(translation, _)| translation)
}

/// How sure it is that a text is a command line of dd.
pub fn detect(_: &str, text: &str) -> u8 {
    calls(text, &["dd"])
}

/// Translates the words after the program's name; also what dd is to say.
///
/// # Errors
///
/// Everything that is wrong with them.
pub fn translate_argv(
    argv: &[String],
    surroundings: &dyn Surroundings,
) -> Result<(Translation, Status), Vec<Diagnostic>> {
    read(&CommandWords::of("dd", argv), surroundings)
}

fn read(
    words: &CommandWords,
    surroundings: &dyn Surroundings,
) -> Result<(Translation, Status), Vec<Diagnostic>> {
    let operands = Operands::read(words);
    let mut translator = Translator {
        words,
        surroundings,
        errors: operands.errors.clone(),
        notes: operands.notes.clone(),
        operands: &operands,
    };
    let job = translator.job();
    let (Some(job), true) = (job, translator.errors.is_empty()) else {
        return Err(translator.errors.into_vec());
    };
    let line: Vec<&str> = words.list.iter().map(|word| word.text.as_str()).collect();
    let name = if job.destroys() { "write" } else { "read" };
    let source = format!("dd {}", line.join(" "));
    let translation = Translation {
        workload: workload("dd", source, vec![phase(name, vec![job])]),
        notes: translator.notes,
        wishes: RunWishes {
            engine: Some(EngineKind::Psync),
            keep_files: true,
            ..RunWishes::default()
        },
    };
    Ok((translation, operands.status))
}

/// Whether the words append to an output that they also empty.
pub(super) fn appends_to_nothing(argv: &[String]) -> bool {
    let operands = Operands::read(&CommandWords::of("dd", argv));
    operands.appends && !operands.writing.compat().uncut
}

/// What the records of a copy are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Records {
    /// Bytes of a block that is read.
    pub(super) read: u64,
    /// Bytes of one that is written.
    pub(super) written: u64,
    /// A block that was not read whole is filled up.
    pub(super) fills_up: bool,
    /// Bytes asked for, if they are counted.
    pub(super) asked: Option<u64>,
}

/// The records of the command line of a workload.
pub(super) fn records(source: &str) -> Option<Records> {
    let words = CommandWords::split(source, "dd")
        .ok()
        .filter(|_| source.starts_with("dd "))?;
    let operands = Operands::read(&words);
    let of = |own: &Option<Amount>| {
        let amount = operands.block.as_ref().or(own.as_ref());
        amount.map_or(BLOCK_BYTES, |amount| amount.value)
    };
    let read = of(&operands.input_block);
    let count = operands.count.meant().and_then(|count| count.bytes(read));
    let records = Records {
        read,
        written: of(&operands.output_block),
        fills_up: operands.fills_up,
        asked: count,
    };
    operands.errors.is_empty().then_some(records)
}

struct Translator<'a> {
    words: &'a CommandWords,
    surroundings: &'a dyn Surroundings,
    operands: &'a Operands,
    errors: Faults,
    notes: Vec<Note>,
}

impl Translator<'_> {
    fn job(&mut self) -> Option<Job> {
        let operands = self.operands;
        let input = self.end(
            operands.input.as_ref(),
            "if",
            "a pipe as input is not storage",
        );
        let output = self.end(
            operands.output.as_ref(),
            "of",
            "a pipe as output is not storage",
        );
        let (input, output) = (input?, output?);
        match (options::made(&input.path), output.path == "/dev/null") {
            (None, true) if operands.has_to_be_new || operands.writing.durability.direct => {
                let message = format!("dd cannot open `{}` so", output.path);
                self.error(output, &message, "leave conv=excl and oflag=direct out");
                None
            }
            (None, true) => self.reader(input),
            (Some(_), false) if operands.reading.durability.direct => {
                let message = format!("`{}` cannot be read past the page cache", input.path);
                self.error(input, &message, "leave iflag=direct out");
                None
            }
            (None, false) => {
                self.error(
                    &input.clone(),
                    "a copy measures two targets at once",
                    "measure one after the other: if=FILE of=/dev/null, and if=/dev/zero of=FILE",
                );
                None
            }
            (_, true) => {
                self.error(
                    &output.clone(),
                    options::NO_STORAGE.remark,
                    "name a file as of=",
                );
                None
            }
            (Some(fill), false) => self.writer(fill, output),
        }
    }

    fn end<'n>(&mut self, named: Option<&'n Named>, name: &str, why: &str) -> Option<&'n Named> {
        match named {
            Some(named) if !named.path.is_empty() => return Some(named),
            Some(named) => self.error(named, "the file has no name", "as in of=/data/test"),
            None => {
                // A wrong word may have been meant to be it.
                if self.operands.errors.is_empty() {
                    let message = format!("`{name}=` is missing: {why}");
                    let remedy = "as in if=/dev/zero of=FILE bs=1M count=1024 conv=fdatasync";
                    let end = self.words.end();
                    self.errors
                        .push(self.words.error(end, message, None, remedy));
                }
            }
        }
        None
    }

    fn writer(&mut self, fill: Fill, output: &Named) -> Option<Job> {
        let operands = self.operands;
        let input_block = self.block(operands.input_block.as_ref())?;
        let block = self.block(operands.output_block.as_ref())?;
        let there = self.surroundings.size_bytes(Path::new(&output.path));
        let offset = match there {
            // A file that was emptied before still begins at the seek position.
            end if self.grows(output) => end.unwrap_or(0),
            _ => self.offset(&operands.seek, block)?,
        };
        self.check_presence(output, there);
        let total = match operands.count.meant() {
            Some(count) => self.bytes(&count, input_block)?,
            None => self.rest_of_device(output, there, offset, block)?,
        };
        let total = if operands.fills_up {
            total.checked_next_multiple_of(input_block).unwrap_or(total)
        } else {
            total
        };
        if total == 0 {
            let place = self.count_place();
            let message = "no byte is to be written, which takes no time";
            let remedy = "a count= of at least 1";
            self.errors
                .push(self.words.error(place, message, None, remedy));
            return None;
        }
        // A block that is not whole is the last one.
        let block = block.min(total);
        let blocks = total.div_ceil(block);
        let Ok(writes) = u32::try_from(blocks) else {
            let remedy = "a larger bs= with a smaller count=";
            let message = format!("{blocks} requests are more than one run makes");
            let error = self.words.error(self.count_place(), message, None, remedy);
            self.errors.push(error);
            return None;
        };
        let mut job = operands.writing.clone();
        job.targets = vec![path_of(output)];
        job.offset = Bytes(offset);
        job.size = offset.checked_add(total).map(Bytes);
        job.stop.ios = Some(blocks);
        job.kinds = vec![in_order(Op::Write, Bytes(block))];
        job.access.walk = walk(total, block);
        if let Some(sync) = &mut job.durability.sync {
            sync.writes = writes;
        }
        self.check_direct(job.durability.direct, block, offset, total);
        if fill == Fill::Random {
            let row = options::RANDOM;
            let what = operands.input.as_ref().map_or("", |input| &input.path);
            let what = format!("if={what}");
            self.notes.push(Note::new(row.standing, what, row.remark));
        } else {
            job.data.fill = fill;
        }
        Some(job)
    }

    fn reader(&mut self, input: &Named) -> Option<Job> {
        let operands = self.operands;
        let block = self.block(operands.input_block.as_ref())?;
        let offset = self.offset(&operands.skip, block)?;
        let here = self.surroundings.size_bytes(Path::new(&input.path));
        // Of a file somewhere else as much is read as is asked for.
        let elsewhere = self.surroundings.is_elsewhere() && operands.count.amount.is_some();
        let Some(size) = here.or(elsewhere.then_some(u64::MAX)) else {
            let message = format!("there is no file or device `{}`", input.path);
            let remedy = if self.surroundings.is_elsewhere() {
                "count=, or --assume-size with its size"
            } else {
                "name one that is there"
            };
            self.error(input, &message, remedy);
            return None;
        };
        let left = size.saturating_sub(offset);
        let wanted = match operands.count.meant() {
            Some(count) => self.bytes(&count, block)?,
            None => left,
        };
        let mut total = wanted.min(left);
        if total == 0 {
            let message = "there is no byte to read, which takes no time";
            self.error(
                input,
                message,
                "a larger file, a smaller skip=, or a count= of at least 1",
            );
            return None;
        }
        let block = block.min(total);
        let rest = total % DIRECT_BYTES;
        if operands.reading.durability.direct && rest > 0 && total > rest {
            total -= total % block;
            let message = format!(
                "the last {} bytes, a part of a block, are not read past the page cache",
                wanted.min(left) - total
            );
            self.notes
                .push(Note::new(Standing::Approximated, "iflag=direct", message));
        }
        let blocks = total.div_ceil(block);
        let mut job = operands.reading.clone();
        job.targets = vec![path_of(input)];
        job.offset = Bytes(offset);
        job.window = Some(Bytes(total));
        job.stop.ios = Some(blocks);
        job.kinds = vec![in_order(Op::Read, Bytes(block))];
        job.access.walk = walk(total, block);
        self.check_direct(job.durability.direct, block, offset, total);
        Some(job)
    }

    /// The size of a request: `bs=` beats the one of its direction.
    fn block(&mut self, own: Option<&Amount>) -> Option<u64> {
        let Some(amount) = self.operands.block.as_ref().or(own) else {
            return Some(BLOCK_BYTES);
        };
        if amount.value > MOST_BYTES {
            let message = format!("a request of {} bytes is not possible", amount.value);
            let place = amount.place.clone();
            let error = self.words.error(
                place,
                message,
                None,
                "choose 1G or less, and a larger count=",
            );
            self.errors.push(error);
            return None;
        }
        Some(amount.value)
    }

    fn offset(&mut self, left_out: &Counted, block: u64) -> Option<u64> {
        match left_out.meant() {
            Some(amount) => self.bytes(&amount, block),
            None => Some(0),
        }
    }

    fn bytes(&mut self, amount: &Amount, block: u64) -> Option<u64> {
        let bytes = amount.bytes(block);
        if bytes.is_none() {
            let message = format!(
                "{} blocks of {block} are more than any file has",
                amount.value
            );
            let place = amount.place.clone();
            self.errors
                .push(self.words.error(place, message, None, "choose less"));
        }
        bytes
    }

    /// Whether writes go behind what the output holds. A device has nothing behind its end.
    fn grows(&self, output: &Named) -> bool {
        let Operands {
            appends, writing, ..
        } = self.operands;
        *appends && writing.compat().uncut && !is_device_path(&output.path)
    }

    /// Without `count=` dd writes until there is no room: on a device, to its end.
    fn rest_of_device(
        &mut self,
        output: &Named,
        there: Option<u64>,
        offset: u64,
        block: u64,
    ) -> Option<u64> {
        let size = there.filter(|_| is_device_path(&output.path));
        if let Some(size) = size {
            let left = size.saturating_sub(offset);
            return Some(left / block * block);
        }
        if !self.operands.errors.is_empty() {
            // A wrong word may have been meant to be it.
            return None;
        }
        let message = "`count=` is missing: dd would write until the file system is full";
        let end = self.words.end();
        let error = self
            .words
            .error(end, message, None, "say how much, as in bs=1M count=1024");
        self.errors.push(error);
        None
    }

    fn check_presence(&mut self, output: &Named, there: Option<u64>) {
        if self.operands.has_to_be_new && there.is_some() {
            let message = format!("`{}` is there, and conv=excl forbids that", output.path);
            self.error(output, &message, "another name");
        } else if self.operands.has_to_be_there && there.is_none() {
            let message = format!(
                "`{}` is not there, and conv=nocreat forbids to make it",
                output.path
            );
            self.error(output, &message, "leave conv=nocreat out");
        }
    }

    fn check_direct(&mut self, direct: bool, block: u64, offset: u64, total: u64) {
        let odd = |bytes: u64| !bytes.is_multiple_of(DIRECT_BYTES);
        if !direct || !(odd(block) || odd(offset) || odd(total)) {
            return;
        }
        let is_last = !odd(block) && !odd(offset);
        let block = if is_last { total % block } else { block };
        let place = self
            .operands
            .block
            .as_ref()
            .map_or_else(|| self.words.end(), |amount| amount.place.clone());
        let message = format!("direct I/O cannot move {block} bytes at offset {offset}");
        let remedy = "multiples of 512 bytes, or leave `direct` out";
        self.errors
            .push(self.words.error(place, message, None, remedy));
    }

    fn count_place(&self) -> std::ops::Range<usize> {
        let count = self.operands.count.amount.as_ref();
        count.map_or_else(|| self.words.end(), |count| count.place.clone())
    }

    fn error(&mut self, named: &Named, message: &str, remedy: &str) {
        let place = named.place.clone();
        self.errors
            .push(self.words.error(place, message, None, remedy));
    }
}

/// Whether the last request is a shorter one.
fn walk(total: u64, block: u64) -> Walk {
    if total.is_multiple_of(block) {
        Walk::Free
    } else {
        Walk::ToTheEnd
    }
}

/// As the workload names it: a role begins with `@`, a file of dd's never is one.
fn path_of(named: &Named) -> String {
    if named.path.starts_with('@') {
        format!("./{}", named.path)
    } else {
        named.path.clone()
    }
}
