//! What only the tools of Windows tell, asked in PowerShell: virus scanner, encryption, storage
//! pools, cluster, power plan.

use std::io::ErrorKind;
use std::path::Path;

use super::Calls;
use crate::premises::{Premises, Scanned, StorageSpace};

/// Prints a line for each fact: its name, and values behind tabs. What is not installed, or not for
/// this user, prints none.
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
say plan (powercfg /getactivescheme)
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
    let (printed, silent) = match calls.script(SCRIPT, path) {
        Ok(printed) => (printed, None),
        // A system without PowerShell has no scanner, pool or cluster that it could report.
        Err(error) if error.kind() == ErrorKind::NotFound => (String::new(), None),
        Err(error) => (String::new(), Some(format!("PowerShell {error}"))),
    };
    let host = calls.variable("COMPUTERNAME").unwrap_or_default();
    Premises {
        silent,
        ..read(&printed, &path.to_string_lossy(), &host)
    }
}

fn read(printed: &str, path: &str, host: &str) -> Premises {
    let path = path.strip_prefix(r"\\?\").unwrap_or(path);
    let mut found = Premises::default();
    for line in printed.lines() {
        let words: Vec<&str> = line.trim_end().split('\t').collect();
        match *words {
            ["scanner", "on"] => found.scanned = Some(Scanned::Surely),
            // A path cannot begin so.
            ["excluded", why] if why.starts_with("N/A") => found.scanned = Some(Scanned::Perhaps),
            ["excluded", excluded] if is_below(path, excluded) => found.scanned = None,
            ["encryption", state] => found.encryption = Some(state.trim().to_owned()),
            [
                "space",
                name,
                resiliency,
                columns,
                interleave,
                ref copies @ ..,
            ] => {
                found
                    .spaces
                    .extend(space([name, resiliency, columns, interleave], copies));
            }
            ["array", name, state] => found.arrays.push((name.to_owned(), state.to_owned())),
            ["volume", volume, owner]
                if is_on(path, volume) && !owner.eq_ignore_ascii_case(host) =>
            {
                found.owner = Some(owner.to_owned());
            }
            ["state", volume, state, ..] if is_on(path, volume) && state != "Direct" => {
                found.redirected = Some(state.to_owned());
            }
            ["plan", plan] if !FAST_PLANS.iter().any(|fast| plan.contains(fast)) => {
                let name = plan
                    .rsplit_once('(')
                    .and_then(|(_, name)| name.strip_suffix(')'));
                found.power_plan = name.map(str::to_owned);
            }
            _ => {}
        }
    }
    found
}

/// A Storage Space or a tier; none of a space that has tiers, whose columns are theirs.
fn space(
    [name, resiliency, columns, interleave]: [&str; 4],
    copies: &[&str],
) -> Option<StorageSpace> {
    Some(StorageSpace {
        name: name.to_owned(),
        resiliency: resiliency.to_owned(),
        columns: columns.parse().ok().filter(|columns| *columns > 0)?,
        interleave_bytes: interleave.parse().ok()?,
        copies: copies.first().and_then(|copies| copies.parse().ok()),
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

    fn premises(path: &str, script: &str) -> Premises {
        let calls = Fake {
            script: script.to_owned(),
            ..Fake::default()
        };
        ask(&calls, Path::new(path))
    }

    #[test]
    fn a_path_that_is_excluded_is_not_scanned() {
        let scanned = |excluded: &str| {
            let printed = format!("scanner\ton\r\n{excluded}");
            premises(r"\\?\R:\Temp\io.dat", &printed).scanned
        };
        assert_eq!(scanned(""), Some(Scanned::Surely));
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
            ask(&calls, Path::new(r"E:\a")).silent
        };
        assert_eq!(silent(ErrorKind::NotFound), None);
        let late = Some("PowerShell did not answer within 60 s".to_owned());
        assert_eq!(silent(ErrorKind::TimedOut), late);
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
