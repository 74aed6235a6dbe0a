//! The index of all messages: when everything has been read, or on request before that.

use super::Update;
use crate::analysis::AnalysisIndex;
use crate::tui::action::Effect;
use crate::tui::sheet::Tab;

impl Update<'_> {
    /// Requests the index of the messages so far, for a live capture or a pipe that has not ended.
    /// Their classification may still change.
    pub(super) fn put_together(&mut self) {
        let session = self.session;
        let goes_on = !session.is_done() && session.progress().of.is_none();
        let reach = session.index().map_or(0, AnalysisIndex::reach);
        if goes_on && reach < session.len() && !self.model.sheets.is_keeping {
            self.model.sheets.is_keeping = true;
            self.effects.push(Effect::Keep);
        }
    }

    /// Takes the state of the session.
    pub(super) fn grow_sheets(&mut self) {
        let session = self.session;
        let sheets = &mut self.model.sheets;
        sheets.percent = 100 * session.indexed().min(session.len()) / session.len().max(1);
        sheets.lengths = session.index().map(Tab::lengths);
        let reach = session.index().map(AnalysisIndex::reach);
        sheets.is_keeping &= sheets.reach == reach && !session.is_done();
        (sheets.reach, sheets.is_settled) = (reach, session.is_index_final());
        let findings = session.index().map(|index| index.findings()).unwrap_or_default();
        sheets.worst = findings.iter().map(|finding| finding.rule.severity).max();
        if sheets.shown == Tab::Ladder {
            sheets.ladder.grow(session);
        }
        if sheets.shown.table().is_some() && sheets.lengths.is_none() {
            self.put_together();
        }
    }

    pub(super) fn say_unread(&mut self) {
        self.put_together();
        self.model.hint = Some(if self.model.sheets.is_keeping {
            "the messages so far are being put together: once more in a moment".to_owned()
        } else {
            "exchanges are known when all has been read".to_owned()
        });
    }

    /// The message at an index belongs to no known exchange.
    pub(super) fn say_alone(&mut self, index: usize) {
        if !self.model.sheets.is_settled && self.model.sheets.reach.is_some_and(|r| r <= index) {
            return self.say_unread();
        }
        self.model.hint = Some("this message belongs to no exchange".to_owned());
    }
}
