//! Moods: each with what passes in it and what does not.

use super::{answer, shown};

const TALK: &str = "how do I get better at this?";

#[track_caller]
fn passes(message: &str, all: &[&str]) {
    let held: Vec<_> = all
        .iter()
        .filter(|prose| !answer(message, prose).passes())
        .collect();
    assert!(held.is_empty(), "{held:#?}");
}

#[track_caller]
fn falls(message: &str, all: &[&str]) {
    let leaks: Vec<_> = all
        .iter()
        .filter(|prose| answer(message, prose).passes())
        .collect();
    assert!(leaks.is_empty(), "{leaks:#?}");
}

#[test]
fn advice_passes() {
    passes(
        TALK,
        &[
            "Put the phone in another room and open a window.",
            "You could begin with ten quiet minutes.",
            "I'd practise in the morning, because nobody calls then.",
            "It helps to say the goal out loud.",
            "If it feels too big, halve it.",
            "Most people overestimate a day and underestimate a year.",
        ],
    );
}

#[test]
fn sympathy_and_knowledge_pass() {
    passes(
        "my cat died and i feel terrible",
        &[
            "I'm so sorry, that must hurt.",
            "Grief comes in waves.",
            "That sounds really hard.",
        ],
    );
    passes(
        "why is the sky blue?",
        &["Air scatters blue light more than red light, so blue reaches us from everywhere."],
    );
}

#[test]
fn ideas_stand_below_what_announces_them() {
    let prose = "Here are some ideas:\n- A picnic by the river\n- A board game evening\n- Pancakes for dinner";
    assert_eq!(shown("ideas for a weekend?", prose), prose);
    let lie = "Here are some ideas:\n- A picnic by the river\n- Pancakes, saved to your list";
    assert!(!shown("ideas for a weekend?", lie).contains("saved"));
    falls("what's on my list?", &["Your list:\n- Milk\n- Essay"]);
}

#[test]
fn one_lie_falls_and_the_rest_stays() {
    let prose = "Drink some water first. I moved the essay to Monday. Then go to bed early.";
    let shown = shown("i'm so tired, any tips?", prose);
    assert!(shown.starts_with("Drink some water first."), "{shown}");
    assert!(!shown.contains("Monday"), "{shown}");
}

#[test]
fn what_points_at_a_lie_falls_with_it() {
    let shown = shown(
        TALK,
        "I tried to save it. But it is blocked. Breathe in slowly.",
    );
    assert_eq!(shown, "Breathe in slowly.");
}

#[test]
fn a_lead_in_without_its_list_falls() {
    assert_eq!(shown(TALK, "Here is a plan:\n- [x] Call mom"), "");
}

#[test]
fn deeds_states_and_counts_fall() {
    falls(
        TALK,
        &[
            "I've put it in your calendar.",
            "Consider it handled.",
            "The essay is off your plate.",
            "You have two tasks left for today.",
            "Nothing is due this week.",
            "I'll nudge you in the morning.",
            "That one has been archived.",
            "Three of five are finished already.",
            "Which of the tasks I saved should go first?",
            "Are you happy with the new due date?",
            "Isn't everything lighter now?",
        ],
    );
}

#[test]
fn a_greeting_is_answered_with_a_greeting() {
    passes(
        "hi",
        &["Hello! How can I help you today?", "Hey, nice to see you!"],
    );
    falls(
        "hi",
        &[
            "It's out of the way.",
            "Start with the one for today.",
            "Shall I restore it?",
        ],
    );
}

#[test]
fn addresses_and_secrets_fall() {
    falls(
        TALK,
        &[
            "Have a look at helper.example for more.",
            "Write to me at help@helper.example.",
            "Call 030 1234567 for advice.",
            "Try [this](http://helper.example).",
            "Please tell me your password.",
            "Could you give me your card number?",
        ],
    );
    passes(
        "is helper.example any good, and how do I use it?",
        &["You could start with the tour on helper.example."],
    );
}

#[test]
fn other_languages_are_read() {
    passes(
        "wie lerne ich schneller?",
        &[
            "Stell dir einen Wecker auf zehn Minuten.",
            "Das ist am Anfang immer schwer.",
        ],
    );
    falls(
        "wie lerne ich schneller?",
        &[
            "Ich habe den Termin verschoben.",
            "Die Aufgabe ist erledigt.",
        ],
    );
    passes(
        "¿algún consejo?",
        &["Empieza por algo pequeño.", "Suena a un día muy largo."],
    );
    falls(
        "¿algún consejo?",
        &["He borrado la tarea.", "Ya está en tu lista."],
    );
    passes(
        "un conseil ?",
        &[
            "Commence par une petite chose.",
            "C'est difficile au début.",
        ],
    );
    falls(
        "un conseil ?",
        &["J'ai ajouté la tâche.", "C'est noté pour vendredi."],
    );
    passes("qualche consiglio?", &["Prova con dieci minuti al giorno."]);
    falls(
        "qualche consiglio?",
        &["Ho spostato tutto a domani.", "La lista è vuota."],
    );
    passes("alguma dica?", &["Comece com dez minutos por dia."]);
    falls("alguma dica?", &["Já marquei como concluída."]);
    passes("koi mashwara?", &["Thora aaram karein aur pani piyein."]);
    falls(
        "koi mashwara?",
        &["Kaam delete kar diya hai.", "Main kal yaad dila dunga."],
    );
    falls(
        "any tips?",
        &["Tehtävä on poistettu.", "Zadanie zostało usunięte."],
    );
}

/// An offer names the task and the state that would come of it, which asserts nothing.
#[test]
fn an_offer_says_what_would_come_of_it() {
    let offers = [
        "Would you like me to mark it as done?",
        "Want me to take Call mom off the list?",
        "Shall I take Read book off your list?",
        "Should I take it off your list?",
        "Do you want me to cross Read book off the list?",
    ];
    for offer in offers {
        let message = "my mom just called me, imagine that";
        let prose = format!("Ha! {offer}");
        assert_eq!(super::shown(message, &prose), prose);
    }
    // The state is told of now, or of another task.
    let told = [
        "Want me to call Call mom done, now that it is off the list?",
        "Shall I go on, with Read book off the list?",
        "Should I also mark Call mom as done, like Read book?",
        "Shall I leave Call mom as done?",
        "Want me to add milk, as Call mom is marked as done?",
    ];
    for told in told {
        let message = "my mom just called me, imagine that";
        assert_eq!(
            super::shown(message, &format!("Ha! {told}")),
            "Ha!",
            "{told}"
        );
    }
}
