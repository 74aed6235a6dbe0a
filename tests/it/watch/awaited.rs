//! Masters that are down, or whose name or kind is not known.

use std::net::UdpSocket;

use serde_json::Value;

use super::{alerts, master, rounds, text, watch};

#[test]
fn the_kind_of_a_master_that_has_died_is_known() {
    let folder = tempfile::tempdir().unwrap();
    let (running, at) = master("", &[]);
    let target = at.to_string();
    let arguments = ["--probe", "never", "--target", &target];
    let before = rounds(folder.path(), 2, &arguments);
    assert_eq!(before[0]["masters"][0]["kind_from"], "asked");
    drop(running);
    let after = rounds(folder.path(), 3, &arguments);
    let master = &after[2]["masters"][0];
    assert_eq!((&master["kind"], &master["answered"]), (&"quake3".into(), &false.into()));
    assert_eq!(master["kind_from"], "history");
    assert_eq!(alerts(&after[2]), ["master-silent"]);
}

#[test]
fn a_target_that_cannot_be_used_does_not_stop_the_others() {
    let folder = tempfile::tempdir().unwrap();
    let (_running, at) = master("", &[]);
    let (good, history) = (at.to_string(), folder.path().join("history.db"));
    let closed = UdpSocket::bind("127.0.0.1:0").unwrap().local_addr().unwrap().to_string();
    for (target, why) in [
        (closed.as_str(), "answers no request for a list, so its kind is unknown"),
        ("no-host.invalid", "is not found: "),
    ] {
        let history = history.to_str().unwrap();
        let arguments =
            ["--target", target, "--target", &good, "--probe", "never", "--history", history];
        let all = rounds(folder.path(), 3, &arguments);
        let [master, other] = [&all[2]["masters"][0], &all[2]["masters"][1]];
        assert!(master["error"].as_str().unwrap().starts_with(why), "{master}");
        assert_eq!((&master["kind"], &master["answered"]), (&Value::Null, &false.into()));
        assert_eq!((&other["kind"], &other["answered"]), (&"quake3".into(), &true.into()));
        assert_eq!(alerts(&all[2]), ["master-silent"]);
        assert_eq!(all[2]["alerts"][0]["target"], target);
        // Alone, or if there is one round only, it is an error.
        let one = &["--target", target, "--rounds", "1", "--timeout", "100ms"][..];
        let once = &["--target", target, "--target", &good, "--once", "--timeout", "100ms"][..];
        for arguments in [one, once] {
            let refused = watch(folder.path(), arguments).output().unwrap();
            let log = text(&refused.stderr);
            assert_eq!((refused.status.code(), log.lines().count()), (Some(2), 1), "{log}");
            assert!(log.starts_with(&format!("fragshark: {target}")), "{log}");
        }
    }
}

#[test]
fn a_server_that_does_not_answer_is_alerted() {
    let folder = tempfile::tempdir().unwrap();
    let (_running, at) = master("", &[]);
    let target = at.to_string();
    let closed = UdpSocket::bind("127.0.0.1:0").unwrap().local_addr().unwrap().to_string();
    let arguments = ["--target", &target, "--profile", "quake3", "--server", &closed];
    let all = rounds(folder.path(), 3, &arguments);
    assert_eq!(alerts(&all[1]), Vec::<&str>::new());
    assert_eq!(alerts(&all[2]), ["server-silent"]);
    assert_eq!(all[2]["alerts"][0]["target"], closed.as_str());
    let once = watch(folder.path(), &[&arguments[..], &["--once"]].concat()).output().unwrap();
    assert_eq!(once.status.code(), Some(3), "{}", text(&once.stdout));
}
