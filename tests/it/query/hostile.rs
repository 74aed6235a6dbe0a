//! Servers that do what none should: each question ends, and says why.

use std::io::Write as _;
use std::net::{TcpListener, UdpSocket};
use std::thread;
use std::time::{Duration, Instant};

use super::{answering, query};

/// The status, what is on standard output and standard error, and how long it took.
fn asked(
    target: &str,
    extra: &[&str],
    answer: impl Fn(&[u8]) -> Vec<Vec<u8>> + Send,
) -> (Option<i32>, String, Duration) {
    let (_, (output, time)) = answering(answer, |at| {
        let (target, begun) = (format!("{target}://{at}"), Instant::now());
        let usual = ["--timeout", "200ms", "--repeats", "0"];
        (query(&[&[target.as_str()], &usual[..], extra].concat()), begun.elapsed())
    });
    let text = [output.stdout, output.stderr].concat();
    (output.status.code(), String::from_utf8_lossy(&text).into_owned(), time)
}

#[test]
fn endless_answers_end_by_the_limits() {
    let part = |n: u32| {
        let body = [b'x'; 1200];
        [b"\xfe\xff\xff\xff", &n.to_le_bytes()[..], b"\xff\x01\xe0\x04", &body].concat()
    };
    let (status, text, _) = asked("source", &[], move |_| (0..300).map(part).collect());
    assert_eq!(status, Some(1), "{text}");
    assert!(text.contains("a part of the answer did not come"), "{text}");
    let (status, text, _) = asked("source", &[], |request| {
        let challenge = [b"\xff\xff\xff\xffA\0\0\0", &[request.len() as u8][..]].concat();
        vec![challenge]
    });
    assert_eq!(status, Some(1), "{text}");
    assert!(text.contains("it answers its own challenge with another one"), "{text}");
}

#[test]
fn what_answers_nothing_is_a_fault() {
    let (status, text, _) = asked("quake3", &[], |_| vec![b"hello".to_vec(); 10]);
    assert_eq!(status, Some(1), "{text}");
    assert!(text.contains("it sends something that is no answer"), "{text}");
}

#[test]
fn the_answer_of_another_port_is_counted_and_is_no_answer() {
    let other = UdpSocket::bind("127.0.0.1:0").unwrap();
    let socket = UdpSocket::bind("127.0.0.1:0").unwrap();
    let at = socket.local_addr().unwrap();
    let answering = thread::spawn(move || {
        let (_, from) = socket.recv_from(&mut [0; 2000]).unwrap();
        other.send_to(b"\xff\xff\xff\xffstatusResponse\n\\mapname\\x\n", from).unwrap();
    });
    let output = query(&[&format!("quake3://{at}"), "--timeout", "200ms", "--repeats", "0"]);
    answering.join().unwrap();
    assert_eq!(output.status.code(), Some(3));
    let out = String::from_utf8(output.stdout).unwrap();
    assert!(out.contains("1 datagram from other ports of the host"), "{out}");
}

#[test]
fn a_slow_connection_ends_by_time() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let at = listener.local_addr().unwrap();
    let serving = thread::spawn(move || {
        let (mut stream, _) = listener.accept().unwrap();
        // A byte now and then, without end.
        while stream.write_all(b"x").is_ok() {
            thread::sleep(Duration::from_millis(50));
        }
    });
    let begun = Instant::now();
    let output = query(&["--list", &format!("gamespy://{at}"), "--timeout", "200ms"]);
    assert!(begun.elapsed() < Duration::from_secs(20), "{:?}", begun.elapsed());
    assert_eq!(output.status.code(), Some(3));
    serving.join().unwrap();
}
