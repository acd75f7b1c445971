# Replies in German. See en.ftl.

## Days, times and values

weekday = { $weekday ->
    [1] Mo
    [2] Di
    [3] Mi
    [4] Do
    [5] Fr
    [6] Sa
   *[7] So
  }
day = { weekday }, { $day }.{ $month }.{ $year }
day-listed = { $day }.{ $month }.{ $year }
on-day = am { $day }
days = vom { $from } bis zum { $to }
days-from = ab { $from }
due = fällig am { $when }
no-due-date = kein Fälligkeitsdatum
priority-word = { $priority ->
    [low] niedrig
    [high] hoch
   *[medium] mittel
  }
priority = { $priority ->
    [low] niedrige
    [high] hohe
   *[medium] mittlere
  } Priorität
priority-changed = Priorität: { $priority ->
    [low] niedrig
    [high] hoch
   *[medium] mittel
  }
status-word = { $status ->
    [completed] erledigt
   *[pending] offen
  }

## Reminders

reminder = Erinnerung am { $when }
no-reminder = keine Erinnerung
reminder-missed = Verpasst: Erinnerung an { $name } am { $when }.
reminder-stays = Die Erinnerung an { $name } bleibt: { $when }.
nobody-listening = Noch kommt die Erinnerung bei niemandem an: Lass die Seite offen oder setze CANDOR_WEBHOOK_URL.
reminders-rule = Ich erinnere dich nur, wenn in der Bestätigung "Erinnerung" steht.
no-alarm = Nein, ich habe keinen Wecker: Ich merke mir den Tag, die Uhrzeit bleibt im Titel.

## Repetitions

weekday-name = { $weekday ->
    [1] Montag
    [2] Dienstag
    [3] Mittwoch
    [4] Donnerstag
    [5] Freitag
    [6] Samstag
   *[7] Sonntag
  }
month-name = { $month ->
    [1] Januar
    [2] Februar
    [3] März
    [4] April
    [5] Mai
    [6] Juni
    [7] Juli
    [8] August
    [9] September
    [10] Oktober
    [11] November
   *[12] Dezember
  }
list-and = { $before } und { $last }
repeat-every = { $unit ->
    [day] { $interval ->
        [1] jeden Tag
       *[other] alle { $interval } Tage
      }
    [week] { $interval ->
        [1] jede Woche
       *[other] alle { $interval } Wochen
      }
    [month] { $interval ->
        [1] jeden Monat
       *[other] alle { $interval } Monate
      }
   *[year] { $interval ->
        [1] jedes Jahr
       *[other] alle { $interval } Jahre
      }
  }
repeat-workdays = jeden Werktag
repeat-weekdays = jeden { $days }
repeat-on-weekdays = { $every } am { $days }
repeat-on-day = { $every } am { $day }.
repeat-on-last-day = { $every } am letzten Tag
repeat-on-last-weekday = { $every } am letzten { weekday-name }
repeat-on-nth = { $every } am { $nth ->
    [1] ersten
    [2] zweiten
    [3] dritten
    [4] vierten
   *[5] fünften
  } { weekday-name }
repeat-on-date = { $every } am { $day }. { month-name }
repeat-until = { $rule } bis { $when }
repeat-times = { $rule }, { $count ->
    [1] zum letzten Mal
   *[other] { $count }-mal
  }

## What was done

added = Hinzugefügt: { $name }
deleted = Gelöscht: { $name }
updated = Geändert: { $name }
marked-done = { $name } als erledigt markiert
reopened = Wieder geöffnet: { $name }
changed = Geändert.
next = nächstes Mal: { $when }
renamed-from = hieß vorher { $name }
no-longer-repeats = wird nicht mehr wiederholt
taken-back = wieder bei dir
note-added = Notiz hinzugefügt
note-changed = Notiz geändert
note-removed = Notiz entfernt
no-note = keine Notiz
note-told = Notiz: { $note }
undone = Rückgängig gemacht: { $what }
undone-deletion = { $name } steht wieder auf der Liste
undone-addition = { $name } steht nicht mehr auf der Liste
done-again = wieder erledigt
pending-again = wieder offen
as-before = wie vorher
changes-counted = { $count ->
    [one] { $count } Änderung
   *[other] { $count } Änderungen
  }
runs-counted = { $count ->
    [one] { $count } Durchlauf
   *[other] { $count } Durchläufe
  }

## Listings

tasks = { $count }{ $status ->
    [pending] {" "}offene
    [completed] {" "}erledigte
    [overdue] {" "}überfällige
   *[all] {""}
  } { $count ->
    [one] Aufgabe
   *[other] Aufgaben
  }{ $priority ->
    [low] {" "}mit niedriger Priorität
    [medium] {" "}mit mittlerer Priorität
    [high] {" "}mit hoher Priorität
   *[any] {""}
  }
list-empty = Deine Aufgabenliste ist leer.
you-have = Du hast { $what }
you-have-none = Du hast keine{ $status ->
    [pending] {" "}offenen
    [completed] {" "}erledigten
    [overdue] {" "}überfälligen
   *[all] {""}
  } Aufgaben{ $priority ->
    [low] {" "}mit niedriger Priorität
    [medium] {" "}mit mittlerer Priorität
    [high] {" "}mit hoher Priorität
   *[any] {""}
  }{ $conditions } ({ $total } insgesamt).
condition-due = mit Fälligkeit { $when }
condition-undated = ohne Fälligkeitsdatum
condition-matching = zu { $query }
with-colon = { $head }:
more-tasks = … und { $count } weitere
one-match = Ja: { $task }
several-match = Ja, { $count } Aufgaben passen zu { $query }:
no-match = Keine Aufgabe passt zu { $query } ({ $total } insgesamt).
nothing-overdue = Nichts ist überfällig ({ $total ->
    [one] { $total } Aufgabe
   *[other] { $total } Aufgaben
  } insgesamt).
nothing-due = Nichts ist { $when } fällig ({ $total ->
    [one] { $total } Aufgabe
   *[other] { $total } Aufgaben
  } insgesamt).
nothing-undated = Keine Aufgabe ist ohne Fälligkeitsdatum ({ $total } insgesamt).

## Questions

yes = Ja
no = Nein
or = oder
nothing-added = Es wurde nichts hinzugefügt.
nothing-deleted = Es wurde nichts gelöscht.
nothing-changed = Es wurde nichts geändert.
ask-add = { $what } hinzufügen?
ask-add-another = { $name } steht schon auf deiner Liste{ $extras }. Noch einmal hinzufügen?
ask-delete = { $what } löschen?
ask-complete = { $what } als erledigt markieren?
ask-reopen = { $what } wieder öffnen?
ask-change = { $what } ändern?
ask-rename = { $name } in { $new } umbenennen?
ask-note = { $note } als Notiz zu { $name } speichern?
ask-undated = Das Fälligkeitsdatum von { $name } entfernen?
ask-move = { $name } auf { $to } verschieben?
ask-move-from = { $name } von { $from } auf { $to } verschieben?
ask-repeat = { $name } { $rule } wiederholen?
ask-stop-repeating = { $name } nicht mehr wiederholen?
ask-undo = Die letzte Änderung rückgängig machen ({ $names })?
ask-undo-latest = Die letzte Änderung rückgängig machen?
ask-instead-delete = { $names } wiederherstellen und { $other } löschen?
ask-instead-complete = Die Änderung an { $names } zurücknehmen und { $other } als erledigt markieren?
ask-instead-change = Die Änderung an { $names } zurücknehmen und { $other } ändern?
ask-go-ahead = Soll ich das machen?
ask-all = { $count ->
    [2] Beides machen?
   *[other] Alle { $count } machen?
  }
ask-which = { $which }?
ask-which-of = { $which }: { $names }?
which-delete = Welche soll ich löschen
which-complete = Welche soll ich als erledigt markieren
which-reopen = Welche soll ich wieder öffnen
which-change = Welche soll ich ändern
ask-what-to-add = Was soll ich hinzufügen?
add-what-is-named = Ich füge hinzu, was du nennst: Sag "füge Mehl, Eier und Milch hinzu".
ask-what-to-do = Was soll ich mit { $name } machen?
ask-what-to-change = Was soll ich an { $name } ändern?
already-in-week = { $day } liegt schon in der Woche ab { $week }.
one-list = Ich führe nur eine Liste, keine eigene "{ $list }".
label-done = erledigt am { $when }
label-added = hinzugefügt am { $when }
rest-stays = Der Rest bleibt, wie er war.
one-question = Eine Frage nach der anderen: Bitte mich danach noch einmal um den Rest.
say-which = Welche meinst du? Nenn sie beim Titel.
say-what-to-do = Ich weiß nicht, was ich tun soll: Nenn die Aufgabe und was mit ihr passieren soll.

## What stays as it was

already-done = { $name } war schon erledigt.
already-pending = { $name } war schon offen.
already-so = { $name } war schon so.
already-deleted = { $name } war schon gelöscht.
nothing-to-undo = Es gibt nichts rückgängig zu machen.
was-already-added = { $name } wurde schon hinzugefügt.
was-already-changed = { $name } wurde schon geändert.

## What failed

could-not = Konnte { $what } nicht { $verb ->
    [add] hinzufügen
    [delete] löschen
    [complete] als erledigt markieren
    [reopen] wieder öffnen
    [update] ändern
    [delegate] delegieren
    [read] lesen
    [cancel] abbrechen
    [list] auflisten
    [undo] rückgängig machen
   *[do] ausführen
  }: { $cause }.
nothing-on-list = Es gibt nichts { $verb ->
    [delete] zu löschen
    [complete] zu erledigen
    [reopen] wieder zu öffnen
   *[update] zu ändern
  }: Deine Aufgabenliste ist leer.
cause-deleted = schon gelöscht
cause-out-of-range = So lang ist die Liste nicht
cause-none-such = Es gibt keine
cause-no-title = keine Aufgabe mit diesem Titel
nearest = Am ähnlichsten: { $names }.
the-task = die Aufgabe
the-tasks = die Aufgaben
the-result = das Ergebnis
the-delegation = die Delegation
that = das
named-number = Nummer { $number }
named-last = die letzte
named-from-end = Nummer { $number } von hinten
named-it = das
named-them = die
named-other = die andere
named-these = diese Aufgaben
named-others = die anderen
named-rest = andere
named-tasks = { $status ->
    [completed] erledigte Aufgaben
    [overdue] überfällige Aufgaben
    [pending] offene Aufgaben
   *[all] Aufgaben
  }
named-due = { $tasks } ({ $when })
named-undated = { $tasks } ohne Fälligkeitsdatum
named-matching = { $tasks } zu { $query }
named-level = { $tasks } mit { $level ->
    [high] hoher
    [low] niedriger
   *[medium] mittlerer
  } Priorität
cause-title-empty = Der Titel darf nicht leer sein
cause-title-long = Der Titel ist mit { $length } Zeichen zu lang, höchstens { $most } sind möglich
cause-title-wrong = Der Titel muss eine einzige Zeile Text sein
cause-no-task = keine Aufgabe genannt
cause-other-title = Du hast einen anderen Titel genannt
cause-no-day = '{ $value }' ist kein Tag
cause-not-a-day = Das Fälligkeitsdatum ist kein Tag
cause-other-date = Du hast ein anderes Datum genannt
cause-other-time = Du hast eine andere Uhrzeit genannt
cause-other-priority = Du hast eine andere Priorität genannt
option-word = { $word ->
    [low] niedrig
    [medium] mittel
    [high] hoch
    [pending] offen
    [completed] erledigt
   *[all] alle
  }
cause-not-one-of = '{ $value }' gibt es nicht, nur { $values }
cause-wrong-priority = Diese Priorität gibt es nicht, nur { $values }
cause-wrong-status = Diesen Status gibt es nicht, nur { $values }
cause-day-past = { $day } liegt in der Vergangenheit, möglich ist die Zeit vom { $from } bis zum { $to }
cause-day-far = { $day } liegt zu weit in der Zukunft, möglich ist die Zeit vom { $from } bis zum { $to }
cause-no-time = '{ $value }' ist keine Uhrzeit
cause-not-a-time = Die Uhrzeit ist nicht zu verstehen
cause-no-repetition = '{ $value }' geht als Wiederholung nicht
cause-not-a-repetition = So kann ich eine Aufgabe nicht wiederholen
cause-repetition-past = Die Wiederholung endet vor heute
cause-reminder-past = Der Zeitpunkt der Erinnerung ist schon vorbei
cause-reminder-far = Die Erinnerung liegt mehr als drei Jahre in der Zukunft
cause-invalid = Der Aufruf war ungültig
cause-no-such-task = Diese Aufgabe gibt es nicht
cause-already-done = Die Aufgabe ist schon erledigt
cause-agent-busy = { $agent } arbeitet noch an { $name }
cause-agent-at-work = { $agent } arbeitet noch ({ $run })
no-such-day = Den Tag "{ $words }" gibt es nicht: Nenn einen, den es gibt.
cut-off = Der Rest hat nicht geklappt: Der Server wurde zwischendurch beendet. Sag noch einmal, was fehlt.
rest-not-taken = Der Rest hat nicht geklappt: Die Datenbank hat ihn nicht angenommen.
rest-overtaken = Der Rest hat nicht geklappt: Deine Liste wurde inzwischen geändert.
renamed-since = Konnte { $name } nicht ändern: Die Aufgabe wurde inzwischen umbenannt.
undo-overtaken = Konnte das nicht rückgängig machen: { $name } wurde seitdem geändert.
undo-stopped = Konnte das nicht rückgängig machen: Ein gestoppter Agent macht nicht von selbst weiter, er lässt sich aber fortsetzen.
not-checked = Das ließ sich nicht prüfen, darum wurde es nicht gemacht.
answer-unchecked = Technischer Fehler: Die Antwort ließ sich nicht prüfen.
not-answered = Nicht beantwortet: { $words }
refused = Nicht gemacht: Das Modell wollte { $deeds }; darum hast du nicht gebeten.
refused-add = { $count ->
    [1] eine Aufgabe hinzufügen
   *[other] { $count } Aufgaben hinzufügen
  }
refused-delete = { $count ->
    [1] eine Aufgabe löschen
   *[other] { $count } Aufgaben löschen
  }
refused-complete = { $count ->
    [1] eine Aufgabe als erledigt markieren
   *[other] { $count } Aufgaben als erledigt markieren
  }
refused-change = { $count ->
    [1] eine Aufgabe ändern
   *[other] { $count } Aufgaben ändern
  }
refused-undo = eine Änderung rückgängig machen
refused-line = { $verb ->
    [add] { $what } habe ich nicht hinzugefügt
    [delete] { $what } habe ich nicht gelöscht
    [complete] { $what } habe ich nicht abgehakt
    [undo] Rückgängig gemacht habe ich nichts
   *[change] { $what } habe ich nicht geändert
  }: Das geht aus deinen Worten nicht hervor.
refused-some = { $count ->
    [one] Eine Aufgabe
   *[other] { $count } Aufgaben
  }
left-out = Weggelassen habe ich { $values }: Das geht aus deinen Worten nicht hervor.
left-out-value = { $value ->
    [title] den neuen Titel
    [note] die Notiz
    [priority] die Priorität
    [day] den Tag
    [time] die Uhrzeit
    [repetition] die Wiederholung
    [reminder] die Erinnerung
   *[status] den Stand
  }
note-no-reminder = Keine Erinnerung gesetzt: Nenn mir dafür eine Uhrzeit.
note-no-time = Die Uhrzeit wurde nicht gespeichert.
note-day-only = Kein Wecker: Ich merke mir den Tag, aber keine Uhrzeit.
note-time-in-title = Kein Wecker: Ich merke mir den Tag; eine Uhrzeit bleibt im Titel.
note-one-task = Keine Wiederholung: Ich kann Aufgaben nicht wiederholen, das ist eine einzelne.
note-no-such-repetition = Keine Wiederholung: So kann ich eine Aufgabe nicht wiederholen, das ist eine einzelne.
note-no-repeat-end = Das Ende der Wiederholung wurde nicht gespeichert: Sie läuft weiter, bis du sie beendest.

## Talk

hello = Hallo! Was kann ich für deine Liste tun?
welcome = Gern geschehen!
goodbye = Bis bald!
thank-you = Danke, das ist nett!
all-right = Alles klar!
i-leave-it = Alles klar, ich lasse es.
nothing-waits = Gerade wartet nichts auf ein Ja.
question-closed = Diese Frage ist nicht mehr offen: Sag noch einmal, was du möchtest.
nothing-to-do = Alles klar, nichts zu tun.
unsaid = Dazu kann ich nichts Sicheres sagen.
help = Ich kümmere mich um deine Aufgabenliste. Sag "füge Milch hinzu", "was steht auf meiner Liste?", "markiere Milch als erledigt" oder "lösche Milch".
help-add = Sag "füge Milch für morgen hinzu": Die Wörter sind der Titel, der Tag ist das Fälligkeitsdatum.
help-list = Sag "was steht auf meiner Liste?", "was steht diese Woche auf meiner Liste?" oder "steht Milch auf meiner Liste?".
help-update = Sag "setze die Priorität von Milch auf hoch", "verschiebe Milch auf Freitag" oder "benenne Milch in Hafermilch um".
help-complete = Sag "markiere Milch als erledigt".
help-delete = Sag "lösche Milch" mit dem Titel der Aufgabe. "rückgängig" holt sie zurück.
help-undo = Sag "rückgängig": Das nimmt die letzte Änderung zurück, noch einmal gesagt die davor. Gelöschtes lässt sich 30 Tage lang zurückholen.
help-language = Ich antworte in der Sprache, in der du schreibst: Deutsch, Englisch, Französisch, Italienisch, Portugiesisch, Spanisch oder Roman Urdu.
if-a-task = Eine Aufgabe
if-deleted = { $what } würde von deiner Liste verschwinden; "rückgängig" geht 30 Tage lang.
if-completed = { $what } würde als erledigt markiert und bliebe so auf der Liste; "rückgängig" nimmt das zurück.
if-changed = { $what } bekäme den neuen Wert; "rückgängig" nimmt das zurück.

## Answers about the past and the present

past-nothing = In diesem Gespräch wurde nichts geändert.
past-no-effect = Nein, es wurde nichts geändert.
past-yes = Ja:
past-no = Nein:
past-receipt = { $answer }. { $line }
past-partly = Teils: ja bei { $yes }; nein bei { $no }.
past-list-empty = Deine Liste ist leer.
past-still-listed = { $count ->
    [one] { $count } Aufgabe steht noch auf deiner Liste.
   *[other] { $count } Aufgaben stehen noch auf deiner Liste.
  }
past-done-of = { $done } von { $count ->
    [one] { $count } Aufgabe
   *[other] { $count } Aufgaben
  } erledigt.
past-on-list = { $name } steht auf deiner Liste.
past-still-on-list = { $name } steht noch auf deiner Liste.
past-another-on-list = ein anderer Eintrag { $name } steht auf deiner Liste
past-is-due = { $name } ist am { $when } fällig.
past-is-undated = { $name } hat kein Fälligkeitsdatum.
past-has-priority = { $name } hat { $priority ->
    [low] niedrige
    [high] hohe
   *[medium] mittlere
  } Priorität.
past-is-done = { $name } ist als erledigt markiert.
past-is-pending = { $name } ist noch offen.
past-is-reopened = { $name } ist offen ({ $when } wieder geöffnet).
past-nothing-on-record = Zu { $name } ist nichts verzeichnet.
past-not-that = Das wurde mit { $name } nicht gemacht.
past-last-change = Die letzte Änderung an { $name }: { $line }
past-time = { $date ->
    [none] um { $time } Uhr
   *[other] am { $date } um { $time } Uhr
  }
past-at = { $when }
past-elsewhere = außerhalb dieses Gesprächs
past-since = { $when } geändert: { $changes }
past-later = { $when } { $deed ->
    [undo] rückgängig gemacht
    [delete] gelöscht
    [reopen] wieder geöffnet
   *[complete] als erledigt markiert
  }
past-and-then = { $before }; { $after }
past-only = Nein, nur { $count } in diesem Gespräch:
past-counted = { $count } in diesem Gespräch:
past-unknown = Nein. Mit { $name } wurde nichts gemacht.
past-none-added = In diesem Gespräch wurde nichts hinzugefügt.
past-none-deleted = In diesem Gespräch wurde nichts gelöscht.
past-none-completed = In diesem Gespräch wurde nichts als erledigt markiert.
past-none-moved = In diesem Gespräch wurde nichts verschoben.
past-none-renamed = In diesem Gespräch wurde nichts umbenannt.
past-none-changed = In diesem Gespräch wurde nichts geändert.
past-none-such = In diesem Gespräch wurde nichts dergleichen gemacht.
past-none-then = In diesem Gespräch wurde nichts dergleichen gemacht ({ $when }).
past-reminder = { $state ->
    [waiting] Die Erinnerung an { $name } kommt am { $when }.
    [delivered] Die Erinnerung an { $name } wurde am { $when } zugestellt.
    [missed] Die Erinnerung an { $name } am { $when } wurde verpasst.
   *[cancelled] Die Erinnerung an { $name } am { $when } wurde zurückgenommen.
  }
past-no-reminder-for = Für { $name } ist keine Erinnerung gesetzt.
past-no-reminder = Es ist keine Erinnerung gesetzt.
past-cut-off = Deine vorige Nachricht wurde unterbrochen, und zwar nach:
past-undone-since = (seitdem rückgängig gemacht)

## Agents

delegated = Delegiert: { $name } ({ $who })
resumed = Fortgesetzt: { $name } ({ $who })
cancelled = Abgebrochen: { $name } ({ $who })
cancel-requested = Abbruch angefordert: { $name } ({ $who }); es kann noch etwas ankommen
run-waiting = Wartet auf einen freien Agenten: { $name } ({ $who })
run-working = Noch in Arbeit: { $name } ({ $who })
run-failed = Agent ist nicht fertig geworden: { $name } – { $reason }
run-fault = { $why ->
    [rejected] Der Agent konnte es nicht tun: { $said }
    [contradicted] sein Bericht beruft sich auf einen Aufruf, den es nicht gab oder der fehlschlug
    [no_report] es kam kein Bericht
    [timeout] die Zeit war um
    [limit] die Grenze für einen Lauf war erreicht
    [unavailable] der Anbieter { $provider } war nicht erreichbar
   *[other] es ist ein Fehler aufgetreten
  }
run-interrupted = Ausgang unbekannt: { $name } ({ $who }) – wurde unterbrochen. Sag "mach mit dem Agenten weiter an { $name }", damit es weitergeht.
run-asks = Agent fragt: { $name } ({ $who }) – { $question } Antworte mit "mach mit { $persona } weiter an { $name }: …".
run-finished = Agent ist fertig: { $name }
run-reported = { $persona } berichtet
run-reported-unverified = { $persona } berichtet (ungeprüft: ohne Beleg für das, was getan wurde)
nothing-delegated = Nichts ist delegiert.
delegations = Du hast { $count ->
    [one] { $count } Delegation
   *[other] { $count } Delegationen
  }:
run-state = { $state ->
    [pending] wartet
    [running] läuft
    [input_required] wartet auf Antwort
    [completed] fertig
    [failed] fehlgeschlagen
    [cancelled] abgebrochen
    [stopping] wird abgebrochen
   *[interrupted] unterbrochen
  }
agent-stands = { $agent }: { run-state }
agents = Diesen Agenten kannst du Aufgaben geben:
agent-which-task = Welche Aufgabe meinst du? Nenn sie beim Titel.
agent-busy = { $agent } arbeitet noch an { $name }. Sag 'markiere es trotzdem als erledigt', um es selbst abzuschließen.
agent-ended = Nichts abzubrechen: Die Arbeit an { $name } ist zu Ende ({ $state }).
agent-preview = Vorschau, nichts wurde gestartet: { $name } → { $persona } auf { $provider }
agent-which = Welchen? Agenten arbeiten an { $names }.
agent-none-yet = Bisher wurde nichts delegiert.
agent-no-match = Keine Delegation passt zu { $name }.
agent-none-such = Diese Delegation gibt es nicht.
agent-at-work = { $agent } arbeitet noch an { $name }.
agent-none-to-resume = Es gibt keinen solchen Agenten, mit dem es weitergehen könnte.
agent-unknown = Einen Agenten "{ $agent }" gibt es nicht.
agent-no-handle = { $handle } gibt es nicht.
agent-asks-nothing = { $handle } hat keine Frage.
agent-no-task = Keine Aufgabe passt zu { $name }.
agent-not-found = Einen Agenten "{ $agent }" gibt es nicht. Es gibt: { $names }.
agent-disabled = Der Agent "{ $agent }" ist abgeschaltet. Schalte ihn in der Konfiguration der Agenten ein.
agent-no-model = Für "{ $model }" ist kein Modell eingerichtet: Lass es weg oder nenn Anbieter:Modell.
agent-no-provider = Es ist kein Anbieter eingerichtet.
agent-none-available = Gerade ist kein Anbieter verfügbar: { $names }.
agent-provider-unavailable = Der Anbieter "{ $provider }" ist nicht verfügbar: { $why }. Verfügbar: { $names }.
agent-provider-meant = Meinst du { $meant }?
agent-provider-lacks = Der Anbieter "{ $provider }" hat kein Modell "{ $model }". Er hat: { $names }.
agent-provider-why = { $why ->
    [disabled] abgeschaltet
    [busy] beschäftigt
    [missing] nicht eingerichtet
   *[unhealthy] gestört
  }
agent-names-none = keiner
agent-outside-root = Außerhalb der erlaubten Ordner wird nicht gearbeitet: { $path }. Der Ordner muss einer sein, den der Betreiber erlaubt.
agent-means-other = Du meinst wohl { $name }: Sag es noch einmal mit genau diesem Titel.
agent-no-todo = Eine Aufgabe { $name } gibt es nicht.
agent-is-another = { $agent } ist ein { $persona }, kein "{ $other }": Mach mit { $persona } weiter.
worker-reading = { $read } von { $total } Dateien werden gelesen
worker-found = Zu "{ $name }" wurden { $read } von { $total } Dateien gelesen; { $found ->
    [0] in keiner steht etwas dazu
    [one] in einer davon steht etwas dazu
   *[other] in { $found } davon steht etwas dazu
  }.
worker-no-files = Der Ordner enthält keine Dateien, also gibt es nichts zu "{ $name }".
worker-nothing-in = - { $path }: nichts dazu. Anfang: "{ $line }"
worker-empty = (leer)
worker-from-task = Der Auftrag war: "{ $name }". Dateien gibt es nicht; die Aufgabe selbst enthält { $count ->
    [one] { $count } Zeile
   *[other] { $count } Zeilen
  }, davon { $found ->
    [0] passt keine
    [one] passt eine
   *[other] passen { $found }
  }. Sonst wurde nichts nachgesehen.
worker-rejects = Der Auftrag war: "{ $name }". Es gibt keine Quellen: Kein Arbeitsordner ist eingerichtet (workspace_roots in candor.toml), und von selbst weiß ich nichts. Es wurde nichts nachgesehen.
worker-no-sources = Es gab keine Quellen.
