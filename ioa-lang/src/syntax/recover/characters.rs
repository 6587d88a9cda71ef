//! Misleading characters: invisible ones, those that change the direction of text, and look-alikes.

/// Look-alikes of ASCII signs from other alphabets and from word processors, each after the sign that it resembles.
const LOOKALIKES: &[(char, &str)] = &[
    ('a', "аα"),
    ('c', "сϲ"),
    ('e', "е"),
    ('i', "іι"),
    ('j', "ј"),
    ('o', "оο"),
    ('p', "рρ"),
    ('s', "ѕ"),
    ('u', "υ"),
    ('v', "ν"),
    ('x', "хχ"),
    ('y', "уγ"),
    ('A', "АΑ"),
    ('B', "ВΒ"),
    ('C', "С"),
    ('E', "ЕΕ"),
    ('H', "НΗ"),
    ('I', "ІΙ"),
    ('K', "КΚ"),
    ('M', "МΜ"),
    ('N', "Ν"),
    ('O', "ОΟ"),
    ('P', "РΡ"),
    ('S', "Ѕ"),
    ('T', "ТΤ"),
    ('X', "ХΧ"),
    ('Y', "Υ"),
    ('Z', "Ζ"),
    ('\'', "‘’′"),
    ('"', "“”"),
    ('-', "‐‑‒–—−"),
    (';', "\u{37E}"),
];

/// Whether a character changes the order in which the text around it is shown.
pub(in crate::syntax) fn turns_text(c: char) -> bool {
    matches!(c, '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}')
}

/// A character in words: by its number, with what makes it hard to see.
pub(in crate::syntax) fn describe(c: char) -> String {
    let number = format!("the character U+{:04X}", c as u32);
    if turns_text(c) {
        return format!("{number}, which changes the direction of text");
    }
    match c {
        '\u{AD}' | '\u{61C}' | '\u{200B}'..='\u{200F}' | '\u{2060}'..='\u{2065}' | '\u{FEFF}' => {
            format!("{number}, which is invisible")
        }
        '\u{300}'..='\u{36F}' => format!("{number}, which combines with the one before it"),
        _ => match looks_like(c) {
            Some(seen) => format!("{number}, which looks like `{seen}`"),
            None => number,
        },
    }
}

/// The ASCII character that another one looks like.
fn looks_like(c: char) -> Option<char> {
    if let '\u{FF01}'..='\u{FF5E}' = c {
        // Full-width forms stand in the order of ASCII.
        return char::from_u32(c as u32 - 0xFF00 + 0x20);
    }
    let found = LOOKALIKES.iter().find(|(_, others)| others.contains(c));
    found.map(|(seen, _)| *seen)
}
