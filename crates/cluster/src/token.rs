//! The secret that all members of a measurement share, and how each side shows that it knows it
//! without saying it: HMAC-SHA-256 over a role and both sides' random numbers.

use hmac::{Hmac, Mac as _};
use sha2::Sha256;

/// Bytes of random numbers and of proofs.
pub const BYTES: usize = 32;

/// A number that is used once.
pub type Nonce = [u8; BYTES];
/// That somebody knows the token.
pub type Proof = [u8; BYTES];

/// What both ends of one connection derive from the token and their random numbers, to seal what
/// follows. It is never printed.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct SealKey(pub(crate) [u8; BYTES]);

impl std::fmt::Debug for SealKey {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("SealKey(..)")
    }
}

/// Fewest bytes of a token that a person may choose.
pub const TOKEN_BYTES_MIN: usize = 16;

/// Who proves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// The process that starts and gathers.
    Coordinator,
    /// One that measures.
    Member,
}

impl Role {
    const fn purpose(self) -> &'static [u8] {
        match self {
            Self::Coordinator => b"fathom coordinator",
            Self::Member => b"fathom member",
        }
    }
}

/// The secret. It is never printed.
#[derive(Clone, PartialEq, Eq)]
pub struct Token(Vec<u8>);

impl std::fmt::Debug for Token {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Token(..)")
    }
}

/// Why a token is none.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the token has {0} bytes, at least {TOKEN_BYTES_MIN} are needed")]
pub struct ShortToken(usize);

impl Token {
    /// From what a file holds; white space around it does not count.
    ///
    /// # Errors
    ///
    /// [`ShortToken`]
    pub fn new(bytes: &[u8]) -> Result<Self, ShortToken> {
        let bytes = bytes.trim_ascii();
        if bytes.len() < TOKEN_BYTES_MIN {
            return Err(ShortToken(bytes.len()));
        }
        Ok(Self(bytes.to_vec()))
    }

    /// From random bytes, in letters that a file can hold.
    pub fn random(entropy: &[u8; BYTES]) -> Self {
        use std::fmt::Write as _;
        let mut text = String::with_capacity(2 * BYTES);
        for byte in entropy {
            write!(text, "{byte:02x}").expect("writing to a string does not fail");
        }
        Self(text.into_bytes())
    }

    /// What is written to the file or the descriptor through which members learn it.
    pub fn secret(&self) -> &[u8] {
        &self.0
    }

    fn mac(&self, purpose: &[u8], theirs: &Nonce, own: &Nonce) -> Hmac<Sha256> {
        let mut mac = Hmac::new_from_slice(&self.0).expect("a key of any length will do");
        mac.update(purpose);
        mac.update(theirs);
        mac.update(own);
        mac
    }

    /// Shows that `role`, which was asked `theirs` and asks `own`, knows the token.
    pub fn prove(&self, role: Role, theirs: &Nonce, own: &Nonce) -> Proof {
        self.mac(role.purpose(), theirs, own)
            .finalize()
            .into_bytes()
            .into()
    }

    /// Whether `proof` is that of `role`; takes the same time whatever the proof.
    pub fn accepts(&self, role: Role, theirs: &Nonce, own: &Nonce, proof: &Proof) -> bool {
        self.mac(role.purpose(), theirs, own)
            .verify_slice(proof)
            .is_ok()
    }

    /// The key for the connection on which the coordinator sent `coordinator` and the member
    /// `member`.
    pub fn seal_key(&self, coordinator: &Nonce, member: &Nonce) -> SealKey {
        let mac = self.mac(b"fathom seal", coordinator, member);
        SealKey(mac.finalize().into_bytes().into())
    }

    /// Random numbers for use once, from `entropy` that nobody else knows.
    pub fn nonce(entropy: &Nonce, number: u64) -> Nonce {
        let mut mac = Hmac::<Sha256>::new_from_slice(entropy).expect("a key of any length will do");
        mac.update(&number.to_le_bytes());
        mac.finalize().into_bytes().into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_proof_holds_for_one_role_and_one_challenge() {
        let token = Token::new(b"correct horse battery\n").expect("long enough");
        let other = Token::new(b"correct horse batteri").expect("long enough");
        let (a, b) = ([1; BYTES], [2; BYTES]);
        let proof = token.prove(Role::Member, &a, &b);
        assert!(token.accepts(Role::Member, &a, &b, &proof));
        assert!(!token.accepts(Role::Coordinator, &a, &b, &proof));
        assert!(!token.accepts(Role::Member, &b, &a, &proof));
        assert!(!other.accepts(Role::Member, &a, &b, &proof));
        assert_eq!(format!("{token:?}"), "Token(..)");
    }

    #[test]
    fn short_tokens_are_refused() {
        let error = Token::new(b"  secret \n").expect_err("six bytes");
        assert_eq!(
            error.to_string(),
            "the token has 6 bytes, at least 16 are needed"
        );
        assert_eq!(Token::random(&[0xa5; BYTES]).secret().len(), 64);
    }
}
