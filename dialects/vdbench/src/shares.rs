//! How workloads that run at once share the requests.

use crate::parameter::Wrong;

/// The share of each, from 0 to 1: those without a skew share what is left evenly.
pub(crate) fn shares(skews: &[Option<f64>]) -> Result<Vec<f64>, Wrong> {
    let given: f64 = skews.iter().flatten().sum();
    let others = skews.iter().filter(|skew| skew.is_none()).count();
    let rest = (100.0 - given) / others.max(1) as f64;
    let is_whole = others > 0 || (given - 100.0).abs() < 0.5;
    if !is_whole || given > 100.5 || others > 0 && rest <= 0.0 {
        let message = format!("the workloads have a skew of {given} together");
        return Err((message, "shares of 100 together".to_owned()));
    }
    Ok(skews
        .iter()
        .map(|skew| skew.unwrap_or(rest) / 100.0)
        .collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_no_skew_takes_is_shared_evenly() {
        let cases = [
            (&[None, None][..], Some(&[0.5, 0.5][..])),
            (&[Some(70.0), None, None], Some(&[0.7, 0.15, 0.15])),
            (&[Some(70.0), Some(30.0)], Some(&[0.7, 0.3])),
            (&[Some(70.0), Some(20.0)], None),
            (&[Some(100.0), None], None),
        ];
        for (skews, expected) in cases {
            assert_eq!(shares(skews).ok().as_deref(), expected, "{skews:?}");
        }
    }
}
