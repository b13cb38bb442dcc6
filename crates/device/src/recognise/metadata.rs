//! The metadata service of a cloud: the type of the instance and its region. Asked only where the
//! user asked for it, once, with a short timeout, and never for credentials.

use super::{CloudInstance, Platform, Source};
use std::io::{self, Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::time::Duration;

/// Where all three clouds answer.
const ADDRESS: ([u8; 4], u16) = ([169, 254, 169, 254], 80);
/// A service that is there answers within a millisecond or two.
const PATIENCE: Duration = Duration::from_millis(300);
/// More than any answer that is asked for.
const MOST_BYTES: u64 = 65_536;

/// Asks the service of a platform for the instance and its region.
///
/// # Errors
///
/// No service, no answer in time, or one that is not understood.
pub fn ask(platform: Platform) -> io::Result<CloudInstance> {
    let address = SocketAddr::from(ADDRESS);
    let get = |text: &str| exchange(address, text);
    match platform {
        Platform::Ec2 | Platform::Ec2Xen => amazon(platform, &get),
        Platform::Azure => azure(&get),
        Platform::Google => google(&get),
        Platform::HyperV | Platform::Other => Err(io::Error::new(
            io::ErrorKind::Unsupported,
            "this machine is in no cloud that is known to have a metadata service",
        )),
    }
}

type Get<'a> = &'a dyn Fn(&str) -> io::Result<String>;

fn amazon(platform: Platform, get: Get<'_>) -> io::Result<CloudInstance> {
    const LIFE: &str = "X-aws-ec2-metadata-token-ttl-seconds: 60";
    let token = get(&request("PUT", "/latest/api/token", LIFE))?;
    let header = format!("X-aws-ec2-metadata-token: {token}");
    let ask = |path: &str| get(&request("GET", path, &header));
    Ok(CloudInstance {
        platform,
        instance: Some(ask("/latest/meta-data/instance-type")?),
        region: ask("/latest/meta-data/placement/region").ok(),
        source: Source::Metadata,
    })
}

fn azure(get: Get<'_>) -> io::Result<CloudInstance> {
    let ask = |leaf: &str| {
        let path = format!("/metadata/instance/compute/{leaf}?api-version=2019-08-15&format=text");
        get(&request("GET", &path, "Metadata: true"))
    };
    Ok(CloudInstance {
        platform: Platform::Azure,
        instance: Some(ask("vmSize")?),
        region: ask("location").ok(),
        source: Source::Metadata,
    })
}

fn google(get: Get<'_>) -> io::Result<CloudInstance> {
    let ask = |leaf: &str| {
        let path = format!("/computeMetadata/v1/instance/{leaf}");
        get(&request("GET", &path, "Metadata-Flavor: Google"))
    };
    // As in `projects/1/machineTypes/n2-standard-8` and `projects/1/zones/us-central1-a`.
    let last = |text: String| text.rsplit('/').next().unwrap_or_default().to_owned();
    let zone = ask("zone").ok().map(last);
    let region = zone.and_then(|zone| Some(zone.rsplit_once('-')?.0.to_owned()));
    Ok(CloudInstance {
        platform: Platform::Google,
        instance: Some(last(ask("machine-type")?)),
        region,
        source: Source::Metadata,
    })
}

/// A request of the simplest form: one answer, then the connection ends.
fn request(method: &str, path: &str, header: &str) -> String {
    format!(
        "{method} {path} HTTP/1.0\r\nHost: 169.254.169.254\r\n{header}\r\nContent-Length: 0\r\n\r\n"
    )
}

fn exchange(address: SocketAddr, request: &str) -> io::Result<String> {
    let mut stream = TcpStream::connect_timeout(&address, PATIENCE)?;
    stream.set_read_timeout(Some(PATIENCE))?;
    stream.set_write_timeout(Some(PATIENCE))?;
    stream.write_all(request.as_bytes())?;
    let mut answer = Vec::new();
    stream.take(MOST_BYTES).read_to_end(&mut answer)?;
    body(&String::from_utf8_lossy(&answer))
}

/// What an answer says: one line of it, if all went well.
fn body(answer: &str) -> io::Result<String> {
    let not_understood = |what: &str| io::Error::new(io::ErrorKind::InvalidData, what.to_owned());
    let (head, body) = answer
        .split_once("\r\n\r\n")
        .ok_or_else(|| not_understood("the answer has no end of its head"))?;
    let status = head.split_whitespace().nth(1).unwrap_or_default();
    if status != "200" {
        return Err(not_understood(&format!("it answered with status {status}")));
    }
    let line = body.trim();
    let is_word = !line.is_empty() && line.chars().all(|letter| !letter.is_control());
    is_word
        .then(|| line.to_owned())
        .ok_or_else(|| not_understood("the answer is not a line of text"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::RefCell;

    /// A service that answers from a table, and keeps what it was asked.
    fn place(platform: Platform, answers: &[(&str, &str)]) -> (CloudInstance, Vec<String>) {
        let asked = RefCell::new(Vec::new());
        let get = |request: &str| {
            asked.borrow_mut().push(request.to_owned());
            let path = request.split_whitespace().nth(1).unwrap();
            let found = answers.iter().find(|(known, _)| *known == path);
            found
                .map(|(_, answer)| (*answer).to_owned())
                .ok_or_else(|| io::Error::other("404"))
        };
        let found = match platform {
            Platform::Azure => azure(&get),
            Platform::Google => google(&get),
            other => amazon(other, &get),
        };
        (found.unwrap(), asked.into_inner())
    }

    #[test]
    fn amazon_is_asked_with_a_token() {
        let answers = [
            ("/latest/api/token", "AQAE=="),
            ("/latest/meta-data/instance-type", "r5d.xlarge"),
            ("/latest/meta-data/placement/region", "eu-west-1"),
        ];
        let (found, asked) = place(Platform::Ec2Xen, &answers);
        let expected = CloudInstance {
            platform: Platform::Ec2Xen,
            instance: Some("r5d.xlarge".to_owned()),
            region: Some("eu-west-1".to_owned()),
            source: Source::Metadata,
        };
        assert_eq!(found, expected);
        let second = "GET /latest/meta-data/instance-type HTTP/1.0\r\nHost: 169.254.169.254\r\n\
                      X-aws-ec2-metadata-token: AQAE==\r\nContent-Length: 0\r\n\r\n";
        assert_eq!((asked.len(), asked[1].as_str()), (3, second));
    }

    #[test]
    fn the_others_answer_too() {
        let size = "/metadata/instance/compute/vmSize?api-version=2019-08-15&format=text";
        let (found, _) = place(Platform::Azure, &[(size, "Standard_E32s_v3")]);
        assert_eq!(found.instance.as_deref(), Some("Standard_E32s_v3"));
        let answers = [
            (
                "/computeMetadata/v1/instance/machine-type",
                "projects/1/machineTypes/n2-standard-8",
            ),
            (
                "/computeMetadata/v1/instance/zone",
                "projects/1/zones/us-central1-a",
            ),
        ];
        let (found, _) = place(Platform::Google, &answers);
        assert_eq!(found.instance.as_deref(), Some("n2-standard-8"));
        assert_eq!(found.region.as_deref(), Some("us-central1"));
    }

    #[test]
    fn only_good_answers_count() {
        let good = "HTTP/1.0 200 OK\r\nContent-Type: text/plain\r\n\r\nm6i.large\n";
        assert_eq!(body(good).unwrap(), "m6i.large");
        for wrong in [
            "HTTP/1.0 404 Not Found\r\n\r\nno",
            "HTTP/1.0 200 OK\r\n\r\n",
            "HTTP/1.0 200 OK",
            "HTTP/1.0 200 OK\r\n\r\n<html>\n</html>",
            "",
        ] {
            assert!(body(wrong).is_err(), "{wrong}");
        }
    }
}
