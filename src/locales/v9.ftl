# Texts of replies of version 9 that have changed since, a part a language: a reply is computed again in the words in
# which it was told. See edition.rs.

### en

cause-title-long = Title is too long: { $length } characters, at most { $most } are kept
cause-day-past = { $day } is in the past: due dates run from { $from } to { $to }
cause-day-far = { $day } is too far ahead: due dates run from { $from } to { $to }
undo-stopped = Could not undo: a stopped agent does not go on by itself: it can be resumed.
note-added = note changed

### de

note-added = Notiz geändert

### es

nothing-waits = No hay nada a la espera de un sí.
note-added = nota cambiada

### fr

nearest = Le plus proche : { $names }.
note-added = note modifiée

### it

cause-not-a-day = la scadenza non è un giorno
one-list = Tengo una lista sola, senza "{ $list }" a parte.
note-added = nota modificata

### pt

cause-not-a-day = o prazo não é um dia
one-list = Mantenho uma só lista, sem "{ $list }" à parte.
note-no-repeat-end = O fim da repetição não foi guardado: ela continua até que a pare.
run-state = { $state ->
    [pending] em espera
    [running] em andamento
    [input_required] à espera de resposta
    [completed] concluída
    [failed] com falha
    [cancelled] cancelada
    [stopping] em interrupção
   *[interrupted] interrompida
  }
note-added = nota alterada

### ur

repeat-until = { $rule } { $when } tak
note-added = note badla
