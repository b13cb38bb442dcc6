//! Encrypts and seals a stream once both ends have shown that they know the token: Noise with
//! ephemeral keys on both sides and a key from the token (`NNpsk0`, revision 34 of its
//! specification).
//!
//! The bytes that one end seals come out at the other end unchanged and in order, or the stream
//! ends. It consists of records: two bytes of length, lowest first, and that many bytes of Noise.
//! The first record in each direction is the handshake of Noise. Its keys are new for each
//! connection and stored nowhere, so a recording cannot be decrypted later, even with the token.

use crate::link::End;
use crate::token::SealKey;
use snow::params::NoiseParams;
use snow::{Builder, HandshakeState, TransportState};

const PATTERN: &str = "Noise_NNpsk0_25519_ChaChaPoly_SHA256";
/// Bytes of the length before each record.
const PREFIX: usize = 2;
/// Bytes of a record at most.
const RECORD: usize = 65_535;
/// Bytes that a record has more than what it seals.
const TAG: usize = 16;
/// Bytes of the record that agrees on keys: a public key and a tag.
const AGREEMENT: usize = 32 + TAG;

/// A record without bytes: this end cannot read on. It is not sealed, so it proves no more than the
/// end of the connection does.
const REFUSAL: [u8; PREFIX] = [0; PREFIX];

/// Why a sealed stream cannot be read on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SealError {
    /// A record is not what the other end sealed, or arrived out of order.
    #[error(
        "a record arrived that was changed or replayed on the way, or sealed with another secret; \
         it is not used"
    )]
    Broken,
    /// The other end reports a broken record.
    #[error(
        "the other end received a record that was changed or replayed on the way, or has another \
         secret"
    )]
    Refused,
    /// The system gives no random numbers.
    #[error("the connection cannot be sealed: this host gives no random numbers")]
    NoRandom,
}

enum State {
    Agreeing(Box<HandshakeState>),
    Agreed(Box<TransportState>),
    Broken,
}

/// One end of a sealed stream.
pub struct Seal {
    state: State,
    /// Bytes that came and are no whole record yet.
    incoming: Vec<u8>,
    /// What is to be sealed as soon as both ends have agreed on keys.
    waiting: Vec<u8>,
}

impl std::fmt::Debug for Seal {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Seal(..)")
    }
}

impl Seal {
    /// One end, and into `out` what it sends first.
    ///
    /// # Errors
    ///
    /// [`SealError::NoRandom`]
    pub fn new(end: End, key: &SealKey, out: &mut Vec<u8>) -> Result<Self, SealError> {
        let params: NoiseParams = PATTERN.parse().expect("a pattern of Noise");
        let builder = Builder::new(params).psk(0, &key.0);
        let builder = builder.expect("a key of the right length, for the first time");
        let mut handshake = match end {
            End::Coordinator => builder.build_initiator(),
            End::Member => builder.build_responder(),
        }
        .map_err(|_| SealError::NoRandom)?;
        if end == End::Coordinator {
            agree(&mut handshake, out)?;
        }
        Ok(Self {
            state: State::Agreeing(Box::new(handshake)),
            incoming: Vec::new(),
            waiting: Vec::new(),
        })
    }

    /// Whether both ends have agreed on keys.
    pub const fn is_agreed(&self) -> bool {
        matches!(self.state, State::Agreed(_))
    }

    /// Seals bytes into `out`; before both ends have agreed, they wait.
    pub fn seal(&mut self, plain: &[u8], out: &mut Vec<u8>) {
        match &mut self.state {
            State::Agreeing(_) => self.waiting.extend(plain),
            State::Agreed(noise) => {
                for piece in plain.chunks(RECORD - TAG) {
                    let length = piece.len() + TAG;
                    let sealed = record(out, length);
                    let written = noise.write_message(piece, sealed);
                    debug_assert_eq!(written.ok(), Some(length), "2^64 records last for ever");
                }
            }
            State::Broken => {}
        }
    }

    /// Takes what came: what was sealed in it goes into `plain`, what is to be sent to `out`.
    ///
    /// # Errors
    ///
    /// [`SealError`]; nothing is taken any more then.
    pub fn open(
        &mut self,
        bytes: &[u8],
        plain: &mut Vec<u8>,
        out: &mut Vec<u8>,
    ) -> Result<(), SealError> {
        let opened = self.open_records(bytes, plain, out);
        if opened == Err(SealError::Broken) {
            out.extend(REFUSAL);
        }
        opened
    }

    fn open_records(
        &mut self,
        bytes: &[u8],
        plain: &mut Vec<u8>,
        out: &mut Vec<u8>,
    ) -> Result<(), SealError> {
        self.incoming.extend(bytes);
        let incoming = std::mem::take(&mut self.incoming);
        let mut rest = &incoming[..];
        while let Some((prefix, behind)) = rest.split_first_chunk::<PREFIX>() {
            let length = usize::from(u16::from_le_bytes(*prefix));
            let is_agreement = matches!(self.state, State::Agreeing(_));
            if length < TAG || is_agreement && length != AGREEMENT {
                self.state = State::Broken;
                let is_refusal = *prefix == REFUSAL;
                return Err(if is_refusal {
                    SealError::Refused
                } else {
                    SealError::Broken
                });
            }
            let Some((sealed, next)) = behind.split_at_checked(length) else {
                break;
            };
            self.take(sealed, plain, out)?;
            rest = next;
        }
        self.incoming.extend(rest);
        Ok(())
    }

    fn take(
        &mut self,
        sealed: &[u8],
        plain: &mut Vec<u8>,
        out: &mut Vec<u8>,
    ) -> Result<(), SealError> {
        match std::mem::replace(&mut self.state, State::Broken) {
            State::Agreeing(mut handshake) => {
                let nothing = handshake.read_message(sealed, &mut []);
                nothing.map_err(|_| SealError::Broken)?;
                if !handshake.is_handshake_finished() {
                    agree(&mut handshake, out)?;
                }
                let noise = handshake.into_transport_mode();
                self.state = State::Agreed(Box::new(noise.map_err(|_| SealError::Broken)?));
                let waiting = std::mem::take(&mut self.waiting);
                self.seal(&waiting, out);
            }
            State::Agreed(mut noise) => {
                let start = plain.len();
                plain.resize(start + sealed.len() - TAG, 0);
                if noise.read_message(sealed, &mut plain[start..]).is_err() {
                    plain.truncate(start);
                    return Err(SealError::Broken);
                }
                self.state = State::Agreed(noise);
            }
            State::Broken => return Err(SealError::Broken),
        }
        Ok(())
    }
}

/// Appends the length of a record to `out`, and returns the space for its bytes.
fn record(out: &mut Vec<u8>, length: usize) -> &mut [u8] {
    out.extend((length as u16).to_le_bytes());
    let start = out.len();
    out.resize(start + length, 0);
    &mut out[start..]
}

/// Writes this end's part of the agreement.
fn agree(handshake: &mut HandshakeState, out: &mut Vec<u8>) -> Result<(), SealError> {
    let written = handshake.write_message(&[], record(out, AGREEMENT));
    written.map(drop).map_err(|_| SealError::NoRandom)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const KEY: SealKey = SealKey([7; 32]);

    /// A pair of ends that have agreed, and what the member sent to agree.
    fn pair() -> (Seal, Seal, Vec<u8>) {
        let (mut first, mut second, mut nothing) = (Vec::new(), Vec::new(), Vec::new());
        let mut ours = Seal::new(End::Coordinator, &KEY, &mut first).expect("random numbers");
        let mut theirs = Seal::new(End::Member, &KEY, &mut nothing).expect("random numbers");
        theirs
            .open(&first, &mut nothing, &mut second)
            .expect("sealed");
        let mut more = Vec::new();
        ours.open(&second, &mut nothing, &mut more).expect("sealed");
        assert!(ours.is_agreed() && theirs.is_agreed() && nothing.is_empty() && more.is_empty());
        (ours, theirs, second)
    }

    fn opened(seal: &mut Seal, bytes: &[u8]) -> Result<Vec<u8>, SealError> {
        let (mut plain, mut out) = (Vec::new(), Vec::new());
        seal.open(bytes, &mut plain, &mut out)?;
        assert!(out.is_empty());
        Ok(plain)
    }

    fn sealed(seal: &mut Seal, plain: &[u8]) -> Vec<u8> {
        let mut out = Vec::new();
        seal.seal(plain, &mut out);
        out
    }

    #[test]
    fn what_was_said_before_the_agreement_follows_it() {
        let (mut first, mut second, mut plain) = (Vec::new(), Vec::new(), Vec::new());
        let mut ours = Seal::new(End::Coordinator, &KEY, &mut first).expect("random numbers");
        let mut theirs = Seal::new(End::Member, &KEY, &mut second).expect("random numbers");
        assert!(sealed(&mut theirs, b"early").is_empty());
        theirs
            .open(&first, &mut plain, &mut second)
            .expect("sealed");
        ours.open(&second, &mut plain, &mut first).expect("sealed");
        assert_eq!(plain, b"early");
    }

    #[test]
    fn a_recorded_stream_means_nothing_to_another_connection() {
        let (mut ours, _theirs, _) = pair();
        let recorded = sealed(&mut ours, b"write there");
        let (_, mut another, _) = pair();
        assert_eq!(opened(&mut another, &recorded), Err(SealError::Broken));
        // It takes nothing after that, not even what is good.
        let (mut ours, mut theirs, _) = pair();
        assert_eq!(opened(&mut theirs, &recorded), Err(SealError::Broken));
        let good = sealed(&mut ours, b"x");
        assert_eq!(opened(&mut theirs, &good), Err(SealError::Broken));
        // Nor does the agreement itself, to a coordinator that has begun anew.
        let (_, _, answer) = pair();
        let (mut out, mut plain) = (Vec::new(), Vec::new());
        let mut anew = Seal::new(End::Coordinator, &KEY, &mut out).expect("random numbers");
        let replayed = anew.open(&answer, &mut plain, &mut out);
        assert_eq!((replayed, plain), (Err(SealError::Broken), vec![]));
    }

    #[test]
    fn who_has_another_key_is_not_understood() {
        let (mut first, mut out, mut plain) = (Vec::new(), Vec::new(), Vec::new());
        let _ours = Seal::new(End::Coordinator, &KEY, &mut first).expect("random numbers");
        let other = SealKey([8; 32]);
        let mut theirs = Seal::new(End::Member, &other, &mut out).expect("random numbers");
        let found = theirs.open(&first, &mut plain, &mut out);
        assert_eq!((found, out), (Err(SealError::Broken), REFUSAL.to_vec()));
    }

    #[test]
    fn a_record_twice_or_out_of_order_ends_the_stream() {
        let (mut ours, mut theirs, _) = pair();
        let first = sealed(&mut ours, b"1");
        assert_eq!(opened(&mut theirs, &first), Ok(b"1".to_vec()));
        assert_eq!(opened(&mut theirs, &first), Err(SealError::Broken));
        let (mut ours, mut theirs, _) = pair();
        let _first = sealed(&mut ours, b"1");
        let second_of_two = sealed(&mut ours, b"2");
        assert_eq!(opened(&mut theirs, &second_of_two), Err(SealError::Broken));
        // What one end has sealed it does not take from the other.
        let (mut ours, _, _) = pair();
        let own = sealed(&mut ours, b"1");
        assert_eq!(opened(&mut ours, &own), Err(SealError::Broken));
    }

    #[test]
    fn what_is_no_record_is_not_waited_for() {
        let mut nothing = Vec::new();
        let (broken, refused) = (SealError::Broken, SealError::Refused);
        for (length, is_agreed, expected) in [
            (65_535_u16, false, broken),
            (47, false, broken),
            (15, true, broken),
            (0, true, refused),
            (0, false, refused),
        ] {
            let mut seal = Seal::new(End::Member, &KEY, &mut nothing).expect("random numbers");
            if is_agreed {
                seal = pair().1;
            }
            let found = opened(&mut seal, &length.to_le_bytes());
            assert_eq!(found, Err(expected), "{length}");
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(32))]

        #[test]
        fn what_goes_in_comes_out(
            messages in prop::collection::vec(
                prop_oneof![prop::collection::vec(any::<u8>(), 0..300), Just(vec![5; 70_000])],
                0..4,
            ),
            cut in 1_usize..80_000,
        ) {
            let (mut ours, mut theirs, _) = pair();
            let mut stream = Vec::new();
            for message in &messages {
                ours.seal(message, &mut stream);
            }
            let mut plain = Vec::new();
            for piece in stream.chunks(cut) {
                plain.extend(opened(&mut theirs, piece).expect("sealed"));
            }
            prop_assert_eq!(plain, messages.concat());
        }

        #[test]
        fn a_bit_that_is_turned_ends_the_stream_before_the_record(
            length in 0_usize..200,
            bit in any::<prop::sample::Index>(),
        ) {
            let (mut ours, mut theirs, _) = pair();
            let good = sealed(&mut ours, b"good");
            let mut bad = sealed(&mut ours, &vec![1; length + 1]);
            let bit = bit.index(8 * bad.len());
            bad[bit / 8] ^= 1 << (bit % 8);
            prop_assert_eq!(opened(&mut theirs, &good), Ok(b"good".to_vec()));
            // A length that is now longer is waited for, and never gives anything.
            let found = opened(&mut theirs, &bad);
            prop_assert!(found.is_err() || found == Ok(Vec::new()) && bit < 16);
        }

        #[test]
        fn what_was_cut_off_gives_nothing(
            length in 1_usize..200,
            cut in any::<prop::sample::Index>(),
        ) {
            let (mut ours, mut theirs, _) = pair();
            let whole = sealed(&mut ours, &vec![1; length]);
            let cut = cut.index(whole.len());
            prop_assert_eq!(opened(&mut theirs, &whole[..cut]), Ok(Vec::new()));
        }

        #[test]
        fn no_bytes_are_taken_for_sealed_ones(bytes in prop::collection::vec(any::<u8>(), 0..500)) {
            let (_, mut theirs, _) = pair();
            let found = opened(&mut theirs, &bytes);
            prop_assert!(found.is_err() || found == Ok(Vec::new()));
        }
    }
}
