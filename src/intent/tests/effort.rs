//! Cost of reading, in looks at words, patterns and their steps: it grows no faster than the
//! message, and no text is much dearer than everyday prose.
//!
//! Looks depend on no machine and no clock; the times are measured by `benches/readers.rs`.

use super::*;
use crate::language::matcher::EFFORT;

/// The looks that reading `bytes` of `unit` takes, over all grammars that are tried.
fn looks(unit: &str, bytes: usize) -> usize {
    let message = unit.repeat(bytes / unit.len());
    let before = EFFORT.get();
    read(&message, today(), Lang::En);
    EFFORT.get() - before
}

/// The most looks that 2 kB of everyday prose may take, and of any text: what a search may try
/// has an end.
const EVERYDAY: usize = 30_000;
const ANY: usize = 50_000;

#[test]
fn no_text_is_dear() {
    let english = looks(SCRIPTS[0], 2_048);
    assert!(english > 1_000, "nothing was counted: {english}");
    let everyday = SCRIPTS.into_iter().map(|unit| (unit, EVERYDAY));
    let texts = everyday.chain(UNITS.into_iter().map(|unit| (unit, ANY)));
    let looks = texts.map(|(unit, most)| (looks(unit, 2_048), most, unit));
    let dear: Vec<_> = looks.filter(|(looks, most, _)| looks > most).collect();
    assert!(dear.is_empty(), "{dear:#?}");
}

#[test]
fn looks_grow_no_faster_than_the_message() {
    for unit in SCRIPTS.into_iter().chain(UNITS) {
        let (short, long) = (looks(unit, 2_048), looks(unit, 16_384));
        assert!(long <= short * 9 + 1_000, "{unit:?}: {short}, then {long}");
    }
}

/// Everyday prose, by script.
const SCRIPTS: [&str; 11] = [
    "Hi, I had a long talk with Sam about the move and we still have to sort out a few things. \
     Please add a task to call the plumber on Friday, since the tap has been dripping for weeks. \
     The garden looks better now, although nobody painted the fence. ",
    "Heute war ein langer Tag, und die Küche müsste größer sein. Füge bitte Äpfel kaufen hinzu. \
     Mein Bruder hätte gern den Schlüssel für den Schuppen zurück. ",
    "Hier nous avons déjeuné chez elle, et le garçon a cassé la fenêtre. Ajoute du pain à ma \
     liste. Les enfants étaient ravis, même après une journée très fatigante à l'école. ",
    "Вчера мы долго гуляли по городу. Добавь молоко и хлеб в список на завтра. ",
    "Χθες περπατήσαμε πολύ στην πόλη. Πρόσθεσε γάλα και ψωμί στη λίστα για αύριο. ",
    "कल हम शहर में बहुत देर तक घूमे। कृपया कल की सूची में दूध और रोटी जोड़ें। ",
    "مشينا أمس طويلا في المدينة. أضف من فضلك الحليب والخبز إلى قائمة الغد. ",
    "昨天我们在城里走了很久。请把牛奶和面包加到明天的清单里。",
    "きのうは町を長いあいだ歩きました。牛乳とパンを明日のリストに入れてください。",
    "어제 우리는 도시를 오래 걸었습니다. 우유와 빵을 내일 목록에 넣어 주세요. ",
    "🎉🎂 🍎🍐🍊 👍🏽 ❤️ 🚗💨 🥛🍞 ",
];

/// Texts that ask the most of a reader: one unit again and again.
const UNITS: [&str; 54] = [
    "and ",
    "add ",
    "add milk and ",
    "delete ",
    "delete milk, ",
    "1 ",
    "1. ",
    ".",
    ", ",
    "+",
    "+ ",
    "a ",
    "x",
    "é",
    "'",
    "\"",
    "\"x\" ",
    "@",
    "- [ ] ",
    "\n",
    "with note ",
    "priority high ",
    "the ",
    "is ",
    "to ",
    "can you ",
    "please ",
    "i want to ",
    "mark x as done and ",
    "in the next ",
    "every monday and ",
    "tomorrow ",
    "yes ",
    "no, ",
    "thanks ",
    "then ",
    "my list ",
    "que ",
    "und ",
    "aur ",
    "milk ",
    "milk",
    "0",
    "牛",
    "🎉",
    "a a-a'a ",
    "if i ",
    "wait, ",
    "or not, ",
    "delete x, wait, ",
    "delete x if i wait, ",
    "just kidding ",
    "mom: delete x, ",
    "if it rains, delete x ",
];
