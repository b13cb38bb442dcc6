//! A volume with what stands over it: `4x gp2:250GiB + stall:100ms/10s + counters`.

use super::Layout;
use super::error::ExpressionError;
use super::layers::{KINDS, LayerText};
use crate::model::VolumeModel;
use std::fmt;

/// Volumes, and layers over all of them, the lowest first.
#[derive(Clone, Debug, PartialEq)]
pub struct Bench {
    /// The volumes.
    pub layout: Layout,
    /// What stands over them.
    pub layers: Vec<LayerText>,
}

impl Bench {
    /// The model of the volumes with the layers over it.
    pub fn over(&self, volumes: Box<dyn VolumeModel>, seed: u64) -> Box<dyn VolumeModel> {
        let layers = self.layers.iter().enumerate();
        layers.fold(volumes, |below, (index, layer)| {
            // Each has randomness of its own.
            layer.over(below, seed.wrapping_add(1_000 + index as u64))
        })
    }
}

impl std::str::FromStr for Bench {
    type Err = ExpressionError;

    fn from_str(text: &str) -> Result<Self, ExpressionError> {
        let mut layers = Vec::new();
        let mut end = text.len();
        for (begin, part) in parts(text).into_iter().rev() {
            let place = (begin, part.len());
            let Some(layer) = LayerText::read(part, place) else {
                break;
            };
            layers.push(layer?);
            end = begin.saturating_sub(1);
        }
        if end == 0 && !layers.is_empty() {
            let message = "a layer stands over a volume, and none is there";
            return Err(ExpressionError::new(message, (0, text.len()))
                .remedy("as in gp2:250GiB + stall:100ms/10s"));
        }
        layers.reverse();
        Ok(Self {
            layout: volumes(&text[..end])?,
            layers,
        })
    }
}

/// The volumes; a layer among them is in the wrong position.
fn volumes(text: &str) -> Result<Layout, ExpressionError> {
    let words = text.split(['+', '(', ',']);
    let mut at = 0;
    for word in words {
        let name = word.split(':').next().unwrap_or_default().trim();
        if KINDS.iter().any(|kind| kind.is(name)) {
            let message = format!("`{name}` stands over all volumes, after the last of them");
            return Err(ExpressionError::new(message, (at, word.len()))
                .remedy("as in gp2:250GiB + gp2:250GiB + stall:100ms/10s"));
        }
        at += word.len() + 1;
    }
    text.parse()
}

/// What stands between the `+` that are in no bracket, each with its place.
fn parts(text: &str) -> Vec<(usize, &str)> {
    let mut depth = 0_u32;
    let mut begin = 0;
    let mut parts = Vec::new();
    for (at, c) in text.char_indices() {
        match c {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            '+' if depth == 0 => {
                parts.push((begin, &text[begin..at]));
                begin = at + 1;
            }
            _ => {}
        }
    }
    parts.push((begin, &text[begin..]));
    parts
}

impl fmt::Display for Bench {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.layout.fmt(f)?;
        self.layers
            .iter()
            .try_for_each(|layer| write!(f, " + {layer}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn layers_are_read_after_volumes_and_written_again() {
        let cases = [
            ("gp2:250GiB", "gp2:250GiB"),
            (
                "2x gp2:250GiB+WBCACHE:64MiB:200MB/s + counters",
                "2x gp2:250GiB + wbcache:64MiB:200MB/s + counters",
            ),
            (
                "raid1(gp2:1TiB + gp2:1TiB) + slc:1GiB:4GB/s:500MB/s : 100MB/s",
                "raid1(2x gp2:1TiB) + slc:1GiB:4GB/s:500MB/s:100MB/s",
            ),
            (
                "gp2:1TiB + stall:100ms/10s:writes + stall:1s@30s + gc:50ms/1GiB",
                "gp2:1TiB + stall:100ms/10s:writes + stall:1s@30s + gc:50ms/1GiB",
            ),
            (
                "gp2:1TiB + neighbour:500iops:64KiB:reads + readcache:30%:5us + noise:2%",
                "gp2:1TiB + neighbour:500iops:64KiB:reads + readcache:30%:5us + noise:2%",
            ),
            (
                "gp2:1TiB + fail:1/1000:ENOSPC:writes + short:1/7 + lost:1/9 + torn:1/9",
                "gp2:1TiB + fail:1/1000:ENOSPC:writes + short:1/7 + lost:1/9 + torn:1/9",
            ),
            (
                "gp2:1TiB + counters:reads=50%:flushes=0%",
                "gp2:1TiB + counters:reads=50%:flushes=0%",
            ),
        ];
        for (text, again) in cases {
            let bench: Bench = text.parse().expect(text);
            assert_eq!(bench.to_string(), again);
            assert_eq!(again.parse::<Bench>().expect(again), bench);
        }
    }

    #[test]
    fn what_cannot_be_read_is_told_with_its_place() {
        let cases = [
            ("stall:1s/10s", "stall:1s/10s"),
            ("gp2:1TiB + wbcache:64MiB", "wbcache:64MiB"),
            ("gp2:1TiB + stall:10s/1s", "stall:10s/1s"),
            ("gp2:1TiB + stall:1s/10s + gp2:1TiB", "stall:1s/10s"),
            ("raid1(gp2:1TiB + noise:2%)", "noise:2%)"),
            ("gp2:1TiB + counters:reads=half", "counters:reads=half"),
            ("gp2:1TiB + fail:1/0", "fail:1/0"),
            ("gp2:1TiB + fail:1/9:EWHAT", "fail:1/9:EWHAT"),
        ];
        for (text, part) in cases {
            let error = text.parse::<Bench>().expect_err(text);
            assert_eq!(error.part(text), part, "{text}");
        }
    }
}
