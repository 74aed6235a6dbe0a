//! The small values of an exchange, in one word.

use crate::exchange::{ChallengeProof, ExchangeState};
use protocol::{Confidence, ExchangeKind, Role};

/// What an exchange has of few values.
#[expect(clippy::struct_excessive_bools, reason = "independent facts, as in an exchange")]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct ExchangeTraits {
    pub kind: ExchangeKind,
    pub state: ExchangeState,
    pub confidence: Confidence,
    pub proof: ChallengeProof,
    pub roles: [Option<Role>; 2],
    pub server: ServerEnd,
    pub retries: u16,
    /// Whether its first message is an answer.
    pub is_unsolicited: bool,
    /// Whether its last message is its last answer; else the first answer is.
    pub ends_with_answer: bool,
    pub forward: bool,
    pub from_other_port: bool,
    pub cut: bool,
    pub crossed: bool,
    pub parts_missing: bool,
}

/// Which end of an exchange is its server.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ServerEnd {
    None,
    Requester,
    Responder,
}

/// The same in one word; a number of retries that does not fit is cut.
#[derive(Debug, Clone, Copy)]
pub(super) struct PackedTraits(u32);

/// How many bits each value takes.
const KIND: u32 = 4;
const STATE: u32 = 3;
const CONFIDENCE: u32 = 3;
const PROOF: u32 = 3;
const ROLE: u32 = 2;
const SERVER: u32 = 2;
const RETRIES: u32 = 6;
const FLAGS: u32 = 7;

const _: () = {
    assert!(ExchangeKind::ALL.len() <= 1 << KIND);
    assert!(ExchangeState::ALL.len() <= 1 << STATE);
    assert!(Confidence::ALL.len() <= 1 << CONFIDENCE);
    assert!(ChallengeProof::ALL.len() <= 1 << PROOF);
    assert!(Role::ALL.len() < 1 << ROLE);
    let roles = 2 * ROLE;
    assert!(KIND + STATE + CONFIDENCE + PROOF + roles + SERVER + RETRIES + FLAGS <= u32::BITS);
};

impl PackedTraits {
    pub fn pack(traits: &ExchangeTraits) -> Self {
        let role = |role: Option<Role>| role.map_or(0, |role| role as u32 + 1);
        let mut bits = Self(0);
        bits.push(traits.kind as u32, KIND);
        bits.push(traits.state as u32, STATE);
        bits.push(traits.confidence as u32, CONFIDENCE);
        bits.push(traits.proof as u32, PROOF);
        for of in traits.roles {
            bits.push(role(of), ROLE);
        }
        bits.push(traits.server as u32, SERVER);
        bits.push(u32::from(traits.retries).min((1 << RETRIES) - 1), RETRIES);
        let flags = [
            traits.is_unsolicited,
            traits.ends_with_answer,
            traits.forward,
            traits.from_other_port,
            traits.cut,
            traits.crossed,
            traits.parts_missing,
        ];
        for flag in flags {
            bits.push(flag.into(), 1);
        }
        bits
    }

    /// Its bytes, the lowest first.
    pub fn to_bytes(self) -> [u8; 4] {
        self.0.to_le_bytes()
    }

    pub fn from_bytes(bytes: [u8; 4]) -> Self {
        Self(u32::from_le_bytes(bytes))
    }

    pub fn unpack(mut self) -> ExchangeTraits {
        let flags: [bool; FLAGS as usize] = std::array::from_fn(|_| self.pop(1) == 1);
        let [
            parts_missing,
            crossed,
            cut,
            from_other_port,
            forward,
            ends_with_answer,
            is_unsolicited,
        ] = flags;
        let retries = self.pop(RETRIES) as u16;
        let server = match self.pop(SERVER) {
            0 => ServerEnd::None,
            1 => ServerEnd::Requester,
            _ => ServerEnd::Responder,
        };
        let [responder, requester] =
            [(); 2].map(|()| self.pop(ROLE).checked_sub(1).map(|role| nth(&Role::ALL, role)));
        let proof = nth(&ChallengeProof::ALL, self.pop(PROOF));
        let confidence = nth(&Confidence::ALL, self.pop(CONFIDENCE));
        let state = nth(&ExchangeState::ALL, self.pop(STATE));
        let kind = nth(&ExchangeKind::ALL, self.pop(KIND));
        ExchangeTraits {
            kind,
            state,
            confidence,
            proof,
            roles: [requester, responder],
            server,
            retries,
            is_unsolicited,
            ends_with_answer,
            forward,
            from_other_port,
            cut,
            crossed,
            parts_missing,
        }
    }

    fn push(&mut self, value: u32, bits: u32) {
        self.0 = self.0 << bits | value;
    }

    fn pop(&mut self, bits: u32) -> u32 {
        let value = self.0 & ((1 << bits) - 1);
        self.0 >>= bits;
        value
    }
}

/// The value at a position, which it has.
fn nth<T: Copy, const N: usize>(all: &[T; N], at: u32) -> T {
    all.get(at as usize).copied().unwrap_or(all[0])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_values_come_back() {
        let mut traits = ExchangeTraits {
            kind: ExchangeKind::List,
            state: ExchangeState::OneWay,
            confidence: Confidence::Set,
            proof: ChallengeProof::Unknown,
            roles: [None, Some(Role::Master)],
            server: ServerEnd::Responder,
            retries: 63,
            is_unsolicited: true,
            ends_with_answer: false,
            forward: true,
            from_other_port: false,
            cut: true,
            crossed: false,
            parts_missing: true,
        };
        let is_same = |traits: &ExchangeTraits| PackedTraits::pack(traits).unpack() == *traits;
        for kind in ExchangeKind::ALL {
            traits.kind = kind;
            assert!(is_same(&traits), "{traits:?}");
        }
        for state in ExchangeState::ALL {
            traits.state = state;
            assert!(is_same(&traits), "{traits:?}");
        }
        for confidence in Confidence::ALL {
            traits.confidence = confidence;
            assert!(is_same(&traits), "{traits:?}");
        }
        for proof in ChallengeProof::ALL {
            traits.proof = proof;
            assert!(is_same(&traits), "{traits:?}");
        }
        for role in Role::ALL {
            traits.roles = [Some(role), None];
            assert!(is_same(&traits), "{traits:?}");
        }
        for server in [ServerEnd::None, ServerEnd::Requester] {
            traits.server = server;
            assert!(is_same(&traits), "{traits:?}");
        }
        traits.retries = 64;
        assert!(!is_same(&traits), "it does not fit");
    }
}
