# Words of the web page in Portuguese. See en.ftl.

## Page

page-language = Idioma
page-pair = { $name }: { $what }
page-quoted = “{ $text }”
page-skip-message = Ir para o campo de mensagem
page-skip-tasks = Ir para as tarefas
page-home = , para a conversa
page-views = Seções
page-chat = Chat
page-tasks = Tarefas
page-audit = Registro
page-agents = Agentes
page-ghosts = { $count ->
    [one] fantasma barrado
   *[other] fantasmas barrados
  }
page-ghosts-about = { $ghosts }: afirmações do modelo sem nada que as comprove
page-dark = Cores escuras
page-shortcuts = Atalhos de teclado
page-unreachable = Não foi possível falar com o servidor.
page-try-again = Tentar de novo
page-close = Fechar
page-cancel = Cancelar
page-dismiss = Dispensar
page-show-more = Mostrar mais
page-today = hoje
page-tomorrow = amanhã
page-yesterday = ontem

## Page: who is here

page-you-are = Você é
page-sign-in = Entrar
page-sign-out = Sair
page-change = Trocar
page-who = Quem é você?
page-change-user = Trocar de usuário
page-ask-key = Este servidor quer saber quem chama: informe uma chave de API (candor token create cria uma) ou um token assinado. Ele diz quem você é.
page-one-user = A lista, as conversas e o registro são de um único usuário.
page-user = Usuário
page-every-user = Esta chave vale para todos os usuários: diga para qual.
page-key = Chave de API ou token
page-key-unchecked = Não foi possível verificar a chave: tente de novo.
page-remember = Lembrar neste dispositivo
page-remember-else = (senão, só nesta aba)
page-forget-key = Esquecer a chave
page-go-on = Continuar

## Page: keys

page-keys = Teclas
page-key-message = Escrever uma mensagem
page-key-down = Para baixo: próxima tarefa, mensagem ou rodada
page-key-up = Para cima: a anterior
page-key-undo = Desfazer a última alteração
page-key-keys = Estas teclas
page-key-move = Mover-se dentro de uma lista
page-key-leave = Sair de um campo ou formulário; a partir das mensagens, escrever uma
page-single-keys = Teclas isoladas funcionam fora dos campos

## Page: the conversation

page-conversations = Conversas
page-conversation = Conversa
page-new-conversation = Nova conversa
page-messages = Mensagens
page-message = Mensagem
page-message-hint = Adicione, mude, pergunte…
page-send = Enviar
page-promise = O que ele diz que fez vem do que foi salvo, e de nada mais.
page-welcome = O que deve ser lembrado?
page-welcome-more = Escreva como a uma pessoa. O que é salvo vem com um recibo; onde nada foi salvo, nada é afirmado.
page-suggestions = Sugestões
# These five are said to the chat, which has to understand them.
page-offer-add = adicione comprar leite para amanhã
page-offer-more = adicione ligar para o dentista na sexta
page-offer-list = o que tem na minha lista?
page-offer-help = o que você pode fazer?
page-undo-word = desfazer
page-you = Você
page-earlier = Mensagens anteriores
page-unknown-if-saved = Não foi possível falar com o servidor. Não se sabe se isto foi salvo; tentar de novo executa uma vez só.
page-was-stopped = Foi interrompido.
page-progress = Andamento
page-reading-words = Lendo suas palavras
page-asking-model = Perguntando ao modelo
page-call-refused = { $what }: recusado, suas palavras não pedem isso
page-still-at-work = Ainda em andamento, desde antes de a página ser carregada
page-line-lost = A conexão caiu; perguntando de novo, nada é executado duas vezes
page-receipt-lost = O recibo não foi encontrado.
page-not-undone = Não desfeito

## Page: what a tool does, what was asked for, what was done

page-doing-add = Adicionando uma tarefa
page-doing-list = Lendo a lista
page-doing-update = Alterando uma tarefa
page-doing-complete = Marcando uma tarefa como concluída
page-doing-delete = Apagando uma tarefa
page-doing-undo = Desfazendo uma alteração
page-doing-ask = Perguntando a você
page-doing-delegate = Passando uma tarefa a um agente
page-doing-cancel = Parando um agente
page-doing-output = Lendo o resultado de um agente
page-doing-runs = Lendo o que os agentes fazem
page-wish-add = para adicionar uma tarefa
page-wish-list = para ler a lista
page-wish-update = para alterar uma tarefa
page-wish-complete = para marcar uma tarefa como concluída
page-wish-delete = para apagar uma tarefa
page-wish-undo = para desfazer uma alteração
page-wish-ask = para perguntar a você
page-wish-delegate = para passar uma tarefa a um agente
page-wish-cancel = para parar um agente
page-wish-output = para ler o resultado de um agente
page-wish-runs = para ler o que os agentes fazem
page-did-add = Adicionada
page-did-list = Lista lida
page-did-update = Atualizada
page-did-complete = Concluída
page-did-delete = Apagada
page-did-undo = Desfeito
page-did-history = Histórico lido
page-did-delegate = Passada a um agente
page-did-cancel = Agente parado
page-did-output = Resultado de um agente lido
page-did-runs = Trabalhos dos agentes lidos

## Page: a reply

page-receipt = Recibo
page-receipt-of = Recibo de
page-read-from-list = Lido da sua lista
page-question = Pergunta
page-saved-and-question = Salvo, e uma pergunta
page-not-done = Não feito
page-done-in-part = Feito em parte
page-only-chat = Conversa, nada foi alterado
page-undo = Desfazer
page-undone = Desfeito
page-undone-since = { $changes }, tudo desfeito depois
page-changes = { $count ->
    [one] alteração
   *[other] alterações
  }
page-tasks-counted = { $count ->
    [one] tarefa
   *[other] tarefas
  }
page-runs-counted = { $count ->
    [one] trabalho
   *[other] trabalhos
  }
page-calls-refused = { $count ->
    [one] chamada recusada
   *[other] chamadas recusadas
  }
page-not-called = Suas palavras pedem { $wishes }, e o modelo não chamou { $tools }, seja lá o que tenha dito.
page-only-receipts = Só foi salvo o que tem recibo.
page-nothing-changed = Nada foi alterado.
page-answers = Respostas
page-left-out = deixado de fora
page-how-it-came = Como se chegou a isto

## Page: a receipt

page-reading-log = Lendo o registro…
page-whole-turn = A rodada inteira
page-committed = Salvo
page-by = Por
page-event = Evento
page-event-number = nº { $number } do registro
page-a-reading = Uma leitura
page-status = Situação
page-priority = Prioridade
page-assignee = Responsável
page-none = nenhum
page-hash-fits = O evento tem o hash do seu conteúdo.
page-hash-differs = O conteúdo do evento não corresponde ao seu hash.
page-leaf = É a folha { $leaf } de uma árvore de { $events }: chega-se à raiz com { $hashes } ao lado do seu caminho.
page-events-counted = { $count ->
    [one] evento
   *[other] eventos
  }
page-hashes-counted = { $count ->
    [one] hash
   *[other] hashes
  }
page-no-root = Seu caminho não leva à raiz da árvore.
page-cant-check = Este navegador não consegue verificar
page-proof = Prova, verificada neste navegador
page-event-written = O evento como está no registro
page-hashes = Seus hashes
page-hash-own = próprio
page-hash-before = anterior
page-hash-beside = ao lado
page-checkpoint = O ponto de verificação
page-checkpoint-more = Sua assinatura precisa da chave pública do servidor: candor audit verify --proof a verifica.
page-log = O registro

## Page: the list

page-task-list = Lista de tarefas
page-new-task = Nova tarefa
page-add = Adicionar
page-filter-tasks = Filtrar as tarefas
page-filter = Filtrar
page-which-tasks = Quais tarefas
page-open = Abertas
page-done = Concluídas
page-all = Todas
page-counts = Abertas: { $open }, concluídas: { $done }
page-overdue = Atrasadas
page-next-days = Próximos sete dias
page-later = Mais tarde
page-no-day = sem dia
page-no-match = Nenhuma tarefa tem essas palavras.
page-nothing-open = Nada em aberto. Muito bem.
page-list-empty = Sua lista está vazia.
page-list-hint = Diga “{ $words }” ou escreva um título acima.
page-marked-done = Marcada como concluída
page-reopened = Reaberta
page-updated = Atualizada
page-edit = Editar { $title }
page-heard-due = vence
page-heard-late = atrasada, venceu
page-title = Título
page-due = Vence
page-time = Hora
page-repeats = Repetição
page-note = Nota
page-save = Salvar
page-delete = Apagar
page-low = baixa
page-medium = média
page-high = alta
page-every-day = todo dia
page-every-days = a cada { $number } dias
page-every-week = toda semana
page-every-weeks = a cada { $number } semanas
page-every-month = todo mês
page-every-months = a cada { $number } meses
page-every-year = todo ano
page-every-years = a cada { $number } anos
page-every-weekday = todo dia útil
page-every-named = toda semana: { $days }
page-on-days = { $every }: { $days }
page-on-day = { $every }, no dia { $count ->
   *[other] { $day }
  }
page-on-last-day = { $every }, no último dia
page-until = { $every } até { $day }
page-times = { $every }, { $count ->
    [one] última vez
   *[other] { $number } vezes
  }

## Page: reminders

page-reminders = Lembretes
page-reminder = Lembrete
page-reminders-here = Os lembretes aparecem aqui enquanto a página está aberta.
page-notify = Mostrar também notificações
page-no = Não
page-late = { $time }, { $duration } de atraso
page-dismiss-reminder = Dispensar o lembrete

## Page: a call in words

page-number = nº { $number }
page-a-task = uma tarefa
page-an-agent = um agente
page-new-agent = { $name } (novo)
page-a-call = Uma chamada
page-due-on = vence { $day }
page-due-at = { $due } às { $time }
page-of-priority = prioridade { $priority }
page-title-is = título { $title }
page-repeating = se repete
page-with-reminder = com lembrete
page-with-note = com nota
page-without-note = sem nota
page-with-words = com as palavras { $words }
page-is-done = concluída
page-is-open = aberta
page-given-to = passada a { $agent }
page-call-add = Adicionar { $what }
page-call-change = Alterar { $what }
page-call-complete = Marcar { $what } como concluída
page-call-delete = Apagar { $what }
page-call-undo = Desfazer a última alteração
page-call-ask = Perguntar a você
page-call-list = Ler a lista
page-call-resume = Continuar com { $what }
page-call-delegate = Passar { $what } a { $agent }
page-call-output = Ler o resultado de { $run }
page-call-cancel = Parar { $run }
page-call-runs = Ler o que os agentes fazem
page-call-of = Uma chamada de { $name }
page-call-unfit = Uma chamada de { $name } com argumentos que não servem
page-as-written = Como foi escrita

## Page: the audit

page-turns = Rodadas
page-turn = A rodada
page-turns-counted = { $count ->
    [one] rodada
   *[other] rodadas
  }
page-verify = Verificar a cadeia
page-checking = Verificados até agora: { $events }…
page-broken = Evento { $number }: { $fault }. Os eventos anteriores ({ $checked }) estão como foram escritos.
page-fault-missing = falta o evento { $number }
page-fault-order = está fora de ordem
page-fault-link = não segue o evento anterior
page-fault-hash = seu conteúdo não corresponde ao seu hash
page-unbroken = Tudo está como foi escrito, nesta ordem e sem lacunas: { $events }. Topo { $hash }
page-not-checked = Não verificado
page-nothing-said = Nada foi dito
page-nothing-said-yet = Nada foi dito ainda.
page-back-turns = ← Todas as rodadas
page-how-turn = Como se chegou a esta rodada
page-no-model = nenhum modelo
page-you-said = Você disse
page-asked-for = Pedido
page-asked-rest = Pedido diretamente, fora da conversa
page-erased = As palavras foram apagadas
page-model = O modelo
page-proposed = { $model } propôs
page-said = { $model } disse
page-nothing = Nada.
page-unshown = O modelo disse, e ninguém viu
page-refused = Recusado
page-why-ghost = Uma chamada era esperada e não veio: uma afirmação sem recibo.
page-why-asserts = Afirma algo sem nada que o comprove.
page-why-ask = Uma afirmação dentro de uma pergunta.
page-why-offer = Uma oferta que o próprio servidor tem de fazer, com os títulos nela.
page-why-unchecked = Não pôde ser verificado, por isso não foi mostrado.
page-allowed = O que foi permitido, e no que deu
page-was-committed = salvo
page-was-unchanged = nada a alterar
page-was-asked = você foi consultado antes
page-was-refused = recusado
page-read = Lido
page-receipt-number = Recibo nº { $number }
page-receipt-number-of = Recibo nº { $number } de: { $what }
page-told = O que foi dito a você
page-proven = comprovado
page-unproven = não comprovado
page-claims-nothing = não afirma nada
page-holds = Calculado de novo a partir do registro. Eventos { $first } a { $last }.
page-holds-word-for-word = Calculado de novo a partir do registro, igual palavra por palavra. Eventos { $first } a { $last }.
page-does-not-hold = Não é o que o registro diz.

## Page: the agents

page-runs = Trabalhos
page-the-run = O trabalho
page-hand-task = Passar uma tarefa a um agente
page-task = Tarefa
page-agent = Agente
page-what-to-do = O que fazer, se o título não disser
page-hand-over = Passar
page-nothing-to-hand = Não há tarefa aberta para passar.
page-no-runs = Nenhum agente recebeu nada ainda.
page-no-runs-hint = Diga, por exemplo, “delegue pesquisar hotéis ao researcher”.
page-pending = pendente
page-running = em andamento
page-input-required = espera uma resposta
page-completed = concluído
page-failed = falhou
page-cancelled = cancelado
page-interrupted = interrompido
page-run-is = { $run }: { $state }
page-being-stopped = sendo parado
page-begun = Início
page-ended = Fim
page-took = Duração
page-the-model = Modelo
page-run = Trabalho
page-round = { $run }, volta { $round }
page-calls = Chamadas
page-calls-counted = { $count ->
    [one] chamada
   *[other] chamadas
  }
page-back-runs = ← Todos os trabalhos
page-result = Resultado
page-reports = Ele relata ({ $how })
page-verified = verificado
page-unverified = não verificado
page-contradicted = desmentido
page-run-notes = Notas pelo caminho
page-prompt = O que foi dito a ele
page-evidence = Provas
page-no-evidence = Ele não cita nenhuma chamada própria.
page-stop = Parar
page-run-stopped = { $run } foi parado
page-accept = Aceitar
page-reject = Rejeitar
page-accepted = Aceito
page-rejected = Rejeitado
page-go-on-with = Continuar com isto
page-next = O que { $agent } deve fazer agora?
