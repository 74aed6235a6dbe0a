//! What defects change in the part that all families share.

use std::borrow::Cow;
use std::net::SocketAddr;

use super::MasterState;
use crate::defect::{Defect, Defects};
use crate::registry::{ListBucket, ListKey, Load, ServerKey, ServerQuery};

/// Which lists and which challenges two defects lose.
const LOST_LIST: u32 = 16;
const LOST_CHALLENGE: u32 = 8;

/// Whether the challenge of an answer is the expected one; only defects take others.
pub(super) fn is_same(defects: Defects, expected: &[u8], given: &[u8]) -> bool {
    if defects.has(Defect::ChallengeAnyCase) {
        return expected.eq_ignore_ascii_case(given);
    }
    if defects.has(Defect::ChallengePrefix) {
        return given.starts_with(expected);
    }
    expected == given
}

impl MasterState {
    /// How long a challenge is valid, in nanoseconds.
    pub(super) fn challenge_time(&self) -> i64 {
        let time = self.settings.challenge_timeout;
        if self.has(Defect::StaleChallenge) {
            return time.saturating_mul(30);
        }
        if self.has(Defect::ChallengesExpireEarly) { time / 10 } else { time }
    }

    /// Whether this challenge of a listed server is not sent.
    pub(super) fn loses_challenge(&mut self) -> bool {
        self.challenges_so_far = self.challenges_so_far.wrapping_add(1);
        self.has(Defect::LosesChallenges) && self.challenges_so_far.is_multiple_of(LOST_CHALLENGE)
    }

    /// Whether this packet of a list is not sent.
    pub(super) fn loses_list(&mut self) -> bool {
        self.lists_so_far = self.lists_so_far.wrapping_add(1);
        self.has(Defect::LosesLists) && self.lists_so_far.is_multiple_of(LOST_LIST)
    }

    /// The number of players and of slots, as a list distinguishes it.
    pub fn load(&self, players: u64, slots: Option<u64>) -> Load {
        let full = self.has(Defect::FullEarly) && slots.is_some_and(|s| s == players + 1);
        match players {
            1 if self.has(Defect::EmptyLate) => Load::new(0, slots),
            _ if full && players > 0 => Load::new(players + 1, slots),
            _ => Load::new(players, slots),
        }
    }

    /// The buckets in which a server is listed. Of other servers of its address, a defect keeps none.
    pub(super) fn broken_buckets<'a>(
        &mut self,
        server: &ServerKey,
        buckets: &'a [ListBucket],
    ) -> Cow<'a, [ListBucket]> {
        if self.has(Defect::OneOfAnAddress) {
            let beside = self.registry.of_address(server.namespace, server.address.ip());
            for other in beside.iter().filter(|other| *other != server) {
                self.registry.drop(other);
            }
        }
        if !self.has(Defect::KeepsOldLists) {
            return Cow::Borrowed(buckets);
        }
        let mut all = buckets.to_vec();
        let old = self.registry.buckets_of(server);
        all.extend(old.into_iter().filter(|bucket| !buckets.contains(bucket)));
        Cow::Owned(all)
    }

    /// Adds the servers that a master with a defect takes for those of a request as well.
    pub(super) fn find_others(
        &self,
        wanted: ServerQuery<'_>,
        fits: &impl Fn(&ListKey) -> bool,
        found: &mut Vec<SocketAddr>,
    ) {
        if let Some(protocol) = wanted.protocol.filter(|_| self.has(Defect::NeighbourProtocol)) {
            let below = ServerQuery { protocol: Some(protocol.saturating_sub(1)), ..wanted };
            found.extend(self.registry.find(below, fits));
        }
        let (prefix, any_case) = (self.has(Defect::GamePrefix), self.has(Defect::GameAnyCase));
        let Some(game) = wanted.game.filter(|_| prefix || any_case) else { return };
        for other in self.registry.games(wanted.namespace) {
            let is_taken =
                prefix && other.starts_with(game) || any_case && other.eq_ignore_ascii_case(game);
            if is_taken && *other != *game {
                let of_other = ServerQuery { game: Some(&other), ..wanted };
                found.extend(self.registry.find(of_other, fits));
            }
        }
    }

    /// The record of a server as a master with a defect writes it; `None` for none.
    pub(super) fn broken_record(&self, mut server: SocketAddr) -> Option<SocketAddr> {
        let SocketAddr::V4(four) = &mut server else {
            if self.has(Defect::SwappedPortIpv6) {
                server.set_port(server.port().swap_bytes());
            }
            return Some(server);
        };
        let [first, rest @ ..] = four.ip().octets();
        let [b, c, d] = rest;
        let [high, low] = four.port().to_be_bytes();
        if self.has(Defect::CutsAtMarks) && [first, b, c, d, high, low].contains(&b'\\') {
            return None;
        }
        if self.has(Defect::SignedOctets) {
            four.set_ip([first.min(127), b, c, d].into());
        }
        Some(server)
    }
}
