//! Stages that cannot be run, because something has too many values to try, though it can be proved: the whole job says so of
//! such a stage, and goes on to the next.

use ioa_lang::core::AutomatonId;
use ioa_lang::diagnostic::Code;

use crate::finding::{Finding, Kind, Scope, Verdict};
use crate::instances::Instances;
use crate::study::{BadInput, Study};

/// A stage, as far as it is told where it cannot be run.
pub(in crate::pipeline) struct Unrun<'a> {
    /// What it would have answered.
    pub(in crate::pipeline) kind: Kind,
    /// Under which name.
    pub(in crate::pipeline) name: &'a str,
    /// The automata that it runs, at least one.
    pub(in crate::pipeline) automata: &'a [AutomatonId],
}

impl Unrun<'_> {
    /// An answer or, where it was refused because something cannot be enumerated, what is said instead of it.
    ///
    /// # Errors
    /// Any other refusal; among these, that something has no size or does not fit what it is put into.
    pub(in crate::pipeline) fn or_told<T>(
        &self,
        answer: Result<T, BadInput>,
        (study, instances): (&Study, &Instances<'_>),
    ) -> Result<Result<T, Box<Finding>>, BadInput> {
        match answer {
            Ok(answer) => Ok(Ok(answer)),
            Err(bad) if self.is_excused(&bad, instances)? => {
                let scope = match self.automata.first() {
                    Some(id) => study.scope(instances.each(*id)?.of_run(0).1),
                    None => Scope::UNBOUNDED,
                };
                Ok(Err(Box::new(self.told(study, scope, &bad))))
            }
            Err(bad) => Err(bad),
        }
    }

    /// Whether nothing is the matter but that values cannot be tried.
    fn is_excused(&self, bad: &BadInput, instances: &Instances<'_>) -> Result<bool, BadInput> {
        let mut codes = bad.diagnostics.iter().map(|diagnostic| diagnostic.code);
        if bad.diagnostics.is_empty()
            || !bad.messages.is_empty()
            || codes.any(|code| code != Code::CannotRun)
        {
            return Ok(false);
        }
        for automaton in self.automata {
            let each = instances.each(*automaton)?;
            if each.of_run(0).1.unmet(*automaton).next().is_some() {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn told(&self, study: &Study, scope: Scope, bad: &BadInput) -> Finding {
        let subject = self.automata.first();
        let subject = subject.map_or("", |id| &*study.model.automaton(*id).name);
        let mut finding = Finding::new(self.kind, self.name, subject, Verdict::Unknown, scope);
        let reasons = bad.diagnostics.iter();
        let reasons: Vec<String> = reasons
            .map(|why| {
                let place = bad.sources.location(why.span);
                format!("{} (at {place})", why.message)
            })
            .collect();
        finding.summary = format!("not run: {}", reasons.join("; "));
        finding
    }
}
