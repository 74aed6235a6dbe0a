//! The loop: events in, frames out, effects carried out in between.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use crossterm::event;
use parking_lot::Mutex;

use super::action::Effect;
use super::saving::Saves;
use super::screen::Screen;
use super::stage::Stage;
use crate::dump::{Colour, Secrets};
use crate::session::Session;

/// How long the loop waits for a key while the session still grows.
const GROWING: Duration = Duration::from_millis(60);
/// The same when all has been read.
const RESTING: Duration = Duration::from_millis(500);
/// How many events are taken before a frame is drawn.
const EVENTS: usize = 256;

/// Runs the interface on a session, which another thread may still be filling, until the user
/// quits or somebody sets `stop`. `title` says what is open, `saves` where exports go.
///
/// The terminal is put back as it was, on errors and panics too. Errors are the terminal's.
pub fn run(
    session: Arc<Mutex<Session>>,
    title: String,
    secrets: Secrets,
    colour: Colour,
    saves: Saves,
    stop: &AtomicBool,
) -> io::Result<()> {
    let mut stage = Stage::new(session, title, secrets, colour, saves);
    let mut screen = Screen::enter()?;
    loop {
        let is_busy = stage.tick();
        screen.draw(&mut stage)?;
        let wait = match (is_busy, stage.is_done()) {
            (true, _) => Duration::ZERO,
            (false, false) => GROWING,
            (false, true) => RESTING,
        };
        if stop.load(Ordering::Relaxed) {
            return Ok(());
        }
        if event::poll(wait)? {
            for _ in 0..EVENTS {
                stage.event(&event::read()?);
                if !event::poll(Duration::ZERO)? {
                    break;
                }
            }
        }
        for effect in stage.take() {
            match effect {
                Effect::Quit => return Ok(()),
                Effect::Redraw => screen.redraw()?,
                Effect::Copy(text) => screen.copy(&text)?,
                Effect::Climb(_)
                | Effect::Look(_)
                | Effect::Open(_)
                | Effect::Find { .. }
                | Effect::Sift(_)
                | Effect::Keep
                | Effect::Spot(_)
                | Effect::Save { .. }
                | Effect::StopSaving => {}
            }
        }
    }
}
