# Replies in Italian. See en.ftl.

## Days, times and values

weekday = { $weekday ->
    [1] lun
    [2] mar
    [3] mer
    [4] gio
    [5] ven
    [6] sab
   *[7] dom
  }
day = { weekday } { $day }/{ $month }/{ $year }
day-listed = { $day }/{ $month }/{ $year }
on-day = { $day }
days = da { $from } a { $to }
days-from = da { $from } in poi
due = scadenza { $when }
no-due-date = senza scadenza
priority-word = { $priority ->
    [low] priorità bassa
    [high] priorità alta
   *[medium] priorità media
  }
priority = priorità { $priority ->
    [low] bassa
    [high] alta
   *[medium] media
  }
priority-changed = priorità: { $priority ->
    [low] bassa
    [high] alta
   *[medium] media
  }
status-word = { $status ->
    [completed] completata
   *[pending] in sospeso
  }

## Reminders

reminder = promemoria { $when }
no-reminder = nessun promemoria
reminder-missed = Promemoria mancato: { $name }, { $when }.
reminder-stays = Il promemoria di { $name } resta: { $when }.
nobody-listening = Per ora il promemoria non arriva a nessuno: tieni aperta la pagina o imposta CANDOR_WEBHOOK_URL.
reminders-rule = Ti avviso solo quando la conferma dice "promemoria".
no-alarm = No, non ho una sveglia: memorizzo il giorno e l'ora resta nel titolo.

## Repetitions

# The attributes agree with the weekday: "il primo lunedì", "la prima domenica".
weekday-name = { $weekday ->
    [1] lunedì
    [2] martedì
    [3] mercoledì
    [4] giovedì
    [5] venerdì
    [6] sabato
   *[7] domenica
  }
    .the = { $weekday ->
        [7] la
       *[6] il
      }
    .ending = { $weekday ->
        [7] a
       *[6] o
      }
month-name = { $month ->
    [1] gennaio
    [2] febbraio
    [3] marzo
    [4] aprile
    [5] maggio
    [6] giugno
    [7] luglio
    [8] agosto
    [9] settembre
    [10] ottobre
    [11] novembre
   *[12] dicembre
  }
list-and = { $before } e { $last }
repeat-every = { $unit ->
    [day] { $interval ->
        [1] ogni giorno
       *[other] ogni { $interval } giorni
      }
    [week] { $interval ->
        [1] ogni settimana
       *[other] ogni { $interval } settimane
      }
    [month] { $interval ->
        [1] ogni mese
       *[other] ogni { $interval } mesi
      }
   *[year] { $interval ->
        [1] ogni anno
       *[other] ogni { $interval } anni
      }
  }
repeat-workdays = dal lunedì al venerdì
repeat-weekdays = ogni { $days }
repeat-on-weekdays = { $every } di { $days }
repeat-on-day = { $every } { $day ->
    [1] il 1º
    [8] l'8
    [11] l'11
   *[other] il { $day }
  }
repeat-on-last-day = { $every } l'ultimo giorno
repeat-on-last-weekday = { $every } l'ultim{ weekday-name.ending } { weekday-name }
repeat-on-nth = { $every } { weekday-name.the } { $nth ->
    [1] prim
    [2] second
    [3] terz
    [4] quart
   *[5] quint
  }{ weekday-name.ending } { weekday-name }
repeat-on-date = { $every } { $day ->
    [1] il 1º
    [8] l'8
    [11] l'11
   *[other] il { $day }
  } { month-name }
repeat-until = { $rule } fino a { $when }
repeat-times = { $rule }, { $count ->
    [1] ultima volta
   *[other] { $count } volte
  }

## What was done

added = Aggiunta: { $name }
deleted = Eliminata: { $name }
updated = Aggiornata: { $name }
marked-done = Completata: { $name }
reopened = Riaperta: { $name }
changed = Modifica fatta.
next = prossima: { $when }
renamed-from = rinominata: prima era { $name }
no-longer-repeats = non si ripete più
taken-back = tolta all'agente
note-added = nota aggiunta
note-changed = nota modificata
note-removed = nota rimossa
no-note = senza nota
note-told = nota: { $note }
undone = Annullato: { $what }
undone-deletion = { $name } è di nuovo nella lista
undone-addition = { $name } non è più nella lista
done-again = di nuovo completata
pending-again = di nuovo in sospeso
as-before = come prima
changes-counted = { $count ->
    [one] { $count } modifica
   *[other] { $count } modifiche
  }
runs-counted = { $count ->
    [one] { $count } esecuzione
   *[other] { $count } esecuzioni
  }

## Listings

tasks = { $count } attività{ $status ->
    [pending] {" "}in sospeso
    [completed] {" "}{ $count ->
        [one] completata
       *[other] completate
      }
    [overdue] {" "}{ $count ->
        [one] scaduta
       *[other] scadute
      }
   *[all] {""}
  }{ $priority ->
    [low] {" "}a priorità bassa
    [medium] {" "}a priorità media
    [high] {" "}a priorità alta
   *[any] {""}
  }
list-empty = La tua lista è vuota.
you-have = Hai { $what }
you-have-none = Non hai attività{ $status ->
    [pending] {" "}in sospeso
    [completed] {" "}completate
    [overdue] {" "}scadute
   *[all] {""}
  }{ $priority ->
    [low] {" "}a priorità bassa
    [medium] {" "}a priorità media
    [high] {" "}a priorità alta
   *[any] {""}
  }{ $conditions } ({ $total } in tutto).
condition-due = in scadenza { $when }
condition-undated = senza scadenza
condition-matching = con { $query }
with-colon = { $head }:
more-tasks = … e { $count ->
    [one] { $count } altra
   *[other] altre { $count }
  }
one-match = Sì: { $task }
several-match = Sì, { $count } attività corrispondono a { $query }:
no-match = Nessuna attività corrisponde a { $query } ({ $total } in tutto).
nothing-overdue = Niente di scaduto ({ $total } attività in tutto).
nothing-due = Niente in scadenza { $when } ({ $total } attività in tutto).
nothing-undated = Nessuna attività è senza scadenza ({ $total } in tutto).

## Questions

yes = Sì
no = No
or = o
nothing-added = Non è stato aggiunto niente.
nothing-deleted = Non è stato eliminato niente.
nothing-changed = Non è stato modificato niente.
ask-add = Aggiungere { $what }?
ask-add-another = { $name } è già nella tua lista{ $extras }. Aggiungere di nuovo?
ask-delete = Eliminare { $what }?
ask-complete = Completare { $what }?
ask-reopen = Riaprire { $what }?
ask-change = Modificare { $what }?
ask-rename = Rinominare { $name } in { $new }?
ask-note = Impostare la nota di { $name } su { $note }?
ask-undated = Togliere la scadenza a { $name }?
ask-move = Spostare { $name } a { $to }?
ask-move-from = Spostare { $name } da { $from } a { $to }?
ask-repeat = Ripetere { $name } { $rule }?
ask-stop-repeating = Non ripetere più { $name }?
ask-undo = Annullare l'ultima modifica ({ $names })?
ask-undo-latest = Annullare l'ultima modifica?
ask-instead-delete = Ripristinare { $names } ed eliminare { $other }?
ask-instead-complete = Ripristinare { $names } e completare { $other }?
ask-instead-change = Ripristinare { $names } e modificare { $other }?
ask-go-ahead = Procedere?
ask-all = { $count ->
    [2] Procedere con entrambe?
   *[other] Procedere con tutte e { $count }?
  }
ask-which = { $which }?
ask-which-of = { $which }: { $names }?
which-delete = Quale devo eliminare
which-complete = Quale devo completare
which-reopen = Quale devo riaprire
which-change = Quale devo modificare
ask-what-to-add = Cosa devo aggiungere?
add-what-is-named = Posso aggiungere quello che nomini: scrivi "aggiungi farina, uova e latte".
ask-what-to-do = Cosa devo fare con { $name }?
ask-what-to-change = Cosa devo modificare di { $name }?
already-in-week = { $day } è già nella settimana di { $week }.
one-list = Ho una sola lista: "{ $list }" non è una lista a parte.
label-done = completata il { $when }
label-added = aggiunta il { $when }
rest-stays = Il resto rimane com'era.
one-question = Una domanda alla volta: dopo questa, chiedi di nuovo il resto.
say-which = Quale intendi? Indica il titolo.
say-what-to-do = Non so cosa fare: dimmi quale attività e cosa farne.

## What stays as it was

already-done = L'attività { $name } era già completata.
already-pending = { $name } era già in sospeso.
already-so = { $name } era già così.
already-deleted = L'attività { $name } era già stata eliminata.
nothing-to-undo = Non c'è niente da annullare.
was-already-added = L'attività { $name } era già stata aggiunta.
was-already-changed = L'attività { $name } era già stata modificata.

## What failed

could-not = Impossibile { $verb ->
    [add] aggiungere
    [delete] eliminare
    [complete] completare
    [reopen] riaprire
    [update] modificare
    [delegate] delegare
    [read] leggere
    [cancel] annullare
    [list] elencare
    [undo] annullare
   *[do] fare
  } { $what }: { $cause }.
nothing-on-list = Niente da { $verb ->
    [delete] eliminare
    [complete] completare
    [reopen] riaprire
   *[update] modificare
  }: la tua lista è vuota.
cause-deleted = era già stata eliminata
cause-out-of-range = la lista non è così lunga
cause-none-such = non ce n'è nessuna
cause-no-title = nessuna attività con questo titolo
nearest = Più simili: { $names }.
the-task = l'attività
the-tasks = le attività
the-result = il risultato
the-delegation = la delega
that = questo
named-number = il numero { $number }
named-last = l'ultima
named-from-end = il numero { $number } a partire dalla fine
named-it = quella
named-them = quelle
named-other = l'altra
named-these = queste attività
named-others = le altre
named-rest = altre
named-tasks = { $status ->
    [completed] attività completate
    [overdue] attività scadute
    [pending] attività in sospeso
   *[all] attività
  }
named-due = { $tasks } ({ $when })
named-undated = { $tasks } senza scadenza
named-matching = { $tasks } con { $query }
named-level = { $tasks } con priorità { $level ->
    [high] alta
    [low] bassa
   *[medium] media
  }
cause-title-empty = il titolo non può essere vuoto
cause-title-long = il titolo è troppo lungo: { $length } caratteri, al massimo { $most }
cause-title-wrong = il titolo non è una sola riga di testo
cause-no-task = non è stata indicata nessuna attività
cause-other-title = il titolo non è quello che hai indicato
cause-no-day = '{ $value }' non è un giorno
cause-not-a-day = la scadenza non è un giorno valido
cause-other-date = la data non è quella che hai indicato
cause-other-time = l'ora non è quella che hai indicato
cause-other-priority = la priorità non è quella che hai indicato
option-word = { $word ->
    [low] bassa
    [medium] media
    [high] alta
    [pending] in sospeso
    [completed] completata
   *[all] tutte
  }
cause-not-one-of = '{ $value }' non è tra { $values }
cause-wrong-priority = la priorità non è tra { $values }
cause-wrong-status = lo stato non è tra { $values }
cause-day-past = il { $day } è già passato: le scadenze vanno dal { $from } al { $to }
cause-day-far = il { $day } è troppo lontano: le scadenze vanno dal { $from } al { $to }
cause-no-time = '{ $value }' non è un orario
cause-not-a-time = l'orario non è chiaro
cause-no-repetition = non posso ripetere un'attività '{ $value }'
cause-not-a-repetition = non posso ripetere un'attività in quel modo
cause-repetition-past = la ripetizione finisce prima di oggi
cause-reminder-past = l'ora del promemoria è già passata
cause-reminder-far = il promemoria è fra più di tre anni
cause-invalid = la chiamata non era valida
cause-no-such-task = questa attività non esiste
cause-already-done = l'attività è già completata
cause-agent-busy = { $agent } sta ancora lavorando a { $name }
cause-agent-at-work = { $agent } sta ancora lavorando ({ $run })
no-such-day = Il giorno "{ $words }" non esiste: indicane uno che esiste.
cut-off = Il resto non è stato fatto: il server si è fermato nel mezzo. Ripeti quello che manca.
rest-not-taken = Il resto non è stato fatto: il database non l'ha accettato.
rest-overtaken = Il resto non è stato fatto: nel frattempo la tua lista è cambiata.
renamed-since = Impossibile modificare { $name }: nel frattempo ha cambiato nome.
undo-overtaken = Impossibile annullare: { $name } è stata modificata nel frattempo.
undo-stopped = Impossibile annullare: un agente fermato non riprende da solo, ma si può far ripartire.
not-checked = Non è stato possibile verificarlo, quindi non è stato fatto.
answer-unchecked = Errore tecnico: non è stato possibile verificare la risposta.
not-answered = Senza risposta: { $words }
refused = Non fatto: il modello voleva { $deeds }; le tue parole non lo chiedono.
refused-add = { $count ->
    [1] aggiungere un'attività
   *[other] aggiungere { $count } attività
  }
refused-delete = { $count ->
    [1] eliminare un'attività
   *[other] eliminare { $count } attività
  }
refused-complete = { $count ->
    [1] completare un'attività
   *[other] completare { $count } attività
  }
refused-change = { $count ->
    [1] modificare un'attività
   *[other] modificare { $count } attività
  }
refused-undo = annullare una modifica
refused-line = { $verb ->
    [add] Non ho aggiunto { $what }
    [delete] Non ho eliminato { $what }
    [complete] Non ho completato { $what }
    [undo] Non ho annullato nulla
   *[change] Non ho cambiato { $what }
  }: le tue parole non lo chiedono.
refused-some = { $count ->
    [one] un'attività
   *[other] { $count } attività
  }
left-out = Ho lasciato fuori { $values }: le tue parole non lo chiedono.
left-out-value = { $value ->
    [title] il nuovo titolo
    [note] la nota
    [priority] la priorità
    [day] il giorno
    [time] l'ora
    [repetition] la ripetizione
    [reminder] il promemoria
   *[status] lo stato
  }
note-no-reminder = Nessun promemoria impostato: indica un orario.
note-no-time = L'ora non è stata salvata.
note-day-only = Nessuna sveglia: memorizzo il giorno, non l'ora.
note-time-in-title = Nessuna sveglia: memorizzo il giorno; l'ora resta nel titolo.
note-one-task = Nessuna ripetizione: non posso ripetere un'attività, questa vale una volta sola.
note-no-such-repetition = Nessuna ripetizione: non posso ripetere un'attività in quel modo, questa vale una volta sola.
note-no-repeat-end = La fine della ripetizione non è stata salvata: continua finché non la fermi.

## Talk

hello = Ciao! Cosa posso fare per la tua lista?
welcome = Prego!
goodbye = A presto!
thank-you = Grazie, che gentile!
all-right = Va bene!
i-leave-it = Va bene, lascio stare.
nothing-waits = Non c'è niente in attesa di un sì.
question-closed = Questa domanda è chiusa: dimmi di nuovo cosa vuoi.
nothing-to-do = Va bene, non serve fare niente.
unsaid = Su questo non posso dire niente di certo.
help = Mi occupo della tua lista di cose da fare. Scrivi "aggiungi latte", "cosa c'è nella mia lista?", "segna latte come fatto" o "elimina latte".
help-add = Scrivi "aggiungi latte domani": le parole sono il titolo, il giorno è la scadenza.
help-list = Scrivi "cosa c'è nella mia lista?".
help-update = Scrivi "metti la priorità di latte su alta", "sposta latte a venerdì" o "rinomina latte in latte d'avena".
help-complete = Scrivi "segna latte come fatto".
help-delete = Scrivi "elimina latte" con il titolo dell'attività. "annulla l'ultima modifica" la ripristina.
help-undo = Scrivi "annulla l'ultima modifica": annulla l'ultima modifica e, se lo ripeti, quella prima. Le eliminazioni si possono annullare per 30 giorni.
help-language = Rispondo nella lingua in cui scrivi: italiano, francese, inglese, portoghese, spagnolo, tedesco o urdu in caratteri latini.
if-a-task = Un'attività
if-deleted = { $what } sparirebbe dalla tua lista; "annulla l'ultima modifica" funziona per 30 giorni.
if-completed = { $what } passerebbe tra le attività completate e resterebbe nella lista; con "annulla l'ultima modifica" torna come prima.
if-changed = { $what } avrebbe il nuovo valore; con "annulla l'ultima modifica" torna come prima.

## Answers about the past and the present

past-nothing = In questa conversazione non è stato modificato niente.
past-no-effect = No, non è stato modificato niente.
past-yes = Sì:
past-no = No:
past-receipt = { $answer }. { $line }
past-partly = In parte: sì per { $yes }; no per { $no }.
past-list-empty = La tua lista è vuota.
past-still-listed = { $count ->
    [one] { $count } attività è ancora nella tua lista.
   *[other] { $count } attività sono ancora nella tua lista.
  }
past-done-of = Attività completate: { $done } su { $count }.
past-on-list = { $name } è nella tua lista.
past-still-on-list = { $name } è ancora nella tua lista.
past-another-on-list = un'altra attività { $name } è nella tua lista
past-is-due = La scadenza di { $name } è { $when }.
past-is-undated = { $name } non ha scadenza.
past-has-priority = { $name } ha priorità { $priority ->
    [low] bassa
    [high] alta
   *[medium] media
  }.
past-is-done = L'attività { $name } è completata.
past-is-pending = { $name } è ancora in sospeso.
past-is-reopened = { $name } è in sospeso (riaperta { $when }).
past-nothing-on-record = Non risulta nessuna modifica a { $name }.
past-not-that = Non risulta che questo sia stato fatto per { $name }.
past-last-change = L'ultima modifica a { $name }: { $line }
past-time = { $date ->
    [none] alle { $time }
   *[other] il { $date } alle { $time }
  }
past-at = { $when }
past-elsewhere = fuori da questa conversazione
past-since = modificata { $when }: { $changes }
past-later = { $deed ->
    [undo] annullata
    [delete] eliminata
    [reopen] riaperta
   *[complete] completata
  } { $when }
past-and-then = { $before }; { $after }
past-only = No, solo { $count } in questa conversazione:
past-counted = { $count } in questa conversazione:
past-unknown = No. Con { $name } non è stato fatto niente.
past-none-added = In questa conversazione non è stato aggiunto niente.
past-none-deleted = In questa conversazione non è stato eliminato niente.
past-none-completed = In questa conversazione non è stato completato niente.
past-none-moved = In questa conversazione non è stato spostato niente.
past-none-renamed = In questa conversazione non è stato rinominato niente.
past-none-changed = In questa conversazione non è stato modificato niente.
past-none-such = In questa conversazione non è stato fatto niente del genere.
past-none-then = In questa conversazione non è stato fatto niente del genere ({ $when }).
past-reminder = { $state ->
    [waiting] Il promemoria di { $name } è impostato per { $when }.
    [delivered] Il promemoria di { $name } è stato consegnato: { $when }.
    [missed] Il promemoria di { $name } è andato perso: { $when }.
   *[cancelled] Il promemoria di { $name } ({ $when }) è stato ritirato.
  }
past-no-reminder-for = Nessun promemoria è impostato per { $name }.
past-no-reminder = Nessun promemoria è impostato.
past-cut-off = Il tuo messaggio precedente è stato interrotto dopo:
past-undone-since = (poi annullata)

## Agents

delegated = Delegata: { $name } ({ $who })
resumed = Ripresa: { $name } ({ $who })
cancelled = Annullata: { $name } ({ $who })
cancel-requested = Annullamento richiesto: { $name } ({ $who }); un risultato potrebbe ancora arrivare
run-waiting = In attesa di un agente libero: { $name } ({ $who })
run-working = Ancora in corso: { $name } ({ $who })
run-failed = L'agente non è riuscito a finire: { $name } – { $reason }
run-fault = { $why ->
    [rejected] l'agente non ha potuto farlo: { $said }
    [contradicted] il suo resoconto cita una chiamata che non è stata fatta o non è riuscita
    [no_report] non ha consegnato un resoconto
    [timeout] il tempo è scaduto
    [limit] ha raggiunto il limite di un lavoro
    [unavailable] il fornitore { $provider } non era raggiungibile
   *[other] c'è stato un errore
  }
run-interrupted = Esito sconosciuto: { $name } ({ $who }) – il lavoro è stato interrotto. Scrivi "continua con l'agente su { $name }" per proseguire.
run-asks = L'agente chiede: { $name } ({ $who }) – { $question } Scrivi "continua con { $persona } su { $name }: …" per rispondere.
run-finished = L'agente ha finito: { $name }
run-reported = { $persona } ha riferito
run-reported-unverified = { $persona } ha riferito (non verificato: non cita niente di ciò che ha fatto)
nothing-delegated = Nessuna attività delegata.
delegations = Hai { $count ->
    [one] { $count } delega
   *[other] { $count } deleghe
  }:
run-state = { $state ->
    [pending] in attesa
    [running] in corso
    [input_required] in attesa di risposta
    [completed] completata
    [failed] fallita
    [cancelled] annullata
    [stopping] in arresto
   *[interrupted] interrotta
  }
agent-stands = { $agent }: { run-state }
agents = Puoi affidare attività a questi agenti:
agent-which-task = Quale attività intendi? Indica il titolo.
agent-busy = { $agent } sta ancora lavorando a { $name }. Scrivi 'segnalo comunque come fatto' per completarla tu.
agent-ended = Niente da fermare: la delega di { $name } è già terminata ({ $state }).
agent-preview = Anteprima, non è stato avviato niente: { $name } → { $persona } su { $provider }
agent-which = Quale? Gli agenti lavorano a { $names }.
agent-none-yet = Non è ancora stato delegato niente.
agent-no-match = Nessuna delega corrisponde a { $name }.
agent-none-such = Questa delega non esiste.
agent-at-work = { $agent } sta ancora lavorando a { $name }.
agent-none-to-resume = Non c'è nessun agente di questo tipo con cui proseguire.
agent-unknown = Non c'è nessun agente '{ $agent }'.
agent-no-handle = { $handle } non esiste.
agent-asks-nothing = { $handle } non chiede niente.
agent-no-task = Nessuna attività corrisponde a { $name }.
agent-not-found = L'agente "{ $agent }" non esiste. Agenti disponibili: { $names }
agent-disabled = L'agente "{ $agent }" è disattivato. Attivalo nella configurazione degli agenti.
agent-no-model = Nessun modello è configurato per "{ $model }": ometti il modello o indica fornitore:modello.
agent-no-provider = Nessun fornitore è configurato.
agent-none-available = Nessun fornitore è disponibile: { $names }.
agent-provider-unavailable = Il fornitore '{ $provider }' non è disponibile: { $why }. Disponibili: { $names }.
agent-provider-meant = Intendi { $meant }?
agent-provider-lacks = Il fornitore '{ $provider }' non ha il modello '{ $model }'. Ha: { $names }.
agent-provider-why = { $why ->
    [disabled] disattivato
    [busy] occupato
    [missing] non configurato
   *[unhealthy] in errore
  }
agent-names-none = nessuno
agent-outside-root = Non si lavora fuori dalle cartelle consentite: { $path }. La cartella dev'essere una di quelle consentite dal gestore.
agent-means-other = Intendi { $name }? Ripetilo con questo titolo esatto.
agent-no-todo = Non c'è nessuna attività { $name }.
agent-is-another = { $agent } è un { $persona }, non '{ $other }': continua con { $persona }.
worker-reading = File che leggo: { $read } su { $total }
worker-found = File letti per "{ $name }": { $read } su { $total }; { $found ->
    [0] nessuno ne parla
   *[other] con qualcosa al riguardo: { $found }
  }.
worker-no-files = La cartella non contiene file, quindi non c'è niente su "{ $name }".
worker-nothing-in = - { $path }: niente al riguardo. Inizia così: "{ $line }"
worker-empty = (vuoto)
worker-from-task = Mi è stato chiesto: "{ $name }". Non ho file; l'attività stessa contiene { $count ->
    [one] { $count } riga
   *[other] { $count } righe
  }; righe pertinenti: { $found }. Non è stato consultato altro.
worker-rejects = Mi è stato chiesto: "{ $name }". Non ho fonti: nessuna cartella di lavoro è configurata (workspace_roots in candor.toml), e da solo non so niente. Non è stato consultato niente.
worker-no-sources = Non c'erano fonti.
