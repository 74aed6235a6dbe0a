//! What several families ask of challenges: that nobody can tell one, and that they do not last.

use std::time::Duration;

use crate::conform::{Datagram, Done, Failure, TestContext};

/// Numbers of eight servers that lie so close together count up; numbers of 31 bits do not.
const CLOSE: u64 = 100_000;

/// No challenge is that of another, and they do not count up.
pub fn cannot_be_told(challenges: &[(i64, Datagram)]) -> Done {
    let mut sorted = challenges.iter().collect::<Vec<_>>();
    sorted.sort_by_key(|(number, _)| *number);
    for pair in sorted.windows(2) {
        if let [(one, _), (other, heard)] = pair
            && one == other
        {
            let failure = Failure::new("challenges that differ", format!("{other} twice"));
            return Err(failure.field(heard, "challenge"));
        }
    }
    if let [(first, _), .., (last, heard)] = sorted.as_slice()
        && first.abs_diff(*last) < CLOSE
    {
        let came = format!("{} between {first} and {last}", sorted.len());
        let failure = Failure::new("challenges that cannot be told from each other", came);
        return Err(failure.field(heard, "challenge"));
    }
    Ok(())
}

/// A little longer than a time-out of the target: it may look for what is over now and then.
pub fn beyond(time: Duration) -> Duration {
    time + time / 4 + Duration::from_millis(50)
}

/// How long the target's challenges are valid; skipped where nobody has said so, for families whose
/// documents do not.
pub fn known_timeout(ctx: &TestContext<'_>) -> Result<Duration, Failure> {
    const SETTING: &str = "challenge-timeout";
    if ctx.assumed().is_given(SETTING) {
        return ctx.time(SETTING);
    }
    let why = "no document says how long a challenge is valid; --assume challenge-timeout=2s does";
    Err(Failure::skipped(why))
}

/// Skipped where the target is assumed to forget servers within this time.
pub fn keeps_longer(ctx: &TestContext<'_>, quiet: Duration) -> Done {
    let timeout = ctx.time("server-timeout")?;
    if timeout > quiet {
        return Ok(());
    }
    Err(Failure::skipped(format!("the target is assumed to forget servers after {timeout:?}")))
}

/// Texts that are all numbers, and near each other, count up; no others do.
pub fn texts_count_up<'a>(texts: impl Iterator<Item = &'a [u8]>) -> Done {
    let number = |text: &[u8]| std::str::from_utf8(text).ok()?.parse::<u64>().ok();
    let Some(numbers) = texts.map(number).collect::<Option<Vec<_>>>() else {
        return Ok(());
    };
    match (numbers.iter().min(), numbers.iter().max()) {
        (Some(first), Some(last)) if last - first < CLOSE => {
            let came = format!("{} between {first} and {last}", numbers.len());
            Err(Failure::new("challenges that cannot be told from each other", came))
        }
        _ => Ok(()),
    }
}
