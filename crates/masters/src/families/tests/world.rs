//! A master, a clock, and helpers for messages.

use std::net::SocketAddr;

use crate::families;
use crate::{Defect, Master, Random, ServiceConnection, Settings};
use protocols::gamespy::{KEY_OF, answer};

pub const SECOND: i64 = 1_000_000_000;
pub const MARK: &[u8] = b"\xff\xff\xff\xff";

/// Names of services; a game's own is its id.
pub const QUAKE3: &str = "quake3";
pub const ELITE: &str = "elite-force";
pub const QUAKE2: &str = "quake2";
pub const HERETIC2: &str = "heretic2";
pub const QUAKEWORLD: &str = "quakeworld";
pub const HEXENWORLD: &str = "hexenworld";
pub const DOOM3: &str = "doom3";
pub const HALF_LIFE: &str = "half-life";
pub const SOURCE: &str = "source";
pub const GAMESPY: &str = "gamespy";
pub const TEEWORLDS: &str = "teeworlds";

pub struct World {
    pub master: Master,
    pub now: i64,
    /// How long servers take to answer a challenge.
    pub delay: i64,
}

/// A reply: its destination and payload.
pub type SentDatagram = (SocketAddr, Vec<u8>);

/// The address 192.0.2.N, port 27960; higher numbers continue in the next networks.
pub fn at(n: u16) -> SocketAddr {
    ([192, 0, 2 + (n >> 8) as u8, n as u8], 27960).into()
}

/// A client that is no server.
pub fn client() -> SocketAddr {
    ([198, 51, 100, 1], 4000).into()
}

pub fn marked(text: &str) -> Vec<u8> {
    [MARK, text.as_bytes()].concat()
}

impl World {
    pub fn new(settings: &str, defect: Option<Defect>) -> Self {
        let mut of = Settings::default();
        of.set_all(settings).unwrap();
        let mut master = Master::new(of, Random::seeded(7));
        master.misbehave(defect.into_iter().collect());
        Self { master, now: 0, delay: 0 }
    }

    /// Advances the clock.
    pub fn wait(&mut self, span: i64) {
        self.now += span;
        self.master.tick(self.now);
    }

    /// The replies, and their destinations.
    pub fn receive(
        &mut self,
        service: &str,
        from: SocketAddr,
        payload: &[u8],
    ) -> Vec<SentDatagram> {
        let mut sent = Vec::new();
        let services = [families::service(service).unwrap()];
        self.master.handle_datagram(self.now, &services, from, payload, &mut |reply| {
            sent.push((reply.to, reply.bytes.to_vec()));
        });
        sent
    }

    /// A heartbeat gets no reply; only a defect of the master keeps it silent.
    fn expect_silence(&self) {
        assert!(self.master.state.has(Defect::AnswersOnce));
    }

    /// The replies to a client, in order.
    pub fn ask(&mut self, service: &str, payload: &[u8]) -> Vec<u8> {
        self.receive(service, client(), payload).into_iter().flat_map(|(_, bytes)| bytes).collect()
    }

    /// The challenge after a heartbeat of the Quake III family.
    pub fn heartbeat(&mut self, from: SocketAddr, tag: &str) -> Option<String> {
        let sent = self.receive(QUAKE3, from, &marked(&format!("heartbeat {tag}\n")));
        let (to, bytes) = sent.first()?;
        assert_eq!(*to, from);
        let text = std::str::from_utf8(bytes.strip_prefix(MARK).unwrap()).unwrap();
        Some(text.strip_prefix("getinfo ").unwrap().to_owned())
    }

    pub fn info_response(&mut self, from: SocketAddr, challenge: &str, info: &str) {
        let reply = marked(&format!("infoResponse\n\\challenge\\{challenge}{info}"));
        assert_eq!(self.receive(QUAKE3, from, &reply), []);
    }

    /// A heartbeat and a correct answer to the challenge.
    pub fn register(&mut self, from: SocketAddr, tag: &str, info: &str) {
        let challenge = self.heartbeat(from, tag).unwrap_or_default();
        self.wait(self.delay);
        self.info_response(from, &challenge, info);
    }

    /// A server of Quake III with these numbers of players and places.
    pub fn quake3(&mut self, from: SocketAddr, protocol: i64, players: u32, places: u32) {
        let info = format!(r"\protocol\{protocol}\clients\{players}\sv_maxclients\{places}");
        self.register(from, "QuakeArena-1", &info);
    }

    /// The packets of a list.
    pub fn packets(&mut self, service: &str, request: &str) -> Vec<Vec<u8>> {
        let sent = self.receive(service, client(), &marked(request));
        sent.into_iter().map(|(_, bytes)| bytes).collect()
    }

    /// The last numbers of the addresses in a list of the Quake III family, sorted.
    pub fn listed(&mut self, request: &str) -> Vec<u8> {
        let mut found: Vec<u8> = Vec::new();
        for packet in self.packets(QUAKE3, request) {
            let list = packet.strip_prefix(b"\xff\xff\xff\xffgetserversResponse").unwrap();
            found.extend(list.chunks(7).filter(|r| r.len() == 7 && r[1] != b'E').map(|r| r[4]));
        }
        found.sort_unstable();
        found
    }

    /// The challenge and the key's answer, if the game has a key.
    pub fn gamespy_heartbeat(
        &mut self,
        from: SocketAddr,
        game: &str,
        more: &str,
    ) -> Option<String> {
        let heartbeat = format!(r"\heartbeat\{}\gamename\{game}{more}", from.port());
        let sent = self.receive(GAMESPY, (from.ip(), 9999).into(), heartbeat.as_bytes());
        let (to, bytes) = sent.first()?;
        assert_eq!(*to, from);
        let text = String::from_utf8(bytes.clone()).unwrap();
        let challenge = text.rsplit('\\').next().unwrap().to_owned();
        let key = KEY_OF.iter().find(|(known, _)| *known == game);
        let (word, proof) = match key {
            Some((_, key)) => ("validate", answer(key.as_bytes(), challenge.as_bytes())),
            None => ("echo", challenge),
        };
        Some(format!(r"\gamename\{game}\{word}\{proof}"))
    }

    /// A correctly registered server of GameSpy.
    pub fn gamespy(&mut self, from: SocketAddr, game: &str) {
        let Some(proof) = self.gamespy_heartbeat(from, game, "") else {
            return self.expect_silence();
        };
        self.wait(self.delay);
        let reply = format!(r"{proof}\final\\queryid\1.1");
        assert_eq!(self.receive(GAMESPY, from, reply.as_bytes()), []);
    }

    /// A TCP connection: the master's messages after the client's, in which `?` stands for the
    /// answer to the challenge with the key of `game`.
    pub fn stream(&mut self, game: &str, says: &str) -> String {
        let mut out = Vec::new();
        let list = families::service("gamespy-list").unwrap();
        let mut session = ServiceConnection::open(list, &mut self.master, &mut out).unwrap();
        let opened = String::from_utf8(std::mem::take(&mut out)).unwrap();
        let challenge = opened.strip_prefix(r"\basic\\secure\").unwrap();
        let key = KEY_OF.iter().find(|(known, _)| *known == game).map_or("", |(_, key)| key);
        let says = says.replace('?', &answer(key.as_bytes(), challenge.as_bytes()));
        for byte in says.bytes() {
            session.handle_bytes(&mut self.master, client(), &[byte], &mut out);
        }
        let end = if session.is_over() { "" } else { " and goes on" };
        format!("{}{end}", out.escape_ascii())
    }

    /// A server of Doom 3 with this protocol, dictionary and number of players.
    pub fn doom3(&mut self, from: SocketAddr, protocol: u32, info: &str, players: u8) {
        let sent = self.receive(DOOM3, from, b"\xff\xffheartbeat\0");
        let Some((_, sent)) = sent.first() else { return self.expect_silence() };
        let challenge = sent.strip_prefix(b"\xff\xffgetInfo\0").unwrap();
        self.wait(self.delay);
        let mut reply = b"\xff\xffinfoResponse\0".to_vec();
        reply.extend(challenge);
        reply.extend(protocol.to_le_bytes());
        reply.extend(info.replace('\\', "\0").into_bytes());
        reply.extend(b"\0\0");
        for n in 0..players {
            reply.extend([n, 50, 0, 0, 0, 0, 0, b'x', 0]);
        }
        reply.extend(b"\x20\0\0\0\0");
        assert_eq!(self.receive(DOOM3, from, &reply), []);
    }

    /// The last numbers of the addresses in Doom 3's list.
    pub fn doom3_listed(&mut self, protocol: u32, game: &str, filter: u8) -> Vec<u8> {
        let mut request = b"\xff\xffgetServers\0".to_vec();
        request.extend(protocol.to_le_bytes());
        request.extend(game.bytes().chain([0, filter]));
        let list = self.ask(DOOM3, &request);
        let list = list.strip_prefix(b"\xff\xffservers\0").unwrap();
        let mut found: Vec<_> = list.chunks_exact(6).map(|record| record[3]).collect();
        found.sort_unstable();
        found
    }

    /// A server of Half-Life.
    pub fn half_life(&mut self, from: SocketAddr, info: &str) {
        let sent = self.receive(HALF_LIFE, from, b"q");
        let Some((_, sent)) = sent.first() else { return self.expect_silence() };
        let challenge = sent.strip_prefix(b"\xff\xff\xff\xffs\n").unwrap();
        let challenge = u32::from_le_bytes(*challenge.first_chunk().unwrap());
        self.wait(self.delay);
        let reply = format!("0\n\\protocol\\46\\challenge\\{challenge}{info}\n");
        assert_eq!(self.receive(HALF_LIFE, from, reply.as_bytes()), []);
    }

    /// A server of a game on Steam with these values.
    pub fn steam(&mut self, from: SocketAddr, info: &str) {
        let sent = self.receive(SOURCE, from, b"q");
        let Some((_, sent)) = sent.first() else { return self.expect_silence() };
        let challenge = sent.strip_prefix(b"\xff\xff\xff\xffs\n").unwrap();
        let challenge = u32::from_le_bytes(*challenge.first_chunk().unwrap());
        let reply = format!("0\n\\protocol\\17\\challenge\\{challenge}{info}\n");
        assert_eq!(self.receive(SOURCE, from, reply.as_bytes()), []);
    }

    /// The last numbers of the addresses in the list of Steam's master for a region and a filter.
    pub fn steam_listed(&mut self, region: u8, filter: &str) -> Vec<u8> {
        let request = [&b"1"[..], &[region], b"0.0.0.0:0\0", filter.as_bytes(), b"\0"].concat();
        let list = self.ask(SOURCE, &request);
        let records = list.strip_prefix(b"\xff\xff\xff\xfff\n").unwrap();
        let mut found: Vec<u8> = records.chunks(6).map(|record| record[3]).collect();
        found.sort_unstable();
        found
    }

    /// A server of Teeworlds that answers its check; what it is sent.
    pub fn teeworlds(&mut self, from: SocketAddr) -> Vec<u8> {
        let message = |text: &[u8]| [&[0xff; 10], text].concat();
        let check = self.receive(TEEWORLDS, from, &message(b"bea2\x6d\x38"));
        assert_eq!(check, [(from, message(b"fw??"))]);
        let told = self.receive(TEEWORLDS, from, &message(b"fw!!"));
        told.into_iter().flat_map(|(_, bytes)| bytes).collect()
    }

    /// The challenge after a heartbeat of Elite Force, which follows a getchallenge.
    fn elite_force_heartbeat(&mut self, from: SocketAddr) -> String {
        let heartbeat = marked(&format!(r"\heartbeat\{}\gamename\STEF1\", from.port()));
        let sent = self.receive(ELITE, (from.ip(), 999).into(), &heartbeat);
        if sent.len() < 2 {
            self.expect_silence();
            return String::new();
        }
        assert_eq!(sent[0], (from, marked("getchallenge")));
        let (to, bytes) = &sent[1];
        assert_eq!((*to, sent.len()), (from, 2));
        let challenge = bytes.strip_prefix(b"\xff\xff\xff\xffgetstatus ").unwrap();
        std::str::from_utf8(challenge).unwrap().to_owned()
    }

    /// A server of Elite Force that answers its challenge, with this number of players.
    pub fn elite_force_status(&mut self, from: SocketAddr, info: &str, players: u8) {
        let challenge = self.elite_force_heartbeat(from);
        let lines = "11 0 \"Pelletier\"\n".repeat(players.into());
        let reply = format!("statusResponse\n\\challenge\\{challenge}{info}\n{lines}");
        assert_eq!(self.receive(ELITE, from, &marked(&reply)), []);
    }

    /// A server of Elite Force; its heartbeat comes from another port than the game's.
    pub fn elite_force(&mut self, from: SocketAddr, info: &str) {
        let challenge = self.elite_force_heartbeat(from);
        self.wait(self.delay);
        let reply = marked(&format!("infoResponse \"\\challenge\\{challenge}{info}\""));
        assert_eq!(self.receive(ELITE, from, &reply), []);
    }
}
