//! Many questions at once: Holm's correction.

use fathom_core::SmallSort as _;
/// The p of each question such that asking all of them finds a difference where there is none
/// in at most the share alpha of all cases (Holm 1979): the smallest times their number, the next
/// times one less, and so on, never falling and at most 1. In the order given.
pub fn holm(ps: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..ps.len()).collect();
    order.small_sort_by(|one, other| ps[*one].total_cmp(&ps[*other]));
    let mut adjusted = vec![0.0; ps.len()];
    let mut so_far = 0.0_f64;
    for (position, index) in order.into_iter().enumerate() {
        let times = (ps.len() - position) as f64;
        so_far = so_far.max((times * ps[index]).min(1.0));
        adjusted[index] = so_far;
    }
    adjusted
}

#[cfg(test)]
mod tests {
    use super::holm;

    #[test]
    fn the_smallest_pays_most() {
        assert_eq!(
            holm(&[0.01, 0.25, 0.03125, 0.02]),
            [0.04, 0.25, 0.0625, 0.06]
        );
        assert_eq!(holm(&[0.75, 0.5]), [1.0, 1.0]);
        assert_eq!(holm(&[0.03]), [0.03]);
        assert_eq!(holm(&[]), [] as [f64; 0]);
    }
}
