//! Random compositions: families of components with conditions, several components of one automaton, compositions of
//! compositions, hidden actions.
//!
//! Each comes with an automaton whose clauses say which components exist, so that the meaning of the composition can be
//! computed from the components alone.

mod component;

use self::component::{ComponentDraft, SHARED, declared};
use super::choices::Choices;
use super::constructs::types::Ty;
use super::explorable::{Model, Visited, constants, header};
use super::{Draft, Generator, Names, formals};

/// A generated composition.
#[derive(Clone, Debug)]
pub struct Composite {
    /// The text, in which the composition is called `Sys`.
    pub model: Model,
    /// Its components.
    pub instances: Vec<Instance>,
}

/// Components of one automaton that form a family.
#[derive(Clone, Debug)]
pub struct Instance {
    /// The automaton, which is not a composition.
    pub automaton: String,
    /// The action of `Probe` that is enabled for the indices and parameters for which there is a component.
    pub probe: String,
    /// The action of `Probe` that is enabled for the indices of components that break the condition of the automaton.
    pub illegal: String,
    /// How many of the parameters of `probe` are indices.
    pub indices: usize,
}

/// Some components.
struct Member {
    name: String,
    indices: Names,
    /// The position of the automaton.
    part: usize,
    actuals: Vec<String>,
    condition: Option<String>,
}

/// The composition of a draft, as text, with its twin.
#[must_use]
pub fn composite(draft: &Draft) -> Composite {
    let head = draft.first().map_or(&[][..], Vec::as_slice);
    let mut g = Generator::by(Choices::listed(head), false);
    g.determined = true;
    g.bounded = true;
    g.twins = true;
    let nodes = g.pick(&[1, 3, 2]);
    let nested = g.once_in(3);
    let parts = draft.get(1..).unwrap_or_default();
    let (first, second) = parts.split_at(parts.len().min(SHARED.len()).min(1 + parts.len() / 2));
    let numbers = 0..first.len().max(1);
    let parts: Vec<ComponentDraft> = numbers
        .map(|n| {
            g.rng = Choices::listed(first.get(n).map_or(&[][..], Vec::as_slice));
            g.composed_part(n)
        })
        .collect();
    let mut members = Vec::new();
    for n in 0..second.len().max(parts.len()) {
        let part = n % parts.len();
        if n >= parts.len() && parts[part].controls() {
            continue;
        }
        g.rng = Choices::listed(second.get(n).map_or(&[][..], Vec::as_slice));
        let member = g.member(n, part, &parts);
        members.push(member);
    }
    g.rng = Choices::listed(head.get(2..).unwrap_or_default());
    let mut text = header();
    parts.iter().for_each(|part| text.push_str(&part.text));
    let (composed, probes) = match nested {
        true => g.nested(&members, &parts),
        false => g.plain(&members, &parts),
    };
    text.push_str(&composed);
    text.push_str(&probe(&probes));
    Composite {
        model: Model::new("Sys", &text, vec![("Node", nodes), ("Ballot", 2)]),
        instances: probes.into_iter().map(|probe| probe.instance).collect(),
    }
}

/// The description of some components in `Probe`.
struct Probe {
    instance: Instance,
    /// The indices, the names of parameters around, and the parameters.
    names: Names,
    /// When there is such a component, and with what parameters.
    exists: Vec<String>,
    /// The condition of the automaton on the parameters.
    asks: String,
}

/// An automaton whose clauses say which components there are.
fn probe(probes: &[Probe]) -> String {
    let (mut heads, mut clauses) = (String::new(), String::new());
    for Probe {
        instance,
        names,
        exists,
        asks,
    } in probes
    {
        let (shown, plain) = (formals(names), actuals(names));
        let exists = match exists.is_empty() {
            true => "true".to_owned(),
            false => exists.join(" /\\ "),
        };
        let Instance { probe, illegal, .. } = instance;
        heads.push_str(&format!("    internal {probe}{shown} where {exists}\n"));
        heads.push_str(&format!(
            "    internal {illegal}{shown} where ({exists}) /\\ ~({asks})\n"
        ));
        clauses.push_str(&format!(
            "    internal {probe}{plain}\n    internal {illegal}{plain}\n"
        ));
    }
    format!(
        "automaton Probe\n  signature\n{heads}  states\n    probed: Bool := false\n  transitions\n{clauses}"
    )
}

/// Names in parentheses, if there are any.
fn actuals(names: &Names) -> String {
    let names: Vec<&str> = names.iter().map(|(name, _)| &**name).collect();
    match names.is_empty() {
        true => String::new(),
        false => format!("({})", names.join(", ")),
    }
}

impl Generator {
    /// Some components of a part: one, or a family.
    fn member(&mut self, number: usize, part: usize, parts: &[ComponentDraft]) -> Member {
        let (name, part_is) = (format!("C{number}"), part);
        let part = &parts[part];
        let index = |n: usize, ty: Ty| (format!("x{number}{n}"), ty);
        let controls = part.controls();
        let wanted = part.params.iter().map(|(_, ty)| ty.clone());
        let mut indices: Names = wanted.enumerate().map(|(n, ty)| index(n, ty)).collect();
        let mut actuals: Vec<String> = indices.iter().map(|(name, _)| name.clone()).collect();
        let seldom = if controls { 12 } else { 4 };
        for n in (0..indices.len()).rev() {
            if self.once_in(seldom) {
                let (_, ty) = indices.remove(n);
                self.scope = constants();
                actuals[n] = self.leaf(&ty);
            }
        }
        if !controls && self.once_in(5) {
            let ty = self.pick(&[Ty::Color, Ty::Bool, Ty::Node]);
            indices.push(index(5, ty));
        }
        let excludes = !indices.is_empty() && self.once_in(if controls { 5 } else { 2 });
        let mut conditions = Vec::new();
        if excludes {
            let node = indices.iter().find(|(_, ty)| *ty == Ty::Node);
            conditions.push(match node {
                Some((x, _)) if !self.once_in(4) => format!("{x} ~= aNode"),
                _ => self.of_params(&indices, 1),
            });
        }
        if let (Some(asked), [x, y]) = (&part.condition, &actuals[..])
            && asked.contains("~=")
            && !self.once_in(6)
        {
            conditions.push(format!("{x} ~= {y}"));
        }
        let condition = (!conditions.is_empty()).then(|| conditions.join(" /\\ "));
        Member {
            name,
            indices,
            part: part_is,
            actuals,
            condition,
        }
    }

    /// A composition of all the members.
    fn plain(&mut self, members: &[Member], parts: &[ComponentDraft]) -> (String, Vec<Probe>) {
        let probes = members.iter().enumerate();
        let probes = probes.map(|(n, member)| probed(n, member, &parts[member.part], &[], &[]));
        let written: Vec<String> = members.iter().map(|m| component(m, parts)).collect();
        let text = format!("automaton Sys\n  components\n{}\n", written.join(";\n"));
        let hidden = self.hidden_actions(parts);
        (text + &hidden, probes.collect())
    }

    /// A composition of a family of compositions and of the members that are not in these.
    fn nested(&mut self, members: &[Member], parts: &[ComponentDraft]) -> (String, Vec<Probe>) {
        // No two components control one action.
        let family = members.iter().any(|m| !parts[m.part].controls()) && self.once_in(2);
        let first = |n: &usize| match family {
            true => !parts[members[*n].part].controls(),
            false => *n < members.len().div_ceil(2),
        };
        let (inner, outer): (Vec<usize>, Vec<usize>) = (0..members.len()).partition(first);
        let around: Names = match family {
            true => vec![("around".into(), Ty::Bool)],
            false => Names::new(),
        };
        let condition = (family && self.once_in(2)).then(|| "around".to_owned());
        let written = |of: &[usize]| -> Vec<String> {
            let of = of.iter().map(|n| component(&members[*n], parts));
            of.collect()
        };
        let mut text = format!(
            "automaton Sub\n  components\n{}\n",
            written(&inner).join(";\n")
        );
        let mut all = written(&outer);
        let head = match (&around[..], &condition) {
            ([], _) => "    N: Sub".to_owned(),
            (_, Some(condition)) => format!("    N[around: Bool]: Sub where {condition}"),
            (_, None) => "    N[around: Bool]: Sub".to_owned(),
        };
        all.push(head);
        text.push_str(&format!(
            "automaton Sys\n  components\n{}\n",
            all.join(";\n")
        ));
        let hidden = self.hidden_actions(parts);
        text.push_str(&hidden);
        let conditions: Vec<String> = condition.into_iter().collect();
        let mut probes = Vec::new();
        for (n, member) in members.iter().enumerate() {
            let part = &parts[member.part];
            probes.push(match inner.contains(&n) {
                true => probed(n, member, part, &around, &conditions),
                false => probed(n, member, part, &[], &[]),
            });
        }
        (text, probes)
    }

    fn hidden_actions(&mut self, parts: &[ComponentDraft]) -> String {
        let controlled = parts.iter().flat_map(|part| &part.actions);
        let controlled: Vec<&Visited> = controlled.filter(|a| a.keyword == "output").collect();
        if controlled.is_empty() || !self.once_in(4) {
            return String::new();
        }
        let action = self.pick(&controlled);
        let names: Vec<&str> = ["hx", "hk"][..action.params.len()].to_vec();
        let condition = match names[..] {
            ["hx", ..] if self.once_in(2) => " where hx = aNode",
            _ => "",
        };
        match names.is_empty() {
            true => format!("  hidden {}\n", action.name),
            false => format!(
                "  hidden {}({}){condition}\n",
                action.name,
                names.join(", ")
            ),
        }
    }
}

fn component(member: &Member, parts: &[ComponentDraft]) -> String {
    let Member {
        name,
        indices,
        part,
        actuals,
        condition,
    } = member;
    let indices: Vec<String> = indices.iter().map(declared).collect();
    let mut text = format!("    {name}");
    if !indices.is_empty() {
        text.push_str(&format!("[{}]", indices.join(", ")));
    }
    text.push_str(&format!(": {}", parts[*part].name));
    if !actuals.is_empty() {
        text.push_str(&format!("({})", actuals.join(", ")));
    }
    if let Some(condition) = condition {
        text.push_str(&format!(" where {condition}"));
    }
    text
}

/// The description in `Probe` of components that have a copy for each value of the enclosing indices.
fn probed(
    number: usize,
    member: &Member,
    part: &ComponentDraft,
    around: &[(String, Ty)],
    conditions: &[String],
) -> Probe {
    let indices: Names = [around, &member.indices].concat();
    let mut exists: Vec<String> = conditions.to_vec();
    exists.extend(member.condition.clone());
    let equal = part.params.iter().zip(&member.actuals);
    exists.extend(equal.map(|((name, _), actual)| format!("{name} = {actual}")));
    Probe {
        instance: Instance {
            automaton: part.name.clone(),
            probe: format!("there{number}"),
            illegal: format!("illegal{number}"),
            indices: indices.len(),
        },
        names: [&indices[..], &part.params].concat(),
        exists,
        asks: part.condition.clone().unwrap_or_else(|| "true".into()),
    }
}
