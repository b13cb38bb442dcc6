//! Somebody between a client and a server, and lists that nobody should trust.

use super::*;
use std::io::{Read as _, Write as _};
use std::net::Shutdown;
use std::os::unix::net::UnixListener;
use std::thread::JoinHandle;

/// What is done to the bytes that a client sends, which begin at this one.
type Change = fn(&mut [u8], usize);

/// Stands between a client and the server at `a`: hands on what they send and keeps what the
/// client sends, which is what it gives at the end.
fn between(place: &Servers, change: Change) -> JoinHandle<Vec<u8>> {
    let listener = UnixListener::bind(place.path("between")).expect("a socket");
    let server = UnixStream::connect(place.path("a")).expect("it listens");
    std::thread::spawn(move || {
        let (client, _) = listener.accept().expect("a client");
        let (mut from, mut to) = (server, client);
        let other = |one: &UnixStream| one.try_clone().expect("a descriptor");
        let (mut down, mut up) = (other(&to), other(&from));
        let back = std::thread::spawn(move || {
            let _ = std::io::copy(&mut from, &mut to);
            let _ = to.shutdown(Shutdown::Both);
        });
        let (mut all, mut bytes) = (Vec::new(), [0; 4096]);
        while let Ok(count @ 1..) = down.read(&mut bytes) {
            all.extend(&bytes[..count]);
            change(&mut bytes[..count], all.len() - count);
            if up.write_all(&bytes[..count]).is_err() {
                break;
            }
        }
        let _ = up.shutdown(Shutdown::Both);
        back.join().expect("no panic");
        all
    })
}

/// Where what a client sends is sealed for certain: behind its handshake, in the plan.
const SEALED: usize = 500;

#[test]
fn what_follows_the_handshake_is_read_and_replayed_by_nobody() {
    let place = Servers::new();
    place.start("a", "a.pid");
    let recorded = between(&place, |_, _| {});
    let ended = place.read(&["between"], &[&place.token()]);
    assert_eq!((ended.status, ended.stderr.as_str()), (Some(0), ""));
    let recorded = recorded.join().expect("no panic");
    let file = place.path("data").display().to_string();
    let is_said = recorded
        .windows(file.len())
        .any(|bytes| bytes == file.as_bytes());
    assert!(recorded.len() > SEALED && !is_said);
    // The server asks another question of whoever calls: the answer of before is none.
    let mut again = UnixStream::connect(place.path("a")).expect("it listens");
    again.write_all(&recorded).expect("it is there");
    let mut said = Vec::new();
    // It may end the connection before it has read all of it.
    let _ = again.read_to_end(&mut said);
    // A greeting and a hello: nothing was started that would seal.
    let mut lengths = Vec::new();
    let mut rest = &said[..];
    while let Some((length, behind)) = rest.split_first_chunk() {
        let length = u32::from_le_bytes(*length) as usize;
        lengths.push(length);
        rest = &behind[length..];
    }
    assert_eq!((lengths.len(), rest), (2, &[][..]), "{lengths:?}");
    assert_eq!(place.read(&["a"], &[&place.token()]).status, Some(0));
}

#[test]
fn what_is_changed_on_the_way_ends_the_connection_and_not_the_server() {
    let place = Servers::new();
    place.start("a", "a.pid");
    let flip: Change = |bytes, start| {
        if let Some(byte) = SEALED.checked_sub(start).and_then(|at| bytes.get_mut(at)) {
            *byte ^= 1;
        }
    };
    let changed = between(&place, flip);
    let ended = place.read(&["between"], &[&place.token()]);
    changed.join().expect("no panic");
    let expected = "localhost (rank 0) is lost: the other end received a record that was changed \
                    or replayed on the way, or has another secret; not counted\n";
    let first = ended.stderr.split_inclusive('\n').next();
    assert_eq!((ended.status, first), (Some(4), Some(expected)));
    assert_eq!(place.read(&["a"], &[&place.token()]).status, Some(0));
}

/// A server says at its start what it would otherwise refuse to each client.
#[test]
fn a_list_that_others_may_write_to_lets_no_server_start() {
    let place = Servers::new();
    let list = place.path("allow");
    std::fs::write(&list, "folder /no/such/folder\n").expect("a list");
    let mode = std::fs::Permissions::from_mode(0o666);
    std::fs::set_permissions(&list, mode).expect("a mode");
    let server = format!("--server=sock:{}", place.path("a").display());
    let (ended, _folder) = Cli::new(["fio", &server, &place.token()])
        .with("FATHOM_ALLOW", &list.display().to_string())
        .end();
    let lines: Vec<&str> = ended.stderr.lines().collect();
    let thing = format!("error: cannot use the allow-list {}", list.display());
    assert_eq!(
        (ended.status, lines.len(), lines[0]),
        (Some(2), 3, thing.as_str())
    );
}
