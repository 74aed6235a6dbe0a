//! Judging a master: the reference master passes what its games owe, whatever is run beside it,
//! and every defect of its is found.

use fragshark::conform::cases::{FAMILIES, profiles};
use fragshark::conform::{Assumed, Chosen, Judged, Plan, Profile, Venue, run};
use fragshark::master::{Config, Defect, Running, Settings};
use fragshark::report::Verdict;

/// A master in this process, and what is known of it.
struct Bench {
    venue: Venue,
    _running: Running,
}

impl Bench {
    fn new(settings: &str, defect: Option<Defect>) -> Self {
        let mut of = Settings::default();
        of.set_all(settings).unwrap();
        if let Some(defect) = defect {
            of.defects = of.defects.with(defect);
        }
        let config = Config { settings: of, ..Config::default().anywhere() };
        let running = Running::start(config).unwrap();
        let assumed = Assumed::read(settings).unwrap();
        let venue = Venue::of(running.addresses(), assumed).unwrap();
        Self { venue, _running: running }
    }

    fn judge(&self, profile: &Profile) -> Vec<Judged> {
        let cases = Chosen::new(FAMILIES, Some(profile), &[]).unwrap().cases;
        let plan = Plan { cases, strict: true, ..Plan::default() };
        run(&plan, &self.venue, &|_| {})
    }
}

#[test]
fn the_reference_master_passes_what_it_owes() {
    for profile in profiles() {
        let judged = Bench::new(profile.assumes, None).judge(profile);
        assert!(!judged.is_empty(), "{}", profile.name);
        for case in judged {
            let good = matches!(case.verdict, Verdict::Pass | Verdict::Info | Verdict::Skipped);
            assert!(good, "{}: {:?}: {}", profile.name, case.case, case.text);
            eprintln!("{:?} {:?} {:?} {}", case.case, case.verdict, case.took, case.text);
        }
    }
}
