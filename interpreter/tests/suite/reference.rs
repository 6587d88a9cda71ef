//! The compiled evaluator against the plain reading of the core. Both are asked about many formulas in many random states.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::common::{instance, model};
use finite::{Interpretation, Universe};
use interpreter::{Draws, Executor, Instance, Interrupt, Layout, State, Stream};
use ioa_lang::Value;
use ioa_lang::core::{AutomatonId, FunctionId, Meaning, Rational, Requirement, Type};
use num_bigint::BigInt;
use test_support::reference::{Scope, Stop, World};

const STATE: &str = r"
type Node
type Ballot
type Quorum
type Phase = enumeration of idle, busy, done
type Packet = tuple of by: Node, phase: Phase
assumes TotalOrder(Ballot)
assumes Quorums(Quorum, Node)
automaton A
  signature internal nothing
  states
    n: Node, b: Ballot, p: Phase, flag: Bool, packet: Packet,
    s: Set[Node], t: Set[Node], bs: Set[Ballot], ps: Set[Packet], families: Set[Set[Ballot]],
    o: Null[Ballot], op: Null[Phase],
    val: Array[Ballot, Null[Phase]], voted: Array[Node, Set[Ballot]], turn: Array[Phase, Node],
    odd: Array[Null[Phase], Bool], grid: Array[Node, Array[Phase, Bool]],
    i: Int := 0, k: Nat := 0, is: Set[Int] := {}, q: Seq[Int] := {}
  transitions internal nothing
";

/// One formula a line.
const FORMULAS: &str = r"
\A x: Ballot (val[x] ~= nil => val[x].val = p)
\A x: Ballot (x \in bs => \E q1: Quorum \A m: Node (m \in q1 => x \in voted[m]))
\A x: Ballot \A y: Ballot (val[x] ~= nil /\ y < x => y \in bs \/ val[y] = val[x])
\A x, y: Ballot (x < y /\ x \in bs /\ y \in bs => val[x] = val[y] \/ flag)
\A m: Node (voted[m] \I bs = {})
\A m: Node (m \in s => m \in t \/ voted[m] \subseteq bs)
\E m: Node (m \in s /\ m \notin t /\ b \in voted[m])
\E x: Ballot (x \in bs /\ val[x] = embed(p))
\E x, y: Ballot (x < y /\ val[x] = val[y] /\ val[x].val = idle)
\E x: Ballot (val[x].val = p)
\A x: Ballot (val[x].val = p \/ flag)
flag \/ o.val = b
flag => (o ~= nil => o.val < b)
(o = nil <=> op = nil) \/ ~flag
{x: Ballot where x < b} \subseteq bs
{m: Node where b \in voted[m]} = s
{m: Node where voted[m] = bs \/ m = n} \subseteq insert(n, s)
{x: Ballot where val[x] = op} - bs = {}
{x: Ballot where o ~= nil /\ o.val < x} \subseteq bs
{ps1: Packet where ps1.by \in s /\ ps1.phase = p} \subseteq ps
\A r: Packet (r \in ps => r.by \in s)
{m: Node where [m, p] \in ps} \subseteq s
{f: Phase where [n, f] \in ps \/ turn[f] = n} = {p}
\E m: Node (m \in t /\ [m, busy] \notin ps)
\A m: Node \A f: Phase ([m, f] \in ps => m \in s /\ [n, f] \in ps)
\A r: Packet (r = packet \/ r \in ps \/ r.phase ~= p)
\E r: Null[Phase] (odd[r] /\ r ~= nil)
\E r: Null[Phase] (odd[r] /\ r.val = busy)
\A f: Set[Ballot] (f \in families => f \subseteq bs)
\E f: Set[Ballot] (b \in f /\ f \notin families)
\A m: Node (grid[m][p] <=> m \in s)
\A m: Node (grid[m] = grid[n] => m = n \/ m \notin t)
\A f: Phase (turn[f] = n => f = p)
\E f: Phase (turn[f] \in s /\ (if f = p then flag else n = turn[f]))
\A q1: Quorum \A q2: Quorum \E m: Node (m \in q1 /\ m \in q2)
\E q1: Quorum (n \in q1 /\ \A m: Node (m \in q1 => m \in s \/ m \in t))
\A q1: Quorum (n \in q1)
\A m: Node (m ~= n => ~(m \in s /\ m \in t))
size(s) <= k
size({m: Node where m \in s \/ m \in t}) + size(bs) < 5
\A x: Int (x \in is => x <= i)
\E x: Int (x \in is /\ i < x /\ x <= i + 2)
\A x: Nat (x <= k => x \in is \/ x < 2)
\E x: Nat \E y: Nat (x < 4 /\ y < x /\ x + y = k)
\A x: Int (x \in q => x \in is)
head(q) = i
q ~= {} => head(q) <= last(q)
q[k] = i
k < len(q) => q[k] = i
div(i, 2) * 2 + mod(i, 2) = i
k - 2 >= 0
mod(k, i) < 3
{x: Int where 0 <= x /\ x < k /\ x ~= i} \subseteq is
delete(i, insert(i, is)) = is
assign(val, b, nil) = val
assign(turn, p, n)[idle] = n
constant(nil) = val
constant(flag) = odd
[n, p] = packet
set_phase(packet, p) \in ps
packet.by \in s <=> packet \in ps
embed(p) = op \/ op = nil
\A m: Node \A x: Ballot (x \in voted[m] => \E r: Node (r ~= m /\ x \in voted[r]))
\E m: Node \A x: Ballot (x \in voted[m] => \E y: Ballot (y < x /\ y \notin voted[m]))
\E x: Ballot (x \in bs /\ val[x].val = p)
\E x, y: Ballot (val[x].val = p /\ y < x /\ y \in bs)
\A x: Ballot \E m: Node (x \in voted[m] /\ turn[val[x].val] = m)
\A x: Ballot (val[x].val = p => flag)
\A x: Ballot \A m: Node (m \in s => x \in voted[m] \/ val[x].val ~= p)
{x: Ballot where val[x].val = p} \subseteq bs
b \in {x: Ballot where val[x] ~= nil /\ val[x].val = p}
\E x: Int (0 <= x /\ x < 3 /\ q[k] = x)
\A x: Int (x \in is => div(x, i) <= x)
";

const STATES: u64 = 300;

/// The plain reading tries integers up to this: more than the formulas can tell apart.
const WINDOW: i64 = 20;

#[test]
fn the_compiled_form_and_the_plain_reading_agree() {
    let formulas: Vec<&str> = FORMULAS.lines().filter(|line| !line.is_empty()).collect();
    let stated = formulas.iter().enumerate();
    let stated: Vec<String> = stated
        .map(|(i, f)| format!("invariant F{i} of A: {f}"))
        .collect();
    let text = format!("{STATE}{}", stated.join("\n"));
    for sizes in [[("Node", 3), ("Ballot", 3)], [("Node", 1), ("Ballot", 2)]] {
        let instance = instance(model(&[&text]), &sizes);
        compare(&instance, &formulas);
    }
}

/// Orders and quorums as tables, as if axioms alone described them.
#[test]
fn a_theory_means_the_same_by_its_tables() {
    let formulas: Vec<&str> = FORMULAS.lines().filter(|line| !line.is_empty()).collect();
    let stated = formulas.iter().enumerate();
    let stated = stated.map(|(i, f)| format!("invariant F{i} of A: {f}"));
    let stated: Vec<String> = stated.collect();
    let mut model = model(&[&format!("{STATE}{}", stated.join("\n"))]);
    let sizes = [("Node", 3), ("Ballot", 3)].map(|(sort, n)| (sort.to_owned(), n));
    let universe = Universe::new(&model, model.every_setting(), &sizes.into()).unwrap();
    let mut tables = BTreeMap::new();
    for (f, function) in model.functions.iter_mut().enumerate() {
        let meaning = std::mem::replace(&mut function.meaning, Meaning::Axioms);
        let [left, right] = &function.params[..] else {
            panic!("the operators of these theories have two parameters");
        };
        let size = |ty: &Type| match ty {
            Type::Sort(sort) => universe.size(*sort),
            other => panic!("not a sort: {other:?}"),
        };
        let rows = (0..size(left)).flat_map(|a| (0..size(right)).map(move |b| [a, b]));
        let rows = rows.map(|args| Value::Bool(universe.holds(meaning, &args)));
        tables.insert(FunctionId::at(f), rows.collect());
    }
    let universe = universe
        .interpreted(&model, Interpretation { tables })
        .expect("every operator has a table");
    compare(&Instance::new(Arc::new(model), universe), &formulas);
}

/// A requirement is a formula that reads no state: here the invariants of a model are taken for requirements.
#[test]
fn what_an_automaton_requires_is_looked_at_before_it_runs() {
    let text = |formula: &str| format!("{STATE}invariant R of A: {formula}");
    let unmet = |formula: &str| -> Vec<String> {
        let mut model = model(&[&text(formula)]);
        let stated = model.invariants.remove(0);
        model.automata[0].requirements.push(Requirement {
            otherwise: "`send` is an output of both `P` and `C`".into(),
            locals: stated.locals,
            formula: stated.formula,
            span: stated.span,
        });
        let instance = instance(model, &[("Node", 2), ("Ballot", 2)]);
        let errors = Executor::new(&instance, AutomatonId(0)).err();
        assert_eq!(instance.errors().count(), errors.iter().flatten().count());
        errors.into_iter().flatten().map(|e| e.message).collect()
    };
    assert!(unmet(r"\A x, y: Ballot (x < y => ~(y < x))").is_empty());
    assert_eq!(
        unmet(r"\A x: Node \A y: Ballot (x = x /\ \E z: Ballot (y < z))"),
        ["`send` is an output of both `P` and `C` for x = Node#0, y = Ballot#1"]
    );
    let undefined = unmet(r"\A x: Null[Ballot] (x.val = x.val)");
    assert!(
        undefined[0].ends_with("undefined: nil has no value"),
        "{undefined:?}"
    );
    let endless = unmet(r"\A x: Int (x = x)");
    assert!(endless[0].contains("cannot be enumerated"), "{endless:?}");
}

/// Singers who are not quiet sing, and so does the soloist in the chief's place: together only if the chief is quiet.
const CHOIR: &str = r"
Places(I): trait
  introduces
    chief: -> I
    quiet: I -> Bool
automaton Singer(I: type, i: I) assumes Places(I)
  signature output sing(const i) where ~quiet(i)
  transitions output sing(j)
automaton Soloist(I: type) assumes Places(I)
  signature output sing(const chief)
  transitions output sing(j)
automaton Choir(I: type) assumes Places(I)
  components S[i: I]: Singer(I, i); C: Soloist(I)
";

/// Why the choir cannot run where everybody is quiet or nobody is, and these type parameters have sizes.
fn choir(sizes: &[(&str, u64)], is_quiet: bool) -> Vec<String> {
    let model = model(&[CHOIR]);
    let sizes: BTreeMap<String, u64> = sizes.iter().map(|(s, n)| ((*s).to_owned(), *n)).collect();
    let universe = Universe::sized(&model, model.every_setting(), &sizes).expect("sizes");
    let functions = (0..).map(FunctionId).zip(&model.functions);
    let tables = functions.map(|(id, function)| {
        let rows = function
            .params
            .iter()
            .map(|ty| values(&model, &universe, ty).len());
        let value = match &function.result {
            Type::Bool => Value::Bool(is_quiet),
            other => values(&model, &universe, other)[0].clone(),
        };
        (id, vec![value; rows.product()])
    });
    let tables = tables.collect();
    let universe = universe
        .interpreted(&model, Interpretation { tables })
        .expect("every operator has a table");
    let choir = model.automaton_named("Choir").expect("a choir");
    let instance = Instance::new(Arc::new(model), universe);
    let errors = Executor::new(&instance, choir).err();
    errors.into_iter().flatten().map(|e| e.message).collect()
}

fn values(model: &ioa_lang::core::Model, universe: &Universe, ty: &Type) -> Vec<Value> {
    universe.values(model, ty, 16).expect("few values")
}

#[test]
fn components_that_control_one_action_for_some_parameters_do_not_run() {
    assert!(choir(&[("I", 2)], true).is_empty());
    assert_eq!(
        choir(&[("I", 2)], false),
        ["`sing` is an output of both `S` and `C` for i = Choir.I#0"]
    );
}

#[test]
fn a_type_parameter_needs_a_size_only_where_its_automaton_runs() {
    assert!(choir(&[("Choir.I", 2)], true).is_empty());
    assert_eq!(
        choir(&[("Singer.I", 2)], true),
        ["type parameter Choir.I of Choir has no size"]
    );
}

/// Asks both about every formula in random states.
pub(crate) fn compare(instance: &Instance, formulas: &[&str]) {
    let automaton = instance.model().automaton_named("A").unwrap();
    let layout = instance.layout(automaton);
    let mut executor = Executor::new(instance, automaton).unwrap();
    let plain = World::new(instance.model(), instance.universe(), WINDOW);
    let mut draws = Draws::new(1, Stream::Choices);
    // How often a formula was true, false and undefined: a formula that is always the same tests little.
    let mut counts = vec![[0_u32; 3]; formulas.len()];
    for _ in 0..STATES {
        let values: Vec<Value> = layout
            .ids()
            .map(|v| draw(instance, layout.ty(v), &mut draws))
            .collect();
        let state = layout.state(&values).unwrap();
        assert_eq!(
            layout.values(&state).map(|(_, v)| v).collect::<Vec<_>>(),
            values
        );
        for (f, formula) in formulas.iter().enumerate() {
            let invariant = &instance.model().invariants[f];
            let mut scope = Scope::new(&invariant.locals, &values);
            let expected = match plain.truth(&invariant.formula, &mut scope) {
                Ok(truth) => Some(truth),
                Err(Stop::Fault(_)) => None,
                Err(Stop::Beyond(why)) => panic!("{formula}: {why}"),
            };
            counts[f][expected.map_or(2, usize::from)] += 1;
            let found = executor.holds(&state, f);
            check(formula, layout, &state, expected, found, instance);
        }
    }
    let dull = counts
        .iter()
        .zip(formulas)
        .filter(|(c, _)| c[0] == 0 || c[1] == 0)
        .count();
    assert!(
        dull * 4 < formulas.len(),
        "{dull} formulas are always true or always false"
    );
}

/// The compiled form has the value of the plain reading, and faults exactly where that is undefined.
fn check(
    formula: &str,
    layout: &Layout,
    state: &State,
    expected: Option<bool>,
    found: Result<bool, Interrupt>,
    instance: &Instance,
) {
    let shown = || {
        let values = layout.values(state);
        let values = values.map(|(name, v)| format!("{name} = {}", v.display(instance.model())));
        format!("{formula}\nin {}", values.collect::<Vec<_>>().join(", "))
    };
    match (expected, found) {
        (Some(expected), Ok(found)) => assert_eq!(expected, found, "{}", shown()),
        (None, Err(Interrupt::Fault(_))) => {}
        (Some(_), Err(interrupt)) | (None, Err(interrupt)) => {
            panic!("{interrupt:?}\n{}", shown())
        }
        (None, Ok(found)) => panic!("undefined, but found to be {found}\n{}", shown()),
    }
}

fn draw(instance: &Instance, ty: &Type, draws: &mut Draws) -> Value {
    let number = |draws: &mut Draws, low: i64| Value::int(low + draws.below(7) as i64);
    match ty {
        Type::Nat => number(draws, 0),
        Type::Int => number(draws, -3),
        Type::Set(element) if **element == Type::Int => {
            Value::Set((0..draws.below(5)).map(|_| number(draws, -3)).collect())
        }
        Type::Seq(_) => Value::Seq((0..draws.below(4)).map(|_| number(draws, -3)).collect()),
        Type::Real => {
            let (a, b) = (draws.below(9), draws.below(3) + 1);
            Value::Real(Rational::new(BigInt::from(a) - 4, b.into()))
        }
        Type::Char => Value::Char((b'a' + draws.below(3) as u8).into()),
        Type::String => Value::Text(["", "a", "ab", "b"][draws.position(4)].into()),
        Type::Union(id)
            if instance
                .universe()
                .values(instance.model(), ty, 1 << 20)
                .is_none() =>
        {
            let variants = &instance.model().unions[id.index()].variants;
            let at = draws.position(variants.len());
            let carried = draw(instance, &variants[at].1, draws);
            Value::Union(*id, at as u32, Box::new(carried))
        }
        Type::Map(d, r)
            if instance
                .universe()
                .values(instance.model(), ty, 1 << 20)
                .is_none() =>
        {
            let mut entry = |_| (draw(instance, d, draws), draw(instance, r, draws));
            Value::Map((0..3).map(&mut entry).collect())
        }
        Type::Mset(element) => {
            let elements = (0..draws.below(5)).map(|_| draw(instance, element, draws));
            Value::Mset(elements.fold(BTreeMap::new(), |mut counts, e| {
                *counts.entry(e).or_insert(0) += 1;
                counts
            }))
        }
        _ => {
            let values = instance
                .universe()
                .values(instance.model(), ty, 1 << 20)
                .unwrap();
            values[draws.position(values.len())].clone()
        }
    }
}
