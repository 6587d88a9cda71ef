//! The compiled evaluator against the plain one, on fractions, text, unions, maps and multisets.

use crate::common::{instance, model};
use crate::reference::compare;

/// Types that came later, packed and not: their operators, in formulas that are sometimes undefined.
const LATER_STATE: &str = r#"
type Phase = enumeration of idle, busy
type Small = union of phase: Phase, bit: Bool
type Large = union of num: Int, small: Small
automaton A
  signature internal nothing
  states
    p: Phase, flag: Bool, n: Nat := 0, i: Int := 0,
    s: Small, l: Large := num(0), ss: Set[Small],
    m: Map[Phase, Small], w: Map[Phase, Int] := empty, v: Map[Int, Phase] := empty,
    b: Mset[Int] := {}, bb: Mset[Phase] := {}, nested: Map[Phase, Map[Bool, Phase]],
    x: Real := 0, y: Real := 0, c: Char := 'a', d: Char := 'a', t: String := "", u: String := ""
  transitions internal nothing
"#;

const LATER_FORMULAS: &str = r#"
tag(s) = phase => s.phase = p
s.bit \/ flag
\A e: Small (e \in ss => tag(e) = bit)
\E e: Small (e \in ss /\ e.phase = p)
\E e: Small (tag(e) = phase /\ e.phase = p /\ e \notin ss)
l = small(s) \/ (tag(l) = num /\ l.num < i)
tag(l) = small => (l.small = s \/ l.small \in ss)
l.small = bit(flag) => flag
defined(m, p) => m[p] = s
m[p] = s \/ flag
\A q: Phase (defined(m, q) => m[q] \in ss)
\E q: Phase (defined(m, q) /\ tag(m[q]) = bit)
\A q: Phase (m[q] = s)
update(m, p, s) = m
remove(m, p) = m /\ ~defined(m, p)
m = empty \/ s \in ss
w[p] < i \/ flag
defined(w, p) => update(w, p, w[p] + 1)[p] = w[p] + 1
\A k: Int (defined(v, k) => k <= i \/ v[k] = p)
\E k: Int (defined(v, k) /\ v[k] = p)
v[i] = p
{k: Int where defined(v, k) /\ v[k] = p} = {i}
defined(nested, p) => (defined(nested[p], flag) => nested[p][flag] = p)
nested[p][flag] = p
i \in b
count(i, b) < n
size(b) <= 2
size(insert(i, b)) = size(b) + 1
delete(i, b) = b \/ i \in b
insert(i, delete(i, b)) = b
bb \subseteq {p, p}
bb \U {p} = insert(p, bb)
bb - {p} = bb
bb \I {idle, busy} = {}
\A k: Int (k \in b => count(k, b) = 1)
\E k: Int (k \in b /\ i < k)
x < y
x <= y /\ y <= x
x + y = x * y
x / y < 1
y ~= 0 => x / y * y = x
abs(x) = x
max(x, y) - min(x, y) < n
x = i
x ** n < 1
-x < y
c < d
c <= d /\ d <= 'b'
t < u
t <= u /\ u ~= ""
(t = u) <=> (c = d)
"#;

#[test]
fn the_compiled_form_and_the_plain_reading_agree_on_later_types() {
    let formulas: Vec<&str> = LATER_FORMULAS
        .lines()
        .filter(|line| !line.is_empty())
        .collect();
    let stated = formulas.iter().enumerate();
    let stated = stated.map(|(i, f)| format!("invariant F{i} of A: {f}"));
    let stated: Vec<String> = stated.collect();
    let text = format!("{LATER_STATE}{}", stated.join("\n"));
    compare(&instance(model(&[&text]), &[]), &formulas);
}
