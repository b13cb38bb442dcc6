//! The steps of a test that a table tells of: how many workers and targets, how deep.

/// What may be cycled, as the names of steps have it.
pub(super) const CYCLED: [&str; 3] = ["workers", "targets", "outstanding"];

/// One step; none where the workers' own number counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Step {
    pub(super) workers: Option<u64>,
    pub(super) targets: Option<u64>,
    pub(super) depth: Option<u64>,
}

impl Step {
    /// What is added to the name of the specification.
    pub(super) fn suffix(self) -> String {
        let numbers = [self.workers, self.targets, self.depth];
        let parts = CYCLED.iter().zip(numbers);
        let given =
            parts.filter_map(|(name, number)| number.map(|number| format!(", {name} {number}")));
        given.collect()
    }
}
