//! The terminal: initialised, drawn on, and always restored.

use std::io::{self, Stdout, Write as _};
use std::mem::ManuallyDrop;
use std::sync::Once;
use std::sync::atomic::{AtomicBool, Ordering};
use std::{panic, process};

use crossterm::clipboard::CopyToClipboard;
use crossterm::event::{
    DisableBracketedPaste, DisableMouseCapture, EnableBracketedPaste, EnableMouseCapture,
};
use crossterm::execute;
use crossterm::terminal::{
    EnterAlternateScreen, LeaveAlternateScreen, disable_raw_mode, enable_raw_mode,
};
use ratatui::{Frame, Terminal};

use super::ansi_backend::AnsiBackend;
use super::app::App;

/// Whether the terminal is in use.
static IS_UP: AtomicBool = AtomicBool::new(false);

/// A terminal in raw mode, on its alternate screen; dropping it restores it.
pub struct AppTerminal {
    /// Never dropped: its drop panics if the terminal is gone; `restore` does the same work.
    terminal: ManuallyDrop<Terminal<AnsiBackend<Stdout>>>,
    with_mouse: bool,
}

impl AppTerminal {
    /// Initialises the terminal, with the mouse if requested. A panic in any thread restores it
    /// before it is reported.
    pub fn enter(with_mouse: bool) -> io::Result<Self> {
        restore_on_panic();
        enable_raw_mode()?;
        IS_UP.store(true, Ordering::Relaxed);
        // From here on an error must restore the terminal.
        let taken =
            set_modes(with_mouse).and_then(|()| Terminal::new(AnsiBackend::new(io::stdout())));
        match taken {
            Ok(terminal) => Ok(Self { terminal: ManuallyDrop::new(terminal), with_mouse }),
            Err(error) => {
                IS_UP.store(false, Ordering::Relaxed);
                restore();
                Err(error)
            }
        }
    }

    pub fn draw(&mut self, app: &mut App) -> io::Result<()> {
        self.draw_with(|frame| app.draw(frame))
    }

    /// Draws a frame of another view.
    pub fn draw_with(&mut self, draw: impl FnOnce(&mut Frame<'_>)) -> io::Result<()> {
        self.terminal.draw(draw)?;
        Ok(())
    }

    /// Redraws everything with the next frame, whatever the terminal may show.
    pub fn redraw(&mut self) -> io::Result<()> {
        self.terminal.clear()
    }

    /// Gives the terminal back to the shell, until the program is continued; then takes it again.
    #[cfg(unix)]
    pub fn suspend(&mut self) -> io::Result<()> {
        IS_UP.store(false, Ordering::Relaxed);
        restore();
        // Continues here when the shell sends SIGCONT.
        signal_hook::low_level::emulate_default_handler(signal_hook::consts::SIGTSTP)?;
        enable_raw_mode()?;
        IS_UP.store(true, Ordering::Relaxed);
        set_modes(self.with_mouse)?;
        self.terminal.clear()
    }

    /// There is no shell that could continue the program.
    #[cfg(not(unix))]
    pub fn suspend(&mut self) -> io::Result<()> {
        set_modes(self.with_mouse)?;
        self.redraw()
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

/// Shows the alternate screen; the terminal reports pasted text as such, and the mouse if requested.
fn set_modes(with_mouse: bool) -> io::Result<()> {
    execute!(io::stdout(), EnterAlternateScreen, EnableBracketedPaste)?;
    if with_mouse { execute!(io::stdout(), EnableMouseCapture) } else { Ok(()) }
}

/// Restores the terminal; errors cannot be reported.
fn restore() {
    _ = execute!(io::stdout(), DisableBracketedPaste, DisableMouseCapture, LeaveAlternateScreen);
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
