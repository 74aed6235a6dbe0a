//! Themes can be read, in every terminal.

use ratatui::buffer::{Buffer, Cell};
use ratatui::layout::Rect;
use ratatui::style::{Color, Modifier, Style};

use super::colour::{SIXTEEN, rgb_of};
use super::contrast::contrast;
use super::{
    BUILT_IN, DEFAULT, Depth, SLOTS, Slot, Surface, Theme, Themes, colour_name, parse_colour,
};
use render::Colour;

/// The themes whose colours are known, the screens that they are made for, and the least contrast.
const KNOWN: [(&str, &[u32], f64); 3] = [
    ("dark", &[0x00_0000, 0x00_2b36, 0x1e_1e1e], 4.5),
    ("light", &[0xff_ffff, 0xfd_f6e3], 4.5),
    ("high-contrast", &[0x00_0000, 0xff_ffff], 7.0),
];
/// The least contrast of what is no text.
const LINES: f64 = 3.0;

const DEPTHS: [Depth; 5] = [Depth::Two, Depth::Eight, Depth::Sixteen, Depth::Indexed, Depth::True];

/// Cells in every style that a screen may draw with: each colour and none, on each surface and none.
fn every_style() -> Vec<(Style, &'static str)> {
    let colours = SIXTEEN.map(|(colour, _)| colour).into_iter().chain([Color::Reset]);
    let mut styles = Vec::new();
    for colour in colours {
        let style = Style::new().fg(colour);
        styles.push((style, "x"));
        styles.push((style.add_modifier(Modifier::REVERSED), "x"));
        styles.push((style.add_modifier(Modifier::BOLD | Modifier::UNDERLINED), "x"));
        styles.extend(Surface::ALL.map(|surface| (style.bg(surface.background()), "x")));
    }
    styles.push((Style::new().fg(Color::DarkGray), "│"));
    styles
}

/// One cell, drawn in a style and a theme.
fn drawn(theme: &Theme, style: Style, symbol: &str) -> Cell {
    let mut buffer = Buffer::empty(Rect::new(0, 0, 1, 1));
    buffer.set_string(0, 0, symbol, style);
    theme.apply(&mut buffer);
    buffer.content[0].clone()
}

/// Whether a style has a surface that few colours show; shaded rows have none there.
fn has_surface(style: Style) -> bool {
    style.bg.is_some_and(|background| background != Surface::Shaded.background())
}

fn rgb(colour: Color, own: u32) -> [u8; 3] {
    match colour {
        Color::Reset => {
            let [_, r, g, b] = own.to_be_bytes();
            [r, g, b]
        }
        Color::Rgb(r, g, b) => [r, g, b],
        Color::Indexed(index) => rgb_of(index).unwrap(),
        other => panic!("{other:?} is the terminal's"),
    }
}

#[test]
fn every_text_can_be_read() {
    for (name, screens, least) in KNOWN {
        let theme = Theme::named(name).unwrap();
        for depth in [Depth::True, Depth::Indexed] {
            let theme = theme.reduced(depth);
            for (style, symbol) in every_style() {
                let cell = drawn(&theme, style, symbol);
                assert_ne!(cell.fg, Color::Reset, "{name}: {style:?}");
                assert!(!cell.modifier.contains(Modifier::REVERSED), "{name}: {style:?}");
                for screen in screens {
                    let found = contrast(rgb(cell.fg, 0), rgb(cell.bg, *screen));
                    let least = if symbol == "x" { least } else { LINES };
                    let what = format!("{name} on {screen:06x}: {style:?} is {cell:?}");
                    assert!(found >= least, "{what}: {found:.2}");
                }
            }
        }
    }
}

#[test]
fn surfaces_differ_from_the_screen_and_from_each_other() {
    for (name, screens, _) in KNOWN {
        let theme = Theme::named(name).unwrap();
        let colours = |surface: Surface| {
            let cell = drawn(&theme, Style::new().bg(surface.background()), "x");
            (rgb(cell.fg, 0), rgb(cell.bg, 1))
        };
        let all = Surface::ALL.map(colours);
        for (at, (text, background)) in all.iter().enumerate() {
            assert!(!all[..at].contains(&(*text, *background)), "{name}: {at}");
            let own = theme.background != Color::Reset;
            for screen in screens.iter().filter(|_| !own) {
                let found = contrast(*background, rgb(Color::Reset, *screen));
                // Shaded rows also have a sign.
                let least = if at == Surface::Shaded as usize { 1.05 } else { 1.4 };
                assert!(found >= least, "{name} on {screen:06x}: {at}: {found:.2}");
            }
        }
    }
}

/// Solarized has its background in 8 and greys in the bright colours; on white, 7 and 15 are
/// invisible, and blue is on black.
#[test]
fn sixteen_colours_are_those_that_every_palette_can_show() {
    use Color::{Cyan, Green, Magenta, Red, Reset, Yellow};
    for depth in DEPTHS {
        let theme = Theme::named(DEFAULT).unwrap().reduced(depth);
        for (style, symbol) in every_style() {
            let cell = drawn(&theme, style, symbol);
            assert!([Red, Green, Yellow, Magenta, Cyan, Reset].contains(&cell.fg));
            assert_eq!(cell.bg, Reset);
            assert!(symbol != "x" || !cell.modifier.contains(Modifier::DIM), "{style:?}");
        }
    }
}

#[test]
fn no_theme_has_text_in_bright_black_in_any_terminal() {
    for (name, theme) in &BUILT_IN {
        for depth in DEPTHS {
            let theme = theme.reduced(depth);
            for (style, symbol) in every_style() {
                let cell = drawn(&theme, style, symbol);
                let is_black = [Color::DarkGray, Color::Indexed(8)].contains(&cell.fg);
                assert!(!is_black, "{name} {depth:?}: {style:?}");
                let is_bold_black =
                    cell.fg == Color::Black && cell.modifier.contains(Modifier::BOLD);
                let is_drawn_bold = style.add_modifier.contains(Modifier::BOLD);
                assert!(!is_bold_black || is_drawn_bold, "{name} {depth:?}: {style:?}");
                // With few colours every surface is told by reverse video.
                let is_marked =
                    has_surface(style) || style.add_modifier.contains(Modifier::REVERSED);
                if depth < Depth::Indexed {
                    let is_reversed = cell.modifier.contains(Modifier::REVERSED);
                    assert_eq!(is_reversed, is_marked, "{name} {depth:?}: {style:?}");
                }
                if depth == Depth::Two {
                    assert_eq!([cell.fg, cell.bg], [Color::Reset; 2], "{name}: {style:?}");
                }
            }
        }
    }
}

#[test]
fn without_a_theme_styles_are_what_they_are() {
    for (style, symbol) in every_style() {
        let cell = drawn(&Theme::ansi(), style, symbol);
        assert_eq!((cell.fg, cell.bg), (style.fg.unwrap(), Color::Reset));
        let mut modifier = style.add_modifier;
        modifier
            .set(Modifier::REVERSED, has_surface(style) || modifier.contains(Modifier::REVERSED));
        assert_eq!(cell.modifier, modifier);
    }
}

#[test]
fn colours_become_the_nearest_that_a_terminal_has() {
    let bold = Modifier::BOLD;
    let none = Modifier::empty();
    for (colour, indexed, sixteen, eight, is_bold) in [
        ("default", "default", "default", "default", none),
        ("red", "red", "red", "red", none),
        ("bright-red", "bright-red", "bright-red", "red", bold),
        ("#ff0000", "196", "bright-red", "red", bold),
        ("#800000", "88", "red", "red", none),
        ("#ff8787", "210", "bright-red", "red", bold),
        ("#875f00", "94", "yellow", "yellow", none),
        ("#d7afff", "183", "bright-magenta", "magenta", bold),
        ("#5fd7d7", "80", "bright-cyan", "cyan", bold),
        ("#005faf", "25", "blue", "blue", none),
        ("#005f00", "22", "green", "green", none),
        ("#000000", "16", "black", "black", none),
        ("#0a0a0a", "232", "black", "black", none),
        ("#121212", "233", "black", "black", none),
        ("#626262", "241", "white", "white", none),
        ("#9e9e9e", "247", "white", "white", none),
        ("#eeeeee", "255", "bright-white", "white", bold),
        ("#ffffff", "231", "bright-white", "white", bold),
        ("#5f5f61", "59", "white", "white", none),
        ("1", "1", "red", "red", none),
        ("9", "9", "bright-red", "red", bold),
        ("16", "16", "black", "black", none),
        ("208", "208", "bright-red", "red", bold),
        ("245", "245", "white", "white", none),
    ] {
        let parsed = parse_colour(colour).unwrap();
        let reduced = |depth: Depth| {
            let (colour, modifier) = depth.reduce(parsed);
            (colour_name(colour), modifier)
        };
        assert_eq!(colour_name(parsed), colour);
        assert_eq!(reduced(Depth::True), (colour.to_owned(), none));
        assert_eq!(reduced(Depth::Indexed), (indexed.to_owned(), none), "{colour}");
        assert_eq!(reduced(Depth::Sixteen), (sixteen.to_owned(), none), "{colour}");
        assert_eq!(reduced(Depth::Eight), (eight.to_owned(), is_bold), "{colour}");
        assert_eq!(reduced(Depth::Two), ("default".to_owned(), none), "{colour}");
    }
    for wrong in ["", "Red", "256", "-1", "+1", "#fff", "#gggggg", "#+12345", "#ff00000", "grey "] {
        assert_eq!(parse_colour(wrong), None, "{wrong}");
    }
}

#[test]
fn colours_of_a_terminal_stay_as_they_are() {
    for index in 16..=255 {
        let [r, g, b] = rgb_of(index).unwrap();
        let (Color::Indexed(nearest), _) = Depth::Indexed.reduce(Color::Rgb(r, g, b)) else {
            panic!("{index} is no colour of 256")
        };
        assert_eq!(rgb_of(nearest), Some([r, g, b]), "{index}");
    }
}

#[test]
fn the_environment_tells_how_many_colours_there_are() {
    let of = |colour, colorterm: &str, term: &str| {
        Depth::of_terminal(colour, |name| match name {
            "COLORTERM" => Some(colorterm).filter(|value| !value.is_empty()).map(str::to_owned),
            "TMUX" => None,
            "TERM" => Some(term).filter(|value| !value.is_empty()).map(str::to_owned),
            other => panic!("{other} is not asked for"),
        })
    };
    for (colorterm, term, depth) in [
        ("truecolor", "xterm-256color", Depth::True),
        ("24bit", "xterm", Depth::True),
        ("", "xterm-kitty", Depth::True),
        ("", "xterm-direct", Depth::True),
        ("yes", "xterm-256color", Depth::Indexed),
        ("", "tmux-256color", Depth::Indexed),
        ("", "tmux", Depth::Indexed),
        ("", "putty-256color", Depth::Indexed),
        ("", "xterm-16color", Depth::Sixteen),
        ("", "linux-16color", Depth::Sixteen),
        ("", "xterm", Depth::Sixteen),
        ("", "linux", Depth::Eight),
        ("", "screen", Depth::Eight),
        ("", "dumb", Depth::Two),
        ("", "vt220", Depth::Two),
    ] {
        assert_eq!(of(Colour::Ansi, colorterm, term), depth, "{colorterm} {term}");
        assert_eq!(of(Colour::Plain, colorterm, term), Depth::Two);
    }
    let in_tmux = |name: &str| (name != "COLORTERM").then(|| "screen".to_owned());
    assert_eq!(Depth::of_terminal(Colour::Ansi, in_tmux), Depth::Indexed);
    let unknown = if cfg!(windows) { Depth::True } else { Depth::Sixteen };
    assert_eq!(of(Colour::Ansi, "", ""), unknown);
}

#[test]
fn themes_are_chosen_by_name_and_in_turn() {
    let mut own = Theme::named("dark").unwrap();
    own.set(Slot::Text(1), Style::new().fg(Color::Indexed(200)));
    let mut themes = Themes::new([("mine".to_owned(), own.clone())], "mine");
    assert_eq!(themes.name(), "mine");
    let mut turn = Vec::new();
    for _ in 0..5 {
        themes.next();
        turn.push(themes.name().to_owned());
    }
    assert_eq!(turn, ["16-colours", "dark", "light", "high-contrast", "mine"]);
    assert_eq!(themes.names().take(4).collect::<Vec<_>>(), Theme::names().collect::<Vec<_>>());
    assert!(!themes.show("solarized") && themes.name() == "mine");
    assert!(themes.show("light") && themes.name() == "light");
    assert_eq!(drawn(&own, Style::new().fg(Color::Red), "x").fg, Color::Indexed(200));
}

#[test]
fn every_part_has_a_name_and_can_be_changed() {
    let mut theme = Theme::ansi();
    for (at, (name, slot)) in (100..).zip(SLOTS) {
        assert!(SLOTS.iter().filter(|(other, of)| *other == name || *of == slot).count() == 1);
        theme.set(slot, Style::new().fg(Color::Indexed(at)));
    }
    for (at, (name, slot)) in (100..).zip(SLOTS) {
        assert_eq!(theme.get(slot), Style::new().fg(Color::Indexed(at)), "{name}");
    }
    // All sixteen colours, the surfaces, and three others.
    assert_eq!(SLOTS.len(), SIXTEEN.len() + Surface::ALL.len() + 3);
}
