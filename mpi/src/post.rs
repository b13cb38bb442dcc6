//! Messages between ranks.

use fathom_core::histogram::Numbers;
use mpi::collective::SystemOperation;
use mpi::point_to_point::Status;
use mpi::request::{Request, Scope};
use mpi::topology::SimpleCommunicator;
use mpi::traits::{
    Communicator as _, CommunicatorCollectives as _, Destination as _, MatchedReceiveVec as _,
    Root as _, Source as _,
};

/// Bytes that are read at once: MPI libraries take this much without waiting for the other side.
pub(crate) const MOST: usize = 16 << 10;

/// A message, and whom it goes to or comes from.
pub(crate) type Letter = (i32, Vec<u8>);

/// Those that have not come to their end.
fn still<'a, D: ?Sized, S: Scope<'a>>(under_way: Vec<Request<'a, D, S>>) -> Vec<Request<'a, D, S>> {
    let each = under_way.into_iter();
    each.filter_map(|request| request.test().err()).collect()
}

/// What carries messages.
pub(crate) struct Post<'a> {
    world: &'a SimpleCommunicator,
}

impl<'a> Post<'a> {
    pub(crate) const fn of(world: &'a SimpleCommunicator) -> Self {
        Self { world }
    }

    /// Sends these, and takes what has come. It takes what comes as long as anything is under way,
    /// so that two who send to each other at once both come to an end.
    pub(crate) fn exchange(&self, letters: &[Letter]) -> Vec<Letter> {
        mpi::request::scope(|scope| {
            let mut under_way: Vec<Request<'_, [u8], _>> = Vec::new();
            for (to, bytes) in letters {
                let there = self.world.process_at_rank(*to);
                under_way.push(there.immediate_send(scope, &bytes[..]));
            }
            let mut come = Vec::new();
            loop {
                self.take(&mut come);
                under_way = still(under_way);
                if under_way.is_empty() {
                    return come;
                }
            }
        })
    }

    fn take(&self, come: &mut Vec<Letter>) {
        while let Some(letter) = self.world.any_process().immediate_matched_probe() {
            let (bytes, status): (Vec<u8>, Status) = letter.matched_receive_vec();
            come.push((status.source_rank(), bytes));
        }
    }

    /// Adds up, by MPI_Reduce, what all ranks have; rank 0 is given what it came to. It takes what
    /// comes meanwhile: who is not there yet may have something to say before.
    pub(crate) fn add_up(&self, own: &Numbers) -> (Numbers, Vec<Letter>) {
        let mut all = Numbers {
            sums: vec![0; own.sums.len()],
            largest: vec![0; own.largest.len()],
        };
        let mut come = Vec::new();
        let root = self.world.process_at_rank(0);
        let (sum, max) = (SystemOperation::sum(), SystemOperation::max());
        mpi::request::scope(|scope| {
            let mut under_way: Vec<Request<'_, [u64], _>> = if self.world.rank() == 0 {
                let (sums, largest) = (&mut all.sums[..], &mut all.largest[..]);
                vec![
                    root.immediate_reduce_into_root(scope, &own.sums[..], sums, sum),
                    root.immediate_reduce_into_root(scope, &own.largest[..], largest, max),
                ]
            } else {
                vec![
                    root.immediate_reduce_into(scope, &own.sums[..], sum),
                    root.immediate_reduce_into(scope, &own.largest[..], max),
                ]
            };
            while !under_way.is_empty() {
                self.take(&mut come);
                under_way = still(under_way);
            }
        });
        (all, come)
    }

    /// Tells all ranks what rank 0 has; nothing is an answer too.
    pub(crate) fn broadcast(&self, bytes: &mut Vec<u8>) {
        let root = self.world.process_at_rank(0);
        let mut length = bytes.len() as u64;
        root.broadcast_into(&mut length);
        bytes.resize(length as usize, 0);
        root.broadcast_into(&mut bytes[..]);
    }

    /// Waits for all ranks.
    pub(crate) fn meet(&self) {
        self.world.barrier();
    }
}
