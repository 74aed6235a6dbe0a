//! Segments in every order, twice, overlapping, lost, and across the wrap of sequence numbers.

mod orders;

use super::*;
use crate::{
    ConnectionState, DirectionEvent, StreamCounts, StreamEnd, StreamEvent, TcpReassembler,
};

const SECOND: i64 = 1_000_000_000;

/// The output of a stream, with adjacent bytes joined: `>` marks the forward direction.
#[derive(Debug, Clone, PartialEq, Eq)]
enum StreamPart {
    Bytes(String),
    Gap(u32),
    End(StreamEnd),
}

/// Streams, and all of their events: by connection and direction.
#[derive(Default)]
struct ReceivedEvents {
    streams: TcpReassembler,
    events: Vec<(u64, bool, StreamPart)>,
    time: i64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum SegmentSender {
    Client,
    Master,
}
use SegmentSender::{Client, Master};

/// A segment from one of the two known endpoints: flags as letters, sequence and acknowledgment.
fn segment<'a>(
    by: SegmentSender,
    flags: &str,
    sequence: u32,
    ack: u32,
    payload: &'a [u8],
) -> Segment<'a> {
    let (client, master) = ends_v4();
    let (source, destination) = if by == Client { (client, master) } else { (master, client) };
    let has = |flag: char| flags.contains(flag);
    Segment {
        source,
        destination,
        sequence,
        acknowledgment: ack,
        flags: Flags { syn: has('S'), ack: has('A'), fin: has('F'), rst: has('R') },
        payload,
        missing: 0,
        origin: Origin::InFrame { offset: 54 },
    }
}

impl ReceivedEvents {
    fn add_segment(&mut self, segment: &Segment<'_>) -> &mut Self {
        let Self { streams, events, time } = self;
        streams.add_segment(*time, segment, &mut |(), event| note(events, event));
        self
    }

    fn finish(&mut self) -> &mut Self {
        let Self { streams, events, .. } = self;
        streams.finish(&mut |(), event| note(events, event));
        assert_eq!(self.streams.open(), (0, 0));
        self
    }

    /// The output of one direction of a connection.
    fn parts_of(&self, connection: u64, forward: bool) -> Vec<StreamPart> {
        let events = self.events.iter().filter(|(c, f, _)| (*c, *f) == (connection, forward));
        events.map(|(_, _, part)| part.clone()).collect()
    }
}

fn note(events: &mut Vec<(u64, bool, StreamPart)>, event: StreamEvent<'_>) {
    assert_ne!(event.source, event.destination);
    let part = match event.what {
        DirectionEvent::Bytes(bytes) => {
            assert!(!bytes.is_empty());
            let text: String = bytes.iter().map(|b| char::from(*b)).collect();
            let ours = |(c, f, _): &&mut (u64, bool, StreamPart)| {
                (*c, *f) == (event.connection, event.forward)
            };
            if let Some((_, _, StreamPart::Bytes(before))) = events.iter_mut().rev().find(ours) {
                return before.push_str(&text);
            }
            StreamPart::Bytes(text)
        }
        DirectionEvent::Gap(count) => StreamPart::Gap(count),
        DirectionEvent::End(ending) => StreamPart::End(ending),
    };
    events.push((event.connection, event.forward, part));
}

fn bytes(text: &str) -> StreamPart {
    StreamPart::Bytes(text.to_owned())
}

const FINISHED: StreamPart = StreamPart::End(StreamEnd::Finished);

/// What the snap length removed is known to be lost with its segment, before an acknowledgment.
#[test]
fn a_gap_of_the_snap_length_stands_where_it_is() {
    let mut received = ReceivedEvents::default();
    let cut = Segment { missing: 17, ..segment(Master, "A", 500, 100, b"\\ip\\192.") };
    received
        .add_segment(&segment(Client, "S", 99, 0, b""))
        .add_segment(&segment(Master, "SA", 499, 100, b""))
        .add_segment(&cut);
    assert_eq!(received.parts_of(1, false), [bytes("\\ip\\192."), StreamPart::Gap(17)]);
    received.add_segment(&cut).add_segment(&segment(Master, "FA", 525, 100, b"")).finish();
    assert_eq!(received.parts_of(1, false), [bytes("\\ip\\192."), StreamPart::Gap(17), FINISHED]);
}

#[test]
fn a_conversation_is_read_as_it_was_composed() {
    let mut received = ReceivedEvents::default();
    received
        .add_segment(&segment(Client, "S", 99, 0, b""))
        .add_segment(&segment(Master, "SA", 499, 100, b""))
        .add_segment(&segment(Client, "A", 100, 500, b""))
        .add_segment(&segment(Master, "A", 500, 100, b"\\basic\\"))
        .add_segment(&segment(Master, "A", 507, 100, b"\\secure\\x"))
        .add_segment(&segment(Client, "A", 100, 516, b"\\list\\"))
        .add_segment(&segment(Client, "FA", 106, 516, b"\\final\\"))
        .add_segment(&segment(Master, "FA", 516, 114, b""))
        .add_segment(&segment(Client, "A", 114, 517, b""));
    assert_eq!(received.parts_of(1, true), [bytes("\\list\\\\final\\"), FINISHED]);
    assert_eq!(received.parts_of(1, false), [bytes("\\basic\\\\secure\\x"), FINISHED]);
    assert_eq!(received.events.len(), 4);
    // A retransmission adds nothing, and neither does the end of the capture.
    received.add_segment(&segment(Client, "A", 100, 516, b"\\list\\")).finish();
    assert_eq!(received.events.len(), 4);
    assert_eq!(received.streams.counts(), StreamCounts::default());
}

#[test]
fn what_is_missing_waits_until_it_is_known_to_be_lost() {
    let begin = |received: &mut ReceivedEvents| {
        received
            .add_segment(&segment(Client, "A", 100, 500, b"ab"))
            .add_segment(&segment(Client, "A", 105, 500, b"fg"));
        assert_eq!(received.parts_of(1, true), [bytes("ab")]);
    };
    let lost = [bytes("ab"), StreamPart::Gap(3), bytes("fg")];

    let mut late = ReceivedEvents::default();
    begin(&mut late);
    late.add_segment(&segment(Client, "A", 102, 500, b"cde"));
    assert_eq!(late.parts_of(1, true), [bytes("abcdefg")]);

    // The acknowledgment alone may have been captured too early; with the next segment it is valid.
    let mut acknowledged = ReceivedEvents::default();
    begin(&mut acknowledged);
    acknowledged.add_segment(&segment(Master, "A", 500, 107, b""));
    assert_eq!(acknowledged.parts_of(1, true), [bytes("ab")]);
    let mut early = ReceivedEvents::default();
    begin(&mut early);
    early
        .add_segment(&segment(Master, "A", 500, 107, b""))
        .add_segment(&segment(Client, "A", 102, 500, b"cde"));
    assert_eq!(early.parts_of(1, true), [bytes("abcdefg")]);
    acknowledged.add_segment(&segment(Master, "A", 500, 107, b"ok"));
    assert_eq!(acknowledged.parts_of(1, true), lost);
    assert_eq!(acknowledged.parts_of(1, false), [bytes("ok")]);
    assert_eq!(acknowledged.streams.counts(), StreamCounts::default());

    let mut reset = ReceivedEvents::default();
    begin(&mut reset);
    reset.add_segment(&segment(Master, "R", 500, 0, b""));
    assert_eq!(reset.parts_of(1, true)[..3], lost);
    assert_eq!(reset.parts_of(1, true)[3], StreamPart::End(StreamEnd::Reset));

    let mut ended = ReceivedEvents::default();
    begin(&mut ended);
    ended.finish();
    assert_eq!(ended.parts_of(1, true)[..3], lost);
    assert_eq!(ended.parts_of(1, true)[3], StreamPart::End(StreamEnd::Captured));
}

#[test]
fn a_hole_that_is_acknowledged_in_part_is_no_gap_yet() {
    let mut received = ReceivedEvents::default();
    received
        .add_segment(&segment(Client, "A", 100, 500, b"ab"))
        .add_segment(&segment(Client, "A", 106, 500, b"gh"));
    received
        .add_segment(&segment(Master, "A", 500, 104, b""))
        .add_segment(&segment(Master, "A", 500, 104, b""));
    assert_eq!(received.parts_of(1, true), [bytes("ab")]);
    received.add_segment(&segment(Client, "A", 102, 500, b"cdef"));
    assert_eq!(received.parts_of(1, true), [bytes("abcdefgh")]);
    // If nothing waits after it, what is acknowledged is lost.
    received
        .add_segment(&segment(Master, "A", 500, 113, b""))
        .add_segment(&segment(Master, "A", 500, 113, b""));
    assert_eq!(received.parts_of(1, true), [bytes("abcdefgh"), StreamPart::Gap(5)]);
}

#[test]
fn a_lost_end_is_a_gap_when_its_end_is_acknowledged() {
    let mut received = ReceivedEvents::default();
    received
        .add_segment(&segment(Client, "A", 100, 500, b"ab"))
        .add_segment(&segment(Client, "FA", 105, 500, b"f"))
        .add_segment(&segment(Master, "FA", 500, 107, b""));
    assert_eq!(received.parts_of(1, true), [bytes("ab"), StreamPart::Gap(3), bytes("f"), FINISHED]);
    assert_eq!(received.parts_of(1, false), [FINISHED]);
}

#[test]
fn bytes_that_the_snap_length_cut_off_are_a_gap() {
    let mut received = ReceivedEvents::default();
    let cut = Segment { missing: 8, ..segment(Client, "A", 100, 500, b"ab") };
    received
        .add_segment(&cut)
        .add_segment(&segment(Client, "A", 110, 500, b"kl"))
        .add_segment(&segment(Master, "A", 500, 112, b""))
        .add_segment(&segment(Client, "FA", 112, 500, b""));
    assert_eq!(
        received.parts_of(1, true),
        [bytes("ab"), StreamPart::Gap(8), bytes("kl"), FINISHED]
    );
}

#[test]
fn the_bytes_that_came_first_win() {
    let mut received = ReceivedEvents::default();
    received
        .add_segment(&segment(Client, "A", 100, 500, b"a"))
        .add_segment(&segment(Client, "A", 103, 500, b"DE"))
        .add_segment(&segment(Client, "A", 107, 500, b"H"))
        .add_segment(&segment(Client, "A", 102, 500, b"cdefghi"))
        .add_segment(&segment(Client, "A", 101, 500, b"bC"));
    assert_eq!(received.parts_of(1, true), [bytes("abcDEfgHi")]);
}

#[test]
fn a_new_opening_is_a_new_connection() {
    let mut received = ReceivedEvents::default();
    received
        .add_segment(&segment(Client, "S", 99, 0, b""))
        .add_segment(&segment(Client, "S", 99, 0, b""))
        .add_segment(&segment(Client, "A", 100, 1, b"one"))
        .add_segment(&segment(Client, "S", 7_000, 0, b""))
        .add_segment(&segment(Client, "A", 7_001, 1, b"two"))
        // Far from the current position: its opening was not captured.
        .add_segment(&segment(Client, "A", 1 << 31, 1, b"three"));
    assert_eq!(received.parts_of(1, true), [bytes("one"), StreamPart::End(StreamEnd::Replaced)]);
    assert_eq!(received.parts_of(2, true), [bytes("two"), StreamPart::End(StreamEnd::Replaced)]);
    assert_eq!(received.parts_of(3, true), [bytes("three")]);
}

#[test]
fn who_opened_a_connection_is_forward() {
    let mut received = ReceivedEvents::default();
    received
        .add_segment(&segment(Master, "SA", 499, 100, b""))
        .add_segment(&segment(Master, "A", 500, 100, b"\\basic\\"))
        .add_segment(&segment(Client, "A", 103, 507, b"d"))
        .finish();
    assert_eq!(
        received.parts_of(1, false),
        [bytes("\\basic\\"), StreamPart::End(StreamEnd::Captured)]
    );
    // What the master acknowledged is where the client begins.
    assert_eq!(received.parts_of(1, true)[..2], [StreamPart::Gap(3), bytes("d")]);
}

#[test]
fn silent_and_evicted_connections_are_forgotten() {
    let mut received = ReceivedEvents::default();
    received
        .add_segment(&segment(Client, "A", 100, 1, b"a"))
        .add_segment(&segment(Client, "A", 102, 1, b"c"));
    received.time = 601 * SECOND;
    received.add_segment(&segment(Client, "A", 103, 1, b"d"));
    let expected = [bytes("a"), StreamPart::Gap(1), bytes("c"), StreamPart::End(StreamEnd::Silent)];
    assert_eq!(received.parts_of(1, true), expected);
    assert_eq!(received.parts_of(2, true), [bytes("d")]);

    let mut received = ReceivedEvents::default();
    for n in 0..10_000_u32 {
        let mut s = segment(Client, "A", n, 1, b"a");
        s.source.set_ip(Ipv4Addr::from(n).into());
        received.add_segment(&s);
    }
    let (open, waiting) = received.streams.open();
    assert_eq!((open, waiting), (4096, 0));
    assert_eq!(received.streams.counts().evicted, 10_000 - 4096);
}

#[test]
fn what_waits_is_bounded() {
    let mut received = ReceivedEvents::default();
    let payload = [b'x'; 1000];
    received.add_segment(&segment(Client, "A", 0, 1, b"a"));
    for n in 0..1000_u32 {
        received.add_segment(&segment(Client, "A", 10 + 2000 * n, 1, &payload));
        assert!(received.streams.open().1 <= 256 << 10);
    }
    assert!(received.streams.counts().gaps_given_up > 700);

    let mut received = ReceivedEvents::default();
    for n in 0..200_u32 {
        let mut s = segment(Client, "A", 0, 1, b"a");
        s.source.set_ip(Ipv4Addr::from(n + 1).into());
        received.add_segment(&s);
        for k in 0..200_u32 {
            s.sequence = 10 + 1000 * k;
            received.add_segment(&Segment { payload: &payload, ..s });
        }
        assert!(received.streams.open().1 <= 16 << 20);
    }
    assert!(received.streams.counts().evicted > 100);
}

#[test]
fn nothing_is_remembered_of_segments_that_say_nothing() {
    let mut received = ReceivedEvents::default();
    received
        .add_segment(&segment(Client, "A", 1, 1, b""))
        .add_segment(&segment(Client, "R", 1, 1, b""))
        .add_segment(&segment(Client, "FA", 1, 1, b""));
    assert_eq!(received.streams.open(), (0, 0));
    assert_eq!(received.events, []);
}

#[test]
fn an_evicted_connection_does_not_continue_in_its_middle() {
    let mut received = ReceivedEvents::default();
    received
        .add_segment(&segment(Client, "S", 99, 0, b""))
        .add_segment(&segment(Client, "A", 100, 1, b"he"));
    received.add_segment(&segment(Client, "A", 110, 1, b"waits"));
    for n in 0..4096_u32 {
        let mut other = segment(Client, "S", n, 0, b"");
        other.source.set_ip(Ipv4Addr::from(n).into());
        received.add_segment(&other);
    }
    let evicted = [bytes("he"), StreamPart::End(StreamEnd::Evicted)];
    assert_eq!(received.parts_of(1, true), evicted, "what waits behind a gap is not told");
    received.add_segment(&segment(Client, "A", 102, 1, b"llo"));
    assert_eq!(received.parts_of(1, true), evicted);
    let StreamCounts { evicted, unread, .. } = received.streams.counts();
    assert_eq!((evicted, unread), (1, 1));
    received
        .add_segment(&segment(Client, "S", 500, 0, b""))
        .add_segment(&segment(Client, "A", 501, 1, b"new"));
    let last = received.events.last().cloned().unwrap();
    assert_eq!((last.1, last.2), (true, bytes("new")));
}

#[test]
fn what_readers_keep_counts_too() {
    /// The state of one connection's reader, in bytes.
    #[derive(Default)]
    struct Weighed(usize);
    impl ConnectionState for Weighed {
        fn weight(&self) -> usize {
            self.0
        }
    }
    let mut streams = TcpReassembler::<Weighed>::default();
    for n in 0..100_u32 {
        let mut s = segment(Client, "A", 0, 1, b"a");
        s.source.set_ip(Ipv4Addr::from(n + 1).into());
        streams.add_segment(0, &s, &mut |state, _| state.0 = 1 << 20);
        assert!(streams.open().1 <= 16 << 20);
    }
    assert_eq!((streams.open().0, streams.counts().evicted), (16, 84));
}

#[test]
fn numbers_wrap_around_while_bytes_wait() {
    let mut received = ReceivedEvents::default();
    let first = u32::MAX - 5;
    received.add_segment(&segment(Client, "S", first.wrapping_sub(1), 0, b""));
    for at in (1..20_u32).rev() {
        received.add_segment(&segment(Client, "A", first.wrapping_add(at), 0, &[b'a' + at as u8]));
    }
    received.add_segment(&segment(Client, "A", first, 0, b"a"));
    assert_eq!(received.parts_of(1, true), [bytes("abcdefghijklmnopqrst")]);
}
