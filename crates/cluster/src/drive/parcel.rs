//! Bytes on their way from one thread to another, of which only a limited number may be under way.
//! Whoever has more waits, and so does its producer.

use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::Duration;

#[derive(Debug, Default)]
struct BytesUnderWay {
    taken: Mutex<usize>,
    freed: Condvar,
}

/// Space for a number of bytes; its copies share it.
#[derive(Clone, Debug)]
pub struct Room {
    way: Arc<BytesUnderWay>,
    limit: usize,
}

impl Room {
    /// Room for `limit` bytes, and for one parcel that is longer.
    pub fn new(limit: usize) -> Self {
        let way = Arc::default();
        Self { way, limit }
    }

    /// Whether there is no space, even after a wait of this duration.
    pub fn is_full(&self, wait: Duration) -> bool {
        let lock = self.way.taken.lock();
        let taken = lock.unwrap_or_else(PoisonError::into_inner);
        let is_full = |taken: &mut usize| *taken >= self.limit;
        let waited = self.way.freed.wait_timeout_while(taken, wait, is_full);
        let (taken, _) = waited.unwrap_or_else(PoisonError::into_inner);
        *taken >= self.limit
    }

    /// A parcel whether or not there is room, for whoever has looked at [`is_full`](Self::is_full).
    pub fn parcel_at_once(&self, bytes: Vec<u8>) -> Parcel {
        let lock = self.way.taken.lock();
        *lock.unwrap_or_else(PoisonError::into_inner) += bytes.len();
        Parcel {
            bytes,
            way: Arc::clone(&self.way),
        }
    }

    /// Waits until there is room, and takes it until the parcel is dropped, wherever it is then.
    pub fn parcel(&self, bytes: Vec<u8>) -> Parcel {
        let lock = self.way.taken.lock();
        let taken = lock.unwrap_or_else(PoisonError::into_inner);
        let is_full = |taken: &mut usize| *taken > 0 && *taken + bytes.len() > self.limit;
        let waited = self.way.freed.wait_while(taken, is_full);
        let mut taken = waited.unwrap_or_else(PoisonError::into_inner);
        *taken += bytes.len();
        Parcel {
            bytes,
            way: Arc::clone(&self.way),
        }
    }
}

/// Bytes under way.
#[derive(Debug)]
pub struct Parcel {
    bytes: Vec<u8>,
    way: Arc<BytesUnderWay>,
}

impl Parcel {
    /// What is in it.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }
}

impl Drop for Parcel {
    fn drop(&mut self) {
        let lock = self.way.taken.lock();
        *lock.unwrap_or_else(PoisonError::into_inner) -= self.bytes.len();
        self.way.freed.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc::sync_channel;

    #[test]
    fn who_has_more_waits_until_what_is_under_way_has_come() {
        let room = Room::new(10);
        let first = room.parcel(vec![1; 6]);
        let (sender, receiver) = sync_channel(0);
        let other = room.clone();
        let waiting = std::thread::spawn(move || {
            let second = other.parcel(vec![2; 5]);
            sender.send(second).map_err(|_| ()).expect("somebody hears");
        });
        assert_eq!(*first.way.taken.lock().expect("sound"), 6);
        drop(first);
        let second = receiver.recv().expect("it had room");
        assert_eq!(second.bytes(), [2; 5]);
        waiting.join().expect("it has ended");
        drop(second);
        // One that is longer than all there is goes alone.
        let long = room.parcel(vec![3; 11]);
        assert_eq!(*long.way.taken.lock().expect("sound"), 11);
    }

    #[test]
    fn who_does_not_wait_learns_that_there_is_no_room() {
        let room = Room::new(4);
        let now = Duration::ZERO;
        let first = room.parcel_at_once(vec![1; 3]);
        assert!(!room.is_full(now));
        let second = room.parcel_at_once(vec![2; 3]);
        assert!(room.is_full(now));
        drop(second);
        assert!(!room.is_full(now));
        drop(first);
    }

    #[test]
    fn what_nobody_takes_any_more_keeps_nobody_waiting() {
        let room = Room::new(1);
        let (sender, receiver) = std::sync::mpsc::channel();
        sender.send(room.parcel(vec![1])).expect("it is open");
        drop(receiver);
        assert!(sender.send(room.parcel(vec![2])).is_err());
        room.parcel(vec![3]);
    }
}
