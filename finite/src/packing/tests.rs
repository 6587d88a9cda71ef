//! Codes of values of each form.

use std::collections::BTreeMap;

use num_bigint::BigInt;

use super::*;
use ioa_lang::Value;
use ioa_lang::core::{Enumeration, Family, Meaning, Sort, SortSize, TupleType, UnionType};
use ioa_lang::{Sources, Span};

fn instance() -> (Model, Universe) {
    let sort = |name: &str, size| Sort {
        name: name.into(),
        size,
        span: Span::default(),
    };
    let mut model = Model::default();
    model.sorts.extend([
        sort("Node", SortSize::Given),
        sort("Quorum", SortSize::GroupsOf(Family::Majorities, SortId(0))),
    ]);
    model.tuples.extend([TupleType {
        name: "Vote".into(),
        fields: vec![
            ("by".into(), Type::Sort(SortId(0))),
            ("yes".into(), Type::Bool),
        ],
        span: Span::default(),
    }]);
    model.enumerations.extend([Enumeration {
        name: "tags".into(),
        values: vec!["to".into(), "vote".into(), "none".into()],
        span: Span::default(),
    }]);
    model.unions.extend([UnionType {
        name: "Item".into(),
        variants: vec![
            ("to".into(), Type::Sort(SortId(0))),
            ("vote".into(), Type::Tuple(TupleId(0))),
            ("none".into(), Type::null(Type::Bool)),
        ],
        tags: EnumId(0),
        span: Span::default(),
    }]);
    let universe = Universe::new(
        &model,
        model.every_setting(),
        &BTreeMap::from([("Node".into(), 3)]),
    )
    .unwrap();
    (model, universe)
}

fn types() -> Vec<Type> {
    let node = Type::Sort(SortId(0));
    let vote = Type::Tuple(TupleId(0));
    vec![
        Type::Bool,
        node.clone(),
        Type::Sort(SortId(1)),
        vote.clone(),
        Type::null(node.clone()),
        Type::null(vote.clone()),
        Type::set(node.clone()),
        Type::set(vote.clone()),
        Type::set(Type::set(node.clone())),
        Type::array(node.clone(), Type::null(Type::Bool)),
        Type::array(vote.clone(), Type::null(node.clone())),
        Type::Union(UnionId(0)),
        Type::set(Type::Union(UnionId(0))),
        Type::map(node.clone(), Type::Bool),
        Type::map(node.clone(), Type::Union(UnionId(0))),
        Type::map(Type::Union(UnionId(0)), Type::Bool),
        Type::null(Type::map(node, vote)),
    ]
}

#[test]
fn every_value_has_one_code_and_every_code_one_value() {
    let (model, universe) = instance();
    for ty in types() {
        let packing = Packing::of(&model, &universe, &ty).unwrap();
        let codes = packing.codes(1 << 20).unwrap();
        assert_eq!(codes.len() as u128, packing.count(), "{ty:?}");
        assert!(codes.is_sorted(), "{ty:?}");
        if packing.max < 1 << 16 {
            assert_eq!(codes, packing.values().collect::<Vec<_>>(), "{ty:?}");
        }
        for code in codes {
            assert_eq!(packing.encode(&packing.decode(code)), Some(code), "{ty:?}");
        }
    }
}

#[test]
fn a_character_is_its_number() {
    let (model, universe) = instance();
    let packing = Packing::of(&model, &universe, &Type::Char).unwrap();
    for c in ['\0', 'a', '\u{d7ff}', '\u{e000}', char::MAX] {
        let code = packing.encode(&Value::Char(c)).unwrap();
        assert_eq!(packing.decode(code), Value::Char(c));
    }
    let codes = packing.codes(1 << 21).unwrap();
    assert_eq!(codes.len() as u128, packing.count());
    assert!(codes.iter().all(|code| packing.is_code(*code)) && codes.is_sorted());
    assert!(!packing.is_code(0xd800) && !packing.is_code(0x11_0000));
}

#[test]
fn a_value_of_another_type_has_no_code() {
    let (model, universe) = instance();
    let of = |ty: &Type| Packing::of(&model, &universe, ty).unwrap();
    let node = |n| Value::Element(SortId(0), n);
    let item = of(&Type::Union(UnionId(0)));
    let tagged = |variant, value| Value::Union(UnionId(0), variant, Box::new(value));
    assert!(item.encode(&tagged(0, node(2))).is_some());
    assert_eq!(item.encode(&tagged(0, node(3))), None);
    assert_eq!(item.encode(&tagged(1, node(0))), None);
    assert_eq!(item.encode(&tagged(3, node(0))), None);
    let map = of(&Type::map(Type::Sort(SortId(0)), Type::Bool));
    let entry = |key, value| Value::Map(BTreeMap::from([(key, value)]));
    assert!(map.encode(&entry(node(2), Value::Bool(false))).is_some());
    assert_eq!(map.encode(&entry(node(3), Value::Bool(false))), None);
    assert_eq!(map.encode(&entry(node(1), node(1))), None);
}

#[test]
fn what_does_not_fit_a_word_has_no_packing() {
    let (model, universe) = instance();
    let set_of_sets = Type::set(Type::set(Type::Sort(SortId(0))));
    assert!(Packing::of(&model, &universe, &Type::set(set_of_sets)).is_none());
    assert!(Packing::of(&model, &universe, &Type::seq(Type::Bool)).is_none());
    assert!(Packing::of(&model, &universe, &Type::Int).is_none());
}

#[test]
fn three_nodes_have_four_majorities() {
    let (_, universe) = instance();
    assert_eq!(universe.size(SortId(1)), 4);
    let meaning = Meaning::InGroup {
        member: SortId(0),
        group: SortId(1),
    };
    assert!(universe.holds(meaning, &[0, 0]) && !universe.holds(meaning, &[2, 0]));
}

#[test]
fn nodes_may_have_other_quorums() {
    let (model, universe) = instance();
    let quorum = Type::Sort(SortId(1));
    let universe = universe.with_groups(SortId(1), vec![0b100]);
    assert_eq!(universe.size(SortId(1)), 1);
    let packing = Packing::of(&model, &universe, &quorum).expect("a small type");
    assert_eq!(packing.codes(10), Some(vec![0]));
    let meaning = Meaning::InGroup {
        member: SortId(0),
        group: SortId(1),
    };
    assert!(universe.holds(meaning, &[2, 0]) && !universe.holds(meaning, &[0, 0]));
}

/// Integers in parts of every kind.
const NUMBERS: &str = r"
type Node
type Vote = tuple of by: Node, ballot: Nat
type Item = union of plain: Int, vote: Vote
automaton A
  signature internal step
  states n: Int := 0, votes: Set[Vote] := {}, last: Array[Node, Null[Nat]] := constant(nil),
         item: Item := plain(0), seen: Map[Nat, Bool] := empty, open: Seq[Int] := {},
         bag: Mset[Nat] := {}
  transitions internal step eff n := n + 1
";

#[test]
fn integers_with_ranges_are_packed() {
    let mut sources = Sources::new();
    sources.add("numbers.ioa", NUMBERS);
    let model = ioa_lang::load(&sources).model;
    let sizes = BTreeMap::from([("Node".into(), 2)]);
    let universe = Universe::new(&model, model.every_setting(), &sizes).unwrap();
    let id = AutomatonId::at(0);
    let low = |place: &Place| match place {
        Place::Variable(..) => -3,
        Place::Part(Type::Union(_), _) => -1,
        Place::Part(..) => 0,
    };
    let ranges = Ranges::of(&model, id, |place| {
        let low = low(place);
        Some(Range { low, high: 4 })
    });
    let ranges = ranges.expect("no theory is about integers");
    assert_eq!(ranges.len(), 9);
    let packed = universe.clone().with_ranges(Some(ranges));
    let variables = &model.automaton(id).variables;
    let packing = |universe: &Universe, v: usize| {
        Packing::of_variable(&model, universe, (id, VarId::at(v)), &variables[v].ty)
    };
    assert!((0..variables.len()).all(|v| packing(&universe, v).is_none()));
    let bits = (0..variables.len()).map(|v| packing(&packed, v).map(|p| p.bits));
    // The sequence has a length of at most 4, and as many slots. The multiset has a count for each of five numbers.
    let expected = [3, 10, 6, 4, 10, 15, 15].map(Some);
    assert_eq!(bits.collect::<Vec<_>>(), expected);
    for v in 0..variables.len() {
        let packing = packing(&packed, v).unwrap();
        assert!(!packing.is_complete());
        let codes = packing.codes(1 << 12).unwrap();
        assert_eq!(codes.len() as u128, packing.count());
        for code in codes {
            assert_eq!(packing.encode(&packing.decode(code)), Some(code));
        }
    }
    let n = packing(&packed, 0).unwrap();
    let code = |i: i64| n.encode(&Value::Int(BigInt::from(i)));
    assert_eq!(
        [code(-4), code(-3), code(4), code(5)],
        [None, Some(0), Some(7), None]
    );
}

/// A model, and an instance of it with three nodes whose values may take several words.
fn with_three_nodes(text: &str) -> (Model, Universe) {
    let mut sources = Sources::new();
    sources.add("messages.ioa", text);
    let model = ioa_lang::load(&sources).model;
    let sizes = BTreeMap::from([("Node".into(), 3)]);
    let universe = Universe::new(&model, model.every_setting(), &sizes).unwrap();
    let ranges = Ranges::of(&model, AutomatonId::at(0), |_| None);
    let universe = universe.with_ranges(ranges);
    (model, universe)
}

/// A set of a union's values, of whose variants one has far more than the others.
const VARIANTS: &str = r"
type Node
type Ask = tuple of from: Node, to: Node
type Report = tuple of from: Node, seen: Set[Node], more: Set[Node]
type Message = union of hello: Node, ask: Ask, report: Report, over: Bool
automaton A
  signature internal step
  states sent: Set[Message] := {}
  transitions internal step eff sent := {}
";

#[test]
fn a_variant_takes_as_many_codes_as_it_needs() {
    let (model, universe) = with_three_nodes(VARIANTS);
    let variables = &model.automaton(AutomatonId::at(0)).variables;
    let sent = Wide::of(&model, &universe, &variables[0].ty).unwrap();
    let WideForm::Set(message) = &sent.form else {
        panic!("a set lies in limbs as a set")
    };
    let Form::Union(_, variants) = &message.form else {
        panic!("a union is packed as one")
    };
    // The reports begin with a word, and have three times as many codes as there are bits in two sets of nodes.
    let begins: Vec<u64> = variants.iter().map(|(begin, _)| *begin).collect();
    assert_eq!(begins, [0, 3, 64, 256]);
    assert_eq!(sent.limbs.len(), 5);
    let codes = message.codes(1000).unwrap();
    assert_eq!(codes.len(), 3 + 9 + 192 + 2);
    assert!(codes.is_sorted() && codes.len() as u128 == message.count());
    for code in codes {
        let value = message.decode(code);
        assert_eq!(message.encode(&value), Some(code));
    }
    assert!(!message.is_code(20) && !message.is_code(258));
}

/// Sets of messages with fields that do not use all codes of their bits.
const MESSAGES: &str = r"
type Node
type Kind = enumeration of ask, grant
type Term = enumeration of first, second, third, fourth
type Vote = tuple of by: Node, yes: Bool
type Message = tuple of from: Node, kind: Kind, to: Node, term: Term
automaton A
  signature internal step
  states votes: Set[Vote] := {}, sent: Set[Message] := {}
  transitions internal step eff votes := {}
";

#[test]
fn the_codes_that_no_tuple_has_lie_behind_those_that_one_has() {
    let (model, universe) = with_three_nodes(MESSAGES);
    let variables = &model.automaton(AutomatonId::at(0)).variables;
    // Six votes have the first six codes.
    let votes = Packing::of(&model, &universe, &variables[0].ty).unwrap();
    assert_eq!((votes.bits, votes.max), (6, 0b11_1111));
    // Of 72 messages, those to two nodes have the first 56 codes and those to the third the 24 from 64 on.
    let sent = Wide::of(&model, &universe, &variables[1].ty).unwrap();
    assert_eq!(sent.limbs, [56, 24]);
    let WideForm::Set(message) = &sent.form else {
        panic!("a set lies in limbs as a set")
    };
    let codes = message.codes(100).unwrap();
    assert_eq!(codes.len(), 72);
    assert!(codes.is_sorted());
    let all = Value::Set(codes.iter().map(|code| message.decode(*code)).collect());
    let limbs = sent.encode(&all, &mut |_, _| ()).unwrap();
    assert_eq!(sent.decode(&limbs), all);
    assert!(sent.are_codes(&limbs));
    assert!(!sent.are_codes(&[1 << 60, 0]));
    assert!(!sent.are_codes(&[1 << 30, 0]));
}
