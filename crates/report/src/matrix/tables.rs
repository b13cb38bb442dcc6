//! The tables of a matrix, for the formats that have tables.

use crate::figure;
use crate::table::{Align, Table};
use fathom_core::State;
use fathom_verdict::compare::{Matrix, MatrixColumn, MatrixNumber, MatrixRow, Metric};

/// How much of an interval a cell shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Interval {
    /// `±1.2 %`.
    Margin,
    /// `[12,100, 12,600]`.
    Ends,
}

/// What of a row tells it from the others: what all rows share is left out.
struct Names {
    phase: bool,
    job: bool,
    op: bool,
    block_size: bool,
}

impl Names {
    fn of(matrix: &Matrix) -> Self {
        let rows = &matrix.rows;
        let same_workload = |one: &MatrixRow, two: &MatrixRow| one.workload == two.workload;
        let varies = |of: fn(&MatrixRow) -> String| {
            let pairs = rows
                .iter()
                .flat_map(|one| rows.iter().map(move |two| (one, two)));
            pairs
                .into_iter()
                .any(|(one, two)| same_workload(one, two) && of(one) != of(two))
        };
        Self {
            phase: varies(|row| row.place.phase.clone()),
            job: varies(|row| row.place.job.clone()),
            op: rows.iter().any(|row| row.place.op != rows[0].place.op),
            block_size: rows.iter().any(|row| row.block_size != rows[0].block_size),
        }
    }

    fn words(&self, row: &MatrixRow) -> String {
        let mut words = row.workload.clone();
        if self.phase {
            words = words + " " + &row.place.phase;
        }
        if self.job && row.place.job != row.place.phase {
            words = words + "/" + &row.place.job;
        }
        words
    }
}

/// What a metric is called above its table.
pub(super) fn title(metric: Metric) -> String {
    match metric {
        Metric::Iops => "IOPS".to_owned(),
        Metric::Throughput => "MB/s".to_owned(),
        Metric::Mean => "mean time".to_owned(),
        Metric::Percentile(name, _) => format!("p{name}"),
    }
}

/// The table of one metric; the columns are what distinguishes the runs.
pub(super) fn table(matrix: &Matrix, index: usize, interval: Interval) -> Table {
    let metric = matrix.metrics[index];
    cells(matrix, |cell| {
        let Some(number) = cell.numbers[index] else {
            return "--".to_owned();
        };
        let mark = mark(cell.state);
        format!(
            "{}{}{mark}",
            metric.unit().digits(number.value),
            around(metric, &number, interval)
        )
    })
}

/// The table of one metric with the change, where there are two columns.
pub(super) fn both(matrix: &Matrix, index: usize) -> Option<Table> {
    let [first, second] = &matrix.columns[..] else {
        return None;
    };
    let changes = ratios(matrix, index)?;
    let mut both = table(matrix, index, Interval::Margin);
    both.column(format!("{}/{}", second.name, first.name), Align::Right);
    let changes = changes.rows().iter().filter_map(|row| row.last().cloned());
    Some(both.with_last(changes))
}

/// The same against the first column; none where there is nothing to stand against it.
pub(super) fn ratios(matrix: &Matrix, index: usize) -> Option<Table> {
    let has = |number: &Option<MatrixNumber>| number.is_some_and(|one| one.ratio.is_some());
    let mut all = matrix
        .rows
        .iter()
        .flat_map(|row| row.cells.iter().flatten());
    if !all.any(|cell| has(&cell.numbers[index])) {
        return None;
    }
    Some(cells(matrix, |cell| {
        let ratio = cell.numbers[index].and_then(|number| number.ratio);
        ratio.map_or_else(String::new, |ratio| {
            let shown = [ratio.estimate, ratio.low, ratio.high].map(factor);
            if is_telling(ratio.low, ratio.high) {
                format!("×{} [{}, {}]", shown[0], shown[1], shown[2])
            } else {
                format!("×{} [?]", shown[0])
            }
        })
    }))
}

/// How many times the ends of an interval lie apart at most, for it to say anything of its middle.
const WIDEST: f64 = 100.0;

/// Whether an interval is worth printing: of a number that falls by decades within its run none is.
fn is_telling(low: f64, high: f64) -> bool {
    high / low <= WIDEST
}

/// Whether a number of the matrix, or its ratio, has an interval that is left out.
fn is_adrift(number: &MatrixNumber) -> bool {
    let ends = number.low.zip(number.high);
    let of_ratio = number.ratio.map(|ratio| (ratio.low, ratio.high));
    let mut all = ends.into_iter().chain(of_ratio);
    all.any(|(low, high)| !is_telling(low, high))
}

/// A ratio in three digits, and not in more than people compare.
fn factor(ratio: f64) -> String {
    match ratio {
        r if !(0.01..1e4).contains(&r) => figure::significant(r),
        r if r < 10.0 => figure::decimal(r, 2),
        r => figure::decimal(r, 1),
    }
}

fn around(metric: Metric, number: &MatrixNumber, interval: Interval) -> String {
    match (
        interval,
        number.margin_percent(),
        number.low.zip(number.high),
    ) {
        (Interval::Margin, _, Some((low, high))) if !is_telling(low, high) => " ±?".to_owned(),
        (Interval::Ends, _, Some((low, high))) if !is_telling(low, high) => " [?]".to_owned(),
        (Interval::Margin, Some(margin), _) => format!(" ±{}", figure::percent(margin)),
        (Interval::Ends, _, Some((low, high))) => {
            format!(
                " [{}, {}]",
                metric.unit().digits(low),
                metric.unit().digits(high)
            )
        }
        _ => String::new(),
    }
}

/// The mark of a number that may not be trusted.
pub(super) const fn mark(state: State) -> &'static str {
    match state {
        State::Valid | State::Qualified => "",
        State::Suspect | State::Invalid => " !",
    }
}

fn cells(matrix: &Matrix, show: impl Fn(&fathom_verdict::compare::MatrixCell) -> String) -> Table {
    let mut table = Table::default();
    let names = Names::of(matrix);
    table.label_column("workload");
    if names.op {
        table.column("", Align::Left);
    }
    if names.block_size {
        table.column("block", Align::Right);
    }
    table.keys_end();
    for column in &matrix.columns {
        table.column(head(matrix, column), Align::Right);
    }
    for row in &matrix.rows {
        let mut line = vec![names.words(row)];
        if names.op {
            line.push(row.place.op.name().to_owned());
        }
        if names.block_size {
            line.push(row.block_size.clone());
        }
        for cell in &row.cells {
            line.push(cell.as_ref().map_or_else(|| "--".to_owned(), &show));
        }
        table.row(line);
    }
    table
}

/// What the tables mean, below them.
pub(super) fn notes(matrix: &Matrix) -> Vec<String> {
    let cells = || {
        matrix
            .rows
            .iter()
            .flat_map(|row| row.cells.iter().flatten())
    };
    let confidence = figure::percent(matrix.confidence * 100.0);
    let mut notes = vec![format!(
        "intervals of {confidence}: for one run from its time series, for several from the runs \
         (geometric mean, Student)"
    )];
    let doubted = cells().filter(|cell| !mark(cell.state).is_empty()).count();
    if doubted > 0 {
        notes.push(format!(
            "!  {} of a run that is SUSPECT or INVALID",
            figure::plural(doubted as u64, "cell")
        ));
    }
    if matrix
        .rows
        .iter()
        .any(|row| row.cells.iter().any(Option::is_none))
    {
        notes.push("--  no such run, or too few completed requests".to_owned());
    }
    if cells().any(|cell| cell.numbers.iter().flatten().any(is_adrift)) {
        notes.push(
            "?  no interval: the values within the run differ by more than a factor of 100"
                .to_owned(),
        );
    }
    notes.extend(matrix.remarks.iter().cloned());
    notes
}

/// Above everything: how many runs of what stand here.
pub(super) fn headline(matrix: &Matrix) -> String {
    let columns = matrix.columns.iter();
    let words: Vec<String> = columns
        .map(|column| format!("{} ({})", column.name, column.origins.counted()))
        .collect();
    let runs: usize = matrix.columns.iter().map(|column| column.runs).sum();
    matrix.origins().first_line(&format!(
        "{} by {}: {}; {} in all",
        figure::plural(matrix.rows.len() as u64, "row"),
        figure::plural(matrix.columns.len() as u64, "column"),
        words.join(", "),
        figure::plural(runs as u64, "run")
    ))
}

/// The head of a column, with its origin where a reader would take it for another.
fn head(matrix: &Matrix, column: &MatrixColumn) -> String {
    match (matrix.origins().word(), column.origins.word()) {
        ("measured", _) => column.name.clone(),
        (_, word) => format!("{} ({word})", column.name),
    }
}
