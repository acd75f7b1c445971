//! Times, repetitions and reminders in everyday sentences.

use super::{check, check_in};

#[test]
fn the_end_of_a_repetition() {
    for (message, expect) in [
        ("stop repeating feed the cat", "update [feed the cat] once"),
        ("don't repeat choir any more", "update [choir] once"),
        ("choir shouldn't repeat any more", "update [choir] once"),
        ("it must not repeat again", "update it once"),
        ("remove the repetition from choir", "update [choir] once"),
        ("stop repeating it", "update it once"),
    ] {
        check(message, expect);
    }
}

#[test]
fn an_occurrence_that_is_left_out() {
    for (message, expect) in [
        ("skip choir this time", "hint update [choir] skipped"),
        ("skip choir this week", "hint update [choir] skipped"),
        ("skip it this month", "hint update it skipped"),
        ("skip this one", "hint update it skipped"),
        (
            "skip the next occurrence of choir",
            "hint update [choir] skipped",
        ),
        ("skip it", "No"),
        ("skip the choir", "all but [choir]"),
    ] {
        check(message, expect);
    }
}

#[test]
fn a_while_from_now() {
    for (message, expect) in [
        (
            "remind me in 3 hours to feed the cat",
            "add [feed the cat] in 10800 s !Alarm !TimeOfDay",
        ),
        (
            "remind me to feed the cat in 20 minutes",
            "add [feed the cat] in 1200 s !Alarm !TimeOfDay",
        ),
        (
            "set a reminder in half an hour to feed the cat",
            "add [feed the cat] in 1800 s !Alarm !TimeOfDay",
        ),
        (
            "add feed the cat in 2 hours",
            "add [feed the cat] in 7200 s !TimeOfDay",
        ),
        (
            "feed the cat in an hour",
            "noun [feed the cat] in 3600 s !TimeOfDay",
        ),
        (
            "add run for 2 hours on friday",
            "add [run for 2 hours] on 2026-02-13",
        ),
    ] {
        check(message, expect);
    }
}

#[test]
fn a_reminder_that_repeats_at_a_time() {
    const EXPECT: &str = "add [feed the cat] at 09:00 FREQ=WEEKLY;BYDAY=MO !Alarm !TimeOfDay";
    for message in [
        "remind me every monday at 9am to feed the cat",
        "remind me at 9am every monday to feed the cat",
        "remind me to feed the cat every monday at 9am",
        "every monday at 9am remind me to feed the cat",
    ] {
        check(message, EXPECT);
    }
}

#[test]
fn reminders_of_other_languages() {
    use crate::domain::Lang;
    const NOON: &str = " on 2026-02-09 at 09:00 !Alarm !TimeOfDay";
    const LATER: &str = " in 7200 s !Alarm !TimeOfDay";
    for (message, lang, title, rest) in [
        (
            "erinnere mich morgen um 9 an die Katze",
            Lang::De,
            "die Katze",
            NOON,
        ),
        (
            "erinnere mich in 2 Stunden an die Katze",
            Lang::De,
            "die Katze",
            LATER,
        ),
        (
            "recuérdame mañana a las 9 lavar el perro",
            Lang::Es,
            "lavar el perro",
            NOON,
        ),
        (
            "recuérdame en 2 horas lavar el perro",
            Lang::Es,
            "lavar el perro",
            LATER,
        ),
        (
            "rappelle-moi demain à 9h de nourrir le chat",
            Lang::Fr,
            "nourrir le chat",
            NOON,
        ),
        (
            "rappelle-moi dans 2 heures de nourrir le chat",
            Lang::Fr,
            "nourrir le chat",
            LATER,
        ),
        (
            "ricordami domani alle 9 di lavare il cane",
            Lang::It,
            "lavare il cane",
            NOON,
        ),
        (
            "ricordami tra 2 ore di lavare il cane",
            Lang::It,
            "lavare il cane",
            LATER,
        ),
        (
            "lembra-me amanhã às 9 de lavar o cão",
            Lang::Pt,
            "lavar o cão",
            NOON,
        ),
        (
            "me lembra em 2 horas de lavar o cão",
            Lang::Pt,
            "lavar o cão",
            LATER,
        ),
        (
            "kal 9 baje billi ko khana dena yaad dila dena",
            Lang::Ur,
            "billi ko khana dena",
            NOON,
        ),
        (
            "2 ghante mein billi ko khana dena yaad dila dena",
            Lang::Ur,
            "billi ko khana dena",
            LATER,
        ),
    ] {
        check_in(lang, message, &format!("add [{title}]{rest}"));
    }
}

#[test]
fn the_end_of_a_repetition_in_other_languages() {
    use crate::domain::Lang;
    for (message, lang, title) in [
        ("hör auf, Chor zu wiederholen", Lang::De, "Chor"),
        ("Chor soll sich nicht mehr wiederholen", Lang::De, "Chor"),
        ("deja de repetir lavar el perro", Lang::Es, "lavar el perro"),
        (
            "arrête de répéter nourrir le chat",
            Lang::Fr,
            "nourrir le chat",
        ),
        (
            "smetti di ripetere lavare il cane",
            Lang::It,
            "lavare il cane",
        ),
        ("para de repetir lavar o cão", Lang::Pt, "lavar o cão"),
        (
            "billi ka khana dohrana band karo",
            Lang::Ur,
            "billi ka khana",
        ),
    ] {
        check_in(lang, message, &format!("update [{title}] once"));
    }
}

#[test]
fn a_number_that_may_be_an_hour() {
    for (message, expect) in [
        ("change it to 11", "hint update it 11"),
        ("make it 11", "hint update it 11"),
        ("move choir to 11", "hint update [choir] 11"),
        ("change it to 11am", "update it at 11:00 !TimeOfDay"),
        ("move choir by 2 weeks", "update [choir] on 2026-02-22"),
    ] {
        check(message, expect);
    }
}
