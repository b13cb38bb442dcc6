//! `fathom explain` on outputs of known truth: sound results that it must not accuse, measurements
//! that were spoilt in a known way, pairs with one planted difference, and pastes that are hostile.

mod hostile;
mod pairs;
mod sabotage;
mod sound;
mod tools;

use anyhow::Result;

use crate::siege::Siege;
use crate::siege::line::GroupLines;

use tools::Bench;

pub(crate) fn run(siege: &Siege, lines: &mut GroupLines<'_>) -> Result<()> {
    hostile::run(siege, lines)?;
    let Some(bench) = Bench::new(siege.seed)? else {
        lines.skip("fio is not installed");
        return Ok(());
    };
    sabotage::run(siege, &bench, lines)?;
    pairs::run(siege, &bench, lines)?;
    sound::run(siege, &bench, lines)
}
