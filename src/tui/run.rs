//! The event loop: reads events, executes effects, draws frames.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use crossterm::event;
use parking_lot::Mutex;

use super::action::TerminalCommand;
use super::app::App;
use super::export::Saves;
use super::keyboard::{Keyboard, Waited};
use super::terminal::AppTerminal;
use crate::analysis::Session;
use crate::render::Colour;
use crate::text::Secrets;

/// How long to wait for a key while the session grows.
const WAIT_GROWING: Duration = Duration::from_millis(60);
/// The same when all input has been read.
const WAIT_DONE: Duration = Duration::from_millis(500);
/// How many events are handled before a frame is drawn.
const EVENTS: usize = 256;

/// Runs the interface on a session, which another thread may still be filling, until the user quits
/// or another thread sets `stop`. `title` names the input, `saves` the directory of exports.
///
/// The terminal is restored, on errors and panics too.
///
/// # Errors
///
/// Those of the terminal.
pub fn run(
    session: Arc<Mutex<Session>>,
    title: String,
    secrets: Secrets,
    colour: Colour,
    saves: Saves,
    stop: &AtomicBool,
) -> io::Result<()> {
    let mut app = App::new(session, title, secrets, colour, saves);
    let mut terminal = AppTerminal::enter()?;
    let keyboard = Keyboard::open()?;
    // Events that crossterm has already read; polling the terminal would miss them.
    let mut are_left = false;
    loop {
        let is_busy = app.tick();
        if let Err(error) = terminal.draw(&mut app) {
            let is_gone = keyboard.wait(Duration::ZERO).is_ok_and(|waited| waited == Waited::Gone);
            return if is_gone { Ok(()) } else { Err(error) };
        }
        let wait = match (is_busy || are_left, app.is_done()) {
            (true, _) => Duration::ZERO,
            (false, false) => WAIT_GROWING,
            (false, true) => WAIT_DONE,
        };
        if stop.load(Ordering::Relaxed) {
            return Ok(());
        }
        are_left = match keyboard.wait(wait)? {
            Waited::Gone => return Ok(()),
            Waited::Events => read_events(&mut app)?,
            Waited::Nothing => false,
        };
        for command in app.take_commands() {
            match command {
                TerminalCommand::Quit => return Ok(()),
                TerminalCommand::Redraw => terminal.redraw()?,
                TerminalCommand::Copy(text) => terminal.copy(&text)?,
            }
        }
    }
}

/// Handles events up to the limit per frame; returns whether more are left.
fn read_events(app: &mut App) -> io::Result<bool> {
    for _ in 0..EVENTS {
        app.event(&event::read()?);
        if !event::poll(Duration::ZERO)? {
            return Ok(false);
        }
    }
    Ok(true)
}
