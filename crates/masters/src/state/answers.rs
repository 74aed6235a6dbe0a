//! Answers to challenges, and those that a defect accepts.

use super::faults::is_same;
use super::{ClaimedServer, IncomingRequest, MasterState, PendingChallenge};
use crate::defect::Defect;
use crate::registry::ServerKey;

impl MasterState {
    /// The pending challenge that a response answers; it is then removed, and no second response
    /// counts.
    pub fn answered(
        &mut self,
        incoming: &IncomingRequest<'_>,
        server: ServerKey,
        challenge: &[u8],
    ) -> Option<PendingChallenge> {
        let defects = self.defects;
        let is_right = |_: &ServerKey, pending: &PendingChallenge| {
            is_same(defects, &pending.challenge, challenge)
        };
        self.answered_by(incoming, server, is_right)
    }

    /// The same where a response does not repeat the challenge: `is_right` compares it with that of a
    /// server.
    pub fn answered_by(
        &mut self,
        incoming: &IncomingRequest<'_>,
        server: ServerKey,
        is_right: impl Fn(&ServerKey, &PendingChallenge) -> bool,
    ) -> Option<PendingChallenge> {
        let right = |pending: &&PendingChallenge| is_right(&server, pending);
        let mut pending = self.pending.get(&server).filter(right).cloned();
        if pending.is_none() && self.has(Defect::ForeignChallenge) {
            let mut others =
                self.pending.iter().filter(|(other, _)| other.namespace == server.namespace);
            pending = others
                .find(|(other, pending)| is_right(other, pending))
                .map(|(_, pending)| pending.clone());
        }
        if pending.is_none() && self.has(Defect::AnyChallenge) {
            pending = self.pending.get(&server).cloned();
        }
        if self.has(Defect::AcceptsUnasked) && self.pending.get(&server).is_none() {
            let (challenge, claim) = (Vec::new(), ClaimedServer::default());
            pending = Some(PendingChallenge { challenge, claim, counted: false });
        }
        if pending.is_none() && self.registry.contains(&server) {
            pending = self.expired.get(&server).filter(right).cloned();
        }
        if pending.is_none() {
            self.counts.refused += 1;
            self.note(incoming.service, server.address, "refused: wrong challenge");
        } else if !self.has(Defect::ReplayedChallenge) {
            self.close_challenge(&server);
        } else if let Some(open) = self.pending.get_mut(&server) {
            open.claim.may_be_shutdown = false;
        }
        pending
    }
}
