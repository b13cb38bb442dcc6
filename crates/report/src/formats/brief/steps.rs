//! The curve of a ramp in a few rows.

use super::rows::Rows;
use crate::figure::plural;
use crate::formats::text::{IMPLIED, IMPLIED_NOTE, ramp_table};
use fathom_core::result::RampReport;

/// The steps; where they are too many, those that say something and others evenly between them.
pub(super) fn table(ramp: &RampReport, most: usize) -> Rows {
    let (whole, notes) = ramp_table(ramp);
    let all = whole.rows();
    if all.len() <= most {
        return Rows {
            table: whole,
            notes,
            doubted: None,
        };
    }
    let kept = kept(all, most);
    let left_out = (all.len() - kept.len()) as u64;
    let table = whole.of_rows(&kept);
    let mut rows = table.rows().iter().flatten();
    let has_implied = rows.any(|cell| cell == IMPLIED);
    let mut notes = Vec::from_iter(has_implied.then(|| IMPLIED_NOTE.to_owned()));
    notes.push(format!("left out: {}", plural(left_out, "more step")));
    Rows {
        table,
        notes,
        doubted: None,
    }
}

/// Rows with a remark in the last column, the first and the last, and others between.
fn kept(rows: &[Vec<String>], most: usize) -> Vec<usize> {
    let says = |row: &Vec<String>| row.last().is_some_and(|remark| !remark.is_empty());
    let last = rows.len() - 1;
    let mut kept: Vec<usize> = (0..rows.len())
        .filter(|index| says(&rows[*index]))
        .collect();
    kept.extend([0, last]);
    kept.sort_unstable();
    kept.dedup();
    kept.truncate(most);
    // The widest gap is filled first.
    while kept.len() < most {
        let gaps = kept.windows(2).map(|pair| (pair[1] - pair[0], pair[0]));
        let Some((width, from)) = gaps.max_by_key(|(width, from)| (*width, usize::MAX - from))
        else {
            break;
        };
        if width < 2 {
            break;
        }
        kept.push(from + width / 2);
        kept.sort_unstable();
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_that_say_something_stay() {
        let rows: Vec<Vec<String>> = (0..20)
            .map(|index| {
                vec![
                    index.to_string(),
                    if index == 13 { "knee" } else { "" }.to_owned(),
                ]
            })
            .collect();
        assert_eq!(kept(&rows, 3), [0, 13, 19]);
        assert_eq!(kept(&rows, 5), [0, 6, 9, 13, 19]);
    }
}
