//! Messages as different people write them: terse, chatty, misspelt, with a reason or a part of the day.

use super::*;

#[test]
fn a_part_of_the_day_belongs_to_its_date() {
    for (message, expect) in [
        (
            "take the bins out tomorrow night",
            "noun [take the bins out] on 2026-02-09",
        ),
        (
            "add ring the vet monday morning",
            "add [ring the vet] on 2026-02-09",
        ),
        (
            "add parents' evening on thursday evening",
            "add [parents' evening] on 2026-02-12",
        ),
        (
            "move choir to tomorrow evening",
            "update [choir] on 2026-02-09",
        ),
        ("add friday night supper", "add [supper] on 2026-02-13"),
        (
            "add vet tuesday morning at 9",
            "add [vet] on 2026-02-10 at 09:00 !TimeOfDay",
        ),
        (
            "add ring the vet in the morning",
            "add [ring the vet in the morning] !TimeOfDay",
        ),
        ("add tidy up this evening", "add [tidy up] on 2026-02-08"),
    ] {
        check(message, expect);
    }
    check_in(
        Lang::Es,
        "añade regar las plantas mañana por la noche",
        "add [regar las plantas] on 2026-02-09",
    );
    check_in(
        Lang::Ur,
        "kal raat ko doodh lana add karo",
        "add [doodh lana] on 2026-02-09",
    );
    check_in(
        Lang::De,
        "füge Blumen gießen morgen Abend hinzu",
        "add [Blumen gießen] on 2026-02-09",
    );
}

#[test]
fn what_is_scheduled_without_an_article_is_new() {
    for (message, expect) in [
        (
            "schedule haircut for saturday",
            "add [haircut] on 2026-02-14",
        ),
        (
            "can you schedule swimming lesson on tuesday please",
            "add [swimming lesson] on 2026-02-10",
        ),
        (
            "schedule chat with Ines tomorrow at 3",
            "add [chat with Ines] on 2026-02-09 at 15:00 !TimeOfDay",
        ),
        (
            "schedule the haircut for saturday",
            "update [haircut] on 2026-02-14",
        ),
        ("schedule for saturday", "Other"),
        ("schedule a taxi for saturday", "Other"),
        ("schedule it for saturday", "update it on 2026-02-14"),
        ("schedule task 2 for saturday", "update #2 on 2026-02-14"),
        (
            "schedule \"Read book\" for saturday",
            "update [Read book] on 2026-02-14",
        ),
        (
            "schedule everything for saturday",
            "update all on 2026-02-14",
        ),
        ("set up a meeting with Omar", "wish [meeting with Omar]"),
        (
            "set up lunch with Omar for friday",
            "wish [lunch with Omar] on 2026-02-13",
        ),
        (
            "reschedule haircut for saturday",
            "update [haircut] on 2026-02-14",
        ),
    ] {
        check(message, expect);
    }
}

#[test]
fn a_meeting_is_cancelled_like_anything_else() {
    for (message, expect) in [
        ("cancel the meeting with Omar", "delete [meeting with Omar]"),
        (
            "cancel my dentist appointment",
            "delete [dentist appointment]",
        ),
        ("delete the meeting with Omar", "delete [meeting with Omar]"),
        ("forget the appointment", "delete [appointment]"),
        ("cancel my booking", "Other"),
        ("cancel my table for two", "Other"),
    ] {
        check(message, expect);
    }
}

#[test]
fn what_stands_before_a_colon_names_a_list() {
    for (message, expect) in [
        (
            "add to report: include the sales",
            "add [include the sales] !ListName(\"report\")",
        ),
        (
            "add to my thesis: delete the second chapter",
            "add [delete the second chapter] !ListName(\"thesis\")",
        ),
        ("add to list: salt", "add [salt]"),
        (
            "add for friday: feed the fish",
            "add [feed the fish] on 2026-02-13",
        ),
        ("add urgent: ring the bank", "add [ring the bank] high"),
        ("new: ring the bank", "add [ring the bank]"),
        ("add to ring the bank", "add [ring the bank]"),
    ] {
        check(message, expect);
    }
}

#[test]
fn a_reason_is_no_target() {
    for (message, expect) in [
        ("delete the essay, I handed it in", "delete [essay]"),
        ("remove salt from my list, we have plenty", "delete [salt]"),
        ("drop yoga because I'm ill", "delete [yoga]"),
        ("mark the essay as done, I handed it in", "complete [essay]"),
        ("delete salt, pepper", "delete [salt] + [pepper]"),
        (
            "delete salt, I need pepper",
            "delete [salt] ; wish [pepper]",
        ),
    ] {
        check(message, expect);
    }
}

#[test]
fn things_are_marked_as_what_was_done_with_them() {
    for (message, expect) in [
        ("mark the invoice as paid", "complete [invoice]"),
        ("mark the parcel sent", "complete [parcel]"),
        ("so the van's been washed, tick it off", "complete [van]"),
        ("ironing ✅", "complete [ironing]"),
        ("✓ ironing", "complete [ironing]"),
        ("mark all as read", "Other"),
        ("mark my emails as read", "Other"),
    ] {
        check(message, expect);
    }
}

#[test]
fn notes_titles_and_priorities_have_more_than_one_way() {
    for (message, expect) in [
        (
            "put \"ask for Jo\" in the notes for plumber",
            "update [plumber] (ask for Jo)",
        ),
        (
            "in the notes for plumber write bring cash",
            "update [plumber] (bring cash)",
        ),
        ("add that to the task", "update it described"),
        (
            "call the choir task singing instead",
            "update [choir] to be [singing]",
        ),
        (
            "fix the spelling of dentits to dentist",
            "update [dentits] to be [dentist]",
        ),
        (
            "edit choir: make it singing",
            "update [choir] to be [singing]",
        ),
        ("bump the priority of choir", "update [choir] high"),
        ("find the task about the boiler", "list [boiler]"),
        ("overdue", "list overdue"),
    ] {
        check(message, expect);
    }
}

#[test]
fn what_is_to_be_done_is_not_done() {
    for (message, expect) in [
        (
            "what do I need to get done by friday",
            "list from 2026-02-08 to 2026-02-13",
        ),
        ("what needs to be done today", "list on 2026-02-08"),
        ("what's done", "list done"),
        ("show me what's done", "list done"),
        ("clear out everything that's done", "delete all done"),
        ("archive finished tasks", "delete all done"),
        ("is the essay still open?", "list [essay]"),
        ("show me monday", "list on 2026-02-09"),
    ] {
        check(message, expect);
    }
}

#[test]
fn plans_that_change_are_asked_about() {
    for (message, expect) in [
        ("choir's cancelled, remove it", "delete [choir]"),
        ("choir's cancelled", "hint delete [choir]"),
        ("not doing choir any more", "hint delete [choir]"),
        (
            "the essay isn't due until friday",
            "hint update [essay] on 2026-02-13",
        ),
        (
            "give the essay until friday",
            "hint update [essay] on 2026-02-13",
        ),
        ("put the essay at the top", "update [essay] high"),
        ("I should probably ring Ines", "wish [ring Ines]"),
    ] {
        check(message, expect);
    }
}

#[test]
fn small_slips_of_the_keyboard_are_read() {
    for (message, expect) in [
        ("remid me to ring Ines", "add [ring Ines] !Alarm"),
        ("add salt to my lsit", "add [salt]"),
        ("mark ironing as doen", "complete [ironing]"),
        ("chnage choir to friday", "update [choir] on 2026-02-13"),
        ("renmae choir to singing", "update [choir] to be [singing]"),
    ] {
        check(message, expect);
    }
}

#[test]
fn several_things_to_do_in_a_row_are_asked_about() {
    check(
        "wash the van, ring Ines, hoover the stairs and post the parcel",
        "noun [wash the van, ring Ines, hoover the stairs and post the parcel]",
    );
    check("I'd be happy if you'd add salt", "add [salt]");
    check("I was thinking we should add salt", "add [salt]");
}
