//! The view of `watch` in a terminal.

use crate::needs;
use crate::process::until;
use crate::terminal::Tmux;
use crate::watched::{BINARY, Registered, master};

#[test]
fn a_terminal_shows_masters_charts_and_changes() {
    let test = "watch::view::a_terminal_shows_masters_charts_and_changes";
    let Some([tmux]) = needs::programs(test, ["tmux"]) else { return };
    let [(_one, one), (_other, other)] = [(); 2].map(|()| master("", &[]));
    let _listed = Registered::with(one, 3);
    let line = format!(
        "{BINARY} watch --profile quake3 --target {one} --target {other} --every 100ms; echo status $?"
    );
    let terminal = Tmux::start(tmux, (110, 40), &line);
    let screen =
        terminal.shows(&["2 masters, every 100ms", &format!("servers of {one}"), "  listed"]);
    let master = screen.lines().find(|line| line.starts_with(&one.to_string())).unwrap();
    assert!(master.split_whitespace().any(|word| word == "4"), "three and the probe: {master}");
    let _later = Registered::with(other, 1);
    terminal.shows(&[&format!("{other}  + 127.")]);
    terminal.keys(&["j"]);
    terminal.shows(&[&format!("servers of {other}")]);
    // Servers that only one of them lists.
    let screen = terminal.shows(&["lists-differ"]);
    let alert = screen.lines().find(|line| line.starts_with("lists-differ")).unwrap();
    assert!(alert.contains(&one.to_string()) && alert.contains(&other.to_string()), "{alert}");
    terminal.keys(&["q"]);
    until("the shell to be back", || {
        let screen = terminal.run(&["capture-pane", "-p"]);
        (screen.contains("status 0") && !screen.contains("fragshark watch  ")).then_some(())
    });
}
