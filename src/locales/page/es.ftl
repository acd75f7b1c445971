# Words of the web page in Spanish. See en.ftl.

## Page

page-language = Idioma
page-pair = { $name }: { $what }
page-quoted = «{ $text }»
page-skip-message = Ir al campo del mensaje
page-skip-tasks = Ir a las tareas
page-home = , al chat
page-views = Vistas
page-chat = Chat
page-tasks = Tareas
page-audit = Registro
page-agents = Agentes
page-ghosts = { $count ->
    [one] fantasma detenido
   *[other] fantasmas detenidos
  }
page-ghosts-about = { $ghosts }: afirmaciones del modelo que nada demuestra
page-dark = Colores oscuros
page-shortcuts = Atajos de teclado
page-unreachable = No se puede llegar al servidor.
page-try-again = Probar otra vez
page-close = Cerrar
page-cancel = Cancelar
page-dismiss = Descartar
page-show-more = Mostrar más
page-today = hoy
page-tomorrow = mañana
page-yesterday = ayer

## Page: who is here

page-you-are = Eres
page-sign-in = Entrar
page-sign-out = Salir
page-change = Cambiar
page-who = ¿Quién eres?
page-change-user = Cambiar de usuario
page-ask-key = Este servidor quiere saber quién llama: da una clave de API (candor token create hace una) o un token firmado. Eso dice quién eres.
page-one-user = La lista, las conversaciones y el registro son de un solo usuario.
page-user = Usuario
page-every-user = Esta clave vale para todos los usuarios: di para cuál.
page-key = Clave de API o token
page-key-unchecked = No se pudo comprobar la clave: prueba otra vez.
page-remember = Recordar en este dispositivo
page-remember-else = (si no, solo en esta pestaña)
page-forget-key = Olvidar la clave
page-go-on = Continuar

## Page: keys

page-keys = Teclas
page-key-message = Escribir un mensaje
page-key-down = Abajo: la tarea, el mensaje o el turno siguiente
page-key-up = Arriba: el anterior
page-key-undo = Deshacer el último cambio
page-key-keys = Estas teclas
page-key-move = Moverse dentro de una lista
page-key-leave = Salir de un campo o formulario; desde los mensajes, escribir uno
page-single-keys = Las teclas sueltas funcionan fuera de los campos

## Page: the conversation

page-conversations = Conversaciones
page-conversation = Conversación
page-new-conversation = Conversación nueva
page-messages = Mensajes
page-message = Mensaje
page-message-hint = Añade, cambia, pregunta…
page-send = Enviar
page-promise = Lo que se anuncia como hecho sale de lo que se guardó, y de nada más.
page-welcome = ¿Qué hay que recordar?
page-welcome-more = Escribe como a una persona. Lo que se guarda viene con un recibo; donde no se guardó nada, no se afirma nada.
page-suggestions = Sugerencias
# These five are said to the chat, which has to understand them.
page-offer-add = añade comprar leche para mañana
page-offer-more = añade llamar al dentista para el viernes
page-offer-list = ¿qué hay en mi lista?
page-offer-help = ¿qué puedes hacer?
page-undo-word = deshacer
page-you = Tú
page-earlier = Mensajes anteriores
page-unknown-if-saved = No se puede llegar al servidor. No se sabe si esto se guardó; probar otra vez lo ejecuta una sola vez.
page-was-stopped = Se detuvo.
page-progress = Progreso
page-reading-words = Leyendo tu mensaje
page-asking-model = Preguntando al modelo
page-call-refused = { $what }: rechazado, tu mensaje no lo pide
page-still-at-work = Sigue en marcha desde antes de cargar la página
page-line-lost = Se cortó la conexión; se pregunta otra vez, nada se ejecuta dos veces
page-receipt-lost = No se encuentra su recibo.
page-not-undone = No se deshizo

## Page: what a tool does, what was asked for, what was done

page-doing-add = Añadiendo una tarea
page-doing-list = Leyendo la lista
page-doing-update = Cambiando una tarea
page-doing-complete = Marcando una tarea como hecha
page-doing-delete = Borrando una tarea
page-doing-undo = Deshaciendo un cambio
page-doing-ask = Preguntándote
page-doing-delegate = Encargando una tarea a un agente
page-doing-cancel = Deteniendo a un agente
page-doing-output = Leyendo el resultado de un agente
page-doing-runs = Leyendo qué hacen los agentes
page-wish-add = añadir una tarea
page-wish-list = leer la lista
page-wish-update = cambiar una tarea
page-wish-complete = marcar una tarea como hecha
page-wish-delete = borrar una tarea
page-wish-undo = deshacer un cambio
page-wish-ask = preguntarte algo
page-wish-delegate = encargar una tarea a un agente
page-wish-cancel = detener a un agente
page-wish-output = leer el resultado de un agente
page-wish-runs = leer qué hacen los agentes
page-did-add = Añadida
page-did-list = Lista leída
page-did-update = Cambiada
page-did-complete = Hecha
page-did-delete = Borrada
page-did-undo = Deshecho
page-did-history = Historial leído
page-did-delegate = Encargada a un agente
page-did-cancel = Agente detenido
page-did-output = Resultado de un agente leído
page-did-runs = Trabajos de los agentes leídos

## Page: a reply

page-receipt = Recibo
page-receipt-of = Recibo de
page-read-from-list = Leído de tu lista
page-question = Pregunta
page-saved-and-question = Guardado, y una pregunta
page-not-done = No se hizo
page-done-in-part = Hecho en parte
page-only-chat = Charla, no se cambió nada
page-undo = Deshacer
page-undone = Deshecho
page-undone-since = { $changes }, todo deshecho después
page-changes = { $count ->
    [one] cambio
   *[other] cambios
  }
page-tasks-counted = { $count ->
    [one] tarea
   *[other] tareas
  }
page-runs-counted = { $count ->
    [one] trabajo
   *[other] trabajos
  }
page-calls-refused = { $count ->
    [one] llamada rechazada
   *[other] llamadas rechazadas
  }
page-not-called = Tu mensaje pide { $wishes }, y el modelo no llamó a { $tools }, dijera lo que dijera.
page-only-receipts = Solo se guardó lo que tiene recibo.
page-nothing-changed = No se cambió nada.
page-answers = Respuestas
page-left-out = omitido
page-how-it-came = Cómo se llegó a esto

## Page: a receipt

page-reading-log = Leyendo el registro…
page-whole-turn = El turno entero
page-committed = Guardado
page-by = Por
page-event = Evento
page-event-number = n.º { $number } del registro
page-a-reading = Una lectura
page-status = Estado
page-priority = Prioridad
page-assignee = Responsable
page-none = ninguno
page-hash-fits = El evento tiene el hash de su contenido.
page-hash-differs = El contenido del evento no corresponde a su hash.
page-leaf = Es la hoja { $leaf } de un árbol de { $events }: su camino lleva a la raíz, con { $hashes } al lado.
page-events-counted = { $count ->
    [one] evento
   *[other] eventos
  }
page-hashes-counted = { $count ->
    [one] hash
   *[other] hashes
  }
page-no-root = Su camino no lleva a la raíz del árbol.
page-cant-check = Este navegador no puede comprobarlo
page-proof = Prueba, comprobada en este navegador
page-event-written = El evento tal como está en el registro
page-hashes = Sus hashes
page-hash-own = propio
page-hash-before = el anterior
page-hash-beside = al lado
page-checkpoint = El punto de control
page-checkpoint-more = Su firma necesita la clave pública del servidor: candor audit verify --proof la comprueba.
page-log = El registro

## Page: the list

page-task-list = Lista de tareas
page-new-task = Tarea nueva
page-add = Añadir
page-filter-tasks = Filtrar las tareas
page-filter = Filtrar
page-which-tasks = Qué tareas
page-open = Pendientes
page-done = Hechas
page-all = Todas
page-counts = pendientes: { $open }, hechas: { $done }
page-overdue = Vencidas
page-next-days = Próximos siete días
page-later = Más tarde
page-no-day = sin fecha
page-no-match = Ninguna tarea tiene esas palabras.
page-nothing-open = No queda nada pendiente. Bien hecho.
page-list-empty = Tu lista está vacía.
page-list-hint = Di «{ $words }» o escribe un título arriba.
page-marked-done = Marcada como hecha
page-reopened = Reabierta
page-updated = Cambiada
page-edit = Editar { $title }
page-heard-due = vence
page-heard-late = atrasada, vencía
page-title = Título
page-due = Vence
page-time = Hora
page-repeats = Repetición
page-note = Nota
page-save = Guardar
page-delete = Borrar
page-low = baja
page-medium = media
page-high = alta
page-every-day = cada día
page-every-days = cada { $number } días
page-every-week = cada semana
page-every-weeks = cada { $number } semanas
page-every-month = cada mes
page-every-months = cada { $number } meses
page-every-year = cada año
page-every-years = cada { $number } años
page-every-weekday = cada día laborable
page-every-named = cada { $days }
page-on-days = { $every }, el { $days }
page-on-day = { $every }, el día { $count ->
   *[other] { $day }
  }
page-on-last-day = { $every }, el último día
page-until = { $every } hasta el { $day }
page-times = { $every }, { $count ->
    [one] por última vez
   *[other] { $number } veces
  }

## Page: reminders

page-reminders = Recordatorios
page-reminder = Recordatorio
page-reminders-here = Los recordatorios aparecen aquí mientras la página está abierta.
page-notify = Mostrar también notificaciones
page-no = No
page-late = { $time }, con { $duration } de retraso
page-dismiss-reminder = Descartar el recordatorio

## Page: a call in words

page-number = n.º { $number }
page-a-task = una tarea
page-an-agent = un agente
page-new-agent = { $name } (nuevo)
page-a-call = Una llamada
page-due-on = vence { $day }
page-due-at = { $due } a las { $time }
page-of-priority = prioridad { $priority }
page-title-is = título { $title }
page-repeating = se repite
page-with-reminder = con recordatorio
page-with-note = con nota
page-without-note = sin nota
page-with-words = con las palabras { $words }
page-is-done = hecha
page-is-open = abierta
page-given-to = encargada a { $agent }
page-call-add = Añadir { $what }
page-call-change = Cambiar { $what }
page-call-complete = Marcar { $what } como hecha
page-call-delete = Borrar { $what }
page-call-undo = Deshacer el último cambio
page-call-ask = Preguntarte
page-call-list = Leer la lista
page-call-resume = Seguir con { $what }
page-call-delegate = Encargar { $what } a { $agent }
page-call-output = Leer el resultado de { $run }
page-call-cancel = Detener { $run }
page-call-runs = Leer qué hacen los agentes
page-call-of = Una llamada a { $name }
page-call-unfit = Una llamada a { $name } con argumentos que no encajan
page-as-written = Tal como se escribió

## Page: the audit

page-turns = Turnos
page-turn = El turno
page-turns-counted = { $count ->
    [one] turno
   *[other] turnos
  }
page-verify = Comprobar la cadena
page-checking = Comprobando: { $events }…
page-broken = Evento { $number }: { $fault }. Comprobados antes: { $checked }, todo tal como se escribió.
page-fault-missing = falta el evento { $number }
page-fault-order = no está en su lugar
page-fault-link = no sigue al evento anterior
page-fault-hash = su contenido no corresponde a su hash
page-unbroken = Todo está tal como se escribió, en este orden y sin huecos: { $events }. Cabeza { $hash }
page-not-checked = Sin comprobar
page-nothing-said = No se dijo nada
page-nothing-said-yet = Todavía no se ha dicho nada.
page-back-turns = ← Todos los turnos
page-how-turn = Cómo se llegó a este turno
page-no-model = ningún modelo
page-you-said = Dijiste
page-asked-for = Se pidió
page-asked-rest = Se pidió directamente, no en el chat
page-erased = Las palabras se borraron
page-model = El modelo
page-proposed = { $model } propuso
page-said = { $model } dijo
page-nothing = Nada.
page-unshown = El modelo dijo, y a nadie se le mostró
page-refused = Rechazado
page-why-ghost = Tocaba una llamada y no llegó ninguna: una afirmación sin recibo.
page-why-asserts = Afirma algo que nada demuestra.
page-why-ask = Una afirmación dentro de una pregunta.
page-why-offer = Una oferta que debe hacer el propio servidor, con los títulos en ella.
page-why-unchecked = No se pudo comprobar, así que no se mostró.
page-allowed = Qué se permitió y qué salió de ello
page-was-committed = guardado
page-was-unchanged = nada que cambiar
page-was-asked = se te preguntó antes
page-was-refused = rechazado
page-read = Leído
page-receipt-number = Recibo n.º { $number }
page-receipt-number-of = Recibo n.º { $number } de: { $what }
page-told = Lo que se te dijo
page-proven = demostrado
page-unproven = no demostrado
page-claims-nothing = no afirma nada
page-holds = Calculado de nuevo a partir del registro. Eventos { $first } a { $last }.
page-holds-word-for-word = Calculado de nuevo a partir del registro, igual palabra por palabra. Eventos { $first } a { $last }.
page-does-not-hold = No es lo que dice el registro.

## Page: the agents

page-runs = Trabajos
page-the-run = El trabajo
page-hand-task = Encargar una tarea a un agente
page-task = Tarea
page-agent = Agente
page-what-to-do = Qué hacer, si el título no lo dice
page-hand-over = Encargar
page-nothing-to-hand = No hay ninguna tarea pendiente que encargar.
page-no-runs = Todavía no se le ha dado nada a ningún agente.
page-no-runs-hint = Di, por ejemplo, «delega comparar hoteles al researcher».
page-pending = pendiente
page-running = en marcha
page-input-required = espera una respuesta
page-completed = terminado
page-failed = fallido
page-cancelled = cancelado
page-interrupted = interrumpido
page-run-is = { $run }: { $state }
page-being-stopped = deteniéndose
page-begun = Inicio
page-ended = Fin
page-took = Duración
page-the-model = Modelo
page-run = Trabajo
page-round = { $run }, ronda { $round }
page-calls = Llamadas
page-calls-counted = { $count ->
    [one] llamada
   *[other] llamadas
  }
page-back-runs = ← Todos los trabajos
page-result = Resultado
page-reports = Informe ({ $how })
page-verified = verificado
page-unverified = sin verificar
page-contradicted = desmentido
page-run-notes = Notas por el camino
page-prompt = Lo que se le dijo
page-evidence = Pruebas
page-no-evidence = No cita ninguna llamada propia.
page-stop = Detener
page-run-stopped = { $run } se detuvo
page-accept = Aceptar
page-reject = Rechazar
page-accepted = Aceptado
page-rejected = Rechazado
page-go-on-with = Seguir con ello
page-next = ¿Qué debe hacer { $agent } ahora?
