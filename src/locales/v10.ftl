# Texts of replies of version 10 that have changed since, a part a language: a reply is computed again in the words in
# which it was told. See edition.rs.

### de

ask-change = Ändern: { $what }?
agent-which = Welche? Agenten arbeiten an { $names }.
agent-unknown = Einen Agenten '{ $agent }' gibt es nicht.
agent-not-found = Einen Agenten "{ $agent }" gibt es nicht. Es gibt: { $names }
agent-no-model = Für "{ $model }" ist kein Modell eingerichtet: Lass es weg oder nenn provider:model.
agent-provider-unavailable = Der Anbieter '{ $provider }' ist nicht verfügbar: { $why }. Verfügbar: { $names }.
agent-provider-lacks = Der Anbieter '{ $provider }' hat kein Modell '{ $model }'. Er hat: { $names }.
agent-is-another = { $agent } ist ein { $persona }, kein '{ $other }': Mach mit { $persona } weiter.
worker-found = Zu "{ $name }" wurden { $read } von { $total } Dateien gelesen; { $found ->
    [0] in keiner steht etwas dazu
   *[other] mit etwas dazu: { $found }
  }.
worker-from-task = Der Auftrag war: "{ $name }". Dateien gibt es nicht; die Aufgabe selbst enthält { $count ->
    [one] { $count } Zeile
   *[other] { $count } Zeilen
  }, davon passend: { $found }. Sonst wurde nichts nachgesehen.

### es

ask-rename = ¿Renombrar { $name } a { $new }?
one-list = Solo llevo una lista, sin una "{ $list }" aparte.
named-rest = otras
cause-not-a-day = la fecha no es un día
agent-busy = { $agent } sigue trabajando en { $name }. Di 'márcalo como hecho de todos modos' para completarla tú.
agent-no-model = No hay ningún modelo configurado para "{ $model }": omítelo o indica provider:model.

### fr

one-list = Je tiens une seule liste, sans "{ $list }" à part.
label-done = fait le { $when }
label-added = ajouté le { $when }
named-rest = autres
cause-not-a-day = l'échéance n'est pas un jour
agent-busy = { $agent } travaille encore sur { $name }. Dis 'marque-le comme fait quand même' pour terminer la tâche toi-même.
agent-no-model = Aucun modèle n'est configuré pour "{ $model }" : laisse-le de côté ou indique provider:model.

### it

agent-no-model = Nessun modello è configurato per "{ $model }": ometti il modello o indica provider:model.
worker-from-task = Mi è stato chiesto: "{ $name }". Non ho file; l'attività stessa contiene { $count ->
    [one] { $count } riga
   *[other] { $count } righe
  }, al riguardo: { $found }. Non è stato consultato altro.

### pt

agent-no-model = Nenhum modelo está configurado para "{ $model }": deixe-o de fora ou indique provider:model.
worker-from-task = Foi pedido: "{ $name }". Não tenho arquivos; a própria tarefa tem { $count ->
    [one] { $count } linha
   *[other] { $count } linhas
  }, a respeito: { $found }. Nada mais foi consultado.

### ur

weekday = { $weekday ->
    [1] Somvar
    [2] Mangal
    [3] Budh
    [4] Jumerat
    [5] Juma
    [6] Sanichar
   *[7] Itwar
  }
nobody-listening = Abhi koi nahi sun raha: page khula rakhein ya CANDOR_WEBHOOK_URL set karein.
weekday-name = { $weekday ->
    [1] somvar
    [2] mangal
    [3] budh
    [4] jumerat
    [5] jume
    [6] sanichar
   *[7] itwar
  }
repeat-every = { $unit ->
    [day] { $interval ->
        [1] har roz
       *[other] har { $interval } din
      }
    [week] { $interval ->
        [1] har hafte
       *[other] har { $interval } hafte
      }
    [month] { $interval ->
        [1] har mahine
       *[other] har { $interval } mahine
      }
   *[year] { $interval ->
        [1] har saal
       *[other] har { $interval } saal
      }
  }
repeat-weekdays = har { $days }
repeat-on-day = { $every } ki { $day } tareekh ko
repeat-on-last-day = { $every } ke aakhri din
repeat-on-last-weekday = { $every } ke aakhri { weekday-name } ko
repeat-on-nth = { $every } ke { $nth ->
    [1] pehle
    [2] doosre
    [3] teesre
    [4] chauthe
   *[5] paanchwe
  } { weekday-name } ko
taken-back = wapas le liya
tasks = { $count }{ $status ->
    [pending] {" "}baqi
    [completed] {" "}mukammal
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
    [pending] {" "}baqi
    [completed] {" "}mukammal
    [overdue] {" "}overdue
   *[all] {""}
  }{ $priority ->
    [low] {" "}low-priority
    [medium] {" "}medium-priority
    [high] {" "}high-priority
   *[any] {""}
  } task{ $conditions } nahi (kul { $total }).
condition-undated = bina due date ke
no-match = Koi task { $query } se nahi milta (kul { $total }).
ask-note = { $name } ka note { $note } kar dun?
ask-repeat = { $name } ko { $rule } dohraun?
could-not = { $what } – { $verb ->
    [add] add nahi ho saka
    [delete] delete nahi ho saka
    [complete] mukammal nahi ho saka
    [reopen] dobara nahi khul saka
    [update] badla nahi ja saka
    [delegate] delegate nahi ho saka
    [read] parha nahi ja saka
    [cancel] cancel nahi ho saka
    [list] dikhaya nahi ja saka
    [undo] wapas nahi liya ja saka
   *[do] nahi ho saka
  }: { $cause }.
cause-no-day = '{ $value }' koi din nahi
cause-not-a-day = due date koi din nahi
cause-wrong-priority = priority in mein se nahi: { $values }
cause-wrong-status = status in mein se nahi: { $values }
cause-invalid = call durust na thi
rest-not-taken = Baqi nahi ho saka: database ne nahi liya.
refused-line = { $verb ->
    [add] { $what } add nahi kiya
    [delete] { $what } delete nahi kiya
    [complete] { $what } mukammal nahi kiya
    [undo] Kuch wapas nahi liya
   *[change] { $what } nahi badla
  }: aap ke alfaaz mein yeh nahi mila.
agent-asks-nothing = { $handle } kuch nahi poochta.
worker-reading = { $total } mein se { $read } files parhi ja rahi hain
worker-found = "{ $name }" ke liye { $total } mein se { $read } files parhi gayin; { $found ->
    [0] kisi mein is ke bare mein kuch nahi
   *[other] { $found } mein is ke bare mein kuch hai
  }.
