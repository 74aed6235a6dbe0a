//! The terminal: initialised, drawn on, and always restored.

use std::io::{self, Stdout, Write as _};
use std::mem::ManuallyDrop;
use std::sync::Once;
use std::sync::atomic::{AtomicBool, Ordering};
use std::{panic, process};

use crossterm::clipboard::CopyToClipboard;
use crossterm::event::{DisableMouseCapture, EnableMouseCapture};
use crossterm::execute;
use crossterm::terminal::{
    EnterAlternateScreen, LeaveAlternateScreen, disable_raw_mode, enable_raw_mode,
};
use ratatui::Terminal;
use ratatui::backend::CrosstermBackend;

use super::app::App;

/// Whether the terminal is in use.
static IS_UP: AtomicBool = AtomicBool::new(false);

/// A terminal in raw mode, on its alternate screen, with the mouse; dropping it restores it.
pub struct AppTerminal {
    /// Never dropped: its drop panics if the terminal is gone; `restore` does the same work.
    terminal: ManuallyDrop<Terminal<CrosstermBackend<Stdout>>>,
}

impl AppTerminal {
    /// Initialises the terminal. A panic in any thread restores it before it is reported.
    pub fn enter() -> io::Result<Self> {
        restore_on_panic();
        enable_raw_mode()?;
        IS_UP.store(true, Ordering::Relaxed);
        // From here on an error must restore the terminal.
        let taken = execute!(io::stdout(), EnterAlternateScreen, EnableMouseCapture)
            .and_then(|()| Terminal::new(CrosstermBackend::new(io::stdout())));
        match taken {
            Ok(terminal) => Ok(Self { terminal: ManuallyDrop::new(terminal) }),
            Err(error) => {
                IS_UP.store(false, Ordering::Relaxed);
                restore();
                Err(error)
            }
        }
    }

    pub fn draw(&mut self, app: &mut App) -> io::Result<()> {
        self.terminal.draw(|frame| app.draw(frame))?;
        Ok(())
    }

    /// Redraws everything with the next frame, whatever the terminal may show.
    pub fn redraw(&mut self) -> io::Result<()> {
        self.terminal.clear()
    }

    /// Copies a text to the clipboard of the terminal's user, if the terminal supports it (OSC 52).
    pub fn copy(&mut self, text: &str) -> io::Result<()> {
        execute!(self.terminal.backend_mut(), CopyToClipboard::to_clipboard_from(text))
    }
}

impl Drop for AppTerminal {
    fn drop(&mut self) {
        IS_UP.store(false, Ordering::Relaxed);
        restore();
    }
}

/// Restores the terminal; errors cannot be reported.
fn restore() {
    _ = execute!(io::stdout(), DisableMouseCapture, LeaveAlternateScreen);
    _ = disable_raw_mode();
    _ = execute!(io::stdout(), crossterm::cursor::Show);
    _ = io::stdout().flush();
}

/// During a session, a panic in any thread ends the program, with a readable report: an interface
/// whose loader is dead would only look alive.
fn restore_on_panic() {
    static HOOKED: Once = Once::new();
    HOOKED.call_once(|| {
        let report = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            let was_up = IS_UP.swap(false, Ordering::Relaxed);
            if was_up {
                restore();
            }
            report(info);
            if was_up {
                process::exit(101);
            }
        }));
    });
}
