//! Words that only look like another service's, roundabout wishes, and what neither is.

use super::{Lang, check, check_in, read, today};
use crate::domain::Tool;
use crate::intent::expected_tools;

#[track_caller]
fn expects(tool: Option<Tool>, messages: &[&str]) {
    for message in messages {
        let found = expected_tools(&read(message, today(), Lang::En));
        assert_eq!(found, tool.into_iter().collect::<Vec<_>>(), "{message:?}");
    }
}

#[test]
fn a_task_may_speak_of_mail_money_and_machines() {
    for (message, expect) in [
        ("add clean out my inbox", "add [clean out my inbox]"),
        ("add go to the library", "add [go to the library]"),
        (
            "add mom's birthday on friday",
            "add [mom's birthday] on 2026-02-13",
        ),
        ("delete the rent payment task", "delete [rent payment]"),
        (
            "move the hotel booking to friday",
            "update [hotel booking] on 2026-02-13",
        ),
        (
            "set fix the lights to high priority",
            "update [fix the lights] high",
        ),
        ("finish the story draft", "complete [story draft]"),
        (
            "remind me to work on the menu",
            "add [work on the menu] !Alarm",
        ),
    ] {
        check(message, expect);
    }
}

#[test]
fn what_belongs_to_others_is_left_to_them() {
    expects(
        None,
        &[
            "add jill to my contacts",
            "put this tune on my running playlist",
            "add me to the waiting list",
            "cancel my flight",
            "delete my seven o'clock alarm",
            "cancel the last command",
            "clear my browsing history",
            "when is my gas bill due",
            "what is the last thing i bought",
            "what do i need to cook a stew",
            "this smell reminds me of school",
            "don't remember my name",
            "remove the monthly fee",
            "set the oven to 200",
            "i want to take a day off",
            "thanks for reminding me to call mom",
            "i got your reminder about the rent",
            "make a list of what i got",
            "move on, we are done",
            "give blood on friday",
        ],
    );
}

#[test]
fn a_reminder_has_many_names() {
    for (message, expect) in [
        (
            "i'll need a reminder to fetch the parcel",
            "add [fetch the parcel] !Alarm",
        ),
        (
            "on monday i need a reminder to fetch the parcel",
            "add [fetch the parcel] on 2026-02-09 !Alarm",
        ),
        (
            "i have a check-up on tuesday, please set a reminder",
            "add [a check-up] on 2026-02-10",
        ),
        (
            "reminder: fetch the parcel",
            "add [fetch the parcel] !Alarm",
        ),
        (
            "keep me from forgetting to fetch the parcel",
            "add [fetch the parcel] !Alarm",
        ),
        (
            "remind me when i get home to fetch the parcel",
            "add [when i get home to fetch the parcel] !Alarm",
        ),
        (
            "don't remind me about the parcel anymore",
            "delete [parcel]",
        ),
        ("stop reminding me to stretch", "delete [stretch]"),
    ] {
        check(message, expect);
    }
    expects(
        Some(Tool::ListTasks),
        &[
            "what did i want to be reminded of",
            "did i ask you to remind me about the parcel",
            "could you check for any reminders",
            "have you got a reminder for the parcel",
            "what's my next reminder",
            "is there something i was meant to remember",
            "remind me what i have to do",
        ],
    );
}

#[test]
fn a_condition_adds_what_is_missing() {
    for message in [
        "if there isn't any salt on the list, put some on",
        "if i don't have salt on my list add it",
        "is salt on the list? if not, add it",
    ] {
        let reading = read(message, today(), Lang::En);
        assert!(
            expected_tools(&reading).contains(&Tool::AddTask),
            "{message:?}"
        );
    }
}

#[test]
fn the_list_may_be_the_subject() {
    for (message, expect) in [
        ("would you mind adding salt to my list", "add [salt]"),
        (
            "create a grocery list with salt, oil and rice",
            "add [salt] + [oil] + [rice] !ListName(\"grocery list\")",
        ),
        ("make ironing a to do", "add [ironing]"),
        ("could salt be added to my list", "add [salt]"),
        ("the list no longer needs salt", "delete [salt]"),
        ("can salt be taken off my list", "delete [salt]"),
        ("make sure salt is off my list", "delete [salt]"),
        (
            "replace salt with pepper on my list",
            "update [salt] to be [pepper]",
        ),
    ] {
        check(message, expect);
    }
    expects(
        Some(Tool::DeleteTask),
        &[
            "i want my to do list cleared",
            "start my list over from scratch",
            "my shopping list should be emptied",
            "nuke my todo list",
        ],
    );
}

#[test]
fn asking_after_errands() {
    expects(
        Some(Tool::ListTasks),
        &[
            "what do i gotta get done today",
            "what am i supposed to pick up at the store",
            "tell me everything i have to do",
            "is ironing something i have to do today",
            "has salt been put on my shopping list",
            "what haven't i finished on my list",
            "what's still left to buy",
            "show me what's due this week",
            "any chores for today",
            "go to my list",
            "have a look at my list",
            "how many are left",
            "show me what i finished",
        ],
    );
}

#[test]
fn a_verb_may_be_misspelt() {
    for (message, expect) in [
        ("ad salt to my list", "add [salt]"),
        ("delte salt", "delete [salt]"),
        ("remov salt from the list", "delete [salt]"),
        ("makr ironing as done", "complete [ironing]"),
    ] {
        check(message, expect);
    }
}

#[test]
fn booking_something_new_is_a_wish() {
    check(
        "schedule a haircut for friday",
        "wish [haircut] on 2026-02-13",
    );
    check(
        "schedule the haircut for friday",
        "update [haircut] on 2026-02-13",
    );
}

#[test]
fn other_languages_say_it_their_way() {
    for (lang, message, expect) in [
        (
            Lang::De,
            "ich brauche Reis auf meiner Einkaufsliste",
            "add [Reis]",
        ),
        (Lang::De, "öffne meine Aufgabenliste", "list"),
        (
            Lang::De,
            "ich bin mit der Wäsche fertig",
            "complete [Wäsche]",
        ),
        (Lang::De, "das Abendessen ist fertig", "Other"),
        (
            Lang::Es,
            "ponme un recordatorio para llamar a Ana",
            "add [llamar a Ana] !Alarm",
        ),
        (Lang::Es, "ya hice la tarea de barrer", "complete [barrer]"),
        (Lang::Es, "la cena está lista", "Other"),
        (Lang::Fr, "j'ai besoin de sel sur ma liste", "add [sel]"),
        (
            Lang::Fr,
            "j'en ai fini avec la lessive",
            "complete [lessive]",
        ),
        (Lang::It, "ho bisogno di sale nella mia lista", "add [sale]"),
        (
            Lang::It,
            "dimentica l'attività della palestra",
            "delete [palestra]",
        ),
        (Lang::Pt, "preciso de sal na minha lista", "add [sal]"),
        (Lang::Pt, "limpa a minha lista", "delete all"),
        (Lang::Ur, "kapray wala task ho gaya", "complete [kapray]"),
    ] {
        check_in(lang, message, expect);
    }
}
