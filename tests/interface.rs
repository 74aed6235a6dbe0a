//! The picture of the interface in the README, drawn by the interface itself on a test backend.
//! It fails when the picture is stale; `UPDATE=1` draws it anew.

mod svg;

use std::path::Path;
use std::sync::Arc;
use std::{env, fs};

use crossterm::event::{Event, KeyCode, KeyEvent, KeyModifiers};
use fragshark::capture::Input;
use fragshark::dump::{Colour, Secrets};
use fragshark::session::Session;
use fragshark::tui::{Saves, Stage};
use parking_lot::Mutex;
use ratatui::Terminal;
use ratatui::backend::TestBackend;

const TOUR: &[u8] = include_bytes!("../captures/tour.pcapng");

#[test]
fn the_picture_in_the_readme_is_what_the_interface_shows() {
    let input = Input::Memory { name: "the tour".to_owned(), bytes: TOUR.into() };
    let (session, loader) = Session::open(&[input], Vec::new()).unwrap();
    let session = Arc::new(Mutex::new(session));
    loader.run(&session);
    let title = "the tour".to_owned();
    let saves = Saves { folder: env::temp_dir(), stem: "tour".to_owned(), inputs: Vec::new() };
    let mut stage = Stage::new(session, title, Secrets::Masked, Colour::Ansi, saves);
    let mut terminal = Terminal::new(TestBackend::new(114, 32)).unwrap();
    let mut draw = |stage: &mut Stage| {
        while stage.tick() {}
        terminal.draw(|frame| stage.draw(frame)).unwrap();
        terminal.backend().buffer().clone()
    };
    draw(&mut stage);
    // Down to the answer that tells what the server is, and into it, to the protocol's number.
    for key in "jj\tjjjj".chars() {
        let code = if key == '\t' { KeyCode::Tab } else { KeyCode::Char(key) };
        stage.event(&Event::Key(KeyEvent::new(code, KeyModifiers::NONE)));
    }
    let picture = svg::draw(&draw(&mut stage));

    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/img/interface.svg");
    if env::var_os("UPDATE").is_some() {
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, picture).unwrap();
        return;
    }
    let drawn = fs::read_to_string(&path).unwrap_or_default();
    assert!(drawn == picture, "docs/img/interface.svg is stale: run the test with UPDATE=1");
}
