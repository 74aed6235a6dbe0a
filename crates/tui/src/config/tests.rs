//! Files as users write them, right and wrong.

use std::fs;
use std::path::Path;

use ratatui::style::{Color, Modifier, Style};

use super::*;
use crate::configure::complete;
use crate::theme::{SLOTS, Slot, Surface};

fn parsed(text: &str) -> UserConfig {
    UserConfig::parse(Path::new("config.toml"), text)
}

fn errors(text: &str) -> String {
    let errors = parsed(text).errors().iter().map(ToString::to_string).collect::<Vec<_>>();
    errors.join("\n")
}

/// A configuration in which nothing has its default.
const FULL: &str = r##"
theme = "mine"
screen = "servers"
time = "local"
mouse = false
history = false
hosts = ["/etc/hosts"]
colours = [["late", "red"], ['game == "rtcw"', "bright-cyan"]]

[columns]
messages = ["time", "source", "field.sv_maxclients"]
servers = ["address", "game"]

[keys]
quit = ["q", "Ctrl-c"]
"page down" = ["Space"]

[filters]
late = "quake3.heartbeat"
"two words" = 'quake3.getservers && field.hostname == "a\"b"'

[themes.mine]
base = "dark"
background = "#001020"
red = "#ff5f5f"
dim = 245
yellow = "bright-yellow"
cyan = { fg = "cyan", bold = true, underline = true, italic = true, dim = true, reverse = true }
lines = "default"
cursor = { fg = "black", bg = "yellow", bold = true }
byte = { bg = 200 }

[themes."light 2"]
base = "light"

[themes.plain]
"##;

#[test]
fn a_file_has_every_setting() {
    let config = parsed(FULL);
    assert_eq!(errors(FULL), "");
    assert_eq!((&*config.theme, config.screen, config.time), ("mine", 2, TimeDisplay::Local));
    assert_eq!((config.mouse, config.history), (false, false));
    let columns = &config.columns["messages"];
    assert_eq!(columns.line, 11);
    let names: Vec<_> = columns.value.iter().map(|name| &*name.value).collect();
    assert_eq!(names, ["time", "source", "field.sv_maxclients"]);
    assert_eq!(config.keys["page down"].line, 16);
    assert_eq!(config.filters["late"].line, 19);
    let mut dark = Theme::named("dark").unwrap();
    let mine = &config.themes["mine"].theme;
    for (slot, style) in [
        (Slot::Background, Style::new().fg(Color::Rgb(0, 16, 32))),
        (Slot::Text(1), Style::new().fg(Color::Rgb(255, 95, 95))),
        (Slot::Text(8), Style::new().fg(Color::Indexed(245))),
        (Slot::Text(3), Style::new().fg(Color::LightYellow)),
        (
            Slot::Text(6),
            Style::new().fg(Color::Cyan).add_modifier(
                Modifier::BOLD
                    | Modifier::UNDERLINED
                    | Modifier::ITALIC
                    | Modifier::DIM
                    | Modifier::REVERSED,
            ),
        ),
        (Slot::Lines, Style::new().fg(Color::Reset)),
        (
            Slot::Surface(Surface::Cursor),
            Style::new().fg(Color::Black).bg(Color::Yellow).add_modifier(Modifier::BOLD),
        ),
        (Slot::Surface(Surface::Byte), Style::new().bg(Color::Indexed(200))),
    ] {
        dark.set(slot, style);
        assert_eq!(mine.get(slot), style);
    }
    assert_eq!(mine, &dark);
    assert_eq!(config.themes(Depth::True).name(), "mine");
    assert_eq!(Some(&config.themes["light 2"].theme), Theme::named("light").as_ref());
    assert_eq!(Some(&config.themes["plain"].theme), Theme::named("16-colours").as_ref());
}

#[test]
fn what_is_printed_means_the_same() {
    for text in ["", FULL] {
        let config = parsed(text);
        let printed = complete(config.clone()).0;
        let again = parsed(&printed);
        assert_eq!(again.errors(), [], "{printed}");
        assert_eq!(complete(again.clone()).0, printed);
        assert_eq!(again.themes, config.themes);
        assert_eq!(
            (again.theme, again.screen, again.time, again.mouse, again.colours.len()),
            (config.theme, config.screen, config.time, config.mouse, config.colours.len())
        );
        for name in SETTINGS {
            let is_printed = |line: &str| {
                line.starts_with(&format!("{name} = ")) || line.starts_with(&format!("[{name}"))
            };
            assert!(printed.lines().any(is_printed), "{name}: {printed}");
        }
    }
    insta::assert_snapshot!("printed_defaults", complete(UserConfig::default()).0);
    insta::assert_snapshot!("printed", complete(parsed(FULL)).0);
}

/// Wrong files, and what is said of each.
const WRONG: &[(&str, &str)] = &[
    ("theme = \"drak\"", "line 1: theme: no theme is named \"drak\"; did you mean dark?"),
    (
        "theme = \"\"",
        "line 1: theme: no theme is named \"\"; the themes are 16-colours, dark, light and high-contrast",
    ),
    ("theme = 3", "line 1: theme: expected a string, found an integer"),
    ("theme = [\"dark\"]", "line 1: theme: expected a string, found an array"),
    ("thme = \"dark\"", "line 1: thme: no setting is named \"thme\"; did you mean theme?"),
    (
        "border = true\n",
        "line 1: border: no setting is named \"border\"; the settings are theme, screen, time, message, mouse, history, hosts, colours, columns, keys, filters and themes",
    ),
    (
        "screen = \"mesages\"",
        "line 1: screen: no screen is named \"mesages\"; did you mean messages?",
    ),
    ("screen = 1", "line 1: screen: expected a string, found an integer"),
    (
        "screen = \"0\"",
        "line 1: screen: no screen is named \"0\"; the screens are messages, exchanges, servers, masters, findings, sequence, flows, statistics and catalogue",
    ),
    (
        "screen = \"99\"",
        "line 1: screen: no screen is named \"99\"; the screens are messages, exchanges, servers, masters, findings, sequence, flows, statistics and catalogue",
    ),
    ("time = \"UTC\"", "line 1: time: no form of times is named \"UTC\"; did you mean utc?"),
    (
        "time = \"now\"",
        "line 1: time: no form of times is named \"now\"; the forms are relative, utc, local and delta",
    ),
    ("mouse = 1", "line 1: mouse: expected true or false, found an integer"),
    ("mouse = \"yes\"", "line 1: mouse: expected true or false, found a string"),
    ("history = 2020-01-01", "line 1: history: expected true or false, found a datetime"),
    (
        "\n\n[columns]\nmesages = [\"time\"]",
        "line 4: columns.mesages: no screen is named \"mesages\"; did you mean messages?",
    ),
    (
        "[columns]\nmessages = \"time\"",
        "line 2: columns.messages: expected an array of strings, found a string",
    ),
    (
        "[columns]\nmessages = [\"a\", 3]",
        "line 2: columns.messages: expected a string, found an integer",
    ),
    ("columns = []", "line 1: columns: expected a table, found an array"),
    ("[keys]\nquit = \"q\"", "line 2: keys.quit: expected an array of strings, found a string"),
    ("[keys.quit]\na = 1", "line 1: keys.quit: expected an array of strings, found a table"),
    ("keys = true", "line 1: keys: expected a table, found a boolean"),
    (
        "[filters]\nlate = \"udp.prot == 3\"",
        "line 2: filters.late: column 1: no name is udp.prot; did you mean udp.port?",
    ),
    (
        "[filters]\nlate = \"udp ==\"",
        "line 2: filters.late: column 7: a value is wanted here: a number, an address, a time, or a text in quotes",
    ),
    ("[filters]\na = 1.5", "line 2: filters.a: expected a string, found a float"),
    ("filters = \"udp\"", "line 1: filters: expected a table, found a string"),
    ("[themes.dark]\nred = \"red\"", "line 1: themes.dark: a built-in theme has this name"),
    (
        "[themes.mine]\nbase = \"drak\"",
        "line 2: themes.mine.base: no built-in theme is named \"drak\"; did you mean dark?",
    ),
    ("[themes.mine]\nbase = 1", "line 2: themes.mine.base: expected a string, found an integer"),
    (
        "[themes.mine]\nrde = \"red\"",
        "line 2: themes.mine.rde: no part of a theme is named \"rde\"; did you mean red?",
    ),
    (
        "[themes.mine]\nred = \"#ff5\"",
        "line 2: themes.mine.red: \"#ff5\" is no colour; give a name such as \"bright-red\", a number from 0 to 255 or \"#rrggbb\"",
    ),
    (
        "[themes.mine]\nred = 256",
        "line 2: themes.mine.red: \"256\" is no colour; give a name such as \"bright-red\", a number from 0 to 255 or \"#rrggbb\"",
    ),
    ("[themes.mine]\nred = 0x10", "line 2: themes.mine.red: expected a colour, found an integer"),
    ("[themes.mine]\nred = true", "line 2: themes.mine.red: expected a colour, found a boolean"),
    (
        "[themes.mine]\nred = { fgg = \"red\" }",
        "line 2: themes.mine.red.fgg: no part of a style is named \"fgg\"; did you mean fg?",
    ),
    (
        "[themes.mine]\ncursor = \"yellow\"",
        "line 2: themes.mine.cursor: expected a table with fg and bg, found a string",
    ),
    (
        "[themes.mine]\ncursor = { fg = \"black\", bgg = 3 }",
        "line 2: themes.mine.cursor.bgg: no part of a style is named \"bgg\"; did you mean bg?",
    ),
    (
        "[themes.mine]\nbackground = { fg = \"red\" }",
        "line 2: themes.mine.background: expected a colour, found a table",
    ),
    ("[themes]\nmine = \"dark\"", "line 2: themes.mine: expected a table, found a string"),
    ("theme = ", "line 1: theme: string values must be quoted"),
    ("theme = dark", "line 1: theme: string values must be quoted"),
    ("theme \"dark\"", "line 1: theme: key with no value, expected `=`"),
    ("theme = \"dark", "line 1: theme: invalid basic string, expected `\"`"),
    ("[themes.mine]\nred = #ff0000", "line 2: themes.mine.red: string values must be quoted"),
    ("theme = \"dark\"\ntheme = \"light\"", "line 2: theme: duplicate key"),
    ("[keys]\n[keys]", "line 2: keys: duplicate key"),
    (
        "colours = [[\"udp\", \"redd\"]]",
        "line 1: colours: no colour is named \"redd\"; did you mean red?",
    ),
    ("colours = [[\"udp\"]]", "line 1: colours: expected a pair of strings, found an array"),
    ("colours = 1", "line 1: colours: expected an array of pairs of strings, found an integer"),
    ("= 3", "line 1: unquoted keys cannot be empty"),
    ("mouse = yes", "line 1: mouse: string values must be quoted"),
    ("\u{1}", "line 1: \u{1}: key with no value, expected `=`"),
    (
        "theme = \"a\\qb\"",
        "line 1: theme: missing escaped value, expected `b`, `e`, `f`, `n`, `r`, `\\`, `\"`, `x`, `u`, `U`",
    ),
];

#[test]
fn every_mistake_is_reported_with_its_line_and_key() {
    for (text, expected) in WRONG {
        let expected = expected.replace("line ", "config.toml: line ");
        assert_eq!(errors(text), expected, "{text}");
    }
    assert!(WRONG.len() >= 30);
}

#[test]
fn all_mistakes_of_a_file_are_reported_and_the_rest_of_it_holds() {
    let text = "theme = 'dark'\nscreen = 3\nmouse = false\n[keys]\nquit = 'q'\nhelp = ['h']\n\
        [filters]\na = 'udp'\nb = 'udp ='\n\
        [themes.x]\nbase = 'light'\nred = 'blue'\ngreen = { fg = 'x', bold = 1 }\n";
    let config = parsed(text);
    let lines: Vec<_> = config.errors().iter().map(|error| (error.line, &*error.key)).collect();
    let green = ["bold", "fg"].map(|part| format!("themes.x.green.{part}"));
    let green = green.iter().map(|key| (13, &**key));
    let others = [(2, "screen"), (5, "keys.quit"), (9, "filters.b")];
    assert_eq!(lines, others.into_iter().chain(green).collect::<Vec<_>>());
    assert_eq!((&*config.theme, config.screen, config.mouse), ("dark", 0, false));
    assert_eq!(config.keys.keys().collect::<Vec<_>>(), ["help"]);
    assert_eq!(config.filters.keys().collect::<Vec<_>>(), ["a"]);
    let (own, light) = (&config.themes["x"].theme, Theme::named("light").unwrap());
    for (name, slot) in SLOTS {
        let is_red = name == "red";
        assert_eq!(own.get(slot) == light.get(slot), !is_red, "{name}");
    }
    // What is no TOML hides nothing of the other lines.
    let config = parsed("theme = 'light'\nmouse = yes\nscreen = 'masters'\n");
    assert_eq!((config.errors().len(), &*config.theme, config.screen), (1, "light", 3));
}

#[test]
fn errors_that_others_find_stand_in_their_order() {
    let mut config = parsed("mouse = 1\n[keys]\nquit = ['q']\nhlep = ['h']\ntheme = 1\n");
    let line = config.keys["hlep"].line;
    config.report(line, "keys.hlep", "no command is named \"hlep\"");
    let all: Vec<_> = config.errors().iter().map(ConfigError::hint).collect();
    assert_eq!(
        all,
        [
            "config.toml: line 1: mouse: expected true or false, found an integer",
            "config.toml: line 4: keys.hlep: no command is named \"hlep\"",
            "config.toml: line 5: keys.theme: expected an array of strings, found an integer",
        ]
    );
}

#[test]
fn a_file_that_cannot_be_read_is_one_mistake() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("own.toml");
    let read = |contents: &[u8]| {
        fs::write(&file, contents).unwrap();
        let config = UserConfig::read_file(&file);
        config.errors().iter().map(ConfigError::hint).collect::<Vec<_>>().join("\n")
    };
    assert_eq!(read(b"mouse = false"), "");
    assert_eq!(read(b"\n\nmouse = '\xff'"), "own.toml: line 3: the text is not UTF-8");
    assert_eq!(
        read(&b" ".repeat(LARGEST as usize + 1)),
        "own.toml: cannot read it: it is larger than 1 MiB"
    );
    let missing = UserConfig::read_file(&folder.path().join("missing.toml"));
    let reported = missing.errors()[0].to_string();
    assert!(reported.contains("missing.toml: cannot read it: "), "{reported}");
    assert!(reported.starts_with(folder.path().to_str().unwrap()), "{reported}");
    assert!(UserConfig::read_file(folder.path()).errors()[0].hint().contains("cannot read it"));
}

/// The page has every setting and every part of a theme, and its example is right.
#[test]
fn the_page_describes_every_setting() {
    let page = include_str!("../../../../docs/configuration.md");
    let words: Vec<_> = page.split('`').skip(1).step_by(2).collect();
    let parts = SLOTS.iter().map(|(name, _)| *name).chain(Theme::names());
    let times = TimeDisplay::ALL.map(TimeDisplay::name);
    for name in SETTINGS.into_iter().chain(parts).chain(times) {
        let quoted = format!("\"{name}\"");
        assert!(words.contains(&name) || words.contains(&&*quoted), "{name}");
    }
    let examples: Vec<_> = page.split("```toml\n").skip(1).collect();
    assert!(examples.len() >= 2);
    for example in examples {
        let example = example.split("```").next().unwrap();
        assert_eq!(errors(example), "", "{example}");
    }
    let defaults = page.split("```toml\n").nth(1).unwrap().split("```").next().unwrap();
    assert_eq!(complete(parsed(defaults)).0, complete(UserConfig::default()).0);
}
