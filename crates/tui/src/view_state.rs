//! What all screens share: sizes, formats, keys, the display filter, the search, the progress of
//! the session, the text being typed.

use std::net::SocketAddr;
use std::sync::Arc;

use ratatui::layout::Rect;

use super::filter::ActiveFilter;
use super::format::{Format, MessageView, TextDisplay};
use super::history::History;
use super::keys::KeyMap;
use super::layout::{PaneSizes, ScreenAreas};
use super::names::{ShownNames, named};
use super::notes::Notes;
use super::reader::ColourRule;
use super::search::SearchQuery;
use super::session::SessionSummary;
use super::text::{counted, grouped};
use super::theme::Themes;
use super::typing::Typing;
use render::Separators;
use text::TimeDisplay;
use text::Zone;

/// What all screens share.
pub struct ViewState {
    /// Columns and rows of the terminal.
    pub size: (u16, u16),
    /// The index of the screen that is shown.
    pub shown: usize,
    pub format: Format,
    pub keys: KeyMap,
    pub themes: Themes,
    /// The time zone of local times.
    pub zone: Zone,
    pub panes: PaneSizes,
    /// The same of the catalogue, whose left pane is a list.
    pub catalogue_panes: PaneSizes,
    /// The display filter.
    pub filter: Option<ActiveFilter>,
    /// Whether messages that no protocol reads will be hidden when there are some.
    pub hides_unknown: bool,
    /// The search that `n` repeats.
    pub search: SearchQuery,
    /// The progress of a running search, in percent.
    pub searching: Option<usize>,
    /// Whether the rows of the shown screen are being put into another order.
    pub is_arranging: bool,
    /// What the user has noted of messages.
    pub notes: Notes,
    /// The text being typed, if any.
    pub typing: Option<Typing>,
    /// Earlier filters and searches.
    pub history: History,
    /// The filters of the configuration, with their names.
    pub named_filters: Vec<(String, String)>,
    /// The colours of messages that match a filter: the first that matches.
    pub colours: Arc<Vec<ColourRule>>,
    pub names: ShownNames,
    /// A message about the last command; cleared by the next key.
    pub hint: Option<String>,
    pub known: SessionSummary,
    /// What is wrong outside of the capture: the configuration, the history.
    pub notices: Vec<String>,
    /// Whether new messages are not shown for now, and how many there are.
    pub paused: Option<usize>,
    /// Whether secrets are shown.
    pub shows_secrets: bool,
}

impl ViewState {
    pub fn new(texts: TextDisplay) -> Self {
        let format = Format {
            times: TimeDisplay::Relative,
            texts,
            separators: Separators::Hidden,
            message: MessageView::default(),
            dates: false,
        };
        Self {
            size: (0, 0),
            shown: 0,
            format,
            keys: KeyMap::default(),
            themes: Themes::ansi(),
            zone: Zone::utc(),
            panes: PaneSizes::default(),
            catalogue_panes: PaneSizes::default(),
            filter: None,
            hides_unknown: true,
            search: SearchQuery::default(),
            searching: None,
            is_arranging: false,
            notes: Notes::default(),
            typing: None,
            history: History::default(),
            named_filters: Vec::new(),
            colours: Arc::default(),
            names: ShownNames::default(),
            hint: None,
            known: SessionSummary::default(),
            notices: Vec::new(),
            paused: None,
            shows_secrets: false,
        }
    }

    /// The area of the screen, between the bars; empty in a terminal that is too small.
    pub fn area(&self) -> Rect {
        ScreenAreas::of_terminal(self.size).map_or(Rect::ZERO, |frame| frame.screen)
    }

    /// The time from which times are counted, in nanoseconds: that of the time reference, of the first
    /// message, or of the first packet.
    pub fn begin(&self) -> i64 {
        if let Some((_, time)) = self.notes.reference {
            return time;
        }
        self.known.first.or(self.known.first_packet).unwrap_or(0)
    }

    /// An endpoint, with the name of its address if names are shown.
    pub fn endpoint(&self, address: SocketAddr) -> String {
        named(address, self.names.shown())
    }

    /// How many messages are kept.
    pub fn kept(&self) -> usize {
        self.known.messages.saturating_sub(self.known.gone)
    }

    /// How many of these match the display filter, of those tested so far.
    pub fn matching(&self) -> usize {
        let active = self.filter.as_ref();
        active.map_or(self.kept(), |active| active.kept(self.known.gone).len())
    }

    /// So many of the messages that are kept, and the progress of the display filter.
    pub fn of_kept(&self, shown: usize) -> String {
        let all = counted(self.kept() as u64, "message");
        let progress = self.filter.as_ref().map(|active| active.progress(self.known.messages));
        format!("{} of {all}{}", grouped(shown as u64), progress.unwrap_or_default())
    }

    /// A time with milliseconds, for tables: seconds since the first message, or of the day.
    pub fn time(&self, time: i64) -> String {
        self.format.time(time, self.begin(), 3, &self.zone)
    }

    /// Why there is no message, in words.
    pub fn no_message(&self) -> String {
        match (self.known.is_done, self.known.packets) {
            _ if self.known.messages > 0 && self.filter.is_none() => {
                "no message is kept".to_owned()
            }
            _ if self.known.messages > 0 => "no message matches the filter".to_owned(),
            (false, _) => "no message yet".to_owned(),
            (true, n) => format!("no message of a known protocol in {}", counted(n, "packet")),
        }
    }

    /// All warnings: on the configuration and the history, then those of the session.
    pub fn warnings(&self) -> impl Iterator<Item = &String> {
        self.notices.iter().chain(&self.known.warnings)
    }
}
