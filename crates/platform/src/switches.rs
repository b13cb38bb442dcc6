//! Context switches of a process on Windows: in the list of processes and threads that the system
//! gives, with what it names of an entry in `winternl.h`. The offsets are those of 64 bits.

/// Of a process: how far the next one is, how many threads it has, and its number.
const NEXT: usize = 0;
const THREADS: usize = 4;
const PROCESS: usize = 80;
/// Bytes before the first thread, and of a thread.
const HEAD: usize = 256;
const THREAD: usize = 80;
/// Where a thread has its number and its count.
const ID: usize = 48;
const SWITCHES: usize = 64;

/// The switches of all threads that a process has now; none if it is not in the list. The count of
/// a thread has 32 bits.
pub(crate) fn of_process(list: &[u8], process: u32) -> Option<u64> {
    let mut threads = threads(list, process)?;
    threads.try_fold(0, |sum, thread| Some(sum + switches(thread?)?))
}

/// Those of one of its threads.
pub(crate) fn of_thread(list: &[u8], process: u32, thread: u32) -> Option<u64> {
    let is_it = |one: &&[u8]| u64_at(one, ID) == Some(thread.into());
    threads(list, process)?
        .flatten()
        .find(is_it)
        .and_then(switches)
}

fn switches(thread: &[u8]) -> Option<u64> {
    u32_at(thread, SWITCHES).map(u64::from)
}

/// The threads of a process; of each none where the list is cut.
fn threads(list: &[u8], process: u32) -> Option<impl Iterator<Item = Option<&[u8]>>> {
    let mut entry = list;
    loop {
        if u64_at(entry, PROCESS)? == u64::from(process) {
            let count = u32_at(entry, THREADS)? as usize;
            return Some((0..count).map(move |thread| entry.get(HEAD + thread * THREAD..)));
        }
        match u32_at(entry, NEXT)? as usize {
            0 => return None,
            next => entry = entry.get(next..)?,
        }
    }
}

fn u32_at(bytes: &[u8], at: usize) -> Option<u32> {
    let bytes = bytes.get(at..at + 4)?;
    bytes.try_into().ok().map(u32::from_le_bytes)
}

fn u64_at(bytes: &[u8], at: usize) -> Option<u64> {
    Some(u64::from(u32_at(bytes, at + 4)?) << 32 | u64::from(u32_at(bytes, at)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A process with its threads, behind which the next one follows.
    fn entry(process: u32, threads: &[u32], is_last: bool) -> Vec<u8> {
        let mut bytes = vec![0; HEAD + threads.len() * THREAD];
        let next = if is_last { 0 } else { bytes.len() as u32 };
        let mut put = |at: usize, number: u32| {
            bytes[at..at + 4].copy_from_slice(&number.to_le_bytes());
        };
        put(NEXT, next);
        put(THREADS, threads.len() as u32);
        put(PROCESS, process);
        for (thread, switches) in threads.iter().enumerate() {
            put(HEAD + thread * THREAD + ID, process + 1 + thread as u32);
            put(HEAD + thread * THREAD + SWITCHES, *switches);
        }
        bytes
    }

    #[test]
    fn the_switches_of_all_threads_are_added() {
        let list = [
            entry(4, &[9, 9], false),
            entry(100, &[7, u32::MAX, 0], false),
            entry(200, &[1], true),
        ]
        .concat();
        let of = |process| of_process(&list, process);
        let found = [4, 100, 200, 300].map(of);
        assert_eq!(found, [Some(18), Some(6 + (1 << 32)), Some(1), None]);
        let one = |process, thread| of_thread(&list, process, thread);
        let found = [(4, 6), (100, 101), (100, 102), (100, 104), (300, 301)];
        let found = found.map(|(process, thread)| one(process, thread));
        let most = Some(u32::MAX.into());
        assert_eq!(found, [Some(9), Some(7), most, None, None]);
        assert_eq!(of_process(&list[..list.len() - 20], 200), None);
        assert_eq!(of_process(&[], 4), None);
    }
}
