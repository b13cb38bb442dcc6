//! `fathom member`: one of those that measure together, started by the coordinator.

use super::cluster::{
    connect, find, find_of_job, from_file, from_line, joined_rank, own_rank, random,
};
use super::server;
use crate::args::{ClusterArgs, MemberArgs};
use crate::error::{Error, Problem, system_words};
use crate::exit::Exit;
use crate::platform;
use crate::stop::Stop;
use crate::terminal;
use fathom_cluster::Ending;
use fathom_cluster::token::Token;
use fathom_cluster::transport::Streams;
use fathom_device::AllowList;
use fathom_session::cluster::{MemberOptions, be_member};
use std::io::{self, Write as _};

pub(crate) fn run(args: &MemberArgs) -> Result<Exit, Error> {
    if let (true, Some(path)) = (args.listening, &args.token_file) {
        return server::run_inherited(path, args.read_only);
    }
    let token = args.token_file.as_deref().map(from_file).transpose()?;
    if let Some(place) = &args.rendezvous {
        let (addresses, beside) = find(place)?;
        return go_to(&addresses, token.or(beside));
    }
    let token = match token {
        Some(token) => token,
        None => from_line()?,
    };
    if args.connect.is_empty() {
        return over_stdio(token, args.read_only);
    }
    over_tcp(&args.connect, token, args.read_only)
}

/// Being one of those that a launcher started, and not the first of them, is taking part and
/// nothing else. Options of many hosts mean nothing without them.
pub(super) fn be_launched(args: &ClusterArgs) -> Result<Option<Exit>, Error> {
    if !args.is_meant()
        && let Some(option) = args.stray()
    {
        return Err(
            Problem::new(Exit::Usage, format!("{option} has nothing to change"))
                .because("one host measures alone")
                .remedy("use --hosts, --launch or --launched")
                .into(),
        );
    }
    if !args.launched || joined_rank()? == 0 {
        return Ok(None);
    }
    let token = args.token_file.as_deref().map(from_file).transpose()?;
    let (addresses, beside) = match &args.rendezvous {
        Some(place) => find(place)?,
        None => find_of_job()?,
    };
    go_to(&addresses, token.or(beside)).map(Some)
}

/// Takes part where the coordinator listens.
fn go_to(addresses: &[String], token: Option<Token>) -> Result<Exit, Error> {
    let Some(token) = token else {
        return Err(
            Problem::new(Exit::Usage, "the secret of the members is unknown")
                .because("an address does not contain it")
                .remedy("use --token-file, the same on all of them")
                .into(),
        );
    };
    over_tcp(addresses, token, false)
}

fn over_stdio(token: Token, read_only: bool) -> Result<Exit, Error> {
    let admitted = server::admitted();
    let streams = platform::over_stdio(admitted.as_ref().map(server::Caller::done));
    serve((token, read_only), admitted.as_ref(), streams)
}

fn over_tcp(addresses: &[String], token: Token, read_only: bool) -> Result<Exit, Error> {
    let stream = connect(addresses)?;
    serve((token, read_only), None, platform::over_tcp(stream))
}

fn serve(
    (token, read_only): (Token, bool),
    admitted: Option<&server::Caller>,
    streams: io::Result<Streams>,
) -> Result<Exit, Error> {
    let nonce = match admitted {
        Some(caller) => caller.nonce,
        None => random()?,
    };
    let streams = streams.map_err(|error| broken(&error))?;
    let stop = Stop::default();
    stop.listen()?;
    let options = MemberOptions {
        token,
        nonce,
        rank: own_rank(),
        control: stop.control().clone(),
        read_only,
        allow: AllowList::of_environment(),
    };
    let note = |text: &str| {
        // Nobody may be there to read it; the measurement does not depend on it.
        let _ = writeln!(terminal::stderr(), "fathom member {text}");
    };
    let ending = be_member(options, streams, &note).map_err(|error| broken(&error))?;
    Ok(match ending {
        Ending::Reported => Exit::Ok,
        Ending::Refused(_) => Exit::Usage,
        Ending::Deserted(_) => Exit::Environment,
    })
}

fn broken(error: &io::Error) -> Problem {
    Problem::new(Exit::Environment, "cannot communicate with the coordinator")
        .because(system_words(error))
}
