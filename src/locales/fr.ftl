# Replies in French. See en.ftl.

## Days, times and values

weekday = { $weekday ->
    [1] lun.
    [2] mar.
    [3] mer.
    [4] jeu.
    [5] ven.
    [6] sam.
   *[7] dim.
  }
day = { weekday } { $day }/{ $month }/{ $year }
day-listed = { $day }/{ $month }/{ $year }
on-day = le { $day }
days = du { $from } au { $to }
days-from = à partir du { $from }
due = pour le { $when }
no-due-date = sans échéance
priority-word = { $priority ->
    [low] basse
    [high] haute
   *[medium] moyenne
  }
priority = priorité { $priority ->
    [low] basse
    [high] haute
   *[medium] moyenne
  }
priority-changed = priorité : { $priority ->
    [low] basse
    [high] haute
   *[medium] moyenne
  }
status-word = { $status ->
    [completed] terminée
   *[pending] à faire
  }

## Reminders

reminder = rappel { $when }
no-reminder = sans rappel
reminder-missed = Rappel manqué : { $name }, { $when }.
reminder-stays = Le rappel de { $name } reste : { $when }.
nobody-listening = Pour l'instant, le rappel n'arrive à personne : garde la page ouverte ou configure CANDOR_WEBHOOK_URL.
reminders-rule = Je te préviens seulement si la confirmation indique "rappel".
no-alarm = Non, je n'ai pas d'alarme : je garde le jour, et l'heure reste dans le titre.

## Repetitions

weekday-name = { $weekday ->
    [1] lundi
    [2] mardi
    [3] mercredi
    [4] jeudi
    [5] vendredi
    [6] samedi
   *[7] dimanche
  }
month-name = { $month ->
    [1] janvier
    [2] février
    [3] mars
    [4] avril
    [5] mai
    [6] juin
    [7] juillet
    [8] août
    [9] septembre
    [10] octobre
    [11] novembre
   *[12] décembre
  }
list-and = { $before } et { $last }
repeat-every = { $unit ->
    [day] { $interval ->
        [1] chaque jour
       *[other] tous les { $interval } jours
      }
    [week] { $interval ->
        [1] chaque semaine
       *[other] toutes les { $interval } semaines
      }
    [month] { $interval ->
        [1] chaque mois
       *[other] tous les { $interval } mois
      }
   *[year] { $interval ->
        [1] chaque année
       *[other] tous les { $interval } ans
      }
  }
repeat-workdays = du lundi au vendredi
repeat-weekdays = chaque { $days }
repeat-on-weekdays = { $every } le { $days }
repeat-on-day = { $every } le { $day ->
    [1] 1er
   *[other] { $day }
  }
repeat-on-last-day = { $every } le dernier jour
repeat-on-last-weekday = { $every } le dernier { weekday-name }
repeat-on-nth = { $every } le { $nth ->
    [1] premier
    [2] deuxième
    [3] troisième
    [4] quatrième
   *[5] cinquième
  } { weekday-name }
repeat-on-date = { $every } le { $day ->
    [1] 1er
   *[other] { $day }
  } { month-name }
repeat-until = { $rule } jusqu'au { $when }
repeat-times = { $rule }, { $count ->
    [1] pour la dernière fois
   *[other] { $count } fois
  }

## What was done

added = Ajouté : { $name }
deleted = Supprimé : { $name }
updated = Modifié : { $name }
marked-done = Marqué comme fait : { $name }
reopened = Rouvert : { $name }
changed = Modification faite.
next = prochaine fois : { $when }
renamed-from = s'appelait { $name }
no-longer-repeats = ne se répète plus
taken-back = de nouveau à toi
note-added = note ajoutée
note-changed = note modifiée
note-removed = note supprimée
no-note = sans note
note-told = note : { $note }
undone = Annulé : { $what }
undone-deletion = { $name } est de nouveau sur la liste
undone-addition = { $name } n'est plus sur la liste
done-again = de nouveau fait
pending-again = de nouveau à faire
as-before = comme avant
changes-counted = { $count ->
    [one] { $count } modification
   *[other] { $count } modifications
  }
runs-counted = { $count ->
    [one] { $count } exécution
   *[other] { $count } exécutions
  }

## Listings

tasks = { $count } { $count ->
    [one] tâche{ $status ->
        [pending] {" "}à faire
        [completed] {" "}terminée
        [overdue] {" "}en retard
       *[all] {""}
      }
   *[other] tâches{ $status ->
        [pending] {" "}à faire
        [completed] {" "}terminées
        [overdue] {" "}en retard
       *[all] {""}
      }
  }{ $priority ->
    [low] {" "}de priorité basse
    [medium] {" "}de priorité moyenne
    [high] {" "}de priorité haute
   *[any] {""}
  }
list-empty = Ta liste de tâches est vide.
you-have = Tu as { $what }
you-have-none = Tu n'as aucune tâche{ $status ->
    [pending] {" "}à faire
    [completed] {" "}terminée
    [overdue] {" "}en retard
   *[all] {""}
  }{ $priority ->
    [low] {" "}de priorité basse
    [medium] {" "}de priorité moyenne
    [high] {" "}de priorité haute
   *[any] {""}
  }{ $conditions } ({ $total } au total).
condition-due = avec échéance { $when }
condition-undated = sans échéance
condition-matching = correspondant à { $query }
with-colon = { $head } :
more-tasks = … et { $count } de plus
one-match = Oui : { $task }
several-match = Oui, { $count } tâches correspondent à { $query } :
no-match = Aucune tâche ne correspond à { $query } ({ $total } au total).
nothing-overdue = Rien n'est en retard ({ $total ->
    [one] { $total } tâche
   *[other] { $total } tâches
  } au total).
nothing-due = Rien n'est prévu { $when } ({ $total ->
    [one] { $total } tâche
   *[other] { $total } tâches
  } au total).
nothing-undated = Aucune tâche n'est sans échéance ({ $total } au total).

## Questions

yes = Oui
no = Non
or = ou
nothing-added = Rien n'a été ajouté.
nothing-deleted = Rien n'a été supprimé.
nothing-changed = Rien n'a été modifié.
ask-add = Ajouter { $what } ?
ask-add-another = { $name } est déjà sur ta liste{ $extras }. Ajouter encore une fois ?
ask-delete = Supprimer { $what } ?
ask-complete = Terminer { $what } ?
ask-reopen = Rouvrir { $what } ?
ask-change = Modifier { $what } ?
ask-rename = Renommer { $name } en { $new } ?
ask-note = Mettre { $note } comme note de { $name } ?
ask-undated = Retirer l'échéance de { $name } ?
ask-move = Déplacer { $name } au { $to } ?
ask-move-from = Déplacer { $name } du { $from } au { $to } ?
ask-repeat = Répéter { $name } { $rule } ?
ask-stop-repeating = Ne plus répéter { $name } ?
ask-undo = Annuler la dernière modification ({ $names }) ?
ask-undo-latest = Annuler la dernière modification ?
ask-instead-delete = Rétablir { $names } et supprimer { $other } ?
ask-instead-complete = Annuler la modification de { $names } et terminer { $other } ?
ask-instead-change = Annuler la modification de { $names } et modifier { $other } ?
ask-go-ahead = Je le fais ?
ask-all = { $count ->
    [2] Faire les deux ?
   *[other] Faire les { $count } ?
  }
ask-which = { $which } ?
ask-which-of = { $which } : { $names } ?
which-delete = Laquelle veux-tu supprimer
which-complete = Laquelle veux-tu terminer
which-reopen = Laquelle veux-tu rouvrir
which-change = Laquelle veux-tu modifier
ask-what-to-add = Que veux-tu ajouter ?
add-what-is-named = Je peux ajouter ce que tu nommes : dis "ajoute farine, œufs et lait".
ask-what-to-do = Que dois-je faire de { $name } ?
ask-what-to-change = Que veux-tu modifier dans { $name } ?
already-in-week = Le { $day } est déjà dans la semaine du { $week }.
one-list = Je ne tiens qu'une seule liste : il n'y a pas de liste "{ $list }" à part.
label-done = faite le { $when }
label-added = ajoutée le { $when }
rest-stays = Le reste ne change pas.
one-question = Une question à la fois : redemande-moi le reste après celle-ci.
say-which = Laquelle veux-tu dire ? Donne-moi son titre.
say-what-to-do = Je ne sais pas quoi faire : dis-moi la tâche et ce que je dois en faire.

## What stays as it was

already-done = { $name } était déjà fait.
already-pending = { $name } était déjà à faire.
already-so = { $name } était déjà comme ça.
already-deleted = { $name } était déjà supprimé.
nothing-to-undo = Il n'y a rien à annuler.
was-already-added = { $name } était déjà ajouté.
was-already-changed = { $name } était déjà modifié.

## What failed

could-not = Impossible { $verb ->
    [add] d'ajouter
    [delete] de supprimer
    [complete] de terminer
    [reopen] de rouvrir
    [update] de modifier
    [delegate] de déléguer
    [read] de lire
    [cancel] d'arrêter
    [list] d'afficher
    [undo] d'annuler
   *[do] de faire
  } { $what } : { $cause }.
nothing-on-list = Rien à { $verb ->
    [delete] supprimer
    [complete] terminer
    [reopen] rouvrir
   *[update] modifier
  } : ta liste de tâches est vide.
cause-deleted = c'est déjà supprimé
cause-out-of-range = la liste n'est pas si longue
cause-none-such = il n'y en a pas
cause-no-title = aucune tâche n'a ce titre
nearest = Titres proches : { $names }.
the-task = la tâche
the-tasks = les tâches
the-result = le résultat
the-delegation = la délégation
that = cela
named-number = numéro { $number }
named-last = la dernière
named-from-end = numéro { $number } en partant de la fin
named-it = ça
named-them = celles-là
named-other = l'autre
named-these = ces tâches
named-others = les autres
named-rest = autres tâches
named-tasks = { $status ->
    [completed] tâches terminées
    [overdue] tâches en retard
    [pending] tâches à faire
   *[all] tâches
  }
named-due = { $tasks } ({ $when })
named-undated = { $tasks } sans échéance
named-matching = { $tasks } correspondant à { $query }
named-level = { $tasks } de priorité { $level ->
    [high] haute
    [low] basse
   *[medium] moyenne
  }
cause-title-empty = le titre ne peut pas être vide
cause-title-long = le titre est trop long : { $length } caractères, { $most } au maximum
cause-title-wrong = le titre doit tenir en une seule ligne de texte
cause-no-task = aucune tâche n'a été nommée
cause-other-title = ce n'est pas le titre que tu as dit
cause-no-day = '{ $value }' n'est pas un jour
cause-not-a-day = ce n'est pas une date valable
cause-other-date = ce n'est pas la date que tu as dite
cause-other-time = ce n'est pas l'heure que tu as dite
cause-other-priority = ce n'est pas la priorité que tu as dite
option-word = { $word ->
    [low] basse
    [medium] moyenne
    [high] haute
    [pending] à faire
    [completed] terminée
   *[all] toutes
  }
cause-not-one-of = '{ $value }' n'existe pas, seulement { $values }
cause-wrong-priority = cette priorité n'existe pas, seulement { $values }
cause-wrong-status = ce statut n'existe pas, seulement { $values }
cause-day-past = le { $day } est passé ; les échéances vont du { $from } au { $to }
cause-day-far = le { $day } est trop loin ; les échéances vont du { $from } au { $to }
cause-no-time = '{ $value }' n'est pas une heure
cause-not-a-time = je ne comprends pas l'heure
cause-no-repetition = je ne peux pas répéter une tâche '{ $value }'
cause-not-a-repetition = je ne peux pas répéter une tâche ainsi
cause-repetition-past = la répétition se termine avant aujourd'hui
cause-reminder-past = l'heure du rappel est déjà passée
cause-reminder-far = le rappel est dans plus de trois ans
cause-invalid = l'appel n'était pas valide
cause-no-such-task = cette tâche n'existe pas
cause-already-done = la tâche est déjà terminée
cause-agent-busy = { $agent } travaille encore sur { $name }
cause-agent-at-work = { $agent } travaille encore ({ $run })
no-such-day = Le jour "{ $words }" n'existe pas : dis-moi un jour qui existe.
cut-off = Impossible de faire le reste : le serveur s'est arrêté entre-temps. Redis ce qui manque.
rest-not-taken = Impossible de faire le reste : la base de données l'a refusé.
rest-overtaken = Impossible de faire le reste : ta liste a changé entre-temps.
renamed-since = Impossible de modifier { $name } : la tâche a été renommée entre-temps.
undo-overtaken = Impossible d'annuler : { $name } a été modifié depuis.
undo-stopped = Impossible d'annuler : un agent arrêté ne reprend pas tout seul, mais on peut le relancer.
not-checked = Impossible de le vérifier, donc rien n'a été fait.
answer-unchecked = Erreur technique : la réponse n'a pas pu être vérifiée.
not-answered = Sans réponse : { $words }
refused = Pas fait : le modèle voulait { $deeds } ; tu ne l'as pas demandé.
refused-add = { $count ->
    [1] ajouter une tâche
   *[other] ajouter { $count } tâches
  }
refused-delete = { $count ->
    [1] supprimer une tâche
   *[other] supprimer { $count } tâches
  }
refused-complete = { $count ->
    [1] terminer une tâche
   *[other] terminer { $count } tâches
  }
refused-change = { $count ->
    [1] modifier une tâche
   *[other] modifier { $count } tâches
  }
refused-undo = annuler une modification
refused-line = { $verb ->
    [add] Je n'ai pas ajouté { $what }
    [delete] Je n'ai pas supprimé { $what }
    [complete] Je n'ai pas terminé { $what }
    [undo] Je n'ai rien annulé
   *[change] Je n'ai pas modifié { $what }
  } : je ne vois pas ça dans ton message.
refused-some = { $count ->
    [one] la tâche
   *[other] les { $count } tâches
  }
left-out = J'ai laissé de côté { $values } : je ne vois pas ça dans ton message.
left-out-value = { $value ->
    [title] le nouveau titre
    [note] la note
    [priority] la priorité
    [day] le jour
    [time] l'heure
    [repetition] la répétition
    [reminder] le rappel
   *[status] l'état
  }
note-no-reminder = Aucun rappel : dis-moi une heure pour en mettre un.
note-no-time = L'heure n'a pas été gardée.
note-day-only = Pas d'alarme : je garde le jour, mais pas l'heure.
note-time-in-title = Pas d'alarme : je garde le jour ; l'heure reste dans le titre.
note-one-task = Pas de répétition : je ne peux pas répéter une tâche, celle-ci est unique.
note-no-such-repetition = Pas de répétition : je ne peux pas répéter une tâche ainsi, celle-ci est unique.
note-no-repeat-end = La fin de la répétition n'a pas été gardée : elle continue jusqu'à ce que tu l'arrêtes.

## Talk

hello = Bonjour ! Que puis-je faire pour ta liste ?
welcome = De rien !
goodbye = À bientôt !
thank-you = Merci, c'est gentil !
all-right = D'accord !
i-leave-it = D'accord, je n'y touche pas.
nothing-waits = Aucune question n'attend de réponse pour l'instant.
question-closed = Cette question est close : redis-moi ce que tu veux.
nothing-to-do = D'accord, rien à faire.
unsaid = Je ne peux rien dire de sûr à ce sujet.
help = Je m'occupe de ta liste de tâches. Dis "ajoute du lait", "qu'est-ce qu'il y a sur ma liste ?", "marque lait comme fait" ou "supprime lait".
help-add = Dis "ajoute du lait pour demain" : les mots sont le titre, le jour est l'échéance.
help-list = Dis "qu'est-ce qu'il y a sur ma liste ?", "qu'est-ce qu'il y a cette semaine sur ma liste ?" ou "est-ce qu'il y a du lait sur ma liste ?".
help-update = Dis "mets la priorité de lait à haute", "déplace lait à vendredi" ou "renomme lait en lait d'avoine".
help-complete = Dis "marque lait comme fait".
help-delete = Dis "supprime lait" avec le titre de la tâche. "annule" la rétablit.
help-undo = Dis "annule" : ça annule la dernière modification, puis celle d'avant si tu le redis. Une suppression peut être annulée pendant 30 jours.
help-language = Je réponds dans la langue dans laquelle tu écris : français, allemand, anglais, espagnol, italien, portugais ou ourdou romanisé.
if-a-task = Une tâche
if-deleted = { $what } disparaîtrait de ta liste ; "annule" fonctionne pendant 30 jours.
if-completed = { $what } resterait sur la liste comme tâche terminée ; "annule" revient en arrière.
if-changed = { $what } aurait la nouvelle valeur ; "annule" revient en arrière.

## Answers about the past and the present

past-nothing = Rien n'a été modifié dans cette conversation.
past-no-effect = Non, rien n'a été modifié.
past-yes = Oui :
past-no = Non :
past-receipt = { $answer }. { $line }
past-partly = En partie : oui pour { $yes } ; non pour { $no }.
past-list-empty = Ta liste est vide.
past-still-listed = { $count ->
    [one] Il reste { $count } tâche sur ta liste.
   *[other] Il reste { $count } tâches sur ta liste.
  }
past-done-of = { $done ->
    [one] { $done } tâche terminée
   *[other] { $done } tâches terminées
  } sur { $count }.
past-on-list = { $name } est sur ta liste.
past-still-on-list = { $name } est encore sur ta liste.
past-another-on-list = il y a une autre tâche { $name } sur ta liste
past-is-due = { $name } est pour le { $when }.
past-is-undated = { $name } n'a pas d'échéance.
past-has-priority = { $name } a une priorité { $priority ->
    [low] basse
    [high] haute
   *[medium] moyenne
  }.
past-is-done = { $name } est marqué comme fait.
past-is-pending = { $name } est encore à faire.
past-is-reopened = { $name } est à faire (rouvert : { $when }).
past-nothing-on-record = Aucune modification enregistrée pour { $name }.
past-not-that = Rien de tel n'a été fait pour { $name }.
past-last-change = Voici la dernière modification de { $name }. { $line }
past-time = { $date ->
    [none] { $time }
   *[other] { $date } { $time }
  }
past-at = { $when }
past-elsewhere = hors de cette conversation
past-since = modifié : { $when }, { $changes }
past-later = { $deed ->
    [undo] annulé
    [delete] supprimé
    [reopen] rouvert
   *[complete] marqué comme fait
  } : { $when }
past-and-then = { $before } ; { $after }
past-only = Non, seulement { $count } dans cette conversation :
past-counted = { $count } dans cette conversation :
past-unknown = Non. Rien n'a été fait pour { $name }.
past-none-added = Rien n'a été ajouté dans cette conversation.
past-none-deleted = Rien n'a été supprimé dans cette conversation.
past-none-completed = Rien n'a été marqué comme fait dans cette conversation.
past-none-moved = Rien n'a été déplacé dans cette conversation.
past-none-renamed = Rien n'a été renommé dans cette conversation.
past-none-changed = Rien n'a été modifié dans cette conversation.
past-none-such = Rien de tel n'a été fait dans cette conversation.
past-none-then = Rien de tel n'a été fait dans cette conversation ({ $when }).
past-reminder = { $state ->
    [waiting] Le rappel de { $name } est prévu : { $when }.
    [delivered] Le rappel de { $name } a été envoyé : { $when }.
    [missed] Le rappel de { $name } a été manqué : { $when }.
   *[cancelled] Le rappel de { $name } ({ $when }) a été retiré.
  }
past-no-reminder-for = Aucun rappel n'est prévu pour { $name }.
past-no-reminder = Aucun rappel n'est prévu.
past-cut-off = Ton message précédent a été interrompu après :
past-undone-since = (annulé depuis)

## Agents

delegated = Délégué : { $name } ({ $who })
resumed = Repris : { $name } ({ $who })
cancelled = Arrêté : { $name } ({ $who })
cancel-requested = Arrêt demandé : { $name } ({ $who }) ; un résultat peut encore arriver
run-waiting = En attente d'un agent libre : { $name } ({ $who })
run-working = Toujours en cours : { $name } ({ $who })
run-failed = L'agent n'a pas pu terminer : { $name } – { $reason }
run-fault = { $why ->
    [rejected] l'agent n'a pas pu le faire : { $said }
    [contradicted] son compte rendu cite un appel qui n'a pas été fait ou qui a échoué
    [no_report] il n'a rendu aucun compte rendu
    [timeout] son temps était écoulé
    [limit] il a atteint la limite d'un travail
    [unavailable] le fournisseur { $provider } n'a pas pu être joint
   *[other] une erreur s'est produite
  }
run-interrupted = Issue inconnue : { $name } ({ $who }) – interruption en cours de route. Dis "continue avec l'agent sur { $name }" pour continuer.
run-asks = L'agent demande : { $name } ({ $who }) – { $question } Dis "continue avec { $persona } sur { $name } : …" pour répondre.
run-finished = L'agent a terminé : { $name }
run-reported = Compte rendu de { $persona }
run-reported-unverified = Compte rendu de { $persona } (non vérifié : ne cite rien de ce qui a été fait)
nothing-delegated = Rien n'est délégué.
delegations = Tu as { $count ->
    [one] { $count } délégation
   *[other] { $count } délégations
  } :
run-state = { $state ->
    [pending] en attente
    [running] en cours
    [input_required] attend une réponse
    [completed] terminée
    [failed] échouée
    [cancelled] arrêtée
    [stopping] en cours d'arrêt
   *[interrupted] interrompue
  }
agent-stands = { $agent } : { run-state }
agents = Tu peux confier des tâches à ces agents :
agent-which-task = De quelle tâche parles-tu ? Donne-moi son titre.
agent-busy = { $agent } travaille encore sur { $name }. Dis "marque-le comme fait quand même" pour terminer la tâche toi-même.
agent-ended = Rien à arrêter : la délégation de { $name } est finie ({ $state }).
agent-preview = Aperçu, rien n'a été lancé : { $name } → { $persona } sur { $provider }
agent-which = Laquelle ? Des agents travaillent sur { $names }.
agent-none-yet = Rien n'a encore été délégué.
agent-no-match = Aucune délégation ne correspond à { $name }.
agent-none-such = Cette délégation n'existe pas.
agent-at-work = { $agent } travaille encore sur { $name }.
agent-none-to-resume = Il n'y a pas d'agent de ce genre avec qui continuer.
agent-unknown = Il n'y a pas d'agent '{ $agent }'.
agent-no-handle = { $handle } n'existe pas.
agent-asks-nothing = { $handle } ne demande rien.
agent-no-task = Aucune tâche ne correspond à { $name }.
agent-not-found = L'agent "{ $agent }" n'existe pas. Agents disponibles : { $names }
agent-disabled = L'agent "{ $agent }" est désactivé. Active-le dans la configuration des agents.
agent-no-model = Aucun modèle n'est configuré pour "{ $model }" : laisse-le de côté ou indique fournisseur:modèle.
agent-no-provider = Aucun fournisseur n'est configuré.
agent-none-available = Aucun fournisseur n'est disponible : { $names }.
agent-provider-unavailable = Le fournisseur '{ $provider }' n'est pas disponible : { $why }. Disponibles : { $names }.
agent-provider-meant = Tu veux dire { $meant } ?
agent-provider-lacks = Le fournisseur '{ $provider }' n'a pas de modèle '{ $model }'. Il a : { $names }.
agent-provider-why = { $why ->
    [disabled] désactivé
    [busy] occupé
    [missing] non configuré
   *[unhealthy] en panne
  }
agent-names-none = aucun
agent-outside-root = Pas de travail hors des dossiers autorisés : { $path }. Le dossier doit être un de ceux que l'opérateur autorise.
agent-means-other = Tu veux dire { $name } ? Redis-le avec exactement ce titre.
agent-no-todo = Il n'y a pas de tâche { $name }.
agent-is-another = { $agent } est un { $persona }, pas '{ $other }' : continue avec { $persona }.
worker-reading = Fichiers lus : { $read } sur { $total }
worker-found = Fichiers lus pour "{ $name }" : { $read } sur { $total } ; { $found ->
    [0] aucun n'en parle
   *[other] avec quelque chose à ce sujet : { $found }
  }.
worker-no-files = Le dossier ne contient aucun fichier, donc rien sur "{ $name }".
worker-nothing-in = - { $path } : rien à ce sujet. Début : "{ $line }"
worker-empty = (vide)
worker-from-task = On m'a demandé : "{ $name }". Je n'ai pas de fichiers ; la tâche elle-même contient { $count ->
    [one] { $count } ligne
   *[other] { $count } lignes
  }, à ce sujet : { $found }. Rien d'autre n'a été consulté.
worker-rejects = On m'a demandé : "{ $name }". Je n'ai pas de sources : aucun dossier de travail n'est configuré (workspace_roots dans candor.toml), et par moi-même je ne sais rien. Rien n'a été consulté.
worker-no-sources = Il n'y avait pas de sources.
