//! Exceptions from the rules, each with its reason.

use anyhow::{Context, Result};
use serde::Deserialize;

use crate::finding::{Finding, Rule};

/// Where the exceptions stand.
pub(super) const LIST: &str = "xtask/tidy.toml";

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Exceptions {
    #[serde(default)]
    allow: Vec<Exception>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Exception {
    rule: Rule,
    path: String,
    reason: String,
}

/// Takes away what the list excuses, and adds what is wrong with the list.
pub(super) fn apply(list: &str, findings: Vec<Finding>) -> Result<Vec<Finding>> {
    let list: Exceptions = toml::from_str(list).with_context(|| format!("cannot read {LIST}"))?;
    let mut used = vec![false; list.allow.len()];
    let mut kept = Vec::new();
    for finding in findings {
        let excuse = list
            .allow
            .iter()
            .position(|allow| allow.rule == finding.rule && allow.path == finding.path);
        match excuse {
            Some(index) => used[index] = true,
            None => kept.push(finding),
        }
    }
    for (allow, used) in list.allow.iter().zip(used) {
        let rule = allow.rule;
        if !used {
            let message = format!("{} no longer breaks the rule `{rule}`", allow.path);
            kept.push(Finding::new(LIST, 0, Rule::Exception, message));
        }
        if allow.reason.trim().is_empty() {
            let message = format!("{} may break the rule `{rule}` for no reason", allow.path);
            kept.push(Finding::new(LIST, 0, Rule::Exception, message));
        }
    }
    Ok(kept)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn finding(path: &str, rule: Rule) -> Finding {
        Finding::new(path, 3, rule, "found")
    }

    #[test]
    fn an_exception_excuses_one_rule_in_one_file() {
        let list = "[[allow]]\nrule = \"length\"\npath = \"a.rs\"\nreason = \"a table\"\n";
        let findings = vec![
            finding("a.rs", Rule::Length),
            finding("a.rs", Rule::Width),
            finding("b.rs", Rule::Length),
        ];
        let kept = vec![finding("a.rs", Rule::Width), finding("b.rs", Rule::Length)];
        assert_eq!(apply(list, findings).unwrap(), kept);
    }

    #[test]
    fn an_idle_or_unreasoned_exception_is_a_finding() {
        let list = "[[allow]]\nrule = \"word\"\npath = \"a.rs\"\nreason = \" \"\n";
        let expected = vec![
            Finding::new(
                LIST,
                0,
                Rule::Exception,
                "a.rs no longer breaks the rule `word`",
            ),
            Finding::new(
                LIST,
                0,
                Rule::Exception,
                "a.rs may break the rule `word` for no reason",
            ),
        ];
        assert_eq!(apply(list, Vec::new()).unwrap(), expected);
    }
}
