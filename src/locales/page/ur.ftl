# Words of the web page in Roman Urdu. See en.ftl.

## Page

page-language = Zaban
page-pair = { $name }: { $what }
page-quoted = “{ $text }”
page-skip-message = Paighaam ke khane par jayein
page-skip-tasks = Tasks par jayein
page-home = , chat par
page-views = Safhe
page-chat = Chat
page-tasks = Tasks
page-audit = Audit
page-agents = Agents
page-ghosts = { $count ->
    [one] ghost roka gaya
   *[other] ghosts roke gaye
  }
page-ghosts-about = { $ghosts }: model ke daawe jin ka koi saboot nahi
page-dark = Gehre rang
page-shortcuts = Keyboard shortcuts
page-unreachable = Server tak pohanch nahi ho rahi.
page-try-again = Dobara koshish karein
page-close = Band karein
page-cancel = Rehne dein
page-dismiss = Hata dein
page-show-more = Aur dikhayein
page-today = aaj
page-tomorrow = kal
page-yesterday = guzra kal

## Page: who is here

page-you-are = Aap ka naam
page-sign-in = Sign in karein
page-sign-out = Sign out karein
page-change = Badlein
page-who = Aap kaun hain?
page-change-user = User badlein
page-ask-key = Yeh server jaanna chahta hai ke kaun bula raha hai: API key dein (candor token create se banti hai) ya signed token. Is se pata chalta hai ke aap kaun hain.
page-one-user = List, baatein aur log ek hi user ke hain.
page-user = User
page-every-user = Yeh key sab users ke liye hai: batayein kis ke liye.
page-key = API key ya token
page-key-unchecked = Key jaanchi nahi ja saki: dobara koshish karein.
page-remember = Is device par yaad rakhein
page-remember-else = (warna sirf is tab ke liye)
page-forget-key = Key bhula dein
page-go-on = Aage barhein

## Page: keys

page-keys = Keys
page-key-message = Paighaam likhein
page-key-down = Neeche: agla task, paighaam ya baari
page-key-up = Upar: pichla
page-key-undo = Aakhri tabdeeli wapas lein
page-key-keys = Yeh keys
page-key-move = List ke andar chalein
page-key-leave = Khana ya form chhorein; paighaamon se, naya likhein
page-single-keys = Akeli keys khanon ke bahar kaam karti hain

## Page: the conversation

page-conversations = Baatein
page-conversation = Baat cheet
page-new-conversation = Nayi baat cheet
page-messages = Paighaamat
page-message = Paighaam
page-message-hint = Add karein, badlein, poochein…
page-send = Bhejein
page-promise = Jo kaha jata hai ke hua, woh usi se hai jo save hua, aur kisi cheez se nahi.
page-welcome = Kya yaad rakhna hai?
page-welcome-more = Aise likhein jaise kisi insaan ko likhte hain. Jo save hota hai us ki raseed milti hai; jahan kuch save nahi hua wahan koi daawa nahi.
page-suggestions = Mashware
# These five are said to the chat, which has to understand them.
page-offer-add = kal doodh lena add karo
page-offer-more = jume ko dentist ko phone karna add karo, priority high
page-offer-list = meri list dikhao
page-offer-help = tum kya kar sakte ho?
page-undo-word = wapas le lo
page-you = Aap
page-earlier = Pehle ke paighaam
page-unknown-if-saved = Server tak pohanch nahi ho rahi. Yeh save hua ya nahi, maloom nahi; dobara koshish se yeh ek hi baar chalega.
page-was-stopped = Yeh rok diya gaya.
page-progress = Kaam jaari
page-reading-words = Aap ke alfaaz parhe ja rahe hain
page-asking-model = Model se poocha ja raha hai
page-call-refused = { $what }: inkaar, aap ke alfaaz yeh nahi maangte
page-still-at-work = Abhi kaam jaari hai, safha khulne se pehle se
page-line-lost = Connection toot gaya; dobara poocha ja raha hai, kuch do baar nahi chalta
page-receipt-lost = Is ki raseed nahi mil rahi.
page-not-undone = Wapas nahi hua

## Page: what a tool does, what was asked for, what was done

page-doing-add = Task add ho raha hai
page-doing-list = List parhi ja rahi hai
page-doing-update = Task badla ja raha hai
page-doing-complete = Task mukammal kiya ja raha hai
page-doing-delete = Task delete ho raha hai
page-doing-undo = Tabdeeli wapas li ja rahi hai
page-doing-ask = Aap se poocha ja raha hai
page-doing-delegate = Task agent ko diya ja raha hai
page-doing-cancel = Agent ko roka ja raha hai
page-doing-output = Agent ka nateeja parha ja raha hai
page-doing-runs = Agents ka kaam parha ja raha hai
page-wish-add = task add karna
page-wish-list = list parhna
page-wish-update = task badalna
page-wish-complete = task mukammal karna
page-wish-delete = task delete karna
page-wish-undo = tabdeeli wapas lena
page-wish-ask = aap se poochna
page-wish-delegate = task agent ko dena
page-wish-cancel = agent ko rokna
page-wish-output = agent ka nateeja parhna
page-wish-runs = agents ka kaam parhna
page-did-add = Add hua
page-did-list = List parhi
page-did-update = Badla gaya
page-did-complete = Mukammal hua
page-did-delete = Delete hua
page-did-undo = Wapas liya
page-did-history = Maazi parha
page-did-delegate = Agent ko diya
page-did-cancel = Agent roka
page-did-output = Agent ka nateeja parha
page-did-runs = Agents ka kaam parha

## Page: a reply

page-receipt = Raseed
page-receipt-of = Raseed, is ki
page-read-from-list = Aap ki list se parha
page-question = Sawal
page-saved-and-question = Save hua, aur ek sawal
page-not-done = Nahi hua
page-done-in-part = Kuch hissa hua
page-only-chat = Baat cheet, kuch nahi badla
page-undo = Wapas lein
page-undone = Wapas liya gaya
page-undone-since = { $changes }, baad mein sab wapas
page-changes = { $count ->
    [one] tabdeeli
   *[other] tabdeeliyan
  }
page-tasks-counted = { $count ->
    [one] task
   *[other] tasks
  }
page-runs-counted = { $count ->
    [one] kaam
   *[other] kaam
  }
page-calls-refused = { $count ->
    [one] call se inkaar
   *[other] calls se inkaar
  }
page-not-called = Aap ke alfaaz maangte hain: { $wishes }, aur model ne { $tools } ko call nahi kiya, chahe kuch bhi kaha ho.
page-only-receipts = Sirf woh save hua jis ki raseed hai.
page-nothing-changed = Kuch nahi badla.
page-answers = Jawab
page-left-out = chhora gaya
page-how-it-came = Yeh kaise hua

## Page: a receipt

page-reading-log = Log parha ja raha hai…
page-whole-turn = Poori baari
page-committed = Save hua
page-by = Kis ka
page-event = Waqia
page-event-number = log mein no. { $number }
page-a-reading = Parhna
page-status = Haalat
page-priority = Ahmiyat
page-assignee = Zimmedar
page-none = koi nahi
page-hash-fits = Waqie ka hash us ke mawaad ka hi hai.
page-hash-differs = Waqie ka mawaad us ke hash se nahi milta.
page-leaf = Yeh { $events } ke darakht ka patta { $leaf } hai: raste ke saath { $hashes } se jarh tak pohancha jata hai.
page-events-counted = { $count ->
    [one] waqia
   *[other] waqiaat
  }
page-hashes-counted = { $count ->
    [one] hash
   *[other] hashes
  }
page-no-root = Is ka rasta darakht ki jarh tak nahi jata.
page-cant-check = Yeh browser ise jaanch nahi sakta
page-proof = Saboot, isi browser mein jaancha gaya
page-event-written = Waqia jaisa log mein likha hai
page-hashes = Is ke hashes
page-hash-own = apna
page-hash-before = is se pehle
page-hash-beside = saath
page-checkpoint = Checkpoint yeh hai
page-checkpoint-more = Is ke dastakhat ke liye server ki public key chahiye: candor audit verify --proof jaanchta hai.
page-log = Log yeh hai

## Page: the list

page-task-list = Tasks ki list
page-new-task = Naya task
page-add = Add karein
page-filter-tasks = Tasks chaantein
page-filter = Chaantein
page-which-tasks = Kaun se tasks
page-open = Baqi
page-done = Mukammal
page-all = Sab
page-counts = { $open } baqi, { $done } mukammal
page-overdue = Der ho gayi
page-next-days = Agle saat din
page-later = Baad mein
page-no-day = bina din
page-no-match = Kisi task mein yeh alfaaz nahi.
page-nothing-open = Kuch baqi nahi. Shabash.
page-list-empty = Aap ki list khali hai.
page-list-hint = Kahein “{ $words }”, ya upar title likhein.
page-marked-done = Mukammal kiya
page-reopened = Dobara khola
page-updated = Badal diya
page-edit = Tarmeem: { $title }
page-heard-due = tareekh
page-heard-late = der ho gayi, tareekh thi
page-title = Unwaan
page-due = Tareekh
page-time = Waqt
page-repeats = Dohrana
page-note = Tafseel
page-save = Save karein
page-delete = Delete karein
page-low = kam
page-medium = darmiyani
page-high = zyada
page-every-day = har roz
page-every-days = har { $number } din baad
page-every-week = har hafte
page-every-weeks = har { $number } hafte baad
page-every-month = har mahine
page-every-months = har { $number } mahine baad
page-every-year = har saal
page-every-years = har { $number } saal baad
page-every-weekday = har kaam ke din
page-every-named = har { $days } ko
page-on-days = { $every }, { $days } ko
page-on-day = { $every }, { $count ->
   *[other] { $day }
  } tareekh ko
page-on-last-day = { $every }, aakhri din
page-until = { $every }, { $day } tak
page-times = { $every }, { $count ->
    [one] aakhri dafa
   *[other] { $number } dafa
  }

## Page: reminders

page-reminders = Reminders
page-reminder = Reminder
page-reminders-here = Jab tak safha khula hai reminders yahan nazar aate hain.
page-notify = Notifications bhi dikhayein
page-no = Nahi
page-late = { $time }, { $duration } der se
page-dismiss-reminder = Reminder hata dein

## Page: a call in words

page-number = number { $number }
page-a-task = ek task
page-an-agent = ek agent
page-new-agent = naya { $name }
page-a-call = Ek call
page-due-on = tareekh { $day }
page-due-at = { $due }, { $time } baje
page-of-priority = ahmiyat { $priority }
page-title-is = unwaan { $title }
page-repeating = dohrata hai
page-with-reminder = reminder ke saath
page-with-note = tafseel ke saath
page-without-note = bina tafseel
page-with-words = in alfaaz ke saath: { $words }
page-is-done = mukammal
page-is-open = baqi
page-given-to = { $agent } ko diya
page-call-add = Add karna: { $what }
page-call-change = Badalna: { $what }
page-call-complete = Mukammal karna: { $what }
page-call-delete = Delete karna: { $what }
page-call-undo = Aakhri tabdeeli wapas lena
page-call-ask = Aap se poochna
page-call-list = List parhna
page-call-resume = Aage barhana: { $what }
page-call-delegate = { $what } dena: { $agent }
page-call-output = Nateeja parhna: { $run }
page-call-cancel = Rokna: { $run }
page-call-runs = Agents ka kaam parhna
page-call-of = { $name } ki call
page-call-unfit = { $name } ki call, jis ki values theek nahi
page-as-written = Jaise likha gaya

## Page: the audit

page-turns = Baariyan
page-turn = Yeh baari
page-turns-counted = { $count ->
    [one] baari
   *[other] baariyan
  }
page-verify = Zanjeer jaanchein
page-checking = { $events } jaanche gaye…
page-broken = Waqia { $number }: { $fault }. Is se pehle { $checked } jaanche gaye, sab waise hi jaise likhe gaye.
page-fault-missing = waqia { $number } ghaib hai
page-fault-order = yeh apni jagah par nahi
page-fault-link = yeh pichle waqie ke baad ka nahi
page-fault-hash = is ka mawaad hash se nahi milta
page-unbroken = Sab waise hi hai jaise likha gaya, isi tarteeb se, koi kami nahi: { $events }. Sira { $hash }
page-not-checked = Jaancha nahi gaya
page-nothing-said = Kuch nahi kaha gaya
page-nothing-said-yet = Abhi kuch nahi kaha gaya.
page-back-turns = ← Sab baariyan
page-how-turn = Yeh baari kaise hui
page-no-model = koi model nahi
page-you-said = Aap ne kaha
page-asked-for = Maanga gaya
page-asked-rest = Seedha maanga gaya, guftagu se nahi
page-erased = Alfaaz mita diye gaye
page-model = Model
page-proposed = { $model } ne tajweez di
page-said = { $model } ne kaha
page-nothing = Kuch nahi.
page-unshown = Model ne kaha, aur kisi ko nahi dikhaya gaya
page-refused = Inkaar
page-why-ghost = Call honi thi aur nahi aayi: bina raseed ka daawa.
page-why-asserts = Aisa daawa jis ka koi saboot nahi.
page-why-ask = Sawal ke andar ek daawa.
page-why-offer = Aisi peshkash jo server ko khud karni hai, titles ke saath.
page-why-unchecked = Jaancha nahi ja saka, is liye dikhaya nahi gaya.
page-allowed = Kis ki ijazat mili, aur kya nikla
page-was-committed = save hua
page-was-unchanged = badalne ko kuch nahi
page-was-asked = pehle aap se poocha gaya
page-was-refused = inkaar hua
page-read = Parha
page-receipt-number = Raseed no. { $number }
page-receipt-number-of = Raseed no. { $number }, is ki: { $what }
page-told = Aap ko kya bataya gaya
page-proven = saboot hai
page-unproven = saboot nahi
page-claims-nothing = koi daawa nahi
page-holds = Log se dobara hisaab kiya gaya. Waqiaat { $first } se { $last } tak.
page-holds-word-for-word = Log se dobara hisaab kiya gaya, lafz ba lafz wahi. Waqiaat { $first } se { $last } tak.
page-does-not-hold = Yeh woh nahi jo log kehta hai.

## Page: the agents

page-runs = Kaam
page-the-run = Yeh kaam
page-hand-task = Agent ko task dein
page-task = Kaam ka task
page-agent = Agent
page-what-to-do = Kya karna hai, agar title na bataye
page-hand-over = De dein
page-nothing-to-hand = Dene ko koi baqi task nahi.
page-no-runs = Abhi kisi agent ko kuch nahi diya gaya.
page-no-runs-hint = Misaal ke taur par kahein “hotels ki talash researcher ko de do”.
page-pending = baqi
page-running = chal raha hai
page-input-required = jawab ka intezar
page-completed = mukammal
page-failed = nakaam
page-cancelled = mansookh
page-interrupted = beech mein ruka
page-run-is = { $run }: { $state }
page-being-stopped = roka ja raha hai
page-begun = Shuru
page-ended = Khatam
page-took = Waqt laga
page-the-model = Model
page-run = Kaam
page-round = { $run }, daur { $round }
page-calls = Calls
page-calls-counted = { $count ->
    [one] call
   *[other] calls
  }
page-back-runs = ← Sab kaam
page-result = Nateeja
page-reports = Report ({ $how })
page-verified = tasdeeq ho gayi
page-unverified = tasdeeq nahi hui
page-contradicted = ghalat sabit hui
page-run-notes = Raste ki baatein
page-prompt = Ise kya kaha gaya
page-evidence = Saboot
page-no-evidence = Yeh apni kisi call ka hawala nahi deta.
page-stop = Rokein
page-run-stopped = { $run } rok diya gaya
page-accept = Qubool karein
page-reject = Radd karein
page-accepted = Qubool
page-rejected = Radd
page-go-on-with = Isi ko aage barhayein
page-next = Ab { $agent } kya kare?
