//! Ids in paths and parameters in queries, parsed before anything else happens.

use std::str::FromStr;

use actix_web::{HttpRequest, web};
use serde::Deserialize;
use serde::de::DeserializeOwned;

use super::api::ApiRequest;
use super::auth;
use super::code::Code;
use super::problem::Problem;
use crate::domain::UserId;

impl ApiRequest {
    /// The user the path names, to whom the caller may do what the request asks for. There is no
    /// other way to a user: a route that has one has asked.
    ///
    /// # Errors
    /// 400 when it can't be a user id, and what [`auth::may`] says.
    pub fn user(&self) -> Result<UserId, Problem> {
        let user = named(&self.sent)?;
        auth::may(&self.sent, &user)?;
        Ok(user)
    }

    /// Reads the client's own name of its chat from the path.
    ///
    /// # Errors
    /// 400 when it is empty, too long or no text.
    pub fn chat_name(&self) -> Result<String, Problem> {
        #[derive(Deserialize)]
        struct Path {
            chat: String,
        }
        let path = self.sent.match_info().load::<Path>();
        let chat = path.ok().map(|path| path.chat);
        let chat = chat.filter(|chat| (1..=255).contains(&chat.chars().count()));
        chat.ok_or_else(|| {
            let detail = "The chat in the path must be a text of 1 to 255 characters.";
            Problem::new(Code::BadId, detail)
        })
    }

    /// The part of the path called `name`, as it was sent.
    pub fn part(&self, name: &str) -> &str {
        self.sent.match_info().get(name).unwrap_or_default()
    }

    /// The id called `name` in the path.
    ///
    /// # Errors
    /// 400 when it is not a UUID.
    pub fn id<T: FromStr>(&self, name: &str) -> Result<T, Problem> {
        self.part(name).parse().map_err(|_| {
            let detail = format!("{name} in the path must be a UUID.");
            Problem::new(Code::BadId, detail)
        })
    }

    /// The query's parameters, as [`query`] reads them.
    ///
    /// # Errors
    /// 400 that names the parameter.
    pub fn query<T: DeserializeOwned>(&self) -> Result<T, Problem> {
        query(&self.sent)
    }
}

fn named(request: &HttpRequest) -> Result<UserId, Problem> {
    #[derive(Deserialize)]
    struct Path {
        user_id: String,
    }
    let path = request.match_info().load::<Path>();
    let user = path.ok().and_then(|path| UserId::parse(&path.user_id).ok());
    user.ok_or_else(|| {
        let fault = crate::domain::InvalidUserId;
        Problem::new(
            Code::BadUserId,
            format!("The user id in the path can't be one: {fault}."),
        )
    })
}

/// The query's parameters; an unknown one is a fault, since it would be ignored in silence.
///
/// # Errors
/// 400 that names the parameter.
pub fn query<T: DeserializeOwned>(request: &HttpRequest) -> Result<T, Problem> {
    let query = web::Query::<T>::from_query(request.query_string());
    query.map(web::Query::into_inner).map_err(|error| {
        let fault = match &error {
            actix_web::error::QueryPayloadError::Deserialize(fault) => fault.to_string(),
            other => other.to_string(),
        };
        Problem::new(Code::BadQuery, format!("The query can't be used: {fault}."))
    })
}

/// A parameter that is an id.
///
/// # Errors
/// 400 that names the parameter.
pub fn id_parameter<T: FromStr>(name: &str, text: Option<&str>) -> Result<Option<T>, Problem> {
    let fault = |_| Problem::new(Code::BadQuery, format!("{name} must be a UUID."));
    text.map(|text| text.parse().map_err(fault)).transpose()
}

/// A number from 1 to the second of `bounds`, or the first when nothing is said.
///
/// # Errors
/// 400 that names the parameter and its range.
pub fn limit(text: Option<&str>, bounds: (u32, u32)) -> Result<u32, Problem> {
    let (default, most) = bounds;
    let Some(text) = text else { return Ok(default) };
    let number = text
        .parse()
        .ok()
        .filter(|number| (1..=most).contains(number));
    number.ok_or_else(|| {
        Problem::new(
            Code::BadQuery,
            format!("limit must be a number from 1 to {most}."),
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use actix_web::test::TestRequest;

    #[test]
    fn users_come_percent_decoded() {
        let check = |segment: &'static str, expect: Option<&str>| {
            let request = TestRequest::default()
                .param("user_id", segment)
                .to_http_request();
            let user = named(&request).ok();
            assert_eq!(user.as_ref().map(UserId::as_str), expect, "{segment}");
        };
        check("me", Some("me"));
        check("auth0%7C123", Some("auth0|123"));
        check("me%40example.org", Some("me@example.org"));
        check("a%2Fb", None);
        check("%00", None);
        check("a%20b", None);
    }

    #[test]
    fn limits() {
        let check = |text: Option<&str>, expect: Option<u32>| {
            assert_eq!(limit(text, (50, 200)).ok(), expect, "{text:?}");
        };
        check(None, Some(50));
        check(Some("1"), Some(1));
        check(Some("200"), Some(200));
        check(Some("0"), None);
        check(Some("201"), None);
        check(Some("-1"), None);
        check(Some("ten"), None);
        check(Some(""), None);
    }

    #[test]
    fn unknown_parameters_are_named() {
        #[derive(Debug, Deserialize)]
        #[serde(deny_unknown_fields)]
        #[expect(dead_code, reason = "only its shape matters")]
        struct Filter {
            status: Option<String>,
        }
        let request = TestRequest::with_uri("/?stauts=pending").to_http_request();
        let problem = query::<Filter>(&request).unwrap_err();
        assert!(
            problem.detail.contains("unknown field `stauts`"),
            "{problem}"
        );
        let request = TestRequest::with_uri("/?status=pending").to_http_request();
        assert!(query::<Filter>(&request).is_ok());
    }
}
