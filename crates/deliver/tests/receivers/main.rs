//! Deliveries to servers on loopback that speak as little of their protocol as a client needs, and
//! compare what came in byte for byte.
#![allow(clippy::disallowed_methods, reason = "tests make files of their own")]

mod server;

use fathom_deliver::{Attachment, Destination, Failure, Message, Netrc};
use server::{LineStream, Served, serve};
use std::collections::BTreeMap;
use std::fs;
use std::io::{BufRead as _, Read as _};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::os::unix::fs::PermissionsExt as _;

fn message() -> Message {
    // Bytes of all values: nothing on the way may change ends of lines or a character set.
    let page: Vec<u8> = (0..=255).cycle().take(70_001).collect();
    Message {
        subject: "fathom pg-oltp on host: VALID".to_owned(),
        text: "12,000 IOPS\n.\nand no more\n".to_owned(),
        html: Some("<!DOCTYPE html>\n<p>12,000 IOPS\n.\n</p>\n".to_owned()),
        attachments: vec![
            Attachment::new("run.json", "application/json", b"{\"a\":1}\n".to_vec()),
            Attachment::new("run.html", "text/html; charset=utf-8", page),
        ],
    }
}

fn files() -> BTreeMap<String, Vec<u8>> {
    let files = message().attachments.into_iter();
    files.map(|one| (one.name, one.bytes)).collect()
}

fn deliver(url: &str, netrc: &Netrc) -> Result<String, Failure> {
    let place: Destination = url.parse().expect("a place");
    place.send(&message(), netrc)
}

/// A netrc file with this line, for its owner alone.
fn netrc(line: &str) -> (tempfile::TempDir, Netrc) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("netrc");
    fs::write(&path, line).expect("written");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o600)).expect("mode set");
    (folder, Netrc::new(Some(path)))
}

/// The first line of a request, and its body.
type Request = (String, Vec<u8>);

/// Answers one request after another, and gives their first lines and bodies.
fn web(status: &'static str) -> (u16, Served<Vec<Request>>) {
    serve(move |listener: &TcpListener| {
        let mut seen = Vec::new();
        for stream in listener.incoming().map_while(Result::ok) {
            let mut lines = LineStream::new(stream);
            // A connection is kept for the next request until the client is done.
            while let Some(first) = lines.line() {
                if first == "the end" {
                    return seen;
                }
                let mut length = 0;
                while let Some(line) = lines.line().filter(|line| !line.is_empty()) {
                    if let Some(value) = line.to_lowercase().strip_prefix("content-length:") {
                        length = value.trim().parse().expect("a length");
                    }
                }
                let mut body = vec![0; length];
                lines.reader.read_exact(&mut body).expect("a body");
                seen.push((first, body));
                lines.say(&format!("HTTP/1.1 {status}\r\nContent-Length: 0\r\n"));
            }
        }
        seen
    })
}

#[test]
fn put_below_a_url_that_ends_with_a_slash() {
    let (port, served) = web("201 Created");
    let told = deliver(&format!("http://127.0.0.1:{port}/in/"), &Netrc::default());
    assert_eq!(told, Ok(format!("at http://127.0.0.1:{port}/in/")));
    let expected: Vec<(String, Vec<u8>)> = message()
        .attachments
        .into_iter()
        .map(|one| (format!("PUT /in/{} HTTP/1.1", one.name), one.bytes))
        .collect();
    assert_eq!(served.end(), expected);
}

#[test]
fn post_of_the_result_to_any_other() {
    let (port, served) = web("204 No Content");
    let told = deliver(&format!("http://127.0.0.1:{port}/hook"), &Netrc::default());
    assert_eq!(told, Ok(format!("posted to http://127.0.0.1:{port}/hook")));
    let expected = (
        "POST /hook HTTP/1.1".to_owned(),
        files()["run.json"].clone(),
    );
    assert_eq!(served.end(), [expected]);
}

#[test]
fn what_a_web_server_refuses_is_not_delivered() {
    let cases = [
        ("404 Not Found", "run.json: http status: 404"),
        ("500 Oops", "run.json: http status: 500"),
        (
            "302 Found\r\nLocation: http://elsewhere/",
            "run.json: 302 Found redirects to http://elsewhere/",
        ),
    ];
    for (status, expected) in cases {
        let (port, served) = web(status);
        let url = format!("http://127.0.0.1:{port}/in/");
        let failure = deliver(&url, &Netrc::default()).expect_err("refused");
        assert_eq!(failure.cause, expected);
        served.end();
    }
}

#[test]
fn no_password_goes_over_http() {
    let (folder, netrc) = netrc("machine 127.0.0.1 login anna password secret");
    let failure = deliver("http://127.0.0.1:9/in/", &netrc).expect_err("refused");
    let file = folder.path().join("netrc");
    assert_eq!(
        failure.cause,
        format!(
            "{} has a password for 127.0.0.1, and http would expose it",
            file.display()
        )
    );
}

/// A server of files: each that was stored, under the name that it got in the end; and what was
/// said. Of no file more than `most` bytes are kept; none is a server that keeps all and does not
/// say how much.
fn ftp(
    stream: TcpStream,
    password: &str,
    most: Option<usize>,
) -> (BTreeMap<String, Vec<u8>>, Vec<String>) {
    let (mut stored, mut said) = (BTreeMap::new(), Vec::new());
    let (mut data, mut from) = (None, String::new());
    let mut lines = LineStream::new(stream);
    lines.say("220-here\r\n 221 is not the end\r\n220 here");
    while let Some(line) = lines.line() {
        let (word, rest) = line.split_once(' ').unwrap_or((&line, ""));
        match word {
            "USER" => lines.say("331 and the password"),
            "PASS" if rest == password => lines.say("230 welcome"),
            "PASS" => lines.say("530 wrong"),
            "CWD" if rest == "absent" => lines.say("550 absent: there is none"),
            "CWD" | "TYPE" => lines.say("200 done"),
            "PASV" => {
                let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a port");
                let port = listener.local_addr().expect("bound").port();
                data = Some(listener);
                lines.say(&format!("227 at (127,0,0,1,{},{})", port >> 8, port & 255));
            }
            "STOR" => {
                lines.say("150 go on");
                let listener = data.take().expect("a port was asked for");
                let (mut incoming, _) = listener.accept().expect("data");
                let mut bytes = Vec::new();
                incoming.read_to_end(&mut bytes).expect("data");
                bytes.truncate(most.unwrap_or(usize::MAX));
                stored.insert(rest.to_owned(), bytes);
                lines.say("226 done");
            }
            "SIZE" if most.is_some() => {
                let bytes: Option<&Vec<u8>> = stored.get(rest);
                lines.say(&format!("213 {}", bytes.expect("it is there").len()));
            }
            "DELE" => {
                stored.remove(rest);
                lines.say("250 done");
            }
            "RNFR" => {
                rest.clone_into(&mut from);
                lines.say("350 and to");
            }
            "RNTO" => {
                let bytes = stored.remove(&from).expect("it is there");
                stored.insert(rest.to_owned(), bytes);
                lines.say("250 done");
            }
            "QUIT" => {
                lines.say("221 bye");
                break;
            }
            _ => lines.say("502 what?"),
        }
        said.push(line);
    }
    (stored, said)
}

#[test]
fn files_arrive_by_ftp_and_get_their_names_last() {
    let (port, served) = serve(|listener| {
        let (stream, _) = listener.accept().expect("a client");
        ftp(stream, "secret", None)
    });
    let (_folder, netrc) = netrc("machine 127.0.0.1 login anna password secret");
    let told = deliver(&format!("ftp://anna@127.0.0.1:{port}/in/%2Fsrv/"), &netrc);
    assert_eq!(told, Ok("in /in/%2Fsrv/ of 127.0.0.1".to_owned()));
    let (stored, said) = served.end();
    assert_eq!(stored, files());
    let expected = [
        "USER anna",
        "PASS secret",
        "CWD in",
        "CWD /srv",
        "TYPE I",
        "PASV",
        "STOR DRAFT",
        "SIZE DRAFT",
        "RNFR DRAFT",
        "RNTO run.json",
        "PASV",
        "STOR DRAFT",
        "SIZE DRAFT",
        "RNFR DRAFT",
        "RNTO run.html",
    ];
    // Each draft has a name of its own.
    let draft = |line: String| match line.split_once(" .run.") {
        Some((word, _)) => format!("{word} DRAFT"),
        None => line,
    };
    let said: Vec<String> = said.into_iter().map(draft).collect();
    assert_eq!(said, expected);
}

#[test]
fn what_an_ftp_server_refuses_is_said_in_its_words() {
    for (path, password, expected) in [
        ("in/", "other", "127.0.0.1: 530 wrong"),
        ("absent/", "fathom@", "127.0.0.1: 550 absent: there is none"),
    ] {
        let (port, served) = serve(move |listener| {
            let (stream, _) = listener.accept().expect("a client");
            ftp(stream, password, Some(usize::MAX))
        });
        let url = format!("ftp://127.0.0.1:{port}/{path}");
        let failure = deliver(&url, &Netrc::default()).expect_err("refused");
        assert_eq!(failure.cause, expected);
        let (stored, _) = served.end();
        assert_eq!(stored, BTreeMap::new());
    }
}

#[test]
fn no_command_can_be_put_into_the_path_for_ftp() {
    let (port, served) = serve(|listener| {
        let (stream, _) = listener.accept().expect("a client");
        ftp(stream, "fathom@", None)
    });
    let url = format!("ftp://127.0.0.1:{port}/in%0D%0ADELE%20run.json/");
    let failure = deliver(&url, &Netrc::default()).expect_err("refused");
    let expected = "127.0.0.1: a line break in a name is not allowed";
    assert_eq!(failure.cause, expected);
    let (_, said) = served.end();
    assert_eq!(said, ["USER anonymous", "PASS fathom@"]);
}

#[test]
fn a_reply_of_ftp_without_an_end_is_given_up() {
    let (port, served) = serve(|listener| {
        let (stream, _) = listener.accept().expect("a client");
        LineStream::new(stream).say(&"220-and so on\r\n".repeat(2000));
    });
    let failure = deliver(&format!("ftp://127.0.0.1:{port}/"), &Netrc::default());
    let expected =
        format!("cannot reach 127.0.0.1, port {port}: the reply of the server has no end");
    assert_eq!(failure.expect_err("given up").cause, expected);
    served.end();
}

#[test]
fn what_an_ftp_server_has_lost_a_part_of_is_not_delivered() {
    let (port, served) = serve(|listener| {
        let (stream, _) = listener.accept().expect("a client");
        ftp(stream, "fathom@", Some(1))
    });
    let url = format!("ftp://127.0.0.1:{port}/");
    let failure = deliver(&url, &Netrc::default()).expect_err("a part is missing");
    let all = files()["run.json"].len();
    let expected = format!("127.0.0.1: of {all} bytes only 1 arrived");
    assert_eq!(failure.cause, expected);
    let (stored, _) = served.end();
    assert_eq!(stored, BTreeMap::new());
}

#[test]
fn a_user_without_a_password_is_told_where_it_belongs() {
    let failure = deliver("ftp://anna@127.0.0.1:9/in/", &Netrc::default()).expect_err("refused");
    assert_eq!(
        (failure.cause.as_str(), failure.remedy.as_deref()),
        (
            "no password of anna for 127.0.0.1",
            Some("add a line to ~/.netrc: machine 127.0.0.1 login anna password …")
        )
    );
}

/// A server of mail that takes one: its envelope, and its text.
fn mail(stream: TcpStream) -> (Vec<String>, Vec<u8>) {
    let mut said = Vec::new();
    let mut lines = LineStream::new(stream);
    lines.say("220 here");
    while let Some(line) = lines.line() {
        if line == "DATA" {
            break;
        }
        if line.starts_with("EHLO") {
            lines.say("250-here\r\n250 8BITMIME");
        } else {
            said.push(line);
            lines.say("250 yes");
        }
    }
    lines.say("354 go on");
    let mut text = Vec::new();
    loop {
        let mut line = Vec::new();
        lines.reader.read_until(b'\n', &mut line).expect("a line");
        if line == b".\r\n" {
            break;
        }
        // A dot at the begin was doubled for the way.
        text.extend_from_slice(line.strip_prefix(b".").unwrap_or(&line));
    }
    lines.say("250 taken");
    (said, text)
}

/// The parts of a mail in their order, those of a part in its place: type or name, and what it
/// held.
fn parts(text: &[u8]) -> Vec<(String, Vec<u8>)> {
    let text = String::from_utf8(text.to_vec()).expect("a mail is UTF-8");
    parts_of(&text)
}

fn parts_of(text: &str) -> Vec<(String, Vec<u8>)> {
    use base64::Engine as _;
    let (_, rest) = text.split_once("boundary=\"").expect("parts");
    let (boundary, _) = rest.split_once('"').expect("parts");
    let mut found = Vec::new();
    for part in text.split(&format!("--{boundary}")).skip(1) {
        let Some((head, body)) = part
            .split_once("\r\n\r\n")
            .filter(|_| !part.starts_with("--"))
        else {
            continue;
        };
        if head.contains("multipart/") {
            found.extend(parts_of(part));
            continue;
        }
        let between = |from, to| Some(head.split_once(from)?.1.split_once(to)?.0);
        let name = between("filename=\"", "\"").or_else(|| between("Content-Type: ", ";"));
        let name = name.unwrap_or_default().to_owned();
        let bytes = if head.contains("base64") {
            let packed: String = body.split_whitespace().collect();
            base64::engine::general_purpose::STANDARD
                .decode(packed)
                .expect("base64")
        } else {
            body.replace("\r\n", "\n")
                .trim_end_matches('\n')
                .as_bytes()
                .to_vec()
        };
        found.push((name, bytes));
    }
    found
}

#[test]
fn a_mail_has_the_answer_in_its_text_and_the_files_attached() {
    let (port, served) = serve(|listener| mail(listener.accept().expect("a client").0));
    let url = format!(
        "smtp://127.0.0.1:{port}/?to=storage@example.com&to=b@example.com&from=lab@example.com\
         &tls=no"
    );
    let told = deliver(&url, &Netrc::default());
    assert_eq!(
        told,
        Ok("mailed to storage@example.com, b@example.com".to_owned())
    );
    let (said, text) = served.end();
    let expected = [
        "MAIL FROM:<lab@example.com>",
        "RCPT TO:<storage@example.com>",
        "RCPT TO:<b@example.com>",
    ];
    let bare: Vec<&str> = said
        .iter()
        .map(|line| line.trim_end_matches(" BODY=8BITMIME"))
        .collect();
    assert_eq!(bare, expected);
    let trimmed = |text: &str| text.trim_end().as_bytes().to_vec();
    let html = message().html.expect("it has one");
    let mut expected = vec![
        ("text/plain".to_owned(), trimmed(&message().text)),
        ("text/html".to_owned(), trimmed(&html)),
    ];
    expected.extend(
        message()
            .attachments
            .into_iter()
            .map(|one| (one.name, one.bytes)),
    );
    assert_eq!(parts(&text), expected);
}

#[test]
fn without_tls_a_mail_is_not_sent() {
    let (port, served) = serve(|listener| {
        let mut lines = LineStream::new(listener.accept().expect("a client").0);
        lines.say("220 here");
        let mut said = Vec::new();
        while let Some(line) = lines.line() {
            lines.say("250-here\r\n250 8BITMIME");
            said.push(line.split(' ').next().unwrap_or_default().to_owned());
        }
        said
    });
    let url = format!("smtp://127.0.0.1:{port}/?to=a@example.com");
    deliver(&url, &Netrc::default()).expect_err("it is not encrypted");
    let said = served.end();
    let mailed = said.iter().any(|word| word == "MAIL" || word == "DATA");
    assert!(!mailed, "{said:?}");
}

#[test]
fn nobody_there_is_said_by_every_way() {
    // A port that was free a moment ago, and that nobody listens on.
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a port");
    let port = listener.local_addr().expect("bound").port();
    drop(listener);
    for url in [
        format!("http://127.0.0.1:{port}/in/"),
        format!("ftp://127.0.0.1:{port}/in/"),
        format!("smtp://127.0.0.1:{port}/?to=a@example.com&tls=no"),
    ] {
        let failure = deliver(&url, &Netrc::default()).expect_err("nobody is there");
        let cause = failure.cause.to_lowercase();
        assert!(
            cause.ends_with("connection refused (os error 111)"),
            "{url}: {cause}"
        );
    }
}
