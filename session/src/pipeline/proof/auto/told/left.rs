//! What is told where a search has ended without a proof: the lemmas that are established, the counterexamples to induction that
//! remain although these hold, and the candidates.
//!
//! A counterexample that an established lemma excludes shows nothing any more. So the lemmas that are inductive together are proved
//! first, and the goals are asked about again with these assumed. Where everything is to stop, that may take a moment, and no
//! longer.

use std::collections::BTreeSet;
use std::time::Duration;

use ioa_lang::core::Invariant;
use prover_bridge::Options;

use super::super::effort::{ASIDE, PATIENCE, SIFTING};
use super::super::needed::Graph;
use super::super::sorting::sort;
use super::{Attempt, Found, SHORT, Telling, Written, distinct, free_numbered};
use crate::finding::{Finding, Kind, Verdict};
use crate::host::{Briefly, Stopwatch};
use crate::pipeline::proof::request::Request;
use crate::setup::Setup;
use crate::study::BadInput;

/// Seconds for the last questions where everything is to stop: which lemmas are established, and then what remains.
const MOMENT: f64 = 1.5;

impl Telling<'_> {
    /// What is told where no lemmas were found with which the goals are proved; `plain` is what is proved without any.
    ///
    /// # Errors
    /// What is wrong with the request.
    pub(in super::super) fn open(
        &self,
        mut attempt: Attempt,
        setup: &Setup,
        plain: Vec<Finding>,
    ) -> Result<Found, BadInput> {
        let lemmas = distinct(&self.study.model, &attempt.lemmas);
        if self.host.stopped().is_none()
            && let Some(found) = self.proved_at_last(&attempt, &lemmas)?
        {
            return Ok(found);
        }
        let (established, candidates) = self.parted(lemmas);
        let nothing = Graph::new();
        let mut written = self.written(&established, &nothing);
        let findings = self.left(&written, setup, plain)?;
        let names = free_numbered(&self.study.model, "Candidate");
        written.extend(self.written_as(names, &candidates, &nothing));
        attempt
            .remains
            .retain(|obstacle| !obstacle.is_shown_by(&findings));
        let mut found = self.found(&attempt, &written, findings);
        let command = self.command();
        for finding in &mut found.findings {
            if finding.replay.is_some() && finding.verdict != Verdict::Violated {
                finding.replay = Some(command.clone());
            }
        }
        Ok(found)
    }

    /// What is told where the ordinary proof shows what the searches could not show in their time: that the goals are proved with all of
    /// these lemmas.
    fn proved_at_last(
        &self,
        attempt: &Attempt,
        lemmas: &[Invariant],
    ) -> Result<Option<Found>, BadInput> {
        let written = self.written(lemmas, &Graph::new());
        let findings = self.ordinary_proof(&written, self.brief(self.budget / 3.0, SHORT))?;
        if findings.iter().any(|f| f.verdict != Verdict::Proved) {
            return Ok(None);
        }
        let stop = || self.host.stopped().is_some();
        let options = Options {
            timeout: PATIENCE,
            resource_limit: self.work,
            threads: self.request.threads,
            stop: Some(&stop),
            ..Options::default()
        };
        let proved = self.proved(attempt, &options)?;
        Ok(proved.map(|(found, lemmas)| {
            self.remember(&lemmas);
            found
        }))
    }

    /// The lemmas that are inductive together, and the others.
    fn parted(&self, lemmas: Vec<Invariant>) -> (Vec<Invariant>, Vec<Invariant>) {
        let watch = Stopwatch::start(self.host);
        let stop = || watch.seconds() > self.seconds_left();
        let options = Options {
            timeout: Duration::from_secs_f64(self.seconds_left()),
            resource_limit: SIFTING,
            threads: self.request.threads,
            stop: Some(&stop),
            ..Options::default()
        };
        let established: BTreeSet<String> = (self.goals.automata.iter())
            .flat_map(|automaton| {
                let own = lemmas.iter().filter(|lemma| lemma.automaton == *automaton);
                let own = own.cloned().collect();
                self.goals.inductive_among(*automaton, own, &options)
            })
            .map(|lemma| lemma.name.to_string())
            .collect();
        let is_established = |lemma: &Invariant| established.contains(&*lemma.name);
        lemmas.into_iter().partition(is_established)
    }

    /// What remains of the goals with these lemmas, which are established; what is proved without any, where nothing could be found out
    /// about that.
    fn left(
        &self,
        established: &[Written],
        setup: &Setup,
        plain: Vec<Finding>,
    ) -> Result<Vec<Finding>, BadInput> {
        if self.host.stopped().is_none() {
            let findings = self.sorted(established, setup)?;
            // Otherwise it did not come to its end.
            if self.host.stopped().is_none() {
                return Ok(findings);
            }
        }
        let findings = self.in_a_moment(established)?;
        let is_lemma = |f: &&Finding| {
            f.kind == Kind::Invariant && established.iter().any(|lemma| lemma.name() == f.name)
        };
        let mut lemmas = findings.iter().filter(is_lemma);
        Ok(match lemmas.any(|f| f.verdict == Verdict::Proved) {
            true => findings,
            false => plain,
        })
    }

    /// The ordinary proof with these lemmas, with what small instances show of the counterexamples.
    fn sorted(&self, established: &[Written], setup: &Setup) -> Result<Vec<Finding>, BadInput> {
        let seconds = self.seconds_left();
        let briefly = Briefly::new(self.host, seconds.max(ASIDE));
        let request = self.brief(seconds, SHORT);
        self.proof(established, request, &|study, request, report| {
            sort((study, setup), request, &report.outcomes, &briefly)
        })
    }

    /// The ordinary proof with these lemmas, as far as it comes in a moment, even if everything is to stop. Without lemmas there is
    /// nothing new to ask.
    fn in_a_moment(&self, established: &[Written]) -> Result<Vec<Finding>, BadInput> {
        if established.is_empty() {
            return Ok(Vec::new());
        }
        let host = &Briefly::to_the_end(self.host, MOMENT);
        let request = self.brief(MOMENT, SHORT);
        let request = Request {
            timeout: request.timeout.min(Duration::from_secs_f64(MOMENT)),
            ..request
        };
        Telling { host, ..*self }.ordinary_proof(established, request)
    }

    /// Seconds for each of the last questions.
    fn seconds_left(&self) -> f64 {
        match self.host.stopped() {
            Some(_) => MOMENT,
            None => self.budget / 3.0,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use interpreter::Cancel;
    use ioa_lang::core::{AutomatonId, Extent};

    use super::super::super::goals::Goals;
    use super::*;
    use crate::host::{Alarm, Host, Progress, Silent, Stop};
    use crate::study::{Formula, Study};

    /// The sum is never negative, since neither of two numbers is.
    const SUMS: &str = "\
automaton Sums
  signature internal first, second, addFirst, addSecond
  states n: Int := 0, k: Int := 0, sum: Int := 0
  transitions
    internal first
      eff n := n + 1
    internal second
      eff k := k + 1
    internal addFirst
      eff sum := sum + n
    internal addSecond
      eff sum := sum + k
invariant NeverLess of Sums: sum >= 0
";

    /// Nobody comes in while somebody is inside, which nothing excludes that is stated.
    const ROOM: &str = "\
type Guest
automaton Room
  signature internal knock(g: Guest), enter(g: Guest), leave(g: Guest)
  states invited: Set[Guest] := {}, inside: Set[Guest] := {}
  transitions
    internal knock(g)
      pre inside = {} /\\ invited = {}
      eff invited := insert(g, invited)
    internal enter(g)
      pre g \\in invited
      eff invited := delete(g, invited); inside := insert(g, inside)
    internal leave(g)
      eff inside := delete(g, inside)
invariant Alone of Room: \\A g: Guest \\A h: Guest (g \\in inside /\\ h \\in inside => g = h)
";

    /// Somebody who has interrupted what goes on.
    struct Interrupted;

    impl Host for Interrupted {
        fn now(&self) -> Duration {
            Duration::ZERO
        }

        fn begins(&self, work: &str, pieces: Option<u64>) -> Box<dyn Progress> {
            Silent.begins(work, pieces)
        }

        fn warns(&self, _: &str) {}

        fn stopped(&self) -> Option<Stop> {
            Some(Stop::Interrupted)
        }

        fn cancels(&self, time: Option<Duration>, cancel: &Arc<Cancel>) -> Box<dyn Alarm> {
            Silent.cancels(time, cancel)
        }

        fn spare_memory(&self) -> u64 {
            Silent.spare_memory()
        }
    }

    /// What is told for a host after a search that has found these lemmas.
    fn told(text: &str, lemmas: &[&str], host: &dyn Host) -> Found {
        let study = Study::of_text(text);
        let request = Request::by_induction(Vec::new(), 1);
        let goals = Goals::of(&study, &request);
        let named = lemmas.iter().map(|text| Formula {
            place: "a lemma",
            name: text,
            text,
        });
        let about = (AutomatonId::at(0), Extent::EverySize);
        let (_, lemmas) = study.formulas(about, named).expect("formulas");
        let attempt = Attempt {
            lemmas,
            ..Attempt::default()
        };
        let telling = Telling {
            study: &study,
            goals: &goals,
            request: &request,
            started: Stopwatch::start(host),
            budget: 30.0,
            work: SHORT,
            host,
        };
        let setup = Setup::default();
        let first = Telling {
            host: &Silent,
            ..telling
        };
        let plain = first.without_lemmas(&setup).expect("a proof");
        telling.open(attempt, &setup, plain).expect("a report")
    }

    fn named<'f>(found: &'f Found, name: &str) -> Option<&'f Finding> {
        found.findings.iter().find(|finding| finding.name == name)
    }

    /// Which obligations of a goal are not established.
    fn open(found: &Found, goal: &str) -> Vec<String> {
        let goal = named(found, goal).expect("the goal");
        assert_eq!(goal.verdict, Verdict::Refuted);
        let stories = goal.stories.iter();
        stories.map(|story| story.headline.clone()).collect()
    }

    #[test]
    fn an_interrupted_search_tells_what_is_possible_with_the_lemmas_that_are_established() {
        let first = "Sums.NeverLess / addFirst is not established";
        let second = "Sums.NeverLess / addSecond is not established";
        let found = told(SUMS, &[], &Interrupted);
        assert_eq!(open(&found, "NeverLess"), [first, second]);
        // No counterexample that is left has a negative number there.
        let found = told(SUMS, &["n >= 0", "k ~= 0 - 1"], &Interrupted);
        let lemma = named(&found, "Lemma1").expect("a proof of the lemma");
        assert_eq!(lemma.verdict, Verdict::Proved);
        assert_eq!(open(&found, "NeverLess"), [second]);
    }

    #[test]
    fn what_is_not_established_is_a_candidate() {
        for host in [&Silent as &dyn Host, &Interrupted] {
            let found = told(SUMS, &["k ~= 0 - 1", "n >= 0"], host);
            let proved = "% proved\ninvariant Lemma1 of Sums: 0 <= n\n";
            assert!(found.text.contains(proved), "{}", found.text);
            let candidate = "and is not proved\ninvariant Candidate1 of Sums: k ~= ";
            assert!(found.text.contains(candidate), "{}", found.text);
            assert!(
                named(&found, "Candidate1").is_none(),
                "{:?}",
                found.findings
            );
            let search = named(&found, "for NeverLess").expect("a row about the lemmas");
            assert!(
                search.summary.starts_with("1 lemma and 1 candidate: "),
                "{}",
                search.summary
            );
        }
    }

    #[test]
    fn a_counterexample_that_remains_says_whether_its_state_is_reached() {
        let found = told(ROOM, &[], &Silent);
        let goal = named(&found, "Alone").expect("the goal");
        assert_eq!(goal.verdict, Verdict::Refuted);
        let notes = goal.stories[0].notes.join("; ");
        assert!(
            notes.contains("no execution reaches the first state"),
            "{notes}"
        );
        assert!(!notes.contains("Either an execution does"), "{notes}");
    }
}
