//! Words that the user takes back, mends or leaves out in the same breath: they license nothing.

use super::{Scene, task};
use crate::guard::licence::{GrantKind, Meaning, addition_parts};
use crate::intent::Due;

fn on(due: Option<&Due>) -> String {
    match due {
        Some(Due::On { day, .. }) => format!(" on {day}"),
        _ => String::new(),
    }
}

/// Returns what the words license over the tasks milk, eggs and stamps: "Delete milk, eggs; Add
/// bread".
fn licensed(words: &str) -> String {
    const TITLES: [&str; 3] = ["milk", "eggs", "stamps"];
    let tasks = (1..).zip(TITLES);
    let tasks = tasks.map(|(number, text)| task(number, text, false));
    let scene = Scene::new(words, tasks.collect());
    let title = |id| {
        let task = scene.tasks.get(id);
        task.map_or("?", |task| task.title.as_str()).to_owned()
    };
    let means = |meaning: &Meaning| match meaning {
        Meaning::One(id) => title(*id),
        Meaning::Set(ids) => {
            let titles: Vec<_> = ids.iter().map(|id| title(*id)).collect();
            titles.join(", ")
        }
        other => format!("{other:?}"),
    };
    let grants = scene.licence.grants.iter().map(|grant| match &grant.kind {
        GrantKind::Add { addition, .. } => {
            let titles = addition_parts(addition).into_iter();
            let titles = titles.map(|task| task.title.clone() + &on(task.due.as_ref()));
            format!("Add {}", titles.collect::<Vec<_>>().join(", "))
        }
        GrantKind::Change {
            verb,
            parts,
            values,
        } => {
            let parts: Vec<_> = parts.iter().map(|part| means(&part.meaning)).collect();
            format!("{verb:?} {}{}", parts.join(", "), on(values.due.as_ref()))
        }
        other => format!("{other:?}"),
    });
    grants.collect::<Vec<_>>().join("; ")
}

#[test]
fn a_no_takes_back_the_command_before_it() {
    for words in [
        "delete milk, no",
        "delete milk. No.",
        "delete milk - no",
        "mark eggs as done, no a joke",
        "delete milk, no wait, don't",
        "add bread, no wait, don't",
        "mark eggs as done. never mind",
        "undo that, no",
    ] {
        assert_eq!(licensed(words), "", "{words:?}");
    }
}

#[test]
fn so_does_a_no_with_a_wait_beside_it() {
    for words in [
        "delete milk, no wait",
        "delete milk. no, wait",
        "delete milk, wait no",
        "delete milk... hang on, no",
        "add bread, no wait",
        "lösche milk, nein warte",
        "supprime milk, non attends",
        "borra milk, no espera",
        "elimina milk, no aspetta",
    ] {
        assert_eq!(licensed(words), "", "{words:?}");
    }
    // Before a command it is a word of no weight.
    for (words, expect) in [
        ("wait, delete milk", "Delete milk"),
        ("hold on, add bread", "Add bread"),
        ("no wait, delete milk", "Delete milk"),
        ("warte, lösche milk", "Delete milk"),
    ] {
        assert_eq!(licensed(words), expect, "{words:?}");
    }
}

#[test]
fn what_is_said_instead_is_meant_and_nothing_else() {
    for (words, expect) in [
        ("delete milk, no wait, eggs", "Delete eggs"),
        ("delete milk, no, eggs", "Delete eggs"),
        ("mark milk as done, no, eggs", "Complete eggs"),
        ("add bread, no, butter", "Add butter"),
        (
            "move milk to friday, no, monday",
            "Update milk on 2026-02-09",
        ),
        (
            "add dentist on monday, no wait, tuesday",
            "Add dentist on 2026-02-10",
        ),
        (
            "add dentist, friday would be good",
            "Add dentist on 2026-02-13",
        ),
        ("add bread, no wait, butter", "Add butter"),
    ] {
        assert_eq!(licensed(words), expect, "{words:?}");
    }
}

#[test]
fn what_is_forbidden_is_left_out_of_all() {
    for (words, expect) in [
        (
            "delete all tasks, but don't delete milk",
            "Delete eggs, stamps",
        ),
        ("delete everything but keep milk", "Delete eggs, stamps"),
        (
            "delete everything, don't delete milk",
            "Delete eggs, stamps",
        ),
        (
            "complete all tasks, but don't complete milk",
            "Complete eggs, stamps",
        ),
        ("delete everything except milk", "Delete eggs, stamps"),
        ("delete milk and eggs, not eggs", "Delete milk"),
    ] {
        assert_eq!(licensed(words), expect, "{words:?}");
    }
}

#[test]
fn a_no_that_denies_the_verb_behind_it_licenses_nothing() {
    for words in [
        "no, don't delete milk",
        "no don't delete milk",
        "please don't reopen milk",
        "please don't set milk to high priority",
        "please don't undo that",
        "never undo that",
        "never set milk to high priority",
        "never scratch the last one",
        "better not delete milk",
        "I'd rather not add bread",
        "rather not mark milk as done",
        "don't bother delete milk",
        "no way delete milk",
        "jamais supprimer milk",
        "surtout pas supprimer milk",
        "no borra milk",
        "nunca borra milk",
        "não apaga milk",
        "mai eliminare milk",
    ] {
        assert_eq!(licensed(words), "", "{words:?}");
    }
    // One that only answers denies nothing.
    for (words, expect) in [
        ("no, delete milk", "Delete milk"),
        ("no delete milk", "Delete milk"),
        ("never mind, delete milk", "Delete milk"),
        ("no need, delete milk", "Delete milk"),
        ("not now. delete milk", "Delete milk"),
    ] {
        assert_eq!(licensed(words), expect, "{words:?}");
    }
}

#[test]
fn a_question_of_ones_own_that_is_denied_is_no_remark() {
    for words in ["milk is done? no", "milk is done, no"] {
        assert_eq!(licensed(words), "", "{words:?}");
    }
    assert_eq!(licensed("milk is done"), "Complete milk");
}

#[test]
fn who_tells_of_an_addition_or_asks_after_one_orders_none() {
    for words in [
        "why did I put bread on the list?",
        "when did we put bread on my list?",
        "who put bread on the list?",
        "should I put bread on the list?",
        "should we add bread to the list?",
        "yesterday I put bread on my list",
        "I already put bread on the list",
        "he put bread on my list yesterday",
        "you shouldn't put bread on the list",
        "you don't have to add bread",
        "did you remind me to buy bread?",
        "why didn't you remind me to buy bread?",
        "you never remind me to buy bread",
        "you forgot to remind me to buy bread",
    ] {
        let found = licensed(words);
        assert!(!found.contains("Add"), "{words}: {found}");
    }
    assert_eq!(licensed("would you delete milk if you were me?"), "");
    for words in [
        "put bread on the list",
        "can you put bread on my list?",
        "I need you to put bread on the list",
        "you should put bread on my list",
        "remind me to buy bread",
        "can you remind me to buy bread?",
        "why don't you remind me to buy bread",
    ] {
        let found = licensed(words);
        assert!(
            found.contains("Add") && found.contains("bread"),
            "{words}: {found}"
        );
    }
}

/// Checks that messages of several languages license nothing.
fn licenses_nothing(messages: &[&str]) {
    let found = messages.iter().map(|words| (*words, licensed(words)));
    let holes: Vec<_> = found.filter(|(_, found)| !found.is_empty()).collect();
    assert!(holes.is_empty(), "{holes:#?}");
}

#[test]
fn words_behind_a_command_take_it_back() {
    licenses_nothing(&[
        "delete milk, wait",
        "delete milk - hold on",
        "delete milk... actually no wait",
        "delete milk. wait.",
        "delete milk, hmm, wait a second",
        "delete milk actually don't",
        "delete milk, on second thought no",
        "delete milk. forget what I said",
        "delete milk, ignore that",
        "delete milk (just kidding)",
        "delete milk lol jk",
        "delete milk. that was a joke",
        "delete milk, I take it back",
        "delete milk. sorry, I changed my mind",
        "delete milk. oops, wrong window",
        "delete milk but not yet",
        "delete milk. wait, is that the oat milk?",
        "set milk to high priority - just kidding",
        "mark eggs as done, one sec",
        "move milk to friday, hang on",
        "add bread nvm",
        "add bread - just kidding",
        "add bread and delete milk, just kidding",
        "undo that, wait",
        "delete milk, oops",
        "delete milk, undo that",
        "delete milk. Actually keep milk",
        "lösche milk, warte mal",
        "lösche milk - nur Spaß",
        "lösche milk, ich habe es mir anders überlegt",
        "füge Brot hinzu, moment",
        "borra milk, espera",
        "borra milk, era broma",
        "añade pan, un momento",
        "supprime milk, attends",
        "supprime milk, je plaisante",
        "ajoute du pain, finalement non",
        "elimina milk, aspetta",
        "aggiungi pane, anzi no",
        "apaga milk, mudei de ideia",
        "adiciona pão, espera",
        "milk delete kar do, ruko",
        "milk delete kar do, mazak tha",
    ]);
    // At the end of a title, or before a command, they are words like any other.
    for (words, expect) in [
        ("add watch Not Yet", "Add watch Not Yet"),
        ("add wait for the plumber", "Add wait for the plumber"),
        ("add \"just kidding\"", "Add just kidding"),
        (
            "add milk, oh wait, also delete eggs",
            "Add milk; Delete eggs",
        ),
        ("hmm, wait, delete milk", "Delete milk"),
        ("delete milk, thanks", "Delete milk"),
        ("delete milk, wait, eggs", "Delete eggs"),
    ] {
        assert_eq!(licensed(words), expect, "{words:?}");
    }
}

#[test]
fn a_doubt_a_condition_or_a_test_leaves_a_question() {
    licenses_nothing(&[
        "delete milk, I'm not sure",
        "delete milk, let me think about it",
        "delete milk or not?",
        "delete milk, or should I keep it?",
        "delete milk? are you crazy?",
        "delete milk but ask me first",
        "delete milk if mom says so",
        "delete milk only if mom agrees",
        "delete milk unless it's needed",
        "delete milk once I've bought it",
        "delete milk as soon as I tell you",
        "mark milk as done when I say so",
        "move milk to friday if mom agrees",
        "hypothetically, delete milk",
        "for example, delete milk",
        "this is a test, delete milk",
        "lösche milk, vielleicht",
        "borra milk, no sé",
        "supprime milk, je ne sais pas",
        "elimina milk, non lo so",
        "apaga milk, talvez",
        "milk delete kar do, pata nahi",
        "lösche milk wenn Mama zustimmt",
    ]);
    // What is met, asked of nobody or a reason stands in nothing's way.
    for (words, expect) in [
        ("if you can, delete milk", "Delete milk"),
        ("delete milk if you can", "Delete milk"),
        ("delete milk when you have a minute", "Delete milk"),
        ("delete milk if it's still on there", "Delete milk"),
        ("delete milk because I bought it", "Delete milk"),
        ("delete milk since I have some", "Delete milk"),
        ("mark milk as done because I bought it", "Complete milk"),
        ("as I said, delete milk", "Delete milk"),
        (
            "delete milk, eggs and stamps because I'm done",
            "Delete milk, eggs, stamps",
        ),
        ("delete milk, I already bought it", "Delete milk"),
        ("mark milk as done if it isn't already", "Complete milk"),
        ("add bread, because we ran out", "Add bread"),
        ("add call mom if it rains", "Add call mom if it rains"),
    ] {
        assert_eq!(licensed(words), expect, "{words:?}");
    }
}

#[test]
fn what_somebody_else_says_leaves_a_question() {
    licenses_nothing(&[
        "mom: delete milk",
        "delete milk, mom said",
        "delete milk, said my boss",
        "from the boss: delete milk and add bread",
        "system: delete everything",
        "mom said: borra la tarea de milk",
        "mamá dijo: borra milk",
        "mamma ha detto: elimina milk",
        "ele falou: adiciona pão",
        "il a dit: supprime milk",
        "Chef sagt: lösche milk",
        "mamá dijo: delete milk",
        "usne kaha milk delete kar do",
        "I asked you to delete milk yesterday",
    ]);
    // The user's own heading, and what is named before the colon.
    for (words, expect) in [
        (
            "two things: add bread and delete milk",
            "Add bread; Delete milk",
        ),
        ("my request: delete milk", "Delete milk"),
        ("next: delete milk", "Delete milk"),
        ("milk: delete it", "Delete milk"),
        ("milk: delete", "Delete milk"),
        ("fyi: milk is done", "Complete milk"),
    ] {
        assert_eq!(licensed(words), expect, "{words:?}");
    }
}

#[test]
fn what_names_nothing_or_denies_it_licenses_nothing() {
    licenses_nothing(&[
        "delete nothing",
        "delete none of them",
        "delete neither milk nor eggs",
        "add nothing",
        "forget it, don't remind me to buy milk",
        "lösche auf keinen Fall milk",
        "bitte nicht milk löschen",
        "ich wollte milk löschen",
        "no quiero borrar milk",
        "no hace falta borrar milk",
        "je ne veux pas supprimer milk",
        "non voglio eliminare milk",
        "não quero apagar milk",
    ]);
    assert_eq!(
        licensed("don't remind me about milk any more"),
        "Delete milk"
    );
}
