# Texts of replies of version 6 and before that have changed since, a part a language: a reply is computed again in
# the words in which it was told. See edition.rs.

### de

on-day = { $day }
days = { $from } bis { $to }
condition-due = für { $when }
nothing-due = Für { $when } ist nichts fällig ({ $total ->
    [one] { $total } Aufgabe
   *[other] { $total } Aufgaben
  } insgesamt).
cause-out-of-range = so lang ist die Liste nicht
cause-none-such = das gibt es nicht
cause-title-long = Der Titel ist zu lang
run-interrupted = Ausgang unbekannt: { $name } ({ $who }) – wurde unterbrochen. Sag "continue with the agent on { $name }", damit es weitergeht.
run-asks = Agent fragt: { $name } ({ $who }) – { $question } Antworte mit "continue with { $persona } on { $name }: …".
agent-busy = { $agent } arbeitet noch an { $name }. Sag 'mark it done anyway', um es selbst abzuschließen.

### es

cause-none-such = no existe
cause-title-long = el título es demasiado largo
run-interrupted = Resultado desconocido: { $name } ({ $who }) – se interrumpió. Di "continue with the agent on { $name }" para seguir.
run-asks = El agente pregunta: { $name } ({ $who }) – { $question } Di "continue with { $persona } on { $name }: …" para responder.
agent-busy = { $agent } sigue trabajando en { $name }. Di 'mark it done anyway' para completarla tú.

### fr

cause-none-such = ça n'existe pas
cause-title-long = le titre est trop long
run-interrupted = Issue inconnue : { $name } ({ $who }) – interruption en cours de route. Dis "continue with the agent on { $name }" pour continuer.
run-asks = L'agent demande : { $name } ({ $who }) – { $question } Dis "continue with { $persona } on { $name }: …" pour répondre.
agent-busy = { $agent } travaille encore sur { $name }. Dis 'mark it done anyway' pour terminer la tâche toi-même.

### it

cause-title-long = il titolo è troppo lungo
run-interrupted = Esito sconosciuto: { $name } ({ $who }) – il lavoro è stato interrotto. Scrivi "continue with the agent on { $name }" per proseguire.
run-asks = L'agente chiede: { $name } ({ $who }) – { $question } Scrivi "continue with { $persona } on { $name }: …" per rispondere.
agent-busy = { $agent } sta ancora lavorando a { $name }. Scrivi 'mark it done anyway' per completarla tu.

### pt

cause-title-long = o título é longo demais
run-waiting = À espera de um agente livre: { $name } ({ $who })
run-interrupted = Resultado desconhecido: { $name } ({ $who }) – o trabalho foi interrompido. Escreva "continue with the agent on { $name }" para prosseguir.
run-asks = O agente pergunta: { $name } ({ $who }) – { $question } Escreva "continue with { $persona } on { $name }: …" para responder.
agent-busy = { $agent } ainda está trabalhando em { $name }. Escreva 'mark it done anyway' para concluir por conta própria.

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
