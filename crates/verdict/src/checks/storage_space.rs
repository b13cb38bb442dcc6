//! How a Storage Space lies on its disks.

use crate::check::{Code, Example, Look, entry};
use crate::fitness::{Facts, Space};
use fathom_core::figure;
use fathom_core::{Caveat, Level};

/// Of `fathom check`.
pub(crate) const BEFORE: Look = Look {
    entry: entry! { StorageSpace: Before, Machine, "note",
        "on Windows: the volume lies on a Storage Space, whose layout decides what requests cost",
        [],
        Example::Target(|| Facts {
            spaces: vec![Space {
                name: "Data".into(),
                resiliency: "Mirror".into(),
                columns: 4,
                interleave_bytes: 256 << 10,
                copies: Some(2),
            }],
            ..Facts::default()
        })
    },
    run: before,
};

fn before(facts: &Facts, found: &mut Vec<Caveat>) {
    for space in &facts.spaces {
        let caveat = Code::StorageSpace.caveat(Level::Note, message(space));
        found.push(caveat.remedy(remedy(space)).about(space.name.clone()));
    }
}

fn message(space: &Space) -> String {
    let copies = space.copies.filter(|copies| *copies > 1);
    let copies = copies.map_or_else(String::new, |copies| format!(" with {copies} copies"));
    let interleave = figure::size(space.interleave_bytes);
    let columns = figure::plural(space.columns.into(), "column");
    let layout = format!(
        "the Storage Space has resiliency {}{copies}, {columns} and an interleave of {interleave}",
        space.resiliency
    );
    if is_parity(space) {
        return format!("{layout}. A write that is smaller than a stripe reads old data first");
    }
    if space.columns < 2 {
        return layout;
    }
    format!(
        "{layout}. A request up to {interleave} uses one column, so that fewer than {} outstanding \
         requests leave columns idle",
        space.columns
    )
}

fn remedy(space: &Space) -> String {
    if is_parity(space) {
        return "measure writes with the block size of your application, or use a mirror"
            .to_owned();
    }
    match space.columns {
        0 | 1 => String::new(),
        columns => format!("use a queue depth of at least {columns}"),
    }
}

fn is_parity(space: &Space) -> bool {
    space.resiliency.eq_ignore_ascii_case("parity")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_space_does_to_requests_follows_from_its_layout() {
        let told = |resiliency: &str, columns, copies| {
            let space = Space {
                name: "Data".into(),
                resiliency: resiliency.into(),
                columns,
                interleave_bytes: 256 << 10,
                copies,
            };
            (message(&space), remedy(&space))
        };
        let mirror = "the Storage Space has resiliency Mirror with 2 copies, 4 columns and an \
                      interleave of 256 KiB. A request up to 256 KiB uses one column, so that \
                      fewer than 4 outstanding requests leave columns idle";
        let deep = "use a queue depth of at least 4";
        assert_eq!(
            told("Mirror", 4, Some(2)),
            (mirror.to_owned(), deep.to_owned())
        );
        let simple = "the Storage Space has resiliency Simple, 1 column and an interleave of \
                      256 KiB";
        assert_eq!(
            told("Simple", 1, Some(1)),
            (simple.to_owned(), String::new())
        );
        let parity = "the Storage Space has resiliency Parity, 7 columns and an interleave of \
                      256 KiB. A write that is smaller than a stripe reads old data first";
        let mirrored = "measure writes with the block size of your application, or use a mirror";
        assert_eq!(
            told("Parity", 7, None),
            (parity.to_owned(), mirrored.to_owned())
        );
    }
}
