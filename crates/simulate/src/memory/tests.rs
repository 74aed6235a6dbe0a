use std::io::{Read as _, Write as _};

use super::*;

/// Sends datagrams back; sends its clients over TCP how many seconds have passed, each second, and
/// closes after the third.
#[derive(Default)]
struct Echo {
    streams: Vec<(MemoryStream, u64)>,
}

const AT: &str = "127.0.0.1:27950";

impl MemoryTarget for Echo {
    fn handle_datagram(
        &mut self,
        _: Duration,
        from: SocketAddr,
        to: SocketAddr,
        bytes: &[u8],
        reply: &mut dyn FnMut(SocketAddr, SocketAddr, &[u8]),
    ) -> bool {
        let listens = to == AT.parse().unwrap();
        if listens {
            reply(to, from, bytes);
        }
        listens
    }

    fn accept(&mut self, _: Duration, _: SocketAddr, _: SocketAddr, stream: MemoryStream) -> bool {
        self.streams.push((stream, 0));
        true
    }

    fn serve(&mut self, now: Duration) {
        for (stream, sent) in &mut self.streams {
            while *sent < now.as_secs().min(3) {
                *sent += 1;
                _ = stream.write(&[*sent as u8]);
            }
            if *sent == 3 {
                stream.finish();
            }
        }
    }

    fn next_due(&self) -> Option<Duration> {
        let next = self.streams.iter().map(|(_, sent)| sent + 1).filter(|next| *next <= 3);
        next.min().map(Duration::from_secs)
    }
}

fn ip() -> IpAddr {
    "127.1.0.1".parse().unwrap()
}

#[test]
fn an_answer_takes_no_time_and_silence_takes_all_of_it() {
    let network = MemoryNetwork::new(Echo::default());
    let socket = network.bind(ip(), 0).unwrap();
    socket.send(AT.parse().unwrap(), b"hello");
    let (begin, mut buffer) = (network.now(), [0; 16]);
    assert!(socket.wait(Duration::from_hours(1)));
    assert_eq!(network.now(), begin);
    assert_eq!(socket.receive(&mut buffer), Received::Datagram(5, AT.parse().unwrap()));
    assert!(!socket.wait(Duration::from_hours(1)));
    assert_eq!(network.now() - begin, Duration::from_hours(1));
    socket.send("127.0.0.1:1".parse().unwrap(), b"hello");
    assert_eq!(socket.receive(&mut buffer), Received::Refused);
    assert_eq!(socket.receive(&mut buffer), Received::Nothing);
}

#[test]
fn a_wait_ends_when_the_target_does_something() {
    let network = MemoryNetwork::new(Echo::default());
    let mut stream = network.connect(ip(), AT.parse().unwrap()).unwrap();
    let begin = network.now();
    for second in 1..=3 {
        assert!(stream.wait(Duration::from_mins(1)));
        assert_eq!(network.now() - begin, Duration::from_secs(second.into()));
        let mut byte = [0];
        assert_eq!((stream.read(&mut byte).unwrap(), byte), (1, [second]));
    }
    assert_eq!(stream.read(&mut [0]).unwrap(), 0, "the end");
    assert_eq!(network.now() - begin, Duration::from_secs(3));
}

#[test]
fn hosts_have_ports_of_their_own() {
    let network = MemoryNetwork::new(Echo::default());
    let sockets: Vec<_> = (0..2000).map(|_| network.bind(ip(), 0).unwrap()).collect();
    let ports: BTreeSet<_> = sockets.iter().map(|socket| socket.local.port()).collect();
    assert_eq!(ports.len(), sockets.len());
    assert_eq!(network.bind(ip(), 5000).unwrap().local.port(), 5000);
}
