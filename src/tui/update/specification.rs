//! The specification of the message under the cursor, as an overlay.

use super::Update;
use crate::tui::model::{Overlay, OverlayKind};
use crate::tui::page::Page;
use crate::tui::view;

impl Update<'_> {
    /// Opens the page of the message's protocol at the section of the message.
    pub(super) fn specification(&mut self) {
        let place = self.model.place(self.model.list.cursor);
        let Some(header) = place.and_then(|place| self.session.header(place)) else {
            return;
        };
        let entry = header.entry;
        let Some(page) = Page::of(entry.protocol.id, view::overlay_columns(self.model)) else {
            self.model.hint = Some(format!("{} has no page", entry.protocol.id));
            return;
        };
        let top = page.section(entry.spec.id).unwrap_or(0);
        self.model.overlay = Some(Overlay { kind: OverlayKind::Specification(page), top });
        self.keep_overlay();
    }

    /// Lays an open page out for the terminal's size, and keeps the position.
    pub(super) fn fit_page(&mut self) {
        let columns = view::overlay_columns(self.model);
        if let Some(Overlay { kind: OverlayKind::Specification(page), top }) =
            &mut self.model.overlay
        {
            *top = page.fit(columns, *top);
            self.keep_overlay();
        }
    }

    /// Limits the scroll position of an overlay to its end.
    pub(super) fn keep_overlay(&mut self) {
        let last = view::last_top(self.model);
        if let Some(overlay) = &mut self.model.overlay {
            overlay.top = overlay.top.min(last);
        }
    }
}
