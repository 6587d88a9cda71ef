//! Types as written, resolved to types of the core.

use crate::check::report::{Report, wrong_number};
use crate::check::world::World;
use crate::core::{CONSTRUCTORS, Type, constructor_named};
use crate::diagnostic::{Code, Diagnostic};
use crate::syntax::ast::TypeExpr;

/// How many constructors and names a type may consist of once its aliases and tuples are replaced by what they stand for:
/// aliases of aliases, and tuples of tuples, can double at each step.
pub(in crate::check) const TYPE_SIZE_LIMIT: usize = 256;

/// Whether the language itself gives this type name a meaning.
pub(in crate::check) fn is_reserved(name: &str) -> bool {
    constructor_named(name).is_some()
}

impl World {
    /// The type that a type expression names; what is wrong with it is reported once.
    pub(in crate::check) fn resolve(
        &self,
        written: &TypeExpr,
        report: &mut Report,
    ) -> Option<Type> {
        let ty = self.resolve_part(written, report)?;
        if self.size(&ty) <= TYPE_SIZE_LIMIT {
            return Some(ty);
        }
        report.add(
            Diagnostic::error(Code::LargeType, written.span, "this type is too large").label(
                format!("it has more than {TYPE_SIZE_LIMIT} parts once its names are replaced"),
            ),
        );
        None
    }

    /// Constructors and names in a type, those of its tuples included.
    pub(in crate::check) fn size(&self, ty: &Type) -> usize {
        match ty {
            Type::Tuple(id) => self.tuple_sizes[id.index()],
            Type::Union(id) => self.union_sizes[id.index()],
            other => {
                1 + other
                    .args()
                    .into_iter()
                    .map(|ty| self.size(ty))
                    .sum::<usize>()
            }
        }
    }

    fn resolve_part(&self, written: &TypeExpr, report: &mut Report) -> Option<Type> {
        let args: Vec<Option<Type>> = written
            .args
            .iter()
            .map(|arg| self.resolve_part(arg, report))
            .collect();
        let arity = self.arity(written, report)?;
        let constructor = constructor_named(&written.name.name);
        let fits = match constructor {
            Some(constructor) => constructor.takes(args.len()),
            None => args.len() == arity,
        };
        if !fits {
            let what = format!("`{}`", written.name.name);
            let found = wrong_number(written.span, &what, "type", arity, args.len());
            // The name alone may be the name of a user's type that could not be declared.
            match args.is_empty() {
                true => report.add_absence(&written.name.name, found),
                false => report.add(found),
            }
            return None;
        }
        let args = args.into_iter().collect::<Option<Vec<Type>>>()?;
        let name = &*written.name.name;
        if let Some(constructor) = constructor {
            return constructor.apply(&args);
        }
        let parameter = self.parameter_sort(name).map(Type::Sort);
        parameter.or_else(|| self.types.get(name).cloned().flatten())
    }

    fn arity(&self, written: &TypeExpr, report: &mut Report) -> Option<usize> {
        let name = &*written.name.name;
        if let Some(constructor) = constructor_named(name) {
            return Some(constructor.arity);
        }
        if let Some(sort) = self.parameter_sort(name) {
            if let Some(declaration) = self.sort_declarations.get(&sort) {
                report.mark_used(*declaration);
            }
            return Some(0);
        }
        if self.types.contains_key(name) {
            report.mark_type_used(&written.name.name);
            return Some(0);
        }
        if name.is_empty() {
            return None; // A syntax error stands here, and was reported.
        }
        let built_in = CONSTRUCTORS.iter().map(|built_in| built_in.name);
        let declared = self.types.keys().map(|name| &**name);
        let declared = declared.chain(self.known_types());
        let diagnostic = report.unknown("type", &written.name, built_in.chain(declared));
        report.add_absence(name, diagnostic);
        None
    }
}
