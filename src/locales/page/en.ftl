# Words of the web page in English. `$count` chooses a form and is not shown: the number stands before it.
# The page fills in the other variables.

## Page

page-language = Language
page-pair = { $name }: { $what }
page-quoted = “{ $text }”
page-skip-message = Skip to the message field
page-skip-tasks = Skip to the tasks
page-home = , to the chat
page-views = Views
page-chat = Chat
page-tasks = Tasks
page-audit = Audit
page-agents = Agents
page-ghosts = { $count ->
    [one] ghost stopped
   *[other] ghosts stopped
  }
page-ghosts-about = { $ghosts }: claims of the model that nothing proves
page-dark = Dark colours
page-shortcuts = Keyboard shortcuts
page-unreachable = The server can't be reached.
page-try-again = Try again
page-close = Close
page-cancel = Cancel
page-dismiss = Dismiss
page-show-more = Show more
page-today = today
page-tomorrow = tomorrow
page-yesterday = yesterday

## Page: who is here

page-you-are = You are
page-sign-in = Sign in
page-sign-out = Sign out
page-change = Change
page-who = Who are you?
page-change-user = Change user
page-ask-key = This server wants to know who calls: give an API key (candor token create makes one) or a signed token. It says who you are.
page-one-user = The list, the conversations and the log are those of one user.
page-user = User
page-every-user = This key acts for every user: say for whom.
page-key = API key or token
page-key-unchecked = The key could not be checked: please try again.
page-remember = Remember on this device
page-remember-else = (otherwise for this tab alone)
page-forget-key = Forget the key
page-go-on = Go on

## Page: keys

page-keys = Keys
page-key-message = Write a message
page-key-down = Down: the next task, message or turn
page-key-up = Up: the one before
page-key-undo = Undo the latest change
page-key-keys = These keys
page-key-move = Move inside a list
page-key-leave = Leave a field or a form; from the messages, write one
page-single-keys = Single keys work outside of fields

## Page: the conversation

page-conversations = Conversations
page-conversation = Conversation
page-new-conversation = New conversation
page-messages = Messages
page-message = Message
page-message-hint = Add, change, ask…
page-send = Send
page-promise = What it says it did comes from what was saved, and from nothing else.
page-welcome = What should be remembered?
page-welcome-more = Write as you would to a person. Whatever is saved comes with a receipt; where nothing was saved, nothing is claimed.
page-suggestions = Suggestions
# These five are said to the chat, which has to understand them.
page-offer-add = add buy milk tomorrow
page-offer-more = add call the dentist on Friday, high priority
page-offer-list = what's on my list?
page-offer-help = what can you do?
page-undo-word = undo
page-you = You
page-earlier = Earlier messages
page-unknown-if-saved = The server can't be reached. Whether this was saved is not known; trying again runs it only once.
page-was-stopped = It was stopped.
page-progress = Progress
page-reading-words = Reading your words
page-asking-model = Asking the model
page-call-refused = { $what } was refused: your words do not ask for it
page-still-at-work = Still at work, from before the page was loaded
page-line-lost = The connection broke; asking again, which runs nothing twice
page-receipt-lost = Its receipt can't be found.
page-not-undone = Not undone

## Page: what a tool does, what was asked for, what was done

page-doing-add = Adding a task
page-doing-list = Reading the list
page-doing-update = Changing a task
page-doing-complete = Marking a task as done
page-doing-delete = Deleting a task
page-doing-undo = Taking a change back
page-doing-ask = Asking you
page-doing-delegate = Handing a task to an agent
page-doing-cancel = Stopping an agent
page-doing-output = Reading an agent's result
page-doing-runs = Reading what agents do
page-wish-add = to add a task
page-wish-list = to read the list
page-wish-update = to change a task
page-wish-complete = to mark a task as done
page-wish-delete = to delete a task
page-wish-undo = to take a change back
page-wish-ask = to ask you
page-wish-delegate = to hand a task to an agent
page-wish-cancel = to stop an agent
page-wish-output = to read an agent's result
page-wish-runs = to read what agents do
page-did-add = Added
page-did-list = Read the list
page-did-update = Changed
page-did-complete = Completed
page-did-delete = Deleted
page-did-undo = Taken back
page-did-history = Read the past
page-did-delegate = Handed to an agent
page-did-cancel = Stopped an agent
page-did-output = Read an agent's result
page-did-runs = Read the agents' runs

## Page: a reply

page-receipt = Receipt
page-receipt-of = Receipt of
page-read-from-list = Read from your list
page-question = Question
page-saved-and-question = Saved, and a question
page-not-done = Not done
page-done-in-part = Done in part
page-only-chat = Chat, nothing was changed
page-undo = Undo
page-undone = Undone
page-undone-since = { $changes }, all undone since
page-changes = { $count ->
    [one] change
   *[other] changes
  }
page-tasks-counted = { $count ->
    [one] task
   *[other] tasks
  }
page-runs-counted = { $count ->
    [one] run
   *[other] runs
  }
page-calls-refused = { $count ->
    [one] call refused
   *[other] calls refused
  }
page-not-called = Your words ask { $wishes }, and the model did not call { $tools }, whatever it said.
page-only-receipts = Only what has a receipt was saved.
page-nothing-changed = Nothing was changed.
page-answers = Answers
page-left-out = left out
page-how-it-came = How it came about

## Page: a receipt

page-reading-log = Reading the log…
page-whole-turn = The whole turn
page-committed = Committed
page-by = By
page-event = Event
page-event-number = no. { $number } of the log
page-a-reading = A reading
page-status = Status
page-priority = Priority
page-assignee = Assignee
page-none = none
page-hash-fits = The event has the hash of its contents.
page-hash-differs = The event's contents do not match its hash.
page-leaf = It is leaf { $leaf } of a tree of { $events }: { $hashes } beside its path lead to the root.
page-events-counted = { $count ->
    [one] event
   *[other] events
  }
page-hashes-counted = { $count ->
    [one] hash
   *[other] hashes
  }
page-no-root = Its path does not lead to the root of the tree.
page-cant-check = This browser can't check it
page-proof = Proof, checked in this browser
page-event-written = The event as it stands in the log
page-hashes = Its hashes
page-hash-own = hash
page-hash-before = before it
page-hash-beside = beside
page-checkpoint = The checkpoint
page-checkpoint-more = Its signature needs the server's public key: candor audit verify --proof checks it.
page-log = The log

## Page: the list

page-task-list = Task list
page-new-task = New task
page-add = Add
page-filter-tasks = Filter the tasks
page-filter = Filter
page-which-tasks = Which tasks
page-open = Open
page-done = Done
page-all = All
page-counts = { $open } open, { $done } done
page-overdue = Overdue
page-next-days = Next seven days
page-later = Later
page-no-day = no day
page-no-match = No task has these words.
page-nothing-open = Nothing is open. Well done.
page-list-empty = Your list is empty.
page-list-hint = Say “{ $words }”, or write a title above.
page-marked-done = Marked as done
page-reopened = Reopened
page-updated = Updated
page-edit = Edit { $title }
page-heard-due = due
page-heard-late = overdue, due
page-title = Title
page-due = Due
page-time = Time
page-repeats = Repeats
page-note = Note
page-save = Save
page-delete = Delete
page-low = low
page-medium = medium
page-high = high
page-every-day = every day
page-every-days = every { $number } days
page-every-week = every week
page-every-weeks = every { $number } weeks
page-every-month = every month
page-every-months = every { $number } months
page-every-year = every year
page-every-years = every { $number } years
page-every-weekday = every weekday
page-every-named = every { $days }
page-on-days = { $every } on { $days }
page-on-day = { $every } on day { $count ->
   *[other] { $day }
  }
page-on-last-day = { $every } on the last day
page-until = { $every } until { $day }
page-times = { $every }, { $count ->
    [one] the last time
   *[other] { $number } times
  }

## Page: reminders

page-reminders = Reminders
page-reminder = Reminder
page-reminders-here = Reminders show here while the page is open.
page-notify = Show notifications too
page-no = No
page-late = { $time }, { $duration } late
page-dismiss-reminder = Dismiss the reminder

## Page: a call in words

page-number = no. { $number }
page-a-task = a task
page-an-agent = an agent
page-new-agent = a new { $name }
page-a-call = A call
page-due-on = due { $day }
page-due-at = { $due } at { $time }
page-of-priority = { $priority } priority
page-title-is = title { $title }
page-repeating = repeating
page-with-reminder = with a reminder
page-with-note = with a note
page-without-note = no note
page-with-words = with the words { $words }
page-is-done = done
page-is-open = open
page-given-to = given to { $agent }
page-call-add = Add { $what }
page-call-change = Change { $what }
page-call-complete = Mark { $what } as done
page-call-delete = Delete { $what }
page-call-undo = Take the latest change back
page-call-ask = Ask you
page-call-list = Read the list
page-call-resume = Go on with { $what }
page-call-delegate = Hand { $what } to { $agent }
page-call-output = Read the result of { $run }
page-call-cancel = Stop { $run }
page-call-runs = Read what the agents do
page-call-of = A call of { $name }
page-call-unfit = A call of { $name } with arguments that do not fit
page-as-written = As it was written

## Page: the audit

page-turns = Turns
page-turn = The turn
page-turns-counted = { $count ->
    [one] turn
   *[other] turns
  }
page-verify = Verify the chain
page-checking = { $events } checked…
page-broken = Event { $number }: { $fault }. Checked before it: { $checked }, all as they were written.
page-fault-missing = event { $number } is missing
page-fault-order = it is out of order
page-fault-link = it does not follow the event before it
page-fault-hash = its contents do not match its hash
page-unbroken = All { $events } are as they were written, in this order, without a gap. Head { $hash }
page-not-checked = Not checked
page-nothing-said = Nothing was said
page-nothing-said-yet = Nothing has been said yet.
page-back-turns = ← All turns
page-how-turn = How this turn came about
page-no-model = no model
page-you-said = You said
page-asked-for = Asked for
page-asked-rest = Asked for without words
page-erased = The words were erased
page-model = The model
page-proposed = { $model } proposed
page-said = { $model } said
page-nothing = Nothing.
page-unshown = The model said, and nobody was shown
page-refused = Refused
page-why-ghost = A call was due and none came: a claim without a receipt.
page-why-asserts = It claims something that nothing proves.
page-why-ask = A claim inside a question.
page-why-offer = An offer the server has to make itself, with the titles in it.
page-why-unchecked = It could not be checked, so it was not shown.
page-allowed = What was allowed, and what came of it
page-was-committed = committed
page-was-unchanged = nothing to change
page-was-asked = you were asked first
page-was-refused = refused
page-read = Read
page-receipt-number = Receipt no. { $number }
page-receipt-number-of = Receipt no. { $number } of: { $what }
page-told = What you were told
page-proven = proven
page-unproven = not proven
page-claims-nothing = claims nothing
page-holds = Computed again from the log. Events { $first } to { $last }.
page-holds-word-for-word = Computed again from the log, word for word the same. Events { $first } to { $last }.
page-does-not-hold = It is not what the log says.

## Page: the agents

page-runs = Runs
page-the-run = The run
page-hand-task = Hand a task to an agent
page-task = Task
page-agent = Agent
page-what-to-do = What to do, if the title does not say it
page-hand-over = Hand over
page-nothing-to-hand = There is no open task to hand over.
page-no-runs = No agent has been given anything yet.
page-no-runs-hint = Say “delegate research hotels to the researcher”.
page-pending = pending
page-running = running
page-input-required = input required
page-completed = completed
page-failed = failed
page-cancelled = cancelled
page-interrupted = interrupted
page-run-is = { $run } is { $state }
page-being-stopped = being stopped
page-begun = Begun
page-ended = Ended
page-took = Took
page-the-model = Model
page-run = Run
page-round = { $run }, round { $round }
page-calls = Calls
page-calls-counted = { $count ->
    [one] call
   *[other] calls
  }
page-back-runs = ← All runs
page-result = Result
page-reports = It reports ({ $how })
page-verified = verified
page-unverified = unverified
page-contradicted = contradicted
page-run-notes = Notes on the way
page-prompt = What it was told
page-evidence = Evidence
page-no-evidence = It cites no call of its own.
page-stop = Stop it
page-run-stopped = { $run } was stopped
page-accept = Accept
page-reject = Reject
page-accepted = Accepted
page-rejected = Rejected
page-go-on-with = Go on with it
page-next = What should { $agent } do next?
