//! What the sides and the runs of one page are called: as the user called them, else by the first
//! thing that differs.

use fathom_core::result::RunResult;
use fathom_core::selector::RunSelector;
use fathom_report::{NamedRun, NamedSide};

/// Runs that the user named together.
pub(super) struct Side {
    name: String,
    runs: Vec<(String, RunResult)>,
}

impl Side {
    pub(super) fn named(&self) -> NamedSide<'_> {
        let runs = self.runs.iter();
        let runs = runs.map(|(label, result)| NamedRun { label, result });
        NamedSide {
            name: &self.name,
            runs: runs.collect(),
        }
    }
}

/// The sides of the page, with their names. The runs of a single name are a side each.
pub(super) fn sides(mut groups: Vec<(String, Vec<RunResult>)>) -> Vec<Side> {
    groups.retain(|(_, runs)| !runs.is_empty());
    if let [(name, runs)] = &mut groups[..] {
        let runs = std::mem::take(runs);
        let all: Vec<&RunResult> = runs.iter().collect();
        let word = called(name).unwrap_or_else(|| "run".to_owned());
        let labels = apart(&all, false).unwrap_or_else(|| numbered(&word, runs.len()));
        let sides = labels.into_iter().zip(runs);
        return sides
            .map(|(name, run)| Side {
                runs: vec![(name.clone(), run)],
                name,
            })
            .collect();
    }
    let names = side_names(&groups);
    let sides = names.into_iter().zip(groups);
    sides
        .map(|(name, (_, runs))| {
            let labels = match runs.len() {
                1 => vec![name.clone()],
                count => numbered(&name, count),
            };
            Side {
                runs: labels.into_iter().zip(runs).collect(),
                name,
            }
        })
        .collect()
}

/// `tag 1`, `tag 2`.
fn numbered(word: &str, count: usize) -> Vec<String> {
    (1..=count).map(|index| format!("{word} {index}")).collect()
}

/// Tags and files by their names; other runs by what differs, and the same run
/// named twice by a number.
fn side_names(groups: &[(String, Vec<RunResult>)]) -> Vec<String> {
    let named: Vec<Option<String>> = groups.iter().map(|(name, _)| called(name)).collect();
    let is_taken_twice = |name: &Option<String>| {
        name.is_some() && named.iter().filter(|other| *other == name).count() > 1
    };
    let unnamed = named.iter().any(Option::is_none) || named.iter().any(is_taken_twice);
    let firsts: Vec<&RunResult> = groups.iter().map(|(_, runs)| &runs[0]).collect();
    let words = unnamed.then(|| apart(&firsts, true)).flatten();
    let all = named.iter().enumerate().map(|(index, name)| {
        let own = name.clone().filter(|_| !is_taken_twice(name));
        let words = || words.as_ref().map(|words| words[index].clone());
        own.or_else(words)
            .unwrap_or_else(|| format!("run {}", index + 1))
    });
    let all: Vec<String> = all.collect();
    if is_apart(&all) {
        all
    } else {
        numbered("run", all.len())
    }
}

/// The user's own word for runs: the stem of a file, a tag.
fn called(name: &str) -> Option<String> {
    match name.parse() {
        Ok(RunSelector::File(path)) => Some(path.file_stem()?.to_string_lossy().into_owned()),
        Ok(RunSelector::Tag(tag)) => Some(tag),
        _ => None,
    }
}

/// The words of the first thing that differs in all runs; none for runs that are the same.
fn apart(runs: &[&RunResult], by_time: bool) -> Option<Vec<String>> {
    let words: [fn(&RunResult) -> String; 5] = [
        |run| run.provenance.declared.join(", "),
        |run| run.provenance.workload.name.clone(),
        |run| run.provenance.disk(),
        |run| run.provenance.place(),
        |run| run.provenance.host.hostname.clone(),
    ];
    let of = |word: fn(&RunResult) -> String| runs.iter().map(|run| word(run)).collect();
    let all = words.into_iter().map(of);
    let times = by_time.then(|| begins(runs));
    let ids = by_time.then(|| runs.iter().map(|run| run.run_id.clone()).collect());
    let mut all = all.chain(times).chain(ids);
    all.find(|labels: &Vec<String>| is_apart(labels))
}

fn is_apart(labels: &[String]) -> bool {
    let mut pairs = labels.iter().enumerate();
    pairs.all(|(index, label)| !label.is_empty() && !labels[..index].contains(label))
}

/// When runs began, without what is the same in all: the day, and the fraction of a second.
fn begins(runs: &[&RunResult]) -> Vec<String> {
    let starts = runs.iter().map(|run| run.provenance.started_at.as_str());
    let starts: Vec<&str> = starts.map(|start| start.trim_end_matches('Z')).collect();
    let [(days, times), short]: [(Vec<&str>, Vec<&str>); 2] = [
        starts
            .iter()
            .map(|start| start.split_once('T').unwrap_or((start, "")))
            .unzip(),
        starts
            .iter()
            .map(|start| start.split_once('.').unwrap_or((start, "")))
            .unzip(),
    ];
    let is_one_day = days.windows(2).all(|pair| pair[0] == pair[1]);
    let seconds: Vec<String> = short.0.iter().map(|&start| start.to_owned()).collect();
    let is_short = is_apart(&seconds);
    let word = |index: usize| {
        let time = times[index];
        let time = if is_short {
            time.split('.').next().unwrap_or(time)
        } else {
            time
        };
        if is_one_day {
            time.to_owned()
        } else {
            format!("{} {time}", days[index])
        }
    };
    (0..starts.len()).map(word).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use fathom_core::fixture;

    fn run(id: &str, start: &str) -> RunResult {
        let mut run = fixture::random_read();
        run.run_id = format!("20260301T120000Z-{id}");
        run.provenance.started_at = start.to_owned();
        run
    }

    fn two() -> [RunResult; 2] {
        [
            run("7f3a9c44e0b2", "2026-03-01T12:00:00.120Z"),
            run("81d2aa00ffee", "2026-03-01T12:00:07.450Z"),
        ]
    }

    /// The name of each side with the labels of its runs.
    fn found(groups: Vec<(&str, Vec<RunResult>)>) -> Vec<(String, Vec<String>)> {
        let groups = groups.into_iter();
        let groups = groups.map(|(name, runs)| (name.to_owned(), runs));
        let sides = sides(groups.collect()).into_iter();
        sides
            .map(|side| (side.name, side.runs.into_iter().map(|run| run.0).collect()))
            .collect()
    }

    fn names(words: [&str; 2], runs: [RunResult; 2]) -> Vec<String> {
        let [one, other] = runs;
        let groups = vec![(words[0], vec![one]), (words[1], vec![other])];
        found(groups).into_iter().map(|(name, _)| name).collect()
    }

    #[test]
    fn sides_are_called_as_the_user_called_them() {
        assert_eq!(
            names(["a/before.json", "tag:after"], two()),
            ["before", "after"]
        );
        let [one, other] = two();
        let groups = vec![
            ("tag:simA", vec![one.clone(), other.clone()]),
            ("tag:simB", vec![other]),
        ];
        let expected = [("simA", vec!["simA 1", "simA 2"]), ("simB", vec!["simB"])];
        let expected = expected.map(|(name, runs)| {
            let runs = runs.into_iter().map(str::to_owned);
            (name.to_owned(), runs.collect::<Vec<_>>())
        });
        assert_eq!(found(groups), expected);
    }

    #[test]
    fn other_runs_are_called_by_the_first_thing_that_differs() {
        let change = |by: fn(&mut RunResult)| {
            let mut both = two();
            by(&mut both[1]);
            names(["@latest~1", "81d"], both)
        };
        assert_eq!(change(|_| {}), ["12:00:00", "12:00:07"]);
        let place = change(|run| run.provenance.targets[0].path = "/mnt/fathom-data.dat".into());
        assert_eq!(place, ["/data", "/mnt"]);
        let work = change(|run| run.provenance.workload.name = "other".into());
        assert_eq!(work, ["random-read", "other"]);
        let close = change(|run| run.provenance.started_at = "2026-03-01T12:00:00.450Z".into());
        assert_eq!(close, ["12:00:00.120", "12:00:00.450"]);
        let day = change(|run| run.provenance.started_at = "2026-03-02T12:00:00.120Z".into());
        assert_eq!(day, ["2026-03-01 12:00:00", "2026-03-02 12:00:00"]);
        // One of the two is named, and what differs is no property that both share.
        let mut both = two();
        both[1].provenance.workload.name = "other".to_owned();
        assert_eq!(names(["tag:real", "81d"], both), ["real", "other"]);
    }

    #[test]
    fn the_same_run_twice_has_two_names() {
        let [one, _] = two();
        assert_eq!(
            names(["@latest", "@latest"], [one.clone(), one]),
            ["run 1", "run 2"]
        );
    }

    #[test]
    fn runs_of_one_name_are_a_side_each() {
        let sides = found(vec![("bundle.json", two().to_vec())]);
        let expected =
            ["bundle 1", "bundle 2"].map(|name| (name.to_owned(), vec![name.to_owned()]));
        assert_eq!(sides, expected);
    }
}
