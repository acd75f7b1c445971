//! What reading one message costs: folding, intents, dates and prose, in every script, on the
//! short messages that turns are made of, and on texts that ask the most of a reader.
//!
//! `cargo bench --bench readers`. To hold, in µs at the 99th percentile on an idle machine: 50 for 2 kB,
//! 500 for 16 kB; the costliest script at most three times the cheapest, the costliest text at
//! most ten times the median. Times vary with the machine, the two ratios hardly do.

mod support;

use std::io;

use candor::domain::Lang;
use candor::domain::text::Text;
use candor::guard::prose::judge;
use candor::{intent, temporal};
use chrono::NaiveDate;
use support::{Times, line};

/// Everyday messages, by script.
const SCRIPTS: [(&str, &str); 11] = [
    (
        "english",
        "Hi there, I had a long talk with Sam about the move and we still have to sort out a few things before the summer. Please add a task to call the plumber on Friday, since the tap in the kitchen has been dripping for weeks. The garden looks much better now, although nobody has painted the fence yet. By the way, the neighbours asked about our old bikes; they would like to see them. ",
    ),
    (
        "german",
        "Heute war ein langer Tag, über den ich später erzähle. Die Küche müsste größer sein, und für das Frühstück fehlen Brötchen. Füge bitte Äpfel kaufen hinzu. Die Straße vor unserem Haus wird seit Wochen geöffnet und wieder geschlossen, niemand weiß, wofür. Mein Bruder hätte gern den Schlüssel für den Schuppen zurück. ",
    ),
    (
        "french",
        "Hier nous avons déjeuné chez Élodie, où l'été semblait déjà fini. Le garçon d'à côté a cassé la fenêtre de la salle à manger, ça coûtera cher. Ajoute « réparer la fenêtre » à ma liste. Les enfants étaient ravis, même après une journée très fatigante à l'école, et la grand-mère a préparé des crêpes délicieuses. ",
    ),
    (
        "cyrillic",
        "Вчера мы долго гуляли по городу и говорили о работе, погоде и детях. Добавь, пожалуйста, молоко и хлеб в список покупок на завтра. Соседи просили вернуть им лестницу, а ещё нужно починить кран на кухне, который капает уже третью неделю. Ёлка стоит в углу, хотя праздник давно прошёл. ",
    ),
    (
        "greek",
        "Χθες περπατήσαμε πολύ στην πόλη και μιλήσαμε για τη δουλειά, τον καιρό και τα παιδιά. Πρόσθεσε γάλα και ψωμί στη λίστα για αύριο. Οι γείτονες ζήτησαν πίσω τη σκάλα τους, και η βρύση στην κουζίνα στάζει εδώ και εβδομάδες. ",
    ),
    (
        "devanagari",
        "कल हम शहर में बहुत देर तक घूमे और काम, मौसम और बच्चों के बारे में बात की। कृपया कल की सूची में दूध और रोटी जोड़ें। पड़ोसियों ने अपनी सीढ़ी वापस माँगी है, और रसोई का नल कई हफ़्तों से टपक रहा है। ",
    ),
    (
        "arabic",
        "مشينا أمس طويلا في المدينة وتحدثنا عن العمل والطقس والأطفال. أضف من فضلك الحليب والخبز إلى قائمة الغد. طلب الجيران سلمهم، وصنبور المطبخ يقطر منذ أسابيع، ولا أحد يعرف متى يأتي السباك. ",
    ),
    (
        "chinese",
        "昨天我们在城里走了很久，谈到了工作、天气和孩子。请把牛奶和面包加到明天的清单里。邻居要我们把梯子还给他们，厨房的水龙头已经漏了好几个星期，没有人知道水管工什么时候来。",
    ),
    (
        "japanese",
        "きのうは町を長いあいだ歩いて、仕事や天気や子どもの話をしました。牛乳とパンを明日のリストに入れてください。となりの人がはしごを返してほしいと言っていて、台所の蛇口はもう何週間もポタポタしています。",
    ),
    (
        "korean",
        "어제 우리는 도시를 오래 걸으며 일과 날씨와 아이들 이야기를 했습니다. 우유와 빵을 내일 목록에 넣어 주세요. 이웃이 사다리를 돌려 달라고 했고, 부엌 수도꼭지는 몇 주째 물이 새고 있습니다. ",
    ),
    (
        "emoji",
        "🎉🎂 🍎🍐🍊 👩‍👩‍👧‍👦 🏳️‍🌈 👍🏽 ❤️ 🚗💨 🥛🍞 ✅❌ 🇩🇪🇫🇷 🕺💃 ☕️ 🌍🌧️ 🐶🐱 📅📌 🛒🧺 🔥🔥🔥 ",
    ),
];

/// What most turns are made of.
const SHORT: [&str; 8] = [
    "add buy milk",
    "delete Read book",
    "mark the dentist call as done",
    "what's left for today?",
    "remind me to call Sam tomorrow at 5pm",
    "push the report to next friday and add eggs",
    "füge Milch kaufen hinzu",
    "thanks, that's all for now",
];

/// Each again and again.
const UNITS: [&str; 44] = [
    "and ",
    "add ",
    "add milk and ",
    "delete ",
    "delete milk, ",
    "1 ",
    "1.",
    "1. ",
    ".",
    ",",
    ", ",
    "milk, ",
    "with note ",
    "priority high ",
    "high ",
    "the ",
    "is ",
    "done ",
    "can you ",
    "please ",
    "i want to ",
    "mark x as done and ",
    "don't ",
    "every monday and ",
    "tomorrow ",
    "in the next ",
    "3 days and ",
    "'",
    "add \"x\" and ",
    "yes ",
    "thanks ",
    "show ",
    "except ",
    "all ",
    "then ",
    "a ",
    "é",
    "que ",
    "y ",
    "5 p.m. ",
    "@",
    "+",
    "a@",
    "x",
];

fn main() -> io::Result<()> {
    intent::prepare();
    for (bytes, runs) in [(2_048, 1_000), (16_384, 200)] {
        line(&format!("\n{bytes} bytes, µs: median and 99th percentile"))?;
        let mut medians = Vec::new();
        for (script, text) in SCRIPTS {
            medians.push(row(script, &fill(text, bytes), runs)?);
        }
        medians.sort_by(f64::total_cmp);
        let of = |place: usize| medians.get(place).copied().unwrap_or(f64::NAN);
        line(&format!(
            "costliest script over cheapest: {:.1}",
            of(medians.len() - 1) / of(0)
        ))?;
    }
    line("\nshort messages, µs: median and 99th percentile")?;
    for message in SHORT {
        row(message, message, 5_000)?;
    }
    line("\n2048 bytes of one unit, µs: median and 99th percentile")?;
    let mut medians = Vec::new();
    for unit in UNITS {
        medians.push(row(&format!("{unit:?}"), &fill(unit, 2_048), 200)?);
    }
    medians.sort_by(f64::total_cmp);
    let of = |place: usize| medians.get(place).copied().unwrap_or(f64::NAN);
    let ratio = of(medians.len() - 1) / of(medians.len() / 2);
    line(&format!("costliest text over median: {ratio:.1}"))
}

/// Measures each reader on `raw`; gives the sum of their medians.
fn row(name: &str, raw: &str, runs: usize) -> io::Result<f64> {
    let today = NaiveDate::from_ymd_opt(2026, 2, 8).unwrap_or_default();
    let text = Text::new(raw);
    let fold = Times::of(runs, |_| Text::new(raw));
    let readers = [
        (
            "intent",
            Times::of(runs, |_| intent::read(raw, today, Lang::En)),
        ),
        (
            "dates",
            Times::of(runs, |_| temporal::scan(&text, today, Lang::En)),
        ),
        ("prose", Times::of(runs, |_| judge(raw))),
    ];
    let mut out = format!("{name:22} text {:6.1} {:7.1}", fold.at(50), fold.at(99));
    let (mut median, mut high) = (0.0, 0.0);
    for (reader, times) in &readers {
        out += &format!(" | {reader} {:6.1} {:7.1}", times.at(50), times.at(99));
        median += times.at(50);
        high += times.at(99);
    }
    line(&format!("{out} | sum {median:6.1} {high:7.1}"))?;
    Ok(median)
}

/// `unit` again and again, at most `bytes` long and never cut inside a character.
fn fill(unit: &str, bytes: usize) -> String {
    let mut text = unit.repeat(bytes / unit.len() + 1);
    let end = (0..=bytes).rev().find(|end| text.is_char_boundary(*end));
    text.truncate(end.unwrap_or(0));
    text
}
