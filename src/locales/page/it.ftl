# Words of the web page in Italian. See en.ftl.

## Page

page-language = Lingua
page-pair = { $name }: { $what }
page-quoted = «{ $text }»
page-skip-message = Vai al campo del messaggio
page-skip-tasks = Vai alle attività
page-home = , alla chat
page-views = Viste
page-chat = Chat
page-tasks = Attività
page-audit = Registro
page-agents = Agenti
page-ghosts = { $count ->
    [one] fantasma fermato
   *[other] fantasmi fermati
  }
page-ghosts-about = { $ghosts }: affermazioni del modello non dimostrate da nulla
page-dark = Colori scuri
page-shortcuts = Scorciatoie da tastiera
page-unreachable = Il server non è raggiungibile.
page-try-again = Riprova
page-close = Chiudi
page-cancel = Annulla
page-dismiss = Nascondi
page-show-more = Mostra altro
page-today = oggi
page-tomorrow = domani
page-yesterday = ieri

## Page: who is here

page-you-are = Sei
page-sign-in = Accedi
page-sign-out = Esci
page-change = Cambia
page-who = Chi sei?
page-change-user = Cambia utente
page-ask-key = Questo server vuole sapere chi chiama: dai una chiave API (candor token create ne crea una) o un token firmato. Dice chi sei.
page-one-user = La lista, le conversazioni e il registro sono di un solo utente.
page-user = Utente
page-every-user = Questa chiave vale per tutti gli utenti: di' per quale.
page-key = Chiave API o token
page-key-unchecked = Non è stato possibile verificare la chiave: riprova.
page-remember = Ricorda su questo dispositivo
page-remember-else = (altrimenti solo per questa scheda)
page-forget-key = Dimentica la chiave
page-go-on = Continua

## Page: keys

page-keys = Tasti
page-key-message = Scrivi un messaggio
page-key-down = Giù: attività, messaggio o turno successivo
page-key-up = Su: il precedente
page-key-undo = Annulla l'ultima modifica
page-key-keys = Questi tasti
page-key-move = Spostati in una lista
page-key-leave = Esci da un campo o da un modulo; dai messaggi, scrivine uno
page-single-keys = I tasti singoli funzionano fuori dai campi

## Page: the conversation

page-conversations = Conversazioni
page-conversation = Conversazione
page-new-conversation = Nuova conversazione
page-messages = Messaggi
page-message = Messaggio
page-message-hint = Aggiungi, cambia, chiedi…
page-send = Invia
page-promise = Ciò che dice di aver fatto viene da ciò che è stato salvato, e da nient'altro.
page-welcome = Che cosa c'è da ricordare?
page-welcome-more = Scrivi come a una persona. Ciò che viene salvato arriva con una ricevuta; dove nulla è stato salvato, nulla viene affermato.
page-suggestions = Suggerimenti
# These five are said to the chat, which has to understand them.
page-offer-add = aggiungi comprare il latte per domani
page-offer-more = aggiungi chiamare il dentista per venerdì
page-offer-list = cosa c'è nella mia lista?
page-offer-help = cosa puoi fare?
page-undo-word = annulla l'ultima modifica
page-you = Tu
page-earlier = Messaggi precedenti
page-unknown-if-saved = Il server non è raggiungibile. Non si sa se questo è stato salvato; riprovare lo esegue una volta sola.
page-was-stopped = È stato fermato.
page-progress = Avanzamento
page-reading-words = Leggo le tue parole
page-asking-model = Chiedo al modello
page-call-refused = { $what }: rifiutato, le tue parole non lo chiedono
page-still-at-work = Ancora al lavoro, da prima che la pagina fosse caricata
page-line-lost = La connessione si è interrotta; si chiede di nuovo, nulla viene eseguito due volte
page-receipt-lost = La ricevuta non si trova.
page-not-undone = Non annullato

## Page: what a tool does, what was asked for, what was done

page-doing-add = Aggiungo un'attività
page-doing-list = Leggo la lista
page-doing-update = Modifico un'attività
page-doing-complete = Segno un'attività come fatta
page-doing-delete = Elimino un'attività
page-doing-undo = Annullo una modifica
page-doing-ask = Ti chiedo
page-doing-delegate = Affido un'attività a un agente
page-doing-cancel = Fermo un agente
page-doing-output = Leggo il risultato di un agente
page-doing-runs = Leggo che cosa fanno gli agenti
page-wish-add = di aggiungere un'attività
page-wish-list = di leggere la lista
page-wish-update = di modificare un'attività
page-wish-complete = di segnare un'attività come fatta
page-wish-delete = di eliminare un'attività
page-wish-undo = di annullare una modifica
page-wish-ask = di farti una domanda
page-wish-delegate = di affidare un'attività a un agente
page-wish-cancel = di fermare un agente
page-wish-output = di leggere il risultato di un agente
page-wish-runs = di leggere che cosa fanno gli agenti
page-did-add = Aggiunta
page-did-list = Lista letta
page-did-update = Modificata
page-did-complete = Fatta
page-did-delete = Eliminata
page-did-undo = Annullato
page-did-history = Cronologia letta
page-did-delegate = Affidata a un agente
page-did-cancel = Agente fermato
page-did-output = Risultato di un agente letto
page-did-runs = Lavori degli agenti letti

## Page: a reply

page-receipt = Ricevuta
page-receipt-of = Ricevuta di
page-read-from-list = Letto dalla tua lista
page-question = Domanda
page-saved-and-question = Salvato, e una domanda
page-not-done = Non fatto
page-done-in-part = Fatto in parte
page-only-chat = Chat, nulla è stato modificato
page-undo = Annulla
page-undone = Annullato
page-undone-since = { $changes }, tutto annullato in seguito
page-changes = { $count ->
    [one] modifica
   *[other] modifiche
  }
page-tasks-counted = { $count ->
    [one] attività
   *[other] attività
  }
page-runs-counted = { $count ->
    [one] lavoro
   *[other] lavori
  }
page-calls-refused = { $count ->
    [one] chiamata rifiutata
   *[other] chiamate rifiutate
  }
page-not-called = Le tue parole chiedono { $wishes }, e il modello non ha chiamato { $tools }, qualunque cosa abbia detto.
page-only-receipts = È stato salvato solo ciò che ha una ricevuta.
page-nothing-changed = Nulla è stato modificato.
page-answers = Risposte
page-left-out = tralasciato
page-how-it-came = Come ci si è arrivati

## Page: a receipt

page-reading-log = Lettura del registro…
page-whole-turn = Il turno intero
page-committed = Salvato
page-by = Da
page-event = Evento
page-event-number = n. { $number } del registro
page-a-reading = Una lettura
page-status = Stato
page-priority = Priorità
page-assignee = Incaricato
page-none = nessuno
page-hash-fits = L'evento ha l'hash del suo contenuto.
page-hash-differs = Il contenuto dell'evento non corrisponde al suo hash.
page-leaf = È la foglia { $leaf } di un albero di { $events }: alla radice si arriva con { $hashes } accanto al suo percorso.
page-events-counted = { $count ->
    [one] evento
   *[other] eventi
  }
page-hashes-counted = { $count ->
    [one] hash
   *[other] hash
  }
page-no-root = Il suo percorso non porta alla radice dell'albero.
page-cant-check = Questo browser non può verificarlo
page-proof = Prova, verificata in questo browser
page-event-written = L'evento così com'è nel registro
page-hashes = I suoi hash
page-hash-own = proprio
page-hash-before = prima
page-hash-beside = accanto
page-checkpoint = Il punto di controllo
page-checkpoint-more = La sua firma richiede la chiave pubblica del server: candor audit verify --proof la verifica.
page-log = Il registro

## Page: the list

page-task-list = Lista delle attività
page-new-task = Nuova attività
page-add = Aggiungi
page-filter-tasks = Filtra le attività
page-filter = Filtra
page-which-tasks = Quali attività
page-open = Aperte
page-done = Fatte
page-all = Tutte
page-counts = Aperte: { $open }, fatte: { $done }
page-overdue = Scadute
page-next-days = Prossimi sette giorni
page-later = Più tardi
page-no-day = senza giorno
page-no-match = Nessuna attività ha queste parole.
page-nothing-open = Nulla è aperto. Ben fatto.
page-list-empty = La tua lista è vuota.
page-list-hint = Di' «{ $words }» o scrivi un titolo qui sopra.
page-marked-done = Segnata come fatta
page-reopened = Riaperta
page-updated = Modificata
page-edit = Modifica { $title }
page-heard-due = scade
page-heard-late = scaduta, scadenza
page-title = Titolo
page-due = Scadenza
page-time = Ora
page-repeats = Ripetizione
page-note = Nota
page-save = Salva
page-delete = Elimina
page-low = bassa
page-medium = media
page-high = alta
page-every-day = ogni giorno
page-every-days = ogni { $number } giorni
page-every-week = ogni settimana
page-every-weeks = ogni { $number } settimane
page-every-month = ogni mese
page-every-months = ogni { $number } mesi
page-every-year = ogni anno
page-every-years = ogni { $number } anni
page-every-weekday = dal lunedì al venerdì
page-every-named = ogni { $days }
page-on-days = { $every }, di { $days }
page-on-day = { $every }, il giorno { $count ->
   *[other] { $day }
  }
page-on-last-day = { $every }, l'ultimo giorno
page-until = { $every } fino a { $day }
page-times = { $every }, { $count ->
    [one] ultima volta
   *[other] { $number } volte
  }

## Page: reminders

page-reminders = Promemoria
page-reminder = Promemoria
page-reminders-here = I promemoria compaiono qui finché la pagina è aperta.
page-notify = Mostra anche le notifiche
page-no = No
page-late = { $time }, { $duration } di ritardo
page-dismiss-reminder = Nascondi il promemoria

## Page: a call in words

page-number = n. { $number }
page-a-task = un'attività
page-an-agent = un agente
page-new-agent = { $name } (nuovo)
page-a-call = Una chiamata
page-due-on = scade { $day }
page-due-at = { $due } alle { $time }
page-of-priority = priorità { $priority }
page-title-is = titolo { $title }
page-repeating = si ripete
page-with-reminder = con promemoria
page-with-note = con una nota
page-without-note = senza nota
page-with-words = con le parole { $words }
page-is-done = fatta
page-is-open = aperta
page-given-to = affidata a { $agent }
page-call-add = Aggiungere { $what }
page-call-change = Modificare { $what }
page-call-complete = Segnare { $what } come fatta
page-call-delete = Eliminare { $what }
page-call-undo = Annullare l'ultima modifica
page-call-ask = Chiederti
page-call-list = Leggere la lista
page-call-resume = Continuare con { $what }
page-call-delegate = Affidare { $what } a { $agent }
page-call-output = Leggere il risultato di { $run }
page-call-cancel = Fermare { $run }
page-call-runs = Leggere che cosa fanno gli agenti
page-call-of = Una chiamata di { $name }
page-call-unfit = Una chiamata di { $name } con argomenti che non vanno bene
page-as-written = Così come è stata scritta

## Page: the audit

page-turns = Turni
page-turn = Il turno
page-turns-counted = { $count ->
    [one] turno
   *[other] turni
  }
page-verify = Verifica la catena
page-checking = Verificati finora: { $events }…
page-broken = Evento { $number }: { $fault }. Gli eventi precedenti ({ $checked }) sono come sono stati scritti.
page-fault-missing = manca l'evento { $number }
page-fault-order = non è al suo posto
page-fault-link = non segue l'evento precedente
page-fault-hash = il suo contenuto non corrisponde al suo hash
page-unbroken = Tutto è come è stato scritto, in quest'ordine e senza lacune: { $events }. Testa { $hash }
page-not-checked = Non verificato
page-nothing-said = Non è stato detto nulla
page-nothing-said-yet = Non è ancora stato detto nulla.
page-back-turns = ← Tutti i turni
page-how-turn = Come si è arrivati a questo turno
page-no-model = nessun modello
page-you-said = Hai detto
page-asked-for = Chiesto
page-asked-rest = Chiesto direttamente, non in chat
page-erased = Le parole sono state cancellate
page-model = Il modello
page-proposed = { $model } ha proposto
page-said = { $model } ha detto
page-nothing = Nulla.
page-unshown = Il modello ha detto, e nessuno l'ha visto
page-refused = Rifiutato
page-why-ghost = Era attesa una chiamata e non è arrivata: un'affermazione senza ricevuta.
page-why-asserts = Afferma qualcosa che non è dimostrato da nulla.
page-why-ask = Un'affermazione dentro una domanda.
page-why-offer = Un'offerta che deve fare il server stesso, con i titoli dentro.
page-why-unchecked = Non si è potuto verificare, quindi non è stato mostrato.
page-allowed = Che cosa è stato permesso, e che cosa ne è venuto
page-was-committed = salvato
page-was-unchanged = nulla da modificare
page-was-asked = ti è stato chiesto prima
page-was-refused = rifiutato
page-read = Letto
page-receipt-number = Ricevuta n. { $number }
page-receipt-number-of = Ricevuta n. { $number } di: { $what }
page-told = Che cosa ti è stato detto
page-proven = dimostrato
page-unproven = non dimostrato
page-claims-nothing = non afferma nulla
page-holds = Ricalcolato dal registro. Eventi da { $first } a { $last }.
page-holds-word-for-word = Ricalcolato dal registro, uguale parola per parola. Eventi da { $first } a { $last }.
page-does-not-hold = Non è ciò che dice il registro.

## Page: the agents

page-runs = Lavori
page-the-run = Il lavoro
page-hand-task = Affida un'attività a un agente
page-task = Attività
page-agent = Agente
page-what-to-do = Che cosa fare, se il titolo non lo dice
page-hand-over = Affida
page-nothing-to-hand = Non c'è nessuna attività aperta da affidare.
page-no-runs = Nessun agente ha ancora ricevuto qualcosa.
page-no-runs-hint = Di' per esempio «delega cercare hotel al researcher».
page-pending = in sospeso
page-running = in corso
page-input-required = aspetta una risposta
page-completed = fatto
page-failed = fallito
page-cancelled = annullato
page-interrupted = interrotto
page-run-is = { $run }: { $state }
page-being-stopped = in arresto
page-begun = Inizio
page-ended = Fine
page-took = Durata
page-the-model = Modello
page-run = Lavoro
page-round = { $run }, giro { $round }
page-calls = Chiamate
page-calls-counted = { $count ->
    [one] chiamata
   *[other] chiamate
  }
page-back-runs = ← Tutti i lavori
page-result = Risultato
page-reports = Riferisce ({ $how })
page-verified = verificato
page-unverified = non verificato
page-contradicted = smentito
page-run-notes = Note lungo la strada
page-prompt = Che cosa gli è stato detto
page-evidence = Prove
page-no-evidence = Non cita nessuna sua chiamata.
page-stop = Ferma
page-run-stopped = { $run } è stato fermato
page-accept = Accetta
page-reject = Rifiuta
page-accepted = Accettato
page-rejected = Rifiutato
page-go-on-with = Continua con questo
page-next = Che cosa deve fare { $agent } adesso?
