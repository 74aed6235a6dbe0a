//! Lines with times of day, in wide and in narrow terminals.

use super::*;
use crate::capture::Input;

/// The lines of the tour.
fn lines(times: TimeDisplay, columns: Option<usize>) -> Vec<String> {
    let tour = concat!(env!("CARGO_MANIFEST_DIR"), "/captures/tour.pcapng");
    let mut pipeline = Pipeline::open(vec![Input::File(tour.into())], Vec::new()).unwrap();
    let style = LineStyle { colour: Colour::Plain, times, zone: Zone::utc(), columns };
    let mut out = Vec::new();
    write_listing(&mut pipeline, (Secrets::Masked, style), (false, None), &mut out).unwrap();
    String::from_utf8(out).unwrap().lines().map(str::to_owned).collect()
}

#[test]
fn times_of_day_have_their_date() {
    for times in [TimeDisplay::Utc, TimeDisplay::Local] {
        let lines = lines(times, None);
        assert!(
            lines[2].starts_with("     3  2003-12-01 20:00:00.060100  192.0.2.10:27960"),
            "{lines:?}"
        );
    }
    assert!(lines(TimeDisplay::Relative, None)[2].contains("  0.060100  192.0.2.10:27960"));
}

#[test]
fn a_narrow_terminal_has_the_name_below_a_date() {
    let lines = lines(TimeDisplay::Utc, Some(80));
    let [first, second, ..] = &lines[..] else { panic!("{lines:?}") };
    assert_eq!(
        first.trim_end(),
        "   1 2003-12-01 20:00:00.000 192.0.2.10:27960      > 203.0.113.1:27950"
    );
    assert_eq!(second, "      heartbeat  QuakeArena-1");
    assert!(lines.iter().all(|line| line.chars().count() <= 80), "{lines:?}");
    let narrow = self::lines(TimeDisplay::Relative, Some(80));
    assert!(narrow[0].ends_with(" heartbeat"), "{narrow:?}");
    assert_eq!(narrow[1], "      QuakeArena-1");
}
