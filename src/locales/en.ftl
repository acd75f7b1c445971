# Replies in English. To translate: copy this file, keep the names and the variables of every
# message, and write what stands behind "=" anew; docs/LANGUAGE.md says how.
#
# Variables that hold words of the user or names of tasks stand as they are; `$name` and `$what`
# are titles, most of them in quotation marks already.

## Days, times and values

weekday = { $weekday ->
    [1] Mon
    [2] Tue
    [3] Wed
    [4] Thu
    [5] Fri
    [6] Sat
   *[7] Sun
  }
# A day in a sentence, and in a line of a listing. Month and day have two digits.
day = { weekday } { $year }-{ $month }-{ $day }
day-listed = { $year }-{ $month }-{ $day }
on-day = { $day }
days = from { $from } to { $to }
days-from = from { $from } on
due = due { $when }
no-due-date = no due date
priority-word = { $priority ->
    [low] low
    [high] high
   *[medium] medium
  }
priority = priority { $priority ->
    [low] low
    [high] high
   *[medium] medium
  }
priority-changed = priority: { $priority ->
    [low] low
    [high] high
   *[medium] medium
  }
status-word = { $status ->
    [completed] completed
   *[pending] pending
  }

## Reminders

reminder = reminder { $when }
no-reminder = no reminder
reminder-missed = Missed: reminder for { $name } ({ $when }).
reminder-stays = The reminder for { $name } stays: { $when }.
nobody-listening = Nobody is listening yet: keep the page open or set CANDOR_WEBHOOK_URL.
reminders-rule = I remind you only where a receipt says "reminder".
no-alarm = No, I have no alarm: I keep the day, and the time stays in the title.

## Repetitions

weekday-name = { $weekday ->
    [1] Monday
    [2] Tuesday
    [3] Wednesday
    [4] Thursday
    [5] Friday
    [6] Saturday
   *[7] Sunday
  }
month-name = { $month ->
    [1] January
    [2] February
    [3] March
    [4] April
    [5] May
    [6] June
    [7] July
    [8] August
    [9] September
    [10] October
    [11] November
   *[12] December
  }
list-and = { $before } and { $last }
repeat-every = { $unit ->
    [day] { $interval ->
        [1] every day
       *[other] every { $interval } days
      }
    [week] { $interval ->
        [1] every week
       *[other] every { $interval } weeks
      }
    [month] { $interval ->
        [1] every month
       *[other] every { $interval } months
      }
   *[year] { $interval ->
        [1] every year
       *[other] every { $interval } years
      }
  }
repeat-workdays = every weekday
repeat-weekdays = every { $days }
repeat-on-weekdays = { $every } on { $days }
repeat-on-day = { $every } on the { NUMBER($day, type: "ordinal") ->
    [one] { $day }st
    [two] { $day }nd
    [few] { $day }rd
   *[other] { $day }th
  }
repeat-on-last-day = { $every } on the last day
repeat-on-last-weekday = { $every } on the last { weekday-name }
repeat-on-nth = { $every } on the { NUMBER($nth, type: "ordinal") ->
    [one] { $nth }st
    [two] { $nth }nd
    [few] { $nth }rd
   *[other] { $nth }th
  } { weekday-name }
repeat-on-date = { $every } on { month-name } { $day }
repeat-until = { $rule } until { $when }
repeat-times = { $rule }, { $count ->
    [1] the last time
   *[other] { $count } times
  }

## What was done

added = Added: { $name }
deleted = Deleted: { $name }
updated = Updated: { $name }
marked-done = Marked { $name } as done
reopened = Reopened: { $name }
changed = Changed.
next = next: { $when }
renamed-from = renamed from { $name }
no-longer-repeats = no longer repeats
taken-back = taken back
note-added = note added
note-changed = note changed
note-removed = note removed
no-note = no note
note-told = note: { $note }
undone = Undone: { $what }
undone-deletion = { $name } is back on the list
undone-addition = { $name } is off the list again
done-again = done again
pending-again = pending again
as-before = as before
changes-counted = { $count ->
    [one] { $count } change
   *[other] { $count } changes
  }
runs-counted = { $count ->
    [one] { $count } run
   *[other] { $count } runs
  }

## Listings

tasks = { $count }{ $status ->
    [pending] {" "}pending
    [completed] {" "}completed
    [overdue] {" "}overdue
   *[all] {""}
  }{ $priority ->
    [low] {" "}low-priority
    [medium] {" "}medium-priority
    [high] {" "}high-priority
   *[any] {""}
  } { $count ->
    [one] task
   *[other] tasks
  }
list-empty = Your task list is empty.
you-have = You have { $what }
you-have-none = You have no{ $status ->
    [pending] {" "}pending
    [completed] {" "}completed
    [overdue] {" "}overdue
   *[all] {""}
  }{ $priority ->
    [low] {" "}low-priority
    [medium] {" "}medium-priority
    [high] {" "}high-priority
   *[any] {""}
  } tasks{ $conditions } ({ $total } in all).
condition-due = due { $when }
condition-undated = without a due date
condition-matching = matching { $query }
with-colon = { $head }:
more-tasks = … and { $count } more
one-match = Yes: { $task }
several-match = Yes, { $count } tasks match { $query }:
no-match = No task matches { $query } ({ $total } in all).
nothing-overdue = Nothing is overdue ({ $total ->
    [one] { $total } task
   *[other] { $total } tasks
  } in all).
nothing-due = Nothing is due { $when } ({ $total ->
    [one] { $total } task
   *[other] { $total } tasks
  } in all).
nothing-undated = No task is without a due date ({ $total } in all).

## Questions

yes = Yes
no = No
or = or
nothing-added = Nothing was added.
nothing-deleted = Nothing was deleted.
nothing-changed = Nothing was changed.
ask-add = Add { $what }?
ask-add-another = { $name } is already on your list{ $extras }. Add another?
ask-delete = Delete { $what }?
ask-complete = Mark { $what } as done?
ask-reopen = Reopen { $what }?
ask-change = Change { $what }?
ask-rename = Rename { $name } to { $new }?
ask-note = Set the note of { $name } to { $note }?
ask-undated = Take the due date off { $name }?
ask-move = Move { $name } to { $to }?
ask-move-from = Move { $name } from { $from } to { $to }?
ask-repeat = Repeat { $name } { $rule }?
ask-stop-repeating = Stop repeating { $name }?
ask-undo = Undo the latest change ({ $names })?
ask-undo-latest = Undo the latest change?
ask-instead-delete = Put { $names } back and delete { $other }?
ask-instead-complete = Take { $names } back and mark { $other } as done?
ask-instead-change = Take { $names } back and change { $other }?
ask-go-ahead = Go ahead?
ask-all = { $count ->
    [2] Do both?
   *[other] Do all { $count }?
  }
ask-which = { $which }?
ask-which-of = { $which }: { $names }?
which-delete = Which one should I delete
which-complete = Which one should I mark as done
which-reopen = Which one should I reopen
which-change = Which one should I change
ask-what-to-add = What should I add?
add-what-is-named = I can add what you name: say "add flour, eggs and milk".
ask-what-to-do = What should I do with { $name }?
ask-what-to-change = What should I change about { $name }?
already-in-week = { $day } already lies in the week of { $week }.
one-list = I keep one list, without a separate "{ $list }".
label-done = done { $when }
label-added = added { $when }
rest-stays = The rest stays as it was.
one-question = One question at a time: ask for the rest again after this one.
say-which = Which one do you mean? Name it by its title.
say-what-to-do = I don't know what to do: name the task and what should happen.

## What stays as it was

already-done = { $name } was already done.
already-pending = { $name } was already pending.
already-so = { $name } was already so.
already-deleted = { $name } was already deleted.
nothing-to-undo = There is nothing to undo.
was-already-added = { $name } was already added.
was-already-changed = { $name } was already changed.

## What failed

could-not = Could not { $verb ->
    [add] add
    [delete] delete
    [complete] complete
    [reopen] reopen
    [update] update
    [delegate] delegate
    [read] read
    [cancel] cancel
    [list] list
    [undo] undo
   *[do] do
  } { $what }: { $cause }.
nothing-on-list = Nothing to { $verb ->
    [delete] delete
    [complete] complete
    [reopen] reopen
   *[update] update
  }: your task list is empty.
cause-deleted = it was already deleted
cause-out-of-range = the list is not that long
cause-none-such = there are none
cause-no-title = no task with that title
nearest = Nearest: { $names }.
the-task = the task
the-tasks = the tasks
the-result = the result
the-delegation = the delegation
that = that
named-number = number { $number }
named-last = the last one
named-from-end = number { $number } from the end
named-it = it
named-them = them
named-other = the other one
named-these = these tasks
named-others = the others
named-rest = others
named-tasks = { $status ->
    [completed] completed tasks
    [overdue] overdue tasks
    [pending] pending tasks
   *[all] tasks
  }
named-due = { $tasks } due { $when }
named-undated = { $tasks } without a due date
named-matching = { $tasks } matching { $query }
named-level = { $tasks } with { $level ->
    [high] high
    [low] low
   *[medium] medium
  } priority
cause-title-empty = Title cannot be empty
cause-title-long = Title is too long: { $length } characters, at most { $most } are allowed
cause-title-wrong = Title must be one line without control characters
cause-no-task = no task was named
cause-other-title = the title is not the one you said
cause-no-day = '{ $value }' is not a day
cause-not-a-day = the due date is not a day
cause-other-date = the date is not the one you said
cause-other-time = the time is not the one you said
cause-other-priority = the priority is not the one you said
option-word = { $word ->
    [low] low
    [medium] medium
    [high] high
    [pending] pending
    [completed] completed
   *[all] all
  }
cause-not-one-of = '{ $value }' is not one of { $values }
cause-wrong-priority = the priority is not one of { $values }
cause-wrong-status = the status is not one of { $values }
cause-day-past = { $day } is in the past; due dates run from { $from } to { $to }
cause-day-far = { $day } is too far ahead; due dates run from { $from } to { $to }
cause-no-time = '{ $value }' is not a time
cause-not-a-time = the time is not one I can read
cause-no-repetition = I can't repeat a task '{ $value }'
cause-not-a-repetition = I can't repeat a task like that
cause-repetition-past = the repetition ends before today
cause-reminder-past = the time of the reminder is past
cause-reminder-far = the reminder is more than three years away
cause-invalid = the call was not valid
cause-no-such-task = there is no such task
cause-already-done = it is already done
cause-agent-busy = { $agent } is still working on { $name }
cause-agent-at-work = { $agent } is still working ({ $run })
no-such-day = There is no { $words }: say a day that exists.
cut-off = Could not do the rest: the server stopped in between. Say again what is missing.
rest-not-taken = Could not do the rest: the database did not take it.
rest-overtaken = Could not do the rest: your list was changed meanwhile.
renamed-since = Could not change { $name }: it was renamed since.
undo-overtaken = Could not undo: { $name } was changed since.
undo-stopped = Could not undo: a stopped agent does not go on by itself, but it can be resumed.
not-checked = Could not check this, so it was not done.
answer-unchecked = Technical error: the answer could not be checked.
not-answered = Not answered: { $words }
refused = Not done: the model wanted to { $deeds }; your words don't ask for that.
refused-add = { $count ->
    [1] add a task
   *[other] add { $count } tasks
  }
refused-delete = { $count ->
    [1] delete a task
   *[other] delete { $count } tasks
  }
refused-complete = { $count ->
    [1] complete a task
   *[other] complete { $count } tasks
  }
refused-change = { $count ->
    [1] change a task
   *[other] change { $count } tasks
  }
refused-undo = undo a change
refused-line = { $verb ->
    [add] I didn't add { $what }
    [delete] I didn't delete { $what }
    [complete] I didn't mark { $what } as done
    [undo] I didn't undo anything
   *[change] I didn't change { $what }
  }: I can't read that in your words.
refused-some = { $count ->
    [one] a task
   *[other] { $count } tasks
  }
left-out = I left out { $values }: I can't read that in your words.
left-out-value = { $value ->
    [title] the new title
    [note] the note
    [priority] the priority
    [day] the day
    [time] the time
    [repetition] the repetition
    [reminder] the reminder
   *[status] the status
  }
note-no-reminder = No reminder is set: say a time for one.
note-no-time = Not kept: the time of day.
note-day-only = No alarm: I keep the day, and no time of day.
note-time-in-title = No alarm: I keep the day; a time stays in the title.
note-one-task = No repetition: I can't repeat a task, this is one.
note-no-such-repetition = No repetition: I can't repeat a task like that, this is one.
note-no-repeat-end = Not kept: the end of the repetition. It goes on until you stop it.

## Talk

hello = Hello! What can I do for your list?
welcome = You're welcome!
goodbye = Goodbye!
thank-you = Thank you, that's kind!
all-right = All right!
i-leave-it = All right, I leave it.
nothing-waits = Nothing is waiting for a yes.
question-closed = That question is closed: say again what you want.
nothing-to-do = All right, nothing to do.
unsaid = I can't say anything certain about that.
help = I look after your todo list. Say "add milk", "what's on my list?", "mark milk as done" or "delete milk".
help-add = Say "add buy milk tomorrow": the words are the title, the day is the due date.
help-list = Say "what's on my list?", "what is due this week?" or "is milk on my list?".
help-update = Say "set milk priority to high", "move milk to friday" or "rename milk to oat milk".
help-complete = Say "mark milk as done".
help-delete = Say "delete milk" with the task's title. "undo" brings it back.
help-undo = Say "undo": it takes back the latest change; said again, the one before. Deletions can be undone for 30 days.
help-language = I answer in the language you write in: English, Roman Urdu, German, Spanish, French, Italian or Portuguese.
if-a-task = A task
if-deleted = { $what } would leave your list; "undo" works for 30 days.
if-completed = { $what } would be marked as done and stay on the list as completed; "undo" takes it back.
if-changed = { $what } would get the new value; "undo" takes it back.

## Answers about the past and the present

past-nothing = Nothing has been changed in this conversation.
past-no-effect = No, nothing was changed.
past-yes = Yes:
past-no = No:
# A yes or a no before the line of a receipt.
past-receipt = { $answer }. { $line }
past-partly = Partly: yes for { $yes }; no for { $no }.
past-list-empty = Your list is empty.
past-still-listed = { $count ->
    [one] { $count } task is still on your list.
   *[other] { $count } tasks are still on your list.
  }
past-done-of = { $done } of { $count ->
    [one] { $count } task
   *[other] { $count } tasks
  } done.
past-on-list = { $name } is on your list.
past-still-on-list = { $name } is still on your list.
past-another-on-list = another { $name } is on your list
past-is-due = { $name } is due { $when }.
past-is-undated = { $name } has no due date.
past-has-priority = { $name } has { $priority ->
    [low] low
    [high] high
   *[medium] medium
  } priority.
past-is-done = { $name } is marked as done.
past-is-pending = { $name } is still pending.
past-is-reopened = { $name } is pending: it was reopened { $when }.
past-nothing-on-record = Nothing on record was done to { $name }.
past-not-that = That was not done to { $name }.
past-last-change = The last change to { $name }: { $line }
past-time = { $date ->
    [none] at { $time }
   *[other] on { $date } at { $time }
  }
past-at = { $when }
past-elsewhere = outside this conversation
past-since = changed { $when }: { $changes }
past-later = { $deed ->
    [undo] undone
    [delete] deleted
    [reopen] reopened
   *[complete] marked as done
  } { $when }
past-and-then = { $before }; { $after }
past-only = No, only { $count } in this conversation:
past-counted = { $count } in this conversation:
past-unknown = No. Nothing was done to { $name }.
past-none-added = Nothing was added in this conversation.
past-none-deleted = Nothing was deleted in this conversation.
past-none-completed = Nothing was marked as done in this conversation.
past-none-moved = Nothing was moved in this conversation.
past-none-renamed = Nothing was renamed in this conversation.
past-none-changed = Nothing was changed in this conversation.
past-none-such = Nothing like that was done in this conversation.
past-none-then = Nothing like that was done in this conversation ({ $when }).
past-reminder = { $state ->
    [waiting] The reminder for { $name } is set for { $when }.
    [delivered] The reminder for { $name } was delivered: { $when }.
    [missed] The reminder for { $name } was missed: { $when }.
   *[cancelled] The reminder for { $name } on { $when } was cancelled.
  }
past-no-reminder-for = No reminder is set for { $name }.
past-no-reminder = No reminder is set.
past-cut-off = Your message before this one was cut off after:
past-undone-since = (undone since)

## Agents

delegated = Delegated: { $name } ({ $who })
resumed = Resumed: { $name } ({ $who })
cancelled = Cancelled: { $name } ({ $who })
cancel-requested = Cancel requested: { $name } ({ $who }); work may still land
run-waiting = Waiting for a free agent: { $name } ({ $who })
run-working = Still working: { $name } ({ $who })
run-failed = Agent could not finish: { $name } – { $reason }
run-fault = { $why ->
    [rejected] the agent could not do it: { $said }
    [contradicted] its report cites a call that was not made, or failed
    [no_report] it gave no report
    [timeout] its time was up
    [limit] it reached the limit of a run
    [unavailable] the provider { $provider } could not be reached
   *[other] there was an error
  }
run-interrupted = Outcome unknown: { $name } ({ $who }) – it was cut off. Say "continue with the agent on { $name }" to go on.
run-asks = Agent asks: { $name } ({ $who }) – { $question } Say "continue with { $persona } on { $name }: …" to answer.
run-finished = Agent finished: { $name }
run-reported = { $persona } reported
run-reported-unverified = { $persona } reported (unverified: it cites nothing it did)
nothing-delegated = Nothing is delegated.
delegations = You have { $count ->
    [one] { $count } delegation
   *[other] { $count } delegations
  }:
run-state = { $state ->
    [pending] pending
    [running] running
    [input_required] waiting for an answer
    [completed] completed
    [failed] failed
    [cancelled] cancelled
    [stopping] stopping
   *[interrupted] interrupted
  }
agent-stands = { $agent } { run-state }
agents = You can hand tasks to these agents:
agent-which-task = Which task do you mean? Name it by its title.
agent-busy = { $agent } is still working on { $name }. Say 'mark it done anyway' to complete it yourself.
agent-ended = Nothing to stop: the work on { $name } has ended ({ $state }).
agent-preview = Preview, nothing was started: { $name } → { $persona } on { $provider }
agent-which = Which one? Agents work on { $names }.
agent-none-yet = Nothing has been delegated yet.
agent-no-match = No delegation matches { $name }.
agent-none-such = No such delegation.
agent-at-work = { $agent } is still working on { $name }.
agent-none-to-resume = There is no such agent to go on with.
agent-unknown = There is no agent '{ $agent }'.
agent-no-handle = There is no { $handle }.
agent-asks-nothing = { $handle } asks nothing.
agent-no-task = No task fits { $name }.
agent-not-found = Agent "{ $agent }" not found in registry. Available agents: { $names }
agent-disabled = Agent "{ $agent }" is currently disabled. Please enable it in the agent configuration.
agent-no-model = No model is configured as "{ $model }": leave it out or name provider:model.
agent-no-provider = No provider is configured.
agent-none-available = No provider is available: { $names }.
agent-provider-unavailable = Provider '{ $provider }' is not available: { $why }. Available: { $names }.
agent-provider-meant = Did you mean { $meant }?
agent-provider-lacks = Provider '{ $provider }' has no model '{ $model }'. It has: { $names }.
agent-provider-why = { $why ->
    [disabled] disabled
    [busy] busy
    [missing] not configured
   *[unhealthy] unhealthy
  }
agent-names-none = none
agent-outside-root = Refusing to work outside project root: { $path }. The workspace must be one the operator allows.
agent-means-other = Do you mean { $name }? Say it again with exactly that title.
agent-no-todo = There is no todo { $name }.
agent-is-another = { $agent } is a { $persona }, not '{ $other }': say "continue with { $persona }".
worker-reading = Reading { $read } of { $total } files
worker-found = I read { $read } of { $total } files for "{ $name }"; { $found ->
    [0] none of them says anything on it
   *[other] { $found } with something on it
  }.
worker-no-files = The workspace holds no files, so there is nothing on "{ $name }".
worker-nothing-in = - { $path }: nothing on it. It begins: "{ $line }"
worker-empty = (empty)
worker-from-task = I was asked: "{ $name }". I have no files; the task itself holds { $count ->
    [one] { $count } line
   *[other] { $count } lines
  }, { $found } of them on it. Nothing else was looked up.
worker-rejects = I was asked: "{ $name }". I have no sources: no workspace is configured for me (workspace_roots in candor.toml), and I know nothing by myself. Nothing was looked up.
worker-no-sources = There were no sources to work from.
