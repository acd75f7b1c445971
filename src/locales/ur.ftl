# Replies in Roman Urdu: Urdu in Latin letters. See en.ftl.

## Days, times and values

weekday = { $weekday ->
    [1] Peer
    [2] Mangal
    [3] Budh
    [4] Jumerat
    [5] Juma
    [6] Sanichar
   *[7] Itwar
  }
day = { weekday } { $year }-{ $month }-{ $day }
day-listed = { $year }-{ $month }-{ $day }
on-day = { $day } ko
days = { $from } se { $to } tak
days-from = { $from } se aage
due = due { $when }
no-due-date = koi due date nahi
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
    [completed] mukammal
   *[pending] baqi
  }

## Reminders

reminder = reminder { $when }
no-reminder = koi reminder nahi
reminder-missed = Reh gaya: { $name } ka reminder { $when } par.
reminder-stays = { $name } ka reminder wahi hai: { $when }.
nobody-listening = Abhi reminder kahin nahi pahunchega: page khula rakhein ya CANDOR_WEBHOOK_URL set karein.
reminders-rule = Main sirf wahan yaad dilata hun jahan raseed mein "reminder" likha ho.
no-alarm = Nahi, mere paas alarm nahi: main din rakhta hun, waqt title mein rehta hai.

## Repetitions

weekday-name = { $weekday ->
    [1] peer
    [2] mangal
    [3] budh
    [4] jumerat
    [5] jume
    [6] sanichar
   *[7] itwar
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
list-and = { $before } aur { $last }
repeat-every = { $unit ->
    [day] { $interval ->
        [1] har roz
       *[other] har { $interval } din baad
      }
    [week] { $interval ->
        [1] har hafte
       *[other] har { $interval } hafte baad
      }
    [month] { $interval ->
        [1] har mahine
       *[other] har { $interval } mahine baad
      }
   *[year] { $interval ->
        [1] har saal
       *[other] har { $interval } saal baad
      }
  }
repeat-workdays = har kaam ke din
repeat-weekdays = har { $days } ko
repeat-on-weekdays = { $every } { $days } ko
repeat-on-day = { $every } { $day } tareekh ko
repeat-on-last-day = { $every } aakhri din ko
repeat-on-last-weekday = { $every } aakhri { weekday-name } ko
repeat-on-nth = { $every } { $nth ->
    [1] pehle
    [2] doosre
    [3] teesre
    [4] chauthe
   *[5] paanchwe
  } { weekday-name } ko
repeat-on-date = { $every } { $day } { month-name } ko
repeat-until = { $rule }, { $when } tak
repeat-times = { $rule }, { $count ->
    [1] aakhri dafa
   *[other] { $count } dafa
  }

## What was done

added = Add ho gaya: { $name }
deleted = Delete ho gaya: { $name }
updated = Badal gaya: { $name }
marked-done = { $name } mukammal ho gaya
reopened = Dobara khul gaya: { $name }
changed = Badal gaya.
next = agla: { $when }
renamed-from = pehle { $name } tha
no-longer-repeats = ab nahi dohraya jayega
taken-back = agent se wapas liya
note-added = note add kiya
note-changed = note badla
note-removed = note hataya
no-note = koi note nahi
note-told = note: { $note }
undone = Wapas le liya: { $what }
undone-deletion = { $name } phir se list par hai
undone-addition = { $name } list se hata diya
done-again = phir mukammal
pending-again = phir baqi
as-before = pehle jaisa
changes-counted = { $count ->
    [one] { $count } tabdeeli
   *[other] { $count } tabdeeliyan
  }
runs-counted = { $count ->
    [one] { $count } kaam
   *[other] { $count } kaam
  }

## Listings

tasks = { $count }{ $priority ->
    [low] {" "}low-priority
    [medium] {" "}medium-priority
    [high] {" "}high-priority
   *[any] {""}
  } { $count ->
    [one] task
   *[other] tasks
  }{ $status ->
    [pending] {" "}baqi
    [completed] {" "}mukammal
    [overdue] {" "}overdue
   *[all] {""}
  }
list-empty = Aap ki task list khali hai.
you-have = Kul { $what }
you-have-none = Koi{ $priority ->
    [low] {" "}low-priority
    [medium] {" "}medium-priority
    [high] {" "}high-priority
   *[any] {""}
  } task{ $conditions }{ $status ->
    [pending] {" "}baqi
    [completed] {" "}mukammal
    [overdue] {" "}overdue
   *[all] {""}
  } nahi (kul { $total }).
condition-due = ({ $when } due)
condition-undated = (bina due date ke)
condition-matching = (talash: { $query })
with-colon = { $head }:
more-tasks = … aur { $count } mazeed
one-match = Haan: { $task }
several-match = Haan, { $count } tasks { $query } se milte hain:
no-match = { $query } naam ka koi task nahi (kul { $total }).
nothing-overdue = Kuch overdue nahi (kul { $total ->
    [one] { $total } task
   *[other] { $total } tasks
  }).
nothing-due = { $when } kuch due nahi (kul { $total ->
    [one] { $total } task
   *[other] { $total } tasks
  }).
nothing-undated = Koi task bina due date ke nahi (kul { $total }).

## Questions

yes = Haan
no = Nahi
or = ya
nothing-added = Kuch add nahi hua.
nothing-deleted = Kuch delete nahi hua.
nothing-changed = Kuch nahi badla.
ask-add = { $what } add kar dun?
ask-add-another = { $name } pehle se list par hai{ $extras }. Aik aur add karun?
ask-delete = { $what } delete kar dun?
ask-complete = { $what } mukammal kar dun?
ask-reopen = { $what } dobara khol dun?
ask-change = { $what } badal dun?
ask-rename = { $name } ka naam { $new } kar dun?
ask-note = { $name } ke note mein { $note } likh dun?
ask-undated = { $name } ki due date hata dun?
ask-move = { $name } ko { $to } par le jaun?
ask-move-from = { $name } ko { $from } se { $to } par le jaun?
ask-repeat = { $name } { $rule } dohraun?
ask-stop-repeating = { $name } ka dohrana band kar dun?
ask-undo = Aakhri tabdeeli wapas lun ({ $names })?
ask-undo-latest = Aakhri tabdeeli wapas lun?
ask-instead-delete = { $names } wapas rakhun aur { $other } delete kar dun?
ask-instead-complete = { $names } wapas lun aur { $other } mukammal kar dun?
ask-instead-change = { $names } wapas lun aur { $other } badal dun?
ask-go-ahead = Kar dun?
ask-all = { $count ->
    [2] Dono kar dun?
   *[other] Yeh { $count } kar dun?
  }
ask-which = { $which }?
ask-which-of = { $which }: { $names }?
which-delete = Konsa delete karun
which-complete = Konsa mukammal karun
which-reopen = Konsa dobara kholun
which-change = Konsa badlun
ask-what-to-add = Kya add karun?
add-what-is-named = Jo naam lein woh add kar dunga: kahiye "aata, anday aur doodh add karo".
ask-what-to-do = { $name } ke saath kya karun?
ask-what-to-change = { $name } mein kya badlun?
already-in-week = { $day } pehle se { $week } wale hafte mein hai.
one-list = Main aik hi list rakhta hun, alag "{ $list }" nahi.
label-done = mukammal { $when }
label-added = add hua { $when }
rest-stays = Baqi waisa hi rahega.
one-question = Aik waqt mein aik sawal: baqi dobara kahiye.
say-which = Konsa? Title batayein.
say-what-to-do = Samajh nahi aaya: task aur kaam batayein.

## What stays as it was

already-done = { $name } pehle se mukammal hai.
already-pending = { $name } pehle se baqi hai.
already-so = { $name } pehle se isi tarah hai.
already-deleted = { $name } ko pehle hi delete kiya ja chuka hai.
nothing-to-undo = Wapas lene ko kuch nahi.
was-already-added = { $name } ko pehle hi add kiya ja chuka hai.
was-already-changed = { $name } ko pehle hi badla ja chuka hai.

## What failed

could-not = { $verb ->
    [add] Add nahi ho saka
    [delete] Delete nahi ho saka
    [complete] Mukammal nahi ho saka
    [reopen] Dobara nahi khul saka
    [update] Badla nahi ja saka
    [delegate] Delegate nahi ho saka
    [read] Parha nahi ja saka
    [cancel] Cancel nahi ho saka
    [list] Dikhaya nahi ja saka
    [undo] Wapas nahi liya ja saka
   *[do] Nahi ho saka
  }: { $what } – { $cause }.
nothing-on-list = { $verb ->
    [delete] Delete karne
    [complete] Mukammal karne
    [reopen] Dobara kholne
   *[update] Badalne
  } ko kuch nahi: aap ki task list khali hai.
cause-deleted = woh pehle hi delete ho chuka hai
cause-out-of-range = list itni lambi nahi
cause-none-such = aisa koi nahi
cause-no-title = is title ka koi task nahi
nearest = Milte julte naam: { $names }.
the-task = task
the-tasks = tasks
the-result = nateeja
the-delegation = delegation
that = yeh
named-number = number { $number }
named-last = aakhri
named-from-end = aakhir se number { $number }
named-it = yeh
named-them = yeh sab
named-other = doosra wala
named-these = yeh tasks
named-others = baqi
named-rest = baqi
named-tasks = { $status ->
    [completed] mukammal tasks
    [overdue] overdue tasks
    [pending] baqi tasks
   *[all] tasks
  }
named-due = { $tasks } ({ $when })
named-undated = bina due date ke { $tasks }
named-matching = { $query } wale { $tasks }
named-level = { $level } priority ke { $tasks }
cause-title-empty = title khali nahi ho sakta
cause-title-long = title bohat lamba hai: { $length } huroof, zyada se zyada { $most }
cause-title-wrong = title aik hi line ka ho, control characters ke bagair
cause-no-task = koi task nahi bataya
cause-other-title = title woh nahi jo aap ne kaha
cause-no-day = '{ $value }' koi tareekh nahi
cause-not-a-day = due date durust nahi
cause-other-date = tareekh woh nahi jo aap ne kahi
cause-other-time = waqt woh nahi jo aap ne kaha
cause-other-priority = priority woh nahi jo aap ne kahi
option-word = { $word ->
    [low] low
    [medium] medium
    [high] high
    [pending] baqi
    [completed] mukammal
   *[all] sab
  }
cause-not-one-of = '{ $value }' in mein se nahi: { $values }
cause-wrong-priority = priority sirf yeh ho sakti hai: { $values }
cause-wrong-status = status sirf yeh ho sakta hai: { $values }
cause-day-past = { $day } guzar chuka hai: due date { $from } se { $to } tak ho sakti hai
cause-day-far = { $day } bohat door hai: due date { $from } se { $to } tak ho sakti hai
cause-no-time = '{ $value }' koi waqt nahi
cause-not-a-time = waqt samajh nahi aaya
cause-no-repetition = '{ $value }' ke hisaab se task nahi dohra sakta
cause-not-a-repetition = is tarah task nahi dohra sakta
cause-repetition-past = dohrana aaj se pehle khatam ho jata hai
cause-reminder-past = reminder ka waqt guzar chuka hai
cause-reminder-far = reminder teen saal se zyada door hai
cause-invalid = model ki darkhwast durust na thi
cause-no-such-task = aisa koi task nahi
cause-already-done = yeh pehle se mukammal hai
cause-agent-busy = { $agent } abhi { $name } par kaam kar raha hai
cause-agent-at-work = { $agent } abhi kaam kar raha hai ({ $run })
no-such-day = "{ $words }" koi din nahi: aisa din batayein jo hota ho.
cut-off = Baqi nahi ho saka: server beech mein ruk gaya. Jo reh gaya woh dobara kahiye.
rest-not-taken = Baqi nahi ho saka: mehfooz nahi hua.
rest-overtaken = Baqi nahi ho saka: list is dauran badal gayi.
renamed-since = { $name } badla nahi ja saka: is dauran us ka naam badal gaya.
undo-overtaken = Wapas nahi liya ja saka: { $name } baad mein badal gaya.
undo-stopped = Wapas nahi liya ja saka: ruka hua agent khud nahi chalta, dobara shuru ho sakta hai.
not-checked = Is ki jaanch nahi ho saki, is liye nahi kiya.
answer-unchecked = Takneeki kharabi: jawab ki jaanch nahi ho saki.
not-answered = Is ka jawab nahi diya: { $words }
refused = Nahi kiya: model { $deeds } chahta tha; aap ke alfaaz mein yeh nahi maanga gaya.
refused-add = { $count } task add karna
refused-delete = { $count } task delete karna
refused-complete = { $count } task mukammal karna
refused-change = { $count } task badalna
refused-undo = tabdeeli wapas lena
refused-line = { $verb ->
    [add] Add nahi kiya: { $what }
    [delete] Delete nahi kiya: { $what }
    [complete] Mukammal nahi kiya: { $what }
    [undo] Kuch wapas nahi liya
   *[change] Nahi badla: { $what }
  } (aap ke alfaaz mein yeh nahi mila).
refused-some = { $count ->
    [one] 1 task
   *[other] { $count } tasks
  }
left-out = Yeh nahi rakha gaya: { $values }. Aap ke alfaaz mein yeh nahi mila.
left-out-value = { $value ->
    [title] naya naam
    [note] note
    [priority] priority
    [day] din
    [time] waqt
    [repetition] dohrana
    [reminder] reminder
   *[status] haalat
  }
note-no-reminder = Koi reminder nahi laga: us ka waqt batayein.
note-no-time = Waqt nahi rakha gaya.
note-day-only = Alarm nahi: main din rakhta hun, waqt nahi.
note-time-in-title = Alarm nahi: main din rakhta hun, waqt title mein rehta hai.
note-one-task = Dohraya nahi jayega: yeh aik task hai.
note-no-such-repetition = Dohraya nahi jayega: is tarah nahi ho sakta, yeh aik task hai.
note-no-repeat-end = Dohrane ka akhir nahi rakha gaya: yeh chalta rahega jab tak aap na rokein.

## Talk

hello = Salam! Aap ki list ke liye kya karun?
welcome = Koi baat nahi!
goodbye = Khuda hafiz!
thank-you = Shukriya, meherbani!
all-right = Theek hai!
i-leave-it = Theek hai, rehne deta hun.
nothing-waits = Abhi koi sawal nahi jis par haan chahiye ho.
question-closed = Woh sawal band ho chuka hai: phir se batayein kya chahiye.
nothing-to-do = Theek hai, kuch nahi karna.
unsaid = Is ke bare mein yaqeen se kuch nahi keh sakta.
help = Main aap ki todo list sambhalta hun. Kahiye "doodh add karo", "meri list dikhao", "doodh complete kar do" ya "doodh delete kar do".
help-add = Kahiye "kal doodh lena add karo": alfaaz title hain, din due date.
help-list = Kahiye "meri list dikhao" ya "is hafte kya due hai?".
help-update = Kahiye "doodh ki priority high kar do" ya "doodh ko jume par le jao".
help-complete = Kahiye "doodh complete kar do".
help-delete = Title ke saath kahiye "doodh delete kar do". "undo" se woh wapas aa jata hai.
help-undo = Kahiye "undo": aakhri tabdeeli wapas ho jati hai. Delete kiya hua task 30 din tak wapas aa sakta hai.
help-language = Jis zuban mein aap likhein main usi mein jawab deta hun: Urdu (Roman), English, German, Spanish, French, Italian ya Portuguese.
if-a-task = Task
if-deleted = { $what } list se hat jayega; "undo" 30 din tak kaam karta hai.
if-completed = { $what } mukammal ho jayega aur list par rahega; "undo" se wapas ho jata hai.
if-changed = { $what } badal jayega; "undo" se wapas ho jata hai.

## Answers about the past and the present

past-nothing = Is guftagu mein kuch nahi badla.
past-no-effect = Nahi, kuch nahi badla.
past-yes = Haan:
past-no = Nahi:
past-receipt = { $answer }. { $line }
past-partly = Kuch had tak: { $yes } haan; { $no } nahi.
past-list-empty = List khali hai.
past-still-listed = { $count ->
    [one] { $count } task abhi list par hai.
   *[other] { $count } tasks abhi list par hain.
  }
past-done-of = { $count } mein se { $done } mukammal.
past-on-list = { $name } list par hai.
past-still-on-list = { $name } abhi list par hai.
past-another-on-list = aik aur { $name } list par hai
past-is-due = { $name } { $when } ko due hai.
past-is-undated = { $name } ki koi due date nahi.
past-has-priority = { $name } ki priority { $priority ->
    [low] low
    [high] high
   *[medium] medium
  } hai.
past-is-done = { $name } mukammal hai.
past-is-pending = { $name } abhi baqi hai.
past-is-reopened = { $name } baqi hai: { $when } par dobara khula.
past-nothing-on-record = { $name } ke saath kuch nahi hua.
past-not-that = { $name } ke saath yeh nahi hua.
past-last-change = { $name } ki aakhri tabdeeli: { $line }
past-time = { $date ->
    [none] { $time }
   *[other] { $date } { $time }
  }
past-at = { $when } par
past-elsewhere = is guftagu se bahar
past-since = { $when } par badla: { $changes }
past-later = { $when } par { $deed ->
    [undo] wapas liya gaya
    [delete] delete hua
    [reopen] dobara khula
   *[complete] mukammal hua
  }
past-and-then = { $before }; { $after }
past-only = Nahi, is guftagu mein sirf { $count }:
past-counted = Is guftagu mein { $count }:
past-unknown = Nahi. { $name } ke saath kuch nahi hua.
past-none-added = Is guftagu mein kuch add nahi hua.
past-none-deleted = Is guftagu mein kuch delete nahi hua.
past-none-completed = Is guftagu mein kuch mukammal nahi hua.
past-none-moved = Is guftagu mein kisi ki tareekh nahi badli.
past-none-renamed = Is guftagu mein kisi ka naam nahi badla.
past-none-changed = Is guftagu mein kuch nahi badla.
past-none-such = Is guftagu mein aisa kuch nahi hua.
past-none-then = Is guftagu mein aisa kuch nahi hua ({ $when }).
past-reminder = { $state ->
    [waiting] { $name } ka reminder { $when } par hai.
    [delivered] { $name } ka reminder { $when } par diya gaya.
    [missed] { $name } ka { $when } ka reminder reh gaya.
   *[cancelled] { $name } ka { $when } ka reminder wapas le liya gaya.
  }
past-no-reminder-for = { $name } ka koi reminder nahi.
past-no-reminder = Koi reminder nahi.
past-cut-off = Aap ka pichla message is ke baad kat gaya:
past-undone-since = (baad mein wapas liya gaya)

## Agents

delegated = Delegate ho gaya: { $name } ({ $who })
resumed = Agent phir shuru hua: { $name } ({ $who })
cancelled = Cancel ho gaya: { $name } ({ $who })
cancel-requested = Cancel ka kaha gaya: { $name } ({ $who }); nateeja phir bhi aa sakta hai
run-waiting = Agent ka intezar: { $name } ({ $who })
run-working = Kaam jari hai: { $name } ({ $who })
run-failed = Agent pura na kar saka: { $name } – { $reason }
run-fault = { $why ->
    [rejected] agent yeh nahi kar saka: { $said }
    [contradicted] us ki report aisi call ka hawala deti hai jo hui hi nahi ya nakaam rahi
    [no_report] koi report nahi aayi
    [timeout] waqt khatam ho gaya
    [limit] aik kaam ki had poori ho gayi
    [unavailable] provider { $provider } tak nahi pohancha ja saka
   *[other] koi ghalti ho gayi
  }
run-interrupted = Nateeja maloom nahi: { $name } ({ $who }) – kaam beech mein ruk gaya. Aage barhne ke liye kahiye "{ $name } par agent ke saath kaam jari rakho".
run-asks = Agent poochta hai: { $name } ({ $who }) – { $question } Jawab: "{ $name } par { $persona } ke saath kaam jari rakho: …"
run-finished = Agent ne pura kiya: { $name }
run-reported = { $persona } ne bataya
run-reported-unverified = { $persona } ne bataya (tasdeeq nahi hui)
nothing-delegated = Kuch delegate nahi hai.
delegations = Aap ki { $count ->
    [one] { $count } delegation
   *[other] { $count } delegations
  }:
run-state = { $state ->
    [pending] intezar mein
    [running] jari
    [input_required] jawab ka intezar
    [completed] mukammal
    [failed] nakaam
    [cancelled] cancel
    [stopping] ruk raha hai
   *[interrupted] beech mein ruk gaya
  }
agent-stands = { $agent }: { run-state }
agents = Aap in agents ko kaam de sakte hain:
agent-which-task = Kaunsa task? Title batayein.
agent-busy = { $agent } abhi { $name } par kaam kar raha hai. Khud mukammal karne ke liye 'phir bhi isay complete kar do' kahein.
agent-ended = Rokne ko kuch nahi: { $name } ka kaam khatam hai ({ $state }).
agent-preview = Sirf preview, kuch shuru nahi hua: { $name } → { $persona }, { $provider } par
agent-which = Konsa? Agents in par lage hain: { $names }.
agent-none-yet = Abhi kuch delegate nahi hua.
agent-no-match = { $name } jaisi koi delegation nahi.
agent-none-such = Aisi koi delegation nahi.
agent-at-work = { $agent } abhi { $name } par kaam kar raha hai.
agent-none-to-resume = Aisa koi agent nahi jis ke saath kaam jari rahe.
agent-unknown = '{ $agent }' naam ka koi agent nahi.
agent-no-handle = { $handle } nahi hai.
agent-asks-nothing = { $handle } kuch nahi pooch raha.
agent-no-task = Koi task { $name } se nahi milta.
agent-not-found = "{ $agent }" naam ka koi agent nahi. Yeh agents hain: { $names }
agent-disabled = Agent "{ $agent }" abhi band hai. Usay agents ki configuration mein chalu karein.
agent-no-model = "{ $model }" ke liye koi model set nahi: usay chhor dein ya provider:model batayein.
agent-no-provider = Koi provider set nahi.
agent-none-available = Abhi koi provider dastyab nahi: { $names }.
agent-provider-unavailable = Provider '{ $provider }' dastyab nahi: { $why }. Dastyab: { $names }.
agent-provider-meant = Kya aap ka matlab { $meant } hai?
agent-provider-lacks = Provider '{ $provider }' ke paas model '{ $model }' nahi. Us ke paas: { $names }.
agent-provider-why = { $why ->
    [disabled] band
    [busy] masroof
    [missing] set nahi
   *[unhealthy] kharab
  }
agent-names-none = koi nahi
agent-outside-root = Ijazat wale folders se bahar kaam nahi hota: { $path }. Folder woh ho jis ki operator ijazat de.
agent-means-other = Kya aap ka matlab { $name } hai? Isi title ke saath dobara kahiye.
agent-no-todo = { $name } naam ka koi task nahi.
agent-is-another = { $agent } { $persona } hai, '{ $other }' nahi: { $persona } ke saath kaam jari rakhein.
worker-reading = { $total } mein se { $read ->
    [one] { $read } file parhi ja rahi hai
   *[other] { $read } files parhi ja rahi hain
  }
worker-found = "{ $name }" ke liye { $total } mein se { $read ->
    [0] koi file nahi parhi ja saki
    [one] { $read } file parhi gayi
   *[other] { $read } files parhi gayin
  }; { $found ->
    [0] kuch bhi is ke bare mein nahi
   *[other] { $found } mein is ke bare mein kuch hai
  }.
worker-no-files = Folder mein koi file nahi, is liye "{ $name }" ke bare mein kuch nahi.
worker-nothing-in = - { $path }: is ke bare mein kuch nahi. Shuru: "{ $line }"
worker-empty = (khali)
worker-from-task = Kaha gaya tha: "{ $name }". Koi file nahi; task mein khud { $count ->
    [one] { $count } line hai
   *[other] { $count } lines hain
  }, in mein se is ke bare mein: { $found }. Aur kuch nahi dekha gaya.
worker-rejects = Kaha gaya tha: "{ $name }". Koi zariya nahi: koi folder set nahi (candor.toml mein workspace_roots), aur khud se mujhe kuch nahi pata. Kuch nahi dekha gaya.
worker-no-sources = Koi zariya nahi tha.
