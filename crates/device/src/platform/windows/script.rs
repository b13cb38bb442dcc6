//! What only the tools of Windows tell, asked in PowerShell: virus scanner, encryption, storage
//! pools, cluster, power plan.

use std::io::{ErrorKind, Result};
use std::path::Path;

use super::{Calls, Printed, SCRIPT_LIMIT};
use crate::premises::{Premises, Scanned, StorageSpace};

/// Prints a line for each fact: its name, and values behind tabs. What is not installed, or not for
/// this user, prints none. The last line shows that nothing is missing.
pub(crate) const SCRIPT: &str = r#"
$ErrorActionPreference = 'SilentlyContinue'
$ProgressPreference = 'SilentlyContinue'
[Console]::OutputEncoding = [Text.Encoding]::UTF8
function say { $args -join "`t" }
if ((Get-MpComputerStatus).RealTimeProtectionEnabled) {
  say scanner on
  (Get-MpPreference).ExclusionPath | ForEach-Object { say excluded $_ }
}
$root = [IO.Path]::GetPathRoot($env:FATHOM_PATH).TrimEnd('\')
Get-BitLockerVolume -MountPoint $root | Where-Object VolumeStatus -ne 'FullyDecrypted' |
  ForEach-Object { say encryption "$($_.VolumeStatus) $($_.EncryptionMethod)" }
Get-StoragePool -IsPrimordial $false | Where-Object HealthStatus -ne 'Healthy' |
  ForEach-Object {
  say array "pool $($_.FriendlyName)" "$($_.HealthStatus), $($_.OperationalStatus)" }
Get-VirtualDisk | Where-Object HealthStatus -ne 'Healthy' | ForEach-Object {
  say array "virtual disk $($_.FriendlyName)" "$($_.HealthStatus), $($_.OperationalStatus)" }
$id = (Get-Volume -FilePath $env:FATHOM_PATH).UniqueId
function space { param($it)
  say space $it.FriendlyName $it.ResiliencySettingName $it.NumberOfColumns $it.Interleave `
    $it.NumberOfDataCopies }
if ($id) { Get-VirtualDisk | Where-Object {
    ($_ | Get-Disk | Get-Partition | Get-Volume).UniqueId -contains $id } |
  ForEach-Object { space $_; Get-StorageTier -VirtualDisk $_ | ForEach-Object { space $_ } } }
Get-StorageJob | Where-Object JobState -ne 'Completed' |
  ForEach-Object { say array "job $($_.Name)" "$($_.JobState), $($_.PercentComplete) % done" }
Get-ClusterSharedVolume | ForEach-Object { $node = $_.OwnerNode.Name
  $_.SharedVolumeInfo | ForEach-Object { say volume $_.FriendlyVolumeName $node } }
Get-ClusterSharedVolumeState -Node $env:COMPUTERNAME |
  ForEach-Object { say state $_.VolumeFriendlyName $_.StateInfo $_.Name }
say plan "$(powercfg /getactivescheme)"
say end
"#;

/// Plans that do not save power, by their number: high and ultimate performance.
const FAST_PLANS: [&str; 2] = [
    "8c5e7fda-e8bf-4a96-9a85-a6e23a8c635c",
    "e9a42b02-d5df-448d-aa00-03f14749eb61",
];

/// The folder below which cluster shared volumes are.
const SHARED: &str = r"ClusterStorage\";

/// What the script says of a path.
pub(crate) fn ask(calls: &impl Calls, path: &Path) -> Premises {
    let printed = match calls.script(SCRIPT, path) {
        Ok(printed) => printed,
        Err(error) => {
            let why = match error.kind() {
                ErrorKind::TimedOut => {
                    format!("did not answer within {} s", SCRIPT_LIMIT.as_secs())
                }
                ErrorKind::NotFound => "was not found".to_owned(),
                _ => format!("could not be used: {error}"),
            };
            return Premises {
                silent: Some(format!("PowerShell {why}")),
                ..Premises::default()
            };
        }
    };
    let host = calls.variable("COMPUTERNAME").unwrap_or_default();
    let (found, puzzle) = read(&printed.text, &path.to_string_lossy(), &host);
    Premises {
        silent: unanswered(&printed, puzzle).map(|why| format!("PowerShell {why}")),
        ..found
    }
}

/// Why some of the answer is missing, if it is. What was understood is known nevertheless.
fn unanswered(printed: &Printed, puzzle: Option<&str>) -> Option<String> {
    if let Some(status) = &printed.failure {
        return Some(format!("failed ({status})"));
    }
    if let Some(line) = puzzle {
        return Some(format!(
            "printed `{line}`, which Fathom does not understand"
        ));
    }
    let is_whole = lines(&printed.text).last() == Some(vec!["end"]);
    (!is_whole).then(|| "ended before it had answered all questions".to_owned())
}

/// The programs that have a file open as a sentence names them, or why they are not known.
pub(super) fn openers(found: Result<Vec<(u32, String)>>) -> (Vec<String>, Option<String>) {
    match found {
        Ok(found) => {
            let named = found.into_iter();
            let named = named.map(|(process, name)| format!("{name} (process {process})"));
            (named.collect(), None)
        }
        Err(error) => {
            let why = format!("The Restart Manager could not be used: {error}");
            (Vec::new(), Some(why))
        }
    }
}

/// The words of each line. Some versions print a byte order mark before the first.
fn lines(printed: &str) -> impl Iterator<Item = Vec<&str>> {
    let lines = printed.trim_start_matches('\u{feff}').lines();
    let lines = lines.map(str::trim_end).filter(|line| !line.is_empty());
    lines.map(|line| line.split('\t').collect())
}

/// What the lines say, and the first that says nothing known.
fn read<'a>(printed: &'a str, path: &str, host: &str) -> (Premises, Option<&'a str>) {
    let path = path.strip_prefix(r"\\?\").unwrap_or(path);
    let mut found = Premises::default();
    let mut puzzle = None;
    for words in lines(printed) {
        if understand(&words, path, host, &mut found).is_none() {
            puzzle = puzzle.or(words.first().copied());
        }
    }
    (found, puzzle)
}

/// Takes what a line says; none if it says nothing known.
fn understand(words: &[&str], path: &str, host: &str, found: &mut Premises) -> Option<()> {
    match *words {
        // Nothing is excluded, or the plan is not for this user.
        ["end" | "excluded" | "plan"] => {}
        ["scanner", "on"] => found.scanned = Some(Scanned::Surely),
        // A path cannot begin so.
        ["excluded", why] if why.starts_with("N/A") => found.scanned = Some(Scanned::Perhaps),
        ["excluded", excluded] => {
            found.scanned = found.scanned.filter(|_| !is_below(path, excluded));
        }
        ["encryption", state] => found.encryption = Some(state.trim().to_owned()),
        ["space", name, ref layout @ ..] => {
            let space = space(name, layout)?;
            // One that has tiers has none of its own.
            if space.columns > 0 {
                found.spaces.push(space);
            }
        }
        ["array", name, state] => found.arrays.push((name.to_owned(), state.to_owned())),
        ["volume", volume, owner] => {
            if is_on(path, volume) && !owner.eq_ignore_ascii_case(host) {
                found.owner = Some(owner.to_owned());
            }
        }
        ["state", volume, state, ..] => {
            if is_on(path, volume) && state != "Direct" {
                found.redirected = Some(state.to_owned());
            }
        }
        ["plan", plan] => {
            let (_, name) = plan.rsplit_once('(')?;
            let name = name.strip_suffix(')')?;
            let is_fast = FAST_PLANS.iter().any(|fast| plan.contains(fast));
            found.power_plan = (!is_fast).then(|| name.to_owned());
        }
        _ => return None,
    }
    Some(())
}

/// A Storage Space or a tier: its resiliency, columns and interleave, and perhaps its copies. None
/// if it is not understood.
fn space(name: &str, layout: &[&str]) -> Option<StorageSpace> {
    // Words at the end that are empty were cut off.
    let word = |at: usize| layout.get(at).copied().unwrap_or_default();
    let number = |at: usize| match word(at) {
        "" => Some(0),
        text => text.parse::<u64>().ok(),
    };
    let [columns, interleave_bytes, copies] = [number(1)?, number(2)?, number(3)?];
    Some(StorageSpace {
        name: name.to_owned(),
        resiliency: word(0).to_owned(),
        columns: u32::try_from(columns).ok()?,
        interleave_bytes,
        copies: u32::try_from(copies).ok().filter(|copies| *copies > 0),
    })
}

/// Whether a path is that folder or file, or lies below it.
fn is_below(path: &str, folder: &str) -> bool {
    let (path, folder) = (path.to_lowercase(), folder.to_lowercase());
    let rest = path.strip_prefix(folder.trim_end_matches('\\'));
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('\\'))
}

/// Whether a path lies on a cluster shared volume, which is named by its folder, with or without
/// what is before it.
fn is_on(path: &str, volume: &str) -> bool {
    let name = |text: &str| {
        let at = text.find(SHARED)? + SHARED.len();
        Some(text[at..].split('\\').next()?.to_lowercase())
    };
    let of_volume = name(volume).unwrap_or_else(|| volume.to_lowercase());
    name(path).is_some_and(|of_path| of_path == of_volume)
}

#[cfg(test)]
mod tests {
    use super::super::fake::Fake;
    use super::*;

    fn printed(path: &str, text: &str, failure: Option<&str>) -> Premises {
        let calls = Fake {
            script: Printed {
                text: text.to_owned(),
                failure: failure.map(str::to_owned),
            },
            ..Fake::default()
        };
        ask(&calls, Path::new(path))
    }

    /// Of a script that comes to its end.
    fn premises(path: &str, script: &str) -> Premises {
        let all = format!("\u{feff}{}\r\nend\r\n", script.trim_end());
        printed(path, &all, None)
    }

    #[test]
    fn a_path_that_is_excluded_is_not_scanned() {
        let scanned = |excluded: &str| {
            let printed = format!("scanner\ton\r\n{excluded}");
            premises(r"\\?\R:\Temp\io.dat", &printed).scanned
        };
        assert_eq!(scanned(""), Some(Scanned::Surely));
        assert_eq!(scanned("excluded\t\r\n"), Some(Scanned::Surely));
        assert_eq!(scanned("excluded\tr:\\temp\r\n"), None);
        assert_eq!(scanned("excluded\tR:\\\r\n"), None);
        assert_eq!(scanned("excluded\tR:\\Tem\r\n"), Some(Scanned::Surely));
        let hidden = "excluded\tN/A: Must be an administrator to view exclusions\r\n";
        assert_eq!(scanned(hidden), Some(Scanned::Perhaps));
        assert_eq!(premises(r"R:\a", "").scanned, None);
    }

    #[test]
    fn a_space_and_its_tiers_say_how_they_lie_on_their_disks() {
        let printed = "space\tData\tMirror\t4\t262144\t2\r\n\
                       space\tTiered\t\t\t\t\r\n\
                       space\tTiered-Capacity\tParity\t7\t65536\t\r\n\
                       space\tZero\tSimple\t0\t262144\t1\r\n";
        let space =
            |name: &str, resiliency: &str, columns, interleave_bytes, copies| StorageSpace {
                name: name.to_owned(),
                resiliency: resiliency.to_owned(),
                columns,
                interleave_bytes,
                copies,
            };
        let expected = [
            space("Data", "Mirror", 4, 262_144, Some(2)),
            space("Tiered-Capacity", "Parity", 7, 65_536, None),
        ];
        assert_eq!(premises(r"E:\a", printed).spaces, expected);
    }

    #[test]
    fn a_script_that_does_not_answer_is_no_empty_answer() {
        let silent = |kind| {
            let calls = Fake {
                silent: Some(kind),
                ..Fake::default()
            };
            ask(&calls, Path::new(r"E:\a")).silent.unwrap_or_default()
        };
        let kinds = [
            ErrorKind::NotFound,
            ErrorKind::TimedOut,
            ErrorKind::PermissionDenied,
        ];
        let expected = [
            "PowerShell was not found",
            "PowerShell did not answer within 60 s",
            "PowerShell could not be used: permission denied",
        ];
        assert_eq!(kinds.map(silent), expected);
    }

    #[test]
    fn an_answer_that_fails_or_is_not_understood_is_not_that_of_a_clean_machine() {
        let silent = |text: &str, failure| printed(r"E:\a", text, failure).silent;
        let failed = Some("PowerShell failed (exit code: 1)".to_owned());
        for text in ["", "end\r\n", "scanner\ton\r\n", "gibberish\r\n"] {
            assert_eq!(silent(text, Some("exit code: 1")), failed, "{text:?}");
        }
        let cut = Some("PowerShell ended before it had answered all questions".to_owned());
        for text in ["", "\r\n", "scanner\ton\r\n", "end\r\nscanner\ton\r\n"] {
            assert_eq!(silent(text, None), cut, "{text:?}");
        }
        for (line, word) in [
            ("Access is denied.", "Access is denied."),
            ("scanner\tmaybe", "scanner"),
            ("space\tData\tMirror\tmany\t262144\t2", "space"),
            ("volume\tE:", "volume"),
            ("plan\tnothing known", "plan"),
            ("plan\ta\tb", "plan"),
        ] {
            let why = format!("PowerShell printed `{word}`, which Fathom does not understand");
            let text = format!("plan\r\n{line}\r\nother\r\nend\r\n");
            assert_eq!(silent(&text, None), Some(why), "{line}");
        }
        assert_eq!(silent("plan\t\r\nend\r\n", None), None);
        // What was understood before is known.
        let found = printed(r"E:\a", "scanner\ton\r\n", Some("exit code: 1"));
        let expected = Premises {
            scanned: Some(Scanned::Surely),
            silent: failed,
            ..Premises::default()
        };
        assert_eq!(found, expected);
    }

    #[test]
    fn programs_that_cannot_be_asked_for_are_not_none() {
        let found = openers(Ok(vec![(1234, "sqlservr.exe".to_owned())]));
        let named = vec!["sqlservr.exe (process 1234)".to_owned()];
        assert_eq!(found, (named, None));
        let found = openers(Err(ErrorKind::NotFound.into()));
        let why = "The Restart Manager could not be used: entity not found".to_owned();
        assert_eq!(found, (Vec::new(), Some(why)));
    }

    #[test]
    fn a_volume_of_another_node_and_what_is_not_at_rest_are_named() {
        let printed = "encryption\tFullyEncrypted XtsAes256\r\n\
                    array\tpool S2D\tWarning, Degraded\r\n\
                    array\tjob Repair\tRunning, 45 % done\r\n\
                    volume\tC:\\ClusterStorage\\Volume1\tNODE2\r\n\
                    volume\tC:\\ClusterStorage\\Volume2\tNODE1\r\n\
                    state\tVolume1\tFileSystemRedirected\tCluster Virtual Disk\r\n\
                    plan\tPower Scheme GUID: 381b4222-f694-41f0-9685-ff5bb260df2e  (Balanced)\r\n";
        let pair = |a: &str, b: &str| (a.to_owned(), b.to_owned());
        let everywhere = Premises {
            encryption: Some("FullyEncrypted XtsAes256".to_owned()),
            arrays: vec![
                pair("pool S2D", "Warning, Degraded"),
                pair("job Repair", "Running, 45 % done"),
            ],
            power_plan: Some("Balanced".to_owned()),
            ..Premises::default()
        };
        let on_first = Premises {
            owner: Some("NODE2".to_owned()),
            redirected: Some("FileSystemRedirected".to_owned()),
            ..everywhere.clone()
        };
        assert_eq!(
            premises(r"C:\ClusterStorage\Volume1\io.dat", printed),
            on_first
        );
        assert_eq!(
            premises(r"C:\ClusterStorage\Volume2\io.dat", printed),
            everywhere
        );
        let fast = "plan\tGUID: 8c5e7fda-e8bf-4a96-9a85-a6e23a8c635c  (High performance)\r\n\
                    state\tVolume1\tDirect\tDisk\r\n";
        let quiet = premises(r"C:\ClusterStorage\Volume1\io.dat", fast);
        assert_eq!(quiet, Premises::default());
    }
}
