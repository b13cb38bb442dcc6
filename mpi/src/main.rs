//! `mpirun -n 16 fathom-mpi run pg-oltp --target /scratch`: a measurement from many hosts whose
//! frames travel as messages of MPI, where a site lets its nodes speak nothing else.
//!
//! Every process starts a `fathom`: rank 0 the coordinator with the words of the command line, the
//! others a member each. What these say to each other on their streams is carried, so the programs,
//! the protocol and the results are those of any other transport, and `fathom` itself needs no
//! library of MPI. The histograms of an interval that all members report are added up by
//! MPI_Reduce; where one is late or gone, each travels by itself (`fathom_cluster::relay`).
#![forbid(unsafe_code)]

mod coordinator;
mod member;
mod post;
mod wire;

use mpi::traits::Communicator as _;
use post::Post;
use std::ffi::OsString;
use std::path::PathBuf;
use std::process::ExitCode;

/// The exit status where the machine is at fault, as `fathom` has it.
const ENVIRONMENT: u8 = 4;

/// How `fathom` is called: as `FATHOM` says, or the program in the folder of this one, or by its
/// name.
fn fathom() -> OsString {
    let beside = || {
        let own = std::env::current_exe().ok()?;
        let path = own.with_file_name("fathom");
        path.is_file().then(|| path.into_os_string())
    };
    let named = std::env::var_os("FATHOM").or_else(beside);
    named.unwrap_or_else(|| PathBuf::from("fathom").into_os_string())
}

fn main() -> ExitCode {
    let words: Vec<OsString> = std::env::args_os().skip(1).collect();
    let Some(universe) = mpi::initialize() else {
        eprintln!("error: MPI cannot be initialized");
        return ExitCode::from(ENVIRONMENT);
    };
    let world = universe.world();
    let (rank, count) = (world.rank(), world.size());
    let post = Post::of(&world);
    let done = if rank == 0 {
        coordinator::run(&fathom(), words, count, &post)
    } else {
        member::run(&fathom(), rank, &post)
    };
    match done {
        Ok(status) => {
            post.meet();
            status
        }
        Err(error) => {
            eprintln!("error: rank {rank} of fathom-mpi: {error}");
            // The others wait for what will not come.
            world.abort(i32::from(ENVIRONMENT))
        }
    }
}
