//! Copies of a vocabulary, for what is given for its parameters.

use std::collections::BTreeMap;

use super::super::axioms::{self, Asked};
use super::Vocabulary;
use crate::check::instance::{Copier, Denotation, Embedding, Instance};
use crate::check::report::Report;
use crate::check::theories::{self, add_operator};
use crate::check::world::World;
use crate::core::{Assumed, Axiom, Function, Type};
use crate::source::Name;

/// A copy of a theory for what it is asked of: what its operators are.
pub(in crate::check) fn instantiate(
    asked: &Asked,
    world: &mut World,
    report: &mut Report,
) -> Option<Vec<Denotation>> {
    let (name, types) = &asked.key;
    let vocabulary = world.vocabularies.get_mut(name)?.take()?;
    let meant = vocabulary.copy(asked, types, world, report);
    world.vocabularies.insert(name.clone(), Some(vocabulary));
    meant
}

/// Makes the operators of a theory, and of the theories that it builds on, known where it was assumed.
pub(in crate::check) fn make_known(
    asked: &Asked,
    meant: &[Denotation],
    world: &mut World,
    report: &mut Report,
) -> Option<()> {
    let (name, types) = &asked.key;
    let Some(vocabulary) = world.vocabularies.get_mut(name).and_then(Option::take) else {
        return Some(());
    };
    for meant in meant {
        if let Denotation::Function(id) = meant {
            add_operator(*id, asked.namespace, world);
        }
    }
    let included = vocabulary.included(asked, types, world, report);
    world.vocabularies.insert(name.clone(), Some(vocabulary));
    included.map(|_| ())
}

impl Vocabulary {
    /// The instance of its parameters and of the theories it builds on, which are assumed with it.
    fn included(
        &self,
        asked: &Asked,
        types: &[Type],
        world: &mut World,
        report: &mut Report,
    ) -> Option<Instance> {
        let mut instance = Instance {
            sorts: self
                .params
                .iter()
                .copied()
                .zip(types.iter().cloned())
                .collect(),
            functions: BTreeMap::new(),
        };
        for ((name, types), operators) in &self.includes {
            let types = types.iter().map(|ty| instance.ty(ty)).collect();
            let included = Asked {
                key: (name.clone(), types),
                ..*asked
            };
            let meant = theories::suppose(&included, world, report)?;
            for (old, new) in operators.iter().zip(meant) {
                if let Denotation::Function(old) = old {
                    instance.functions.insert(*old, new);
                }
            }
        }
        Some(instance)
    }

    fn copy(
        &self,
        asked: &Asked,
        types: &[Type],
        world: &mut World,
        report: &mut Report,
    ) -> Option<Vec<Denotation>> {
        let mut instance = self.included(asked, types, world, report)?;
        let mut meant = Vec::new();
        for operator in &self.operators {
            let function = &operator.function;
            let copy = Function {
                params: function.params.iter().map(|ty| instance.ty(ty)).collect(),
                result: instance.ty(&function.result),
                ..function.clone()
            };
            let id = axioms::declare(world, asked.origin(), copy);
            world.function_declarations.insert(id, operator.declaration);
            let new = Denotation::Function(id);
            instance.functions.insert(operator.id, new.clone());
            meant.push(new);
        }
        for axiom in &self.axioms {
            let mut locals = Vec::new();
            let mut copier = Copier {
                embedding: Embedding::stateless(&instance),
                source: &axiom.locals,
                target: &mut locals,
                values: BTreeMap::new(),
            };
            let formula = copier.expr(&axiom.formula);
            let axiom = Axiom {
                name: Name::from(format!("{}.{}", asked.written(world), axiom.name)),
                assumed: Assumed::default(),
                locals,
                formula,
                describes: None,
                span: axiom.span,
            };
            axioms::state(world, asked.origin(), axiom);
        }
        Some(meant)
    }
}
