//! Text that a terminal obeys, from results, recordings, paths and peers.

use std::io::{Read as _, Write as _};
use std::net::TcpListener;

use anyhow::{Context as _, Result};

use crate::siege::Siege;
use crate::siege::fathom::Ended;
use crate::siege::line::GroupLines;

/// Clears the screen, in both forms of the control sequence, and turns the text around.
const ESCAPE: &str = "\u{1b}[2J\u{9b}2J\u{202e}\r";
/// The same in JSON.
const IN_JSON: &str = "\\u001b[2J\\u009b2J\\u202e\\r";
const EXPECTED: &str = "no control character on the terminal";

/// What is read, and the calls that read it. FILE is the file.
const READS: &[(&str, &str, &[&str])] = &[
    (
        "a result of fio",
        "{\"fio version\":\"fio-3.36\",\"timestamp\":1,\"time\":\"X\",\"jobs\":[{\"jobname\":\"X\",\
         \"error\":0,\"elapsed\":2,\"job options\":{\"rw\":\"randread\",\"bs\":\"4k\",\
         \"filename\":\"X\"},\"read\":{\"io_bytes\":4096000,\"bw_bytes\":4096000,\"iops\":1000,\
         \"runtime\":1000,\"total_ios\":1000}}],\"global options\":{},\"disk_util\":[]}",
        &[
            "import FILE --no-save --output text",
            "import FILE --no-save --output brief",
            "import FILE --no-save --output markdown",
            "show FILE",
            "import FILE --no-save --output csv",
        ],
    ),
    (
        "a workload",
        "name = \"X\"\n[[phase]]\nname = \"X\"\n",
        &["run FILE", "convert FILE --to fio"],
    ),
    (
        "a recording",
        "Linux 6.1 (X) \t01/01/26 \t_x86_64_\n\nDevice r/s X\nsdaX 1 2\n",
        &["need FILE", "watch --read FILE"],
    ),
];

fn is_harmless(ended: &Ended) -> bool {
    let obeyed = |sign: char| sign.is_control() && sign != '\n' && sign != '\t';
    let is_turned = |sign| ('\u{202a}'..='\u{202e}').contains(&sign);
    let text = [ended.stdout.as_str(), ended.stderr.as_str()].concat();
    !text.contains(obeyed) && !text.contains(is_turned)
}

pub(crate) fn run(siege: &Siege, lines: &mut GroupLines<'_>) -> Result<()> {
    let folder = tempfile::tempdir()?;
    for (name, text, calls) in READS {
        let escape = if text.starts_with('{') {
            IN_JSON
        } else {
            ESCAPE
        };
        let path = folder.path().join("file");
        std::fs::write(&path, text.replace('X', escape))?;
        for call in *calls {
            siege.go_on()?;
            let words = call.replace("FILE", &path.display().to_string());
            let ended = siege.fathom.line(&words).inside(folder.path()).end()?;
            let is_met = ended.is_orderly() && is_harmless(&ended);
            lines.add(format!("{name}: {call}"), EXPECTED, ended.told(), is_met);
        }
    }
    for call in ["show", "run", "quick --target", "watch --read", "deliver"] {
        siege.go_on()?;
        let words = call.split(' ').chain([ESCAPE]).map(str::to_owned);
        let ended = siege.fathom.call(words).inside(folder.path()).end()?;
        let is_met = ended.is_orderly() && is_harmless(&ended);
        lines.add(format!("a path: {call}"), EXPECTED, ended.told(), is_met);
    }
    answer(siege, lines)
}

/// A server that answers a client with escapes instead of the protocol.
fn answer(siege: &Siege, lines: &mut GroupLines<'_>) -> Result<()> {
    siege.go_on()?;
    let folder = tempfile::tempdir()?;
    let secret = folder.path().join("secret");
    std::fs::write(&secret, "0123456789abcdef0123456789abcdef")?;
    std::fs::set_permissions(&secret, std::os::unix::fs::PermissionsExt::from_mode(0o600))?;
    let listener = TcpListener::bind("127.0.0.1:0").context("loopback")?;
    let port = listener.local_addr()?.port();
    let server = std::thread::spawn(move || {
        // A client that is gone has read enough.
        let _ = listener.accept().map(|(mut stream, _)| {
            let _ = stream.write_all(ESCAPE.repeat(20).as_bytes());
            let _ = stream.read(&mut [0; 4096]);
        });
    });
    let words = format!(
        "fio --client=127.0.0.1,{port} --token-file={} --name=x --rw=read --size=4k --filename={}",
        secret.display(),
        folder.path().join("data").display()
    );
    let ended = siege.fathom.line(&words).inside(folder.path()).end()?;
    let is_met = ended.is_orderly() && is_harmless(&ended);
    lines.add(
        "a server of fio that answers with escapes",
        EXPECTED,
        ended.told(),
        is_met,
    );
    // Where nobody called, the thread would wait.
    let _ = std::net::TcpStream::connect(("127.0.0.1", port));
    let _ = server.join();
    Ok(())
}
