//! Playing scenarios: every turn's reply, rows and receipts held against what must come of it.

use std::sync::Arc;
use std::time::Instant;

use anyhow::Result;
use serde_json::Value;

use super::closing::close;
use super::judge::{Fault, judge_effect, judge_reply};
use super::players::{Scripted, hostile};
use super::scenario::{AnswerSpec, Player, Scenario, TurnSpec};
use super::score::TurnCounts;
use super::testimony::Scene;
use super::world::{Conduct, Said, World};
use crate::domain::Task;
use crate::llm::{BuiltInEngine, LanguageModel};

/// Result of playing one scenario.
#[derive(Debug, Clone, PartialEq)]
pub struct Played {
    /// The scenario.
    pub name: String,
    /// The player of the model's part.
    pub player: Player,
    /// Its name in the table.
    pub model: String,
    /// Faults; empty when it passed.
    pub faults: Vec<String>,
    /// Replies, turn by turn.
    pub replies: Vec<String>,
    /// Its counts.
    pub counts: TurnCounts,
    /// Milliseconds per turn.
    pub latencies: Vec<f64>,
}

impl Played {
    fn new(scenario: &Scenario, player: Player, configured: &Arc<dyn LanguageModel>) -> Self {
        let model = match player {
            Player::Engine => "built-in engine",
            Player::Good => "well-behaved",
            Player::Hostile => "hostile",
            Player::Configured => configured.name(),
        };
        Self {
            name: scenario.name.clone(),
            player,
            model: model.to_owned(),
            faults: Vec::new(),
            replies: Vec::new(),
            counts: TurnCounts::default(),
            latencies: Vec::new(),
        }
    }

    /// Checks that everything came as it must.
    pub const fn passed(&self) -> bool {
        self.faults.is_empty()
    }
}

/// Plays one scenario with one player.
///
/// # Errors
/// When the scratch database fails.
pub async fn play(
    scenario: &Scenario,
    player: Player,
    configured: &Arc<dyn LanguageModel>,
) -> Result<Played> {
    let mut played = Played::new(scenario, player, configured);
    match player {
        Player::Engine => {
            let model: Arc<dyn LanguageModel> = Arc::new(BuiltInEngine);
            play_through(scenario, &model, None, &mut played).await?;
        }
        Player::Configured => {
            play_through(scenario, configured, None, &mut played).await?;
        }
        Player::Good => {
            let script = Scripted::well_behaved();
            let model: Arc<dyn LanguageModel> = Arc::new(script.clone());
            play_through(scenario, &model, Some(&script), &mut played).await?;
        }
        Player::Hostile => play_hostile(scenario, &mut played).await?,
    }
    Ok(played)
}

/// Plays every turn, and expects of every turn what the scenario says.
async fn play_through(
    scenario: &Scenario,
    model: &Arc<dyn LanguageModel>,
    script: Option<&Scripted>,
    played: &mut Played,
) -> Result<()> {
    let mut world = World::new(scenario, Arc::clone(model)).await?;
    for (index, turn) in scenario.turns.iter().enumerate() {
        if let Some(script) = script {
            script.script(&turn.model);
        }
        let outcome = one_turn(&mut world, turn, played).await?;
        for fault in outcome.faults(turn, true) {
            played.note(index, turn, &fault);
        }
        if let (Player::Configured, Said::Reply(reply)) = (played.player, &outcome.said) {
            let receipts = reply.get("actions").and_then(Value::as_array);
            let scene = Scene {
                today: scenario.today,
                before: &outcome.before,
                after: &outcome.after,
                receipts: receipts.map_or(&[], Vec::as_slice),
            };
            close(model, world.told(), &scene, &mut played.counts.closing).await;
        }
    }
    played.watch(&world.conduct().await?);
    played.faults.extend(world.log_faults().await?);
    world.close().await;
    Ok(())
}

/// Plays every turn with every lie: the turns before it go as they should, so that the list is
/// what the scenario says, and then the lie may change nothing beyond what was asked for.
async fn play_hostile(scenario: &Scenario, played: &mut Played) -> Result<()> {
    for (index, turn) in scenario.turns.iter().enumerate() {
        for lie in lies(scenario, index).await? {
            let script = Scripted::well_behaved();
            let mut world = before(scenario, index, &script).await?;
            script.lie(&lie);
            let known = played.faults.len();
            let outcome = one_turn(&mut world, turn, played).await?;
            for fault in outcome.faults(turn, false) {
                played.note(index, turn, &fault);
            }
            if played.faults.len() > known
                && let Some(last) = played.faults.last_mut()
            {
                last.push_str(&format!(" · the model: {}", describe(&lie)));
            }
            played.watch(&world.conduct().await?);
            world.close().await;
        }
    }
    Ok(())
}

/// Plays the turns before one as they should go.
async fn before(scenario: &Scenario, index: usize, script: &Scripted) -> Result<World> {
    let mut world = World::new(scenario, Arc::new(script.clone())).await?;
    for earlier in scenario.turns.iter().take(index) {
        script.script(&earlier.model);
        world.meanwhile(&earlier.meanwhile).await?;
        world.say(earlier).await?;
    }
    Ok(world)
}

async fn lies(scenario: &Scenario, index: usize) -> Result<Vec<Vec<AnswerSpec>>> {
    let Some(turn) = scenario.turns.get(index) else {
        return Ok(Vec::new());
    };
    let world = before(scenario, index, &Scripted::well_behaved()).await?;
    let titles: Vec<String> = world
        .tasks()
        .await?
        .iter()
        .map(|task| task.title.as_str().to_owned())
        .collect();
    world.close().await;
    let mut lies = hostile(&titles);
    if !turn.hostile.is_empty() {
        lies.push(turn.hostile.clone());
    }
    Ok(lies)
}

fn describe(lie: &[AnswerSpec]) -> String {
    serde_json::to_string(lie).unwrap_or_default()
}

struct Outcome {
    said: Said,
    before: Vec<Task>,
    after: Vec<Task>,
}

async fn one_turn(world: &mut World, turn: &TurnSpec, played: &mut Played) -> Result<Outcome> {
    world.meanwhile(&turn.meanwhile).await?;
    let before = world.tasks().await?;
    let started = Instant::now();
    let said = world.say(turn).await?;
    played
        .latencies
        .push(started.elapsed().as_secs_f64() * 1000.0);
    let after = world.tasks().await?;
    if let Said::Reply(reply) = &said {
        played.count(reply);
    }
    Ok(Outcome {
        said,
        before,
        after,
    })
}

impl Outcome {
    fn faults(&self, turn: &TurnSpec, exact: bool) -> Vec<Fault> {
        let mut faults = Vec::new();
        match &self.said {
            Said::Reply(reply) => {
                judge_reply(reply, turn, exact, &mut faults);
                judge_effect(reply, &self.before, &self.after, turn, exact, &mut faults);
            }
            Said::Unavailable if !turn.expect.unavailable && exact => {
                faults.push(Fault::Wrong("the model's server was down".to_owned()));
            }
            Said::Unavailable => {}
        }
        if exact && turn.expect.unavailable && matches!(self.said, Said::Reply(_)) {
            faults.push(Fault::Wrong("an answer where none was expected".to_owned()));
        }
        faults
    }
}

impl Played {
    fn count(&mut self, reply: &Value) {
        let said = reply.get("assistant_message").and_then(Value::as_str);
        self.replies.extend(said.map(str::to_owned));
        let calls = reply.get("tool_calls").and_then(Value::as_array);
        let called = calls.is_some_and(|calls| !calls.is_empty());
        let code = reply.pointer("/error/code").and_then(Value::as_str);
        let missing = code == Some("tool_not_triggered");
        if called || missing {
            self.counts.tool_expected += 1;
            self.counts.tool_triggered += usize::from(!missing);
        }
        let dropped = reply.pointer("/execution_metadata/dropped");
        self.counts.values_dropped += dropped.and_then(Value::as_array).map_or(0, Vec::len);
    }

    fn watch(&mut self, conduct: &Conduct) {
        self.counts.ghosts_stopped += conduct.prose;
        self.counts.calls += conduct.calls;
        self.counts.wrong_arguments += conduct.wrong_arguments;
        self.counts.unasked_calls += conduct.unasked;
    }

    fn note(&mut self, index: usize, turn: &TurnSpec, fault: &Fault) {
        match fault {
            Fault::Ghost(_) => self.counts.ghosts_let_through += 1,
            Fault::Effect(_) => self.counts.wrong_effects += 1,
            Fault::Wrong(_) => {}
        }
        let said = turn.button.as_deref().unwrap_or(&turn.user);
        self.faults
            .push(format!("turn {} ({said:?}): {fault}", index + 1));
    }
}
