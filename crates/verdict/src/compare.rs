//! Is B faster than A? What may be compared, how, and in which words.
//!
//! A million requests of one run are one sample of the state of a device, so the unit is the run:
//! pairs of runs made in turn, or two sets of runs. Of one run each only the course of its
//! intervals is known, and the outcome says so. What differs in more than the thing under test is
//! not compared at all unless forced.

mod comparison;
mod contrast;
mod factor;
mod gate;
mod gate_report;
mod job_op;
mod matrix;
mod metric;
mod mixed;
#[cfg(test)]
mod referee;
mod sentence;
mod sequence;
mod shape;
mod sides;
mod trust;
mod verdict;
mod within;

pub use comparison::{COMPARISON_VERSION, CompareOptions, Comparison, Side, SideRun, compare};
pub use contrast::{Contrast, Design, NumberContrast};
pub use factor::{FACTORS, Factor, FactorRole, differences, qualifiers};
pub use gate::{Batch, Gate, GateOutcome};
pub use gate_report::{GateReport, GateRow, Loss};
pub use job_op::JobOp;
pub use matrix::{
    MATRIX_VERSION, Matrix, MatrixCell, MatrixColumn, MatrixNumber, MatrixRow, matrix,
};
pub use metric::{METRICS, Metric};
pub use mixed::Mixed;
pub use sequence::Sequence;
pub use trust::{is_chance, is_doubtful};
pub use verdict::{Limits, Verdict};
