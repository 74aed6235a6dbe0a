//! Targets that are down, silent or die, and arguments that cannot be used.

use super::*;

#[test]
fn a_closed_port_is_reported() {
    let ip = address();
    let port = UdpSocket::bind((ip, 0)).unwrap().local_addr().unwrap();
    let target = port.to_string();
    let file = capture("findings/heartbeat.frequent.healthy.pcapng");
    for more in [&["--asap"][..], &["--asap", "--wait-replies"]] {
        let (status, _, err) = outcome(&run(&file, &[&["--target", &target], more].concat()));
        assert_eq!(status, Some(3), "{err}");
        assert!(err.contains("connection refused"), "{err}");
    }
    let stream = TcpListener::bind((ip, 0)).unwrap().local_addr().unwrap().to_string();
    let file = capture("findings/list.port-zero.healthy.pcapng");
    let junit = ["--target", &stream, "--asap", "--format", "junit"];
    let (status, out, err) = outcome(&run(&file, &junit));
    assert_eq!(status, Some(3), "{err}");
    assert!(err.contains("refused"), "{err}");
    assert!(out.contains("connection refused") && out.contains("</testsuites>"), "{out}");
}

#[test]
fn a_silent_master_is_waited_for_and_reported() {
    let silent = UdpSocket::bind((address(), 0)).unwrap();
    let target = silent.local_addr().unwrap().to_string();
    let file = capture("findings/list.end-missing.healthy.pcapng");
    for more in [&["--asap"][..], &["--asap", "--wait-replies"]] {
        let short = ["--target", &target, "--timeout", "100ms"];
        let (status, out, err) = outcome(&run(&file, &[&short[..], more].concat()));
        assert_eq!(status, Some(3), "{out}{err}");
        assert!(out.contains("quake3/getservers/missing"), "{out}");
        assert!(out.contains("not compared: the target answered nothing"), "{out}");
        assert_eq!(err, format!("fragshark: {target} did not respond\n"));
    }
}

#[test]
fn a_master_that_dies_in_the_middle_is_reported() {
    let dying = UdpSocket::bind((address(), 0)).unwrap();
    dying.set_read_timeout(Some(process::PATIENCE)).unwrap();
    let target = dying.local_addr().unwrap().to_string();
    let answering = thread::spawn(move || {
        let mut buffer = [0; 2000];
        let (_, from) = dying.recv_from(&mut buffer).unwrap();
        dying.send_to(b"\xff\xff\xff\xffgetinfo A_ch4Lleng3", from).unwrap();
        let (length, _) = dying.recv_from(&mut buffer).unwrap();
        String::from_utf8_lossy(&buffer[..length]).into_owned()
    });
    let file = capture("findings/challenge.repeated.healthy.pcapng");
    let arguments =
        ["--target", &target, "--asap", "--wait-replies", "--timeout", "200ms", "--loop", "3"];
    let (status, out, err) = outcome(&run(&file, &arguments));
    assert!(answering.join().unwrap().contains(r"\challenge\A_ch4Lleng3"));
    assert_eq!(status, Some(1), "{out}{err}");
    assert!(out.contains("getinfo did not come"), "{out}");
    assert!(out.contains("refused: port unreachable"), "{out}");
}

#[test]
fn a_capture_that_is_cut_is_played_as_far_as_it_goes() {
    let folder = tempfile::tempdir().unwrap();
    let whole = fs::read(capture("tour.pcapng")).unwrap();
    let file = folder.path().join("cut.pcapng");
    fs::write(&file, &whole[..whole.len() / 2]).unwrap();
    let (status, entries) = quick(&file, &[]);
    assert_eq!(status, Some(0), "{entries:#?}");
    let warned = entries.iter().any(|entry| entry["id"] == "replay/capture");
    assert!(warned, "{entries:#?}");
    assert!(entries.iter().any(|entry| entry["id"] == "quake3/heartbeat"), "{entries:#?}");
}

#[test]
fn what_cannot_be_is_refused() {
    let tour = capture("tour.pcapng");
    for (arguments, complaint) in [
        (&["--target", "192.0.2.1:27950"][..], "192.0.2.1 is neither on this machine"),
        (&["--target", "0.0.0.0"], "0.0.0.0 is not the address of one machine"),
        (&["--also", "[::1]:27950"], "--target"),
        (
            &["--target", "127.0.0.1:27950", "--also", "127.0.0.2:27950"],
            "127.0.0.1 and 127.0.0.2 are addresses of one family",
        ),
        (
            &["--target", "127.0.0.1:27950", "--also", "[2001:db8::1]:27950"],
            "2001:db8::1 is neither on this machine",
        ),
        (&["--speed", "0"], "expected a number from 0.1 to 1000"),
        (&["--rate", "5", "--asap"], "cannot be used with"),
        (&["--loop", "0"], "0 is not in 1..=1000000"),
        (&["--max-gap", "soon"], "expected a duration"),
        (&["--map", "192.0.2.1"], "expected OLD=NEW"),
        (&["--record", "/nowhere/run.pcapng"], "cannot write /nowhere/run.pcapng"),
        (&["-Y", "nothing.at.all"], "filter"),
    ] {
        let (status, _, err) = outcome(&run(&tour, arguments));
        assert_eq!(status, Some(2), "{arguments:?}: {err}");
        assert!(err.contains(complaint), "{arguments:?}: {err}");
    }
    let (status, _, err) = outcome(&run(Path::new("/nowhere/capture.pcapng"), &[]));
    assert_eq!(status, Some(2), "{err}");
    let (status, _, err) = outcome(&run(&capture("noise.pcapng"), &["--asap"]));
    assert_eq!(status, Some(0), "{err}");
    assert!(err.contains("nothing to replay"), "{err}");
}
