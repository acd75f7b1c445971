//! The law of conversation: ellipsis, answers, remarks, the past, several wishes at once.

use super::check;

#[test]
fn several_clauses() {
    for (message, expect) in [
        (
            "oh wait, they moved it, it's not done yet",
            "Other ; it is done: false",
        ),
        (
            "just the first, and monday's fine",
            "pick only #1 ; rather on 2026-02-09",
        ),
        ("no, the other one!", "No ; instead the other"),
        ("thanks, you're a star", "Thanks ; Praise"),
        (
            "add stamps, delete the book and what's the capital of France?",
            "add [stamps] ; delete [book] ; Other",
        ),
        ("yeah, friday would be good", "Yes ; rather on 2026-02-13"),
        ("no, the friday after", "No ; rather by 7"),
        (
            "add buy milk and delete Read book",
            "add [buy milk] ; delete [Read book]",
        ),
        (
            "mark Read book as done and delete it",
            "complete [Read book] ; delete [Read book]",
        ),
        ("add milk then delete bread", "add [milk] ; delete [bread]"),
        (
            "please, could you delete Read book for me? thanks!",
            "delete [Read book] ; Thanks",
        ),
        ("no, Read book", "No ; rather [Read book]"),
        ("yes, but make it tomorrow", "Yes ; update it on 2026-02-09"),
        ("yep delete it", "Yes ; delete it"),
        (
            "don't delete milk, delete bread",
            "not delete [milk] ; delete [bread]",
        ),
        (
            "remind me to buy milk and then delete Read book",
            "add [buy milk] !Alarm ; delete [Read book]",
        ),
        (
            "add task: call Bob; delete Read book",
            "add [call Bob] ; delete [Read book]",
        ),
        ("delete it and add milk", "delete it ; add [milk]"),
        (
            "delete milk, not the eggs",
            "delete [milk] ; all but [eggs]",
        ),
        (
            "delete all completed tasks except milk",
            "delete all done but [milk]",
        ),
        ("my card is lost, delete milk", "Other ; delete [milk]"),
        (
            "I finished the report, the dentist is sorted too",
            "complete [report] ; [dentist] is done: true",
        ),
        ("no i meant oat milk", "No ; rather [oat milk]"),
        ("yes, all of them", "Yes ; pick those"),
        ("yes both", "Yes ; pick those 2"),
        ("yes the first one", "Yes ; pick #1"),
        ("yes, friday", "Yes ; rather on 2026-02-13"),
        ("no, delete the other one", "No ; delete the other"),
        ("no wait, delete Call mom", "No ; delete [Call mom]"),
    ] {
        check(message, expect);
    }
}

#[test]
fn short_answers() {
    for (message, expect) in [
        ("and eggs", "also [eggs]"),
        ("oat milk actually", "rather [oat milk]"),
        ("and tuesday?", "also [tuesday] on 2026-02-10?"),
        ("nah leave it", "No"),
        ("yes", "Yes"),
        ("the red one", "pick [red]"),
        ("the blue one", "pick [blue]"),
        ("6pm, sorry", "rather at 18:00"),
        ("then do it", "DoIt"),
        ("and milk?", "also [milk]?"),
        ("ok do that", "DoIt"),
        ("all done for today!", "Praise"),
        ("skip the milk", "all but [milk]"),
        ("lovely", "Yes"),
        ("no", "No"),
        ("both", "pick those 2"),
        ("forget it then", "No"),
        ("and the first", "also [the first]"),
        ("hi", "Greeting"),
        ("sure", "Yes"),
        ("and france?", "also [france]?"),
        ("try again", "Again"),
        ("do it", "DoIt"),
        ("high priority", "rather high"),
        ("tomorrow", "rather on 2026-02-09"),
        ("friday?", "rather on 2026-02-13"),
        ("6pm", "rather at 18:00"),
        ("at noon", "rather at 12:00"),
        ("the second", "pick #2"),
        ("second one", "pick #2"),
        ("2", "pick #2"),
        ("the last one", "pick #-1"),
        ("first and third", "pick #1 + #3"),
        ("all of them", "pick those"),
        ("everything", "pick all"),
        ("just milk", "pick only [milk]"),
        ("only the first two", "pick only #1 + #2"),
        ("not that one, the other one", "instead the other"),
        ("yes please", "Yes"),
        ("ok", "Yes"),
        ("okay", "Yes"),
        ("sure, go ahead", "Yes"),
        ("no thanks", "No"),
        ("cancel", "No"),
        ("never mind", "No"),
        ("stop", "No"),
        ("thanks!", "Thanks"),
        ("good morning", "Greeting"),
        ("bye", "Farewell"),
        ("how are you?", "Greeting"),
        ("do not add milk", "No"),
        ("don't", "No"),
        ("scratch that", "No"),
        ("make it oat milk", "rather [oat milk]"),
        ("i meant oat milk", "rather [oat milk]"),
        ("sorry, friday", "rather on 2026-02-13"),
        ("friday instead", "rather on 2026-02-13"),
        ("wait, friday not thursday", "rather on 2026-02-13"),
        ("not thursday, friday", "rather on 2026-02-13"),
        ("actually no", "No"),
        ("eggs too", "also [eggs]"),
        ("also eggs", "also [eggs]"),
        ("what about eggs", "also [eggs]"),
        ("what about tomorrow?", "also [tomorrow] on 2026-02-09?"),
        ("how about friday", "also [friday] on 2026-02-13"),
        ("and the dentist?", "also [the dentist]?"),
        ("same for eggs", "also [eggs]"),
        ("no, I said Call mom", "rather [Call mom]"),
        ("I said Call mom", "rather [Call mom]"),
        ("the first one please", "pick #1"),
        ("first", "pick #1"),
        ("1", "pick #1"),
        ("number two", "pick #2"),
        ("option 1", "pick #1"),
        ("milk?", "also [milk]?"),
        ("just do it", "DoIt"),
        ("go on", "Yes"),
        ("please do", "Yes"),
    ] {
        check(message, expect);
    }
}

#[test]
fn wishes_nouns_and_remarks() {
    for (message, expect) in [
        ("ok the dentist is sorted", "[dentist] is done: true"),
        (
            "the weather's finally sorted too",
            "[weather] is done: true",
        ),
        ("milk, eggs and bread", "noun [milk, eggs and bread]"),
        ("got the milk", "[milk] is done: true"),
        ("red", "noun [red]"),
        (
            "I really need to renew my passport",
            "wish [renew my passport]",
        ),
        ("milk", "noun [milk]"),
        ("water plants, high priority", "noun [water plants] high"),
        ("I must not forget to call Anna", "wish [call Anna]"),
        ("dentist appointment", "noun [dentist appointment]"),
        ("it's not done yet", "it is done: false"),
        ("buy milk", "noun [buy milk]"),
        ("call mom", "noun [call mom]"),
        ("call mom tomorrow", "noun [call mom] on 2026-02-09"),
        ("pick up dry cleaning", "noun [pick up dry cleaning]"),
        ("I bought the milk", "[milk] is done: true"),
        ("milk is bought", "[milk] is done: true"),
        ("finished!", "it is done: true"),
        ("done", "it is done: true"),
        ("it's done", "it is done: true"),
        ("that's done", "it is done: true"),
        ("I'm not done with Read book", "[Read book] is done: false"),
        (
            "I haven't finished Read book yet",
            "[Read book] is done: false",
        ),
        ("I need to delete old emails", "wish [delete old emails]"),
        ("milk please", "noun [milk]"),
        ("milk, thanks", "noun [milk]"),
        ("milk!", "noun [milk]"),
    ] {
        check(message, expect);
    }
}

#[test]
fn questions_that_change_nothing() {
    for (message, expect) in [
        ("so you'll ring me at six?", "AlarmQuestion"),
        ("did you delete it?", "did Some(Change(Delete)) it"),
        ("what did you just do?", "WhatWasDone"),
        ("how do I delete a task?", "help Delete"),
        // What follows "and" is asked about as well.
        ("how do I delete milk and add eggs, please?", "help Delete"),
        ("how do I cross out milk and put eggs on it?", "help Delete"),
        (
            "how can I delete milk and mark eggs as done, please?",
            "help Delete",
        ),
        (
            "what happens if I delete Read book?",
            "if delete [Read book]",
        ),
        ("should I still keep Read book?", "opinion [Read book]"),
        ("did that work?", "DidThatWork"),
        ("is it deleted?", "did Some(Change(Delete)) it"),
        ("what can you do?", "help General"),
        ("don't delete Read book", "not delete [Read book]"),
        ("never mind deleting", "not delete nothing"),
        ("can you add tasks?", "help General"),
        ("help", "help General"),
        (
            "is Read book done?",
            "did Some(Change(Complete)) [Read book]",
        ),
        (
            "did I finish Read book?",
            "did Some(Change(Complete)) [Read book]",
        ),
        (
            "was Read book deleted?",
            "did Some(Change(Delete)) [Read book]",
        ),
        ("never mind deleting Read book", "not delete [Read book]"),
        ("can I delete tasks?", "help General"),
        ("could you tell me how to add a task", "help Add"),
        ("how can I undo something", "help Undo"),
        ("what happens when I complete a task?", "help Complete"),
        ("would it hurt to delete Read book?", "opinion [Read book]"),
        ("what did I delete?", "What(Change(Delete))"),
        ("what have you added?", "What(Add)"),
        ("show me what you did", "WhatWasDone"),
        ("did you add milk?", "did Some(Add) [milk]"),
        ("did you do it?", "did None it"),
        (
            "did you really mark it as done?",
            "did Some(Change(Complete)) it",
        ),
        ("has it been added?", "did Some(Add) it"),
        ("who are you?", "help General"),
    ] {
        check(message, expect);
    }
}
