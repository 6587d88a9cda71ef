//! The labels of an automaton, and what has to be in a stubborn set with each of them.

use interpreter::{
    Access, Firing, Footprint, Guards, Known, Label, Part, State, TransitionSystem, Watch,
};
use ioa_lang::core::{ActionKind, Automaton, TransitionId};
use rustc_hash::FxHashMap;

use super::labels::{LabelId, Labels};
use crate::dpor::Independence;

/// A clause has no more labels than this: where its parameters have more values, those of some are left open.
const MOST_OF_CLAUSE: usize = 128;

/// There are no more labels than this, unless there are more clauses.
const MOST: usize = 512;

/// All labels of an automaton, and how they depend on each other.
#[derive(Debug)]
pub struct Relation {
    numbers: FxHashMap<Known, LabelId>,
    /// For each clause, which of its parameters labels tell apart.
    masks: Vec<Vec<bool>>,
    /// For each clause, whether the automaton controls it.
    local: Vec<bool>,
    labels: Vec<Node>,
    /// The conjuncts of the formulas that are checked.
    conjuncts: Vec<Conjunct>,
    refined: u64,
}

/// A conjunct of a formula that is checked.
#[derive(Debug)]
struct Conjunct {
    /// What it reads.
    part: Part,
    /// The labels that may change its value.
    writers: Labels,
}

/// What is known of a label.
#[derive(Debug)]
struct Node {
    /// The values of its parameters, as far as it says them.
    known: Known,
    /// The only label of a step that it stands for, if that chooses nothing.
    only: Option<Label>,
    footprint: Footprint,
    /// Those that depend on it.
    companions: Labels,
    /// Whether some labels are independent of it though its footprint does not show it.
    is_refined: bool,
    /// The conjuncts that it may restore.
    restored: Conjuncts,
    /// For each of its conditions, those that write what it reads.
    enabling: Vec<Labels>,
    /// All of these, and its companions.
    related: Labels,
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
        let controls = |clause| automaton.action_of(clause).kind != ActionKind::Input;
        let mut relation = Self {
            numbers: FxHashMap::default(),
            masks: Vec::new(),
            local: ids().map(controls).collect(),
            labels: Vec::new(),
            conjuncts: Vec::new(),
            refined: 0,
        };
        for labels in listed(clauses, guards) {
            relation
                .masks
                .push(labels.first().map_or_else(Vec::new, Known::mask));
            labels
                .into_iter()
                .for_each(|known| relation.add(known, guards, system));
        }
        relation.relate(&mut independence);
        relation.note_enabling(guards);
        relation.note_formulas((watches, clauses), guards, &mut independence);
        relation.note_related();
        relation
    }

    fn add(&mut self, known: Known, guards: &Guards, system: &mut impl TransitionSystem) {
        let mut footprint = system.footprint_of(&known);
        // Where nothing is known of its conditions, nothing is known of what it takes from that is not empty.
        if !guards.knows(known.transition) {
            footprint.takes.clear();
        }
        self.numbers.insert(known.clone(), self.labels.len());
        self.labels.push(Node {
            only: only(&known, guards),
            known,
            footprint,
            companions: Labels::default(),
            is_refined: false,
            restored: 0,
            enabling: Vec::new(),
            related: Labels::default(),
        });
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
                let labels = mine.only.as_ref().zip(theirs.only.as_ref());
                let asked = independence.as_mut().zip(labels);
                if asked.is_some_and(|(by, (mine, theirs))| by.are_independent(mine, theirs)) {
                    self.refined += 1;
                    self.labels[one].is_refined = true;
                    self.labels[other].is_refined = true;
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
            let reads = guards.reads(&self.labels[label].known).into_iter();
            let enabling = reads.map(|reads| {
                self.writers(&|node, write| {
                    let is_append = node.footprint.appends.contains(write);
                    let mut reads = reads.iter().filter(|read| write.overlaps(&read.access));
                    reads.any(|read| !(is_append && read.is_at_front))
                })
            });
            self.labels[label].enabling = enabling.collect();
        }
    }

    /// Finds out which labels may make conjuncts true, and which may make them false.
    fn note_formulas(
        &mut self,
        (watches, first): (&[Watch], usize),
        guards: &Guards,
        independence: &mut Option<Box<dyn Independence + '_>>,
    ) {
        for (conjunct, watch) in watches[first..].iter().enumerate() {
            let writers = self.writers(&|_, write| watch.depends_on_both(write, write));
            for writer in 0..self.len() {
                let asked = independence.as_mut().zip(self.labels[writer].only.as_ref());
                let keeps = |(by, label): (&mut Box<dyn Independence + '_>, &Label)| {
                    by.keeps(label, first + conjunct)
                };
                if writers.has(writer) && !asked.is_some_and(keeps) {
                    self.labels[writer].restored |= bit(conjunct);
                }
            }
            let part = guards.part(watch);
            self.conjuncts.push(Conjunct { part, writers });
        }
    }

    /// Collects all that may enable a label or depends on it.
    fn note_related(&mut self) {
        for label in &mut self.labels {
            label.related = label.companions.clone();
            for enabling in &label.enabling {
                label.related.put_all(enabling);
            }
        }
    }

    /// The labels that write something that is asked about.
    fn writers(&self, is_meant: &dyn Fn(&Node, &Access) -> bool) -> Labels {
        let mut writers = Labels::none_of(self.len());
        for (label, node) in self.labels.iter().enumerate() {
            let mut writes = node.footprint.writes.iter();
            if writes.any(|write| is_meant(node, write)) {
                writers.put(label);
            }
        }
        writers
    }

    /// The label of a step.
    pub(super) fn label(&self, firing: &Firing) -> Option<LabelId> {
        let mask = &self.masks[firing.transition.index()];
        self.numbers.get(&Known::of(firing, mask)).copied()
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
        self.masks.len()
    }

    /// Whether the automaton controls a clause.
    pub(super) fn is_local(&self, clause: usize) -> bool {
        self.local[clause]
    }

    /// What a label says of a step.
    pub(super) fn known(&self, label: LabelId) -> &Known {
        &self.labels[label].known
    }

    /// The labels that have to be in a set with a label that is enabled.
    pub(super) fn companions(&self, label: LabelId) -> &Labels {
        &self.labels[label].companions
    }

    /// The labels that may make a condition of a label true.
    pub(super) fn enabling(&self, label: LabelId, condition: usize) -> &Labels {
        &self.labels[label].enabling[condition]
    }

    /// The conjuncts that a step may restore, also after steps that are independent of it: it changes the same then, so that what it
    /// reads but does not change here does not matter.
    pub(super) fn restored(&self, label: LabelId, before: &State, after: &State) -> Conjuncts {
        let Node {
            restored,
            is_refined,
            ..
        } = self.labels[label];
        // Steps that commute for other reasons than what they read and write may let it change something else.
        if restored == 0 || is_refined {
            return restored;
        }
        let changed = self.conjuncts.iter().enumerate().filter(|(at, conjunct)| {
            restored & bit(*at) != 0 && !conjunct.part.is_equal_in(before, after)
        });
        changed.fold(0, |all, (at, _)| all | bit(at))
    }

    /// The labels that may change the values of conjuncts.
    pub(super) fn put_writers(&self, of: Conjuncts, writers: &mut Labels) {
        for (at, conjunct) in self.conjuncts.iter().enumerate() {
            if of & bit(at) != 0 {
                writers.put_all(&conjunct.writers);
            }
        }
    }

    /// The labels that depend on a label or may make a condition of it true.
    pub(super) fn related(&self, label: LabelId) -> &Labels {
        &self.labels[label].related
    }
}

/// Conjuncts, as bits: the last stands for all that have no bit of their own.
pub(super) type Conjuncts = u64;

/// The bit of a conjunct.
fn bit(conjunct: usize) -> Conjuncts {
    1 << conjunct.min(Conjuncts::BITS as usize - 1)
}

/// The labels of each clause: as many as it may have, or fewer if there would be too many.
fn listed(clauses: usize, guards: &mut Guards) -> Vec<Vec<Known>> {
    let mut most = MOST_OF_CLAUSE;
    loop {
        let ids = (0..clauses).map(TransitionId::at);
        let listed: Vec<Vec<Known>> = ids.map(|clause| guards.listed(clause, most)).collect();
        if most == 1 || listed.iter().map(Vec::len).sum::<usize>() <= MOST {
            return listed;
        }
        most /= 2;
    }
}

/// The only label of a step that has these parameters; none if there are others that choose otherwise, or have other parameters.
fn only(known: &Known, guards: &Guards) -> Option<Label> {
    let is_single = !guards.has_choices(known.transition);
    let firing = guards.firing(known).filter(|_| is_single)?;
    let choices = Vec::new();
    Some(Label { firing, choices })
}
