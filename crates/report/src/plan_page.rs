//! A plan as one file for a browser: the table, the arithmetic, and pictures. It has no script
//! and fetches nothing.

use crate::assets::{PLAN_STYLE, STYLE, style_policy};
use crate::drawing::PictureView;
use crate::picture::Picture;
use askama::Template;

/// What a page of a plan shows.
#[derive(Clone, Debug, Default)]
pub struct PlanPage {
    /// The answer in words, a sentence each.
    pub answer: Vec<String>,
    /// What is needed, in words.
    pub need: String,
    /// The day, the region, the instance.
    pub circumstances: String,
    /// Heads of the columns; those that begin with `>` hold numbers.
    pub heads: Vec<String>,
    /// The layouts, best first.
    pub rows: Vec<PlanRow>,
    /// IOPS against size and price.
    pub pictures: Vec<PlanPicture>,
    /// What was assumed, and what has to be said.
    pub remarks: Vec<String>,
    /// Who says so, by number.
    pub sources: Vec<String>,
    /// Who wrote the page.
    pub version: String,
}

/// One layout.
#[derive(Clone, Debug, Default)]
pub struct PlanRow {
    /// A cell for each column.
    pub cells: Vec<String>,
    /// What does not fit into columns.
    pub details: Vec<String>,
    /// How the figures follow.
    pub arithmetic: Vec<String>,
}

/// A picture and how to read it.
#[derive(Clone, Debug)]
pub struct PlanPicture {
    /// The drawing.
    pub picture: Picture,
    /// How to read it.
    pub note: String,
}

#[derive(Template)]
#[template(path = "plan.html")]
struct View<'a> {
    page: &'a PlanPage,
    policy: String,
    style: &'a str,
    plan_style: &'a str,
    heads: Vec<(&'a str, &'static str)>,
    rows: Vec<RowView<'a>>,
    pictures: Vec<PictureView<'a>>,
}

struct RowView<'a> {
    row: &'a PlanRow,
    cells: Vec<(&'a str, &'static str)>,
    title: &'a str,
}

impl PlanPage {
    /// The page as text.
    ///
    /// # Panics
    ///
    /// Never: the template writes to memory.
    pub fn render(&self) -> String {
        let heads = self.heads.iter();
        let view = View {
            page: self,
            policy: style_policy(),
            style: STYLE.text,
            plan_style: PLAN_STYLE.text,
            heads: heads
                .map(|head| (head.trim_start_matches('>'), class(head)))
                .collect(),
            rows: self.rows.iter().map(|row| self.row(row)).collect(),
            pictures: self
                .pictures
                .iter()
                .map(|one| PictureView::of(&one.picture, &one.note))
                .collect(),
        };
        view.render().expect("a template of ours writes to memory")
    }

    fn row<'a>(&self, row: &'a PlanRow) -> RowView<'a> {
        let classes = self.heads.iter().map(|head| class(head));
        RowView {
            row,
            cells: row.cells.iter().map(String::as_str).zip(classes).collect(),
            title: row.cells.get(1).map_or("", String::as_str),
        }
    }
}

/// Columns of numbers stand at the right.
fn class(head: &str) -> &'static str {
    if head.starts_with('>') {
        "number"
    } else {
        "words"
    }
}
