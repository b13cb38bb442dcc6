//! A real Prometheus that asks `fathom watch --listen`, with the rules and the expressions of the
//! dashboard that `fathom generate` prints.

use std::fmt::Write as _;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use anyhow::{Context as _, Result, ensure};
use rustix::event::{Timespec, poll};
use serde_json::Value;

/// Programs of Debian's package `prometheus`.
const PROGRAMS: [&str; 2] = ["prometheus", "promtool"];
/// Between two looks at something that takes its time.
const PAUSE: Timespec = Timespec {
    tv_sec: 0,
    tv_nsec: 200_000_000,
};
/// Looks before it is given up: a minute.
const LOOKS: usize = 300;

/// A program that ends with the trial.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        // Both fail where it has ended.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Runs the trial with a binary, and prints a row for each claim.
pub(crate) fn run(words: &[&str]) -> Result<bool> {
    let is_there = |program: &&str| Command::new(program).arg("--version").output().is_ok();
    if let Some(program) = PROGRAMS.iter().find(|program| !is_there(program)) {
        println!("skipped: there is no {program}; Debian has it in the package prometheus");
        return Ok(true);
    }
    let binary = PathBuf::from(words.first().unwrap_or(&"target/debug/fathom"));
    ensure!(binary.is_file(), "there is no {}", binary.display());
    let folder = tempfile::tempdir()?;
    let (_watch, address) = watch(&binary)?;
    let rules = folder.path().join("rules.yml");
    std::fs::write(&rules, generated(&binary, "prometheus-rules")?)?;
    let checked = promtool(&["check", "rules"], &rules)?;
    let metrics = folder.path().join("metrics.txt");
    std::fs::write(&metrics, got(&address, "/metrics")?)?;
    let linted = promtool(&["check", "metrics"], &metrics)?;
    let (_prometheus, server) = prometheus(folder.path(), &rules, &address)?;
    let up = waited(|| Ok(number(&asked(&server, "up{job=\"fathom\"}")?) == Some(1.0)))?;
    let causes = asked(&server, "count(fathom_throttled)")?;
    let alerts = serde_json::from_str::<Value>(&got(&server, "/api/v1/rules")?)?;
    let alerts = alerts["data"]["groups"][0]["rules"]
        .as_array()
        .map_or(0, Vec::len);
    let panels: Value = serde_json::from_str(&generated(&binary, "grafana")?)?;
    let refused = refused(&server, &panels)?;
    let rows = [
        ("promtool check rules", "no finding", checked),
        ("promtool check metrics", "no finding", linted),
        (
            "Prometheus scrapes it",
            "up",
            if up { "up" } else { "down" }.to_owned(),
        ),
        (
            "rows of fathom_throttled",
            "10",
            number(&causes).unwrap_or(0.0).to_string(),
        ),
        ("alerts that are loaded", "5", alerts.to_string()),
        (
            "expressions of the dashboard that are refused",
            "none",
            refused,
        ),
    ];
    println!("| claim | truth | seen |\n| --- | --- | --- |");
    for (claim, truth, seen) in &rows {
        println!("| {claim} | {truth} | {seen} |");
    }
    Ok(rows.iter().all(|(_, truth, seen)| truth == seen))
}

/// A monitor, and where it answers.
fn watch(binary: &Path) -> Result<(Running, String)> {
    let mut child = Command::new(binary)
        .args(["watch", "--listen", "127.0.0.1:0", "--cap", "mine=1000iops"])
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()?;
    let mut line = String::new();
    let stderr = child.stderr.take().context("a pipe")?;
    let running = Running(child);
    BufReader::new(stderr).read_line(&mut line)?;
    let address = line.trim().strip_prefix("metrics at http://");
    let address = address.and_then(|rest| rest.strip_suffix("/metrics"));
    let address = address.with_context(|| format!("it said {line}"))?;
    Ok((running, address.to_owned()))
}

fn generated(binary: &Path, kind: &str) -> Result<String> {
    let output = Command::new(binary).args(["generate", kind]).output()?;
    ensure!(output.status.success(), "generate {kind} failed");
    Ok(String::from_utf8(output.stdout)?)
}

/// What promtool finds in a file, which it gets as an argument and as its input.
fn promtool(words: &[&str], file: &Path) -> Result<String> {
    let mut command = Command::new("promtool");
    command.args(words).stdin(std::fs::File::open(file)?);
    if words.ends_with(&["rules"]) {
        command.arg(file);
    }
    let output = command.output()?;
    if output.status.success() {
        return Ok("no finding".to_owned());
    }
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    Ok(said.trim().replace('\n', "; "))
}

/// A server that asks the monitor each second, and where it answers.
fn prometheus(folder: &Path, rules: &Path, target: &str) -> Result<(Running, String)> {
    let config = folder.join("prometheus.yml");
    let text = format!(
        "global: {{scrape_interval: 1s, evaluation_interval: 1s}}\nrule_files: ['{}']\n\
         scrape_configs:\n- job_name: fathom\n  static_configs:\n  - targets: ['{target}']\n",
        rules.display()
    );
    std::fs::write(&config, text)?;
    // Free a moment ago; it takes no port 0 that it would tell.
    let port = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?
        .local_addr()?
        .port();
    let address = format!("127.0.0.1:{port}");
    let child = Command::new("prometheus")
        .arg(format!("--config.file={}", config.display()))
        .arg(format!(
            "--storage.tsdb.path={}",
            folder.join("data").display()
        ))
        .arg(format!("--web.listen-address={address}"))
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()?;
    let running = Running(child);
    let is_ready =
        waited(|| Ok(got(&address, "/-/ready").is_ok_and(|said| said.contains("Ready"))))?;
    ensure!(is_ready, "Prometheus did not start");
    Ok((running, address))
}

/// Whether something becomes true in time.
fn waited(mut is_true: impl FnMut() -> Result<bool>) -> Result<bool> {
    for _ in 0..LOOKS {
        if is_true()? {
            return Ok(true);
        }
        poll(&mut [], Some(&PAUSE))?;
    }
    Ok(false)
}

/// The body of an answer.
fn got(address: &str, path: &str) -> Result<String> {
    let mut stream = TcpStream::connect(address)?;
    stream.set_read_timeout(Some(Duration::from_secs(10)))?;
    write!(stream, "GET {path} HTTP/1.0\r\n\r\n")?;
    let mut text = String::new();
    stream.read_to_string(&mut text)?;
    let (_, body) = text.split_once("\r\n\r\n").context("no answer")?;
    Ok(body.to_owned())
}

/// The answer to an expression.
fn asked(server: &str, expr: &str) -> Result<Value> {
    let mut path = "/api/v1/query?query=".to_owned();
    for byte in expr.bytes() {
        write!(path, "%{byte:02X}")?;
    }
    let answer = got(server, &path)?;
    Ok(serde_json::from_str(&answer)?)
}

/// The first number of an answer.
fn number(answer: &Value) -> Option<f64> {
    answer["data"]["result"][0]["value"][1]
        .as_str()?
        .parse()
        .ok()
}

/// The expressions of a dashboard that the server refuses.
fn refused(server: &str, dashboard: &Value) -> Result<String> {
    let mut refused = Vec::new();
    let panels = dashboard["panels"].as_array().context("no panels")?;
    for target in panels
        .iter()
        .filter_map(|panel| panel["targets"].as_array())
        .flatten()
    {
        let expr = target["expr"].as_str().context("no expression")?;
        let chosen = expr
            .replace("$__rate_interval", "1m")
            .replace("$instance", ".*");
        if asked(server, &chosen)?["status"] != "success" {
            refused.push(expr);
        }
    }
    Ok(if refused.is_empty() {
        "none".to_owned()
    } else {
        refused.join("; ")
    })
}
