# Replies in Portuguese. See en.ftl.

## Days, times and values

weekday = { $weekday ->
    [1] seg.
    [2] ter.
    [3] qua.
    [4] qui.
    [5] sex.
    [6] sáb.
   *[7] dom.
  }
day = { weekday } { $day }/{ $month }/{ $year }
day-listed = { $day }/{ $month }/{ $year }
on-day = em { $day }
days = de { $from } a { $to }
days-from = a partir de { $from }
due = prazo { $when }
no-due-date = sem prazo
priority-word = { $priority ->
    [low] prioridade baixa
    [high] prioridade alta
   *[medium] prioridade média
  }
priority = prioridade { $priority ->
    [low] baixa
    [high] alta
   *[medium] média
  }
priority-changed = prioridade: { $priority ->
    [low] baixa
    [high] alta
   *[medium] média
  }
status-word = { $status ->
    [completed] concluída
   *[pending] pendente
  }

## Reminders

reminder = lembrete { $when }
no-reminder = sem lembrete
reminder-missed = Lembrete perdido: { $name }, { $when }.
reminder-stays = O lembrete de { $name } continua: { $when }.
nobody-listening = Ainda não há quem receba os avisos: deixe a página aberta ou defina CANDOR_WEBHOOK_URL.
reminders-rule = Só aviso quando a confirmação diz "lembrete".
no-alarm = Não, não tenho alarme: guardo o dia, e a hora fica no título.

## Repetitions

# The attributes agree with the weekday: "na 1ª terça-feira", "no 1º domingo".
weekday-name = { $weekday ->
    [1] segunda-feira
    [2] terça-feira
    [3] quarta-feira
    [4] quinta-feira
    [5] sexta-feira
    [6] sábado
   *[7] domingo
  }
    .ending = { $weekday ->
        [6] o
        [7] o
       *[1] a
      }
    .mark = { $weekday ->
        [6] º
        [7] º
       *[1] ª
      }
month-name = { $month ->
    [1] janeiro
    [2] fevereiro
    [3] março
    [4] abril
    [5] maio
    [6] junho
    [7] julho
    [8] agosto
    [9] setembro
    [10] outubro
    [11] novembro
   *[12] dezembro
  }
list-and = { $before } e { $last }
repeat-every = { $unit ->
    [day] { $interval ->
        [1] todos os dias
       *[other] a cada { $interval } dias
      }
    [week] { $interval ->
        [1] todas as semanas
       *[other] a cada { $interval } semanas
      }
    [month] { $interval ->
        [1] todos os meses
       *[other] a cada { $interval } meses
      }
   *[year] { $interval ->
        [1] todos os anos
       *[other] a cada { $interval } anos
      }
  }
repeat-workdays = de segunda a sexta
repeat-weekdays = a cada { $days }
repeat-on-weekdays = { $every }: { $days }
repeat-on-day = { $every } no dia { $day ->
    [1] 1º
   *[other] { $day }
  }
repeat-on-last-day = { $every } no último dia
repeat-on-last-weekday = { $every } n{ weekday-name.ending } últim{ weekday-name.ending } { weekday-name }
repeat-on-nth = { $every } n{ weekday-name.ending } { $nth }{ weekday-name.mark } { weekday-name }
repeat-on-date = { $every } no dia { $day ->
    [1] 1º
   *[other] { $day }
  } de { month-name }
repeat-until = { $rule } até { $when }
repeat-times = { $rule }, { $count ->
    [1] última vez
   *[other] { $count } vezes
  }

## What was done

added = Adicionada: { $name }
deleted = Apagada: { $name }
updated = Atualizada: { $name }
marked-done = Concluída: { $name }
reopened = Reaberta: { $name }
changed = Alteração feita.
next = próxima: { $when }
renamed-from = renomeada: antes era { $name }
no-longer-repeats = não se repete mais
taken-back = retirada do agente
note-added = nota adicionada
note-changed = nota alterada
note-removed = nota removida
no-note = sem nota
note-told = nota: { $note }
undone = Desfeito: { $what }
undone-deletion = { $name } está de volta à lista
undone-addition = { $name } não está mais na lista
done-again = concluída de novo
pending-again = pendente de novo
as-before = como antes
changes-counted = { $count ->
    [1] { $count } alteração
   *[other] { $count } alterações
  }
runs-counted = { $count ->
    [1] { $count } execução
   *[other] { $count } execuções
  }

## Listings

tasks = { $count } { $count ->
    [1] tarefa
   *[other] tarefas
  }{ $status ->
    [pending] {" "}{ $count ->
        [1] pendente
       *[other] pendentes
      }
    [completed] {" "}{ $count ->
        [1] concluída
       *[other] concluídas
      }
    [overdue] {" "}{ $count ->
        [1] atrasada
       *[other] atrasadas
      }
   *[all] {""}
  }{ $priority ->
    [low] {" "}de prioridade baixa
    [medium] {" "}de prioridade média
    [high] {" "}de prioridade alta
   *[any] {""}
  }
list-empty = A sua lista está vazia.
you-have = Você tem { $what }
you-have-none = Você não tem tarefas{ $status ->
    [pending] {" "}pendentes
    [completed] {" "}concluídas
    [overdue] {" "}atrasadas
   *[all] {""}
  }{ $priority ->
    [low] {" "}de prioridade baixa
    [medium] {" "}de prioridade média
    [high] {" "}de prioridade alta
   *[any] {""}
  }{ $conditions } ({ $total } no total).
condition-due = com prazo { $when }
condition-undated = sem prazo
condition-matching = com { $query }
with-colon = { $head }:
more-tasks = … e mais { $count }
one-match = Sim: { $task }
several-match = Sim, { $count } tarefas correspondem a { $query }:
no-match = Nenhuma tarefa corresponde a { $query } ({ $total } no total).
nothing-overdue = Nada está atrasado ({ $total ->
    [1] { $total } tarefa
   *[other] { $total } tarefas
  } no total).
nothing-due = Nada vence { $when } ({ $total ->
    [1] { $total } tarefa
   *[other] { $total } tarefas
  } no total).
nothing-undated = Nenhuma tarefa está sem prazo ({ $total } no total).

## Questions

yes = Sim
no = Não
or = ou
nothing-added = Nada foi adicionado.
nothing-deleted = Nada foi apagado.
nothing-changed = Nada foi alterado.
ask-add = Adicionar { $what }?
ask-add-another = { $name } já está na sua lista{ $extras }. Adicionar de novo?
ask-delete = Apagar { $what }?
ask-complete = Concluir { $what }?
ask-reopen = Reabrir { $what }?
ask-change = Alterar { $what }?
ask-rename = Renomear { $name } para { $new }?
ask-note = Definir a nota de { $name } como { $note }?
ask-undated = Tirar o prazo de { $name }?
ask-move = Mover { $name } para { $to }?
ask-move-from = Mover { $name } de { $from } para { $to }?
ask-repeat = Repetir { $name } { $rule }?
ask-stop-repeating = Parar de repetir { $name }?
ask-undo = Desfazer a última alteração ({ $names })?
ask-undo-latest = Desfazer a última alteração?
ask-instead-delete = Restaurar { $names } e apagar { $other }?
ask-instead-complete = Restaurar { $names } e concluir { $other }?
ask-instead-change = Restaurar { $names } e alterar { $other }?
ask-go-ahead = Prosseguir?
ask-all = { $count ->
    [2] Prosseguir com as duas?
   *[other] Prosseguir com todas as { $count }?
  }
ask-which = { $which }?
ask-which-of = { $which }: { $names }?
which-delete = Qual devo apagar
which-complete = Qual devo concluir
which-reopen = Qual devo reabrir
which-change = Qual devo alterar
ask-what-to-add = O que devo adicionar?
add-what-is-named = Posso adicionar o que você indicar: escreva "adicione farinha, ovos e leite".
ask-what-to-do = O que devo fazer com { $name }?
ask-what-to-change = O que devo alterar em { $name }?
already-in-week = { $day } já está na semana de { $week }.
one-list = Mantenho uma só lista: "{ $list }" não é uma lista à parte.
label-done = concluída em { $when }
label-added = adicionada em { $when }
rest-stays = O resto fica como estava.
one-question = Uma pergunta de cada vez: depois desta, peça o resto de novo.
say-which = A qual você se refere? Indique o título.
say-what-to-do = Não sei o que fazer: diga qual é a tarefa e o que fazer com ela.

## What stays as it was

already-done = A tarefa { $name } já estava concluída.
already-pending = { $name } já estava pendente.
already-so = { $name } já estava assim.
already-deleted = A tarefa { $name } já tinha sido apagada.
nothing-to-undo = Não há nada para desfazer.
was-already-added = A tarefa { $name } já tinha sido adicionada.
was-already-changed = A tarefa { $name } já tinha sido alterada.

## What failed

could-not = Não foi possível { $verb ->
    [add] adicionar
    [delete] apagar
    [complete] concluir
    [reopen] reabrir
    [update] alterar
    [delegate] delegar
    [read] ler
    [cancel] cancelar
    [list] listar
    [undo] desfazer
   *[do] fazer
  } { $what }: { $cause }.
nothing-on-list = Nada para { $verb ->
    [delete] apagar
    [complete] concluir
    [reopen] reabrir
   *[update] alterar
  }: a sua lista está vazia.
cause-deleted = já tinha sido apagada
cause-out-of-range = a lista não é tão longa
cause-none-such = não há nenhuma
cause-no-title = nenhuma tarefa com esse título
nearest = Mais parecidas: { $names }.
the-task = a tarefa
the-tasks = as tarefas
the-result = o resultado
the-delegation = a delegação
that = isso
named-number = o número { $number }
named-last = a última
named-from-end = o número { $number } a partir do fim
named-it = isso
named-them = essas
named-other = a outra
named-these = estas tarefas
named-others = as outras
named-rest = outras
named-tasks = { $status ->
    [completed] tarefas concluídas
    [overdue] tarefas atrasadas
    [pending] tarefas pendentes
   *[all] tarefas
  }
named-due = { $tasks } ({ $when })
named-undated = { $tasks } sem prazo
named-matching = { $tasks } com { $query }
named-level = { $tasks } de prioridade { $level ->
    [high] alta
    [low] baixa
   *[medium] média
  }
cause-title-empty = o título não pode ficar vazio
cause-title-long = o título é longo demais: { $length } caracteres, no máximo { $most }
cause-title-wrong = o título não é uma única linha de texto
cause-no-task = nenhuma tarefa foi indicada
cause-other-title = o título não é o que você indicou
cause-no-day = '{ $value }' não é um dia
cause-not-a-day = o prazo não é um dia válido
cause-other-date = a data não é a que você indicou
cause-other-time = a hora não é a que você indicou
cause-other-priority = a prioridade não é a que você indicou
option-word = { $word ->
    [low] baixa
    [medium] média
    [high] alta
    [pending] pendente
    [completed] concluída
   *[all] todas
  }
cause-not-one-of = '{ $value }' não está entre { $values }
cause-wrong-priority = a prioridade não está entre { $values }
cause-wrong-status = o estado não está entre { $values }
cause-day-past = { $day } está no passado: os prazos vão de { $from } a { $to }
cause-day-far = { $day } está longe demais: os prazos vão de { $from } a { $to }
cause-no-time = '{ $value }' não é uma hora
cause-not-a-time = não entendi a hora
cause-no-repetition = não consigo repetir uma tarefa '{ $value }'
cause-not-a-repetition = não consigo repetir uma tarefa dessa forma
cause-repetition-past = a repetição termina antes de hoje
cause-reminder-past = a hora do lembrete já passou
cause-reminder-far = o lembrete está a mais de três anos
cause-invalid = a chamada não era válida
cause-no-such-task = essa tarefa não existe
cause-already-done = a tarefa já está concluída
cause-agent-busy = { $agent } ainda está trabalhando em { $name }
cause-agent-at-work = { $agent } ainda está trabalhando ({ $run })
no-such-day = O dia "{ $words }" não existe: indique um que exista.
cut-off = O resto não foi feito: o servidor parou no meio. Diga de novo o que falta.
rest-not-taken = O resto não foi feito: o banco de dados não aceitou.
rest-overtaken = O resto não foi feito: a sua lista mudou nesse meio-tempo.
renamed-since = Não foi possível alterar { $name }: a tarefa mudou de nome nesse meio-tempo.
undo-overtaken = Não foi possível desfazer: { $name } foi alterada depois.
undo-stopped = Não foi possível desfazer: um agente parado não continua sozinho, mas pode ser retomado.
not-checked = Não foi possível verificar, por isso não foi feito.
answer-unchecked = Erro técnico: não foi possível verificar a resposta.
not-answered = Sem resposta: { $words }
refused = Não feito: o modelo queria { $deeds }; as suas palavras não pedem isso.
refused-add = { $count ->
    [1] adicionar uma tarefa
   *[other] adicionar { $count } tarefas
  }
refused-delete = { $count ->
    [1] apagar uma tarefa
   *[other] apagar { $count } tarefas
  }
refused-complete = { $count ->
    [1] concluir uma tarefa
   *[other] concluir { $count } tarefas
  }
refused-change = { $count ->
    [1] alterar uma tarefa
   *[other] alterar { $count } tarefas
  }
refused-undo = desfazer uma alteração
refused-line = { $verb ->
    [add] Não adicionei { $what }
    [delete] Não apaguei { $what }
    [complete] Não concluí { $what }
    [undo] Não desfiz nada
   *[change] Não alterei { $what }
  }: as suas palavras não pedem isso.
refused-some = { $count ->
    [one] uma tarefa
   *[other] { $count } tarefas
  }
left-out = Deixei de fora { $values }: as suas palavras não pedem isso.
left-out-value = { $value ->
    [title] o novo título
    [note] a nota
    [priority] a prioridade
    [day] o dia
    [time] a hora
    [repetition] a repetição
    [reminder] o lembrete
   *[status] o estado
  }
note-no-reminder = Nenhum lembrete definido: indique uma hora.
note-no-time = A hora não foi guardada.
note-day-only = Sem alarme: guardo o dia, não a hora.
note-time-in-title = Sem alarme: guardo o dia; a hora fica no título.
note-one-task = Sem repetição: não consigo repetir uma tarefa, esta é uma só.
note-no-such-repetition = Sem repetição: não consigo repetir uma tarefa dessa forma, esta é uma só.
note-no-repeat-end = O fim da repetição não foi guardado: ela continua até você pará-la.

## Talk

hello = Olá! O que posso fazer pela sua lista?
welcome = De nada!
goodbye = Até logo!
thank-you = Obrigado, que gentileza!
all-right = Tudo bem!
i-leave-it = Tudo bem, deixo como está.
nothing-waits = Não há nada aguardando um sim.
question-closed = Essa pergunta já está fechada: diga de novo o que quer.
nothing-to-do = Tudo bem, não é preciso fazer nada.
unsaid = Sobre isso não posso dizer nada com certeza.
help = Cuido da sua lista de tarefas. Escreva "adicione leite", "o que há na minha lista?", "marque leite como feito" ou "apague leite".
help-add = Escreva "adicione leite amanhã": as palavras são o título, o dia é o prazo.
help-list = Escreva "o que há na minha lista?".
help-update = Escreva "coloque a prioridade de leite em alta", "mova leite para sexta" ou "renomeie leite para leite de aveia".
help-complete = Escreva "marque leite como feito".
help-delete = Escreva "apague leite" com o título da tarefa. "desfazer" traz a tarefa de volta.
help-undo = Escreva "desfazer": desfaz a última alteração e, se repetir, a anterior. O que foi apagado pode ser recuperado durante 30 dias.
help-language = Respondo na língua em que você escreve: português, alemão, espanhol, francês, inglês, italiano ou urdu romanizado.
if-a-task = Uma tarefa
if-deleted = { $what } sairia da sua lista; "desfazer" funciona durante 30 dias.
if-completed = { $what } passaria para as tarefas concluídas e ficaria na lista; com "desfazer" volta a ser como antes.
if-changed = { $what } teria o novo valor; com "desfazer" volta a ser como antes.

## Answers about the past and the present

past-nothing = Nada foi alterado nesta conversa.
past-no-effect = Não, nada foi alterado.
past-yes = Sim:
past-no = Não:
past-receipt = { $answer }. { $line }
past-partly = Em parte: sim para { $yes }; não para { $no }.
past-list-empty = A sua lista está vazia.
past-still-listed = { $count ->
    [1] { $count } tarefa ainda está na sua lista.
   *[other] { $count } tarefas ainda estão na sua lista.
  }
past-done-of = Tarefas concluídas: { $done } de { $count }.
past-on-list = { $name } está na sua lista.
past-still-on-list = { $name } ainda está na sua lista.
past-another-on-list = outra tarefa { $name } está na sua lista
past-is-due = O prazo de { $name } é { $when }.
past-is-undated = { $name } não tem prazo.
past-has-priority = { $name } tem prioridade { $priority ->
    [low] baixa
    [high] alta
   *[medium] média
  }.
past-is-done = A tarefa { $name } está concluída.
past-is-pending = { $name } ainda está pendente.
past-is-reopened = { $name } está pendente (reaberta { $when }).
past-nothing-on-record = Não consta nenhuma alteração em { $name }.
past-not-that = Não consta que isso tenha sido feito em { $name }.
past-last-change = A última alteração em { $name }: { $line }
past-time = { $date ->
    [none] às { $time }
   *[other] em { $date } às { $time }
  }
past-at = { $when }
past-elsewhere = fora desta conversa
past-since = alterada { $when }: { $changes }
past-later = { $deed ->
    [undo] desfeita
    [delete] apagada
    [reopen] reaberta
   *[complete] concluída
  } { $when }
past-and-then = { $before }; { $after }
past-only = Não, só { $count } nesta conversa:
past-counted = { $count } nesta conversa:
past-unknown = Não. Nada foi feito com { $name }.
past-none-added = Nada foi adicionado nesta conversa.
past-none-deleted = Nada foi apagado nesta conversa.
past-none-completed = Nada foi concluído nesta conversa.
past-none-moved = Nada foi movido nesta conversa.
past-none-renamed = Nada foi renomeado nesta conversa.
past-none-changed = Nada foi alterado nesta conversa.
past-none-such = Nada parecido foi feito nesta conversa.
past-none-then = Nada parecido foi feito nesta conversa ({ $when }).
past-reminder = { $state ->
    [waiting] O lembrete de { $name } está marcado para { $when }.
    [delivered] O lembrete de { $name } foi entregue: { $when }.
    [missed] O lembrete de { $name } não foi entregue: { $when }.
   *[cancelled] O lembrete de { $name } ({ $when }) foi retirado.
  }
past-no-reminder-for = Nenhum lembrete está marcado para { $name }.
past-no-reminder = Nenhum lembrete está marcado.
past-cut-off = A sua mensagem anterior foi interrompida depois de:
past-undone-since = (desfeita depois)

## Agents

delegated = Delegada: { $name } ({ $who })
resumed = Retomada: { $name } ({ $who })
cancelled = Cancelada: { $name } ({ $who })
cancel-requested = Cancelamento pedido: { $name } ({ $who }); ainda pode chegar um resultado
run-waiting = Aguardando um agente livre: { $name } ({ $who })
run-working = Ainda em andamento: { $name } ({ $who })
run-failed = O agente não conseguiu terminar: { $name } – { $reason }
run-fault = { $why ->
    [rejected] o agente não conseguiu fazer: { $said }
    [contradicted] o relatório cita uma chamada que não foi feita ou que falhou
    [no_report] não entregou nenhum relatório
    [timeout] o tempo acabou
    [limit] chegou ao limite de um trabalho
    [unavailable] não foi possível contatar o provedor { $provider }
   *[other] houve um erro
  }
run-interrupted = Resultado desconhecido: { $name } ({ $who }) – o trabalho foi interrompido. Escreva "continue com o agente em { $name }" para prosseguir.
run-asks = O agente pergunta: { $name } ({ $who }) – { $question } Escreva "continue com { $persona } em { $name }: …" para responder.
run-finished = O agente terminou: { $name }
run-reported = { $persona } relatou
run-reported-unverified = { $persona } relatou (não verificado: não cita nada do que fez)
nothing-delegated = Nenhuma tarefa delegada.
delegations = Você tem { $count ->
    [1] { $count } delegação
   *[other] { $count } delegações
  }:
run-state = { $state ->
    [pending] em espera
    [running] em andamento
    [input_required] à espera de resposta
    [completed] concluída
    [failed] com falha
    [cancelled] cancelada
    [stopping] sendo interrompida
   *[interrupted] interrompida
  }
agent-stands = { $agent }: { run-state }
agents = Você pode delegar tarefas a estes agentes:
agent-which-task = A qual tarefa você se refere? Indique o título.
agent-busy = { $agent } ainda está trabalhando em { $name }. Escreva 'marque-o como feito mesmo assim' para concluir por conta própria.
agent-ended = Nada para parar: a delegação de { $name } já terminou ({ $state }).
agent-preview = Pré-visualização, nada foi iniciado: { $name } → { $persona } em { $provider }
agent-which = Qual? Os agentes trabalham em { $names }.
agent-none-yet = Nada foi delegado ainda.
agent-no-match = Nenhuma delegação corresponde a { $name }.
agent-none-such = Essa delegação não existe.
agent-at-work = { $agent } ainda está trabalhando em { $name }.
agent-none-to-resume = Não há nenhum agente assim com quem continuar.
agent-unknown = Não há nenhum agente '{ $agent }'.
agent-no-handle = { $handle } não existe.
agent-asks-nothing = { $handle } não pergunta nada.
agent-no-task = Nenhuma tarefa corresponde a { $name }.
agent-not-found = O agente "{ $agent }" não existe. Agentes disponíveis: { $names }
agent-disabled = O agente "{ $agent }" está desativado. Ative-o na configuração dos agentes.
agent-no-model = Nenhum modelo está configurado para "{ $model }": deixe-o de fora ou indique provedor:modelo.
agent-no-provider = Nenhum provedor está configurado.
agent-none-available = Nenhum provedor está disponível: { $names }.
agent-provider-unavailable = O provedor '{ $provider }' não está disponível: { $why }. Disponíveis: { $names }.
agent-provider-meant = Quis dizer { $meant }?
agent-provider-lacks = O provedor '{ $provider }' não tem o modelo '{ $model }'. Tem: { $names }.
agent-provider-why = { $why ->
    [disabled] desativado
    [busy] ocupado
    [missing] não configurado
   *[unhealthy] com falhas
  }
agent-names-none = nenhum
agent-outside-root = Não se trabalha fora das pastas permitidas: { $path }. A pasta precisa ser uma das que o operador permite.
agent-means-other = Você se refere a { $name }? Diga de novo com exatamente esse título.
agent-no-todo = Não há nenhuma tarefa { $name }.
agent-is-another = { $agent } é um { $persona }, não '{ $other }': continue com { $persona }.
worker-reading = Arquivos que leio: { $read } de { $total }
worker-found = Arquivos lidos para "{ $name }": { $read } de { $total }; { $found ->
    [0] nenhum fala disso
   *[other] com algo a respeito: { $found }
  }.
worker-no-files = A pasta não tem nenhum arquivo, então não há nada sobre "{ $name }".
worker-nothing-in = - { $path }: nada a respeito. Começa assim: "{ $line }"
worker-empty = (vazio)
worker-from-task = Foi pedido: "{ $name }". Não tenho arquivos; a própria tarefa tem { $count ->
    [one] { $count } linha
   *[other] { $count } linhas
  }; linhas a respeito: { $found }. Nada mais foi consultado.
worker-rejects = Foi pedido: "{ $name }". Não tenho fontes: nenhuma pasta de trabalho está configurada (workspace_roots em candor.toml), e por mim mesmo não sei nada. Nada foi consultado.
worker-no-sources = Não havia fontes.
