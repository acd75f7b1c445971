//! Commands and questions in English.

use super::check;

#[test]
fn commands_to_add() {
    for (message, expect) in [
        ("ugh I forgot milk, stick it on there", "add [milk]"),
        (
            "remind me to call the plumber tomorrow at 5pm",
            "add [call the plumber] on 2026-02-09 at 17:00 !Alarm !TimeOfDay",
        ),
        ("add milk and eggs", "add [milk] + [eggs]"),
        (
            "add bread to my shopping list",
            "add [bread] !ListName(\"shopping list\")",
        ),
        ("add what I need for pancakes", "add described"),
        ("add milk", "add [milk]"),
        (
            "add a task to buy milk tomorrow",
            "add [buy milk] on 2026-02-09",
        ),
        ("create a reminder to call mom", "add [call mom] !Alarm"),
        (
            "to my garden list please add prune roses",
            "add [prune roses] !ListName(\"garden list\")",
        ),
        (
            "make sure almonds are on my baking list",
            "add [almonds] !ListName(\"baking list\")",
        ),
        ("i'm low on oats can you add that to the list", "add [oats]"),
        ("we're out of milk, put it on the list", "add [milk]"),
        ("add milk, eggs and bread", "add [milk] + [eggs] + [bread]"),
        (
            "add pick up milk and eggs from the store",
            "add [pick up milk and eggs from the store]",
        ),
        ("add a task to delete old emails", "add [delete old emails]"),
        ("add a task: delete old emails", "add [delete old emails]"),
        ("new task: mark mails as read", "add [mark mails as read]"),
        (
            "add \"delete old emails\" to my list",
            "add [delete old emails]",
        ),
        (
            "add water plants with high priority due friday",
            "add [water plants] on 2026-02-13 high",
        ),
        (
            "add call bank with note ask about the fees",
            "add [call bank] (ask about the fees)",
        ),
        ("add task", "add []"),
        ("can you add eggs to my list?", "add [eggs]"),
        ("add The 5th Wave", "add [The 5th Wave]"),
        (
            "remind me tomorrow at 9am to water the plants",
            "add [water the plants] on 2026-02-09 at 09:00 !Alarm !TimeOfDay",
        ),
        (
            "add call mom every monday",
            "add [call mom] FREQ=WEEKLY;BYDAY=MO",
        ),
        (
            "Add \"Buy milk, then call Bob\" to my list",
            "add [Buy milk, then call Bob]",
        ),
        (
            "add buy milk, high priority, due tomorrow",
            "add [buy milk] on 2026-02-09 high",
        ),
        (
            "add task Buy milk due tomorrow",
            "add [Buy milk] on 2026-02-09",
        ),
        (
            "add a high priority task to call the bank",
            "add [call the bank] high",
        ),
        (
            "add an urgent task: file taxes by friday",
            "add [file taxes] on 2026-02-13 high",
        ),
        (
            "add call mom at 5pm tomorrow",
            "add [call mom] on 2026-02-09 at 17:00 !TimeOfDay",
        ),
        (
            "add lunch with Anna on friday at noon",
            "add [lunch with Anna] on 2026-02-13 at 12:00 !TimeOfDay",
        ),
        ("I'd like to add milk", "add [milk]"),
        ("let's add eggs", "add [eggs]"),
        ("remind me", "add [] !Alarm"),
        ("remind me to", "add [] !Alarm"),
        (
            "remind me to call Bob and delete the old photos",
            "add [call Bob and delete the old photos] !Alarm",
        ),
        (
            "remind me in two weeks to check the oil",
            "add [check the oil] on 2026-02-22 !Alarm",
        ),
        (
            "remind me every monday to take out the trash",
            "add [take out the trash] FREQ=WEEKLY;BYDAY=MO !Alarm",
        ),
        (
            "add stretch twice a week",
            "add [stretch twice a week] !Recurrence",
        ),
        (
            "add call mom every monday at 5pm",
            "add [call mom] at 17:00 FREQ=WEEKLY;BYDAY=MO !TimeOfDay",
        ),
        ("ADD BUY MILK", "add [BUY MILK]"),
        ("add salt and pepper", "add [salt] + [pepper]"),
        ("add buy milk and eggs", "add [buy milk and eggs]"),
        ("add buy milk and call mom", "add [buy milk] + [call mom]"),
        ("add 🍎", "add [🍎]"),
        ("actually add eggs too", "add [eggs]"),
    ] {
        check(message, expect);
    }
}

#[test]
fn changes() {
    for (message, expect) in [
        ("mark call mom as done", "complete [call mom]"),
        ("ok push it to wednesday", "update it on 2026-02-11"),
        ("delete book", "delete [book]"),
        (
            "put everything for friday off till next week",
            "update all on 2026-02-13 in the week of 2026-02-09",
        ),
        ("undo", "undo"),
        ("actually make it thursday", "update it on 2026-02-12"),
        ("undo that", "undo"),
        ("ok take it off then", "delete it"),
        (
            "clear the shopping list",
            "delete all of \"shopping list\" !ListName(\"shopping list\")",
        ),
        ("make the second one sound fancier", "update #2 described"),
        ("delete the dentist", "delete [dentist]"),
        ("ugh just delete it", "delete it"),
        ("delete the second one", "delete #2"),
        ("drop the date", "update it undated"),
        ("don't need stamps any more", "delete [stamps]"),
        ("get rid of the dentist", "delete [dentist]"),
        ("tick Read book", "complete [Read book]"),
        ("I'm done with the dishes", "complete [dishes]"),
        ("reopen Read book", "reopen [Read book]"),
        (
            "set Review proposal priority to high",
            "update [Review proposal] high",
        ),
        (
            "rename Read book to Read novel",
            "update [Read book] to be [Read novel]",
        ),
        ("push it two days", "update it by 2"),
        ("postpone gym by a week", "update [gym] by 7"),
        (
            "change the due date of gym to friday",
            "update [gym] on 2026-02-13",
        ),
        ("delete all completed tasks", "delete all done"),
        ("delete everything", "delete all"),
        ("put it back", "undo"),
        (
            "delete milk, eggs and bread",
            "delete [milk] + [eggs] + [bread]",
        ),
        (
            "move dentist to next week",
            "update [dentist] in the week of 2026-02-09",
        ),
        ("make buy milk high priority", "update [buy milk] high"),
        ("delete task Read book", "delete [Read book]"),
        ("delete the task called Read book", "delete [Read book]"),
        ("delete both", "delete those 2"),
        ("delete them", "delete those"),
        ("delete 2", "delete #2"),
        ("delete last one", "delete #-1"),
        ("mark the first two as done", "complete #1 + #2"),
        ("complete task 3", "complete #3"),
        ("can you mark the first one as done", "complete #1"),
        ("undo the last change", "undo"),
        ("delete everything on my list", "delete all"),
        ("delete all my tasks", "delete all"),
        ("delete my tasks for today", "delete all on 2026-02-08"),
        ("delete all overdue tasks", "delete all overdue"),
        ("mark everything as done", "complete all"),
        (
            "mark all tasks due today as done",
            "complete all on 2026-02-08",
        ),
        ("clear completed tasks", "delete all done"),
        ("remove done ones", "delete all done"),
        ("complete both", "complete those 2"),
        ("move them to monday", "update those on 2026-02-09"),
        (
            "move everything from monday to tuesday",
            "update all on 2026-02-09 on 2026-02-10",
        ),
        (
            "reschedule the dentist to next friday",
            "update [dentist] on 2026-02-13",
        ),
        (
            "set the due date of Pay rent to 2026-03-01",
            "update [Pay rent] on 2026-03-01",
        ),
        (
            "make Read book due friday",
            "update [Read book] on 2026-02-13",
        ),
        (
            "Pay rent is due on friday",
            "update [Pay rent] on 2026-02-13",
        ),
        (
            "remove the due date from Pay rent",
            "update [Pay rent] undated",
        ),
        (
            "change Read book to Read novel",
            "update [Read book] to be [Read novel]",
        ),
        (
            "rename the second one to Buy oat milk",
            "update #2 to be [Buy oat milk]",
        ),
        (
            "add a note to Read book: borrow it from Tim",
            "update [Read book] (borrow it from Tim)",
        ),
        ("set priority of Read book to low", "update [Read book] low"),
        ("prioritize Read book", "update [Read book] high"),
        ("lower the priority of gym", "update [gym] low"),
        ("make it urgent", "update it high"),
        ("make it high", "update it high"),
        ("delete the first and the third", "delete #1 + #3"),
        ("just finished the report", "complete [report]"),
        ("done with Read book", "complete [Read book]"),
        ("Read book done", "complete [Read book]"),
        ("Read book is finished", "[Read book] is done: true"),
        ("uncheck Read book", "reopen [Read book]"),
        ("mark Read book as not done", "reopen [Read book]"),
        ("reopen it", "reopen it"),
        ("forget the milk", "delete [milk]"),
        ("forget about the dentist", "delete [dentist]"),
        ("cross off milk", "complete [milk]"),
        ("strike Read book from the list", "delete [Read book]"),
        ("I want to delete Read book", "delete [Read book]"),
        ("Delete READ BOOK!!!", "delete [READ BOOK]"),
        ("delete \"Read book\"", "delete [Read book]"),
        ("delete 'Read book'", "delete [Read book]"),
        (
            "delete Read book and Call mom",
            "delete [Read book] + [Call mom]",
        ),
        ("complete milk and eggs", "complete [milk] + [eggs]"),
        ("delete", "delete nothing"),
        ("complete", "complete nothing"),
        ("mark as done", "complete nothing"),
        ("undo undo", "undo"),
        ("delete the red one", "delete [red]"),
        ("delete the one about taxes", "delete [taxes]"),
        ("mark the dentist one as done", "complete [dentist]"),
        ("delete task 2 and task 3", "delete #2 + #3"),
        ("delete tasks 2 and 3", "delete #2 + #3"),
        ("delete 2 and 3", "delete #2 + #3"),
        ("delete 1, 2 and 4", "delete #1 + #2 + #4"),
        ("complete the first 3 tasks", "complete #1 + #2 + #3"),
        ("delete the last two", "delete #-1 + #-2"),
        (
            "push the dentist to next week",
            "update [dentist] in the week of 2026-02-09",
        ),
        ("push everything to tomorrow", "update all on 2026-02-09"),
        (
            "postpone all overdue tasks to monday",
            "update all overdue on 2026-02-09",
        ),
        (
            "move all my tasks for friday to next week",
            "update all on 2026-02-13 in the week of 2026-02-09",
        ),
        ("delay it by 3 days", "update it by 3"),
        (
            "move Read book to tomorrow at 5pm",
            "update [Read book] on 2026-02-09 at 17:00 !TimeOfDay",
        ),
        (
            "Read book is now called Read novel",
            "update [Read book] to be [Read novel]",
        ),
        (
            "buy milk should be buy oat milk",
            "update [buy milk] to be [buy oat milk]",
        ),
        ("actually, delete it", "delete it"),
        ("and mark it as done", "complete it"),
        ("and delete the first", "delete #1"),
        ("then delete it", "delete it"),
        ("ok now delete it", "delete it"),
        ("ok then delete Read book", "delete [Read book]"),
        ("alright, mark it done", "complete it"),
    ] {
        check(message, expect);
    }
}

#[test]
fn questions_that_read_the_list() {
    for (message, expect) in [
        ("what was the thing for monday?", "list on 2026-02-09"),
        ("how many do I have left?", "count open"),
        ("is bread on it?", "is there [bread]"),
        ("anything overdue?", "list overdue"),
        ("list my tasks", "list"),
        ("what's on my list?", "list"),
        ("what's left for today", "list open on 2026-02-08"),
        ("what did I mean to remember", "list"),
        ("show completed tasks", "list done"),
        ("what else do i have", "list"),
        (
            "Hey Candor, what's on my list for tomorrow?",
            "list on 2026-02-09",
        ),
        ("is Read book on my list?", "is there [Read book]"),
        ("what did I finish today?", "list done"),
        ("which tasks did I complete this week?", "list done"),
        ("what's overdue", "list overdue"),
        ("show me overdue tasks", "list overdue"),
        ("show tasks without a due date", "list undated"),
        ("list tasks about taxes", "list [taxes]"),
        ("find tasks with milk", "list [milk]"),
        ("how many tasks are done", "count done"),
        ("how many tasks do I have today", "count on 2026-02-08"),
        ("do I have anything on friday?", "list on 2026-02-13"),
        ("what should I do first?", "list"),
        ("what's next?", "list"),
        ("I would like to see my list", "list"),
        ("gimme my list", "list"),
    ] {
        check(message, expect);
    }
}

#[test]
fn other_services() {
    for (message, expect) in [
        ("what's the weather like tomorrow?", "Other"),
        ("set an alarm for 5", "Other"),
        ("turn the lights off", "Other"),
        ("play some music", "Other"),
        ("tell us a good joke", "Other"),
        ("who won the game last night?", "Other"),
        ("what is 2 plus 3", "Other"),
    ] {
        check(message, expect);
    }
}
