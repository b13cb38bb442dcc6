//! What a command line changes in the profile that it names.

use super::argv::{ProfileFile, Seed};
use super::profile::Profile;
use super::source::Source;
use fathom_tools::diagnostic::Diagnostic;

/// Lets the command line's own values go before those of the profile.
pub(super) fn apply(file: &ProfileFile, line: &Profile, profile: &mut Profile) {
    profile.verbose |= line.verbose;
    profile.verbose_stats |= line.verbose_stats;
    profile.print_only = line.print_only;
    if file.has_format {
        profile.format = line.format;
    }
    if file.has_experiment_flags {
        profile.experiment_flags = line.experiment_flags;
    }
    for span in &mut profile.spans {
        span.duration_s = file.duration_s.unwrap_or(span.duration_s);
        span.warm_up_s = file.warm_up_s.unwrap_or(span.warm_up_s);
        span.cool_down_s = file.cool_down_s.unwrap_or(span.cool_down_s);
        if let Some(seed) = file.seed {
            (span.fresh_seed, span.seed) = match seed {
                Seed::Fresh => (true, 0),
                Seed::Number(seed) => (false, seed),
            };
        }
    }
}

/// Puts the targets of the command line in the places `*1`, `*2`, … of the profile.
pub(super) fn substitute(
    file: &ProfileFile,
    line: &Source,
    profile: &mut Profile,
) -> Result<(), Vec<Diagnostic>> {
    let mut missing = None;
    let mut used = vec![false; file.targets.len()];
    for target in profile.spans.iter_mut().flat_map(|span| &mut span.targets) {
        let Some(number) = target.path.strip_prefix('*') else {
            continue;
        };
        let index = number.parse::<usize>().ok().and_then(|n| n.checked_sub(1));
        match index.and_then(|index| Some((index, file.targets.get(index)?))) {
            Some((index, path)) => {
                target.path.clone_from(path);
                used[index] = true;
            }
            None => missing = Some(target.path.clone()),
        }
    }
    let place = line.word(file.word);
    // Without any target a profile with such places can be shown, and not run.
    if let Some(path) = missing.filter(|_| !profile.print_only || !used.is_empty()) {
        let message = format!("no target is given for `{path}` of the profile");
        let remedy = "name as many targets after the profile as it has places";
        return Err(vec![line.error(place, message, remedy)]);
    }
    if let Some(index) = used.iter().position(|used| !used) {
        let (path, number) = (&file.targets[index], index + 1);
        let message = format!("the profile has no place `*{number}` for the target `{path}`");
        let remedy = "leave the target out, or write `*1`, `*2`, … as paths in the profile";
        return Err(vec![line.error(place, message, remedy)]);
    }
    Ok(())
}
