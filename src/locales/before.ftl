# Texts that messages had in replies of version 5 and before, which were written in English and Roman Urdu: a reply is
# computed again in the words in which it was told. See edition.rs.

### en

cause-title-long = the title is too long
cause-title-wrong = the title is not one line of text

### ur

on-day = { $day }
days = { $from } to { $to }
repeat-on-nth = { $every } ke { $nth ->
    [1] pehle
   *[other] { $nth }ve
  } { weekday-name }
you-have = Aap ke paas { $what } hain
you-have-none = Aap ke paas koi{ $status ->
    [pending] {" "}pending
    [completed] {" "}completed
    [overdue] {" "}overdue
   *[all] {""}
  }{ $priority ->
    [low] {" "}low-priority
    [medium] {" "}medium-priority
    [high] {" "}high-priority
   *[any] {""}
  } tasks{ $conditions } nahi (kul { $total }).
condition-due = due { $when }
condition-matching = jaise { $query }
nothing-due = { $when } ko kuch due nahi (kul { $total ->
    [one] { $total } task
   *[other] { $total } tasks
  }).
cause-title-long = title bohat lamba hai
answer-unchecked = Technical error: jawab ki jaanch nahi ho saki.
welcome = Khushi hui!
if-completed = { $what } badal jayega; "undo" se wapas ho jata hai.
past-still-listed = { $count } task abhi list par hain.
run-interrupted = Nateeja maloom nahi: { $name } ({ $who }) – kaam beech mein ruk gaya.
run-asks = Agent poochta hai: { $name } ({ $who }) – { $question } Jawab: "continue with { $persona } on { $name }: …"
run-state = { $state ->
    [pending] pending
    [running] running
    [input_required] input_required
    [completed] completed
    [failed] failed
    [cancelled] cancelled
    [stopping] stopping
   *[interrupted] interrupted
  }
agent-busy = { $agent } abhi { $name } par kaam kar raha hai. Khud mukammal karne ke liye 'mark it done anyway' kahein.
agent-preview = Sirf preview, kuch shuru nahi hua: { $name } → { $persona } on { $provider }
