//! Conversations with servers that do what they should, and with others.

use std::time::{Duration, Instant};

use super::*;
use simulate::families::{ServerQuestions, answers, queried};

const LIMITS: QuestionLimits = QuestionLimits::USUAL;

fn query(protocol: &str) -> &'static ServerQuestions {
    queried().find(|query| query.protocol.id == protocol).unwrap()
}

fn entry(query: &ServerQuestions, bytes: &[u8]) -> &'static Entry {
    protocols::recognise(query.protocol, Carrier::Datagram, bytes, Direction::default()).unwrap()
}

/// A conversation with the first question of a protocol.
fn conversation(protocol: &str) -> Conversation {
    let query = query(protocol);
    let asked = query.state();
    Conversation::new(Some(entry(query, &asked)), asked, LIMITS, query.follow)
}

/// Leads a conversation with what `server` answers, in virtual time; how many datagrams it took.
fn lead(inquiry: &mut Conversation, mut server: impl FnMut(&[u8]) -> Vec<Vec<u8>>) -> usize {
    let (mut now, mut sent) = (Instant::now(), 0);
    loop {
        match inquiry.step(now) {
            ConversationStep::Done => return sent,
            ConversationStep::Wait(until) => now = until,
            ConversationStep::Send(bytes) => {
                sent += 1;
                assert!(sent < 1000, "it asks without end");
                for answer in server(&bytes) {
                    inquiry.receive(&answer, now);
                }
            }
        }
    }
}

#[test]
fn an_empty_list_of_players_is_an_answer() {
    let registry = protocols::registry();
    let unreal = registry.protocol("unreal2").unwrap();
    let entry = unreal.messages.iter().find(|entry| entry.spec.id == "query").unwrap();
    for (reply, end) in [
        (&b"\x80\0\0\0\x02"[..], AnswerEnd::Whole),
        (b"\x80\0\0\0\x03", AnswerEnd::Unrelated),
        (b"\x80\0\0\0", AnswerEnd::Unrelated),
    ] {
        let (now, limits) = (Instant::now(), QuestionLimits { repeats: 0, ..LIMITS });
        let asked = b"\x79\0\0\0\x02".to_vec();
        let mut conversation = Conversation::new(Some(entry), asked, limits, |_| None);
        conversation.step(now);
        conversation.receive(reply, now);
        conversation.step(now + Duration::from_secs(2));
        assert_eq!(conversation.answer().end, Some(end), "{}", reply.escape_ascii());
    }
}

#[test]
fn each_family_is_asked_until_its_answer_is_whole() {
    for query in queried() {
        let game = query.games.first().or(query.protocol.games.first()).unwrap();
        let asked = query.state();
        let mut inquiry =
            Conversation::new(Some(entry(query, &asked)), asked, LIMITS, query.follow);
        lead(&mut inquiry, |request| answers(query.protocol, Some(game), &[], request));
        let (answer, _) = inquiry.into_answer();
        assert!(answer.is_sound(), "{}: {answer:?}", game.id);
        assert_eq!((answer.repeated, answer.unrelated), (0, 0), "{}", game.id);
    }
}

#[test]
fn silence_is_asked_twice_more_and_no_oftener() {
    let mut inquiry = conversation("quake3");
    assert_eq!(lead(&mut inquiry, |_| Vec::new()), 3);
    assert_eq!(inquiry.answer().end, Some(AnswerEnd::Missing));
    assert_eq!(inquiry.answer().repeated, 2);
}

#[test]
fn a_closed_port_is_asked_once() {
    let mut inquiry = conversation("quake3");
    let now = Instant::now();
    assert!(matches!(inquiry.step(now), ConversationStep::Send(_)));
    inquiry.refuse();
    assert_eq!(inquiry.step(now), ConversationStep::Done);
    assert_eq!(inquiry.answer().end, Some(AnswerEnd::Unreachable));
}

#[test]
fn hostile_servers_end_by_the_limits() {
    // A challenge for each answer to a challenge.
    let mut n = 0_u8;
    let mut inquiry = conversation("source");
    let sent = lead(&mut inquiry, |_| {
        n += 1;
        vec![[b"\xff\xff\xff\xffA\x01\x02\x03", &[n][..]].concat()]
    });
    assert_eq!((inquiry.answer().end, sent), (Some(AnswerEnd::Challenged), 3));
    // Parts without end, of which none completes a message.
    let part = |n: u32| {
        let body = [b'x'; 1400];
        [b"\xfe\xff\xff\xff", &n.to_le_bytes()[..], b"\xff\x01\xe0\x04", &body].concat()
    };
    let mut inquiry = conversation("source");
    lead(&mut inquiry, |_| (0..10_000).map(part).collect());
    assert_eq!(inquiry.answer().end, Some(AnswerEnd::Unrelated));
    // What answers nothing, without end.
    let mut inquiry = conversation("quake3");
    lead(&mut inquiry, |_| vec![b"hello".to_vec(); 10_000]);
    assert_eq!(inquiry.answer().end, Some(AnswerEnd::Unrelated));
    // Rules without end.
    let rules = query("netquake").questions.last().unwrap();
    let asked = (rules.ask)(None).unwrap();
    let query = query("netquake");
    let mut inquiry = Conversation::new(Some(entry(query, &asked)), asked, LIMITS, query.follow);
    let rule = b"\x80\0\0\x14\x85sv_gravity\x00800\0".to_vec();
    let sent = lead(&mut inquiry, |_| vec![rule.clone()]);
    assert_eq!((inquiry.answer().end, sent), (Some(AnswerEnd::TooLong), FOLLOWS as usize + 1));
}

#[test]
fn a_list_without_end_ends_by_time() {
    let request = b"\xff\xff\xff\xffgetservers 68 empty full".to_vec();
    let found = entry(query("quake3"), &request);
    let mut inquiry = Conversation::new(Some(found), request, LIMITS, |_| None);
    let mut now = Instant::now();
    let begun = now;
    assert!(matches!(inquiry.step(now), ConversationStep::Send(_)));
    let packet = b"\xff\xff\xff\xffgetserversResponse\\\xc0\0\x02\x01\x6d\x38\\".to_vec();
    while inquiry.due(now).is_some() {
        now += Duration::from_millis(100);
        inquiry.receive(&packet, now);
        _ = inquiry.step(now);
    }
    assert!(now - begun <= LIMITS.timeout * (LONGEST + 1), "{:?}", now - begun);
    assert!(inquiry.answer().end.is_some());
}

#[test]
fn an_answer_to_another_question_is_none() {
    let mut inquiry = conversation("tribes");
    let now = Instant::now();
    assert!(matches!(inquiry.step(now), ConversationStep::Send(_)));
    // The same message, with the key of another question.
    let other = answers(query("tribes").protocol, None, &[], b"bxx");
    inquiry.receive(&other[0], now);
    assert_eq!((inquiry.answer().end, inquiry.answer().unrelated), (None, 1));
}

#[test]
fn split_messages_are_joined_in_any_order() {
    let rules: Vec<u8> = (0..300).flat_map(|n| format!("rule_{n}\0{n}\0").into_bytes()).collect();
    let reply = [&b"\xff\xff\xff\xffE\x2c\x01"[..], &rules].concat();
    let chunks: Vec<_> = reply.chunks(600).collect();
    let total = u8::try_from(chunks.len()).unwrap();
    let mut parts: Vec<Vec<u8>> = (0..)
        .zip(&chunks)
        .map(|(n, chunk)| {
            [&b"\xfe\xff\xff\xff\x07\0\0\0"[..], &[total, n, 0x58, 2], *chunk].concat()
        })
        .collect();
    parts.reverse();
    let asked = b"\xff\xff\xff\xffV\x01\x02\x03\x04".to_vec();
    let found = entry(query("source"), &asked);
    let mut inquiry = Conversation::new(Some(found), asked, LIMITS, query("source").follow);
    lead(&mut inquiry, |_| parts.clone());
    let (answer, _) = inquiry.into_answer();
    assert!(answer.is_sound(), "{answer:?}");
    assert_eq!(answer.messages[0].bytes, reply);
    parts.pop();
    let asked = b"\xff\xff\xff\xffV\x01\x02\x03\x04".to_vec();
    let mut inquiry = Conversation::new(Some(found), asked, LIMITS, query("source").follow);
    lead(&mut inquiry, |_| parts.clone());
    assert_eq!(inquiry.answer().end, Some(AnswerEnd::Incomplete));
}
