//! Sessions that are made of another one: its inputs read once more, or a copy of what it has.

use std::path::PathBuf;
use std::sync::Arc;

use super::{Loader, Session};
use crate::index::AnalysisIndex;
use crate::prepared::{PacketSelection, Prepared};
use crate::reader::CaptureReader;
use capture::{Frames, Input, OpenError};
use flow::{DecodeAs, DecodeTarget, FlowId};
use protocol::Game;

/// Why nothing can be added to a session.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ExtendError {
    /// Its end has not come.
    #[error("the capture is still being read")]
    Unread,
    /// Its devices capture what is said, if it comes past them.
    #[error("a live capture shows what its devices and its filter let through")]
    Live,
    /// The numbers of packets would change.
    #[error("the capture has packets that are later than now")]
    Later,
    /// An input cannot be read again.
    #[error(transparent)]
    Open(#[from] OpenError),
}

impl Session {
    /// The same inputs read once more, with this game for one of its flows; without a game it is
    /// detected, whatever was chosen for the flow or its ends.
    ///
    /// # Errors
    ///
    /// If an input cannot be read again.
    pub fn again(
        &self,
        flow: FlowId,
        game: Option<&'static Game>,
        threads: usize,
    ) -> Result<(Self, Loader), OpenError> {
        let (choices, known) = self.flows.settings();
        let ends = self.flows.ends(flow).map(|(_, ends)| ends).filter(|_| game.is_none());
        let is_kept = |choice: &DecodeAs| match choice.subject {
            DecodeTarget::Flow(of) => of != flow,
            DecodeTarget::End(end) => !ends.is_some_and(|ends| ends.contains(&end)),
        };
        let chosen = game.map(|game| DecodeAs { subject: DecodeTarget::Flow(flow), game });
        let choices = choices.iter().copied().filter(is_kept).chain(chosen).collect();
        let prepared = Prepared::new(self.inputs.clone()).shows(self.flows.secrets());
        let prepared = prepared.threads(threads).knowing(known).selecting(self.packets);
        let (mut session, loader) = Self::begin(prepared, choices)?;
        session.keep_last(self.records.limit);
        Ok((session, loader))
    }

    /// A session of another file, with the same settings.
    ///
    /// # Errors
    ///
    /// If it cannot be opened, or is no capture.
    pub fn other(&self, file: PathBuf, threads: usize) -> Result<(Self, Loader), OpenError> {
        let (choices, known) = self.flows.settings();
        let prepared = Prepared::new(vec![Input::File(file)]).shows(self.flows.secrets());
        let prepared = prepared.shows_unknown(self.flows.shows_unknown());
        let prepared = prepared.threads(threads).knowing(known).selecting(self.packets);
        let (mut session, loader) = Self::begin(prepared, choices.to_vec())?;
        session.keep_last(self.records.limit);
        Ok((session, loader))
    }

    /// The same inputs and one more, whose packets were captured after all of theirs: they come behind
    /// them, and all others keep their numbers. Inputs that can be read again are, because what comes
    /// late may tell what earlier messages are.
    ///
    /// # Errors
    ///
    /// If not all was read, or an input is live, or has packets that are later than those of the new one.
    pub fn with(&self, input: Input, threads: usize) -> Result<(Self, Loader), ExtendError> {
        self.check_extension(&input)?;
        if self.progress.of.is_none() {
            return self.continued(input, threads);
        }
        let (choices, known) = self.flows.settings();
        let inputs = self.inputs.iter().cloned().chain([input]).collect();
        let prepared = Prepared::new(inputs).shows(self.flows.secrets());
        let prepared = prepared.shows_unknown(self.flows.shows_unknown());
        let prepared = prepared.threads(threads).knowing(known).selecting(self.packets);
        let (mut session, loader) = Self::begin(prepared, choices.to_vec())?;
        session.keep_last(self.records.limit);
        Ok((session, loader))
    }

    /// The same for inputs that are not read again: a copy of what was read, which goes on with the new
    /// input.
    ///
    /// # Errors
    ///
    /// As [`Session::with`].
    pub fn continued(&self, input: Input, threads: usize) -> Result<(Self, Loader), ExtendError> {
        self.check_extension(&input)?;
        let input_set = self.input_set.with(&input);
        let packets = PacketSelection { limit: u64::MAX, ..self.packets };
        let (inputs, counts) = (self.input_set.count(), self.counts);
        let reader = CaptureReader::behind(inputs, counts, input, packets)?;
        let (done, is_final, indexed, index) = (false, false, 0, None);
        let session = Self { done, indexed, index, is_final, input_set, ..self.snapshot() };
        let (again, builder, hook, freed): (_, _, _, fn()) = (None, None, None, || {});
        Ok((session, Loader { reader, again, builder, hook, freed, threads }))
    }

    /// Whether the packets of an input may come behind all others.
    fn check_extension(&self, input: &Input) -> Result<(), ExtendError> {
        if self.live.is_some() {
            return Err(ExtendError::Live);
        }
        if !self.done {
            return Err(ExtendError::Unread);
        }
        let mut frames = Frames::open(std::slice::from_ref(input))?;
        let first = frames.next().map_or(i64::MAX, |frame| frame.time);
        if self.flows.end() > first { Err(ExtendError::Later) } else { Ok(()) }
    }

    /// A copy of what was read so far, which does not grow. Payloads are shared: those that are
    /// dropped later cannot be read from it.
    #[must_use]
    pub fn snapshot(&self) -> Self {
        Self {
            flows: Arc::new((*self.flows).clone()),
            records: self.records.clone(),
            payloads: self.payloads(),
            live: self.live.clone(),
            warnings: self.warnings.clone(),
            comments: self.comments.clone(),
            names: Arc::clone(&self.names),
            index: self.shared_index(),
            inputs: self.inputs.clone(),
            input_set: self.input_set.clone(),
            ..*self
        }
    }

    /// Takes the index of a snapshot, if it is later than its own.
    pub fn take_index_of(&mut self, snapshot: &Self) {
        let reach = |session: &Self| session.index().map(AnalysisIndex::reach);
        if !self.done && reach(snapshot) > reach(self) {
            self.index = snapshot.shared_index();
        }
    }
}
