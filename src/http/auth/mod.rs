//! Access: who calls, what that caller may do, and how often.
//!
//! Two gates, so that a new route can't be left open by mistake. `middleware` asks [`Access::admit`]
//! before anything is routed: whatever is not public needs a credential. And a handler gets its
//! user only through `ApiRequest::user`, which asks [`may`]: the path must be the caller's own; or,
//! where no path names a user, through [`speaker`]. Where there are no credentials
//! (`CANDOR_AUTH=none`) both are one comparison.

mod bearer;
mod introspect;
mod issuer;
mod jwks;
mod jwt;
mod keys;
mod limits;
pub(super) mod metadata;

use actix_web::dev::ServiceRequest;
use actix_web::http::header::{HeaderMap, HeaderName};
use actix_web::{HttpMessage, HttpRequest};

pub use self::introspect::Introspection;
pub use self::jwt::{Jwt, JwtKey};
pub use self::limits::{Limits, RateLimitStanding};
use super::api::{Api, ApiRequest};
use super::code::Code;
use super::cors::Origins;
use super::problem::Problem;
use crate::domain::{Clock, UserId};
use crate::store::{KeyScope, Store};

/// User where nobody proves anything and nobody is named; the page and the terminal say so, too.
const LOCAL: &str = "me";

/// Addresses that anybody may read: they tell nothing of any user but of whoever proves to be one.
const PUBLIC: [&str; 12] = [
    "/",
    "/page/{file:.*}",
    "/about",
    "/problems/{code}",
    "/healthz",
    "/readyz",
    "/metrics",
    "/openapi.json",
    "/docs",
    "/docs/{file:.*}",
    metadata::ROOT,
    metadata::TOOLS,
];

/// Rules for who may call, from where and how often. Nobody proves anything by default.
#[derive(Debug, Default)]
pub struct Access {
    /// Signed tokens are taken.
    pub jwt: Option<Jwt>,
    /// Opaque tokens are taken, of which an endpoint says what they are worth.
    pub introspection: Option<Introspection>,
    /// Keys are taken, and this says which time it is.
    pub keys: Option<Clock>,
    /// Number of turns that there are for each user.
    pub limits: Option<Limits>,
    /// Origins of pages that may call.
    pub origins: Origins,
    /// The header in which whoever acts for everybody says for whom `/v1` is called.
    pub user_header: Option<HeaderName>,
}

/// Caller, proven by a credential.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Caller {
    /// User of the paths that are open; none: everybody's.
    subject: Option<UserId>,
    scope: KeyScope,
    /// The prefix of the key, if it was one.
    key: Option<String>,
}

impl Access {
    /// Tells whether nobody has to prove anything.
    pub const fn is_open(&self) -> bool {
        self.jwt.is_none() && self.introspection.is_none() && self.keys.is_none()
    }

    /// Lets a request in, and notes who calls.
    ///
    /// # Errors
    /// 401 without a credential that holds, 503 when none can be checked.
    pub(super) async fn admit(
        &self,
        request: &ServiceRequest,
        store: &Store,
    ) -> Result<(), Problem> {
        if self.is_open() {
            return Ok(());
        }
        let public = match request.match_pattern() {
            Some(pattern) => PUBLIC.contains(&pattern.as_str()),
            // There is nothing here, or it is spelt so that only the router finds it.
            None => !request.headers().contains_key("authorization"),
        };
        if public {
            return Ok(());
        }
        let caller = self.caller(request.headers(), store).await?;
        request.extensions_mut().insert(caller);
        Ok(())
    }

    /// Identifies who asks at an address that is open to everybody: the user and the scope of a
    /// credential that holds. One that does not is no reason to refuse what is everybody's.
    pub(super) async fn known(
        &self,
        headers: &HeaderMap,
        store: &Store,
    ) -> Option<(Option<UserId>, KeyScope)> {
        if self.is_open() {
            return None;
        }
        let caller = self.caller(headers, store).await.ok()?;
        Some((caller.subject, caller.scope))
    }

    async fn caller(&self, headers: &HeaderMap, store: &Store) -> Result<Caller, Problem> {
        let text = bearer::of(headers)?;
        if keys::looks_like(text) {
            return match self.keys {
                Some(clock) => keys::check(text, clock, store).await,
                None => Err(bearer::refused("API keys are not taken here")),
            };
        }
        match (&self.jwt, &self.introspection) {
            (Some(jwt), _) => jwt.check(text).await,
            (None, Some(introspection)) => introspection.check(text).await,
            (None, None) => Err(bearer::refused("this is not an API key of this server")),
        }
    }
}

/// Checks that the caller may do what the request asks for, to `user`: look with `read`, change
/// with `write`.
///
/// # Errors
/// 401 when nobody is known to call, 403 for another user's path or a missing scope.
pub(super) fn may(request: &HttpRequest, user: &UserId) -> Result<(), Problem> {
    if Api::of(request)?.access.is_open() {
        return Ok(());
    }
    let extensions = request.extensions();
    let caller = extensions.get().ok_or_else(bearer::missing)?;
    let needed = if request.method().is_safe() {
        KeyScope::Read
    } else {
        KeyScope::Write
    };
    judge(caller, user, needed)
}

/// Speaker where no path names a user: the credential's subject. Who acts for
/// everybody says for whom: in the header of `CANDOR_USER_HEADER` where there is one, else as
/// `named`. Where nobody proves anything it is whoever is `named`, or `me`.
///
/// # Errors
/// What [`may`] says, and 400 when somebody who acts for everybody does not say for whom.
pub(super) fn speaker(request: &HttpRequest, named: Option<&str>) -> Result<UserId, Problem> {
    let named = named.and_then(|user| UserId::parse(user).ok());
    let subject = match request.extensions().get::<Caller>() {
        Some(Caller {
            subject: Some(own), ..
        }) => own.clone(),
        Some(_) => represented(request, named)?,
        None => match named {
            Some(user) => user,
            None => UserId::parse(LOCAL).map_err(Problem::internal)?,
        },
    };
    may(request, &subject)?;
    Ok(subject)
}

/// For whom somebody calls who acts for everybody. The header is the proxy's and the body is of
/// whoever uses the proxy, so where the header is asked for the body names nobody.
fn represented(request: &HttpRequest, named: Option<UserId>) -> Result<UserId, Problem> {
    let Some(header) = &Api::of(request)?.access.user_header else {
        return named.ok_or_else(|| {
            let detail = "Your credential acts for every user: say for whom, in the field user.";
            Problem::new(Code::BadUserId, detail).about("user")
        });
    };
    let mut given = request.headers().get_all(header);
    let user = given.next().and_then(|value| value.to_str().ok());
    let user = user.and_then(|user| UserId::parse(user).ok());
    user.filter(|_| given.next().is_none()).ok_or_else(|| {
        let detail = format!(
            "Your credential acts for every user: say for whom, once, in the header {header} \
             (CANDOR_USER_HEADER)."
        );
        Problem::new(Code::BadUserId, detail)
    })
}

fn judge(caller: &Caller, user: &UserId, needed: KeyScope) -> Result<(), Problem> {
    if caller.subject.as_ref().is_some_and(|own| own != user) {
        let detail = "This is another user's path: your credential opens only your own, \
                      /api/{user_id}/ with the user it was made for.";
        return Err(Problem::new(Code::OtherUser, detail));
    }
    if caller.scope < needed {
        let has = caller.scope;
        let detail = format!("This needs the scope {needed}; your credential has {has}.");
        let mut problem = Problem::new(Code::MissingScope, detail);
        problem.challenge = Some(bearer::scope(needed).into());
        return Err(problem);
    }
    Ok(())
}

impl ApiRequest {
    /// Counts a turn of `user`, and notes for the answer's headers how many are left.
    ///
    /// # Errors
    /// 429 when there were too many.
    pub(super) async fn turn(&self, user: &UserId) -> Result<(), Problem> {
        let Some(limits) = &self.access.limits else {
            return Ok(());
        };
        // A key of one user has no more than that user; only who acts for several has a limit of
        // its own beside theirs.
        let key = match self.sent.extensions().get::<Caller>() {
            Some(Caller {
                subject: None,
                key: Some(prefix),
                ..
            }) => Some(prefix.clone()),
            _ => None,
        };
        let standing = take(limits, self.store(), user, key.as_deref()).await;
        let problem = standing.problem();
        self.sent.extensions_mut().insert(standing);
        problem.map_or(Ok(()), Err)
    }
}

async fn take(
    limits: &Limits,
    store: &Store,
    user: &UserId,
    key: Option<&str>,
) -> RateLimitStanding {
    let standing = limits.take(store, "user", user.as_str()).await;
    match key.filter(|_| standing.allowed()) {
        Some(key) => standing.tighter(limits.take(store, "key", key).await),
        None => standing,
    }
}

/// Caller of an edge whose paths name no user.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Client {
    /// For whom.
    pub user: UserId,
    /// Scope of what may be done.
    pub scope: KeyScope,
    /// The prefix of a key that acts for several users.
    key: Option<String>,
}

impl Client {
    /// Returns the client that runs the program itself, and may do everything of `user`'s.
    pub const fn local(user: UserId) -> Self {
        Self {
            user,
            scope: KeyScope::Write,
            key: None,
        }
    }

    /// Finds who sent `request`. `named` is for whom, where the credential leaves that open: who
    /// acts for everybody must say it, and without credentials nothing said means `me`.
    ///
    /// # Errors
    /// 401 when nobody is known to call, 403 when `named` is another user, 400 when an admin names
    /// none.
    pub fn of(request: &HttpRequest, named: Option<UserId>) -> Result<Self, Problem> {
        if Api::of(request)?.access.is_open() {
            let user = named.map_or_else(|| UserId::parse("me"), Ok);
            return user.map(Self::local).map_err(Problem::internal);
        }
        let extensions = request.extensions();
        let caller: &Caller = extensions.get().ok_or_else(bearer::missing)?;
        let user = match (&caller.subject, named) {
            (Some(own), Some(named)) if *own != named => {
                let detail = "Your credential is another user's: leave the user out, or name its.";
                return Err(Problem::new(Code::OtherUser, detail));
            }
            (Some(own), _) => own.clone(),
            (None, Some(named)) => named,
            (None, None) => {
                let detail = "Your key acts for every user: say for whom, with ?user=USER.";
                return Err(Problem::new(Code::BadQuery, detail));
            }
        };
        Ok(Self {
            user,
            scope: caller.scope,
            key: caller.key.clone().filter(|_| caller.subject.is_none()),
        })
    }

    /// Counts a turn.
    ///
    /// # Errors
    /// 429 when there were too many.
    pub async fn turn(&self, api: &Api) -> Result<(), Problem> {
        let Some(limits) = &api.access.limits else {
            return Ok(());
        };
        let standing = take(limits, api.store(), &self.user, self.key.as_deref()).await;
        standing.problem().map_or(Ok(()), Err)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_open_to_its_user_and_to_admins_within_their_scope() {
        let caller = |subject: Option<&str>, scope| Caller {
            subject: subject.map(|user| UserId::parse(user).unwrap()),
            scope,
            key: None,
        };
        let ann = UserId::parse("ann").unwrap();
        let check = |caller: Caller, needed, expect: Option<Code>| {
            let judged = judge(&caller, &ann, needed);
            assert_eq!(
                judged.err().map(|problem| problem.code),
                expect,
                "{caller:?}"
            );
        };
        let (read, write, admin) = (KeyScope::Read, KeyScope::Write, KeyScope::Admin);
        check(caller(Some("ann"), write), write, None);
        check(caller(Some("ann"), write), read, None);
        check(caller(Some("ann"), read), read, None);
        check(caller(Some("ann"), read), write, Some(Code::MissingScope));
        check(caller(Some("bob"), write), read, Some(Code::OtherUser));
        check(caller(Some("bob"), read), write, Some(Code::OtherUser));
        check(caller(Some("Ann"), write), read, Some(Code::OtherUser));
        check(caller(None, admin), write, None);
    }
}
