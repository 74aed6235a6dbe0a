//! The view of `fragshark watch`: the masters, charts of one of them, the active alerts, and what
//! has changed.
//!
//! It draws what it gets and asks nobody: rounds are done elsewhere.

mod chart;
#[cfg(test)]
mod tests;
mod view;

use std::io;
use std::sync::mpsc::{Receiver, TryRecvError};
use std::time::Duration;

use crossterm::event;

use super::keyboard::{Keyboard, Waited};
use super::terminal::AppTerminal;
use view::ViewCommand;
pub use view::{WatchUpdate, WatchView};

/// How long to wait for a key before the next look at what has come.
const WAIT: Duration = Duration::from_millis(100);

/// Shows a view and what comes until the user quits or nothing more can come. The terminal is
/// restored, on errors and panics too.
///
/// # Errors
///
/// Those of the terminal.
pub fn run_watch(mut view: WatchView, updates: &Receiver<WatchUpdate>) -> io::Result<()> {
    let mut terminal = AppTerminal::enter(false)?;
    let keyboard = Keyboard::open()?;
    loop {
        loop {
            match updates.try_recv() {
                Ok(update) => view.update(update),
                Err(TryRecvError::Empty) => break,
                Err(TryRecvError::Disconnected) => return Ok(()),
            }
        }
        terminal.draw_with(|frame| view.draw(frame.buffer_mut()))?;
        match keyboard.wait(WAIT)? {
            Waited::Gone => return Ok(()),
            Waited::Nothing => {}
            Waited::Events => match view.event(&event::read()?) {
                ViewCommand::Quit => return Ok(()),
                ViewCommand::Redraw => terminal.redraw()?,
                ViewCommand::Draw => {}
            },
        }
    }
}
