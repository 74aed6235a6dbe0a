//! A scripted GameSpy master, with features that can be switched off.

use socket2::{Domain, Socket, Type};
use std::collections::{BTreeMap, BTreeSet};
use std::io::{Read as _, Write as _};
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream, UdpSocket};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use masters::ListenAddress;
use masters::families::service;
use random::SeededRandom;
use simulate::families::gamespy::messages;

/// The master's features.
#[derive(Debug, Clone, Copy)]
#[expect(clippy::struct_excessive_bools, reason = "features that are independent of each other")]
pub struct Behaviour {
    /// The part before the challenge of a query to servers; a query without secure has no
    /// challenge. `None`: no query.
    pub query: Option<&'static str>,
    /// Whether the query goes to the heartbeat's source, instead of the port that it names.
    pub to_source: bool,
    /// Only the first heartbeat of a server gets a query.
    pub once: bool,
    /// Games without a key get a query with echo.
    pub knows_all: bool,
    /// Queries are answered, as servers do.
    pub answers_queries: bool,
    /// A server is listed after a correct answer; otherwise after its heartbeat.
    pub proves: bool,
    /// Lists contain the listed servers.
    pub lists: bool,
    pub connects: bool,
    pub greets: bool,
}

/// A master by the documents.
pub const CORRECT: Behaviour = Behaviour {
    query: Some(r"\basic\\secure\"),
    to_source: false,
    once: false,
    knows_all: true,
    answers_queries: false,
    proves: true,
    lists: true,
    connects: true,
    greets: true,
};

/// Runs until it is dropped.
pub struct Scripted {
    udp: SocketAddr,
    tcp: SocketAddr,
    over: Arc<AtomicBool>,
    /// The TCP port of a master that accepts no connection: bound, so that no other program gets
    /// it, and not listening.
    closed: Option<Socket>,
}

struct State {
    random: SeededRandom,
    seen: BTreeSet<SocketAddr>,
    /// By the source of the answer: the server, its game, its challenge.
    request: BTreeMap<SocketAddr, (SocketAddr, String, String)>,
    listed: BTreeMap<SocketAddr, String>,
}

impl Scripted {
    pub fn start(behaviour: Behaviour) -> Self {
        let udp = UdpSocket::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
        udp.set_read_timeout(Some(Duration::from_millis(20))).unwrap();
        let tcp = Socket::new(Domain::IPV4, Type::STREAM, None).unwrap();
        tcp.bind(&SocketAddr::from((Ipv4Addr::LOCALHOST, 0)).into()).unwrap();
        let mut master = Self {
            udp: udp.local_addr().unwrap(),
            tcp: tcp.local_addr().unwrap().as_socket().unwrap(),
            over: Arc::default(),
            closed: None,
        };
        let state = Arc::new(Mutex::new(State {
            random: SeededRandom::new(0x5eed_f1a9),
            seen: BTreeSet::new(),
            request: BTreeMap::new(),
            listed: BTreeMap::new(),
        }));
        if behaviour.connects {
            tcp.listen(64).unwrap();
            let tcp = TcpListener::from(tcp);
            let (state, over) = (Arc::clone(&state), Arc::clone(&master.over));
            thread::spawn(move || {
                for stream in tcp.incoming().take_while(|_| !over.load(Ordering::Relaxed)) {
                    let state = Arc::clone(&state);
                    // A client may disconnect at any time.
                    thread::spawn(move || drop(serve(behaviour, &state, stream.unwrap())));
                }
            });
        } else {
            master.closed = Some(tcp);
        }
        let over = Arc::clone(&master.over);
        thread::spawn(move || {
            let mut buffer = vec![0; 1 << 16];
            while !over.load(Ordering::Relaxed) {
                let Ok((length, from)) = udp.recv_from(&mut buffer) else { continue };
                let text = String::from_utf8_lossy(&buffer[..length]);
                if let Some((to, answer)) = state.lock().unwrap().receive(behaviour, from, &text) {
                    _ = udp.send_to(answer.as_bytes(), to);
                }
            }
        });
        master
    }

    pub fn addresses(&self) -> [ListenAddress; 2] {
        let address = |name, address| ListenAddress { service: service(name).unwrap(), address };
        [address("gamespy", self.udp), address("gamespy-list", self.tcp)]
    }
}

impl Drop for Scripted {
    fn drop(&mut self) {
        self.over.store(true, Ordering::Relaxed);
        // Its listener waits for a last connection, if it has one.
        _ = TcpStream::connect(self.tcp);
    }
}

impl State {
    /// Six letters.
    fn challenge(&mut self) -> String {
        let mut letter = || char::from(b'A' + self.random.below(26) as u8);
        (0..6).map(|_| letter()).collect()
    }

    /// The responses to a datagram, with their destinations.
    fn receive(
        &mut self,
        behaviour: Behaviour,
        from: SocketAddr,
        text: &str,
    ) -> Option<(SocketAddr, String)> {
        if let Some(port) = value(text, "heartbeat") {
            let port: u16 = port.parse().ok().filter(|port| *port > 1024)?;
            let game =
                value(text, "gamename").filter(|game| !game.is_empty() && !game.contains(' '))?;
            let server = SocketAddr::new(from.ip(), port);
            let has_key = !messages::validation(game, b"123456").is_empty();
            if !has_key && !behaviour.knows_all || !self.seen.insert(server) && behaviour.once {
                return None;
            }
            let (query, challenge) = (behaviour.query?, self.challenge());
            if !behaviour.proves {
                self.listed.insert(server, game.to_owned());
            }
            let to = if behaviour.to_source { from } else { server };
            self.request.insert(to, (server, game.to_owned(), challenge.clone()));
            let mut query = query.to_owned();
            if !has_key {
                query = query.replace("secure", "echo");
            }
            if self.listed.contains_key(&server) {
                // `info` says whether it is exiting.
                query = query.replace(r"\basic\", r"\basic\\info\");
            }
            let has_challenge = query.contains("secure") || query.contains("echo");
            let challenge = if has_challenge { &challenge } else { "" };
            return Some((to, format!("{query}{challenge}")));
        }
        if let Some((server, game, challenge)) = self.request.get(&from) {
            if value(text, "gamemode") == Some("exiting") {
                self.listed.remove(server);
                self.request.remove(&from);
                return None;
            }
            let right = messages::validation(game, challenge.as_bytes());
            let proof = (value(text, "validate"), value(text, "echo"));
            let has_challenge = behaviour.query.is_some_and(|query| query.contains("secure"));
            let is_right = match () {
                () if !has_challenge => value(text, "gamename").is_some(),
                () if right.is_empty() => proof.1 == Some(challenge),
                () => proof.0 == Some(&right),
            };
            if is_right {
                // Another part of the answer may follow.
                self.listed.insert(*server, game.clone());
            }
            return None;
        }
        let answer = r"\gamename\master\final\\queryid\1.1";
        (behaviour.answers_queries && text.starts_with(r"\basic\"))
            .then(|| (from, answer.to_owned()))
    }
}

/// Serves one client.
fn serve(behaviour: Behaviour, state: &Mutex<State>, mut stream: TcpStream) -> std::io::Result<()> {
    let challenge = state.lock().unwrap().challenge();
    if behaviour.greets {
        stream.write_all(format!(r"\basic\\secure\{challenge}").as_bytes())?;
    }
    let (mut text, mut buffer) = (String::new(), [0; 4096]);
    while text.matches(r"\final\").count() < 2 {
        let length = stream.read(&mut buffer)?;
        text += &String::from_utf8_lossy(&buffer[..length]);
        if length == 0 || text.len() > 10_000 {
            return Ok(());
        }
        let mut messages = text.split(r"\final\");
        let first = messages.next().unwrap_or_default();
        let proof = messages::validation(
            value(first, "gamename").unwrap_or_default(),
            challenge.as_bytes(),
        );
        if text.contains(r"\final\")
            && (proof.is_empty() || value(first, "validate") != Some(&proof))
        {
            return Ok(());
        }
    }
    let request = text.split(r"\final\").nth(1).unwrap_or_default();
    let game = value(request, "gamename").unwrap_or_default();
    let listed = state.lock().unwrap().listed.clone();
    let listed = listed.iter().filter(|(_, of)| behaviour.lists && *of == game);
    let mut list = Vec::new();
    for (server, _) in listed {
        let SocketAddr::V4(server) = server else { continue };
        if request.starts_with(r"\list\cmp") {
            list.extend(server.ip().octets());
            list.extend(server.port().to_be_bytes());
        } else {
            list.extend(format!(r"\ip\{server}").bytes());
        }
    }
    list.extend(br"\final\");
    stream.write_all(&list)
}

/// The value of a key.
fn value<'t>(text: &'t str, key: &str) -> Option<&'t str> {
    let mut parts = text.split('\\').skip(1);
    while let Some(known) = parts.next() {
        // A key without a value may precede another: `\final\\queryid\1.1`.
        let found = parts.next();
        if known == key {
            return Some(found.unwrap_or_default());
        }
    }
    None
}
