//! What is answered to those who ask for metrics by HTTP: one request, one answer.

use fathom_report::{Exposition, prometheus_text};
use httparse::{EMPTY_HEADER, Header, Request, Status};

/// Bytes of the first line and the headers of a request at most.
const HEAD_BYTES: usize = 8 << 10;
/// Headers at most.
const HEADERS: usize = 64;

const OPENMETRICS: &str = "application/openmetrics-text";
const PLAIN: &str = "text/plain";

/// The metrics of one instant in both formats.
#[derive(Debug)]
pub(super) struct Page {
    openmetrics: String,
    plain: String,
}

impl Page {
    pub(super) fn of(exposition: &Exposition) -> Self {
        let openmetrics = exposition.openmetrics();
        Self {
            plain: prometheus_text(&openmetrics),
            openmetrics,
        }
    }

    /// The answer to what has arrived of a request; none while its end is missing.
    pub(super) fn answer(&self, request: &[u8]) -> Option<Vec<u8>> {
        let mut headers = [EMPTY_HEADER; HEADERS];
        let mut parsed = Request::new(&mut headers);
        let head = &request[..request.len().min(HEAD_BYTES)];
        let refusal = match parsed.parse(head) {
            Ok(Status::Complete(_)) => return Some(self.answer_to(&parsed)),
            Ok(Status::Partial) if request.len() < HEAD_BYTES => return None,
            Ok(Status::Partial) | Err(httparse::Error::TooManyHeaders) => {
                "431 Request Header Fields Too Large"
            }
            Err(_) => "400 Bad Request",
        };
        Some(answer(refusal, PLAIN, refusal, true))
    }

    fn answer_to(&self, request: &Request<'_, '_>) -> Vec<u8> {
        let method = request.method.unwrap_or_default();
        if !matches!(method, "GET" | "HEAD") {
            let refusal = "405 Method Not Allowed";
            return answer(refusal, "text/plain\r\nAllow: GET, HEAD", refusal, true);
        }
        let has_body = method == "GET";
        let target = request.path.unwrap_or_default();
        let path = target.split('?').next().unwrap_or_default();
        let ok = "200 OK";
        match path {
            "/metrics" if wants_openmetrics(request.headers) => {
                let kind = "application/openmetrics-text; version=1.0.0; charset=utf-8";
                answer(ok, kind, &self.openmetrics, has_body)
            }
            "/metrics" => {
                let kind = "text/plain; version=0.0.4; charset=utf-8";
                answer(ok, kind, &self.plain, has_body)
            }
            "/" => {
                let text = "<!doctype html><title>fathom watch</title>\
                            <p>fathom watch: <a href=\"/metrics\">/metrics</a>\n";
                answer(ok, "text/html; charset=utf-8", text, has_body)
            }
            _ => {
                let refusal = "404 Not Found";
                answer(refusal, PLAIN, refusal, has_body)
            }
        }
    }
}

/// Whether the headers rank OpenMetrics at least as high as plain text.
fn wants_openmetrics(headers: &[Header<'_>]) -> bool {
    let accepted = headers
        .iter()
        .filter(|header| header.name.eq_ignore_ascii_case("accept"));
    let accepted: Vec<_> = accepted
        .flat_map(|header| {
            std::str::from_utf8(header.value)
                .unwrap_or_default()
                .split(',')
        })
        .collect();
    let quality = |kind: &str| {
        let ranges = accepted.iter().map(|range| {
            let mut parts = range.split(';').map(str::trim);
            let is_kind = parts
                .next()
                .is_some_and(|one| one.eq_ignore_ascii_case(kind));
            let quality = parts.find_map(|part| part.strip_prefix("q=")?.parse().ok());
            if is_kind { quality.unwrap_or(1.0) } else { 0.0 }
        });
        ranges.fold(0.0, f64::max)
    };
    let openmetrics = quality(OPENMETRICS);
    openmetrics > 0.0 && openmetrics >= quality(PLAIN)
}

fn answer(status: &str, kind: &str, body: &str, has_body: bool) -> Vec<u8> {
    let length = body.len();
    let shown = if has_body { body } else { "" };
    format!(
        "HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nContent-Length: {length}\r\n\
         X-Content-Type-Options: nosniff\r\nConnection: close\r\n\r\n{shown}"
    )
    .into_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page() -> Page {
        Page {
            openmetrics: "open\n# EOF\n".to_owned(),
            plain: "plain\n".to_owned(),
        }
    }

    /// The status, the type and the body; empty while more is waited for.
    fn asked(request: &str) -> [String; 3] {
        let Some(answer) = page().answer(request.as_bytes()) else {
            return of("", "", "");
        };
        let answer = String::from_utf8(answer).expect("UTF-8");
        let (head, body) = answer.split_once("\r\n\r\n").expect("a head");
        let mut lines = head.lines();
        let status = lines.next().and_then(|line| line.strip_prefix("HTTP/1.1 "));
        let kind = lines.find_map(|line| line.strip_prefix("Content-Type: "));
        [status, kind, Some(body)].map(|word| word.expect("it is there").to_owned())
    }

    fn of(status: &str, kind: &str, body: &str) -> [String; 3] {
        [status, kind, body].map(str::to_owned)
    }

    const OPEN: &str = "application/openmetrics-text; version=1.0.0; charset=utf-8";
    const TEXT: &str = "text/plain; version=0.0.4; charset=utf-8";

    #[test]
    fn the_format_is_negotiated() {
        let prometheus = "application/openmetrics-text;version=1.0.0,\
                          application/openmetrics-text;version=0.0.1;q=0.75,\
                          text/plain;version=0.0.4;q=0.5,*/*;q=0.1";
        let cases = [
            (prometheus, true),
            ("Application/OpenMetrics-Text", true),
            (
                "application/openmetrics-text;q=0.3, text/plain;q=0.5",
                false,
            ),
            ("application/openmetrics-text;q=0", false),
            ("text/plain", false),
            ("*/*", false),
            ("text/html,application/openmetrics-textual", false),
            ("", false),
        ];
        for (accept, is_open) in cases {
            let asked = asked(&format!(
                "GET /metrics HTTP/1.1\r\naccept: {accept}\r\n\r\n"
            ));
            let expected = if is_open {
                of("200 OK", OPEN, "open\n# EOF\n")
            } else {
                of("200 OK", TEXT, "plain\n")
            };
            assert_eq!(asked, expected, "{accept}");
        }
        let without = asked("GET /metrics?name=x HTTP/1.0\r\n\r\n");
        assert_eq!(without, of("200 OK", TEXT, "plain\n"));
    }

    #[test]
    fn only_metrics_can_be_got() {
        let refused = |status: &str| of(status, PLAIN, status);
        let head = of("200 OK", TEXT, "");
        assert_eq!(asked("HEAD /metrics HTTP/1.1\r\n\r\n"), head);
        let cases = [
            ("GET /etc/passwd HTTP/1.1\r\n\r\n", "404 Not Found"),
            ("GET /metrics/../x HTTP/1.1\r\n\r\n", "404 Not Found"),
            ("GET http://x/metrics HTTP/1.1\r\n\r\n", "404 Not Found"),
            (
                "POST /metrics HTTP/1.1\r\n\r\nx=1",
                "405 Method Not Allowed",
            ),
            ("DELETE / HTTP/1.1\r\n\r\n", "405 Method Not Allowed"),
            ("\u{16}\u{3}\u{1}\r\n\r\n", "400 Bad Request"),
            ("GET /metrics\r\n\r\n", "400 Bad Request"),
        ];
        for (request, status) in cases {
            assert_eq!(asked(request), refused(status), "{request}");
        }
        let link = asked("GET / HTTP/1.1\r\n\r\n");
        assert_eq!((link[0].as_str(), link[2].len()), ("200 OK", 91));
    }

    #[test]
    fn what_is_too_long_is_refused_and_the_rest_is_waited_for() {
        assert_eq!(asked("GET /metrics HTTP/1.1\r\n"), of("", "", ""));
        assert_eq!(asked(""), of("", "", ""));
        let large = "431 Request Header Fields Too Large";
        let refused = of(large, PLAIN, large);
        assert_eq!(asked(&format!("GET /{}", "x".repeat(1 << 20))), refused);
        let headers = "a: b\r\n".repeat(HEADERS + 1);
        assert_eq!(asked(&format!("GET / HTTP/1.1\r\n{headers}\r\n")), refused);
        let two = "GET /metrics HTTP/1.1\r\n\r\nGET / HTTP/1.1\r\n\r\n";
        assert_eq!(asked(two), of("200 OK", TEXT, "plain\n"));
    }
}
