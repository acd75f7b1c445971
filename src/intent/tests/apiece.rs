//! A day for each of several tasks, conditions that no sign parts from their order, and what is told
//! beside an order or of everything at once.

use super::{Lang, check, check_in};

#[test]
fn each_task_is_given_its_own_day() {
    check(
        "move the bike to thursday and the car to friday",
        "update [bike] on 2026-02-12 ; update [car] on 2026-02-13",
    );
    check(
        "push bike to thursday, car to friday and boat to monday",
        "update [bike] on 2026-02-12 ; update [car] on 2026-02-13 ; update [boat] on 2026-02-09",
    );
    // What is an order of its own is none of these.
    check(
        "move bike to thursday and add car friday",
        "update [bike] on 2026-02-12 ; add [car] on 2026-02-13",
    );
    check(
        "move bike and car to friday",
        "update [bike] + [car] on 2026-02-13",
    );
    for (lang, message) in [
        (
            Lang::De,
            "verschieb rad auf donnerstag und auto auf freitag",
        ),
        (Lang::Es, "mueve rad al jueves y auto al viernes"),
        (Lang::Fr, "déplace rad à jeudi et auto à vendredi"),
        (Lang::It, "sposta rad a giovedì e auto a venerdì"),
        (Lang::Pt, "muda rad para quinta e auto para sexta"),
    ] {
        check_in(
            lang,
            message,
            "update [rad] on 2026-02-12 ; update [auto] on 2026-02-13",
        );
    }
}

#[test]
fn an_order_behind_a_condition_is_asked() {
    check(
        "if it rains tomorrow move the bike to friday",
        "Other ; hint update [bike] on 2026-02-13",
    );
    check(
        "when mom calls delete the bike",
        "Other ; hint delete [bike]",
    );
    check("if you can delete bread", "delete [bread]");
    check(
        "when I finish the report remind me to rest",
        "add [rest] !Alarm",
    );
    for (lang, message) in [
        (Lang::De, "wenn es regnet verschieb rad auf freitag"),
        (Lang::Es, "si llueve mueve rad al viernes"),
        (Lang::Fr, "s'il pleut déplace rad à vendredi"),
        (Lang::It, "se piove sposta rad a venerdì"),
        (Lang::Pt, "se chover muda rad para sexta"),
    ] {
        check_in(lang, message, "Other ; hint update [rad] on 2026-02-13");
    }
}

#[test]
fn everything_at_once_is_asked() {
    for message in [
        "all done",
        "everything is done",
        "all my tasks are done",
        "it's all done",
        "I did everything today",
    ] {
        check(message, "hint complete all");
    }
    check("all done for today", "Praise");
}

#[test]
fn what_another_did_is_asked() {
    for message in ["Ann called", "Ann phoned today", "Ann replied"] {
        check(message, "hint complete [Ann]");
    }
    check("we have bread already", "hint complete [bread]");
    check("I already have bread", "hint complete [bread]");
    check("gym cancelled", "hint delete [gym]");
    check("gym cancelled, remove it", "delete [gym]");
    check("rent paid", "[rent] is done: true");
}

#[test]
fn what_is_only_told_is_no_title() {
    check(
        "add bread and I haven't paid rent",
        "add [bread] ; [rent] is done: false",
    );
    check("add bread and I need eggs", "add [bread] ; wish [eggs]");
    check("bought bread but not eggs", "[bread] is done: true");
    check(
        "bought bread but forgot eggs",
        "[bread] is done: true ; wish [eggs]",
    );
    check(
        "finished the report, still have to pay rent",
        "complete [report] ; wish [pay rent]",
    );
    check(
        "add bread and a note: two loaves",
        "add [bread] (two loaves)",
    );
    check("add bread, note: two loaves", "add [bread] (two loaves)");
    check(
        "add bread and a note: two loaves, delete eggs",
        "add [bread] (two loaves) ; delete [eggs]",
    );
    check(
        "add bread with a note saying two loaves",
        "add [bread] (two loaves)",
    );
}
