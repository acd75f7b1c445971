//! Base forms of a word: enough for "drinks", "purchasing" or "paid" to meet their title.
//!
//! Two words are one when their base forms meet. Deliberately small and English, with the
//! plural in -s that five languages share: a stem that joins too much would
//! pick a task nobody named. Holds no suffix of comparison or of agents.

use std::collections::HashMap;
use std::sync::LazyLock;

use super::vocabulary::is_oblique;

/// The longest word that is taken apart.
const LONGEST: usize = 24;

/// Calls `each` with every base form of `word` except `word` itself.
pub(crate) fn bases(word: &str, each: &mut impl FnMut(&str)) {
    if let Some(base) = BASES.get(word) {
        each(base);
        return;
    }
    if !word.is_ascii() || word.len() < 3 || word.len() > LONGEST {
        return;
    }
    if let Some(stem) = word.strip_suffix('e').filter(|_| is_oblique(word)) {
        each(&format!("{stem}a"));
    }
    plural(word, &mut |singular| {
        each(singular);
        verbal(singular, each);
    });
    verbal(word, each);
}

/// Tells whether a word is the plural of another.
pub(crate) fn is_plural_of(word: &str, singular: &str) -> bool {
    let mut found = false;
    plural(word, &mut |own| found |= own == singular);
    found
}

fn plural(word: &str, each: &mut impl FnMut(&str)) {
    let Some(bare) = word.strip_suffix('s') else {
        return;
    };
    if bare.len() < 3 || bare.ends_with(['s', 'u', 'i']) {
        return;
    }
    each(bare);
    let Some(stem) = bare.strip_suffix('e') else {
        return;
    };
    if stem.ends_with(['s', 'x', 'z', 'o']) || stem.ends_with("ch") || stem.ends_with("sh") {
        each(stem);
    }
    if let Some(stem) = stem.strip_suffix('i').filter(|stem| stem.len() >= 2) {
        each(&format!("{stem}y"));
    }
    if let Some(stem) = stem.strip_suffix('v').filter(|stem| stem.len() >= 2) {
        each(&format!("{stem}f"));
        each(&format!("{stem}fe"));
    }
}

fn verbal(word: &str, each: &mut impl FnMut(&str)) {
    if let Some(stem) = word.strip_suffix("ied").filter(|stem| stem.len() >= 2) {
        each(&format!("{stem}y"));
        return;
    }
    let stem = word.strip_suffix("ing").or_else(|| word.strip_suffix("ed"));
    let Some(stem) = stem.filter(|stem| stem.len() >= 2 && stem.bytes().any(is_vowel)) else {
        return;
    };
    let end = stem.as_bytes();
    let [.., before, last] = end else { return };
    if before == last && !is_vowel(*last) {
        // "running" and "adding", but also "calling": which of the two, only the title knows.
        each(stem);
        each(stem.get(..stem.len() - 1).unwrap_or_default());
        return;
    }
    let vowels = end.iter().filter(|b| is_vowel(**b)).count();
    let closed = !is_vowel(*last) && !b"wxy".contains(last) && is_vowel(*before);
    if vowels == 1 && closed {
        // A short stem would have doubled its consonant: "hoping" is "hope", never "hop".
        each(&format!("{stem}e"));
        return;
    }
    each(stem);
    if !is_vowel(*last) {
        each(&format!("{stem}e"));
    }
}

const fn is_vowel(b: u8) -> bool {
    matches!(b, b'a' | b'e' | b'i' | b'o' | b'u' | b'y')
}

static BASES: LazyLock<HashMap<&str, &str>> = LazyLock::new(|| IRREGULAR.into_iter().collect());

/// Forms no suffix rule reaches, and numbers in words: forms and the base they share.
const IRREGULAR: [(&str, &str); 160] = [
    ("ate", "eat"),
    ("been", "be"),
    ("bought", "buy"),
    ("broke", "break"),
    ("broken", "break"),
    ("brought", "bring"),
    ("built", "build"),
    ("came", "come"),
    ("chose", "choose"),
    ("chosen", "choose"),
    ("did", "do"),
    ("done", "do"),
    ("drank", "drink"),
    ("driven", "drive"),
    ("drove", "drive"),
    ("eaten", "eat"),
    ("fed", "feed"),
    ("fixing", "fix"),
    ("found", "find"),
    ("gave", "give"),
    ("given", "give"),
    ("goes", "go"),
    ("gone", "go"),
    ("got", "get"),
    ("gotten", "get"),
    ("heard", "hear"),
    ("held", "hold"),
    ("hid", "hide"),
    ("hung", "hang"),
    ("kept", "keep"),
    ("knew", "know"),
    ("laid", "lay"),
    ("learnt", "learn"),
    ("led", "lead"),
    ("left", "leave"),
    ("lent", "lend"),
    ("lost", "lose"),
    ("made", "make"),
    ("met", "meet"),
    ("paid", "pay"),
    ("ran", "run"),
    ("rang", "ring"),
    ("said", "say"),
    ("sang", "sing"),
    ("saw", "see"),
    ("seen", "see"),
    ("sent", "send"),
    ("sold", "sell"),
    ("spent", "spend"),
    ("spoke", "speak"),
    ("swam", "swim"),
    ("taken", "take"),
    ("taught", "teach"),
    ("thought", "think"),
    ("threw", "throw"),
    ("told", "tell"),
    ("took", "take"),
    ("went", "go"),
    ("woke", "wake"),
    ("won", "win"),
    ("written", "write"),
    ("wrote", "write"),
    ("beaten", "beat"),
    ("began", "begin"),
    ("begun", "begin"),
    ("bent", "bend"),
    ("bit", "bite"),
    ("bitten", "bite"),
    ("blew", "blow"),
    ("bred", "breed"),
    ("caught", "catch"),
    ("clung", "cling"),
    ("crept", "creep"),
    ("dealt", "deal"),
    ("drawn", "draw"),
    ("drew", "draw"),
    ("dreamt", "dream"),
    ("drunk", "drink"),
    ("dug", "dig"),
    ("fallen", "fall"),
    ("felt", "feel"),
    ("flew", "fly"),
    ("flown", "fly"),
    ("fought", "fight"),
    ("forgot", "forget"),
    ("forgotten", "forget"),
    ("forgave", "forgive"),
    ("froze", "freeze"),
    ("frozen", "freeze"),
    ("grew", "grow"),
    ("grown", "grow"),
    ("hidden", "hide"),
    ("knelt", "kneel"),
    ("known", "know"),
    ("leapt", "leap"),
    ("lit", "light"),
    ("mown", "mow"),
    ("meant", "mean"),
    ("mistook", "mistake"),
    ("overcame", "overcome"),
    ("proven", "prove"),
    ("ridden", "ride"),
    ("rode", "ride"),
    ("risen", "rise"),
    ("rung", "ring"),
    ("sewn", "sew"),
    ("shaken", "shake"),
    ("shook", "shake"),
    ("shone", "shine"),
    ("shot", "shoot"),
    ("shown", "show"),
    ("sank", "sink"),
    ("slept", "sleep"),
    ("sown", "sow"),
    ("sought", "seek"),
    ("spelt", "spell"),
    ("spilt", "spill"),
    ("spun", "spin"),
    ("spoken", "speak"),
    ("stolen", "steal"),
    ("stole", "steal"),
    ("stood", "stand"),
    ("struck", "strike"),
    ("stuck", "stick"),
    ("sung", "sing"),
    ("sunk", "sink"),
    ("swept", "sweep"),
    ("swore", "swear"),
    ("sworn", "swear"),
    ("swum", "swim"),
    ("swung", "swing"),
    ("thrown", "throw"),
    ("tore", "tear"),
    ("torn", "tear"),
    ("understood", "understand"),
    ("woken", "wake"),
    ("wore", "wear"),
    ("worn", "wear"),
    ("wove", "weave"),
    ("withdrew", "withdraw"),
    ("withdrawn", "withdraw"),
    ("wrung", "wring"),
    ("burnt", "burn"),
    ("fled", "flee"),
    ("children", "child"),
    ("feet", "foot"),
    ("men", "man"),
    ("mice", "mouse"),
    ("teeth", "tooth"),
    ("women", "woman"),
    ("two", "2"),
    ("three", "3"),
    ("four", "4"),
    ("five", "5"),
    ("six", "6"),
    ("seven", "7"),
    ("eight", "8"),
    ("nine", "9"),
    ("ten", "10"),
    ("twelve", "12"),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(word: &str, base: &str, meets: bool) {
        let mut found = Vec::new();
        bases(word, &mut |form| found.push(form.to_owned()));
        assert_eq!(
            found.iter().any(|form| form == base),
            meets,
            "{word}: {found:?}"
        );
    }

    #[test]
    fn plurals_and_verb_forms_have_their_base() {
        check("lemons", "lemon", true);
        check("brushes", "brush", true);
        check("cherries", "cherry", true);
        check("cookies", "cookie", true);
        check("knives", "knife", true);
        check("renewing", "renew", true);
        check("baking", "bake", true);
        check("swimming", "swim", true);
        check("calling", "call", true);
        check("hiring", "hire", true);
        check("tried", "try", true);
        check("meetings", "meet", true);
        check("wrote", "write", true);
        check("three", "3", true);
    }

    #[test]
    fn what_only_looks_inflected_stays_whole() {
        check("gas", "ga", false);
        check("bus", "bu", false);
        check("dress", "dres", false);
        check("ring", "r", false);
        check("care", "car", false);
        check("hoping", "hop", false);
        check("bed", "b", false);
        check("königs", "konig", false);
    }
}
