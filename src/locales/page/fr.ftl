# Words of the web page in French. See en.ftl.

## Page

page-language = Langue
page-pair = { $name } : { $what }
page-quoted = « { $text } »
page-skip-message = Aller au champ du message
page-skip-tasks = Aller aux tâches
page-home = , vers la discussion
page-views = Vues
page-chat = Discussion
page-tasks = Tâches
page-audit = Journal
page-agents = Agents
page-ghosts = { $count ->
    [one] fantôme arrêté
   *[other] fantômes arrêtés
  }
page-ghosts-about = { $ghosts } : affirmations du modèle que rien ne prouve
page-dark = Couleurs sombres
page-shortcuts = Raccourcis clavier
page-unreachable = Le serveur est injoignable.
page-try-again = Réessayer
page-close = Fermer
page-cancel = Annuler
page-dismiss = Masquer
page-show-more = Afficher plus
page-today = aujourd'hui
page-tomorrow = demain
page-yesterday = hier

## Page: who is here

page-you-are = Tu es
page-sign-in = Se connecter
page-sign-out = Se déconnecter
page-change = Changer
page-who = Qui es-tu ?
page-change-user = Changer d'utilisateur
page-ask-key = Ce serveur veut savoir qui appelle : donne une clé d'API (candor token create en crée une) ou un jeton signé. C'est ce qui dit qui tu es.
page-one-user = La liste, les conversations et le journal sont ceux d'un seul utilisateur.
page-user = Utilisateur
page-every-user = Cette clé vaut pour tous les utilisateurs : dis pour lequel.
page-key = Clé d'API ou jeton
page-key-unchecked = La clé n'a pas pu être vérifiée : réessaie.
page-remember = Retenir sur cet appareil
page-remember-else = (sinon pour cet onglet seulement)
page-forget-key = Oublier la clé
page-go-on = Continuer

## Page: keys

page-keys = Touches
page-key-message = Écrire un message
page-key-down = Bas : tâche, message ou tour suivant
page-key-up = Haut : le précédent
page-key-undo = Annuler la dernière modification
page-key-keys = Ces touches
page-key-move = Se déplacer dans une liste
page-key-leave = Quitter un champ ou un formulaire ; depuis les messages, en écrire un
page-single-keys = Les touches seules agissent hors des champs

## Page: the conversation

page-conversations = Conversations
page-conversation = Conversation
page-new-conversation = Nouvelle conversation
page-messages = Messages
page-message = Message
page-message-hint = Ajouter, modifier, demander…
page-send = Envoyer
page-promise = Ce qui est annoncé comme fait vient de ce qui a été enregistré, et de rien d'autre.
page-welcome = Que faut-il retenir ?
page-welcome-more = Écris comme à une personne. Ce qui est enregistré vient avec un reçu ; là où rien n'a été enregistré, rien n'est affirmé.
page-suggestions = Suggestions
# These five are said to the chat, which has to understand them.
page-offer-add = ajoute acheter du lait pour demain
page-offer-more = ajoute appeler le dentiste pour vendredi
page-offer-list = qu'est-ce qu'il y a sur ma liste ?
page-offer-help = que peux-tu faire ?
page-undo-word = annule ça
page-you = Toi
page-earlier = Messages précédents
page-unknown-if-saved = Le serveur est injoignable. On ne sait pas si cela a été enregistré ; réessayer ne l'exécute qu'une fois.
page-was-stopped = Cela a été arrêté.
page-progress = Progression
page-reading-words = Lecture de ton message
page-asking-model = Question au modèle
page-call-refused = { $what } : refusé, ton message ne le demande pas
page-still-at-work = Toujours en cours, depuis avant le chargement de la page
page-line-lost = La connexion a été coupée ; nouvelle demande, rien ne s'exécute deux fois
page-receipt-lost = Son reçu est introuvable.
page-not-undone = Non annulé

## Page: what a tool does, what was asked for, what was done

page-doing-add = Ajout d'une tâche
page-doing-list = Lecture de la liste
page-doing-update = Modification d'une tâche
page-doing-complete = Une tâche est marquée comme faite
page-doing-delete = Suppression d'une tâche
page-doing-undo = Annulation d'une modification
page-doing-ask = Question pour toi
page-doing-delegate = Une tâche est confiée à un agent
page-doing-cancel = Arrêt d'un agent
page-doing-output = Lecture du résultat d'un agent
page-doing-runs = Lecture de ce que font les agents
page-wish-add = d'ajouter une tâche
page-wish-list = de lire la liste
page-wish-update = de modifier une tâche
page-wish-complete = de marquer une tâche comme faite
page-wish-delete = de supprimer une tâche
page-wish-undo = d'annuler une modification
page-wish-ask = de te poser une question
page-wish-delegate = de confier une tâche à un agent
page-wish-cancel = d'arrêter un agent
page-wish-output = de lire le résultat d'un agent
page-wish-runs = de lire ce que font les agents
page-did-add = Ajouté
page-did-list = Liste lue
page-did-update = Modifié
page-did-complete = Fait
page-did-delete = Supprimé
page-did-undo = Annulé
page-did-history = Historique lu
page-did-delegate = Confié à un agent
page-did-cancel = Agent arrêté
page-did-output = Résultat d'un agent lu
page-did-runs = Travaux des agents lus

## Page: a reply

page-receipt = Reçu
page-receipt-of = Reçu de
page-read-from-list = Lu dans ta liste
page-question = Question
page-saved-and-question = Enregistré, et une question
page-not-done = Non fait
page-done-in-part = Fait en partie
page-only-chat = Discussion, rien n'a été modifié
page-undo = Annuler
page-undone = Annulé
page-undone-since = { $changes }, tout a été annulé depuis
page-changes = { $count ->
    [one] modification
   *[other] modifications
  }
page-tasks-counted = { $count ->
    [one] tâche
   *[other] tâches
  }
page-runs-counted = { $count ->
    [one] travail
   *[other] travaux
  }
page-calls-refused = { $count ->
    [one] appel refusé
   *[other] appels refusés
  }
page-not-called = Ton message demande { $wishes }, et le modèle n'a pas appelé { $tools }, quoi qu'il ait dit.
page-only-receipts = Seul ce qui a un reçu a été enregistré.
page-nothing-changed = Rien n'a été modifié.
page-answers = Réponses
page-left-out = laissé de côté
page-how-it-came = Comment on en est arrivé là

## Page: a receipt

page-reading-log = Lecture du journal…
page-whole-turn = Le tour entier
page-committed = Enregistré
page-by = Par
page-event = Événement
page-event-number = n° { $number } du journal
page-a-reading = Une lecture
page-status = Statut
page-priority = Priorité
page-assignee = Responsable
page-none = aucun
page-hash-fits = L'événement a l'empreinte de son contenu.
page-hash-differs = Le contenu de l'événement ne correspond pas à son empreinte.
page-leaf = C'est la feuille { $leaf } d'un arbre de { $events } : son chemin mène à la racine, avec { $hashes } à côté.
page-events-counted = { $count ->
    [one] événement
   *[other] événements
  }
page-hashes-counted = { $count ->
    [one] empreinte
   *[other] empreintes
  }
page-no-root = Son chemin ne mène pas à la racine de l'arbre.
page-cant-check = Ce navigateur ne peut pas le vérifier
page-proof = Preuve, vérifiée dans ce navigateur
page-event-written = L'événement tel qu'il est dans le journal
page-hashes = Ses empreintes
page-hash-own = la sienne
page-hash-before = avant lui
page-hash-beside = à côté
page-checkpoint = Le point de contrôle
page-checkpoint-more = Sa signature demande la clé publique du serveur : candor audit verify --proof la vérifie.
page-log = Le journal

## Page: the list

page-task-list = Liste des tâches
page-new-task = Nouvelle tâche
page-add = Ajouter
page-filter-tasks = Filtrer les tâches
page-filter = Filtrer
page-which-tasks = Quelles tâches
page-open = À faire
page-done = Faites
page-all = Toutes
page-counts = à faire : { $open }, faites : { $done }
page-overdue = En retard
page-next-days = Sept prochains jours
page-later = Plus tard
page-no-day = sans date
page-no-match = Aucune tâche ne contient ces mots.
page-nothing-open = Plus rien à faire. Bravo.
page-list-empty = Ta liste est vide.
page-list-hint = Dis « { $words } » ou écris un titre ci-dessus.
page-marked-done = Marqué comme fait
page-reopened = Rouvert
page-updated = Modifié
page-edit = Modifier { $title }
page-heard-due = pour
page-heard-late = en retard, pour
page-title = Titre
page-due = Échéance
page-time = Heure
page-repeats = Répétition
page-note = Note
page-save = Enregistrer
page-delete = Supprimer
page-low = basse
page-medium = moyenne
page-high = haute
page-every-day = chaque jour
page-every-days = tous les { $number } jours
page-every-week = chaque semaine
page-every-weeks = toutes les { $number } semaines
page-every-month = chaque mois
page-every-months = tous les { $number } mois
page-every-year = chaque année
page-every-years = tous les { $number } ans
page-every-weekday = chaque jour ouvré
page-every-named = chaque { $days }
page-on-days = { $every }, le { $days }
page-on-day = { $every }, le { $count ->
    [one] 1er
   *[other] { $day }
  }
page-on-last-day = { $every }, le dernier jour
page-until = { $every } jusqu'au { $day }
page-times = { $every }, { $count ->
    [one] pour la dernière fois
   *[other] { $number } fois
  }

## Page: reminders

page-reminders = Rappels
page-reminder = Rappel
page-reminders-here = Les rappels s'affichent ici tant que la page est ouverte.
page-notify = Afficher aussi des notifications
page-no = Non
page-late = { $time }, { $duration } de retard
page-dismiss-reminder = Masquer le rappel

## Page: a call in words

page-number = n° { $number }
page-a-task = une tâche
page-an-agent = un agent
page-new-agent = { $name } (nouveau)
page-a-call = Un appel
page-due-on = pour { $day }
page-due-at = { $due } à { $time }
page-of-priority = priorité { $priority }
page-title-is = titre { $title }
page-repeating = répété
page-with-reminder = avec rappel
page-with-note = avec note
page-without-note = sans note
page-with-words = avec les mots { $words }
page-is-done = fait
page-is-open = à faire
page-given-to = confié à { $agent }
page-call-add = Ajouter { $what }
page-call-change = Modifier { $what }
page-call-complete = Marquer { $what } comme fait
page-call-delete = Supprimer { $what }
page-call-undo = Annuler la dernière modification
page-call-ask = Te demander
page-call-list = Lire la liste
page-call-resume = Continuer avec { $what }
page-call-delegate = Confier { $what } à { $agent }
page-call-output = Lire le résultat de { $run }
page-call-cancel = Arrêter { $run }
page-call-runs = Lire ce que font les agents
page-call-of = Un appel de { $name }
page-call-unfit = Un appel de { $name } avec des arguments qui ne conviennent pas
page-as-written = Tel qu'il a été écrit

## Page: the audit

page-turns = Tours
page-turn = Le tour
page-turns-counted = { $count ->
    [one] tour
   *[other] tours
  }
page-verify = Vérifier la chaîne
page-checking = Vérification : { $events }…
page-broken = Événement { $number } : { $fault }. Vérifiés avant : { $checked }, tout est tel qu'il a été écrit.
page-fault-missing = l'événement { $number } manque
page-fault-order = il n'est pas à sa place
page-fault-link = il ne suit pas l'événement précédent
page-fault-hash = son contenu ne correspond pas à son empreinte
page-unbroken = Tout est tel qu'il a été écrit, dans cet ordre et sans lacune : { $events }. Tête { $hash }
page-not-checked = Non vérifié
page-nothing-said = Rien n'a été dit
page-nothing-said-yet = Rien n'a encore été dit.
page-back-turns = ← Tous les tours
page-how-turn = Comment ce tour s'est fait
page-no-model = aucun modèle
page-you-said = Tu as dit
page-asked-for = Demandé
page-asked-rest = Demandé directement, hors conversation
page-erased = Les mots ont été effacés
page-model = Le modèle
page-proposed = { $model } a proposé
page-said = { $model } a dit
page-nothing = Rien.
page-unshown = Le modèle a dit, et personne ne l'a vu
page-refused = Refusé
page-why-ghost = Un appel était dû et aucun n'est venu : une affirmation sans reçu.
page-why-asserts = Il affirme quelque chose que rien ne prouve.
page-why-ask = Une affirmation dans une question.
page-why-offer = Une offre que le serveur doit faire lui-même, avec les titres dedans.
page-why-unchecked = Impossible à vérifier, donc non montré.
page-allowed = Ce qui a été permis, et ce qui en est résulté
page-was-committed = enregistré
page-was-unchanged = rien à modifier
page-was-asked = on t'a d'abord demandé
page-was-refused = refusé
page-read = Lu
page-receipt-number = Reçu n° { $number }
page-receipt-number-of = Reçu n° { $number } de : { $what }
page-told = Ce qui t'a été dit
page-proven = prouvé
page-unproven = non prouvé
page-claims-nothing = n'affirme rien
page-holds = Recalculé d'après le journal. Événements { $first } à { $last }.
page-holds-word-for-word = Recalculé d'après le journal, identique mot pour mot. Événements { $first } à { $last }.
page-does-not-hold = Ce n'est pas ce que dit le journal.

## Page: the agents

page-runs = Travaux
page-the-run = Le travail
page-hand-task = Confier une tâche à un agent
page-task = Tâche
page-agent = Agent
page-what-to-do = Que faire, si le titre ne le dit pas
page-hand-over = Confier
page-nothing-to-hand = Il n'y a aucune tâche à confier.
page-no-runs = Rien n'a encore été confié à un agent.
page-no-runs-hint = Dis par exemple « délègue comparer des hôtels au researcher ».
page-pending = à faire
page-running = en cours
page-input-required = attend une réponse
page-completed = fait
page-failed = échoué
page-cancelled = arrêté
page-interrupted = interrompu
page-run-is = { $run } : { $state }
page-being-stopped = arrêt en cours
page-begun = Début
page-ended = Fin
page-took = Durée
page-the-model = Modèle
page-run = Travail
page-round = { $run }, passage { $round }
page-calls = Appels
page-calls-counted = { $count ->
    [one] appel
   *[other] appels
  }
page-back-runs = ← Tous les travaux
page-result = Résultat
page-reports = Compte rendu ({ $how })
page-verified = vérifié
page-unverified = non vérifié
page-contradicted = contredit
page-run-notes = Notes en chemin
page-prompt = Ce qui lui a été dit
page-evidence = Preuves
page-no-evidence = Il ne cite aucun de ses propres appels.
page-stop = Arrêter
page-run-stopped = { $run } a été arrêté
page-accept = Accepter
page-reject = Refuser
page-accepted = Accepté
page-rejected = Refusé
page-go-on-with = Continuer
page-next = Que doit faire { $agent } ensuite ?
