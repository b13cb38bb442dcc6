//! Results to bytes: every format in which a result leaves Fathom.
//!
//! A report is a pure function of a [`RunResult`](fathom_core::result::RunResult): it opens
//! nothing and reads no clock. [`formats()`] are all formats; `docs/numbers.md` defines
//! every number that they hold.
#![forbid(unsafe_code)]
#![deny(missing_docs)]
#![cfg_attr(
    test,
    allow(clippy::disallowed_methods, reason = "tests make files of their own")
)]
#![expect(
    clippy::format_push_string,
    reason = "a report is written once; growing sentences read better than write! does"
)]

mod ascii;
mod assets;
mod blame;
mod charts;
mod compare;
mod drawing;
mod explanation;
mod exposition;
mod findings;
mod first_line;
mod fit;
mod format;
mod format_of;
mod formats;
mod json_text;
mod junit;
mod markdown;
mod markup;
mod matrix;
mod page;
pub mod picture;
mod plan_page;
mod sections;
pub mod sheet;
mod sparkline;
mod suite;
mod suite_names;
mod suite_page;
mod text_options;
mod trend;

use fathom_core::{paint, table};

pub use ascii::ascii;
pub use blame::{blame_remarks, blame_sentence, blame_tables, missing_events, traced_sentence};
pub use compare::{COMPARISON_FORMATS, ComparisonFormat};
pub use drawing::picture_file;
pub use explanation::{EXPLANATION_FORMATS, ExplanationDocument, ExplanationFormat};
pub use exposition::{Exposition, prometheus_text};
pub use fathom_core::figure;
pub use first_line::first_line;
pub use fit::FIT_FORMATS;
pub use format::{Format, find, formats, write};
pub use format_of::FormatOf;
pub use formats::brief::blame_of_phases;
pub use formats::html::{
    NamedRun, NamedSide, mail_html, report as html_report, report_of_sides as html_report_of_sides,
};
pub use formats::junit::suite as junit_suite;
pub use formats::text::verdict;
pub use matrix::{MATRIX_FORMATS, matrix_page};
pub use plan_page::{PlanPage, PlanPicture, PlanRow};
pub use sparkline::sparkline;
pub use suite::{SuiteCell, SuiteReport, SuiteRounds, suite_file, suite_markdown, suite_text};
pub use suite_names::names as suite_names;
pub use suite_page::suite_page;
pub use text_options::{Stored, TextOptions};
pub use trend::TREND_FORMATS;
