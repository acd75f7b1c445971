//! Fixed words: help, pleasantries, and what is said when a model's prose can't be.
//!
//! None of them says anything about the user's tasks.

use super::phrases::{Speech, quoted};
use crate::domain::text::fold;
use crate::intent::{Act, Social, Topic, Verb};

/// Answers whether something will ring.
pub(super) fn no_alarm(speech: Speech) -> String {
    speech
        .pick(
            "I remind you only where a receipt says \"reminder\".",
            "Main sirf wahan yaad dilata hun jahan receipt mein \"reminder\" likha ho.",
        )
        .to_owned()
}

/// The fixed answer to a clause that licenses nothing; `None` when it has none of its own.
pub fn canned(act: &Act, speech: Speech) -> Option<String> {
    match act {
        Act::Help(topic) => Some(help(*topic, speech).to_owned()),
        Act::Hypothetical(change) => {
            let what = super::licence::target_words(&change.targets.whole);
            Some(hypothetical(change.verb, &what, speech))
        }
        Act::AlarmQuestion => Some(
            speech
                .pick(
                    "No, I have no alarm: I keep the day, and the time stays in the title.",
                    "Nahi, mere paas alarm nahi: main din rakhta hun, waqt title mein rehta hai.",
                )
                .to_owned(),
        ),
        Act::Social(social) => Some(social_line(*social, speech).to_owned()),
        Act::Forbidden(_) => Some(
            speech
                .pick("All right, I leave it.", "Theek hai, rehne deta hun.")
                .to_owned(),
        ),
        _ => None,
    }
}

/// A short, pleasant line.
pub const fn social_line(social: Social, speech: Speech) -> &'static str {
    match social {
        Social::Greeting => speech.pick(
            "Hello! What can I do for your list?",
            "Salam! Aap ki list ke liye kya karun?",
        ),
        Social::Thanks => speech.pick("You're welcome!", "Khushi hui!"),
        Social::Farewell => speech.pick("Goodbye!", "Khuda hafiz!"),
        Social::Praise => speech.pick("Thank you, that's kind!", "Shukriya, meherbani!"),
        Social::Heard => speech.pick("All right!", "Theek hai!"),
    }
}

/// Returns what is said to a yes that nothing waits for. "cool" and "ok" are often no yes at all.
pub fn nothing_waits(message: &str, speech: Speech) -> &'static str {
    const HEARD: [&str; 16] = [
        "ok",
        "okay",
        "k",
        "cool",
        "great",
        "perfect",
        "fine",
        "lovely",
        "alright",
        "all right",
        "sounds good",
        "sounds great",
        "very good",
        "looks good",
        "looks great",
        "that's great",
    ];
    const THANKS: [&str; 5] = ["thanks", "thank", "thx", "ty", "cheers"];
    let said = fold(message);
    let said = said.trim_matches(|c: char| !c.is_alphanumeric());
    let mut words = said.split(|c: char| !c.is_alphanumeric());
    if words.any(|word| THANKS.contains(&word)) {
        return social_line(Social::Thanks, speech);
    }
    if HEARD.contains(&said) {
        return social_line(Social::Heard, speech);
    }
    speech.pick(
        "Nothing is waiting for a yes.",
        "Kisi haan ka intezar nahi.",
    )
}

/// Says that a model's answer was left out.
pub const fn unsaid_line(speech: Speech) -> &'static str {
    speech.pick(
        "I can't say anything certain about that.",
        "Is ke bare mein yaqeen se kuch nahi keh sakta.",
    )
}

/// Says what the program can do, and how to ask for it.
pub(super) const fn general_help(speech: Speech) -> &'static str {
    speech.pick(
        "I look after your todo list. Say \"add milk\", \"what's on my list?\", \"mark milk as done\" or \"delete milk\".",
        "Main aap ki todo list sambhalta hun. Kahiye \"add milk\", \"meri list dikhao\", \"milk complete kar do\" ya \"milk delete kar do\".",
    )
}

const fn help(topic: Topic, speech: Speech) -> &'static str {
    match topic {
        Topic::General => general_help(speech),
        Topic::Add => speech.pick(
            "Say \"add buy milk tomorrow\": the words are the title, the day is the due date.",
            "Kahiye \"kal doodh lena add karo\": alfaaz title hain, din due date.",
        ),
        Topic::List => speech.pick(
            "Say \"what's on my list?\", \"what is due this week?\" or \"is milk on my list?\".",
            "Kahiye \"meri list dikhao\" ya \"is hafte kya due hai?\".",
        ),
        Topic::Update => speech.pick(
            "Say \"set milk priority to high\", \"move milk to friday\" or \"rename milk to oat milk\".",
            "Kahiye \"milk ki priority high kar do\" ya \"milk ko jumma par le jao\".",
        ),
        Topic::Complete => speech.pick(
            "Say \"mark milk as done\".",
            "Kahiye \"milk complete kar do\".",
        ),
        Topic::Delete => speech.pick(
            "Say \"delete milk\" with the task's title. \"undo\" brings it back.",
            "Title ke saath kahiye \"milk delete kar do\". \"undo\" wapas le aata hai.",
        ),
        Topic::Undo => speech.pick(
            "Say \"undo\": it takes back the latest change, again the one before. Deletions can be undone for 30 days.",
            "Kahiye \"undo\": aakhri tabdeeli wapas ho jati hai. Delete 30 din tak wapas ho sakta hai.",
        ),
    }
}

fn hypothetical(verb: Verb, what: &str, speech: Speech) -> String {
    let what = if what.is_empty() {
        speech.pick("A task", "Task").to_owned()
    } else {
        quoted(what)
    };
    match (speech, verb) {
        (Speech::English, Verb::Delete) => {
            format!("{what} would leave your list; \"undo\" works for 30 days.")
        }
        (Speech::English, Verb::Complete) => {
            format!(
                "{what} would be marked as done and stay on the list as completed; \"undo\" takes it back."
            )
        }
        (Speech::English, _) => format!("{what} would get the new value; \"undo\" takes it back."),
        (Speech::RomanUrdu, Verb::Delete) => {
            format!("{what} list se hat jayega; \"undo\" 30 din tak kaam karta hai.")
        }
        (Speech::RomanUrdu, _) => format!("{what} badal jayega; \"undo\" se wapas ho jata hai."),
    }
}
