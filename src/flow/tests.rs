//! What flows learn from messages: endpoints, roles, games and their reasons.

use std::net::SocketAddr;

use super::{Classified, DecodeAs, DecodeTarget, FlowId, Flows, PacketMeta, Transport};
use crate::protocol::{Confidence, Game};
use crate::protocols::registry;

const CLIENT: &str = "198.51.100.7:27960";
const SERVER: &str = "192.0.2.1:27960";
const MASTER: &str = "203.0.113.1:27950";

#[derive(Default)]
struct Talk {
    flows: Flows,
    number: u64,
}

impl Talk {
    fn say(&mut self, from: &str, to: &str, text: &[u8]) -> Classified {
        self.number += 1;
        let [source, destination] = [from, to].map(|end| end.parse::<SocketAddr>().unwrap());
        let (number, transport) = (self.number, Transport::Udp);
        let time = i64::try_from(number).unwrap();
        self.flows
            .observe(PacketMeta { number, time, transport, source, destination, cut: false }, text)
    }

    fn oob(&mut self, from: &str, to: &str, text: &str) -> Classified {
        self.say(from, to, &[b"\xff\xff\xff\xff", text.as_bytes()].concat())
    }

    fn game(&self, id: FlowId) -> (&'static str, Confidence) {
        let verdict = self.flows.verdict(id).unwrap();
        (verdict.game.id, verdict.sure)
    }

    fn way(&self, heard: Classified) -> String {
        let entry = heard.message.unwrap().entry;
        self.flows.place_message(heard, entry).unwrap().1.to_string()
    }
}

fn game(id: &str) -> &'static Game {
    registry().game(id).unwrap()
}

#[test]
fn what_one_message_proves_holds_for_all_flows_of_a_server() {
    let mut talk = Talk::default();
    let query = talk.oob(CLIENT, SERVER, "getinfo xxx");
    assert_eq!(talk.game(query.flow), ("quake3", Confidence::Port));
    let heartbeat = talk.oob(SERVER, MASTER, "heartbeat EnemyTerritory-1\n");
    assert_eq!(talk.game(heartbeat.flow), ("enemy-territory", Confidence::Certain));
    assert_eq!(talk.game(query.flow), ("enemy-territory", Confidence::Certain));
    let reasons = talk.flows.judge(query.flow).unwrap().reasons;
    assert!(reasons.iter().any(|r| r.contains("heartbeat carries tag=EnemyTerritory-1")));
}

#[test]
fn a_gamename_outweighs_the_tag_that_many_send() {
    let mut talk = Talk::default();
    let heard = talk.oob(SERVER, MASTER, "heartbeat DarkPlaces\n");
    assert_eq!(talk.game(heard.flow), ("darkplaces", Confidence::Likely));
    talk.oob(SERVER, MASTER, "infoResponse\n\\gamename\\Quake3Arena\\protocol\\71");
    assert_eq!(talk.game(heard.flow), ("quake3", Confidence::Certain));
}

#[test]
fn a_server_knows_better_than_its_client_what_it_plays() {
    let mut talk = Talk::default();
    talk.oob(CLIENT, MASTER, "getservers Xonotic 3 empty");
    let query = talk.oob(CLIENT, SERVER, "getinfo xxx");
    assert_eq!(talk.game(query.flow), ("darkplaces", Confidence::Certain));
    talk.oob(SERVER, CLIENT, "infoResponse\n\\gamename\\wolfmp\\protocol\\60");
    assert_eq!(talk.game(query.flow), ("rtcw", Confidence::Certain));
    talk.oob("192.0.2.2:27960", CLIENT, "infoResponse\n\\protocol\\84");
    let other = talk.oob(CLIENT, "192.0.2.2:27960", "getstatus");
    assert_eq!(talk.game(other.flow), ("enemy-territory", Confidence::Number));
}

#[test]
fn clients_of_one_master_speak_for_themselves() {
    let mut talk = Talk::default();
    for (client, request, game) in [
        ("198.51.100.1:4001", "getservers 60 empty", "rtcw"),
        ("198.51.100.2:4001", "getservers 84", "enemy-territory"),
        ("198.51.100.3:4001", "getservers Nexuiz 3", "darkplaces"),
        ("198.51.100.4:4001", "getservers 68", "quake3"),
        ("198.51.100.5:4001", "getservers unheardof 1", "darkplaces"),
    ] {
        let heard = talk.oob(client, MASTER, request);
        assert_eq!(talk.game(heard.flow).0, game, "{request}");
        let reply = talk.oob(MASTER, client, "getserversResponse\\EOT");
        assert_eq!(reply.flow, heard.flow);
        assert!(!reply.forward);
        assert_eq!(reply.message.unwrap().answers, Some(talk.number - 1));
    }
}

#[test]
fn where_nothing_tells_it_is_the_first_game_and_the_others_are_named() {
    let mut talk = Talk::default();
    let heard = talk.oob("192.0.2.5:5000", "192.0.2.6:6000", "getstatus");
    assert_eq!(talk.game(heard.flow), ("quake3", Confidence::Guess));
    let reasons = talk.flows.judge(heard.flow).unwrap().reasons;
    assert_eq!(
        reasons,
        ["others share these words: rtcw, enemy-territory, darkplaces, q3master, elite-force"]
    );
}

#[test]
fn what_the_user_says_is_so() {
    let end = MASTER.parse().unwrap();
    for subject in [DecodeTarget::Flow(FlowId(1)), DecodeTarget::End(end)] {
        let told = DecodeAs { subject, game: game("darkplaces") };
        let mut talk = Talk { flows: Flows::new(vec![told]), number: 0 };
        let heard = talk.oob(CLIENT, MASTER, "getservers 68");
        assert_eq!(talk.game(heard.flow), ("darkplaces", Confidence::Set));
    }
}

#[test]
fn ends_are_known_by_messages_then_by_ports() {
    let mut talk = Talk::default();
    let ask = talk.oob("198.51.100.9:4000", SERVER, "getinfo");
    assert_eq!(talk.way(ask), "unknown-to-server");
    let master = talk.oob(MASTER, SERVER, "getinfo A_ch4Lleng3");
    assert_eq!(talk.way(master), "master-to-server");
    let status = talk.oob("198.51.100.9:4000", SERVER, "getstatus");
    assert_eq!(talk.way(status), "client-to-server", "mostly");
    assert_eq!(talk.way(ask), "client-to-server", "likely");
    talk.oob("198.51.100.9:4000", MASTER, "getservers 68");
    assert_eq!(talk.way(ask), "client-to-server", "a list is asked for by clients");
    // Old masters send it too (document 001, 1.2.3): what is proven stays.
    let status = talk.oob(MASTER, SERVER, "getstatus");
    assert_eq!(status.message.map(|m| m.name), Some("getstatus"));
    assert_eq!(talk.way(status), "master-to-server");
    // A game's client uses the port of its servers.
    let list = talk.oob(CLIENT, MASTER, "getservers 68");
    assert_eq!(talk.way(list), "client-to-master");
}

#[test]
fn weak_magic_needs_a_documented_port() {
    let mut talk = Talk::default();
    assert!(talk.say("192.0.2.5:5000", "192.0.2.6:6000", b"ping").message.is_none());
    assert!(talk.say("192.0.2.5:5000", SERVER, b"ping").message.is_some());
    assert!(talk.say("192.0.2.5:5000", SERVER, b"pingpong").message.is_none());
}

#[test]
fn what_comes_again_is_not_counted_again() {
    let mut talk = Talk::default();
    let first = talk.oob(CLIENT, SERVER, "getinfo");
    talk.oob(SERVER, CLIENT, "infoResponse\n\\version\\ET 2.55");
    let counts = talk.flows.messages();
    talk.flows.rewind();
    let [source, destination] = [CLIENT, SERVER].map(|end| end.parse().unwrap());
    let sent = PacketMeta {
        number: 1,
        time: 1,
        transport: Transport::Udp,
        source,
        destination,
        cut: false,
    };
    let again = talk.flows.reclassify(sent, b"\xff\xff\xff\xffgetinfo");
    assert_eq!((again.flow, again.forward), (first.flow, true));
    assert_eq!(talk.game(again.flow).0, "enemy-territory");
    assert_eq!(talk.flows.messages(), counts);
    assert_eq!(talk.flows.flow(first.flow).unwrap().traffic[0].packets, 1);
}

#[test]
fn a_full_table_says_what_it_leaves_out() {
    let mut talk = Talk::default();
    talk.flows.limit = 2;
    for port in 1..=5 {
        let heard = talk.oob(&format!("198.51.100.7:{port}"), SERVER, "getstatus");
        assert_eq!(heard.message.unwrap().entry.spec.name, "getstatus");
        assert_eq!(heard.flow == FlowId(0), port > 2);
    }
    assert_eq!((talk.flows.len(), talk.flows.left_out()), (2, 3));
}

#[test]
fn a_list_that_is_asked_for_in_pieces_comes_together() {
    let mut talk = Talk::default();
    let (client, master) = ("198.51.100.7:4000", "203.0.113.1:27010");
    let list =
        |last: &[u8; 6]| [b"\xff\xff\xff\xfff\n\xc0\x00\x02\x07\x69\x87".as_slice(), last].concat();
    let mut parts = Vec::new();
    for last in [b"\xc0\0\x02\x08\x69\x87", &[0; 6], &[0; 6]] {
        talk.say(client, master, b"1\xff0.0.0.0:0\0\0");
        let asked = talk.number;
        let heard = talk.say(master, client, &list(last)).message.unwrap();
        assert_eq!(heard.answers, Some(asked));
        let part = heard.part.unwrap();
        parts.push((part.index, part.last));
    }
    assert_eq!(parts, [(1, false), (2, true), (1, true)]);
}

#[test]
fn a_proof_is_judged_where_its_challenge_was_seen() {
    let mut talk = Talk::default();
    let (server, master) = ("192.0.2.1:8777", "203.0.113.1:27900");
    let reply =
        |proof: &str| format!("\\gamename\\gmtest\\validate\\{proof}\\final\\\\queryid\\10.1");
    let unasked = talk.say(server, master, reply("Sen5c0WR").as_bytes());
    assert_eq!(unasked.message.unwrap().validation, None);
    for (proof, said) in [
        ("Sen5c0WR", "right for the key of gmtest"),
        ("AAAAAAAA", "no known key gives it, not that of gmtest either"),
    ] {
        talk.say(master, server, br"\basic\\secure\123456");
        let heard = talk.say(server, master, reply(proof).as_bytes()).message.unwrap();
        assert_eq!(heard.answers, Some(talk.number - 1));
        assert_eq!(heard.validation.unwrap().to_string(), said);
    }
}

#[test]
fn weak_magic_is_confirmed_by_its_answer() {
    let mut talk = Talk::default();
    let (server, master) = ("192.0.2.1:5001", "203.0.113.1:5002");
    let beat = talk.say(server, master, b"k\0");
    assert!(beat.message.is_none());
    assert!(!talk.flows.revised());
    let ack = talk.oob(master, server, "l\0");
    assert_eq!(ack.message.unwrap().answers, Some(1));
    assert!(talk.flows.revised(), "the first message has a name now");
    assert!(talk.say(server, master, b"k\0").message.is_some());
    assert_eq!(talk.flows.messages()[&("quakeworld", "k")], 2);
}

#[test]
fn a_running_game_is_counted_with_its_server() {
    let mut talk = Talk::default();
    talk.oob(SERVER, MASTER, "heartbeat EnemyTerritory-1\n");
    for sequence in 1..=3u32 {
        let heard = talk.say(CLIENT, SERVER, &sequence.to_le_bytes());
        assert!(heard.message.is_none());
    }
    talk.say("192.0.2.50:53", "198.51.100.7:9000", b"nothing of ours");
    assert_eq!(talk.flows.in_game().into_iter().collect::<Vec<_>>(), [("enemy-territory", 3)]);
}

#[test]
fn what_is_told_of_nobody_is_known() {
    let end = "192.0.2.99:1".parse().unwrap();
    let subjects =
        [DecodeTarget::Flow(FlowId(1)), DecodeTarget::Flow(FlowId(9)), DecodeTarget::End(end)];
    let told = subjects.map(|subject| DecodeAs { subject, game: game("rtcw") });
    let mut talk = Talk { flows: Flows::new(told.to_vec()), number: 0 };
    talk.oob(CLIENT, MASTER, "getservers 68");
    let untold: Vec<_> = talk.flows.untold().map(|told| told.subject.to_string()).collect();
    assert_eq!(untold, ["flow 9", "end 192.0.2.99:1"]);
}
