//! The line with the text being typed, and the search.

use std::cmp::Ordering;

use tui_input::InputRequest;

use super::Update;
use crate::action::{Effect, KeyCommand, Motion, Step, TerminalCommand};
use crate::filter::FilterDraft;
use crate::history::HistoryKind;
use crate::screens::screen::{Bookmark, LADDER, MESSAGES, SearchFrom, TypedPosition};
use crate::search::SearchQuery;
use crate::typing::{EditForm, LinePurpose, Purpose, SearchDraft, Typing};
use crate::work::WorkKind;
use filter::Filter;
use text::{parse_duration, parse_time};

impl Update<'_> {
    /// The typed text has changed, or was asked to.
    pub(super) fn typed(&mut self, request: InputRequest) {
        let Some(typing) = &mut self.model.view.typing else {
            return;
        };
        let before = typing.input.value().to_owned();
        typing.input.handle(request);
        let has_changed = typing.input.value() != before;
        self.line_changed(has_changed);
    }

    /// Inserts text from the clipboard where a text is typed; it is never taken for keys.
    pub(super) fn paste(&mut self, text: &str) {
        if let Some((_, menu)) = &mut self.model.menu {
            if !menu.paste(text) {
                self.hint("pasted text was ignored");
            }
            return;
        }
        if let Some(typing) = &mut self.model.view.typing {
            let is_bytes =
                matches!(&typing.purpose, Purpose::Line(d) if d.kind == LinePurpose::Bytes);
            if is_bytes && text.trim().contains(['\n', '\r']) {
                // A hexdump is read row by row.
                return self.end_line(Some(text));
            }
            typing.paste(text);
            return self.line_changed(true);
        }
        let filter = self.key(KeyCommand::Filter);
        let search = self.key(KeyCommand::Search);
        self.hint(format!("pasted text was ignored; {filter} or {search} opens a line for it"));
    }

    /// Checks the text, and what follows from it.
    fn line_changed(&mut self, has_changed: bool) {
        let Some(Typing { input, purpose, .. }) = &mut self.model.view.typing else {
            return;
        };
        match purpose {
            Purpose::Filter(draft) => **draft = FilterDraft::new(input),
            _ if !has_changed => {}
            Purpose::Refused(_) => {}
            Purpose::Search(_) => self.search_changed(),
            Purpose::Export(_) => self.name_changed(),
            Purpose::Line(draft) => draft.wrong = None,
        }
    }

    /// A command while a text is typed.
    pub(super) fn end_typing(&mut self, command: KeyCommand) {
        let Some(typing) = &mut self.model.view.typing else {
            return;
        };
        match (&mut typing.purpose, command) {
            (_, KeyCommand::Suspend) => self.effect(Effect::Terminal(TerminalCommand::Suspend)),
            (_, KeyCommand::Redraw) => self.effect(Effect::Terminal(TerminalCommand::Redraw)),
            (Purpose::Refused(_), _) => self.end_refusal(command),
            (_, KeyCommand::History(step)) => {
                let has_changed = typing.show_entry(step, &self.model.view.history);
                self.line_changed(has_changed);
            }
            (Purpose::Filter(_), KeyCommand::Links) => self.show_history(),
            (Purpose::Export(_), _) => self.end_export(command),
            (Purpose::Filter(draft), KeyCommand::Focus(step)) => {
                draft.complete(&mut typing.input, step);
            }
            (Purpose::Filter(draft), KeyCommand::Enter) if draft.wrong.is_none() => {
                let filter = Filter::parse(typing.input.value()).ok();
                self.model.view.typing = None;
                self.set_filter(filter);
            }
            (Purpose::Search(draft), KeyCommand::Focus(_)) => {
                draft.mode = draft.mode.next();
                self.search_changed();
            }
            (Purpose::Search(_), KeyCommand::Enter) => self.enter_search(),
            (Purpose::Search(draft), KeyCommand::Close) => {
                let origin = draft.origin.clone();
                self.model.view.typing = None;
                self.end_search(&origin);
            }
            (Purpose::Line(_), KeyCommand::Enter) => self.end_line(None),
            (Purpose::Line(draft), KeyCommand::Focus(_)) => {
                if let LinePurpose::Edit(form, _) = draft.kind {
                    self.begin_edit(form.other());
                }
            }
            (Purpose::Filter(_) | Purpose::Line(_), KeyCommand::Close) => {
                self.model.view.typing = None;
            }
            _ => {}
        }
    }

    /// A command that opens a line or a menu cannot be executed: what is typed for it is ignored,
    /// until a key that types no text.
    pub(super) fn refuse(&mut self, why: impl Into<String>) {
        self.model.view.hint = None;
        self.model.view.typing = Some(Typing::refused(why.into()));
    }

    /// A command after a refusal. Only movements are executed: the others would end a line.
    fn end_refusal(&mut self, command: KeyCommand) {
        (self.model.view.typing, self.model.view.hint) = (None, None);
        match command {
            KeyCommand::History(Step::Back) => self.command(KeyCommand::Move(Motion::Up)),
            KeyCommand::History(Step::Forward) => self.command(KeyCommand::Move(Motion::Down)),
            KeyCommand::Move(_) => self.command(command),
            _ => {}
        }
    }

    pub(super) fn begin_search(&mut self) {
        let shown = self.model.shown();
        let of_messages = self.model.overlay.is_none()
            && shown.is_some_and(|(info, _)| [MESSAGES, LADDER].contains(&info.name));
        let origin = shown.map(|(_, screen)| screen.bookmark(&self.model.view));
        let origin = origin.unwrap_or(Bookmark::Nowhere);
        self.model.searched_from = None;
        self.stop_search();
        self.model.view.typing = Some(Typing::search(origin, of_messages));
    }

    /// Searches for the typed text from where the search began.
    fn search_changed(&mut self) {
        self.model.view.hint = None;
        self.stop_search();
        let Some(Typing { input, purpose: Purpose::Search(draft), .. }) =
            &mut self.model.view.typing
        else {
            return;
        };
        let query = SearchQuery::new(input.value(), draft.mode);
        draft.wrong = query.as_ref().err().cloned();
        draft.is_entered = false;
        let origin = draft.origin.clone();
        let Ok(query) = query else {
            return;
        };
        self.model.view.search = query.clone();
        if let Some(overlay) = &mut self.model.overlay {
            if !query.is_empty() && !overlay.search(&query, None) {
                draft.wrong = Some(not_found(&query));
            }
            return;
        }
        self.on_shown(|screen, cx| screen.restore(&origin, cx));
        if query.is_empty() {
            return;
        }
        let hint = self.model.view.hint.take();
        self.on_shown(|screen, cx| screen.search(&query, SearchFrom::Here, cx));
        // A screen's hint is why it has found nothing, or cannot search.
        let wrong = std::mem::replace(&mut self.model.view.hint, hint);
        if let Some(draft) = self.search_draft() {
            draft.wrong = wrong;
        }
    }

    fn search_draft(&mut self) -> Option<&mut SearchDraft> {
        match &mut self.model.view.typing.as_mut()?.purpose {
            Purpose::Search(draft) => Some(draft),
            _ => None,
        }
    }

    /// Ends the line of a search that has found something. A search that has not, or not yet, keeps
    /// its line, so that what is typed next is not taken for commands.
    fn enter_search(&mut self) {
        if self.search_draft().is_some_and(|draft| draft.wrong.is_some()) {
            // More may have been read since.
            self.search_changed();
        }
        let typed = self.model.view.typing.as_ref().map(|typing| typing.input.value().to_owned());
        if let Some(text) = typed.filter(|text| text == self.model.view.search.text()) {
            self.remember(HistoryKind::Search, &text);
        }
        let is_searching = self.model.view.searching.is_some();
        match self.search_draft() {
            Some(draft) if draft.wrong.is_none() && is_searching => draft.is_entered = true,
            Some(draft) if draft.wrong.is_none() => self.model.view.typing = None,
            _ => {}
        }
    }

    /// The search was cancelled.
    fn end_search(&mut self, origin: &Bookmark) {
        self.stop_search();
        if self.model.overlay.is_none() {
            self.on_shown(|screen, cx| screen.restore(origin, cx));
        }
    }

    /// Stops a search, so that its result does not move the cursor; false if none is running.
    pub(super) fn stop_search(&mut self) -> bool {
        let is_running = self.model.view.searching.take().is_some();
        if is_running {
            self.effect(Effect::Stop(WorkKind::Search));
        }
        is_running
    }

    pub(super) fn search_again(&mut self, step: Step) {
        if self.model.view.search.is_empty() {
            let search = self.key(KeyCommand::Search);
            return self.hint(format!("{search} begins a search"));
        }
        let query = self.model.view.search.clone();
        self.model.searched_from = self.cursor().map(|row| (step, row));
        self.on_shown(|screen, cx| screen.search(&query, SearchFrom::After(step), cx));
    }

    /// The result of a search.
    pub(super) fn found(&mut self, screen: usize, found: Option<usize>) {
        self.model.view.searching = None;
        if found.is_none() {
            let wrong = not_found(&self.model.view.search);
            let Some(draft) = self.search_draft() else {
                return self.hint(wrong);
            };
            draft.is_entered = false;
            draft.wrong = Some(wrong);
            // While typing, a match of a shorter text does not count.
            let origin = draft.origin.clone();
            return self.on(screen, |screen, cx| screen.restore(&origin, cx));
        }
        let answer = crate::action::Answer::Found(found);
        self.on(screen, |screen, cx| screen.answer(answer, cx));
        if self.search_draft().is_some_and(|draft| draft.is_entered) {
            self.model.view.typing = None;
        }
        if let Some((step, before)) = self.model.searched_from.take()
            && let Some(row) = self.cursor()
        {
            self.note_turn(step, row.cmp(&before));
        }
    }

    /// Says that a search went around the end: the row that it found is before, or behind, where it
    /// began.
    fn note_turn(&mut self, step: Step, found: Ordering) {
        match (step, found) {
            (_, Ordering::Equal) => self.hint("no other row has this"),
            (Step::Forward, Ordering::Less) => self.hint("the search continued at the first row"),
            (Step::Back, Ordering::Greater) => self.hint("the search continued at the last row"),
            (Step::Forward, Ordering::Greater) | (Step::Back, Ordering::Less) => {}
        }
    }

    /// The row under the cursor of the shown screen.
    fn cursor(&self) -> Option<usize> {
        self.model.shown().and_then(|(_, screen)| screen.cursor())
    }

    /// Hands the line to the shown screen, or a pasted text in its place. A text that it does not take
    /// stays, with the reason.
    fn end_line(&mut self, pasted: Option<&str>) {
        let Some(Typing { input, purpose: Purpose::Line(draft), .. }) = &self.model.view.typing
        else {
            return;
        };
        let (kind, text) = (draft.kind.clone(), pasted.unwrap_or(input.value()).to_owned());
        let mut result = Ok(());
        match kind {
            LinePurpose::Position => result = self.go_to_typed(&text),
            LinePurpose::Edit(form, _) => {
                self.on_shown(|screen, cx| result = screen.edit(form, &text, cx));
            }
            LinePurpose::Open => result = self.open_file(text.trim()),
            LinePurpose::Bytes => result = self.compare_with_text(&text),
            LinePurpose::Comment(number) => result = self.set_comment(number, text.trim()),
        }
        match (result, &mut self.model.view.typing) {
            (Ok(()), typing) => *typing = None,
            (Err(error), Some(Typing { purpose: Purpose::Line(draft), .. })) => {
                draft.wrong = Some(error);
            }
            (Err(_), _) => {}
        }
    }

    /// Opens the line with what is selected, to change it.
    pub(super) fn begin_edit(&mut self, form: EditForm) {
        let Some((_, screen)) = self.model.shown() else {
            return;
        };
        match screen.editable(form, &self.model.view) {
            Ok((what, text)) => {
                let kind = LinePurpose::Edit(form, what);
                self.model.view.typing = Some(Typing::line(kind, text));
            }
            Err(why) => self.refuse(why),
        }
    }

    /// Goes to the number or the time in the line.
    fn go_to_typed(&mut self, text: &str) -> Result<(), String> {
        if ["q", "q!", "quit", "wq", "x"].contains(&text.trim()) {
            // As in vim.
            self.quit();
            return Ok(());
        }
        let (first, place) = (self.model.view.begin(), self.place(false));
        let position = parse_position(text, first)
            .ok_or_else(|| "expected a number, a time such as 12.5s, or 20:00:05".to_owned())?;
        let mut result = Ok(());
        self.on_shown(|screen, cx| result = screen.go_to(position, cx));
        if result.is_ok() {
            self.come_from(place);
        }
        result
    }
}

fn not_found(query: &SearchQuery) -> String {
    format!("not found: {}", query.text())
}

/// `12`, `#12`; `0x2b` and `@43`, offsets; `12.5s`, `2m30s` since the first message; `20:00:05`, on the first day; a date and
/// a time.
fn parse_position(text: &str, first: i64) -> Option<TypedPosition> {
    let text = text.trim();
    let hex = text.strip_prefix("0x").map(|digits| usize::from_str_radix(digits, 16));
    let offset = hex.or_else(|| text.strip_prefix('@').map(str::parse));
    if let Some(offset) = offset {
        return offset.ok().map(TypedPosition::Offset);
    }
    if let Ok(number) = text.strip_prefix('#').unwrap_or(text).parse() {
        return Some(TypedPosition::Number(number));
    }
    if let Some(since) = parse_duration(text) {
        return i64::try_from(since).ok().map(TypedPosition::Since);
    }
    let day = text::utc(first);
    let on_first_day = format!("{}T{text}Z", day.get(..10).unwrap_or_default());
    let (time, _) = parse_time(text).or_else(|| parse_time(&on_first_day))?;
    i64::try_from(time).ok().map(TypedPosition::Time)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_are_numbers_and_times() {
        let first = 1_070_308_800_000_000_000;
        for (text, position) in [
            ("12", Some(TypedPosition::Number(12))),
            (" #7 ", Some(TypedPosition::Number(7))),
            ("12.5s", Some(TypedPosition::Since(12_500_000_000))),
            ("2m", Some(TypedPosition::Since(120_000_000_000))),
            ("20:00:05", Some(TypedPosition::Time(first + 5_000_000_000))),
            ("2003-12-01T20:00:05.5Z", Some(TypedPosition::Time(first + 5_500_000_000))),
            ("0x2b", Some(TypedPosition::Offset(43))),
            ("@43", Some(TypedPosition::Offset(43))),
            ("0x", None),
            ("", None),
            ("later", None),
        ] {
            assert_eq!(parse_position(text, first), position, "{text:?}");
        }
    }
}
