//! The event loop: reads events, executes effects, draws frames.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use crossterm::event;
use parking_lot::Mutex;

use super::action::TerminalCommand;
use super::app::App;
use super::keyboard::{Keyboard, Waited};
use super::options::Options;
use super::terminal::AppTerminal;
use analysis::Session;

/// How long to wait for a key while work is running.
const WAIT_WORKING: Duration = Duration::from_millis(10);
/// The same while the session grows.
const WAIT_GROWING: Duration = Duration::from_millis(60);
/// The same when all input has been read.
const WAIT_DONE: Duration = Duration::from_millis(500);
/// How many events are handled before a frame is drawn.
const EVENTS: usize = 256;

/// Runs the interface on a session, which another thread may still be filling, until the user quits
/// or another thread sets `stop`.
///
/// The terminal is restored, on errors and panics too.
///
/// # Errors
///
/// Those of the terminal.
pub fn run(session: Arc<Mutex<Session>>, options: Options, stop: &AtomicBool) -> io::Result<()> {
    let mouse = options.config.mouse;
    let mut app = App::new(session, options);
    let mut terminal = AppTerminal::enter(mouse)?;
    let keyboard = Keyboard::open()?;
    // Events that crossterm has already read; polling the terminal would miss them.
    let mut are_left = false;
    loop {
        let is_working = app.tick();
        if let Err(error) = terminal.draw(&mut app) {
            let is_gone = keyboard.wait(Duration::ZERO).is_ok_and(|waited| waited == Waited::Gone);
            return if is_gone { Ok(()) } else { Err(error) };
        }
        if stop.load(Ordering::Relaxed) {
            return Ok(());
        }
        are_left = match keyboard.wait(wait(&app, is_working, are_left))? {
            Waited::Gone => return Ok(()),
            Waited::Events => read_events(&mut app, &keyboard)?,
            Waited::Nothing => false,
        };
        for command in app.take_commands() {
            match command {
                TerminalCommand::Quit => return Ok(()),
                TerminalCommand::Redraw => terminal.redraw()?,
                TerminalCommand::Suspend => terminal.suspend()?,
                TerminalCommand::Copy(text) => terminal.copy(&text)?,
            }
        }
    }
}

/// How long to wait for the next key.
fn wait(app: &App, is_working: bool, are_left: bool) -> Duration {
    let usual = match (is_working, app.is_done()) {
        _ if are_left => Duration::ZERO,
        (true, _) => WAIT_WORKING,
        (false, false) if app.is_nearly_done() => WAIT_WORKING,
        (false, false) => WAIT_GROWING,
        (false, true) => WAIT_DONE,
    };
    let until_work = app.next_work().map(|at| at.saturating_duration_since(Instant::now()));
    until_work.map_or(usual, |until| until.min(usual))
}

/// Handles events up to the limit per frame; returns whether more are left.
fn read_events(app: &mut App, keyboard: &Keyboard) -> io::Result<bool> {
    for _ in 0..EVENTS {
        app.event(&event::read()?);
        if keyboard.wait(Duration::ZERO)? != Waited::Events {
            return Ok(false);
        }
    }
    Ok(true)
}
