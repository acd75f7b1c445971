# Texts of replies of version 8 that have changed since, a part a language: a reply is computed again in the words in
# which it was told. See edition.rs.

### en

reminder-missed = Missed: reminder for { $name } at { $when }.
cause-none-such = there is none
help-undo = Say "undo": it takes back the latest change, again the one before. Deletions can be undone for 30 days.
past-receipt = { $answer }, { $line }
past-is-reopened = { $name } is pending: it was reopened at { $when }.
past-at = at { $when }
past-since = since { $when } { $changes }
past-later = { $deed ->
    [undo] undone
    [delete] deleted
    [reopen] reopened
   *[complete] marked as done
  } at { $when }
past-reminder = { $state ->
    [waiting] The reminder for { $name } is set for { $when }.
    [delivered] The reminder for { $name } was delivered: { $when }.
    [missed] The reminder for { $name } was missed: { $when }.
   *[cancelled] The reminder for { $name } was taken back: { $when }.
  }
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
past-time = { $date ->
    [none] { $time }
   *[other] { $date } { $time }
  }
agent-stands = { $agent } { $state }

### de

cause-day-past = { $day } liegt in der Vergangenheit, möglich ist { $from } bis { $to }
cause-day-far = { $day } liegt zu weit in der Zukunft, möglich ist { $from } bis { $to }
refused-line = { $verb ->
    [add] { $what } habe ich nicht hinzugefügt
    [delete] { $what } habe ich nicht gelöscht
    [complete] { $what } habe ich nicht abgehakt
    [undo] Rückgängig gemacht habe ich nichts
   *[change] { $what } habe ich nicht geändert
  }: Das lese ich in deinen Worten nicht.
left-out = Weggelassen habe ich { $values }: Das lese ich in deinen Worten nicht.
question-closed = Diese Frage ist zu: Sag noch einmal, was du möchtest.
past-is-reopened = { $name } ist offen (wieder geöffnet { $when } Uhr).
past-at = { $when } Uhr
past-since = geändert { $when } Uhr: { $changes }
past-later = { $deed ->
    [undo] rückgängig gemacht
    [delete] gelöscht
    [reopen] wieder geöffnet
   *[complete] als erledigt markiert
  } { $when } Uhr
past-reminder = { $state ->
    [waiting] Die Erinnerung an { $name } kommt { $when }.
    [delivered] Die Erinnerung an { $name } wurde zugestellt: { $when }.
    [missed] Die Erinnerung an { $name } wurde verpasst: { $when }.
   *[cancelled] Die Erinnerung an { $name } wurde zurückgenommen: { $when }.
  }
past-time = { $date ->
    [none] { $time }
   *[other] { $date } { $time }
  }
agent-stands = { $agent } { $state }

### es

days-from = desde el { $from }
refused-line = { $verb ->
    [add] No he añadido { $what }
    [delete] No he borrado { $what }
    [complete] No he marcado { $what } como hecho
    [undo] No he deshecho nada
   *[change] No he cambiado { $what }
  }: no lo leo en tus palabras.
refused-some = { $count ->
    [one] una tarea
   *[other] { $count } tareas
  }
left-out = He dejado fuera { $values }: no lo leo en tus palabras.
past-last-change = El último cambio en { $name }: { $line }
past-reminder = { $state ->
    [waiting] El recordatorio de { $name } está puesto para { $when }.
    [delivered] El recordatorio de { $name } se entregó: { $when }.
    [missed] El recordatorio de { $name } se perdió: { $when }.
   *[cancelled] El recordatorio de { $name } se retiró: { $when }.
  }
agent-stands = { $agent } { $state }

### fr

refused-line = { $verb ->
    [add] Je n'ai pas ajouté { $what }
    [delete] Je n'ai pas supprimé { $what }
    [complete] Je n'ai pas marqué { $what } comme fait
    [undo] Je n'ai rien annulé
   *[change] Je n'ai pas modifié { $what }
  } : je ne le lis pas dans tes mots.
refused-some = { $count ->
    [one] une tâche
   *[other] { $count } tâches
  }
left-out = J'ai laissé de côté { $values } : je ne le lis pas dans tes mots.
nothing-waits = Rien n'attend de oui pour l'instant.
past-not-that = Cela n'a pas été fait avec { $name }.
past-last-change = Dernière modification pour { $name } : { $line }
past-unknown = Non. Rien n'a été fait avec { $name }.
agent-stands = { $agent } { $state }
past-and-then = { $before }; { $after }

### it

named-number = numero { $number }
named-from-end = numero { $number } dalla fine
cause-day-past = { $day } è nel passato: le scadenze vanno da { $from } a { $to }
cause-day-far = { $day } è troppo lontano: le scadenze vanno da { $from } a { $to }
refused-line = { $verb ->
    [add] Non ho aggiunto { $what }
    [delete] Non ho eliminato { $what }
    [complete] Non ho segnato { $what } come fatto
    [undo] Non ho annullato nulla
   *[change] Non ho cambiato { $what }
  }: non lo leggo nelle tue parole.
left-out = Ho lasciato fuori { $values }: non lo leggo nelle tue parole.
past-is-reopened = { $name } è in sospeso (riapertura: { $when }).
past-not-that = Questo non è stato fatto con { $name }.
past-time = { $date ->
    [none] { $time }
   *[other] { $date } { $time }
  }
agent-stands = { $agent } { $state }

### pt

named-number = número { $number }
named-from-end = número { $number } a partir do fim
refused-line = { $verb ->
    [add] Não adicionei { $what }
    [delete] Não apaguei { $what }
    [complete] Não marquei { $what } como feito
    [undo] Não desfiz nada
   *[change] Não alterei { $what }
  }: não leio isso nas suas palavras.
left-out = Deixei de fora { $values }: não leio isso nas suas palavras.
past-is-reopened = { $name } está pendente (reabertura: { $when }).
past-time = { $date ->
    [none] { $time }
   *[other] { $date } { $time }
  }
agent-stands = { $agent } { $state }

### ur

weekday = { $weekday ->
    [1] Mon
    [2] Tue
    [3] Wed
    [4] Thu
    [5] Fri
    [6] Sat
   *[7] Sun
  }
status-word = { $status ->
    [completed] completed
   *[pending] pending
  }
reminders-rule = Main sirf wahan yaad dilata hun jahan receipt mein "reminder" likha ho.
weekday-name = { $weekday ->
    [1] somvar
    [2] mangal
    [3] budh
    [4] jumerat
    [5] juma
    [6] sanichar
   *[7] itwar
  }
repeat-on-day = { $every } ki { $day } tareekh
repeat-on-last-weekday = { $every } ke aakhri { weekday-name }
repeat-on-nth = { $every } ke { $nth ->
    [1] pehle
    [2] doosre
    [3] teesre
    [4] chauthe
   *[5] paanchwe
  } { weekday-name }
repeat-times = { $rule }, { $count } dafa
undone-deletion = { $name } wapas list par hai
runs-counted = { $count ->
    [one] { $count } run
   *[other] { $count } runs
  }
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
you-have-none = Koi{ $status ->
    [pending] {" "}pending
    [completed] {" "}completed
    [overdue] {" "}overdue
   *[all] {""}
  }{ $priority ->
    [low] {" "}low-priority
    [medium] {" "}medium-priority
    [high] {" "}high-priority
   *[any] {""}
  } task{ $conditions } nahi (kul { $total }).
condition-matching = ({ $query } wale)
add-what-is-named = Jo naam lein woh add kar dunga: kahiye "flour, eggs aur milk add karo".
already-done = { $name } pehle se mukammal tha.
already-pending = { $name } pehle se baqi tha.
already-so = { $name } pehle se aisa tha.
already-deleted = { $name } pehle se delete tha.
was-already-added = { $name } pehle se add hai.
was-already-changed = { $name } pehle se badla hua hai.
could-not = { $what } { $verb ->
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
  } nahi ho saka: { $cause }.
nothing-on-list = { $verb ->
    [delete] delete
    [complete] complete
    [reopen] reopen
   *[update] update
  } ko kuch nahi: aap ki task list khali hai.
cause-deleted = woh pehle se delete hai
nearest = Qareeb: { $names }.
named-tasks = { $status ->
    [completed] completed tasks
    [overdue] overdue tasks
    [pending] pending tasks
   *[all] tasks
  }
cause-title-wrong = title aik line ka matn nahi
option-word = { $word ->
    [low] low
    [medium] medium
    [high] high
    [pending] pending
    [completed] completed
   *[all] sab
  }
cause-reminder-past = yaad dehani ka waqt guzar chuka hai
cause-reminder-far = yaad dehani teen saal se zyada door hai
refused = Nahi kiya: model { $deeds } chahta tha; aap ke alfaaz yeh nahi mangte.
refused-complete = { $count } task complete karna
left-out = { $values } chhor diya: aap ke alfaaz mein yeh nahi mila.
left-out-value = { $value ->
    [title] naya naam
    [note] note
    [priority] ahmiyat
    [day] din
    [time] waqt
    [repetition] dohrana
    [reminder] yaad dehani
   *[status] haalat
  }
note-no-reminder = Koi yaad dehani nahi: us ka waqt batayein.
nothing-waits = Kisi haan ka intezar nahi.
help = Main aap ki todo list sambhalta hun. Kahiye "add milk", "meri list dikhao", "milk complete kar do" ya "milk delete kar do".
help-update = Kahiye "milk ki priority high kar do" ya "milk ko jumma par le jao".
help-complete = Kahiye "milk complete kar do".
help-delete = Title ke saath kahiye "milk delete kar do". "undo" wapas le aata hai.
help-undo = Kahiye "undo": aakhri tabdeeli wapas ho jati hai. Delete 30 din tak wapas ho sakta hai.
past-partly = Kuch: { $yes } haan; { $no } nahi.
past-another-on-list = ek aur { $name } list par hai
past-later = { $when } par { $deed ->
    [undo] wapas
    [delete] delete
    [reopen] dobara khula
   *[complete] mukammal
  }
past-reminder = { $state ->
    [waiting] { $name } ki yaad dehani { $when } par hogi.
    [delivered] { $name } ki yaad dehani { $when } par di gayi.
    [missed] { $name } ki { $when } ki yaad dehani reh gayi.
   *[cancelled] { $name } ki { $when } ki yaad dehani wapas le li gayi.
  }
past-no-reminder-for = { $name } ki koi yaad dehani nahi.
past-no-reminder = Koi yaad dehani nahi.
past-undone-since = (baad mein wapas)
cancel-requested = Cancel ka kaha gaya: { $name } ({ $who }); kaam abhi aa sakta hai
agent-stands = { $agent } { $state }
