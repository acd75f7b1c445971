//! Owners of sessions of the older revision.
//!
//! The SDK keeps sessions and knows nothing of users: whoever has a session's id could read what is
//! asked in it, and answer. So each is the client's that opened it, and to anybody else it is one
//! that does not exist. A client keeps its newest ones only.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use parking_lot::Mutex;
use rmcp::transport::streamable_http_server::session::SessionManager;
use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;

use super::consent::PATIENCE;
use crate::http::Client;

/// So many at once for one client, and in all.
const PER_CLIENT: usize = 16;
const IN_ALL: usize = 1_024;

/// Lifetime of a session in which nothing happens: longer than a question waits.
const IDLE: Duration = Duration::from_secs(3 * PATIENCE.as_secs());

/// The sessions of this process.
#[derive(Debug, Clone)]
pub(super) struct McpSessions {
    manager: Arc<LocalSessionManager>,
    /// By id; the number says which is older.
    owners: Arc<Mutex<HashMap<String, (u64, Client)>>>,
}

impl McpSessions {
    pub(super) fn new() -> Self {
        let mut manager = LocalSessionManager::default();
        manager.session_config.keep_alive = Some(IDLE);
        Self {
            manager: Arc::new(manager),
            owners: Arc::default(),
        }
    }

    pub(super) fn manager(&self) -> Arc<LocalSessionManager> {
        Arc::clone(&self.manager)
    }

    /// Tells whether `client` may use a session of that id; one that nobody has is the SDK's to
    /// refuse.
    pub(super) fn may_use(&self, id: &str, client: &Client) -> bool {
        let owners = self.owners.lock();
        owners.get(id).is_none_or(|(_, owner)| owner == client)
    }

    /// Notes whose a new session is, and closes what is too much.
    pub(super) async fn opened(&self, id: &str, client: &Client) {
        let living: Vec<String> = {
            let sessions = self.manager.sessions.read().await;
            sessions.keys().map(ToString::to_string).collect()
        };
        let closed = self.note(id, client, &living);
        for id in closed {
            if let Err(error) = self.manager.close_session(&id.as_str().into()).await {
                tracing::debug!(%error, "an old session did not close cleanly");
            }
        }
    }

    /// The ids that are too much.
    fn note(&self, id: &str, client: &Client, living: &[String]) -> Vec<String> {
        let mut owners = self.owners.lock();
        owners.retain(|id, _| living.contains(id));
        let newest = owners.values().map(|(number, _)| number).max();
        let number = newest.map_or(0, |number| number + 1);
        owners.insert(id.to_owned(), (number, client.clone()));
        let own = close_oldest(&mut owners, PER_CLIENT, |owner| owner == client);
        let all = close_oldest(&mut owners, IN_ALL, |_| true);
        [own, all].concat()
    }
}

/// Takes out the oldest of those sessions that are more than `most`.
fn close_oldest(
    owners: &mut HashMap<String, (u64, Client)>,
    most: usize,
    among: impl Fn(&Client) -> bool,
) -> Vec<String> {
    let ids = owners.iter().filter(|(_, (_, owner))| among(owner));
    let mut ids: Vec<(u64, String)> = ids.map(|(id, (at, _))| (*at, id.clone())).collect();
    ids.sort();
    ids.truncate(ids.len().saturating_sub(most));
    let closed: Vec<String> = ids.into_iter().map(|(_, id)| id).collect();
    owners.retain(|id, _| !closed.contains(id));
    closed
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::UserId;

    fn client(name: &str) -> Client {
        Client::local(UserId::parse(name).unwrap())
    }

    #[test]
    fn a_session_is_its_openers_and_only_the_newest_are_kept() {
        let sessions = McpSessions::new();
        let (ann, bob) = (client("ann"), client("bob"));
        let mut living = vec!["bobs".to_owned()];
        assert!(sessions.note("bobs", &bob, &living).is_empty());
        assert!(sessions.may_use("bobs", &bob));
        assert!(!sessions.may_use("bobs", &ann));
        assert!(sessions.may_use("nobodys", &ann));
        for number in 0..PER_CLIENT {
            living.push(number.to_string());
            assert!(sessions.note(&number.to_string(), &ann, &living).is_empty());
        }
        living.push("more".to_owned());
        assert_eq!(sessions.note("more", &ann, &living), ["0"]);
        assert!(!sessions.may_use("bobs", &ann));
        // What ended by itself makes room.
        living.retain(|id| id != "1");
        living.push("again".to_owned());
        assert!(sessions.note("again", &ann, &living).is_empty());
    }
}
