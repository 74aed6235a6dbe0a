//! Filter, search and sort on every screen; from one thing to another and back.

use crossterm::event::{MouseButton, MouseEventKind};

use super::user::{CLIENT, SERVER, User, capture, documented, story, tour};
use crate::action::TerminalCommand;
use crate::options::Options;

#[test]
fn one_filter_holds_for_all_screens() {
    let mut user = User::on(tour(), (120, 30));
    user.keys("fquake3.getinfo<Enter>");
    for (screen, state) in [
        ("1", "5 of 27 messages"),
        ("2", "5 of 13 exchanges"),
        ("3", "3 of 6 servers"),
        ("4", "1 of 1 master"),
        ("5", "1 of 1 finding"),
        ("6", "5 of 27 messages"),
        ("7", "4 of 8 flows"),
    ] {
        let shown = user.keys(screen).screen();
        assert!(shown.contains(&format!("quake3.getinfo  {state}")), "{screen}: {shown}");
    }
    let none = user.keys("f<C-u>quake3.rcon-print<Enter>2").screen();
    assert!(none.contains("no exchange matches the filter"), "{none}");
    let all = user.keys("x3").screen();
    assert!(all.contains("1 of 6 servers") && !all.contains("quake3.getinfo  "), "{all}");
}

#[test]
fn rows_are_searched_and_sorted() {
    let mut user = User::on(tour(), (120, 30));
    assert!(user.keys("3/2.14<Enter>").screen().contains("6 of 6 servers"), "{}", user.screen());
    assert!(user.keys("g/192.0.2.1[23]<Tab>").screen().contains("regex/"), "{}", user.screen());
    assert!(user.screen().contains("3 of 6 servers"), "{}", user.screen());
    assert!(user.keys("<Enter>n").screen().contains("5 of 6 servers"), "{}", user.screen());
    assert!(user.keys("N").screen().contains("3 of 6 servers"), "{}", user.screen());
    assert!(user.keys("/nowhere<Enter>").screen().contains("not found: nowhere"));
    // What cannot be searched here says so.
    user.keys("<Esc>/<Tab><Tab>4b66<Enter>");
    assert!(
        user.screen().contains("searched in messages and the sequence diagram"),
        "{}",
        user.screen()
    );
    user.keys("<Esc>");

    let first =
        |user: &mut User, keys: &str| user.keys(keys).screen().lines().nth(3).map(str::to_owned);
    let row = first(&mut user, "2slatency<Enter>g").unwrap();
    assert!(row.contains("60ms"), "{}", user.screen());
    assert!(user.screen().contains("▼latency"), "{}", user.screen());
    let row = first(&mut user, "Sg").unwrap();
    assert!(row.contains("23ms"), "{}", user.screen());
    // The mouse sorts too; a column without values comes last in either direction.
    let heading = user.screen().lines().nth(2).unwrap().to_owned();
    let at = heading.find("retries").map(|at| heading[..at].chars().count());
    user.click(at.unwrap() as u16 - 1, 2);
    assert!(user.screen().contains("▼retries"), "{}", user.screen());
}

#[test]
fn messages_are_sorted_by_any_name() {
    let mut user = User::on(tour(), (120, 30));
    user.keys("slength<Enter>");
    assert!(user.screen().contains("sorted by length, ascending"), "{}", user.screen());
    // The cursor stays at its message.
    assert!(user.screen().contains("#1 heartbeat"), "{}", user.screen());
    user.keys("S<Esc>g");
    assert!(user.screen().contains("#15 statusResponse, "), "{}", user.screen());
    // A filter keeps the order.
    user.keys("fquake3.getinfo<Enter>g");
    assert!(user.screen().contains("1 of 5 messages"), "{}", user.screen());
    user.keys("snumber<Enter>");
    assert!(user.screen().contains("▲#"), "{}", user.screen());
}

#[test]
fn searches_find_bytes_and_field_values() {
    let mut user = User::on(story(), (100, 24));
    user.keys("/<Tab><Tab>51 75 61 6b 65<Enter>");
    assert!(user.screen().contains("1 of 11"), "{}", user.screen());
    user.keys("/<Tab><Tab><Tab><Tab>field.protocol == 66<Enter>");
    assert!(!user.screen().contains("not found"), "{}", user.screen());
    assert!(user.screen().contains("4 of 11"), "{}", user.screen());
    let wrong = user.keys("/<Tab><Tab>4b6").screen();
    assert!(wrong.contains("hex digits come in pairs"), "{wrong}");
    user.keys("<Esc>");
    // Hidden bytes are not found.
    let secret = hex::encode("8A00DE3C");
    user.keys(&format!("/<Tab><Tab>{secret}<Enter>"));
    assert!(user.screen().contains("not found"), "{}", user.screen());
}

#[test]
fn a_line_takes_numbers_and_times() {
    let mut user = User::on(tour(), (80, 24));
    for (typed, expected) in [
        ("12", "12 of 27"),
        ("7s", "4 of 27"),
        ("20:00:16.75", "8 of 27"),
        ("1000000", "packet 1000000 has no message"),
        ("soon", "expected a number"),
        ("0x10", "offset 16 (0x10)"),
        ("@4", "offset 4 (0x4)"),
        ("0xffff", "the message has"),
        ("9h", "there is no message at this time or later"),
    ] {
        let screen = user.keys(&format!(":{typed}<Enter>")).screen();
        assert!(screen.contains(expected), "{typed}: {screen}");
        user.keys("<Esc>");
    }
    assert!(user.keys("2:7<Enter>").screen().contains("3 of 13 exchanges"), "{}", user.screen());
}

#[test]
fn a_menu_leads_to_everything_and_back_leads_back() {
    let mut user = User::on(tour(), (100, 30));
    insta::assert_snapshot!("links", user.keys("jjo").screen());
    assert!(user.keys("s").screen().contains("1 of 6 servers"), "{}", user.screen());
    assert!(user.keys("oa").screen().contains("1 of 1 master"), "{}", user.screen());
    assert!(user.keys("of").screen().contains("1 of 8 flows"), "{}", user.screen());
    assert!(user.keys("<Backspace>").screen().contains("1 of 1 master"), "{}", user.screen());
    assert!(user.keys("<A-Left>").screen().contains("1 of 6 servers"), "{}", user.screen());
    assert!(user.keys("<A-Right>").screen().contains("1 of 1 master"), "{}", user.screen());
    assert!(user.keys("<Esc><Esc>").screen().contains("3 of 27 messages"), "{}", user.screen());
    assert!(user.keys("<Backspace>").screen().contains("nothing to go back to"));
    // Positions and requests are left as screens are.
    user.keys("gjj:20<Enter><Backspace>");
    assert!(user.screen().contains("3 of 27 messages"), "{}", user.screen());
    user.keys("a");
    assert!(user.screen().contains("2 of 27 messages"), "{}", user.screen());
    user.keys("<Backspace>");
    assert!(user.screen().contains("3 of 27 messages"), "{}", user.screen());
    user.keys("3:17<Enter>:3<Enter><Backspace><Backspace><Backspace>");
    assert!(user.screen().contains("3 of 27 messages"), "{}", user.screen());
    // Screens by their keys are places too.
    user.keys("jj25<Backspace><Backspace>");
    assert!(user.screen().contains("5 of 27 messages"), "{}", user.screen());
}

#[test]
fn the_value_under_the_cursor_becomes_a_filter_and_a_column() {
    let mut user = User::on(tour(), (120, 30));
    user.keys("jj<Tab>jjjj=");
    assert!(user.screen().contains("filter: field.protocol == 68"), "{}", user.screen());
    let count = |user: &User| user.screen().lines().next().unwrap().to_owned();
    let with = count(&user);
    user.keys("x/Yard<Enter><Tab>gjjjjj-");
    assert!(user.screen().contains("filter: not field.protocol == 68"), "{}", user.screen());
    assert_ne!(with, count(&user));
    user.keys("x<Esc>g/infoResponse<Enter><Tab>gjjjjj|");
    assert!(user.screen().lines().nth(2).unwrap().contains("protocol"), "{}", user.screen());
    // On tables, the row's own; together with the filter in force.
    user.keys("<Esc>3g=");
    assert!(user.screen().contains("server == 192.0.2.10:27960"), "{}", user.screen());
    user.keys("2g=");
    assert!(user.screen().contains("(server == 192.0.2.10:27960) and exchange.kind == "));
    user.keys("1gO");
    assert!(user.screen().contains("filter: flow == "), "{}", user.screen());
}

#[test]
fn columns_are_chosen_and_moved() {
    let mut user = User::on(tour(), (120, 30));
    insta::assert_snapshot!("columns_menu", user.keys("C").screen());
    user.keys("field.hostname<Enter><Left><Esc>");
    let headings = user.screen().lines().nth(2).unwrap().to_owned();
    assert!(headings.contains("hostname"), "{headings}");
    assert!(headings.find("hostname") < headings.find("summary"), "{headings}");
    assert!(user.screen().contains("The Longest Yard"), "{}", user.screen());
    user.keys("Cgame<Enter><Esc>");
    assert!(!user.screen().lines().nth(2).unwrap().contains("game"), "{}", user.screen());
    user.keys("3Cmap<Enter><Esc>");
    assert!(!user.screen().lines().nth(2).unwrap().contains("map"), "{}", user.screen());
}

#[test]
fn headings_are_names_of_columns() {
    let mut user = User::on(tour(), (120, 30));
    assert!(user.keys("s#<Enter>").screen().contains("sorted by number, asc"), "{}", user.screen());
    user.keys("sseconds<Enter>S");
    assert!(user.screen().contains("sorted by time, desc"), "{}", user.screen());
    user.keys("t");
    assert!(user.keys("sutc<Enter>").screen().contains("sorted by time, asc"), "{}", user.screen());
    user.keys("Cfield.mapname<Enter><Esc>smapname<Enter>");
    assert!(user.screen().contains("sorted by field.mapname, asc"), "{}", user.screen());
    user.keys("C#<Enter><Esc>");
    let headings = user.screen().lines().nth(2).unwrap().to_owned();
    assert!(!headings.contains('#'), "{headings}");
    for column in ["#", "seconds", "time"] {
        let sort: crate::screens::screen::Sort = format!("{column}:desc").parse().unwrap();
        let user = User::with(tour(), (120, 30), |options| Options { sort: Some(sort), ..options });
        assert!(user.screen().contains(&format!("sorted by {column}, desc")), "{}", user.screen());
    }
}

#[test]
fn two_marked_messages_are_compared() {
    let messages: Vec<_> = ["quake3/1.2.4/2", "quake3/1.2.4/1"]
        .into_iter()
        .map(|id| (documented(id), SERVER, CLIENT))
        .collect();
    let mut user = User::on(capture(&messages), (120, 40));
    assert!(user.keys("d").screen().contains("mark two to compare them"), "{}", user.screen());
    user.keys("mjd");
    insta::assert_snapshot!("comparison", user.screen());
    assert!(user.keys("<Esc>m").screen().contains("2 messages are marked"), "{}", user.screen());
}

#[test]
fn secrets_can_be_shown_with_a_sign() {
    let mut user = User::on(story(), (100, 24));
    user.keys("jjjjjjjjj");
    assert!(!user.screen().contains("8A00DE3C"), "{}", user.screen());
    user.keys("U<Tab>G");
    assert!(user.screen().contains("SECRETS SHOWN"), "{}", user.screen());
    user.keys("<Esc>/8A00DE3C<Enter>");
    assert!(!user.screen().contains("not found"), "{}", user.screen());
    user.keys("U");
    assert!(!user.screen().contains("SECRETS SHOWN"), "{}", user.screen());
    assert!(!user.screen().contains("8A00DE3C\""), "{}", user.screen());
}

#[test]
fn a_finding_has_the_flows_of_its_messages() {
    let mut user = User::on(tour(), (100, 30));
    assert!(user.keys("5D").screen().contains("decode flow 3 as"), "{}", user.screen());
    assert!(user.keys("<Esc>r").screen().contains("flow 3: Quake III"), "{}", user.screen());
    assert!(user.keys("<Esc>o").screen().contains("flow 3"), "{}", user.screen());
}

#[test]
fn a_flow_can_be_decoded_as_another_game() {
    let mut user = User::on(tour(), (100, 30));
    user.keys("jjDrtcw<Enter>");
    while !user.app.is_done() {
        user.draw();
    }
    user.draw();
    let screen = user.screen();
    assert!(screen.contains("3 of 27 messages") && screen.contains("#3 infoResponse"), "{screen}");
    assert!(screen.contains("Return to Castle Wolfenstein (set"), "{screen}");
    assert!(!screen.contains("reading again"), "{screen}");
    // The cursor stays under a filter too, and the game is detected again.
    user.keys("Gfserver == 192.0.2.10<Enter>");
    let place = |user: &User| user.screen().lines().next().unwrap().to_owned();
    let before = place(user.keys("gjjj"));
    assert!(before.contains("4 of "), "{before}");
    user.keys("Dautomatic<Enter>");
    while !user.app.is_done() {
        user.draw();
    }
    user.draw();
    assert_eq!(place(&user), before, "{}", user.screen());
    assert!(!user.screen().contains("hides this message"), "{}", user.screen());
    assert!(!user.screen().contains("(set"), "{}", user.screen());
}

#[test]
fn help_is_searched() {
    let mut user = User::on(tour(), (100, 30));
    user.keys("?/time<Enter>");
    let marks = user.marks();
    assert!(marks.contains("time"), "{marks}");
    user.keys("n");
    assert_ne!(marks, user.marks());
    user.keys("q");
    assert_eq!(user.app.take_commands(), []);
    assert_eq!({ user.keys("<C-z>").app.take_commands() }, [TerminalCommand::Suspend]);
}

#[test]
fn earlier_filters_come_back() {
    let mut user = User::on(tour(), (100, 30));
    user.keys("fquake3.getinfo<Enter>f<C-u>quake3.motd<Enter>f<C-u>rtc<Up><Up>");
    assert!(user.screen().contains("filter: quake3.getinfo"), "{}", user.screen());
    user.keys("<Down><Down>");
    assert!(user.screen().contains("filter: rtc "), "{}", user.screen());
    insta::assert_snapshot!("filter_history", user.keys("<C-r>").screen());
    user.keys("getinfo<Enter>");
    assert!(user.screen().contains("filter: quake3.getinfo"), "{}", user.screen());
}

#[test]
fn panes_are_resized_and_scrolled_sideways() {
    let mut user = User::on(tour(), (100, 30));
    let rule =
        |user: &User| user.screen().lines().position(|line| line.contains("─ annotated bytes"));
    let before = rule(&user);
    assert!(rule(user.keys("}")) > before, "{}", user.screen());
    assert!(rule(user.keys("{{")) < before, "{}", user.screen());
    // The line between the panes is dragged.
    let line = rule(&user).unwrap() as u16;
    user.mouse(MouseEventKind::Down(MouseButton::Left), 50, line);
    user.mouse(MouseEventKind::Drag(MouseButton::Left), 50, line + 5);
    user.mouse(MouseEventKind::Up(MouseButton::Left), 50, line + 5);
    assert_eq!(rule(&user).map(|at| at as u16), Some(line + 5), "{}", user.screen());
    let heading = |user: &User| user.screen().lines().nth(2).unwrap().to_owned();
    user.keys("Cfield.hostname<Enter><Esc>Ccommunityid<Enter><Esc>");
    let before = heading(&user);
    let right = heading(user.keys("<Esc>gjj<Right>"));
    assert!(!right.contains('#') && right.contains("seconds"), "{right}");
    assert_eq!(heading(user.keys("<Left>")), before);
}

#[test]
fn a_wide_terminal_has_32_bytes_in_a_row() {
    let mut user = User::on(tour(), (260, 40));
    user.keys("jjv");
    assert!(user.screen().contains("0020  "), "{}", user.screen());
    assert!(!user.screen().contains("0010  "), "{}", user.screen());
}
