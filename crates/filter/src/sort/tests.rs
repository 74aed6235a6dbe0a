use std::net::{Ipv4Addr, Ipv6Addr};

use super::*;

/// Keys of all kinds, with equal ones among them.
fn keys(count: u32) -> Vec<SortKey> {
    let key = |at: u32| {
        let mixed = at.wrapping_mul(2_654_435_761) >> 7;
        let number = i128::from(mixed % 1000) - 500;
        match mixed % 6 {
            0 => SortKey::Number(number),
            1 => SortKey::Number(number << 70),
            2 => SortKey::Address((Ipv4Addr::from(mixed), 27_960).into()),
            3 => SortKey::Address((Ipv6Addr::from(u128::from(mixed) << 100), at as u16).into()),
            4 => SortKey::text(&format!("Server {}, map q3dm{}", mixed % 300, mixed % 7)),
            _ => SortKey::text(["", "Ä", "a", "ab", "a\0b"][mixed as usize % 5]),
        }
    };
    (0..count).map(key).collect()
}

/// How two keys compare, without their bytes.
fn compare(a: &SortKey, b: &SortKey, is_descending: bool) -> Ordering {
    let rank = |key: &SortKey| match key {
        SortKey::Number(_) => 0,
        SortKey::Address(_) => 1,
        SortKey::Text(_) => 2,
        SortKey::Missing => 3,
    };
    let order = match (a, b) {
        (SortKey::Number(a), SortKey::Number(b)) => a.cmp(b),
        (SortKey::Address(a), SortKey::Address(b)) => a.cmp(b),
        (SortKey::Text(a), SortKey::Text(b)) => a.cmp(b),
        _ => rank(a).cmp(&rank(b)),
    };
    let is_missing = |key: &SortKey| *key == SortKey::Missing;
    if is_descending && !is_missing(a) && !is_missing(b) { order.reverse() } else { order }
}

#[test]
fn rows_of_several_runs_are_in_the_order_of_their_keys() {
    let most = 2 * RUN as u32 + 100;
    for (count, is_descending) in [(0, false), (1, true), (most, false), (most, true)] {
        let keys = keys(count);
        let mut sorter = RowSorter::new(is_descending);
        keys.iter().zip(0..).for_each(|(key, row)| sorter.add_row(key, row));
        let mut expected: Vec<u32> = (0..count).collect();
        let key = |row: &u32| &keys[*row as usize];
        expected.sort_by(|a, b| compare(key(a), key(b), is_descending));
        assert_eq!(sorter.finish(), expected, "{count} {is_descending}");
    }
}

#[test]
fn a_long_key_is_cut() {
    let mut sorter = RowSorter::new(false);
    let long = "x".repeat(100_000);
    sorter.add_row(&SortKey::text(&format!("{long}b")), 1);
    sorter.add_row(&SortKey::text(&format!("{long}a")), 2);
    sorter.add_row(&SortKey::text("x"), 3);
    assert_eq!(sorter.finish(), [3, 1, 2]);
}
