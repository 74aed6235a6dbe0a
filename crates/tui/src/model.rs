//! The state of the interface: the terminal's content is a function of it.

use ratatui::layout::Position;

use super::action::Step;
use super::comparison::PendingComparison;
use super::export::RunningExport;
use super::format::TextDisplay;
use super::menu::Menu;
use super::overlay::Overlay;
use super::screens::SCREENS;
use super::screens::screen::{Bookmark, Screen, ScreenInfo};
use super::view_state::ViewState;

/// The state of the interface.
pub struct Model {
    /// The name of the input.
    pub title: String,
    /// The absolute path of the capture; empty if it is no single file.
    pub file: String,
    /// All screens, in the order of their keys.
    pub screens: Vec<Box<dyn Screen>>,
    /// Places to go back to, and forward again; the next one last.
    pub back: Vec<Place>,
    pub forward: Vec<Place>,
    /// What all screens share.
    pub view: ViewState,
    pub overlay: Option<Overlay>,
    pub menu: Option<(MenuKind, Menu)>,
    /// The messages that are read to be compared.
    pub comparison: PendingComparison,
    /// The prefix of export names, and the running export.
    pub export_stem: String,
    pub export: Option<RunningExport>,
    /// Whether packets of a live capture are lost at the end.
    pub is_unsaved: bool,
    /// Whether the last command was to quit, and was asked back.
    pub is_quitting: bool,
    /// Where the screens were before the input was read again.
    pub resume: Option<Vec<Bookmark>>,
    /// The direction in which the next match is searched, and the row where that began.
    pub searched_from: Option<(Step, usize)>,
    /// The frames of the exchange that was added last.
    pub asked: Option<[u64; 2]>,
    /// Where the button of the mouse was pressed.
    pub pressed: Option<Position>,
}

/// A screen, and where it was.
#[derive(Debug, Clone)]
pub struct Place {
    pub screen: usize,
    pub bookmark: Bookmark,
    /// Whether it was left for what its row leads to, so that Esc comes back.
    pub is_visited: bool,
}

/// What a menu is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MenuKind {
    Links,
    Copies,
    Sort,
    Columns,
    DecodeAs,
    History,
}

impl Model {
    /// An empty model, in a terminal of unknown size.
    pub fn new(title: String, export_stem: String, texts: TextDisplay) -> Self {
        Self {
            title,
            file: String::new(),
            screens: SCREENS.iter().map(|screen| (screen.new)()).collect(),
            back: Vec::new(),
            forward: Vec::new(),
            view: ViewState::new(texts),
            overlay: None,
            menu: None,
            comparison: PendingComparison::default(),
            export_stem,
            export: None,
            is_unsaved: false,
            is_quitting: false,
            resume: None,
            searched_from: None,
            asked: None,
            pressed: None,
        }
    }

    /// The screen that is shown, with what is known of it.
    pub fn shown(&self) -> Option<(&'static ScreenInfo, &dyn Screen)> {
        Some((SCREENS.get(self.view.shown)?, self.screens.get(self.view.shown)?.as_ref()))
    }
}
