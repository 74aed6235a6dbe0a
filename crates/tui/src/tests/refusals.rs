//! Commands that are refused: why, and that what is typed after them is no command.

use crossterm::event::KeyCode;

use super::user::{User, tour};
use crate::action::TerminalCommand;
use render::Colour;

#[test]
fn what_is_pasted_or_typed_after_a_refusal_is_no_command() {
    use crossterm::event::Event;
    let mut user = User::on(tour(), (100, 30));
    user.app.event(&Event::Paste("qqq3\n".to_owned()));
    user.draw();
    assert_eq!(user.app.take_commands(), []);
    assert!(user.screen().contains("pasted text was ignored"), "{}", user.screen());
    user.keys("f");
    user.app.event(&Event::Paste("quake3.getinfo\n\x1b[31mq".to_owned()));
    user.draw();
    assert!(user.screen().contains("filter: quake3.getinfo  [31mq"), "{}", user.screen());
    user.keys("<Esc>");
    // A search without a match keeps its line until it is cancelled or finds something.
    for keys in ["/zzz", "2/zzz", "3/zzz", "6/zzz", "8/zzz", "9/zzz", "1?/zzz"] {
        user.keys(keys).keys("<Enter>qqq");
        assert_eq!(user.app.take_commands(), [], "{keys}: {}", user.screen());
        assert!(user.screen().contains("/zzzqqq"), "{keys}: {}", user.screen());
        user.keys("<Esc>");
    }
    // Before the result is known too.
    let key = |c| Event::Key(crossterm::event::KeyEvent::from(c));
    user.keys("<Esc>1g/zz");
    for code in [KeyCode::Char('z'), KeyCode::Enter, KeyCode::Char('q'), KeyCode::Char('q')] {
        user.app.event(&key(code));
    }
    user.draw();
    assert_eq!(user.app.take_commands(), []);
    assert!(user.screen().contains("/zzzqq"), "{}", user.screen());
    user.keys("<Esc>/Yar");
    for code in [KeyCode::Char('d'), KeyCode::Enter, KeyCode::Char('3')] {
        user.app.event(&key(code));
    }
    user.draw();
    assert!(user.screen().contains("1 of 6 servers"), "{}", user.screen());
    // A line opens on every screen; what cannot be done is said in it. The catalogue exports nothing.
    for screen in ["1", "2", "3", "4", "5", "6", "7", "8", "9"] {
        for line in ["e", "f", "/", ":"].into_iter().filter(|line| (screen, *line) != ("9", "e")) {
            user.keys(screen).keys(line).keys("qqq");
            assert_eq!(user.app.take_commands(), [], "{screen} {line}: {}", user.screen());
            user.keys("<Esc>");
        }
    }
}

#[test]
fn the_catalogue_exports_nothing_and_says_so() {
    let mut user = User::on(tour(), (80, 24));
    let last = user.keys("9e").screen().lines().last().unwrap().to_owned();
    assert!(last.contains("nothing to export; `fragshark catalogue` prints"), "{last}");
    assert!(user.keys("gj").screen().contains("2 of "), "{}", user.screen());
}

#[test]
fn the_catalogue_is_sorted_by_name() {
    let mut user = User::on(tour(), (80, 24));
    user.keys("9g");
    let titles = |user: &User| -> Vec<String> {
        let screen = user.screen();
        screen.lines().skip(3).map(|line| line.get(1..24).unwrap_or("").to_owned()).collect()
    };
    let documents = titles(&user);
    user.keys("sname<Enter>");
    assert!(user.screen().contains("▲name"), "{}", user.screen());
    // The cursor stays at its protocol.
    assert!(user.screen().contains("─ quake3 ─"), "{}", user.screen());
    let first = titles(user.keys("g"));
    assert_ne!(first, documents);
    let protocols = |rows: &[String]| {
        let rows = rows.iter().filter(|row| row.starts_with(|c: char| c.is_alphanumeric()));
        rows.map(|row| row.trim().to_lowercase()).collect::<Vec<_>>()
    };
    assert!(protocols(&first).is_sorted(), "{first:?}");
    let back = titles(user.keys("Sg"));
    assert_ne!(protocols(&back).first(), protocols(&first).first());
    user.keys("sdocument<Enter>g");
    assert_eq!(titles(&user), documents, "{}", user.screen());
}

#[test]
fn what_cannot_be_sorted_says_why() {
    let mut user = User::on(tour(), (80, 24));
    for (keys, why) in [
        ("8s", "this chart is in the order of time; the others can be sorted"),
        ("8S", "this chart is in the order of time; the others can be sorted"),
    ] {
        assert!(user.keys(keys).screen().contains(why), "{keys}: {}", user.screen());
        user.keys("<Esc>");
    }
}

#[test]
fn what_is_typed_after_a_refused_command_is_no_command() {
    // Screens, and the keys whose menus or lines they do not have.
    let refused = [("6", "C"), ("8", "sCoD"), ("9", "CoD")];
    let mut user = User::on(tour(), (100, 30));
    for (screen, keys) in refused {
        for key in keys.chars() {
            user.keys(screen).keys(&key.to_string()).keys("quakeworld");
            assert_eq!(user.app.take_commands(), [], "{screen} {key}: {}", user.screen());
            assert!(user.screen().contains("; Esc closes"), "{screen} {key}: {}", user.screen());
            user.keys("<Enter>");
            assert!(!user.screen().contains("; Esc closes"), "{screen} {key}: {}", user.screen());
        }
    }
    assert!(user.keys("8D").screen().contains("no flow is selected"), "{}", user.screen());
    // Movements and clicks end it too.
    assert!(!user.keys("<Down>").screen().contains("no flow is selected"), "{}", user.screen());
    user.keys("D").click(50, 10);
    assert_eq!({ user.keys("q").app.take_commands() }, [TerminalCommand::Quit]);
    // While messages are read, and without any.
    let mut user = User::unread(tour(), (100, 30), Colour::Ansi);
    user.keys("oq<Esc>");
    user.load(10);
    user.keys("Dquakeworld");
    assert!(user.screen().contains("wait until everything has been read"), "{}", user.screen());
    assert_eq!(user.app.take_commands(), []);
}
