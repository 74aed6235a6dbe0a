use super::*;

/// The numbers that are written if exchanges end in this order, those below `skipped` without a
/// row; and how many are late.
fn written(mut ordered: Ordered, ends: &[u64], skipped: u64, text: usize) -> (Vec<u64>, u64) {
    let text = "x".repeat(text);
    let mut numbers = Vec::new();
    let mut write = |row: &[u8]| {
        let (number, rest) = row.split_first_chunk().unwrap();
        assert_eq!(rest, text.as_bytes());
        numbers.push(u64::from_le_bytes(*number));
        Ok::<_, io::Error>(())
    };
    for number in ends {
        if *number <= skipped {
            ordered.skip(*number, &mut write).unwrap();
        } else {
            let row = [&number.to_le_bytes(), text.as_bytes()].concat();
            ordered.add_row(*number, &row, &mut write).unwrap();
        }
    }
    ordered.finish(&mut write).unwrap();
    (numbers, ordered.late())
}

fn file() -> Option<File> {
    Some(tempfile::tempfile().unwrap())
}

#[test]
fn rows_come_in_order_whatever_memory_there_is() {
    let sorted: Vec<u64> = (1..=500).collect();
    let reversed: Vec<u64> = sorted.iter().rev().copied().collect();
    let mixed: Vec<u64> = (0..500).map(|n| n * 211 % 500 + 1).collect();
    for ends in [&sorted, &reversed, &mixed] {
        for text in [10, 1_000, 10_000] {
            for room in [0, 20_000, HELD] {
                let ordered = || Ordered { room, ..Ordered::new(file()) };
                assert_eq!(written(ordered(), ends, 0, text), (sorted.clone(), 0));
                let rest = sorted[100..].to_vec();
                assert_eq!(written(ordered(), ends, 100, text), (rest, 0));
            }
        }
        assert_eq!(written(Ordered::new(None), ends, 0, 10), (sorted.clone(), 0));
    }
}

#[test]
fn without_space_rows_are_written_and_counted() {
    let late: Vec<u64> = (2..=500).chain([1]).collect();
    for ordered in [
        Ordered { waiting: 100, ..Ordered::new(file()) },
        Ordered { room: 0, store: PayloadStore::spool_only(1_000), ..Ordered::new(None) },
    ] {
        assert_eq!(written(ordered, &late, 0, 10), (late.clone(), 1));
    }
    // A number without a row cannot be late.
    let ordered = Ordered { waiting: 100, ..Ordered::new(file()) };
    assert_eq!(written(ordered, &late, 1, 10), ((2..=500).collect(), 0));
}

/// Rows that were stored as they come would be read from anywhere in the file.
#[test]
fn rows_are_stored_in_the_order_in_which_they_are_read() {
    let (count, row) = (4_000_u64, [b'x'; 100]);
    let mut ordered = Ordered { room: 40_000, ..Ordered::new(file()) };
    // The first is open until the end; of the others, those that began together end in another order.
    for number in (0..count).map(|n| n / 50 * 50 + n * 37 % 50 + 2) {
        ordered.add_row(number, &row, |_| Ok::<_, io::Error>(())).unwrap();
    }
    let offsets = ordered.rows.iter().filter_map(|row| match row {
        WaitingRow::Stored { offset, .. } => Some(*offset),
        _ => None,
    });
    let offsets: Vec<_> = offsets.collect();
    let next = offsets.windows(2).filter(|of| of[1] == of[0] + row.len() as u64).count();
    assert!(offsets.len() > 3_000, "{}", offsets.len());
    assert!(2 * next > offsets.len(), "{next} of {} are behind the one before", offsets.len());
}
