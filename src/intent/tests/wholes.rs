//! Words that must not be taken apart, and those that must: titles that look like the words around
//! a title, chores that sound like orders, two reports in one sentence, an order behind a report.

use super::check;

#[test]
fn a_list_or_notes_with_a_name_are_a_title() {
    for (message, expect) in [
        ("add meeting notes", "add [meeting notes]"),
        ("add release notes", "add [release notes]"),
        ("add print reading list", "add [print reading list]"),
        ("add study biology notes", "add [study biology notes]"),
        ("put packing list on my list", "add [packing list]"),
        ("add todo app idea", "add [app idea]"),
        ("add list app idea", "add [list app idea]"),
        // The one list is no title.
        ("add to my list", "add []"),
        ("add my list", "add []"),
        ("put the todo list", "add []"),
        (
            "add to the shopping list",
            "add [] !ListName(\"shopping list\")",
        ),
    ] {
        check(message, expect);
    }
}

#[test]
fn a_chore_is_no_order_after_i_have_to() {
    for (message, expect) in [
        ("I have to take the bins out", "wish [take the bins out]"),
        (
            "gotta take the trash out tomorrow",
            "wish [take the trash out] on 2026-02-09",
        ),
        ("I have to take the dog out", "wish [take the dog out]"),
        ("take milk off", "delete [milk]"),
    ] {
        check(message, expect);
    }
}

#[test]
fn what_was_not_done_is_said_beside_what_was() {
    for (message, expect) in [
        (
            "I bought milk but didn't call mom",
            "[milk] is done: true ; [mom] is done: false",
        ),
        (
            "I finished the essay but haven't paid rent",
            "complete [essay] ; [rent] is done: false",
        ),
    ] {
        check(message, expect);
    }
}

#[test]
fn a_day_is_told_in_many_ways() {
    for (message, expect) in [
        ("essay is due on friday now", "update [essay] on 2026-02-13"),
        (
            "I'll do the essay on saturday instead",
            "update [essay] on 2026-02-14",
        ),
    ] {
        check(message, expect);
    }
}

#[test]
fn an_order_that_is_asked_for_politely_is_one_beside_others_too() {
    for (message, expect) in [
        ("bought the milk, can you tick it off?", "complete [milk]"),
        (
            "essay is done, could you please delete milk?",
            "[essay] is done: true ; delete [milk]",
        ),
        (
            "essay is done, delete milk?",
            "[essay] is done: true ; hint delete [milk]",
        ),
        // Behind nothing that was done or ordered, who knows whose question it is.
        (
            "just asking, can you delete milk?",
            "pick only [asking] ; hint delete [milk]",
        ),
    ] {
        check(message, expect);
    }
}

#[test]
fn a_day_alone_goes_on_from_what_was_said() {
    for (message, expect) in [
        ("and due friday", "rather on 2026-02-13"),
        ("to friday", "rather on 2026-02-13"),
    ] {
        check(message, expect);
    }
}

#[test]
fn what_is_wished_or_nearly_so_is_not_told() {
    for message in [
        "I wish I finished the essay and paid rent",
        "I almost finished the essay and paid rent",
        "tomorrow I finish the essay and paid rent",
        "maybe I finished the essay and paid rent",
    ] {
        let reading = super::read(message, super::today(), super::Lang::En);
        let told = |clause: &super::Clause| matches!(clause.act, super::Act::Statement(_));
        assert!(
            !reading.clauses.iter().any(told),
            "{message:?}: {reading:?}"
        );
    }
}
