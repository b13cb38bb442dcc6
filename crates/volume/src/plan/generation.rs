//! Machines that their vendor counts among older ones, and the nearest current machine.

use super::Need;
use super::cost::Scope;
use super::machines::{Machine, Machines};
use super::offer::Ordered;
use crate::catalog::{Cloud, Date, bare};
use fathom_core::figure;
use std::fmt::Write as _;

/// The day from which on it is said: none of the sources states since when a family is older.
pub(super) const SINCE: Date = jiff::civil::date(2025, 1, 1);

/// Families for which EC2 answers `CurrentGeneration: false` and which its page of previous
/// generation instances has, or had with their series.
const OF_AWS: [&str; 13] = [
    "a1", "c1", "c3", "c4", "d2", "i2", "m1", "m2", "m3", "m4", "r3", "r4", "t1",
];

/// What a vendor says of a machine by its name, where it counts it among older ones.
pub(super) fn older(name: &str) -> Option<&'static str> {
    if let Some(own) = name.strip_prefix("Standard_") {
        return is_retired(own).then_some("is of a series that Azure retires in 2028");
    }
    let own = name.strip_prefix("db.").unwrap_or(name);
    if let Some((family, _)) = own.split_once('.') {
        let is_older = OF_AWS.contains(&family);
        return is_older.then_some("is a previous generation instance (the term of AWS)");
    }
    let series = own.split('-').next().unwrap_or_default();
    let is_older = ["n1", "f1", "g1"].contains(&series);
    is_older.then_some("is of N1, Google's first generation")
}

/// Series whose retirement in 2028 Azure has announced: Av2, Bv1, D and Ds to v2, F, Fs, Fsv2, G,
/// Gs, Ls, Lsv2.
fn is_retired(name: &str) -> bool {
    let begin = name
        .find(|c: char| c.is_ascii_digit())
        .unwrap_or(name.len());
    let (letters, rest) = name.split_at(begin);
    let rest = rest.trim_start_matches(|c: char| c.is_ascii_digit());
    // A size with fewer processors is `DS11-1_v2`.
    let rest = rest.trim_start_matches(|c: char| c == '-' || c.is_ascii_digit());
    match letters {
        "A" => ["_v2", "m_v2"].contains(&rest),
        "B" => ["s", "ms", "ls"].contains(&rest),
        "D" | "DS" => ["", "_v2"].contains(&rest),
        "G" | "GS" => rest.is_empty(),
        "F" => ["", "s", "s_v2"].contains(&rest),
        "L" => ["s", "s_v2"].contains(&rest),
        _ => false,
    }
}

impl Machines<'_> {
    /// The cheapest current one that is no smaller than an older one, and of its architecture.
    pub(super) fn find_current(
        &self,
        cloud: Cloud,
        volumes: &[&Ordered],
        need: &Need,
        of: &Machine,
    ) -> Option<Machine> {
        self.find_where(cloud, volumes, need, need, &|row| {
            older(&row.name).is_none()
                && row.active_vcpus.or(row.vcpus) >= of.vcpus
                && row.memory_mib >= of.memory_mib
                && row.arch == of.arch
        })
    }
}

/// `m4.large is a previous generation instance (the term of AWS). The cheapest other one as large
/// is m7g.large: 59.57 USD a month, 13.43 less`.
pub(super) fn sentence(machine: &Machine, other: Option<&Machine>, scope: Scope) -> Option<String> {
    let mut text = format!("{} {}", machine.in_words(), older(&machine.name)?);
    let both = other.and_then(|other| Some((other, other.price.as_ref()?)));
    if let Some((other, price)) = both.filter(|_| scope != Scope::Disks) {
        let month = price.month();
        let _ = write!(
            text,
            ". The cheapest current machine that is as large and lets this load through is {}: {} \
             {} a month",
            bare(&other.name),
            figure::decimal(month, 2),
            price.currency
        );
        if let Some(own) = &machine.price {
            let more = month - own.month();
            let word = if more < 0.0 { "less" } else { "more" };
            let _ = write!(text, ", {} {word}", figure::decimal(more.abs(), 2));
        }
    }
    Some(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn older_machines_are_known_by_their_names() {
        let old = [
            "m4.large",
            "t1.micro",
            "db.r3.large",
            "db.m1.small",
            "n1-standard-4",
            "f1-micro",
            "Standard_A2m_v2",
            "Standard_B2ms",
            "Standard_B1ls",
            "Standard_DS2_v2",
            "Standard_DS11-1_v2",
            "Standard_DS4",
            "Standard_F4s_v2",
            "Standard_F8",
            "Standard_L8s",
            "Standard_L8s_v2",
            "Standard_GS5",
        ];
        let new = [
            "m5.large",
            "t3.micro",
            "i3.large",
            "db.m6g.large",
            "n2-standard-4",
            "e2-micro",
            "Standard_B2ms_v2",
            "Standard_B2as_v2",
            "Standard_D2_v5",
            "Standard_D2s_v3",
            "Standard_DC2s_v3",
            "Standard_F4as_v6",
            "Standard_L8s_v3",
            "Standard_M64s",
        ];
        let missed: Vec<&str> = old
            .into_iter()
            .filter(|name| older(name).is_none())
            .collect();
        let wrong: Vec<&str> = new
            .into_iter()
            .filter(|name| older(name).is_some())
            .collect();
        assert_eq!((missed, wrong), (Vec::new(), Vec::new()));
    }
}
