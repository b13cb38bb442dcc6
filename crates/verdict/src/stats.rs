//! Statistics on series and on sets of runs: pure functions, each with its known answers as tests.

mod autocorrelation;
mod bootstrap;
mod bucket;
mod cliff;
mod cusum;
mod dispersion;
mod fall;
mod fisher;
mod holm;
mod level_changes;
mod middle;
mod permutation;
mod quantile;
mod rank_correlation;
mod rank_sum;
mod replication;
mod scalability;
mod segments;
mod shift;
mod signed_rank;
mod size_law;
mod spread;
mod steady_state;
mod welch;

pub use autocorrelation::{autocorrelation, block_length, effective_size, von_neumann_ratio};
pub use bootstrap::{CORRELATED_RATIO, SeriesMean, block_standard_error};
pub use bucket::{
    BucketFit, EDGE as BUCKET_EDGE, FEWEST_POINTS as BUCKET_FEWEST_POINTS,
    LEAST_RATIO as BUCKET_LEAST_RATIO, SCATTER as BUCKET_SCATTER, STEADY as BUCKET_STEADY,
    TRANSITION as BUCKET_TRANSITION, fit_bucket, is_plateau,
};
pub use cliff::find_cliff;
pub use cusum::{Alarm, CUSUM_LIMIT, CUSUM_SLACK, cusum};
pub use dispersion::{Dispersion, dispersion};
pub use fall::{
    FALL_CERTAIN, FALL_DIP, FALL_DIPS, FALL_FEWEST_POINTS, FALL_GRADUAL, FALL_LEAST_RATIO, Fall,
    FallShape, find_fall,
};
pub use fisher::fisher;
pub use holm::holm;
pub use level_changes::{LEAST_RUNS, Level, LevelChange, LevelChanges};
pub use middle::{Middle, OfRound};
pub use quantile::{RankInterval, quantile_ranks, rank_interval};
pub use rank_correlation::{RankCorrelation, rank_correlation};
pub use rank_sum::{RankSum, rank_sum};
pub use replication::{
    LOOKS, fewest_runs, least_p_of_pairs, least_p_of_sets, run_noise, runs_needed,
};
pub use scalability::{
    Capped, LoadPoint, ScalabilityFit, ScalabilityLaw, Usl, fit_scalability, power_knee,
};
pub use segments::{
    CORRELATED as SEGMENT_CORRELATED, LARGE_STEP as SEGMENT_LARGE_STEP,
    LEAST_STEP as SEGMENT_LEAST_STEP, LONG as SEGMENT_LONG, PENALTY as SEGMENT_PENALTY,
    RANKED as SEGMENT_RANKED, SURE as SEGMENT_SURE, WIDE as SEGMENT_WIDE, level_shifts, noise,
    segments,
};
pub use shift::Shift;
pub use signed_rank::paired_shift;
pub use size_law::{SIZE_LAW_FEWEST, SIZE_LAW_RESIDUAL, SizeLaw, SizePoint, fit_sizes};
pub use spread::median;
pub use steady_state::{SteadyWindow, steady_window};
pub use welch::{Located, student_factor, welch_shift};
