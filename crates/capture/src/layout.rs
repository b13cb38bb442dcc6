//! Where the fields of an event lie, by the `format` file that the kernel has for each event.
//!
//! The offsets differ between events and between kernels, so none of them is assumed.

use crate::event::{Event, EventKind};
use crate::flags::Flags;

/// Bytes of a thread's name in events.
const COMM_BYTES: usize = 16;

/// Offset and length of a field in the bytes of an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Field {
    at: usize,
    size: usize,
}

impl Field {
    fn bytes(self, event: &[u8]) -> Option<&[u8]> {
        event.get(self.at..self.at.checked_add(self.size)?)
    }

    /// Its number, in the byte order of the machine that recorded.
    fn number(self, event: &[u8]) -> Option<u64> {
        let bytes = self.bytes(event)?;
        Some(match bytes.len() {
            1 => u64::from(*bytes.first()?),
            2 => u64::from(u16::from_ne_bytes(bytes.try_into().ok()?)),
            4 => u64::from(u32::from_ne_bytes(bytes.try_into().ok()?)),
            8 => u64::from_ne_bytes(bytes.try_into().ok()?),
            _ => return None,
        })
    }
}

/// The layout of one kind of event.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layout {
    id: u16,
    kind: EventKind,
    task: Field,
    device: Field,
    sector: Field,
    sectors: Field,
    flags: Field,
    /// Device and sector before; none of events that do not remap.
    from: Option<(Field, Field)>,
    /// None of events that do not name their thread.
    comm: Option<Field>,
    /// None of kernels that do not report it.
    error: Option<Field>,
}

impl Layout {
    /// Reads the `format` file of an event.
    ///
    /// # Errors
    ///
    /// What the file lacks, as the end of a sentence.
    pub fn parse(kind: EventKind, format: &str) -> Result<Self, String> {
        let mut id = None;
        let mut fields: Vec<(&str, Field)> = Vec::new();
        for line in format.lines().map(str::trim) {
            if let Some(number) = line.strip_prefix("ID:") {
                id = number.trim().parse().ok();
            } else if let Some(field) = line.strip_prefix("field:").and_then(field) {
                fields.push(field);
            }
        }
        let find = |name: &str| {
            let found = fields.iter().find(|(known, _)| *known == name);
            found.map(|(_, field)| *field)
        };
        let need = |name: &str| {
            let event = kind.event_name();
            find(name).ok_or_else(|| format!("the event {event} has no field {name}"))
        };
        Ok(Self {
            id: id.ok_or_else(|| format!("the event {} has no number", kind.event_name()))?,
            kind,
            task: need("common_pid")?,
            device: need("dev")?,
            sector: need("sector")?,
            sectors: need("nr_sector")?,
            flags: need("rwbs")?,
            from: match kind {
                EventKind::Remapped => Some((need("old_dev")?, need("old_sector")?)),
                _ => None,
            },
            comm: find("comm").filter(|field| field.size == COMM_BYTES),
            error: find("error"),
        })
    }

    /// Reads an event; none where it is shorter than its layout.
    fn read(&self, at_ns: u64, event: &[u8]) -> Option<Event> {
        let comm = self.comm.and_then(|field| field.bytes(event));
        let error = self.error.and_then(|field| field.number(event));
        let mut flags = Flags::of_letters(self.flags.bytes(event)?);
        if error.is_some_and(|error| error != 0) {
            flags |= Flags::FAILED;
        }
        Some(Event {
            at_ns,
            kind: self.kind,
            device: u32::try_from(self.device.number(event)?).ok()?,
            sector: self.sector.number(event)?,
            from: match self.from {
                None => None,
                Some((device, sector)) => {
                    let device = u32::try_from(device.number(event)?).ok()?;
                    Some((device, sector.number(event)?))
                }
            },
            sectors: u32::try_from(self.sectors.number(event)?).ok()?,
            flags,
            task: self.task.number(event)? as i32,
            comm: comm
                .and_then(|comm| comm.try_into().ok())
                .unwrap_or_default(),
        })
    }
}

/// Name, offset and length of a field, from what follows `field:`.
fn field(line: &str) -> Option<(&str, Field)> {
    let mut parts = line.split(';').map(str::trim);
    // `char rwbs[10]`, `dev_t dev`, `__data_loc char[] cmd`.
    let name = parts.next()?.rsplit(' ').next()?;
    let name = name.split('[').next()?;
    let (mut at, mut size) = (None, None);
    for part in parts {
        match part.split_once(':') {
            Some(("offset", number)) => at = number.trim().parse().ok(),
            Some(("size", number)) => size = number.trim().parse().ok(),
            _ => {}
        }
    }
    Some((
        name,
        Field {
            at: at?,
            size: size?,
        },
    ))
}

/// The layouts of all events that are recorded.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Layouts(pub Vec<Layout>);

impl Layouts {
    /// Reads an event by the layout of its number; none of an event of another number.
    pub(crate) fn read(&self, at_ns: u64, event: &[u8]) -> Option<Event> {
        let id = u16::from_ne_bytes(*event.first_chunk()?);
        let layout = self.0.iter().find(|layout| layout.id == id)?;
        layout.read(at_ns, event)
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// `block_rq_issue` of Linux 6.18.
    pub(crate) const ISSUE: &str = "\
name: block_rq_issue
ID: 1194
format:
\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;
\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;
\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;\tsigned:0;
\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;

\tfield:dev_t dev;\toffset:8;\tsize:4;\tsigned:0;
\tfield:sector_t sector;\toffset:16;\tsize:8;\tsigned:0;
\tfield:unsigned int nr_sector;\toffset:24;\tsize:4;\tsigned:0;
\tfield:unsigned int bytes;\toffset:28;\tsize:4;\tsigned:0;
\tfield:unsigned short ioprio;\toffset:32;\tsize:2;\tsigned:0;
\tfield:char rwbs[10];\toffset:34;\tsize:10;\tsigned:0;
\tfield:char comm[16];\toffset:44;\tsize:16;\tsigned:0;
\tfield:__data_loc char[] cmd;\toffset:60;\tsize:4;\tsigned:0;

print fmt: \"%d,%d %s %u (%s) %llu + %u %s,%u,%u [%s]\", REC->dev
";

    /// A completion as an older kernel with other widths might have it: the letters come first.
    const OTHER: &str = "\
name: block_rq_complete
ID: 7
format:
\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;
\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;
\tfield:char rwbs[8];\toffset:8;\tsize:8;\tsigned:0;
\tfield:unsigned long nr_sector;\toffset:16;\tsize:8;\tsigned:0;
\tfield:int error;\toffset:24;\tsize:4;\tsigned:1;
\tfield:dev_t dev;\toffset:28;\tsize:4;\tsigned:0;
\tfield:sector_t sector;\toffset:32;\tsize:8;\tsigned:0;
";

    fn put(event: &mut Vec<u8>, at: usize, bytes: &[u8]) {
        event.resize(event.len().max(at + bytes.len()), 0);
        event[at..at + bytes.len()].copy_from_slice(bytes);
    }

    /// The bytes of an issue in the layout above.
    pub(crate) fn issue(sector: u64, sectors: u32, letters: &[u8]) -> Vec<u8> {
        let mut event = Vec::new();
        put(&mut event, 0, &1194_u16.to_ne_bytes());
        put(&mut event, 4, &4711_i32.to_ne_bytes());
        put(&mut event, 8, &(254_u32 << 20).to_ne_bytes());
        put(&mut event, 16, &sector.to_ne_bytes());
        put(&mut event, 24, &sectors.to_ne_bytes());
        put(&mut event, 34, letters);
        put(&mut event, 44, b"postgres\0\0\0\0\0\0\0\0");
        put(&mut event, 60, &[0; 4]);
        event
    }

    #[test]
    fn events_are_read_by_the_layout_of_their_kernel() {
        let issued = Layout::parse(EventKind::Issued, ISSUE).expect("a layout");
        let other = Layout::parse(EventKind::Completed, OTHER).expect("a layout");
        let layouts = Layouts(vec![issued, other]);
        let mut completed = Vec::new();
        put(&mut completed, 0, &7_u16.to_ne_bytes());
        put(&mut completed, 4, &0_i32.to_ne_bytes());
        put(&mut completed, 8, b"WS");
        put(&mut completed, 16, &16_u64.to_ne_bytes());
        put(&mut completed, 24, &(-5_i32).to_ne_bytes());
        put(&mut completed, 28, &(8_u32 << 20 | 16).to_ne_bytes());
        put(&mut completed, 32, &2048_u64.to_ne_bytes());
        let first = Event {
            at_ns: 5,
            kind: EventKind::Issued,
            device: 254 << 20,
            sector: 64,
            from: None,
            sectors: 8,
            flags: Flags::READ | Flags::AHEAD,
            task: 4711,
            comm: *b"postgres\0\0\0\0\0\0\0\0",
        };
        let second = Event {
            at_ns: 6,
            kind: EventKind::Completed,
            device: 8 << 20 | 16,
            sector: 2048,
            from: None,
            sectors: 16,
            flags: Flags::WRITE | Flags::SYNC | Flags::FAILED,
            task: 0,
            comm: [0; 16],
        };
        assert_eq!(layouts.read(5, &issue(64, 8, b"RA")), Some(first));
        assert_eq!(layouts.read(6, &completed), Some(second));
        // Cut, of another number, empty.
        assert_eq!(layouts.read(6, &completed[..30]), None);
        assert_eq!(layouts.read(6, &[9, 9, 0, 0]), None);
        assert_eq!(layouts.read(6, &[]), None);
    }

    #[test]
    fn a_layout_without_a_needed_field_is_refused() {
        let found = Layout::parse(EventKind::Issued, &ISSUE.replace("dev_t dev", "dev_t disk"));
        let expected = "the event block_rq_issue has no field dev";
        assert_eq!(found, Err(expected.to_owned()));
        let found = Layout::parse(EventKind::Issued, "");
        let expected = "the event block_rq_issue has no number";
        assert_eq!(found, Err(expected.to_owned()));
    }
}
