//! The state of the interface: the terminal's content is a function of it.

use super::export::RunningExport;
use super::format::TextDisplay;
use super::overlay::Overlay;
use super::screens::SCREENS;
use super::screens::screen::{Screen, ScreenInfo};
use super::view_state::ViewState;

/// The state of the interface.
pub struct Model {
    /// The name of the input.
    pub title: String,
    /// All screens, in the order of their keys.
    pub screens: Vec<Box<dyn Screen>>,
    /// The indices of the screens that Esc goes back to, the next one last.
    pub back: Vec<usize>,
    /// What all screens share.
    pub view: ViewState,
    pub overlay: Option<Overlay>,
    /// The prefix of export names, and the running export.
    pub export_stem: String,
    pub export: Option<RunningExport>,
}

impl Model {
    /// An empty model, in a terminal of unknown size.
    pub fn new(title: String, export_stem: String, texts: TextDisplay) -> Self {
        Self {
            title,
            screens: SCREENS.iter().map(|screen| (screen.new)()).collect(),
            back: Vec::new(),
            view: ViewState::new(texts),
            overlay: None,
            export_stem,
            export: None,
        }
    }

    /// The screen that is shown, with what is known of it.
    pub fn shown(&self) -> Option<(&'static ScreenInfo, &dyn Screen)> {
        Some((SCREENS.get(self.view.shown)?, self.screens.get(self.view.shown)?.as_ref()))
    }
}
