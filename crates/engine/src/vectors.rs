//! The vector instructions of this CPU, chosen when the program runs.
//!
//! The program is built for the baseline of its architecture, and the static binary for size, which
//! leaves no loop to the compiler's vectoriser. So the forms for wider vectors are written out.

use fathom_core::content::{LANES, rows};

/// Vector instructions that this CPU has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Vectors(Set);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Set {
    Baseline,
    #[cfg(target_arch = "x86_64")]
    Avx2,
    #[cfg(target_arch = "x86_64")]
    Avx512,
}

impl Vectors {
    /// All sets of this CPU, the widest first. The last one is the baseline.
    pub fn here() -> impl Iterator<Item = Self> {
        let sets = [
            #[cfg(target_arch = "x86_64")]
            (Set::Avx512, is_x86_feature_detected!("avx512f")),
            #[cfg(target_arch = "x86_64")]
            (Set::Avx2, is_x86_feature_detected!("avx2")),
            (Set::Baseline, true),
        ];
        let present = sets.into_iter().filter(|(_, is_here)| *is_here);
        present.map(|(set, _)| Self(set))
    }

    /// The widest set.
    pub fn widest() -> Self {
        Self::here().next().unwrap_or(Self(Set::Baseline))
    }

    /// `avx512`, `avx2` or `baseline`.
    pub const fn name(self) -> &'static str {
        match self.0 {
            #[cfg(target_arch = "x86_64")]
            Set::Avx512 => "avx512",
            #[cfg(target_arch = "x86_64")]
            Set::Avx2 => "avx2",
            Set::Baseline => "baseline",
        }
    }

    /// Does what [`rows`] does, with these instructions.
    pub fn rows(self, block: &mut [u8], older: &mut [u64; LANES], newer: &mut [u64; LANES]) {
        match self.0 {
            // SAFETY: only `here` makes this value, after the CPU was asked for AVX-512F.
            #[cfg(target_arch = "x86_64")]
            Set::Avx512 => unsafe { x86::avx512(block, older, newer) },
            // SAFETY: only `here` makes this value, after the CPU was asked for AVX2.
            #[cfg(target_arch = "x86_64")]
            Set::Avx2 => unsafe { x86::avx2(block, older, newer) },
            Set::Baseline => rows(block, older, newer),
        }
    }
}

#[cfg(target_arch = "x86_64")]
mod x86 {
    use super::LANES;
    use std::arch::x86_64::{
        _mm256_add_epi64, _mm256_loadu_si256, _mm256_slli_epi64, _mm256_srli_epi64,
        _mm256_storeu_si256, _mm256_xor_si256, _mm512_add_epi64, _mm512_loadu_si512,
        _mm512_slli_epi64, _mm512_srli_epi64, _mm512_storeu_si512, _mm512_xor_si512,
    };

    /// The generator with vectors of one width; the names are those of its instructions.
    macro_rules! rows {
        ($name:ident, $feature:literal, $lanes:literal, $load:ident, $store:ident, $add:ident,
         $xor:ident, $left:ident, $right:ident) => {
            #[target_feature(enable = $feature)]
            pub(super) fn $name(
                block: &mut [u8],
                older: &mut [u64; LANES],
                newer: &mut [u64; LANES],
            ) {
                let (one, _) = older.as_chunks::<$lanes>();
                let (other, _) = newer.as_chunks::<$lanes>();
                // SAFETY: each part has as many lanes as a vector; loads need no alignment.
                let load = |part: &[u64; $lanes]| unsafe { $load(part.as_ptr().cast()) };
                let mut one: [_; LANES / $lanes] = std::array::from_fn(|at| load(&one[at]));
                let mut other: [_; LANES / $lanes] = std::array::from_fn(|at| load(&other[at]));
                let (parts, _) = block.as_chunks_mut::<{ $lanes * 8 }>();
                for row in parts.chunks_exact_mut(LANES / $lanes) {
                    for ((part, one), other) in row.iter_mut().zip(&mut one).zip(&mut other) {
                        let made = $add(*one, *other);
                        // SAFETY: the part has the bytes of a vector; stores need no alignment.
                        unsafe { $store(part.as_mut_ptr().cast(), made) };
                        let mixed = $xor(*one, $left::<23>(*one));
                        *one = *other;
                        let shifted = $xor($right::<18>(mixed), $right::<5>(*other));
                        *other = $xor($xor(mixed, *other), shifted);
                    }
                }
                let (to, _) = older.as_chunks_mut::<$lanes>();
                for (to, from) in to.iter_mut().zip(one) {
                    // SAFETY: as for the loads.
                    unsafe { $store(to.as_mut_ptr().cast(), from) };
                }
                let (to, _) = newer.as_chunks_mut::<$lanes>();
                for (to, from) in to.iter_mut().zip(other) {
                    // SAFETY: as for the loads.
                    unsafe { $store(to.as_mut_ptr().cast(), from) };
                }
            }
        };
    }

    rows!(
        avx512,
        "avx512f",
        8,
        _mm512_loadu_si512,
        _mm512_storeu_si512,
        _mm512_add_epi64,
        _mm512_xor_si512,
        _mm512_slli_epi64,
        _mm512_srli_epi64
    );
    rows!(
        avx2,
        "avx2",
        4,
        _mm256_loadu_si256,
        _mm256_storeu_si256,
        _mm256_add_epi64,
        _mm256_xor_si256,
        _mm256_slli_epi64,
        _mm256_srli_epi64
    );
}

#[cfg(test)]
mod tests {
    use super::*;
    use fathom_core::content::{generate, generate_by};

    #[test]
    fn the_widest_set_is_first_and_the_baseline_last() {
        let names: Vec<_> = Vectors::here().map(Vectors::name).collect();
        assert_eq!(names.last(), Some(&"baseline"));
        assert_eq!(names.first(), Some(&Vectors::widest().name()));
        for vectors in Vectors::here() {
            let mut made = [0; 4096];
            generate_by(&mut made, 7, |block, older, newer| {
                vectors.rows(block, older, newer);
            });
            let mut expected = [0; 4096];
            generate(&mut expected, 7);
            assert_eq!(made, expected, "{}", vectors.name());
        }
    }
}
