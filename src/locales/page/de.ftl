# Words of the web page in German. See en.ftl.

## Page

page-language = Sprache
page-pair = { $name }: { $what }
page-quoted = „{ $text }“
page-skip-message = Zum Nachrichtenfeld springen
page-skip-tasks = Zu den Aufgaben springen
page-home = , zum Chat
page-views = Ansichten
page-chat = Chat
page-tasks = Aufgaben
page-audit = Protokoll
page-agents = Agenten
page-ghosts = { $count ->
    [one] Geist gestoppt
   *[other] Geister gestoppt
  }
page-ghosts-about = { $ghosts }: Behauptungen des Modells, die nichts belegt
page-dark = Dunkle Farben
page-shortcuts = Tastenkürzel
page-unreachable = Der Server ist nicht erreichbar.
page-try-again = Noch einmal
page-close = Schließen
page-cancel = Abbrechen
page-dismiss = Ausblenden
page-show-more = Mehr anzeigen
page-today = heute
page-tomorrow = morgen
page-yesterday = gestern

## Page: who is here

page-you-are = Du bist
page-sign-in = Anmelden
page-sign-out = Abmelden
page-change = Wechseln
page-who = Wer bist du?
page-change-user = Benutzer wechseln
page-ask-key = Dieser Server will wissen, wer ihn aufruft: Gib einen API-Schlüssel an (candor token create erzeugt einen) oder ein signiertes Token. Es sagt, wer du bist.
page-one-user = Liste, Unterhaltungen und Protokoll gehören einem einzelnen Benutzer.
page-user = Benutzer
page-every-user = Dieser Schlüssel gilt für alle Benutzer: Sag, für wen.
page-key = API-Schlüssel oder Token
page-key-unchecked = Der Schlüssel konnte nicht geprüft werden: Bitte versuche es noch einmal.
page-remember = Auf diesem Gerät merken
page-remember-else = (sonst nur in diesem Tab)
page-forget-key = Schlüssel vergessen
page-go-on = Weiter

## Page: keys

page-keys = Tasten
page-key-message = Eine Nachricht schreiben
page-key-down = Nach unten: nächste Aufgabe, Nachricht oder Runde
page-key-up = Nach oben: die davor
page-key-undo = Letzte Änderung rückgängig machen
page-key-keys = Diese Tasten
page-key-move = In einer Liste bewegen
page-key-leave = Feld oder Formular verlassen; aus den Nachrichten heraus eine schreiben
page-single-keys = Einzelne Tasten wirken außerhalb von Feldern

## Page: the conversation

page-conversations = Unterhaltungen
page-conversation = Unterhaltung
page-new-conversation = Neue Unterhaltung
page-messages = Nachrichten
page-message = Nachricht
page-message-hint = Hinzufügen, ändern, fragen…
page-send = Senden
page-promise = Was hier als getan gilt, stammt aus dem, was gespeichert wurde, und aus nichts anderem.
page-welcome = Was soll ich mir merken?
page-welcome-more = Schreib wie an einen Menschen. Was gespeichert wird, bekommt einen Beleg; wo nichts gespeichert wurde, wird nichts behauptet.
page-suggestions = Vorschläge
# These five are said to the chat, which has to understand them.
page-offer-add = füge Milch kaufen für morgen hinzu
page-offer-more = füge Zahnarzt anrufen für Freitag hinzu
page-offer-list = was steht auf meiner Liste?
page-offer-help = was kannst du?
page-undo-word = rückgängig
page-you = Du
page-earlier = Frühere Nachrichten
page-unknown-if-saved = Der Server ist nicht erreichbar. Ob das gespeichert wurde, ist nicht bekannt; ein neuer Versuch führt es nur einmal aus.
page-was-stopped = Es wurde angehalten.
page-progress = Fortschritt
page-reading-words = Deine Worte werden gelesen
page-asking-model = Das Modell wird gefragt
page-call-refused = { $what }: abgelehnt, deine Worte verlangen das nicht
page-still-at-work = Noch in Arbeit: begonnen, bevor die Seite geladen wurde
page-line-lost = Die Verbindung brach ab; es wird noch einmal gefragt, nichts läuft zweimal
page-receipt-lost = Der Beleg dazu ist nicht zu finden.
page-not-undone = Nicht rückgängig gemacht

## Page: what a tool does, what was asked for, what was done

page-doing-add = Aufgabe wird hinzugefügt
page-doing-list = Liste wird gelesen
page-doing-update = Aufgabe wird geändert
page-doing-complete = Aufgabe wird als erledigt markiert
page-doing-delete = Aufgabe wird gelöscht
page-doing-undo = Änderung wird zurückgenommen
page-doing-ask = Rückfrage an dich
page-doing-delegate = Aufgabe wird einem Agenten übergeben
page-doing-cancel = Agent wird angehalten
page-doing-output = Ergebnis eines Agenten wird gelesen
page-doing-runs = Arbeit der Agenten wird gelesen
page-wish-add = eine Aufgabe hinzuzufügen
page-wish-list = die Liste zu lesen
page-wish-update = eine Aufgabe zu ändern
page-wish-complete = eine Aufgabe als erledigt zu markieren
page-wish-delete = eine Aufgabe zu löschen
page-wish-undo = eine Änderung zurückzunehmen
page-wish-ask = dich etwas zu fragen
page-wish-delegate = einem Agenten eine Aufgabe zu übergeben
page-wish-cancel = einen Agenten anzuhalten
page-wish-output = das Ergebnis eines Agenten zu lesen
page-wish-runs = zu lesen, was die Agenten tun
page-did-add = Hinzugefügt
page-did-list = Liste gelesen
page-did-update = Geändert
page-did-complete = Erledigt
page-did-delete = Gelöscht
page-did-undo = Zurückgenommen
page-did-history = Verlauf gelesen
page-did-delegate = Einem Agenten übergeben
page-did-cancel = Agent angehalten
page-did-output = Ergebnis eines Agenten gelesen
page-did-runs = Läufe der Agenten gelesen

## Page: a reply

page-receipt = Beleg
page-receipt-of = Beleg für
page-read-from-list = Aus deiner Liste gelesen
page-question = Frage
page-saved-and-question = Gespeichert, und eine Frage
page-not-done = Nicht getan
page-done-in-part = Teilweise getan
page-only-chat = Chat, nichts wurde geändert
page-undo = Rückgängig
page-undone = Rückgängig gemacht
page-undone-since = { $changes }, inzwischen alle rückgängig gemacht
page-changes = { $count ->
    [one] Änderung
   *[other] Änderungen
  }
page-tasks-counted = { $count ->
    [one] Aufgabe
   *[other] Aufgaben
  }
page-runs-counted = { $count ->
    [one] Lauf
   *[other] Läufe
  }
page-calls-refused = { $count ->
    [one] Aufruf abgelehnt
   *[other] Aufrufe abgelehnt
  }
page-not-called = Deine Worte bitten darum, { $wishes }, und das Modell hat { $tools } nicht aufgerufen, was immer es gesagt hat.
page-only-receipts = Gespeichert wurde nur, was einen Beleg hat.
page-nothing-changed = Nichts wurde geändert.
page-answers = Antworten
page-left-out = weggelassen
page-how-it-came = Wie es dazu kam

## Page: a receipt

page-reading-log = Das Protokoll wird gelesen…
page-whole-turn = Die ganze Runde
page-committed = Gespeichert
page-by = Von
page-event = Ereignis
page-event-number = Nr. { $number } im Protokoll
page-a-reading = Gelesen
page-status = Status
page-priority = Priorität
page-assignee = Zuständig
page-none = keine Angabe
page-hash-fits = Das Ereignis hat den Hash seines Inhalts.
page-hash-differs = Der Inhalt des Ereignisses passt nicht zu seinem Hash.
page-leaf = Es ist Blatt { $leaf } eines Baums ({ $events }): Sein Pfad führt mit { $hashes } daneben zur Wurzel.
page-events-counted = { $count ->
    [one] Ereignis
   *[other] Ereignisse
  }
page-hashes-counted = { $count ->
    [one] Hash
   *[other] Hashes
  }
page-no-root = Sein Pfad führt nicht zur Wurzel des Baums.
page-cant-check = Dieser Browser kann es nicht prüfen
page-proof = Beweis, in diesem Browser geprüft
page-event-written = Das Ereignis, wie es im Protokoll steht
page-hashes = Seine Hashes
page-hash-own = eigener
page-hash-before = davor
page-hash-beside = daneben
page-checkpoint = Der Prüfpunkt
page-checkpoint-more = Seine Signatur braucht den öffentlichen Schlüssel des Servers: candor audit verify --proof prüft sie.
page-log = Das Protokoll

## Page: the list

page-task-list = Aufgabenliste
page-new-task = Neue Aufgabe
page-add = Hinzufügen
page-filter-tasks = Aufgaben filtern
page-filter = Filtern
page-which-tasks = Welche Aufgaben
page-open = Offen
page-done = Erledigt
page-all = Alle
page-counts = { $open } offen, { $done } erledigt
page-overdue = Überfällig
page-next-days = Nächste sieben Tage
page-later = Später
page-no-day = ohne Tag
page-no-match = Keine Aufgabe enthält diese Worte.
page-nothing-open = Nichts ist offen. Gut gemacht.
page-list-empty = Deine Liste ist leer.
page-list-hint = Sag „{ $words }“ oder schreib oben einen Titel.
page-marked-done = Als erledigt markiert
page-reopened = Wieder geöffnet
page-updated = Geändert
page-edit = Bearbeiten: { $title }
page-heard-due = fällig
page-heard-late = überfällig, fällig
page-title = Titel
page-due = Fällig
page-time = Uhrzeit
page-repeats = Wiederholung
page-note = Notiz
page-save = Speichern
page-delete = Löschen
page-low = niedrig
page-medium = mittel
page-high = hoch
page-every-day = jeden Tag
page-every-days = alle { $number } Tage
page-every-week = jede Woche
page-every-weeks = alle { $number } Wochen
page-every-month = jeden Monat
page-every-months = alle { $number } Monate
page-every-year = jedes Jahr
page-every-years = alle { $number } Jahre
page-every-weekday = jeden Werktag
page-every-named = jeden { $days }
page-on-days = { $every } am { $days }
page-on-day = { $every } am { $count ->
   *[other] { $day }
  }.
page-on-last-day = { $every } am letzten Tag
page-until = { $every } bis { $day }
page-times = { $every }, { $count ->
    [one] zum letzten Mal
   *[other] { $number }-mal
  }

## Page: reminders

page-reminders = Erinnerungen
page-reminder = Erinnerung
page-reminders-here = Erinnerungen erscheinen hier, solange die Seite offen ist.
page-notify = Auch Mitteilungen zeigen
page-no = Nein
page-late = { $time }, { $duration } zu spät
page-dismiss-reminder = Erinnerung ausblenden

## Page: a call in words

page-number = Nr. { $number }
page-a-task = eine Aufgabe
page-an-agent = ein Agent
page-new-agent = { $name } (neu)
page-a-call = Ein Aufruf
page-due-on = fällig { $day }
page-due-at = { $due } um { $time }
page-of-priority = Priorität { $priority }
page-title-is = Titel { $title }
page-repeating = wiederholt
page-with-reminder = mit Erinnerung
page-with-note = mit Notiz
page-without-note = ohne Notiz
page-with-words = mit den Worten { $words }
page-is-done = erledigt
page-is-open = offen
page-given-to = übergeben an { $agent }
page-call-add = Hinzufügen: { $what }
page-call-change = Ändern: { $what }
page-call-complete = Als erledigt markieren: { $what }
page-call-delete = Löschen: { $what }
page-call-undo = Die letzte Änderung zurücknehmen
page-call-ask = Dich fragen
page-call-list = Die Liste lesen
page-call-resume = Weitermachen mit { $what }
page-call-delegate = Übergeben: { $what } → { $agent }
page-call-output = Ergebnis lesen: { $run }
page-call-cancel = Anhalten: { $run }
page-call-runs = Lesen, was die Agenten tun
page-call-of = Ein Aufruf von { $name }
page-call-unfit = Ein Aufruf von { $name } mit Angaben, die nicht passen
page-as-written = Wie er geschrieben wurde

## Page: the audit

page-turns = Runden
page-turn = Die Runde
page-turns-counted = { $count ->
    [one] Runde
   *[other] Runden
  }
page-verify = Kette prüfen
page-checking = { $events } geprüft…
page-broken = Ereignis { $number }: { $fault }. Davor geprüft: { $checked }, alles so, wie es geschrieben wurde.
page-fault-missing = Nr. { $number } fehlt
page-fault-order = Es steht nicht an seinem Platz
page-fault-link = Es folgt nicht auf das Ereignis davor
page-fault-hash = Sein Inhalt passt nicht zu seinem Hash
page-unbroken = Geprüft: { $events }. Alles ist so, wie es geschrieben wurde, in dieser Reihenfolge und ohne Lücke. Kopf { $hash }
page-not-checked = Nicht geprüft
page-nothing-said = Nichts wurde gesagt
page-nothing-said-yet = Noch wurde nichts gesagt.
page-back-turns = ← Alle Runden
page-how-turn = Wie es zu dieser Runde kam
page-no-model = kein Modell
page-you-said = Du sagtest
page-asked-for = Verlangt
page-asked-rest = Direkt verlangt, nicht im Gespräch
page-erased = Die Worte wurden gelöscht
page-model = Das Modell
page-proposed = { $model } schlug vor
page-said = { $model } sagte
page-nothing = Nichts.
page-unshown = Das Modell sagte, und niemand bekam es zu sehen
page-refused = Abgelehnt
page-why-ghost = Ein Aufruf war fällig und keiner kam: eine Behauptung ohne Beleg.
page-why-asserts = Es behauptet etwas, das nichts belegt.
page-why-ask = Eine Behauptung in einer Frage.
page-why-offer = Ein Angebot, das der Server selbst machen muss, mit den Titeln darin.
page-why-unchecked = Es ließ sich nicht prüfen und wurde deshalb nicht gezeigt.
page-allowed = Was erlaubt wurde und was daraus wurde
page-was-committed = gespeichert
page-was-unchanged = nichts zu ändern
page-was-asked = du wurdest erst gefragt
page-was-refused = abgelehnt
page-read = Gelesen
page-receipt-number = Beleg Nr. { $number }
page-receipt-number-of = Beleg Nr. { $number } für: { $what }
page-told = Was dir gesagt wurde
page-proven = belegt
page-unproven = nicht belegt
page-claims-nothing = behauptet nichts
page-holds = Aus dem Protokoll neu berechnet. Ereignisse { $first } bis { $last }.
page-holds-word-for-word = Aus dem Protokoll neu berechnet, Wort für Wort gleich. Ereignisse { $first } bis { $last }.
page-does-not-hold = Es ist nicht das, was das Protokoll sagt.

## Page: the agents

page-runs = Läufe
page-the-run = Der Lauf
page-hand-task = Einem Agenten eine Aufgabe übergeben
page-task = Aufgabe
page-agent = Agent
page-what-to-do = Was zu tun ist, falls der Titel es nicht sagt
page-hand-over = Übergeben
page-nothing-to-hand = Es gibt keine offene Aufgabe zum Übergeben.
page-no-runs = Noch hat kein Agent etwas bekommen.
page-no-runs-hint = Sag zum Beispiel „delegiere Hotels suchen an den Researcher“.
page-pending = offen
page-running = läuft
page-input-required = wartet auf Antwort
page-completed = erledigt
page-failed = fehlgeschlagen
page-cancelled = abgebrochen
page-interrupted = unterbrochen
page-run-is = { $run }: { $state }
page-being-stopped = wird angehalten
page-begun = Begonnen
page-ended = Beendet
page-took = Dauer
page-the-model = Modell
page-run = Lauf
page-round = { $run }, Durchgang { $round }
page-calls = Aufrufe
page-calls-counted = { $count ->
    [one] Aufruf
   *[other] Aufrufe
  }
page-back-runs = ← Alle Läufe
page-result = Ergebnis
page-reports = Bericht ({ $how })
page-verified = geprüft
page-unverified = ungeprüft
page-contradicted = widerlegt
page-run-notes = Notizen unterwegs
page-prompt = Was ihm gesagt wurde
page-evidence = Belege
page-no-evidence = Er nennt keinen eigenen Aufruf.
page-stop = Anhalten
page-run-stopped = { $run } wurde angehalten
page-accept = Annehmen
page-reject = Ablehnen
page-accepted = Angenommen
page-rejected = Abgelehnt
page-go-on-with = Damit weitermachen
page-next = Was soll { $agent } als Nächstes tun?
