//! The language's operators, type by type: terms over variables with known values, what they come to, and what not.

/// Variables with known values, and operators applied to them.
pub(crate) struct Section {
    pub(crate) name: &'static str,
    /// Declarations of types.
    pub(crate) types: &'static str,
    /// Name, type, initial value. Nothing changes them.
    pub(crate) variables: &'static [(&'static str, &'static str, &'static str)],
    /// A term, its type, its value, another value.
    pub(crate) rows: &'static [[&'static str; 4]],
}

const BOOLEANS: Section = Section {
    name: "Bool",
    types: "",
    variables: &[("vt", "Bool", "true"), ("vf", "Bool", "false")],
    rows: &[
        ["~vf", "Bool", "true", "false"],
        ["vt /\\ vf", "Bool", "false", "true"],
        ["vf \\/ vt", "Bool", "true", "false"],
        ["vt => vf", "Bool", "false", "true"],
        ["vf <=> vt", "Bool", "false", "true"],
        ["vt = vf", "Bool", "false", "true"],
        ["vt ~= vf", "Bool", "true", "false"],
        ["if vt then vf else vt", "Bool", "false", "true"],
        ["\\A x: Bool (x \\/ vt)", "Bool", "true", "false"],
        ["\\E x: Bool (x /\\ vf)", "Bool", "false", "true"],
        ["enabled(go)", "Bool", "true", "false"],
    ],
};

const NUMBERS: Section = Section {
    name: "Nat and Int",
    types: "",
    variables: &[("vn", "Nat", "7"), ("vm", "Nat", "3"), ("vi", "Int", "-7")],
    rows: &[
        ["vn + vm", "Nat", "10", "11"],
        ["vn - vm", "Nat", "4", "5"],
        ["vi - vm", "Int", "-10", "-4"],
        ["vn * vm", "Nat", "21", "20"],
        ["-vi", "Int", "7", "-7"],
        ["mod(vi, vm)", "Int", "2", "-1"],
        ["div(vi, vm)", "Int", "-3", "-2"],
        ["div(vi, -3)", "Int", "3", "2"],
        ["mod(vi, -3)", "Int", "2", "-1"],
        ["min(vi, vm)", "Int", "-7", "3"],
        ["max(vi, vm)", "Int", "3", "-7"],
        ["abs(vi)", "Nat", "7", "8"],
        ["succ(vm)", "Nat", "4", "3"],
        ["pred(vm)", "Nat", "2", "3"],
        ["vm ** 3", "Nat", "27", "9"],
        ["vi < vm", "Bool", "true", "false"],
        ["vn <= vm", "Bool", "false", "true"],
        ["vn > vm", "Bool", "true", "false"],
        ["vi >= vm", "Bool", "false", "true"],
        ["vn = vm", "Bool", "false", "true"],
        ["vn ~= vm", "Bool", "true", "false"],
        ["if vn = 7 then vi else 0", "Int", "-7", "0"],
        ["\\E x: Nat (vm < x /\\ x < 5)", "Bool", "true", "false"],
    ],
};

const REALS: Section = Section {
    name: "Real",
    types: "",
    variables: &[
        ("vx", "Real", "1.5"),
        ("vy", "Real", "-0.5"),
        ("vn", "Nat", "2"),
    ],
    rows: &[
        ["vx + vn", "Real", "3.5", "2.0"],
        ["vx + vy", "Real", "1.0", "1.5"],
        ["vx - vy", "Real", "2.0", "1.0"],
        ["vx * vy", "Real", "-0.75", "0.75"],
        ["vx / vy", "Real", "-3.0", "3.0"],
        ["-vy", "Real", "0.5", "-0.5"],
        ["min(vx, vy)", "Real", "-0.5", "1.5"],
        ["max(vx, vy)", "Real", "1.5", "-0.5"],
        ["abs(vy)", "Real", "0.5", "-0.5"],
        ["vx ** 2", "Real", "2.25", "3.0"],
        ["vx < vy", "Bool", "false", "true"],
        ["vx <= vy", "Bool", "false", "true"],
        ["vx > vy", "Bool", "true", "false"],
        ["vx >= vy", "Bool", "true", "false"],
        ["vx = vy", "Bool", "false", "true"],
        ["vx ~= vy", "Bool", "true", "false"],
        ["if vx > 0.0 then vy else vx", "Real", "-0.5", "1.5"],
    ],
};

const TEXTS: Section = Section {
    name: "Char and String",
    types: "",
    variables: &[
        ("vc", "Char", "'c'"),
        ("vd", "Char", "'d'"),
        ("vs", "String", "\"ab\""),
        ("vu", "String", "\"b\""),
    ],
    rows: &[
        ["vc < vd", "Bool", "true", "false"],
        ["vc <= 'b'", "Bool", "false", "true"],
        ["vc > vd", "Bool", "false", "true"],
        ["vd >= vc", "Bool", "true", "false"],
        ["vc = 'c'", "Bool", "true", "false"],
        ["vc ~= vd", "Bool", "true", "false"],
        ["if vc = vd then vc else vd", "Char", "'d'", "'c'"],
        ["vs < vu", "Bool", "true", "false"],
        ["vu <= vs", "Bool", "false", "true"],
        ["vs > \"aa\"", "Bool", "true", "false"],
        ["vs >= vu", "Bool", "false", "true"],
        ["vs = \"ab\"", "Bool", "true", "false"],
        ["vs ~= vu", "Bool", "true", "false"],
        ["if vs = vu then vs else vu", "String", "\"b\"", "\"ab\""],
    ],
};

const SETS: Section = Section {
    name: "Set",
    types: "type Color = enumeration of red, green, blue",
    variables: &[
        ("vs", "Set[Nat]", "{1, 2, 3}"),
        ("vt", "Set[Nat]", "{3, 4}"),
        ("vk", "Set[Color]", "{red, blue}"),
    ],
    rows: &[
        [
            "{x: Nat where x \\in vs /\\ x > 1}",
            "Set[Nat]",
            "{2, 3}",
            "{1}",
        ],
        [
            "{c: Color where c \\notin vk}",
            "Set[Color]",
            "{green}",
            "{}",
        ],
        ["insert(4, vs)", "Set[Nat]", "{1, 2, 3, 4}", "{1, 2, 3}"],
        ["delete(1, vs)", "Set[Nat]", "{2, 3}", "{}"],
        ["4 \\in vs", "Bool", "false", "true"],
        ["green \\notin vk", "Bool", "true", "false"],
        ["vt \\subseteq vs", "Bool", "false", "true"],
        ["{red} \\subset vk", "Bool", "true", "false"],
        ["vs \\U vt", "Set[Nat]", "{1, 2, 3, 4}", "{3}"],
        ["vs \\I vt", "Set[Nat]", "{3}", "{}"],
        ["vs - vt", "Set[Nat]", "{1, 2}", "{}"],
        ["vk - {red}", "Set[Color]", "{blue}", "{red}"],
        ["size(vs)", "Nat", "3", "2"],
        ["size(vs \\U vt)", "Nat", "4", "5"],
        ["size(vs \\I vt)", "Nat", "1", "2"],
        ["size(vs - vt)", "Nat", "2", "3"],
        ["size({c: Color where c \\in vk})", "Nat", "2", "3"],
        ["size({x: Nat where x \\in vs /\\ x > 2})", "Nat", "1", "2"],
        ["vs = vt", "Bool", "false", "true"],
        ["vs ~= vt", "Bool", "true", "false"],
        [
            "if red \\in vk then vs else vt",
            "Set[Nat]",
            "{1, 2, 3}",
            "{3, 4}",
        ],
    ],
};

const MULTISETS: Section = Section {
    name: "Mset",
    types: "type Color = enumeration of red, green, blue",
    variables: &[
        ("vb", "Mset[Color]", "{red, red, blue}"),
        ("vd", "Mset[Color]", "{red, green}"),
        ("ve", "Mset[Color]", "{}"),
    ],
    rows: &[
        [
            "insert(red, vd)",
            "Mset[Color]",
            "{red, red, green}",
            "{red, green}",
        ],
        ["delete(red, vb)", "Mset[Color]", "{red, blue}", "{blue}"],
        ["green \\in vb", "Bool", "false", "true"],
        ["green \\notin vb", "Bool", "true", "false"],
        ["vd \\subseteq vb", "Bool", "false", "true"],
        ["ve \\subset vb", "Bool", "true", "false"],
        [
            "vb \\U vd",
            "Mset[Color]",
            "{red, red, red, green, blue}",
            "{red, green, blue}",
        ],
        ["vb \\I vd", "Mset[Color]", "{red}", "{}"],
        ["vb - vd", "Mset[Color]", "{red, blue}", "{blue}"],
        ["size(vb)", "Nat", "3", "2"],
        ["size(vb \\I vd)", "Nat", "1", "2"],
        ["size(vb - vd)", "Nat", "2", "1"],
        ["count(red, vb)", "Nat", "2", "1"],
        ["vb = vd", "Bool", "false", "true"],
        ["vb ~= vd", "Bool", "true", "false"],
        [
            "if ve = {} then vd else vb",
            "Mset[Color]",
            "{red, green}",
            "{}",
        ],
    ],
};

const SEQUENCES: Section = Section {
    name: "Seq",
    types: "",
    variables: &[
        ("vq", "Seq[Nat]", "{} |- 1 |- 2 |- 3"),
        ("vp", "Seq[Nat]", "{} |- 4"),
        ("ve", "Seq[Nat]", "{}"),
    ],
    rows: &[
        ["vp |- 5", "Seq[Nat]", "{} |- 4 |- 5", "{} |- 5 |- 4"],
        ["5 -| vp", "Seq[Nat]", "{} |- 5 |- 4", "{} |- 4 |- 5"],
        ["vq || vp", "Seq[Nat]", "{} |- 1 |- 2 |- 3 |- 4", "{} |- 4"],
        ["head(vq)", "Nat", "1", "3"],
        ["tail(vq)", "Seq[Nat]", "{} |- 2 |- 3", "{} |- 2"],
        ["last(vq)", "Nat", "3", "1"],
        ["init(vq)", "Seq[Nat]", "{} |- 1 |- 2", "{}"],
        ["len(vq)", "Nat", "3", "4"],
        ["vq[1]", "Nat", "2", "1"],
        ["3 \\in vq", "Bool", "true", "false"],
        ["4 \\notin vq", "Bool", "true", "false"],
        ["vq = vp", "Bool", "false", "true"],
        ["vq ~= vp", "Bool", "true", "false"],
        ["ve = {}", "Bool", "true", "false"],
        ["if ve = {} then vp else vq", "Seq[Nat]", "{} |- 4", "{}"],
    ],
};

const ARRAYS: Section = Section {
    name: "Array",
    types: "type Color = enumeration of red, green, blue",
    variables: &[
        ("va", "Array[Color, Nat]", "assign(constant(1), red, 5)"),
        (
            "vn",
            "Array[Color, Array[Bool, Nat]]",
            "constant(constant(2))",
        ),
    ],
    rows: &[
        ["va[red]", "Nat", "5", "1"],
        ["vn[blue][true]", "Nat", "2", "3"],
        ["assign(va, blue, 7)[blue]", "Nat", "7", "1"],
        [
            "assign(va, red, 1)",
            "Array[Color, Nat]",
            "constant(1)",
            "constant(0)",
        ],
        ["sum(va)", "Nat", "7", "6"],
        ["sum(assign(vn[blue], true, 3))", "Nat", "5", "4"],
        ["va = constant(1)", "Bool", "false", "true"],
        ["va ~= constant(1)", "Bool", "true", "false"],
        [
            "if va[red] = 5 then vn else constant(constant(0))",
            "Array[Color, Array[Bool, Nat]]",
            "constant(constant(2))",
            "constant(constant(0))",
        ],
    ],
};

const MAPS: Section = Section {
    name: "Map",
    types: "type Color = enumeration of red, green, blue",
    variables: &[
        ("vm", "Map[Color, Nat]", "update(empty, red, 5)"),
        ("ve", "Map[Color, Nat]", "empty"),
    ],
    rows: &[
        ["vm[red]", "Nat", "5", "1"],
        ["defined(vm, blue)", "Bool", "false", "true"],
        [
            "update(vm, red, 6)",
            "Map[Color, Nat]",
            "update(empty, red, 6)",
            "empty",
        ],
        ["update(vm, blue, 6)[blue]", "Nat", "6", "5"],
        [
            "remove(vm, red)",
            "Map[Color, Nat]",
            "empty",
            "update(empty, red, 5)",
        ],
        ["vm = ve", "Bool", "false", "true"],
        ["vm ~= ve", "Bool", "true", "false"],
        [
            "if defined(vm, red) then ve else vm",
            "Map[Color, Nat]",
            "empty",
            "update(empty, red, 5)",
        ],
    ],
};

const PARTS: Section = Section {
    name: "Null, tuples, unions and enumerations",
    types: "type Color = enumeration of red, green, blue
            type Pair = tuple of left: Nat, right: Color
            type Item = union of num: Int, text: String",
    variables: &[
        ("vz", "Null[Nat]", "nil"),
        ("vo", "Null[Nat]", "embed(4)"),
        ("vp", "Pair", "[1, green]"),
        ("vu", "Item", "num(3)"),
        ("vt", "Item", "text(\"a\")"),
        ("vc", "Color", "blue"),
    ],
    rows: &[
        ["embed(5)", "Null[Nat]", "embed(5)", "nil"],
        ["vo.val", "Nat", "4", "5"],
        ["vz = nil", "Bool", "true", "false"],
        ["vo ~= vz", "Bool", "true", "false"],
        [
            "if vz = nil then vo else vz",
            "Null[Nat]",
            "embed(4)",
            "nil",
        ],
        ["vp.left", "Nat", "1", "2"],
        ["vp.right", "Color", "green", "red"],
        ["vp = [1, vc]", "Bool", "false", "true"],
        ["set_left(vp, 9)", "Pair", "[9, green]", "[1, green]"],
        ["vp = [1, red]", "Bool", "false", "true"],
        ["vp ~= [1, red]", "Bool", "true", "false"],
        [
            "if vc = blue then vp else [0, red]",
            "Pair",
            "[1, green]",
            "[0, red]",
        ],
        ["num(4)", "Item", "num(4)", "num(5)"],
        ["vu.num", "Int", "3", "4"],
        ["vt.text", "String", "\"a\"", "\"b\""],
        ["tag(vu) = num", "Bool", "true", "false"],
        ["vu = vt", "Bool", "false", "true"],
        ["vu ~= vt", "Bool", "true", "false"],
        [
            "if tag(vt) = num then vt else vu",
            "Item",
            "num(3)",
            "text(\"a\")",
        ],
        ["vc", "Color", "blue", "red"],
        ["vc = red", "Bool", "false", "true"],
        ["vc ~= red", "Bool", "true", "false"],
    ],
};

const SORTS: Section = Section {
    name: "sorts",
    types: "type Node type Ballot type Quorum
            assumes TotalOrder(Ballot)
            uses Quorums(Quorum, Node)",
    variables: &[
        ("vs", "Set[Node]", "{}"),
        ("va", "Array[Node, Bool]", "constant(true)"),
        ("vb", "Array[Ballot, Set[Node]]", "constant({})"),
        ("vm", "Map[Node, Nat]", "empty"),
        ("vg", "Mset[Node]", "{}"),
        ("vq", "Seq[Node]", "{}"),
        ("vz", "Null[Ballot]", "nil"),
    ],
    rows: &[
        ["size({n: Node where ~va[n]})", "Nat", "0", "1"],
        ["size({n: Node where va[n]}) > 0", "Bool", "true", "false"],
        ["size(vs \\U {n: Node where n \\in vs})", "Nat", "0", "1"],
        ["\\A n: Node (insert(n, vs) = {n})", "Bool", "true", "false"],
        ["\\E n: Node (n \\in vs)", "Bool", "false", "true"],
        [
            "\\A n: Node (size({m: Node where m = n}) = 1)",
            "Bool",
            "true",
            "false",
        ],
        [
            "\\A b, c: Ballot (b < c \\/ c <= b)",
            "Bool",
            "true",
            "false",
        ],
        [
            "\\A b: Ballot (b > b \\/ ~(b >= b))",
            "Bool",
            "false",
            "true",
        ],
        [
            "\\A q, r: Quorum \\E n: Node (n \\in q /\\ n \\in r)",
            "Bool",
            "true",
            "false",
        ],
        ["\\A b: Ballot (vb[b] = {})", "Bool", "true", "false"],
        ["\\E n: Node (defined(vm, n))", "Bool", "false", "true"],
        [
            "\\A n: Node (count(n, insert(n, vg)) = 1)",
            "Bool",
            "true",
            "false",
        ],
        ["\\A n: Node (head(vq |- n) = n)", "Bool", "true", "false"],
        ["\\E b: Ballot (vz = embed(b))", "Bool", "false", "true"],
    ],
};

pub(crate) const TABLE: [Section; 11] = [
    BOOLEANS, NUMBERS, REALS, TEXTS, SETS, MULTISETS, SEQUENCES, ARRAYS, MAPS, PARTS, SORTS,
];
