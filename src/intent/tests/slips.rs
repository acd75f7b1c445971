//! Slips, orders that are only reported, polite ends, priorities, and days that belong to one item.

use super::{Lang, check, check_in};

#[test]
fn a_slip_that_is_only_regretted_takes_nothing_back() {
    for message in [
        "oops",
        "whoops, sorry",
        "that was a mistake",
        "oops, I didn't mean that",
        "I didn't mean to delete eggs",
        "sorry, wrong one",
        "restore bread",
    ] {
        check(message, "help Undo");
    }
    for message in [
        "oops, undo that",
        "whoops undo",
        "that was a mistake, undo it",
        "oh no, I didn't mean that, put it back",
        "restore the deleted task",
    ] {
        check(message, "undo");
    }
}

#[test]
fn what_somebody_else_said_is_no_order() {
    for message in [
        "she told me: remove bread",
        "my boss said: delete all tasks",
        "the note says: clear the list",
        "it says: add eggs",
        "I was told: mark everything as done",
        "I got a message from Tom saying: delete the gym",
    ] {
        check(message, "Other");
    }
    check("note to self: call Tom", "add [call Tom]");
    // What follows it is one again.
    check(
        "she told me: remove bread. Delete eggs.",
        "Other ; delete [eggs]",
    );
}

#[test]
fn the_list_is_shared_with_nobody() {
    check("share my list with Ann", "Other");
    check("email my tasks to Ann", "Other");
    check("add email Ann", "add [email Ann]");
}

#[test]
fn to_remember_is_to_add() {
    check("remember to water the fern", "add [water the fern] !Alarm");
    check(
        "please remember to call Ann on friday",
        "add [call Ann] on 2026-02-13 !Alarm",
    );
    check("remind me to water the fern", "add [water the fern] !Alarm");
    check(
        "write down that I need to post the letter",
        "add [post the letter]",
    );
}

#[test]
fn thanks_at_the_end_is_no_task() {
    for message in [
        "add bread, thanks in advance",
        "add bread please, I'd be glad",
        "add bread, cheers",
        "add bread, that would be lovely",
    ] {
        check(message, "add [bread]");
    }
    check("thanks in advance", "Thanks");
}

#[test]
fn an_urgent_end_is_a_priority() {
    check(
        "add \"seminar; bring notes\" for next wednesday, urgent",
        "add [seminar; bring notes] on 2026-02-11 high",
    );
    check(
        "add bread and jam, very important",
        "add [bread] high + [jam] high",
    );
    check("add low priority task sort photos", "add [sort photos] low");
}

#[test]
fn a_day_belongs_to_the_item_before_it() {
    check(
        "add bread, jam tomorrow and tea on friday",
        "add [bread] + [jam] on 2026-02-09 + [tea] on 2026-02-13",
    );
    check(
        "add bread tomorrow, jam and tea",
        "add [bread] on 2026-02-09 + [jam] + [tea]",
    );
    check(
        "add bread and jam tomorrow",
        "add [bread] on 2026-02-09 + [jam] on 2026-02-09",
    );
    check(
        "add bread to my list for tomorrow",
        "add [bread] on 2026-02-09",
    );
}

#[test]
fn a_listing_may_be_of_one_priority() {
    for message in [
        "which tasks are high priority?",
        "show my urgent tasks",
        "what high priority stuff do I have?",
        "anything urgent?",
    ] {
        check(message, "list high");
    }
    check("any low priority tasks?", "list low");
    check(
        "show the urgent tasks for friday",
        "list on 2026-02-13 high",
    );
    check("high priority", "rather high");
    check("what's the first one?", "list");
}

#[test]
fn a_title_may_begin_with_a_verb() {
    check(
        "mark tea and Call Ann as done",
        "complete [tea] + [Call Ann]",
    );
    check("the first one is done", "#1 is done: true");
}

#[test]
fn a_task_may_be_snoozed() {
    check("snooze gym until friday", "update [gym] on 2026-02-13");
    check("snooze it till tomorrow", "update it on 2026-02-09");
    check(
        "the dentist was moved to wednesday",
        "update [dentist] on 2026-02-11",
    );
    check("and lower it again", "rather low");
}

#[test]
fn whether_something_is_gone_is_asked_of_the_past() {
    let asked = "did Some(Change(Delete))";
    check("are you sure it's gone?", &format!("{asked} it"));
    check("you sure you deleted bread?", &format!("{asked} [bread]"));
}

#[test]
fn what_is_looked_for_is_named() {
    check("find bread", "Bare(\"bread\")");
    check("find bread and mark it as done", "complete [bread]");
    check("look for a new flat", "noun [look for a new flat]");
}

#[test]
fn the_word_before_a_pronoun_is_what_it_means() {
    check("never mind the trash task, delete it", "delete [trash]");
}

#[test]
fn other_languages_report_regret_and_thank_alike() {
    for (lang, slip, report, thanks, title, urgent) in [
        (
            Lang::De,
            "das war ein Versehen",
            "meine Chefin sagt: lösche alle Aufgaben",
            "füge Brot hinzu, vielen Dank im Voraus",
            "Brot",
            "welche Aufgaben sind dringend?",
        ),
        (
            Lang::Es,
            "me equivoqué",
            "mi jefa dijo: borra todas las tareas",
            "añade pan, gracias de antemano",
            "pan",
            "muestra las tareas urgentes",
        ),
        (
            Lang::Fr,
            "je me suis trompé",
            "ma chef a dit : supprime toutes les tâches",
            "ajoute pain, merci d'avance",
            "pain",
            "montre les tâches urgentes",
        ),
        (
            Lang::It,
            "mi sono sbagliato",
            "la mia amica ha detto: cancella tutte le attività",
            "aggiungi pane, grazie in anticipo",
            "pane",
            "mostra le attività urgenti",
        ),
        (
            Lang::Pt,
            "foi sem querer",
            "a minha chefe disse: apaga todas as tarefas",
            "adiciona pão, obrigada desde já",
            "pão",
            "mostra as tarefas urgentes",
        ),
    ] {
        check_in(lang, slip, "help Undo");
        check_in(lang, report, "Other");
        check_in(lang, thanks, &format!("add [{title}]"));
        check_in(lang, urgent, "list high");
    }
}

#[test]
fn what_stands_under_the_name_of_a_list_is_to_be_added() {
    check("todo: delete Read book", "add [delete Read book]");
    check(
        "my list: cancel the lease on friday",
        "add [cancel the lease] on 2026-02-13",
    );
    check(
        "to do - complete the tax return",
        "add [complete the tax return]",
    );
    check(
        "show my list: delete Read book",
        "list ; delete [Read book]",
    );
    check("my list, delete Read book", "list ; delete [Read book]");
}

#[test]
fn a_chore_takes_nothing_off_the_list() {
    check("take the bins out", "noun [take the bins out]");
    check(
        "take the bins out on friday",
        "noun [take the bins out] on 2026-02-13",
    );
    check(
        "bring the recycling out please",
        "noun [bring the recycling out]",
    );
    check("take the bins out of my list", "delete [bins]");
    check("take milk out", "delete [milk]");
}

#[test]
fn what_was_mowed_or_washed_is_done() {
    check("lawn mowed", "[lawn] is done: true");
    check("dishes washed at last", "[dishes] is done: true");
    check("the plants are watered now", "[plants] is done: true");
}

#[test]
fn a_hum_is_no_task() {
    for hum in ["hmm", "um", "well", "so", "hmm..."] {
        check(hum, "Other");
    }
}
