# Replies in Spanish. See en.ftl.

## Days, times and values

weekday = { $weekday ->
    [1] lun
    [2] mar
    [3] mié
    [4] jue
    [5] vie
    [6] sáb
   *[7] dom
  }
day = { weekday } { $day }/{ $month }/{ $year }
day-listed = { $day }/{ $month }/{ $year }
on-day = { $day }
days = { $from } al { $to }
days-from = { $from } en adelante
due = vence el { $when }
no-due-date = sin fecha
priority-word = { $priority ->
    [low] baja
    [high] alta
   *[medium] media
  }
priority = prioridad { $priority ->
    [low] baja
    [high] alta
   *[medium] media
  }
priority-changed = prioridad: { $priority ->
    [low] baja
    [high] alta
   *[medium] media
  }
status-word = { $status ->
    [completed] completada
   *[pending] pendiente
  }

## Reminders

reminder = recordatorio el { $when }
no-reminder = sin recordatorio
reminder-missed = Recordatorio perdido: { $name }, el { $when }.
reminder-stays = El recordatorio de { $name } sigue igual: { $when }.
nobody-listening = De momento el aviso no le llega a nadie: deja la página abierta o configura CANDOR_WEBHOOK_URL.
reminders-rule = Solo te aviso cuando la confirmación dice "recordatorio".
no-alarm = No, no tengo alarma: guardo el día, y la hora se queda en el título.

## Repetitions

weekday-name = { $weekday ->
    [1] lunes
    [2] martes
    [3] miércoles
    [4] jueves
    [5] viernes
    [6] sábado
   *[7] domingo
  }
month-name = { $month ->
    [1] enero
    [2] febrero
    [3] marzo
    [4] abril
    [5] mayo
    [6] junio
    [7] julio
    [8] agosto
    [9] septiembre
    [10] octubre
    [11] noviembre
   *[12] diciembre
  }
list-and = { $before } y { $last }
repeat-every = { $unit ->
    [day] { $interval ->
        [1] cada día
       *[other] cada { $interval } días
      }
    [week] { $interval ->
        [1] cada semana
       *[other] cada { $interval } semanas
      }
    [month] { $interval ->
        [1] cada mes
       *[other] cada { $interval } meses
      }
   *[year] { $interval ->
        [1] cada año
       *[other] cada { $interval } años
      }
  }
repeat-workdays = de lunes a viernes
repeat-weekdays = cada { $days }
repeat-on-weekdays = { $every } el { $days }
repeat-on-day = { $every } el día { $day }
repeat-on-last-day = { $every } el último día
repeat-on-last-weekday = { $every } el último { weekday-name }
repeat-on-nth = { $every } el { $nth ->
    [1] primer
    [2] segundo
    [3] tercer
    [4] cuarto
   *[5] quinto
  } { weekday-name }
repeat-on-date = { $every } el { $day } de { month-name }
repeat-until = { $rule } hasta el { $when }
repeat-times = { $rule }, { $count ->
    [1] por última vez
   *[other] { $count } veces
  }

## What was done

added = Añadida: { $name }
deleted = Borrada: { $name }
updated = Actualizada: { $name }
marked-done = Marcada como hecha: { $name }
reopened = Reabierta: { $name }
changed = Cambio hecho.
next = próxima vez: { $when }
renamed-from = antes se llamaba { $name }
no-longer-repeats = ya no se repite
taken-back = de nuevo tuya
note-added = nota añadida
note-changed = nota cambiada
note-removed = nota borrada
no-note = sin nota
note-told = nota: { $note }
undone = Deshecho: { $what }
undone-deletion = { $name } vuelve a estar en la lista
undone-addition = { $name } ya no está en la lista
done-again = de nuevo completada
pending-again = de nuevo pendiente
as-before = como antes
changes-counted = { $count ->
    [one] { $count } cambio
   *[other] { $count } cambios
  }
runs-counted = { $count ->
    [one] { $count } ejecución
   *[other] { $count } ejecuciones
  }

## Listings

tasks = { $count } { $count ->
    [one] tarea{ $status ->
        [pending] {" "}pendiente
        [completed] {" "}completada
        [overdue] {" "}vencida
       *[all] {""}
      }
   *[other] tareas{ $status ->
        [pending] {" "}pendientes
        [completed] {" "}completadas
        [overdue] {" "}vencidas
       *[all] {""}
      }
  }{ $priority ->
    [low] {" "}de prioridad baja
    [medium] {" "}de prioridad media
    [high] {" "}de prioridad alta
   *[any] {""}
  }
list-empty = Tu lista de tareas está vacía.
you-have = Tienes { $what }
you-have-none = No tienes tareas{ $status ->
    [pending] {" "}pendientes
    [completed] {" "}completadas
    [overdue] {" "}vencidas
   *[all] {""}
  }{ $priority ->
    [low] {" "}de prioridad baja
    [medium] {" "}de prioridad media
    [high] {" "}de prioridad alta
   *[any] {""}
  }{ $conditions } ({ $total } en total).
condition-due = con fecha del { $when }
condition-undated = sin fecha
condition-matching = con { $query }
with-colon = { $head }:
more-tasks = … y { $count } más
one-match = Sí: { $task }
several-match = Sí, { $count } tareas coinciden con { $query }:
no-match = Ninguna tarea coincide con { $query } ({ $total } en total).
nothing-overdue = No hay nada vencido ({ $total ->
    [one] { $total } tarea
   *[other] { $total } tareas
  } en total).
nothing-due = No hay nada con fecha del { $when } ({ $total ->
    [one] { $total } tarea
   *[other] { $total } tareas
  } en total).
nothing-undated = No hay tareas sin fecha ({ $total } en total).

## Questions

yes = Sí
no = No
or = o
nothing-added = No se ha añadido nada.
nothing-deleted = No se ha borrado nada.
nothing-changed = No se ha cambiado nada.
ask-add = ¿Añadir { $what }?
ask-add-another = { $name } ya está en tu lista{ $extras }. ¿Añadir otra?
ask-delete = ¿Borrar { $what }?
ask-complete = ¿Completar { $what }?
ask-reopen = ¿Reabrir { $what }?
ask-change = ¿Cambiar { $what }?
ask-rename = ¿Cambiar el nombre de { $name } a { $new }?
ask-note = ¿Poner { $note } como nota de { $name }?
ask-undated = ¿Quitar la fecha de { $name }?
ask-move = ¿Mover { $name } al { $to }?
ask-move-from = ¿Mover { $name } del { $from } al { $to }?
ask-repeat = ¿Repetir { $name } { $rule }?
ask-stop-repeating = ¿Dejar de repetir { $name }?
ask-undo = ¿Deshacer el último cambio ({ $names })?
ask-undo-latest = ¿Deshacer el último cambio?
ask-instead-delete = ¿Restaurar { $names } y borrar { $other }?
ask-instead-complete = ¿Deshacer el cambio en { $names } y completar { $other }?
ask-instead-change = ¿Deshacer el cambio en { $names } y cambiar { $other }?
ask-go-ahead = ¿Lo hago?
ask-all = { $count ->
    [2] ¿Hago las dos cosas?
   *[other] ¿Hago las { $count } cosas?
  }
ask-which = { $which }?
ask-which-of = { $which }: { $names }?
which-delete = ¿Cuál quieres borrar
which-complete = ¿Cuál quieres completar
which-reopen = ¿Cuál quieres reabrir
which-change = ¿Cuál quieres cambiar
ask-what-to-add = ¿Qué quieres añadir?
add-what-is-named = Puedo añadir lo que nombres: di "añade harina, huevos y leche".
ask-what-to-do = ¿Qué hago con { $name }?
ask-what-to-change = ¿Qué quieres cambiar de { $name }?
already-in-week = El { $day } ya cae en la semana del { $week }.
one-list = Solo llevo una lista: no hay otra llamada "{ $list }".
label-done = completada el { $when }
label-added = añadida el { $when }
rest-stays = Lo demás queda como estaba.
one-question = Las preguntas, de una en una: pídeme lo demás después de esta.
say-which = ¿A cuál te refieres? Dime su título.
say-what-to-do = No sé qué hacer: dime la tarea y qué hago con ella.

## What stays as it was

already-done = La tarea { $name } ya estaba hecha.
already-pending = { $name } ya estaba pendiente.
already-so = { $name } ya estaba así.
already-deleted = La tarea { $name } ya estaba borrada.
nothing-to-undo = No hay nada que deshacer.
was-already-added = La tarea { $name } ya estaba añadida.
was-already-changed = La tarea { $name } ya estaba cambiada.

## What failed

could-not = No pude { $verb ->
    [add] añadir
    [delete] borrar
    [complete] completar
    [reopen] reabrir
    [update] cambiar
    [delegate] delegar
    [read] leer
    [cancel] cancelar
    [list] mostrar
    [undo] deshacer
   *[do] hacer
  } { $what }: { $cause }.
nothing-on-list = No hay nada que { $verb ->
    [delete] borrar
    [complete] completar
    [reopen] reabrir
   *[update] cambiar
  }: tu lista de tareas está vacía.
cause-deleted = ya estaba borrada
cause-out-of-range = la lista no es tan larga
cause-none-such = no hay ninguna
cause-no-title = no hay ninguna tarea con ese título
nearest = Lo más parecido: { $names }.
the-task = la tarea
the-tasks = las tareas
the-result = el resultado
the-delegation = la delegación
that = eso
named-number = número { $number }
named-last = la última
named-from-end = número { $number } desde el final
named-it = eso
named-them = esas
named-other = la otra
named-these = estas tareas
named-others = las demás
named-rest = otras tareas
named-tasks = { $status ->
    [completed] tareas completadas
    [overdue] tareas vencidas
    [pending] tareas pendientes
   *[all] tareas
  }
named-due = { $tasks } ({ $when })
named-undated = { $tasks } sin fecha
named-matching = { $tasks } con { $query }
named-level = { $tasks } de prioridad { $level ->
    [high] alta
    [low] baja
   *[medium] media
  }
cause-title-empty = el título no puede estar vacío
cause-title-long = el título es demasiado largo: { $length } caracteres, como máximo { $most }
cause-title-wrong = el título tiene que ser una sola línea de texto
cause-no-task = no se ha dicho ninguna tarea
cause-other-title = no es el título que has dicho
cause-no-day = '{ $value }' no es un día
cause-not-a-day = no es una fecha válida
cause-other-date = no es la fecha que has dicho
cause-other-time = no es la hora que has dicho
cause-other-priority = no es la prioridad que has dicho
option-word = { $word ->
    [low] baja
    [medium] media
    [high] alta
    [pending] pendiente
    [completed] completada
   *[all] todas
  }
cause-not-one-of = '{ $value }' no existe, solo { $values }
cause-wrong-priority = esa prioridad no existe, solo { $values }
cause-wrong-status = ese estado no existe, solo { $values }
cause-day-past = el { $day } ya pasó; las fechas van del { $from } al { $to }
cause-day-far = el { $day } queda demasiado lejos; las fechas van del { $from } al { $to }
cause-no-time = '{ $value }' no es una hora
cause-not-a-time = no entiendo la hora
cause-no-repetition = no puedo repetir una tarea '{ $value }'
cause-not-a-repetition = no puedo repetir una tarea así
cause-repetition-past = la repetición termina antes de hoy
cause-reminder-past = la hora del recordatorio ya pasó
cause-reminder-far = el recordatorio queda a más de tres años
cause-invalid = la llamada no era válida
cause-no-such-task = esa tarea no existe
cause-already-done = la tarea ya está hecha
cause-agent-busy = { $agent } sigue trabajando en { $name }
cause-agent-at-work = { $agent } sigue trabajando ({ $run })
no-such-day = El día "{ $words }" no existe: dime uno que exista.
cut-off = No pude hacer lo demás: el servidor se detuvo a mitad. Repite lo que falta.
rest-not-taken = No pude hacer lo demás: la base de datos no lo aceptó.
rest-overtaken = No pude hacer lo demás: tu lista cambió mientras tanto.
renamed-since = No pude cambiar { $name }: entretanto se le cambió el nombre.
undo-overtaken = No pude deshacerlo: { $name } se cambió después.
undo-stopped = No pude deshacerlo: un agente detenido no sigue solo, pero se puede reanudar.
not-checked = No pude comprobarlo, así que no se ha hecho.
answer-unchecked = Error técnico: no se pudo comprobar la respuesta.
not-answered = Sin responder: { $words }
refused = No se ha hecho: el modelo quería { $deeds }; no lo has pedido.
refused-add = { $count ->
    [1] añadir una tarea
   *[other] añadir { $count } tareas
  }
refused-delete = { $count ->
    [1] borrar una tarea
   *[other] borrar { $count } tareas
  }
refused-complete = { $count ->
    [1] completar una tarea
   *[other] completar { $count } tareas
  }
refused-change = { $count ->
    [1] cambiar una tarea
   *[other] cambiar { $count } tareas
  }
refused-undo = deshacer un cambio
refused-line = { $verb ->
    [add] No he añadido { $what }
    [delete] No he borrado { $what }
    [complete] No he completado { $what }
    [undo] No he deshecho nada
   *[change] No he cambiado { $what }
  }: no lo veo en tu mensaje.
refused-some = { $count ->
    [one] la tarea
   *[other] las { $count } tareas
  }
left-out = He dejado fuera { $values }: no lo veo en tu mensaje.
left-out-value = { $value ->
    [title] el título nuevo
    [note] la nota
    [priority] la prioridad
    [day] el día
    [time] la hora
    [repetition] la repetición
    [reminder] el recordatorio
   *[status] el estado
  }
note-no-reminder = No hay recordatorio: dime una hora para ponerlo.
note-no-time = La hora no se ha guardado.
note-day-only = Sin alarma: guardo el día, pero no la hora.
note-time-in-title = Sin alarma: guardo el día; la hora se queda en el título.
note-one-task = Sin repetición: no puedo repetir tareas, esta es una sola.
note-no-such-repetition = Sin repetición: no puedo repetir una tarea así, esta es una sola.
note-no-repeat-end = El final de la repetición no se ha guardado: sigue hasta que la detengas.

## Talk

hello = ¡Hola! ¿En qué te ayudo con tu lista?
welcome = ¡De nada!
goodbye = ¡Hasta luego!
thank-you = ¡Gracias, qué amable!
all-right = ¡De acuerdo!
i-leave-it = De acuerdo, no lo toco.
nothing-waits = No hay ninguna pregunta pendiente de respuesta.
question-closed = Esa pregunta ya está cerrada: di otra vez lo que quieres.
nothing-to-do = De acuerdo, no hay nada que hacer.
unsaid = Sobre eso no puedo decir nada seguro.
help = Me ocupo de tu lista de tareas. Di "añade leche", "¿qué hay en mi lista?", "marca leche como hecha" o "borra leche".
help-add = Di "añade leche para mañana": las palabras son el título y el día es la fecha.
help-list = Di "¿qué hay en mi lista?", "¿qué hay esta semana en mi lista?" o "¿hay leche en mi lista?".
help-update = Di "pon la prioridad de leche en alta", "mueve leche al viernes" o "renombra leche a leche de avena".
help-complete = Di "marca leche como hecha".
help-delete = Di "borra leche" con el título de la tarea. "deshacer" la recupera.
help-undo = Di "deshacer": revierte el último cambio y, si lo repites, el anterior. Lo borrado se puede recuperar durante 30 días.
help-language = Respondo en el idioma en el que escribes: español, alemán, francés, inglés, italiano, portugués o urdu romanizado.
if-a-task = Una tarea
if-deleted = { $what } saldría de tu lista; "deshacer" funciona durante 30 días.
if-completed = { $what } quedaría marcada como hecha y seguiría en la lista; "deshacer" lo revierte.
if-changed = { $what } tendría el nuevo valor; "deshacer" lo revierte.

## Answers about the past and the present

past-nothing = No se ha cambiado nada en esta conversación.
past-no-effect = No, no se ha cambiado nada.
past-yes = Sí:
past-no = No:
past-receipt = { $answer }. { $line }
past-partly = En parte: { $yes }, sí; { $no }, no.
past-list-empty = Tu lista está vacía.
past-still-listed = { $count ->
    [one] Queda { $count } tarea en tu lista.
   *[other] Quedan { $count } tareas en tu lista.
  }
past-done-of = { $done ->
    [one] { $done } tarea completada
   *[other] { $done } tareas completadas
  } de { $count }.
past-on-list = { $name } está en tu lista.
past-still-on-list = { $name } sigue en tu lista.
past-another-on-list = hay otra tarea { $name } en tu lista
past-is-due = { $name } vence el { $when }.
past-is-undated = { $name } no tiene fecha.
past-has-priority = { $name } tiene prioridad { $priority ->
    [low] baja
    [high] alta
   *[medium] media
  }.
past-is-done = La tarea { $name } está marcada como hecha.
past-is-pending = { $name } sigue pendiente.
past-is-reopened = { $name } está pendiente (reabierta: { $when } h).
past-nothing-on-record = No consta ningún cambio en { $name }.
past-not-that = Eso no se ha hecho con { $name }.
past-last-change = Este es el último cambio en { $name }. { $line }
past-time = { $date ->
    [none] { $time }
   *[other] { $date } { $time }
  }
past-at = { $when } h
past-elsewhere = fuera de esta conversación
past-since = cambiada: { $when } h, { $changes }
past-later = { $deed ->
    [undo] deshecho
    [delete] borrada
    [reopen] reabierta
   *[complete] marcada como hecha
  }: { $when } h
past-and-then = { $before }; { $after }
past-only = No, solo { $count } en esta conversación:
past-counted = { $count } en esta conversación:
past-unknown = No. No se ha hecho nada con { $name }.
past-none-added = No se ha añadido nada en esta conversación.
past-none-deleted = No se ha borrado nada en esta conversación.
past-none-completed = No se ha marcado nada como hecho en esta conversación.
past-none-moved = No se ha movido nada en esta conversación.
past-none-renamed = No se ha renombrado nada en esta conversación.
past-none-changed = No se ha cambiado nada en esta conversación.
past-none-such = No se ha hecho nada así en esta conversación.
past-none-then = No se ha hecho nada así en esta conversación ({ $when }).
past-reminder = { $state ->
    [waiting] El recordatorio de { $name } está puesto: { $when }.
    [delivered] El recordatorio de { $name } se entregó: { $when }.
    [missed] El recordatorio de { $name } se perdió: { $when }.
   *[cancelled] El recordatorio de { $name } ({ $when }) se retiró.
  }
past-no-reminder-for = No hay ningún recordatorio para { $name }.
past-no-reminder = No hay ningún recordatorio.
past-cut-off = Tu mensaje anterior se interrumpió después de:
past-undone-since = (deshecho después)

## Agents

delegated = Delegada: { $name } ({ $who })
resumed = Reanudada: { $name } ({ $who })
cancelled = Cancelada: { $name } ({ $who })
cancel-requested = Cancelación solicitada: { $name } ({ $who }); aún puede llegar algún resultado
run-waiting = A la espera de un agente libre: { $name } ({ $who })
run-working = Sigue en curso: { $name } ({ $who })
run-failed = El agente no pudo terminar: { $name } – { $reason }
run-fault = { $why ->
    [rejected] el agente no pudo hacerlo: { $said }
    [contradicted] su informe cita una llamada que no se hizo o que falló
    [no_report] no entregó ningún informe
    [timeout] se le acabó el tiempo
    [limit] llegó al límite de un trabajo
    [unavailable] no se pudo contactar con el proveedor { $provider }
   *[other] hubo un error
  }
run-interrupted = Resultado desconocido: { $name } ({ $who }) – se interrumpió. Di "continúa con el agente en { $name }" para seguir.
run-asks = El agente pregunta: { $name } ({ $who }) – { $question } Di "continúa con { $persona } en { $name }: …" para responder.
run-finished = El agente ha terminado: { $name }
run-reported = { $persona } informa
run-reported-unverified = { $persona } informa (sin verificar: no cita nada de lo que hizo)
nothing-delegated = No hay nada delegado.
delegations = Tienes { $count ->
    [one] { $count } delegación
   *[other] { $count } delegaciones
  }:
run-state = { $state ->
    [pending] en espera
    [running] en curso
    [input_required] espera respuesta
    [completed] terminada
    [failed] fallida
    [cancelled] cancelada
    [stopping] cancelándose
   *[interrupted] interrumpida
  }
agent-stands = { $agent }: { run-state }
agents = Puedes encargar tareas a estos agentes:
agent-which-task = ¿A qué tarea te refieres? Dime su título.
agent-busy = { $agent } sigue trabajando en { $name }. Di "márcalo como hecho de todos modos" para completarla tú.
agent-ended = No hay nada que parar: la delegación de { $name } ha terminado ({ $state }).
agent-preview = Vista previa, no se ha iniciado nada: { $name } → { $persona } en { $provider }
agent-which = ¿Cuál? Hay agentes trabajando en { $names }.
agent-none-yet = Aún no se ha delegado nada.
agent-no-match = Ninguna delegación coincide con { $name }.
agent-none-such = No existe esa delegación.
agent-at-work = { $agent } sigue trabajando en { $name }.
agent-none-to-resume = No hay ningún agente así con el que continuar.
agent-unknown = No hay ningún agente '{ $agent }'.
agent-no-handle = { $handle } no existe.
agent-asks-nothing = { $handle } no pregunta nada.
agent-no-task = Ninguna tarea coincide con { $name }.
agent-not-found = El agente "{ $agent }" no existe. Agentes disponibles: { $names }
agent-disabled = El agente "{ $agent }" está desactivado. Actívalo en la configuración de agentes.
agent-no-model = No hay ningún modelo configurado para "{ $model }": omítelo o indica proveedor:modelo.
agent-no-provider = No hay ningún proveedor configurado.
agent-none-available = No hay ningún proveedor disponible: { $names }.
agent-provider-unavailable = El proveedor '{ $provider }' no está disponible: { $why }. Disponibles: { $names }.
agent-provider-meant = ¿Te refieres a { $meant }?
agent-provider-lacks = El proveedor '{ $provider }' no tiene el modelo '{ $model }'. Tiene: { $names }.
agent-provider-why = { $why ->
    [disabled] desactivado
    [busy] ocupado
    [missing] no configurado
   *[unhealthy] con fallos
  }
agent-names-none = ninguno
agent-outside-root = No se trabaja fuera de las carpetas permitidas: { $path }. La carpeta tiene que ser una que permita el operador.
agent-means-other = ¿Te refieres a { $name }? Dilo otra vez con ese título exacto.
agent-no-todo = No hay ninguna tarea { $name }.
agent-is-another = { $agent } es un { $persona }, no '{ $other }': continúa con { $persona }.
worker-reading = Archivos que leo: { $read } de { $total }
worker-found = Archivos leídos para "{ $name }": { $read } de { $total }; { $found ->
    [0] ninguno dice nada sobre ello
   *[other] con algo sobre ello: { $found }
  }.
worker-no-files = La carpeta no tiene ningún archivo, así que no hay nada sobre "{ $name }".
worker-nothing-in = - { $path }: nada sobre ello. Empieza así: "{ $line }"
worker-empty = (vacío)
worker-from-task = Me pidieron: "{ $name }". No tengo archivos; la tarea misma tiene { $count ->
    [one] { $count } línea
   *[other] { $count } líneas
  }, sobre ello: { $found }. No se consultó nada más.
worker-rejects = Me pidieron: "{ $name }". No tengo fuentes: no hay ninguna carpeta de trabajo configurada (workspace_roots en candor.toml), y por mí mismo no sé nada. No se consultó nada.
worker-no-sources = No había fuentes con las que trabajar.
