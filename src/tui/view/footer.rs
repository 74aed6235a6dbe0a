//! The line at the bottom: keys, or the text being typed, or a note on the last command.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::pen::Painter;
use super::{filter, saving, style};
use crate::text::escaped;
use crate::tui::keys::KEYS;
use crate::tui::model::{Asks, Model, Typing};
use crate::tui::sheet::Tab;
use crate::tui::text::width;

pub fn draw(model: &Model, area: Rect, buffer: &mut Buffer) {
    match &model.typing {
        Some(typing @ Typing { asks: Asks::Filter(draft), .. }) => {
            return filter::line(model, typing, draft, area, buffer);
        }
        Some(typing @ Typing { asks: Asks::Save(draft), .. }) => {
            return saving::line(model, typing, draft, area, buffer);
        }
        Some(Typing { asks: Asks::Search, .. }) | None => {}
    }
    let mut pen = Painter::at(buffer, area, 0);
    if let Some(typing) = &model.typing {
        let input = &typing.input;
        let text = escaped(input.value());
        pen.write("/", style::KEY);
        let scroll = input.visual_scroll(pen.left().saturating_sub(2));
        let shown: String = text.chars().skip(scroll).collect();
        pen.write(&shown, style::PLAIN);
        pen.go(1 + input.visual_cursor().saturating_sub(scroll));
        let under = input.value().chars().nth(input.cursor()).map_or(" ".to_owned(), String::from);
        pen.write(&escaped(&under), style::CURSOR);
        pen.go(1 + width(&shown));
        pen.right(&state(model), style::DIM, 1);
        return;
    }
    if let Some(hint) = &model.hint {
        pen.write(&escaped(hint), style::WARNING);
        return;
    }
    if let Some(running) = &model.saving {
        pen.write(&escaped(&format!("{}, Esc stops", running.prompt_note())), style::WARNING);
        return;
    }
    if model.search.running.is_some() {
        pen.write(&state(model), style::WARNING);
        return;
    }
    filter::in_force(model, &mut pen);
    let shown = KEYS.iter().filter_map(|binding| {
        let key = binding.keys.first()?;
        if model.sheets.shown != Tab::Messages {
            let (word, sheets) = binding.beside?;
            return sheets.contains(&model.sheets.shown).then_some((key, word));
        }
        let (word, panes) = binding.footer?;
        panes.contains(&model.focus).then_some((key, word))
    });
    // The generally useful keys are last in the table and are kept if space is short.
    let mut words: Vec<_> = shown.map(|(key, word)| (key.to_string(), word)).collect();
    let room = pen.left();
    let columns = |words: &[(String, &str)]| {
        words.iter().map(|(k, w)| width(k) + width(w) + 3).sum::<usize>()
    };
    while columns(&words) > room && words.len() > 2 {
        words.remove(words.len() - 3);
    }
    for (key, word) in words {
        pen.write(&key, style::KEY);
        pen.write(&format!(" {word}  "), style::DIM);
    }
}

/// The state of a search.
fn state(model: &Model) -> String {
    let len = model.len().max(1);
    match &model.search.running {
        Some(running) => {
            let percent = 100 * (len - running.left.min(len)) / len;
            format!("searching {percent}%, Esc stops")
        }
        None => model.hint.clone().unwrap_or_default(),
    }
}
