//! The fields of a rule of the steady state.

use super::parts::{MS, group};
use super::{Default, Group, Kind, Word, fields, word};

static METRICS: [Word; 3] = [
    word("iops", "Requests a second"),
    word("throughput", "Bytes a second"),
    word("service_time", "Mean service time"),
];

/// Of `steady`; what it leaves out is as SNIA has it.
pub static STEADY: Group = group(
    "steady",
    fields! {
        "metric": Kind::Word(&METRICS), Default::Given("\"iops\""), "metric to evaluate";
        "round": Kind::Time, Default::Given("\"60s\""), "length of a round"
            .from(100 * MS, u64::MAX);
        "rounds": Kind::SmallCount, Default::Given("5"), "rounds in the window".from(3, u64::MAX);
        "range": Kind::Share, Default::Given("20"), "maximum range, in percent of the mean";
        "slope": Kind::Share, Default::Given("10"),
            "maximum excursion of the fitted line, in percent of the mean";
        "deviation": Kind::Share, Default::Plain,
            "maximum distance of any round from the mean in percent of the mean, as in fio";
        "deviation_most": Kind::Number, Default::Plain,
            "the same in IOPS, bytes per second or nanoseconds, depending on the metric";
        "slope_most": Kind::Number, Default::Plain,
            "maximum change of the fitted slope from one round to the next, in the same units";
        "max_rounds": Kind::SmallCount, Default::Given("25"),
            "number of rounds after which the search stops with a finding";
    },
);

#[cfg(test)]
mod tests {
    use super::*;
    use crate::spec::Steady;

    #[test]
    fn what_a_steady_state_leaves_out_is_as_snia_has_it() {
        let given = |name: &str| {
            let field = STEADY.fields.iter().find(|field| field.name == name);
            match field.expect("a field").default {
                Default::Given(text) => text.parse::<f64>().expect("a number"),
                _ => panic!("{name} has no number"),
            }
        };
        let found = ["rounds", "range", "slope", "max_rounds"].map(given);
        let rounds = [Steady::SNIA_ROUNDS, Steady::SNIA_MAX_ROUNDS].map(f64::from);
        let [least, most] = rounds;
        let expected = [least, Steady::SNIA_RANGE, Steady::SNIA_SLOPE, most];
        assert_eq!(found.map(f64::to_bits), expected.map(f64::to_bits));
    }
}
