//! What flows learn from messages: endpoints, roles, games and their reasons.

use std::net::SocketAddr;

use super::{Classified, DecodeAs, DecodeTarget, FlowId, Flows, PacketMeta, Transport};
use protocol::{Confidence, Game};
use protocols::registry;

const CLIENT: &str = "198.51.100.7:27960";
const SERVER: &str = "192.0.2.1:27960";
const MASTER: &str = "203.0.113.1:27950";

#[derive(Default)]
struct TestFlows {
    flows: Flows,
    number: u64,
}

impl TestFlows {
    fn say(&mut self, from: &str, to: &str, text: &[u8]) -> Classified {
        self.number += 1;
        let [source, destination] = [from, to].map(|end| end.parse::<SocketAddr>().unwrap());
        let (number, transport) = (self.number, Transport::Udp);
        let time = i64::try_from(number).unwrap();
        self.flows.observe(
            PacketMeta { number, time, transport, source, destination, cut: false, input: 0 },
            text,
        )
    }

    fn oob(&mut self, from: &str, to: &str, text: &str) -> Classified {
        self.say(from, to, &[b"\xff\xff\xff\xff", text.as_bytes()].concat())
    }

    fn game(&self, id: FlowId) -> (&'static str, Confidence) {
        let verdict = self.flows.verdict(id).unwrap();
        (verdict.game.id, verdict.confidence)
    }

    fn direction(&self, classified: Classified) -> String {
        let entry = classified.message.unwrap().entry;
        self.flows.resolve(classified, entry).unwrap().1.to_string()
    }
}

fn game(id: &str) -> &'static Game {
    registry().game(id).unwrap()
}

#[test]
fn what_one_message_proves_holds_for_all_flows_of_a_server() {
    let mut test = TestFlows::default();
    let query = test.oob(CLIENT, SERVER, "getinfo xxx");
    assert_eq!(test.game(query.flow), ("quake3", Confidence::Port));
    let heartbeat = test.oob(SERVER, MASTER, "heartbeat EnemyTerritory-1\n");
    assert_eq!(test.game(heartbeat.flow), ("enemy-territory", Confidence::Certain));
    assert_eq!(test.game(query.flow), ("enemy-territory", Confidence::Certain));
    let reasons = test.flows.judge(query.flow).unwrap().reasons;
    assert!(reasons.iter().any(|r| r.contains("heartbeat carries tag=EnemyTerritory-1")));
}

#[test]
fn a_gamename_outweighs_the_tag_that_many_send() {
    let mut test = TestFlows::default();
    let classified = test.oob(SERVER, MASTER, "heartbeat DarkPlaces\n");
    assert_eq!(test.game(classified.flow), ("darkplaces", Confidence::Likely));
    test.oob(SERVER, MASTER, "infoResponse\n\\gamename\\Quake3Arena\\protocol\\71");
    assert_eq!(test.game(classified.flow), ("quake3", Confidence::Certain));
}

#[test]
fn a_server_knows_better_than_its_client_what_it_plays() {
    let mut test = TestFlows::default();
    test.oob(CLIENT, MASTER, "getservers Xonotic 3 empty");
    let query = test.oob(CLIENT, SERVER, "getinfo xxx");
    assert_eq!(test.game(query.flow), ("darkplaces", Confidence::Certain));
    test.oob(SERVER, CLIENT, "infoResponse\n\\gamename\\wolfmp\\protocol\\60");
    assert_eq!(test.game(query.flow), ("rtcw", Confidence::Certain));
    test.oob("192.0.2.2:27960", CLIENT, "infoResponse\n\\protocol\\84");
    let other = test.oob(CLIENT, "192.0.2.2:27960", "getstatus");
    assert_eq!(test.game(other.flow), ("enemy-territory", Confidence::Number));
}

#[test]
fn clients_of_one_master_speak_for_themselves() {
    let mut test = TestFlows::default();
    for (client, request, game) in [
        ("198.51.100.1:4001", "getservers 60 empty", "rtcw"),
        ("198.51.100.2:4001", "getservers 84", "enemy-territory"),
        ("198.51.100.3:4001", "getservers Nexuiz 3", "darkplaces"),
        ("198.51.100.4:4001", "getservers 68", "quake3"),
        ("198.51.100.5:4001", "getservers unheardof 1", "darkplaces"),
    ] {
        let classified = test.oob(client, MASTER, request);
        assert_eq!(test.game(classified.flow).0, game, "{request}");
        let reply = test.oob(MASTER, client, "getserversResponse\\EOT");
        assert_eq!(reply.flow, classified.flow);
        assert!(!reply.forward);
        assert_eq!(reply.message.unwrap().answers, Some(test.number - 1));
    }
}

#[test]
fn without_evidence_it_is_the_first_game_and_the_others_are_named() {
    let mut test = TestFlows::default();
    let classified = test.oob("192.0.2.5:5000", "192.0.2.6:6000", "getstatus");
    assert_eq!(test.game(classified.flow), ("quake3", Confidence::Guess));
    let reasons = test.flows.judge(classified.flow).unwrap().reasons;
    assert_eq!(
        reasons,
        [
            "others share these words: rtcw, enemy-territory, darkplaces, q3master, elite-force, and 19 more"
        ]
    );
}

#[test]
fn what_the_user_says_is_so() {
    let end = MASTER.parse().unwrap();
    for subject in [DecodeTarget::Flow(FlowId(1)), DecodeTarget::End(end)] {
        let choice = DecodeAs { subject, game: game("darkplaces") };
        let mut test = TestFlows { flows: Flows::new(vec![choice]), number: 0 };
        let classified = test.oob(CLIENT, MASTER, "getservers 68");
        assert_eq!(test.game(classified.flow), ("darkplaces", Confidence::Set));
    }
}

#[test]
fn ends_are_known_by_messages_then_by_ports() {
    let mut test = TestFlows::default();
    let ask = test.oob("198.51.100.9:4000", SERVER, "getinfo");
    assert_eq!(test.direction(ask), "unknown-to-server");
    let master = test.oob(MASTER, SERVER, "getinfo A_ch4Lleng3");
    assert_eq!(test.direction(master), "master-to-server");
    let status = test.oob("198.51.100.9:4000", SERVER, "getstatus");
    assert_eq!(test.direction(status), "client-to-server", "mostly");
    assert_eq!(test.direction(ask), "client-to-server", "likely");
    test.oob("198.51.100.9:4000", MASTER, "getservers 68");
    assert_eq!(test.direction(ask), "client-to-server", "a list is asked for by clients");
    // Old masters send it too (document 001, 1.2.3): what is proven stays.
    let status = test.oob(MASTER, SERVER, "getstatus");
    assert_eq!(status.message.map(|m| m.name), Some("getstatus"));
    assert_eq!(test.direction(status), "master-to-server");
    // A game's client uses the port of its servers.
    let list = test.oob(CLIENT, MASTER, "getservers 68");
    assert_eq!(test.direction(list), "client-to-master");
}

#[test]
fn weak_magic_needs_a_documented_port() {
    let mut test = TestFlows::default();
    assert!(test.say("192.0.2.5:5000", "192.0.2.6:6000", b"ping").message.is_none());
    assert!(test.say("192.0.2.5:5000", SERVER, b"ping").message.is_some());
    assert!(test.say("192.0.2.5:5000", SERVER, b"pingpong").message.is_none());
}

#[test]
fn what_comes_again_is_not_counted_again() {
    let mut test = TestFlows::default();
    let first = test.oob(CLIENT, SERVER, "getinfo");
    test.oob(SERVER, CLIENT, "infoResponse\n\\version\\ET 2.55");
    let counts = test.flows.messages();
    test.flows.rewind();
    let [source, destination] = [CLIENT, SERVER].map(|end| end.parse().unwrap());
    let sent = PacketMeta {
        number: 1,
        time: 1,
        transport: Transport::Udp,
        source,
        destination,
        cut: false,
        input: 0,
    };
    let again = test.flows.reclassify(sent, b"\xff\xff\xff\xffgetinfo");
    assert_eq!((again.flow, again.forward), (first.flow, true));
    assert_eq!(test.game(again.flow).0, "enemy-territory");
    assert_eq!(test.flows.messages(), counts);
    assert_eq!(test.flows.flow(first.flow).unwrap().traffic[0].packets, 1);
}

#[test]
fn a_full_table_counts_what_it_leaves_out() {
    let mut test = TestFlows::default();
    test.flows.limit = 2;
    for port in 1..=5 {
        let classified = test.oob(&format!("198.51.100.7:{port}"), SERVER, "getstatus");
        assert_eq!(classified.message.unwrap().entry.spec.name, "getstatus");
        assert_eq!(classified.flow == FlowId(0), port > 2);
    }
    assert_eq!((test.flows.len(), test.flows.left_out()), (2, 3));
}

#[test]
fn a_list_requested_in_pieces_comes_together() {
    let mut test = TestFlows::default();
    let (client, master) = ("198.51.100.7:4000", "203.0.113.1:27010");
    let list =
        |last: &[u8; 6]| [b"\xff\xff\xff\xfff\n\xc0\x00\x02\x07\x69\x87".as_slice(), last].concat();
    let mut parts = Vec::new();
    for last in [b"\xc0\0\x02\x08\x69\x87", &[0; 6], &[0; 6]] {
        test.say(client, master, b"1\xff0.0.0.0:0\0\0");
        let request = test.number;
        let classified = test.say(master, client, &list(last)).message.unwrap();
        assert_eq!(classified.answers, Some(request));
        let part = classified.part.unwrap();
        parts.push((part.index, part.last));
    }
    assert_eq!(parts, [(1, false), (2, true), (1, true)]);
}

#[test]
fn a_proof_is_judged_where_its_challenge_was_seen() {
    let mut test = TestFlows::default();
    let (server, master) = ("192.0.2.1:8777", "203.0.113.1:27900");
    let reply =
        |proof: &str| format!("\\gamename\\gmtest\\validate\\{proof}\\final\\\\queryid\\10.1");
    let unasked = test.say(server, master, reply("Sen5c0WR").as_bytes());
    assert_eq!(unasked.message.unwrap().validation, None);
    for (proof, text) in [
        ("Sen5c0WR", "right for the key of gmtest"),
        ("AAAAAAAA", "no known key gives it, not that of gmtest either"),
    ] {
        test.say(master, server, br"\basic\\secure\123456");
        let classified = test.say(server, master, reply(proof).as_bytes()).message.unwrap();
        assert_eq!(classified.answers, Some(test.number - 1));
        assert_eq!(classified.validation.unwrap().to_string(), text);
    }
}

#[test]
fn weak_magic_is_confirmed_by_its_answer() {
    let mut test = TestFlows::default();
    let (server, master) = ("192.0.2.1:5001", "203.0.113.1:5002");
    let heartbeat = test.say(server, master, b"k\0");
    assert!(heartbeat.message.is_none());
    assert!(!test.flows.revised());
    let ack = test.oob(master, server, "l\0");
    assert_eq!(ack.message.unwrap().answers, Some(1));
    assert!(test.flows.revised(), "the first message has a name now");
    assert!(test.say(server, master, b"k\0").message.is_some());
    assert_eq!(test.flows.messages()[&("quakeworld", "k")], 2);
}

#[test]
fn a_running_game_is_counted_with_its_server() {
    let mut test = TestFlows::default();
    test.oob(SERVER, MASTER, "heartbeat EnemyTerritory-1\n");
    for sequence in 1..=3u32 {
        let classified = test.say(CLIENT, SERVER, &sequence.to_le_bytes());
        assert!(classified.message.is_none());
    }
    test.say("192.0.2.50:53", "198.51.100.7:9000", b"nothing of ours");
    assert_eq!(test.flows.in_game().into_iter().collect::<Vec<_>>(), [("enemy-territory", 3)]);
}

#[test]
fn unused_overrides_are_known() {
    let end = "192.0.2.99:1".parse().unwrap();
    let subjects =
        [DecodeTarget::Flow(FlowId(1)), DecodeTarget::Flow(FlowId(9)), DecodeTarget::End(end)];
    let choice = subjects.map(|subject| DecodeAs { subject, game: game("rtcw") });
    let mut test = TestFlows { flows: Flows::new(choice.to_vec()), number: 0 };
    test.oob(CLIENT, MASTER, "getservers 68");
    let unused: Vec<_> =
        test.flows.unused_overrides().map(|choice| choice.subject.to_string()).collect();
    assert_eq!(unused, ["flow 9", "end 192.0.2.99:1"]);
}

#[test]
fn icmp_errors_take_their_share_of_the_memory() {
    let mut test = TestFlows::default();
    test.oob(CLIENT, SERVER, "getinfo xxx");
    let room = 200_000;
    test.flows.most = test.flows.weight + room;
    let [source, destination] = [CLIENT, SERVER].map(|end| end.parse::<SocketAddr>().unwrap());
    for number in 0..2_000_u16 {
        // Of several flows: each keeps some.
        let source = SocketAddr::new(source.ip(), 20_000 + number / 100);
        let (time, transport, input) = (7, Transport::Udp, 0);
        let number = number.into();
        let about = PacketMeta { number, time, transport, source, destination, cut: false, input };
        let frame = (101, vec![0; super::IcmpNotice::KEPT].into());
        let what = "port unreachable".to_owned();
        test.flows.add_icmp_error(about, destination.ip(), what, frame);
    }
    let kept: usize = test.flows.iter().map(|(_, flow)| flow.errors().len()).sum();
    let most = room / super::IcmpNotice::KEPT;
    assert!((most / 4..most).contains(&kept), "{kept}");
    assert!(test.flows.weight < test.flows.most + room, "{}", test.flows.weight);
    assert!(test.flows.errors_left_out() + test.flows.left_out() > 0);
}
