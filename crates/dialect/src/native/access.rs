//! Where requests go: the keys of `access`, in the table or beside the job.

use super::either::Either;
use super::keys;
use super::table::Table;
use fathom_core::spec::{Access, Cursor, CursorScope, Distribution, HotRange, Walk};

const CURSOR_SCOPES: [(&str, CursorScope); 2] = [
    ("per_op", CursorScope::PerOp),
    ("shared", CursorScope::Shared),
];

pub(super) fn read(job: &Table<'_>) -> Access {
    let either = Either::open(job, "access", keys::ACCESS);
    let cursor_scope = either.same("cursor_scope", |table, key| {
        table.choice(key, &CURSOR_SCOPES)
    });
    Access {
        distribution: either
            .same("distribution", distribution)
            .unwrap_or(Distribution::Uniform),
        without_repetition: either
            .same("without_repetition", Table::flag)
            .unwrap_or(false),
        stride: either.same("stride", Table::size),
        cursor: either
            .same("cursor", cursor)
            .unwrap_or(Cursor::Own { stride: None }),
        cursor_scope: cursor_scope.unwrap_or(CursorScope::PerOp),
        walk: either.same("walk", walk).unwrap_or_default(),
    }
}

fn walk(table: &Table<'_>, key: &'static str) -> Option<Walk> {
    const EXAMPLE: &str = "as in `walk = \"trim_first\"` or `walk = { zones = { done = \"1MiB\", \
                           length = \"1MiB\", skip = \"3MiB\" } }`";
    let (name, inner) = table.form(key, keys::WALK, EXAMPLE)?;
    match (name, inner) {
        ("trim_first", _) => Some(Walk::TrimFirst),
        ("zones", Some(table)) => {
            let done = table.needed("done", "\"1MiB\"", table.size("done"))?;
            Some(Walk::Zones {
                done,
                length: table.size("length").unwrap_or(done),
                skip: table.size("skip").unwrap_or_default(),
            })
        }
        _ => Some(Walk::Free),
    }
}

fn distribution(table: &Table<'_>, key: &'static str) -> Option<Distribution> {
    const EXAMPLE: &str = "as in `distribution = { zipf = { theta = 1.1 } }`";
    let (name, inner) = table.form(key, keys::DISTRIBUTION, EXAMPLE)?;
    let Some(table) = inner else {
        return Some(Distribution::Uniform);
    };
    match name {
        "zipf" => {
            let theta = table.needed("theta", "1.1", table.number("theta"))?;
            Some(Distribution::Zipf { theta })
        }
        "pareto" => {
            let h = table.needed("h", "0.9", table.number("h"))?;
            Some(Distribution::Pareto { h })
        }
        "normal" => {
            let deviation = table.needed("deviation", "10", table.share("deviation"))?;
            Some(Distribution::Normal { deviation })
        }
        "hot" => {
            let example = "[{ ios = 90, of = 10 }]";
            let ranges = table.tables("ranges", &[keys::RANGE]);
            let ranges = table.needed("ranges", example, ranges)?;
            let ranges = ranges.iter().map(range).collect::<Option<_>>()?;
            Some(Distribution::Hot { ranges })
        }
        _ => Some(Distribution::Uniform),
    }
}

fn range(table: &Table<'_>) -> Option<HotRange> {
    let ios = table.needed("ios", "90", table.share("ios"));
    let of = table.needed("of", "10", table.share("of"));
    Some(HotRange { ios: ios?, of: of? })
}

fn cursor(table: &Table<'_>, key: &'static str) -> Option<Cursor> {
    const EXAMPLE: &str =
        "as in `cursor = \"shared\"` or `cursor = { own = { stride = \"1GiB\" } }`";
    let (name, inner) = table.form(key, keys::CURSOR, EXAMPLE)?;
    if name == "shared" {
        return Some(Cursor::Shared);
    }
    let stride = inner.and_then(|table| table.size("stride"));
    Some(Cursor::Own { stride })
}
