//! Worlds: a fresh user, a list, a conversation of some turns, all of it decided by one seed,
//! played against the real chat service over a real database.

#![cfg(test)]

use std::cell::Cell;
use std::collections::HashMap;
use std::fmt::Write as _;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use candor::audit::EventKind;
use candor::chat::wire::{AnswerChoice, ChatRequest};
use candor::chat::{
    ChatAnswer, ChatError, ChatService, GuardPort, MissingTool, ModelDown, StandardGuard,
    TurnPolicy,
};
use candor::domain::{
    Action, Clock, ConversationId, IdSource, Lang, Priority, Task, Title, TurnId, UserId,
};
use candor::guard::{TOOL_NOT_TRIGGERED, receipt_line};
use candor::llm::LanguageModel;
use candor::reminders::PlantedInScheduler;
use candor::store::{AuditFilter, CommitRecord, CommitResult, NewTask, Store, TaskPatch, Unit};
use candor::temporal::DueRule;
use candor::turn::SuccessProof;
use chrono::{DateTime, NaiveDate, Utc};
use serde_json::Value;
use uuid::Uuid;

use super::dice::Dice;
use super::models::{self, Round, Scripted};
use super::oracle::{self, Evidence, Finding, Proven};
use super::reminders::ReminderWatch;
use super::titles;
use super::verdict::{self, Change, Known, Standing};
use super::weather::Weather;
use super::wish::{self, Choice, Means, Wish};

/// Turns of a world at most, and at least.
const TURNS: (usize, usize) = (6, 20);

/// Faults that are planted, if any.
#[derive(Clone, Copy)]
pub struct Plan {
    /// The guard of a world.
    pub gates: fn() -> Box<dyn GuardPort>,
    /// The store answers before it writes.
    pub acked_only: bool,
    /// The guard breaks: nobody is served, and that may be said.
    pub breaks: bool,
    /// The bug of the scheduler of reminders.
    pub scheduler: Option<PlantedInScheduler>,
}

impl Plan {
    /// The program as it is.
    pub const SOUND: Self = Self {
        gates: || Box::new(StandardGuard),
        acked_only: false,
        breaks: false,
        scheduler: None,
    };
}

/// Kind of wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Wrong {
    /// Something false was said, or shown as metadata.
    Ghost,
    /// Something changed that the words did not ask for.
    Unlicensed,
    /// Something was committed and not told, or told and is not there.
    Lost,
    /// The program panicked.
    Panic,
    /// An honest turn was not served.
    Refused,
}

/// Result of a world.
#[derive(Debug, Default)]
pub struct Played {
    /// Turns.
    pub turns: u64,
    /// Turns of a well-behaved model, over a sound store, whose outcome is known.
    pub honest: u64,
    /// Faults that were found: in which turn, and how.
    pub wrong: Vec<(usize, Wrong, String)>,
    /// The world in words.
    pub story: String,
}

thread_local! {
    /// Microseconds since the epoch, for the world that this thread plays.
    static NOW: Cell<i64> = const { Cell::new(0) };
}

fn now() -> DateTime<Utc> {
    NOW.with(|now| {
        now.set(now.get() + 1_000);
        DateTime::from_timestamp_micros(now.get()).unwrap()
    })
}

/// 2026-02-08, noon.
fn noon() -> i64 {
    let day = NaiveDate::from_ymd_opt(2026, 2, 8).unwrap();
    day.and_hms_opt(12, 0, 0)
        .unwrap()
        .and_utc()
        .timestamp_micros()
}

/// An empty database in memory.
pub async fn database() -> Store {
    let store = Store::open("sqlite::memory:").await.unwrap();
    store.migrate().await.unwrap();
    store
}

/// One turn, kept until the world is judged.
struct Turn {
    number: usize,
    body: Value,
    before: Vec<Task>,
    after: Vec<Task>,
    texts: Vec<String>,
    proposed: Vec<(String, String)>,
    said: Vec<String>,
}

/// A world while it is played.
struct World<'s> {
    store: &'s Store,
    user: UserId,
    chat: ChatService,
    model: Arc<Scripted>,
    weather: Arc<Weather>,
    dice: Dice,
    ids: IdSource,
    conversation: Option<ConversationId>,
    standing: Option<Standing>,
    /// The latest message got no answer: what the program may have asked, nobody has seen.
    unanswered: bool,
    /// Meaning of the message before this one, where no tool was called for it.
    unmet: Option<Means>,
    undoable: Vec<Vec<Change>>,
    said: Vec<String>,
    kept: Vec<Turn>,
    /// Lines about changes of turns that nobody was answered: the conversation owes them.
    owed: Vec<String>,
    tells: bool,
    breaks: bool,
    reminders: ReminderWatch,
    played: Played,
}

/// Plays the world of a seed, and tells it in words if that is wanted. Needs a runtime of this
/// thread alone, and a database that has not seen this world.
pub async fn play(store: &Store, seed: u64, plan: &Plan, tells: bool) -> Played {
    let mut dice = Dice::new(seed);
    let turns = TURNS.0 + dice.below(TURNS.1 - TURNS.0);
    let mut world = World::new(store, seed, plan, &mut dice);
    world.tells = tells;
    world.seed().await;
    for number in 1..=turns {
        world.turn(number).await;
        if !world.played.wrong.is_empty() {
            break;
        }
    }
    // Whatever was set is over a day later.
    world.reminders.listen();
    for _ in 0..3 {
        world.wait(turns, 24 * 3_600, true).await;
    }
    // And the store works again.
    world.wait(turns, 24 * 3_600, false).await;
    world.judge().await;
    world.played
}

/// The conversation as it stands by now: replies that could not be confirmed are in it too.
fn transcript(body: &Value) -> String {
    let lines = body["messages"].as_array().unwrap().iter();
    let lines: Vec<&str> = lines.filter_map(|line| line["content"].as_str()).collect();
    lines.join("\n")
}

impl<'s> World<'s> {
    fn new(store: &'s Store, seed: u64, plan: &Plan, dice: &mut Dice) -> Self {
        NOW.with(|now| now.set(noon()));
        let stormy = dice.percent(35);
        let weather = Weather::new(dice.split(), stormy || plan.acked_only, plan.acked_only);
        let weather = Arc::new(weather);
        let model = Arc::new(Scripted::default());
        let policy = TurnPolicy {
            reply_language: Some(Lang::En),
            default_zone: chrono_tz::UTC,
            due_rule: DueRule::Year,
            missing_tool: match dice.below(10) {
                0 => MissingTool::Retry,
                1 => MissingTool::Engine,
                _ => MissingTool::Reject,
            },
            model_down: match dice.below(5) {
                0 => ModelDown::Engine,
                _ => ModelDown::Reject,
            },
            fast_path: dice.percent(10),
            model_timeout: Duration::from_secs(3600),
        };
        let next = AtomicU64::new(1);
        let ids = IdSource::from_fn(move || {
            // Of the world's own time, in the order they are made, and no two worlds share one.
            let milliseconds = NOW.with(Cell::get).unsigned_abs() / 1_000;
            let count = u128::from(next.fetch_add(1, Ordering::SeqCst));
            let time = u128::from(milliseconds) << 80;
            Uuid::from_u128(time | (7 << 76) | (2 << 62) | (count << 40) | u128::from(seed))
        });
        let clock = Clock::from_source(NaiveDate::from_ymd_opt(2026, 2, 8), now);
        let chat = ChatService::new(
            store.with_faults(Arc::clone(&weather) as _),
            Arc::clone(&model) as Arc<dyn LanguageModel>,
            policy,
            clock,
            ids.clone(),
        );
        let chat = chat.with_gates((plan.gates)());
        let user = UserId::parse(&format!("world-{seed}")).unwrap();
        let reminders = ReminderWatch::new(
            &user,
            store.with_faults(Arc::clone(&weather) as _),
            (clock, ids.clone()),
            plan.scheduler,
        );
        Self {
            store,
            user,
            chat: chat.reminding(reminders.channels()),
            reminders,
            model,
            weather,
            dice: dice.split(),
            ids,
            conversation: None,
            standing: None,
            unanswered: false,
            unmet: None,
            undoable: Vec::new(),
            said: Vec::new(),
            kept: Vec::new(),
            owed: Vec::new(),
            tells: false,
            breaks: plan.breaks,
            played: Played::default(),
        }
    }

    /// A list to begin with.
    async fn seed(&mut self) {
        let turn = TurnId::new(self.ids.next());
        let none = candor::resolver::TaskList::default();
        let mut unit = Unit::new(self.user.clone(), None, turn, now(), self.ids.clone(), none);
        for _ in 0..self.dice.below(10) {
            let title = Title::parse(&titles::any(&mut self.dice)).unwrap();
            let due = self.dice.percent(20).then(|| {
                let ahead = chrono::Days::new(self.dice.below(60) as u64);
                NaiveDate::from_ymd_opt(2026, 2, 8).unwrap() + ahead
            });
            let task = NewTask {
                title,
                description: None,
                priority: self
                    .dice
                    .pick(&[Priority::Low, Priority::Medium, Priority::High]),
                due_date: due,
                due_time: None,
                repeat: None,
                remind: None,
            };
            let id = unit.add(task).facts().task_id.unwrap();
            if self.dice.percent(20) {
                let patch = TaskPatch {
                    completed: Some(true),
                    ..TaskPatch::default()
                };
                let _ = unit.change(Action::CompleteTask, id, &patch);
            }
        }
        let commit = self.store.commit(unit, CommitRecord::default()).await;
        assert!(matches!(commit, CommitResult::Committed(_)), "{commit:?}");
    }

    /// Rows, oldest first.
    async fn rows(&self) -> Vec<Task> {
        let snapshot = self.store.load(&self.user, None, None).await.unwrap();
        snapshot.tasks.to_vec()
    }

    /// Time passes, a page is opened or closed, and what is due is delivered.
    async fn wait(&mut self, number: usize, seconds: usize, storms: bool) {
        NOW.with(|now| now.set(now.get() + 1_000_000 * seconds as i64));
        let rows = self.rows().await;
        self.weather.arm(storms);
        let wrong = self.reminders.deliver(&rows).await;
        self.weather.arm(false);
        if !self.weather.struck().is_empty() {
            self.reminders.shake();
        }
        if let Some(why) = wrong {
            self.wrong(number, Wrong::Ghost, &why);
        }
    }

    async fn turn(&mut self, number: usize) {
        self.reminders.open_or_close(&mut self.dice);
        let hours = if self.dice.percent(15) { 3 } else { 0 };
        let passed = self.dice.below(60) + hours * self.dice.below(3_600);
        self.wait(number, passed, true).await;
        let before = self.rows().await;
        self.reminders.note_missed(&before);
        let options = self.standing.as_ref().map(Standing::numbered);
        let wish = wish::wish(&mut self.dice, &before, options);
        let honest = self.dice.percent(25);
        let rounds = if honest {
            models::honest(&wish)
        } else {
            models::hostile(&mut self.dice, &wish, &before)
        };
        self.said.push(wish.message.clone());
        let request = self.request(&wish);
        let key = self.dice.percent(20).then(|| format!("key-{number}"));
        let sent = now();
        self.model.learn(rounds.clone());
        self.weather.arm(true);
        let mut answered = self.ask(request.clone(), key.clone()).await;
        let cut = matches!(&answered, None | Some(Err(ChatError::Unconfirmed)));
        if cut && key.is_some() && self.rows().await != before {
            // A client that was not answered asks again; by then the weather is fine.
            self.weather.arm(false);
            answered = self.ask(request.clone(), key.clone()).await;
        }
        let body: Option<Value> = match &answered {
            Some(Ok(answered)) => Some(serde_json::from_str(&answered.body).unwrap()),
            _ => None,
        };
        self.weather.arm(false);
        let mut struck = self.weather.struck();
        if self.breaks {
            struck.push("the guard breaks".to_owned());
        }
        let after = self.rows().await;
        self.played.turns += 1;
        self.tell(
            number,
            &wish,
            &rounds,
            &struck,
            &answered,
            (&before, &after),
        );
        if let (Some(Ok(first)), Some(_)) = (&answered, &key) {
            let again = self.ask(request, key).await;
            let same = matches!(&again, Some(Ok(second)) if second.body == first.body);
            if !same || self.rows().await != after {
                self.wrong(number, Wrong::Ghost, "the same key was answered otherwise");
            }
        }
        let calm = struck.is_empty();
        if let Some(body) = &body
            && let Some(why) = self.reminders.told(&transcript(body), &before, calm)
        {
            self.wrong(number, Wrong::Lost, &why);
        }
        match &body {
            Some(body) => self.settle(number, body),
            None if after != before => self.owe().await,
            None => {}
        }
        let known = Known {
            wish: &wish,
            before: &before,
            after: &after,
            standing: self.standing.as_ref(),
            unanswered: self.unanswered,
            unmet: self.unmet.as_ref(),
            undoable: self.undoable.last().map(Vec::as_slice),
            now: sent,
        };
        let unlicensed = verdict::unlicensed(&known);
        let mut served = None;
        let mut odd = None;
        match &answered {
            Some(Ok(_)) if honest && struck.is_empty() => {
                served = body.as_ref().and_then(|body| verdict::served(&known, body));
            }
            Some(Ok(_)) => {}
            Some(Err(error)) => odd = verdict::error(error, &known, &struck),
            None => {}
        }
        if let Some(why) = unlicensed {
            self.wrong(number, Wrong::Unlicensed, &why);
        }
        if let Some(why) = odd {
            self.wrong(number, Wrong::Lost, &why);
        }
        self.played.honest += u64::from(served.is_some());
        if let Some(Err(why)) = served {
            self.played
                .wrong
                .push((number, Wrong::Refused, format!("{:?}: {why}", wish.message)));
        }
        let changes = verdict::changes(&before, &after);
        self.remember(&wish.means, changes, body.as_ref(), answered.as_ref());
        if let Some(body) = body {
            let (texts, mut proposed) = models::said(&rounds);
            let by = body["execution_metadata"]["model"].as_str();
            if by.is_some_and(|by| by.contains("engine")) {
                proposed.extend(models::engine());
            }
            self.kept.push(Turn {
                number,
                body,
                before,
                after,
                texts,
                proposed,
                said: self.said.clone(),
            });
        }
    }

    /// A turn changed something and could not say so.
    async fn owe(&mut self) {
        // Nobody knows a conversation that was begun by it.
        let Some(conversation) = self.conversation else {
            return;
        };
        let history = self.store.history(&self.user, Some(conversation), 1_000);
        let history = history.await.unwrap();
        let mut changes = (history.iter().rev())
            .map(|entry| entry.receipt.facts())
            .filter(|facts| facts.action.is_change());
        let latest = changes.clone().next_back().map(|facts| facts.turn_id);
        changes
            .by_ref()
            .filter(|facts| Some(facts.turn_id) == latest)
            .filter_map(verdict::contract_line)
            .for_each(|line| self.owed.push(line));
    }

    /// Checks that what a conversation owes stands in its next answer, or in the lines before it.
    fn settle(&mut self, number: usize, body: &Value) {
        let said = transcript(body);
        for owed in std::mem::take(&mut self.owed) {
            if !said.contains(&owed) {
                let why = format!("{owed:?} was cut off and never told");
                self.wrong(number, Wrong::Lost, &why);
            }
        }
    }

    /// The message, or a button of the question that stands.
    fn request(&mut self, wish: &Wish) -> ChatRequest {
        let button = match (&wish.means, &self.standing) {
            (Means::Answer(choice), Some(standing)) if self.dice.percent(40) => {
                let value = match choice {
                    Choice::Yes => "yes".to_owned(),
                    Choice::No => "no".to_owned(),
                    Choice::Number(number) => number.to_string(),
                };
                let offered = standing.options.iter().any(|(id, _)| *id == value);
                let id = serde_json::from_value(standing.id.clone()).ok();
                id.filter(|_| offered).map(|id| AnswerChoice { id, value })
            }
            _ => None,
        };
        ChatRequest {
            message: button.is_none().then(|| wish.message.clone()),
            answer: button,
            conversation_id: self.conversation,
            ..ChatRequest::default()
        }
    }

    /// Asks the service; nothing when the turn was cut off, or the program panicked.
    async fn ask(
        &mut self,
        request: ChatRequest,
        key: Option<String>,
    ) -> Option<Result<ChatAnswer, ChatError>> {
        let (chat, user) = (self.chat.clone(), self.user.clone());
        let hangs = Arc::clone(&self.model.hangs);
        let mut running = tokio::spawn(async move { chat.chat(&user, request, key).await });
        tokio::select! {
            done = &mut running => match done {
                Ok(answered) => Some(answered),
                Err(error) => {
                    let number = self.played.turns as usize + 1;
                    self.wrong(number, Wrong::Panic, &error.to_string());
                    None
                }
            },
            () = hangs.notified() => {
                running.abort();
                // Whether it ended or was ended does not matter: nobody is answered.
                let _ = running.await;
                None
            }
        }
    }

    fn wrong(&mut self, number: usize, kind: Wrong, why: &str) {
        self.played.wrong.push((number, kind, why.to_owned()));
    }

    /// Remembers what the next turn is judged by.
    fn remember(
        &mut self,
        means: &Means,
        changes: Vec<Change>,
        body: Option<&Value>,
        answered: Option<&Result<ChatAnswer, ChatError>>,
    ) {
        self.unanswered = body.is_none();
        let failed = |body: &&Value| oracle::text(body) == TOOL_NOT_TRIGGERED;
        self.unmet = body.filter(failed).map(|_| means.clone());
        match (body, answered) {
            (Some(body), _) => {
                self.conversation = serde_json::from_value(body["conversation_id"].clone()).ok();
                // A yes answers what the latest reply asks, and nothing before it.
                self.standing = Standing::of(body);
            }
            (_, Some(Err(ChatError::ModelDown { conversation, .. }))) => {
                self.conversation = Some(*conversation);
                // It stands above the error, and is asked again before words answer it.
                self.standing = None;
            }
            // A conversation that nobody was told of: the next message begins another.
            _ if self.conversation.is_none() => {
                self.undoable.clear();
                self.standing = None;
                self.said.clear();
                return;
            }
            _ => {}
        }
        if changes.is_empty() {
            return;
        }
        // A yes may undo as well.
        let says = |body: &Value| oracle::text(body).starts_with("Undone: ");
        if *means == Means::Undo || body.is_some_and(says) {
            self.undoable.pop();
        } else {
            self.undoable.push(changes);
        }
    }

    fn tell(
        &mut self,
        number: usize,
        wish: &Wish,
        rounds: &[Round],
        struck: &[String],
        answered: &Option<Result<ChatAnswer, ChatError>>,
        (before, after): (&[Task], &[Task]),
    ) {
        if !self.tells {
            return;
        }
        let list: Vec<String> = before
            .iter()
            .map(|task| {
                let done = if task.status.is_completed() {
                    " (done)"
                } else {
                    ""
                };
                format!("{}{done}", task.title)
            })
            .collect();
        let story = &mut self.played.story;
        let _ = writeln!(story, "turn {number}\n  list:    {list:?}");
        let _ = writeln!(story, "  user:    {:?} = {:?}", wish.message, wish.means);
        let _ = writeln!(story, "  model:   {rounds:?}");
        if !struck.is_empty() {
            let _ = writeln!(story, "  store:   {struck:?}");
        }
        match answered {
            Some(Ok(answered)) => {
                let body: Value = serde_json::from_str(&answered.body).unwrap();
                let _ = writeln!(
                    story,
                    "  reply:   {:?} [{}]",
                    oracle::text(&body),
                    body["kind"]
                );
            }
            Some(Err(error)) => drop(writeln!(story, "  error:   {error}")),
            None => drop(writeln!(story, "  (cut off)")),
        }
        let _ = writeln!(story, "  changed: {:?}", oracle::effects(before, after));
    }

    /// Judges every turn by what the database holds at the end.
    async fn judge(&mut self) {
        let mut history = self.store.history(&self.user, None, 100_000).await.unwrap();
        history.reverse();
        let proven: Vec<Proven> = history
            .iter()
            .map(|entry| Proven {
                facts: entry.receipt.facts().clone(),
                line: receipt_line(SuccessProof::Receipt(&entry.receipt), Lang::En),
            })
            .collect();
        let events = self.events().await;
        let audit = self.store.audit_verify(&self.user, None).await.unwrap();
        let audit = audit.err().map(|broken| format!("{broken:?}"));
        if let Some(broken) = &audit {
            self.wrong(0, Wrong::Ghost, &format!("the audit chain: {broken}"));
        }
        let rows = self.rows().await;
        if let Some(why) = self.reminders.judge(self.store, &rows).await {
            self.wrong(0, Wrong::Lost, &why);
        }
        self.replay(&proven).await;
        let mut before: Option<(usize, ConversationId, bool)> = None;
        let mut asked: Vec<(Value, String)> = Vec::new();
        for turn in std::mem::take(&mut self.kept) {
            let id: TurnId = serde_json::from_value(turn.body["turn_id"].clone()).unwrap();
            let told = turn.body["conversation_id"].clone();
            let conversation: ConversationId = serde_json::from_value(told).unwrap();
            let mine = |it: &&Proven| it.facts.turn_id == id;
            let receipts: Vec<Proven> = proven.iter().filter(mine).cloned().collect();
            // What the turn just before did cannot be denied.
            let changed = receipts.iter().any(|it| it.facts.action.is_change());
            let denied = oracle::text(&turn.body).contains("No, nothing was changed.");
            if before == Some((turn.number - 1, conversation, true)) && denied {
                self.wrong(turn.number, Wrong::Ghost, "what was done is denied");
            }
            before = Some((turn.number, conversation, changed));
            let until = proven.iter().rposition(|it| it.facts.turn_id == id);
            let now = receipts.first().map(|it| it.facts.at);
            let past = proven
                .iter()
                .enumerate()
                .filter(|(at, _)| until.is_none_or(|until| *at <= until) || now.is_none());
            let evidence = Evidence {
                history: past.map(|(_, it)| it.clone()).collect(),
                receipts,
                events: events.get(&id).cloned().unwrap_or_default(),
                body: turn.body,
                before: turn.before,
                after: turn.after,
                audit: None,
                said: turn.said,
                texts: turn.texts,
                proposed: turn.proposed,
                asked: asked.clone(),
                meddled: false,
            };
            asked.extend(Standing::of(&evidence.body).map(|it| (it.id, it.text)));
            for finding in oracle::judge(&evidence) {
                let (kind, why) = match finding {
                    Finding::Ghost(why) if why.ends_with("happened and was not said") => {
                        (Wrong::Lost, why)
                    }
                    Finding::Ghost(why) | Finding::Metadata(why) => (Wrong::Ghost, why),
                    Finding::Effect(why) => (Wrong::Lost, why),
                };
                self.wrong(turn.number, kind, &why);
            }
        }
        self.played.wrong.sort();
    }

    async fn events(&self) -> HashMap<TurnId, Vec<Value>> {
        let filter = AuditFilter {
            user: Some(self.user.clone()),
            kind: Some(EventKind::ToolCall),
            ..AuditFilter::default()
        };
        let mut events: HashMap<TurnId, Vec<Value>> = HashMap::new();
        for row in self.store.audit_events(&filter).await.unwrap() {
            if let Some(turn) = row.turn_id {
                let payload = serde_json::from_str(&row.payload).unwrap();
                events.entry(turn).or_default().push(payload);
            }
        }
        events
    }

    /// All receipts of the user, one after another, make the list as it stands; and each says in
    /// the contract's words what its rows say.
    async fn replay(&mut self, proven: &[Proven]) {
        let mut told: Vec<Task> = Vec::new();
        for it in proven.iter().filter(|it| it.facts.action.is_change()) {
            if let Some(line) = verdict::contract_line(&it.facts)
                && line != it.line
            {
                let why = format!("{line:?} is said as {:?}", it.line);
                self.wrong(0, Wrong::Ghost, &why);
            }
            told.retain(|task| Some(task.id) != it.facts.task_id);
            told.extend(it.facts.after.clone());
        }
        let untold = oracle::effects(&told, &self.rows().await);
        if !untold.is_empty() {
            self.wrong(0, Wrong::Lost, &format!("no receipt for {untold:?}"));
        }
    }
}
