//! A master that is not there at the beginning.

use std::net::UdpSocket;

use super::*;
use query::KindSource;

#[test]
fn a_master_that_comes_later_is_recognised() {
    let kind = kind_named("quake3");
    let (_running, at) = master(kind, &[]);
    let later = UdpSocket::bind("127.0.0.1:0").unwrap();
    let late = later.local_addr().unwrap();
    let mut both = plan(&[(kind, late), (kind, at)]);
    both.masters[0].kind = None;
    (both.needs_all, both.probe, both.limits.timeout) =
        (false, ProbeUse::Never, Duration::from_millis(20));
    let mut watcher = watcher(both);
    let obstacles: Vec<_> = watcher.obstacles().map(|(name, _)| name).collect();
    assert_eq!(obstacles, [late.to_string()]);
    let first = watcher.round(MINUTE).unwrap();
    assert_eq!((first.masters[0].kind, first.masters[0].answered), (None, false));
    assert!(first.masters[1].answered);
    let (end, ended) = std::sync::mpsc::channel::<()>();
    later.set_read_timeout(Some(Duration::from_millis(20))).unwrap();
    let answering = std::thread::spawn(move || {
        let mut buffer = [0; 2000];
        while ended.try_recv() == Err(std::sync::mpsc::TryRecvError::Empty) {
            let Ok((length, from)) = later.recv_from(&mut buffer) else { continue };
            if buffer[..length].starts_with(b"\xff\xff\xff\xffgetservers ") {
                later.send_to(b"\xff\xff\xff\xffgetserversResponse\\EOT\0\0\0", from).unwrap();
            }
        }
    });
    // Each round asks for a few kinds.
    let found = (2..200).find_map(|round| {
        let report = watcher.round(round * MINUTE).unwrap();
        report.masters[0].answered.then(|| report.masters[0].clone())
    });
    drop(end);
    answering.join().unwrap();
    let found = found.unwrap();
    assert_eq!((found.kind, found.kind_from), (Some("quake3"), Some(KindSource::Asked)));
    assert_eq!(watcher.obstacles().count(), 0);
    assert_eq!(watcher.history().kind(&late.to_string()).unwrap().as_deref(), Some("quake3"));
}
