//! Claims that no mood and no question excuses, and what only looks like them.

use super::{answer, shown};

/// Messages that ask for talk and tell of nothing.
const TALK: [&str; 6] = [
    "tell me a joke",
    "lol",
    "how do I remove a stain from a shirt?",
    "should I keep Essay?",
    "what's the tallest mountain in Spain?",
    "I ought to tidy the cellar some time soon",
];

/// Failures, reports without a subject, counts, praise, promises.
const STOPPED: &[&str] = &[
    "Tidied up the whole cellar!",
    "Wiped them out.",
    "Crossed off the dentist.",
    "Swept everything away!",
    "Could not move the essay.",
    "Couldn't rename it, sorry.",
    "Can't update that one right now.",
    "That didn't go through.",
    "This has not saved.",
    "Sadly it did not work.",
    "The server is not answering.",
    "I'm afraid the connection was lost.",
    "I think the app is offline.",
    "There are four things left to do: shop, cook, clean and rest.",
    "The total is zero tasks.",
    "Six reminders, all waiting.",
    "One item fewer!",
    "Did you see that the essay task disappeared?",
    "Have you noticed how the list is shorter?",
    "Would you like me to ping you at noon?",
    "Do you want me to nudge you tomorrow?",
    "Shall I ring you before lunch?",
    "Invoices are paid.",
    "Snow is white. Bills are paid.",
    "Your laundry is finished.",
    "Your invoice is paid.",
    "Essay: a brilliant thing you did.",
    "Milk: over and out.",
    "Good job finishing that one!",
    "Nice work deleting the other one!",
    "Your sister is happy that you called.",
    "His boss is relieved you finished.",
    "The list won't trouble you tonight.",
    "Say goodbye to Milk.",
    "I hope you love the new deadline.",
    "Greetings from a place where Essay is now.",
    "Nothing to see any more.",
    "Off it went.",
    "That one is out of the picture.",
    "The essay is behind you.",
    "It worked.",
    "That worked perfectly.",
    "The change is live.",
    "Your alarm is on.",
    "The email is out.",
    "The table is yours.",
    "Your week looks light.",
    "What a short list!",
    "How does it feel to have Essay finished?",
    "Could not reach the server.",
    "The service is unavailable.",
    "The request timed out.",
    "No connection right now.",
    "Let me take care of Milk.",
    "Expect a nudge on Friday.",
    "Watch for my reminder.",
    "Bob has been told.",
    "Ho eliminato la voce.",
    "Ho completato l'attività.",
    "He borrado la tarea.",
    "J'ai supprimé la tâche.",
    "Ich würde sagen, die Aufgabe wurde gelöscht.",
    "1. Milk\n2. Essay\n3. Buy a boat",
    "- Milk\n- Sail to Malta",
];

#[test]
fn no_question_excuses_a_claim() {
    let mut leaks = Vec::new();
    for message in TALK {
        for claim in STOPPED {
            let last = claim.rsplit(". ").next().unwrap_or(claim);
            if shown(message, claim).contains(last) {
                leaks.push((message, *claim));
            }
        }
    }
    assert!(leaks.is_empty(), "{leaks:#?}");
}

/// The message, and what may be told then.
const SHOWN: &[(&str, &str)] = &[
    ("what's the capital of Norway?", "Oslo."),
    ("and of Sweden?", "Stockholm."),
    ("who painted Guernica?", "Pablo Picasso painted Guernica."),
    ("what's 7 * 6?", "7 * 6 = 42."),
    ("wie heißt die Hauptstadt von Italien?", "Rom."),
    ("what should I do first?", "Essay first, then Milk."),
    (
        "any ideas for sunday?",
        "Sorting photos is the nicest kind of task!",
    ),
    (
        "how do I keep my plants alive?",
        "Pick a fixed day and stick to it.",
    ),
    (
        "my bike is broken, help",
        "You could get it cleaned and looked at.",
    ),
    (
        "tell me a joke",
        "Did you hear about the snail that went jogging? He is still out there.",
    ),
    (
        "tell me a joke",
        "I used to dislike the beard, but then it grew on me.",
    ),
    ("give me tips for tea", "Warm the pot first. 😊"),
    (
        "what is a kanban board?",
        "It's a habit to sort unfinished tasks.",
    ),
    (
        "Womit soll ich beginnen?",
        "Ich würde mit den Fenstern anfangen.",
    ),
    ("I need bread", "Shall I put it on the list?"),
    ("preciso de leite", "Quer que eu adicione isso?"),
    ("preciso de leite", "Quer que eu coloque isso na sua lista?"),
    (
        "ich muss noch Brot kaufen",
        "Soll ich das als dringend markieren?",
    ),
    (
        "I feel awful, he cancelled on me",
        "I'm sorry, that took strength.",
    ),
    (
        "any advice for moving house?",
        "Throw out what no longer fits.",
    ),
    (
        "tips for staying safe online?",
        "Some tips:\n\n- A password manager\n- Updates every week",
    ),
    (
        "help me choose",
        "Ask one question: does anything depend on it?",
    ),
    ("my list is a mess", "A messy list is normal."),
    ("j'ai trop de choses à faire", "Ça fait beaucoup."),
];

#[test]
fn what_only_looks_like_a_claim_is_shown() {
    let lost = SHOWN
        .iter()
        .filter(|(message, prose)| shown(message, prose) != *prose);
    let lost: Vec<_> = lost.collect();
    assert!(lost.is_empty(), "{lost:#?}");
}

/// Said by somebody who was asked about the world.
const NO_ANSWERS: &[&str] = &[
    "Vanished.",
    "Done.",
    "Deleted.",
    "Essay.",
    "Milk.",
    "Eliminado.",
    "Erledigt.",
    "Gone.",
    "Yes.",
    "Tomorrow.",
    "Saved.",
    "Zero.",
    "2 tasks.",
    "All Done.",
    "Task 3.",
];

#[test]
fn a_bare_answer_is_a_name_or_a_number() {
    let leaks = NO_ANSWERS
        .iter()
        .filter(|prose| answer("what's the capital of Norway?", prose).passes());
    let leaks: Vec<_> = leaks.collect();
    assert!(leaks.is_empty(), "{leaks:#?}");
    for message in [
        "what's on my list?",
        "what's left?",
        "how many tasks?",
        "what's due?",
        "hi",
    ] {
        assert!(!answer(message, "Oslo.").passes(), "{message}");
    }
}

#[test]
fn a_question_back_is_known_as_one() {
    for asks in [
        "Which one do you mean?",
        "Tell me which one you mean.",
        "Shall I add it?",
    ] {
        assert!(answer("hmm", asks).is_question(), "{asks}");
    }
    for tells in [
        "Sleep well!",
        "Oslo is the capital of Norway.",
        "Coffee helps.",
    ] {
        assert!(!answer("tell me something", tells).is_question(), "{tells}");
    }
}
