//! Records come back as they were kept, and the oldest are dropped.

use super::*;

fn record(number: u64) -> MessageRecord {
    let byte_range = ByteRange { source: 1, length: 60, offset: 100 * number };
    MessageRecord {
        number,
        time: number.cast_signed() - 5,
        byte_range,
        flow: FlowId(7),
        answers: 3,
        kind: 2,
        input: 1,
        forward: number.is_multiple_of(2),
        rare: RareParts::default(),
    }
}

/// A record with everything that few have.
fn full(number: u64) -> MessageRecord {
    let range = ByteRange { source: ByteRange::SPOOL, length: 70_000, offset: 1 << 40 };
    MessageRecord {
        byte_range: range,
        answers: u32::MAX,
        rare: RareParts {
            missing: 9,
            connection: NonZeroU32::new(4),
            part: Some(Part { reply: 1, index: 2, last: true }),
            fragments: 3,
            overlap: true,
        },
        ..record(number)
    }
}

#[test]
fn records_come_back_as_they_were_kept() {
    let of = |number: u64| match number % 5 {
        0 => full(number),
        1 => MessageRecord { answers: 1 << 16, ..record(number) },
        _ => record(number),
    };
    let mut records = MessageRecords::default();
    let count = 2 * CHUNK as u64 + 10;
    (0..count).for_each(|number| records.push(&of(number)));
    assert_eq!(records.len() as u64, count);
    for number in 0..count {
        assert_eq!(records.get(number as usize), Some(of(number)));
        assert_eq!(records.find(number), Some(number as usize));
    }
    assert_eq!((records.get(count as usize), records.find(count)), (None, None));
}

#[test]
fn the_oldest_are_dropped_with_their_chunks() {
    let payloads = PayloadStore::spool_only(0);
    for limit in [1, 5, CHUNK - 1, CHUNK, CHUNK + 1] {
        let mut records = MessageRecords::keeping(limit);
        let count = 3 * CHUNK;
        for number in 0..count {
            records.push(&full(number as u64));
            records.forget(&payloads);
            assert_eq!(records.len(), number + 1);
            assert!(records.chunks.len() <= limit.div_ceil(CHUNK) + 1);
        }
        assert_eq!((records.gone, records.dropped), (count - limit, (count - limit) as u64));
        assert_eq!((records.get(records.gone - 1), records.find(0)), (None, None));
        assert_eq!(records.get(records.gone).map(|r| r.number), Some(records.gone as u64));
        assert_eq!(records.find(count as u64 - 1), Some(count - 1));
    }
}

#[test]
fn messages_out_of_order_are_found() {
    let mut records = MessageRecords::default();
    let numbers = (0..1000).map(|at| if at == 600 { 3 } else { at * 2 + 10 });
    numbers.for_each(|number| records.push(&record(number)));
    assert_eq!((records.find(3), records.find(10), records.find(11)), (Some(600), Some(0), None));
    assert_eq!(records.find(2 * 999 + 10), Some(999));
}

#[test]
fn numbers_and_offsets_may_be_large() {
    let of = |at: u32| {
        let large = record(u64::from(u32::MAX) - 5 + u64::from(at));
        let byte_range = ByteRange { offset: 1 << (at + 30), ..large.byte_range };
        MessageRecord { byte_range, ..large }
    };
    let mut records = MessageRecords::default();
    (0..30).for_each(|at| records.push(&of(at)));
    for at in 0..30 {
        assert_eq!(records.get(at as usize), Some(of(at)));
        assert_eq!(records.find(of(at).number), Some(at as usize));
    }
}
