//! What a search finds: all text that is shown, cell by cell.

use super::user::User;

fn tour() -> User {
    User::on(include_bytes!("../../../../captures/tour.pcapng").as_slice().into(), (100, 30))
}

#[test]
fn the_details_of_a_row_are_searched() {
    let mut user = tour();
    user.keys("3<Tab>/heartbeat<Enter>");
    assert!(!user.screen().contains("not found"), "{}", user.screen());
    let first = user.marks();
    assert!(first.contains("heartbeat"), "{first}");
    assert!(user.screen().contains("1 of 6 servers"), "{}", user.screen());
    let second = user.keys("n").marks();
    assert!(second.contains("heartbeat") && second != first, "{second}");
    for _ in 0..20 {
        user.keys("n");
    }
    user.keys("/nowhere");
    assert!(user.screen().contains("not found in these details: nowhere"), "{}", user.screen());
    // In the rows, other servers are found.
    user.keys("<Esc><Esc>g/192.0.2.12<Enter>");
    assert!(!user.screen().contains("1 of 6 servers"), "{}", user.screen());
}

#[test]
fn a_regular_expression_begins_and_ends_with_a_cell() {
    for (screen, regex, place) in [
        ("1", "^heartbeat$", "1 of 27 messages"),
        ("1jj", "^192", "3 of 27 messages"),
        ("1", "^17$", " of 27 messages"),
        // In two cells.
        ("1", "quake3 getmotd version", "4 of 27 messages"),
        ("2", "^query$", "of 13 exchanges"),
    ] {
        let mut user = tour();
        user.keys(screen).keys("/<Tab>").keys(regex).keys("<Enter>");
        assert!(!user.screen().contains("not found"), "{regex}: {}", user.screen());
        assert!(user.screen().contains(place), "{regex}: {}", user.screen());
    }
    let mut user = tour();
    assert!(user.keys("/<Tab>^eartbeat").screen().contains("not found"), "{}", user.screen());
}

#[test]
fn times_are_searched_as_they_are_shown() {
    let mut user = tour();
    assert!(user.keys("/0.0312<Enter>").screen().contains("2 of 27"), "{}", user.screen());
    user.keys("t/20:00:07.26<Enter>");
    assert!(user.screen().contains("4 of 27"), "{}", user.screen());
    assert!(user.keys("6g/20:00:07.26<Enter>").screen().contains("4 of 27"), "{}", user.screen());
}

#[test]
fn a_search_that_goes_around_the_end_says_so() {
    for screen in ["1", "6"] {
        let mut user = tour();
        user.keys(screen).keys("g/heartbeat<Enter>N");
        let screen = user.screen();
        assert!(screen.contains("the search continued at the last row"), "{screen}");
        let screen = user.keys("n").screen();
        assert!(screen.contains("the search continued at the first row"), "{screen}");
        assert!(screen.contains("1 of 27 messages"), "{screen}");
        let screen = user.keys("n").screen();
        assert!(!screen.contains("the search continued"), "{screen}");
    }
    let mut user = tour();
    let screen = user.keys("/0.0312<Enter>n").screen();
    assert!(screen.contains("no other row has this"), "{screen}");
}
