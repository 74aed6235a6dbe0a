//! How the interface starts: configuration, themes, history, time zone.

use std::fs;
use std::net::{Ipv4Addr, SocketAddrV4};
use std::path::Path;

use ratatui::style::{Color, Modifier};

use super::user::{CLIENT, MASTER, User, capture, documented, story, tour};
use crate::action::TerminalCommand;
use crate::config::UserConfig;
use crate::history::HistoryFile;
use crate::options::Options;
use crate::theme::Depth;
use filter::Filter;
use render::Colour;
use text::Zone;

fn started(change: impl FnOnce(Options) -> Options) -> User {
    let mut user = User::with(story(), (80, 24), change);
    user.load(usize::MAX);
    user
}

fn configured(text: &str) -> User {
    let config = UserConfig::parse(Path::new("/home/ann/config.toml"), text);
    started(|options| Options { themes: config.themes(Depth::True), config, ..options })
}

#[test]
fn the_screen_and_the_form_of_times_are_configured() {
    let user = configured("screen = 'servers'\ntime = 'utc'\n");
    assert!(user.screen().contains("1 of 10 servers"), "{}", user.screen());
    let mut user = configured("time = 'utc'\n");
    assert!(user.screen().contains("23:06:40.0"), "{}", user.screen());
    user.keys("3");
    assert!(user.screen().contains("1 of 10 servers"), "{}", user.screen());
    // The command line is stronger.
    let config = UserConfig::parse(Path::new("c"), "screen = 'servers'");
    let user = started(|options| Options { config, screen: Some(4), ..options });
    assert!(user.screen().contains("1 of 1 finding"), "{}", user.screen());
}

#[test]
fn local_times_are_those_of_the_zone() {
    let mut user =
        started(|options| Options { zone: Zone::of_rules("<-0330>3:30").unwrap(), ..options });
    insta::assert_snapshot!("local", user.keys("jtt").screen());
    assert!(user.keys("2<Enter>").screen().contains("local"), "{}", user.screen());
}

#[test]
fn mistakes_are_reported_at_the_start_and_in_the_warnings() {
    let mut user = configured("theme = 'drak'\nmouse = 1\ntime = 'utc'\n");
    let screen = user.screen();
    let hint = "config.toml: line 1: theme: no theme is named \"drak\"; did you mean dark?";
    assert!(screen.lines().last().unwrap().contains(hint), "{screen}");
    assert!(screen.contains("! 2 warnings (w)") && screen.contains("23:06:40"), "{screen}");
    let screen = user.keys("w").screen();
    assert!(screen.contains("/home/ann/config.toml: line 2: mouse: expected true"), "{screen}");
    let screen = user.keys("qj").screen();
    assert!(!screen.contains(hint), "{screen}");
}

#[test]
fn keys_and_columns_that_exclude_each_other_are_mistakes() {
    for (text, line, mistake) in [
        (
            "[keys]\nsort = ['x']\nfilter = ['x']\n",
            3,
            "keys.filter: \"x\" is the key of sort already",
        ),
        ("[keys]\nquit = []\n", 2, "keys.quit: a key is needed to quit"),
        ("[keys]\nhelp = ['Ctrl-c']\n", 2, "keys.help: Ctrl-c always quits"),
        (
            "[columns]\nmessages = ['#', 'time', 'number']\n",
            2,
            "columns.messages: the column \"number\" is named twice",
        ),
        (
            "[columns]\nflows = ['flow', 'flow']\n",
            2,
            "columns.flows: the column \"flow\" is named twice",
        ),
    ] {
        let mut user = configured(text);
        let screen = user.screen();
        let hint = format!("config.toml: line {line}: {mistake}");
        assert!(screen.lines().last().unwrap().contains(&hint), "{text}: {screen}");
        // The defaults hold.
        assert!(screen.lines().nth(2).unwrap().contains("destination"), "{text}: {screen}");
        assert!(user.keys("f").screen().contains("filter: "), "{text}: {}", user.screen());
        user.keys("<Esc>q");
        assert_eq!(user.app.take_commands(), [TerminalCommand::Quit], "{text}");
    }
    let mut user = configured("[keys]\nquit = ['Q']\n");
    assert_eq!({ user.keys("q").app.take_commands() }, []);
    assert_eq!({ user.keys("<C-c>").app.take_commands() }, [TerminalCommand::Quit]);
}

#[test]
fn a_filter_holds_from_the_start() {
    let filter = Filter::parse("quake3.getstatus or quake3.status-response").unwrap();
    let user = started(|options| Options { filter: Some(filter), ..options });
    assert!(user.screen().contains("1 of 2 messages"), "{}", user.screen());
    let filter = Filter::parse("quake3.getstatus").unwrap();
    let mut user = started(|o| Options { filter: Some(filter), screen: Some(2), ..o });
    assert!(user.screen().contains("1 of 10 servers"), "{}", user.screen());
    user.keys("1");
    assert!(user.screen().contains("1 of 1 message"), "{}", user.screen());
}

#[test]
fn a_theme_gives_everything_its_colours() {
    for (name, header, row) in [
        ("dark", Color::Rgb(0, 0x5f, 0x87), Color::Rgb(0x4e, 0x4e, 0x4e)),
        ("light", Color::Rgb(0, 0x5f, 0x87), Color::Rgb(0xd0, 0xd0, 0xd0)),
        ("high-contrast", Color::Rgb(255, 255, 255), Color::Rgb(255, 255, 0)),
    ] {
        let user = configured(&format!("theme = '{name}'"));
        let buffer = user.terminal.backend().buffer();
        assert_eq!(buffer[(40, 0)].bg, header, "{name}");
        let cursor = (0..buffer.area.height).find(|y| buffer[(10, *y)].bg == row);
        assert_eq!(cursor, Some(3), "{name}");
        for cell in &buffer.content {
            assert!(matches!(cell.fg, Color::Rgb(..)), "{name}: {cell:?}");
            assert!(!cell.modifier.contains(Modifier::REVERSED), "{name}: {cell:?}");
        }
    }
}

/// Without colours, and with the theme of sixteen, marks are where they are without a theme.
#[test]
fn marks_do_not_depend_on_colours() {
    let marks = |change: &dyn Fn(Options) -> Options| {
        let mut user = started(change);
        user.keys("jj<Tab>jjj").marks()
    };
    let plain = marks(&|options| options);
    assert_eq!(marks(&|options| options.coloured(Colour::Plain)), plain);
    for name in ["16-colours", "dark", "light", "high-contrast"] {
        for depth in [Depth::Two, Depth::Eight, Depth::Sixteen] {
            let text = format!("theme = '{name}'");
            let config = UserConfig::parse(Path::new("c"), &text);
            let themes = || config.themes(depth);
            let marks = marks(&|options| Options { themes: themes(), ..options });
            assert_eq!(marks, plain, "{name} {depth:?}");
        }
    }
}

#[test]
fn filters_and_searches_are_kept() {
    let state = tempfile::tempdir().unwrap();
    let history = || HistoryFile::open(state.path(), |_| Ok(()));
    let mut user = started(|options| Options { history: history(), ..options });
    user.keys("fquake3.getinfo<Enter>f<Esc>/q3dm<Enter>/lost<Esc>fnonsense<Enter><Esc>");
    let kept = history().begin().clone();
    assert_eq!(
        (&kept.filters[..], &kept.searches[..]),
        (&["quake3.getinfo".to_owned()][..], &["q3dm".to_owned()][..])
    );
    // A damaged history is a warning.
    fs::write(state.path().join("history.toml"), "filters = 1").unwrap();
    let mut user = started(|options| Options { history: history(), ..options });
    assert!(user.screen().contains("! 1 warning (w)"), "{}", user.screen());
    assert!(user.keys("w").screen().contains("the history is damaged"), "{}", user.screen());
    // So is a folder that is gone, once.
    user.keys("q");
    drop(state);
    user.keys("/a<Enter>/b<Enter>w");
    assert!(user.screen().contains("the history is not kept"), "{}", user.screen());
    assert!(user.screen().contains("! 2 warnings (w)"), "{}", user.screen());
}

#[test]
fn rows_have_the_colours_of_the_configuration() {
    let text = "colours = [['lists', 'magenta'], ['message == \"getinfo\"', 'red'], ['==', 'red']]";
    let config = UserConfig::parse(Path::new("c.toml"), text);
    let mut user = User::with(tour(), (100, 30), |options| Options { config, ..options });
    user.load(usize::MAX);
    let colour = |user: &User, y| user.terminal.backend().buffer()[(60, y)].fg;
    // The first row is under the cursor; the second is getinfo, the sixth to eighth a list.
    assert_eq!(colour(&user, 4), Color::Red);
    assert_eq!([8, 9, 10].map(|y| colour(&user, y)), [Color::Magenta; 3]);
    assert_ne!(colour(&user, 6), Color::Red);
    assert!(user.screen().contains("c.toml: line 1: colours: "), "{}", user.screen());
}

#[test]
fn names_of_hosts_files_and_of_the_capture_are_shown_in_place_of_addresses() {
    let mut user = started(|options| options);
    assert!(user.keys("H").screen().contains("no names: "), "{}", user.screen());
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("hosts");
    fs::write(&file, "198.51.100.1 master.example\n").unwrap();
    let text = format!("hosts = [{:?}, '/nowhere/hosts']", file.to_str().unwrap());
    let mut config = UserConfig::parse(Path::new("c.toml"), &text);
    let hosts = config.read_hosts();
    assert!(config.errors()[0].to_string().contains("hosts: cannot read /nowhere/hosts: "));
    // The answer of a DNS server for the client's address.
    let answer = b"\x12\x34\x81\x80\0\x01\0\x01\0\0\0\0\x06player\0\0\x01\0\x01\
        \xc0\x0c\0\x01\0\x01\0\0\x0e\x10\0\x04\xcb\0\x71\x4d";
    let dns = SocketAddrV4::new(Ipv4Addr::new(192, 0, 2, 53), 53);
    let bytes =
        capture(&[(answer.to_vec(), dns, CLIENT), (documented("quake3/1.1.1/1"), CLIENT, MASTER)]);
    let mut user = User::with(bytes, (100, 24), |options| Options { config, hosts, ..options });
    user.load(usize::MAX);
    assert!(user.screen().contains("198.51.100.1:27950"), "{}", user.screen());
    let named = user.keys("H").screen();
    assert!(named.contains("names of 2 hosts"), "{named}");
    assert!(named.contains("player:49152") && named.contains("master.example:27950"), "{named}");
    assert!(user.keys("4").screen().contains("master.example:27950"), "{}", user.screen());
    assert!(user.keys("H").screen().contains("198.51.100.1:27950"), "{}", user.screen());
}

#[test]
fn another_capture_is_opened_and_a_view_comes_back() {
    let folder = tempfile::tempdir().unwrap();
    let [first, second] = ["first.pcap", "second.pcap"].map(|name| folder.path().join(name));
    fs::write(&first, story()).unwrap();
    fs::write(&second, tour()).unwrap();
    let state = folder.path().join("state");
    let start = || {
        let file = Some(first.display().to_string());
        let history = HistoryFile::open(&state, |_| Ok(()));
        let mut user =
            User::with(story(), (100, 30), |options| Options { file, history, ..options });
        user.load(usize::MAX);
        user
    };
    let mut user = start();
    user.keys("fquake3.getinfo<Enter>");
    let line = user.keys("<C-o>").screen();
    assert!(line.contains(&format!("open: {}", folder.path().join("").display())), "{line}");
    user.keys("nothing.pcap<Enter>");
    assert!(user.screen().contains("nothing.pcap"), "{}", user.screen());
    user.keys("<C-o>second.pcap<Enter>");
    while !user.screen().contains(" of 27 messages") {
        user.draw();
    }
    assert!(user.screen().contains("second.pcap"), "{}", user.screen());
    // The first capture comes back as it was closed.
    let mut user = start();
    assert!(user.screen().contains("Ctrl-r restores filter"), "{}", user.screen());
    assert!(user.screen().contains("11 messages"), "{}", user.screen());
    user.keys("<C-r>");
    assert!(user.screen().contains("as it was shown last time"), "{}", user.screen());
    assert!(user.keys("f").screen().contains("filter: quake3.getinfo"), "{}", user.screen());
}
