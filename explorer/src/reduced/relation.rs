//! The labels of an automaton, and what has to be in a stubborn set with each of them.

use interpreter::{Access, Firing, Footprint, Guards, Label, TransitionSystem, Watch};
use ioa_lang::core::{ActionKind, Automaton, TransitionId};
use rustc_hash::FxHashMap;

use super::labels::{LabelId, Labels};
use crate::dpor::Independence;

/// A clause with more values for its parameters than this is one label, whatever these are.
const MOST_OF_CLAUSE: usize = 128;

/// If there would be more labels than this, each clause is one.
const MOST: usize = 512;

/// All labels of an automaton, and how they depend on each other.
#[derive(Debug)]
pub struct Relation {
    numbers: FxHashMap<Firing, LabelId>,
    /// For each clause, its label if it is a single one.
    whole: Vec<Option<LabelId>>,
    /// For each clause, whether the automaton controls it.
    local: Vec<bool>,
    labels: Vec<Node>,
    refined: u64,
}

/// What is known of a label.
#[derive(Debug)]
struct Node {
    /// The values of its parameters; none if they may have any.
    firing: Option<Firing>,
    /// Whether its steps choose nothing.
    is_single: bool,
    footprint: Footprint,
    /// Those that depend on it, and those that may make a conjunct of the formulas that are checked false that it may restore.
    companions: Labels,
    /// For each of its conditions, those that write what it reads.
    enabling: Vec<Labels>,
}

impl Relation {
    /// The labels of an automaton where the conjuncts of some formulas are asked about, given as watches behind those of the
    /// clauses.
    pub fn of(
        automaton: &Automaton,
        system: &mut impl TransitionSystem,
        guards: &mut Guards,
        (watches, mut independence): (&[Watch], Option<Box<dyn Independence + '_>>),
    ) -> Self {
        let clauses = automaton.transitions.len();
        let ids = || (0..clauses).map(TransitionId::at);
        let listed: Vec<_> = ids()
            .map(|clause| guards.firings(clause, MOST_OF_CLAUSE))
            .collect();
        let all: usize = listed.iter().flatten().map(Vec::len).sum();
        let mut relation = Self {
            numbers: FxHashMap::default(),
            whole: vec![None; clauses],
            local: ids()
                .map(|clause| automaton.action_of(clause).kind != ActionKind::Input)
                .collect(),
            labels: Vec::new(),
            refined: 0,
        };
        for (clause, firings) in ids().zip(listed) {
            match firings.filter(|_| all <= MOST) {
                Some(firings) => {
                    let is_single = !guards.has_choices(clause);
                    let firings = firings.into_iter();
                    firings.for_each(|firing| relation.add(firing, is_single, system));
                }
                None => relation.add_whole(clause, system),
            }
        }
        relation.relate(&mut independence);
        relation.note_enabling(guards);
        relation.note_formulas(watches, clauses, &mut independence);
        relation
    }

    fn add(&mut self, firing: Firing, is_single: bool, system: &mut impl TransitionSystem) {
        let footprint = system.footprint(&firing);
        self.numbers.insert(firing.clone(), self.labels.len());
        let node = Node::new(Some(firing), footprint);
        self.labels.push(Node { is_single, ..node });
    }

    /// Adds a clause as one label.
    fn add_whole(&mut self, clause: TransitionId, system: &mut impl TransitionSystem) {
        let any = Firing {
            transition: clause,
            params: Vec::new(),
            hidden: Vec::new(),
        };
        let footprint = system.footprint(&any).of_any_values();
        self.whole[clause.index()] = Some(self.labels.len());
        self.labels.push(Node::new(None, footprint));
    }

    /// Finds out which labels depend on which.
    fn relate(&mut self, independence: &mut Option<Box<dyn Independence + '_>>) {
        let none = Labels::none_of(self.len());
        let labels = self.labels.iter_mut();
        labels.for_each(|label| label.companions = none.clone());
        for one in 0..self.labels.len() {
            for other in 0..one {
                let [mine, theirs] = [&self.labels[one], &self.labels[other]];
                if mine.footprint.is_in_accord_with(&theirs.footprint) {
                    continue;
                }
                let asked = independence.as_mut().zip(mine.label()).zip(theirs.label());
                if asked.is_some_and(|((by, mine), theirs)| by.are_independent(&mine, &theirs)) {
                    self.refined += 1;
                    continue;
                }
                self.labels[one].companions.put(other);
                self.labels[other].companions.put(one);
            }
        }
    }

    /// Finds out which labels may make which conditions true.
    fn note_enabling(&mut self, guards: &mut Guards) {
        for label in 0..self.labels.len() {
            let Some(firing) = &self.labels[label].firing else {
                continue;
            };
            let reads = guards.reads(firing).into_iter();
            let enabling = reads.map(|reads| {
                let reads = |write: &Access| reads.iter().any(|read| write.overlaps(read));
                self.writers(&reads)
            });
            self.labels[label].enabling = enabling.collect();
        }
    }

    /// Finds out which labels may make conjuncts true, and which may make them false.
    fn note_formulas(
        &mut self,
        watches: &[Watch],
        first: usize,
        independence: &mut Option<Box<dyn Independence + '_>>,
    ) {
        for (conjunct, watch) in watches[first..].iter().enumerate() {
            let writers = self.writers(&|write| watch.depends_on_both(write, write));
            for writer in 0..self.len() {
                let asked = independence.as_mut().zip(self.labels[writer].label());
                let keeps = |(by, label): (&mut Box<dyn Independence + '_>, Label)| {
                    by.keeps(&label, first + conjunct)
                };
                if writers.has(writer) && !asked.is_some_and(keeps) {
                    self.labels[writer].companions.put_all(&writers);
                }
            }
        }
    }

    /// The labels that write something that is asked about.
    fn writers(&self, is_meant: &dyn Fn(&Access) -> bool) -> Labels {
        let mut writers = Labels::none_of(self.len());
        for (label, node) in self.labels.iter().enumerate() {
            if node.footprint.writes.iter().any(is_meant) {
                writers.put(label);
            }
        }
        writers
    }

    /// The label of a step.
    pub(super) fn label(&self, firing: &Firing) -> Option<LabelId> {
        let whole = self.whole[firing.transition.index()];
        whole.or_else(|| self.numbers.get(firing).copied())
    }

    /// How many labels there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.labels.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.labels.is_empty()
    }

    /// How many pairs of labels are independent though their footprints do not show it.
    #[must_use]
    pub fn refined(&self) -> u64 {
        self.refined
    }

    /// How many clauses there are.
    pub(super) fn clauses(&self) -> usize {
        self.whole.len()
    }

    /// Whether the automaton controls a clause.
    pub(super) fn is_local(&self, clause: usize) -> bool {
        self.local[clause]
    }

    /// The values of a label's parameters; none if they may have any.
    pub(super) fn firing(&self, label: LabelId) -> Option<&Firing> {
        self.labels[label].firing.as_ref()
    }

    /// The labels that have to be in a set with a label that is enabled.
    pub(super) fn companions(&self, label: LabelId) -> &Labels {
        &self.labels[label].companions
    }

    /// The labels that may make a condition of a label true.
    pub(super) fn enabling(&self, label: LabelId, condition: usize) -> &Labels {
        &self.labels[label].enabling[condition]
    }
}

impl Node {
    fn new(firing: Option<Firing>, footprint: Footprint) -> Self {
        Self {
            firing,
            is_single: false,
            footprint,
            companions: Labels::default(),
            enabling: Vec::new(),
        }
    }

    /// The label as something can be asked about it; none if there are others beside it that choose otherwise, or whose parameters
    /// have other values.
    fn label(&self) -> Option<Label> {
        let firing = self.firing.clone().filter(|_| self.is_single)?;
        let choices = Vec::new();
        Some(Label { firing, choices })
    }
}
