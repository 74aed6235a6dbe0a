//! When a server sent something, as runs over other captures need it to judge its silence.

use super::exchange::{PAIR_INTERVAL, SILENCE};

/// How many spans of one server are kept; after that the last one grows.
const SPANS: usize = 64;
/// Messages of one span are so close together that each time in it is followed by one before the
/// time is over in which a server that shuts down must be silent, in nanoseconds.
const GAP: i64 = SILENCE - PAIR_INTERVAL;

/// How many spans memory is taken for at a time.
const ROOM: usize = 2;

/// The times of a server's messages as spans, in order: each the times of its first and its last
/// message, in nanoseconds since the Unix epoch.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SentTimes {
    /// Those of heartbeats, of which two close together may be a shutdown.
    heartbeats: Vec<[i64; 2]>,
    others: Vec<[i64; 2]>,
}

impl SentTimes {
    /// Adds a message that is not earlier than those before it, if its frame has a time.
    pub fn add_time(&mut self, time: i64, is_heartbeat: bool) {
        if !text::has_time(time) {
            return;
        }
        let is_full = self.heartbeats.len() + self.others.len() >= SPANS;
        let spans = if is_heartbeat { &mut self.heartbeats } else { &mut self.others };
        match spans.last_mut() {
            Some([_, last]) if is_full || time - *last <= GAP => *last = time.max(*last),
            None if is_full => {}
            _ => {
                // There are thousands of servers: doubling takes too much.
                if spans.len() == spans.capacity() {
                    spans.reserve_exact(ROOM);
                }
                spans.push([time; 2]);
            }
        }
    }

    /// The spans of heartbeats, or those of other messages.
    pub fn spans(&self, are_heartbeats: bool) -> impl Iterator<Item = [i64; 2]> {
        if are_heartbeats { &self.heartbeats } else { &self.others }.iter().copied()
    }

    /// Size beside the value itself, in bytes.
    pub fn weigh(&self) -> usize {
        size_of::<[i64; 2]>() * (self.heartbeats.capacity() + self.others.capacity())
    }
}

/// Whether a server that sent in these spans sent after two heartbeats close together, the second of
/// them at `time`, and before the silence is long enough for a shutdown. Other masters get their
/// heartbeats at the same time.
pub(super) fn goes_on(mut spans: impl Iterator<Item = ([i64; 2], bool)>, time: i64) -> bool {
    spans.any(|([first, last], are_heartbeats)| {
        let after = if are_heartbeats { time.saturating_add(PAIR_INTERVAL) } else { time };
        first <= time.saturating_add(SILENCE) && last > after
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: i64 = 1_000_000_000;

    #[test]
    fn messages_close_together_are_one_span() {
        let mut sent = SentTimes::default();
        for (second, is_heartbeat) in [(1, false), (2, true), (5, false), (20, false), (21, true)] {
            sent.add_time(second * SECOND, is_heartbeat);
        }
        let spans = |are_heartbeats| {
            let of = sent.spans(are_heartbeats);
            of.map(|times| times.map(|time| time / SECOND)).collect::<Vec<_>>()
        };
        assert_eq!(spans(false), [[1, 5], [20, 20]]);
        assert_eq!(spans(true), [[2, 2], [21, 21]]);
        for hour in 0..1_000 {
            sent.add_time(hour * 3_600 * SECOND + 21 * SECOND, false);
        }
        assert_eq!(sent.heartbeats.len() + sent.others.len(), SPANS);
        assert_eq!(sent.spans(false).last().unwrap()[1], (999 * 3_600 + 21) * SECOND);
    }

    #[test]
    fn a_message_within_five_seconds_after_a_pair_is_no_silence() {
        let at = |tenths: i64| tenths * SECOND / 10;
        for (first, last, are_heartbeats, goes) in [
            (0, 99, false, false),
            (0, 100, false, false),
            (100, 101, false, true),
            (150, 150, false, true),
            (151, 151, false, false),
            (98, 102, true, false),
            (98, 103, true, true),
            (148, 200, true, true),
        ] {
            let span = [([at(first), at(last)], are_heartbeats)].into_iter();
            assert_eq!(goes_on(span, at(100)), goes, "{first} to {last}, {are_heartbeats}");
        }
    }
}
