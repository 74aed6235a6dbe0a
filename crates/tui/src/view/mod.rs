//! Draws everything: the bars at the top, the screen, the line at the bottom, texts over them.

mod line;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;

use super::action::KeyCommand;
use super::layout::{LEAST, ScreenAreas};
use super::model::Model;
use super::overlay::Overlay;
use super::screens::SCREENS;
use super::screens::screen::{Screen, ScreenInfo};
use super::session::SessionSummary;
use super::text::{counted, grouped};
use super::widgets::painter::Painter;
use super::widgets::style;
use text::{escaped, fit, fit_end, width};

/// How many columns the progress bar has.
const BAR: u64 = 10;

/// Draws everything.
pub fn draw(model: &Model, buffer: &mut Buffer) {
    match (ScreenAreas::of_terminal(model.view.size), model.shown()) {
        (Some(frame), Some((_, screen))) => {
            header(model, screen, frame.header, buffer);
            tabs(model, frame.tabs, buffer);
            screen.draw(&model.view, frame.screen, buffer);
            match &model.view.typing {
                Some(typing) => line::draw(&model.view, screen, typing, frame, buffer),
                None => footer(model, screen, &mut Painter::at(buffer, frame.footer, 0)),
            }
            if let Some(overlay) = &model.overlay {
                overlay.draw(buffer);
                if let Some(typing) = &model.view.typing {
                    line::draw(&model.view, screen, typing, frame, buffer);
                }
            }
            if let Some((_, menu)) = &model.menu {
                menu.draw(buffer);
            }
        }
        _ => too_small(model.view.size, buffer),
    }
    model.view.themes.apply(buffer);
}

fn too_small((columns, rows): (u16, u16), buffer: &mut Buffer) {
    let (least_columns, least_rows) = LEAST;
    let lines = [
        "the terminal is too small".to_owned(),
        format!("it has {columns}x{rows}; {least_columns}x{least_rows} is needed"),
    ];
    for (row, line) in (0..).zip(&lines) {
        Painter::at(buffer, Rect::new(0, 0, columns, rows), row).write(line, style::PLAIN);
    }
}

/// The input, the position in the screen, and the progress of reading.
fn header(model: &Model, screen: &dyn Screen, area: Rect, buffer: &mut Buffer) {
    Painter::at(buffer, area, 0).paint(style::HEADER);
    let mut painter = Painter::at(buffer, area, 0);
    painter.write(" fragshark ", style::FOCUSED);
    if model.view.shows_secrets {
        painter.write(" SECRETS SHOWN ", style::ALARM);
        painter.write(" ", style::HEADER);
    }
    let left = painter.left();
    let text = status(model, screen, left);
    let space = left.saturating_sub(width(&text) + 3);
    painter.write(&fit_end(&escaped(&model.title), space), style::HEADER);
    painter.right(&text, style::HEADER, 1);
}

/// A part of the header: with the highest rank, it is left out last.
struct StatusPart {
    rank: u8,
    text: String,
    /// The same in fewer columns.
    short: Option<String>,
}

/// Warnings, the position, what was lost, the progress; in few columns only what matters most.
fn status(model: &Model, screen: &dyn Screen, columns: usize) -> String {
    let known = &model.view.known;
    let mut parts = Vec::new();
    let mut add = |rank, text, short| parts.push(StatusPart { rank, text, short });
    let warnings = model.view.warnings().count();
    if warnings > 0 {
        let key = model.view.keys.name(KeyCommand::Warnings).unwrap_or_default();
        add(2, format!("! {} ({key})", counted(warnings as u64, "warning")), None);
    }
    if let Some(new) = model.view.paused {
        let short = format!("PAUSED, {} new", grouped(new as u64));
        add(5, format!("PAUSED, {}", counted(new as u64, "new message")), Some(short));
    }
    let position = screen.position(&model.view);
    let flows = counted(known.flows as u64, "flow");
    let has_flows = position.ends_with(&flows);
    if !position.is_empty() {
        add(1, position, None);
    }
    if known.gone > 0 {
        let gone = grouped(known.gone as u64);
        add(3, format!("the first {gone} are no longer kept"), Some(format!("{gone} not kept")));
    }
    if let Some([kernel, us]) = known.dropped {
        let (kernel, us) = (grouped(kernel), grouped(us));
        let text = format!("lost: {kernel} by the kernel, {us} by fragshark");
        add(4, text, Some(format!("lost: kernel {kernel}, fragshark {us}")));
    }
    match known.is_done {
        true if !known.index.is_final => {
            add(0, format!("analysed {}%", known.index.percent), None);
        }
        true if has_flows => {}
        true => add(0, flows, None),
        false => add(0, progress(known), None),
    }
    fitted(parts, columns.saturating_sub(2))
}

/// The parts in so many columns: shortened, or without those of the lowest rank.
fn fitted(mut parts: Vec<StatusPart>, columns: usize) -> String {
    loop {
        let full: Vec<_> = parts.iter().map(|part| part.text.as_str()).collect();
        let short: Vec<_> =
            parts.iter().map(|part| part.short.as_ref().unwrap_or(&part.text).as_str()).collect();
        for texts in [full, short] {
            let text = texts.join(" · ");
            if width(&text) <= columns {
                return text;
            }
        }
        let lowest = parts.iter().map(|part| part.rank).min();
        parts.retain(|part| Some(part.rank) != lowest);
    }
}

/// `reading ████░░░░░░ 43%`, or the packets read if the end is not known.
fn progress(known: &SessionSummary) -> String {
    let is_live = known.dropped.is_some();
    let Some(of) = known.of.filter(|of| *of > 0 && !is_live) else {
        let verb = if is_live { "live" } else { "reading" };
        return format!("{verb}, {}", counted(known.packets, "packet"));
    };
    let read = known.read.min(of);
    let full = (u128::from(read) * u128::from(BAR) / u128::from(of)) as usize;
    let percent = u128::from(read) * 100 / u128::from(of);
    let bar = "█".repeat(full) + &"░".repeat(BAR as usize - full);
    format!("reading {bar} {percent:>2}%")
}

/// The keys, names and numbers of rows of all screens.
fn tabs(model: &Model, area: Rect, buffer: &mut Buffer) {
    let mut painter = Painter::at(buffer, area, 0);
    model.tabs().iter().for_each(|parts| painter.pieces(parts));
}

impl Model {
    /// The tab of each screen: its key, its name and the number of its rows. If space is short,
    /// without most numbers, then with less space between them, then with shorter names of the screens
    /// that are not shown.
    fn tabs(&self) -> Vec<[(String, Style); 5]> {
        let space = usize::from(self.view.size.0);
        let whole = [(true, usize::MAX, 1), (false, usize::MAX, 1), (false, usize::MAX, 0)];
        let layouts = whole.into_iter().chain((3..9).rev().map(|letters| (false, letters, 0)));
        let fits = |tabs: &[[(String, Style); 5]]| {
            tabs.iter().flatten().map(|(text, _)| width(text)).sum::<usize>() <= space
        };
        let mut tabs = Vec::new();
        for (counts, letters, gap) in layouts {
            tabs = self.tabs_of(counts, letters, gap);
            if fits(&tabs) {
                break;
            }
        }
        tabs
    }

    fn tabs_of(
        &self,
        with_counts: bool,
        letters: usize,
        behind: usize,
    ) -> Vec<[(String, Style); 5]> {
        let gap = |columns: usize| (" ".repeat(columns), style::PLAIN);
        let screens = SCREENS.iter().zip(self.screens.iter().map(Box::as_ref));
        let tab = |(index, (info, screen)): (usize, (&ScreenInfo, &dyn Screen))| {
            let is_shown = index == self.view.shown;
            let name: String = if is_shown {
                info.name.to_owned()
            } else {
                info.name.chars().take(letters).collect()
            };
            let of = if is_shown { style::FOCUSED } else { style::PLAIN };
            let count = screen.count(&self.view).filter(|(count, _)| *count > 0 && with_counts);
            let count = count.map(|(count, style)| (format!(" {}", grouped(count as u64)), style));
            let key = self.view.keys.name(KeyCommand::Show(index)).unwrap_or(" ").to_owned();
            let count = count.unwrap_or_default();
            [(format!(" {key}"), style::KEY), gap(1), (name, of), count, gap(behind)]
        };
        screens.enumerate().map(tab).collect()
    }

    /// The screen whose name is at a column of the line of tabs.
    pub fn tab_at(&self, column: u16) -> Option<usize> {
        let mut end = 0;
        self.tabs().iter().position(|parts| {
            end += parts.iter().map(|(text, _)| width(text)).sum::<usize>();
            usize::from(column) < end
        })
    }
}

/// A note on the last command, the progress of work, or the active filter and the keys.
fn footer(model: &Model, screen: &dyn Screen, painter: &mut Painter<'_>) {
    let view = &model.view;
    let exporting = || model.export.as_ref().map(|e| format!("{}, Esc stops", e.progress()));
    let searching = || view.searching.map(|percent| format!("searching {percent}%, Esc stops"));
    let arranging = || view.is_arranging.then(|| "ordering rows".to_owned());
    let note = view.hint.clone().or_else(exporting).or_else(searching).or_else(arranging);
    if let Some(note) = note {
        return painter.write(&escaped(&note), style::WARNING);
    }
    let (filter, words) = footer_words(model, screen, painter.left());
    if let Some((text, state)) = filter {
        painter.write(&text, style::VALID);
        painter.write(&state, style::BOLD);
    }
    for (_, key, word) in words {
        painter.write(key, style::KEY);
        painter.write(&format!(" {word}  "), style::DIM);
    }
}

/// A command with its key and its word in the footer.
type FooterWord<'m> = (KeyCommand, &'m str, &'static str);

/// The active filter with its state, and the keys behind it, in so many columns.
fn footer_words<'m>(
    model: &'m Model,
    screen: &dyn Screen,
    columns: usize,
) -> (Option<(String, String)>, Vec<FooterWord<'m>>) {
    let view = &model.view;
    let filter = view.filter.as_ref().map(|active| {
        let state = screen.filtered(view);
        let space = (columns / 2).saturating_sub(width(&state) + 2);
        (fit(&escaped(active.filter.text()), space.max(8)), format!("  {state}  "))
    });
    let taken = filter.as_ref().map_or(0, |(text, state)| width(text) + width(state));
    let own = model.overlay.as_ref().and_then(Overlay::keys);
    let keys = own.unwrap_or_else(|| screen.keys()).iter();
    let mut words: Vec<FooterWord<'m>> =
        keys.filter_map(|(c, word)| Some((*c, view.keys.name(*c)?, *word))).collect();
    let needed = |words: &[FooterWord<'_>]| {
        words.iter().map(|(_, key, word)| width(key) + width(word) + 3).sum::<usize>()
    };
    // The generally useful keys are last and are kept if space is short.
    while needed(&words) > columns.saturating_sub(taken) && words.len() > 2 {
        words.remove(words.len() - 3);
    }
    (filter, words)
}

impl Model {
    /// The command whose key is at a column of the footer.
    pub fn footer_at(&self, column: u16) -> Option<KeyCommand> {
        let (_, screen) = self.shown()?;
        if self.view.hint.is_some() || self.view.typing.is_some() {
            return None;
        }
        let (filter, words) = footer_words(self, screen, self.view.size.0.into());
        let mut end = filter.map_or(0, |(text, state)| width(&text) + width(&state));
        let found = words.into_iter().find(|(_, key, word)| {
            let begin = end;
            end += width(key) + width(word) + 3;
            (begin..end).contains(&usize::from(column))
        });
        found.map(|(command, ..)| command)
    }
}
