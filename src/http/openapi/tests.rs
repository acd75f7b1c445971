//! The description against the router.

use std::collections::BTreeSet;
use std::sync::Arc;

use actix_web::dev::Service;
use actix_web::http::Method;
use actix_web::test::{TestRequest, init_service};
use actix_web::{App, web};
use serde_json::Value;

use super::{Served, document};
use crate::http::server::tests::api;
use crate::http::todo_backend;

/// Everything there can be.
fn described() -> Value {
    let served = Served {
        closed: true,
        todo_backend: true,
    };
    serde_json::from_str(&document(served).unwrap()).unwrap()
}

/// Every pattern of the router, by its own account.
async fn patterns() -> BTreeSet<String> {
    let under = |pattern| format!("{}{pattern}", todo_backend::PREFIX);
    let todos = patterns_of(todo_backend::routes).await;
    let own = patterns_of(crate::http::routes::routes).await;
    todos.into_iter().map(under).chain(own).collect()
}

async fn patterns_of(routes: fn(&mut web::ServiceConfig)) -> BTreeSet<String> {
    let seen = Arc::new(std::sync::Mutex::new(String::new()));
    let seen_here = Arc::clone(&seen);
    let app = App::new()
        .app_data(web::Data::new(api().await))
        .configure(routes)
        .wrap_fn(move |request, service| {
            *seen_here.lock().unwrap() = format!("{:?}", request.resource_map());
            service.call(request)
        });
    let app = init_service(app).await;
    let _ = app.call(TestRequest::with_uri("/").to_request()).await;
    let text = seen.lock().unwrap().clone();
    let pattern = regex::Regex::new(r#"patterns: Single\("([^"]*)"\)"#).unwrap();
    let found = pattern
        .captures_iter(&text)
        .map(|found| found[1].to_owned());
    found.filter(|pattern| !pattern.is_empty()).collect()
}

/// The methods that a pattern has, tried one by one.
async fn methods(pattern: &str) -> BTreeSet<String> {
    let app = App::new()
        .app_data(web::Data::new(api().await))
        .service(todo_backend::scope())
        .configure(crate::http::routes::routes);
    let app = init_service(app).await;
    let uri = pattern.replace("{user_id}", "me").replace("{file:.*}", "x");
    let uri = regex::Regex::new(r"\{[^}]*\}")
        .unwrap()
        .replace_all(&uri, "x")
        .into_owned();
    let mut found = BTreeSet::new();
    for method in [
        "GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "QUERY",
    ] {
        let request =
            TestRequest::with_uri(&uri).method(Method::from_bytes(method.as_bytes()).unwrap());
        let status = app.call(request.to_request()).await.unwrap().status();
        if status != 405 {
            found.insert(method.to_owned());
        }
    }
    found
}

/// Files that browsers load for the two pages.
const FILES: [&str; 3] = ["/page/{file}", "/docs", "/docs/{file}"];

#[actix_web::test]
async fn every_route_is_described_and_nothing_else_is() {
    let description = described();
    let mut told = BTreeSet::new();
    for (path, item) in description["paths"].as_object().unwrap() {
        for (method, operation) in item.as_object().unwrap() {
            told.insert((path.clone(), method.to_uppercase()));
            let stream = operation["responses"]["200"]["content"].get("text/event-stream");
            // What can be read can be asked for without its body, unless it does not end.
            if method == "get" && stream.is_none() {
                told.insert((path.clone(), "HEAD".to_owned()));
            }
        }
    }
    let mut there = BTreeSet::new();
    let patterns = patterns().await;
    assert!(
        patterns.len() > 15,
        "the router was not walked: {patterns:?}"
    );
    for pattern in patterns {
        let path = pattern.replace("{file:.*}", "{file}");
        if FILES.contains(&path.as_str()) {
            continue;
        }
        let methods = methods(&pattern).await;
        there.extend(methods.into_iter().map(|method| (path.clone(), method)));
    }
    assert_eq!(told, there);
}

#[test]
fn every_reference_leads_somewhere_and_every_operation_is_complete() {
    let description = described();
    let text = description.to_string();
    let reference = regex::Regex::new(r##""#(/components/[^"]+)""##).unwrap();
    for found in reference.captures_iter(&text) {
        assert!(description.pointer(&found[1]).is_some(), "{}", &found[1]);
    }
    let mut ids = BTreeSet::new();
    for (path, item) in description["paths"].as_object().unwrap() {
        for (method, operation) in item.as_object().unwrap() {
            let name = format!("{method} {path}");
            let id = operation["operationId"].as_str().unwrap();
            assert!(ids.insert(id.to_owned()), "{name}");
            let of_user = path.contains("{user_id}");
            let responses = operation["responses"].as_object().unwrap();
            // The API of others has its own errors.
            let is_v1 = path.starts_with("/v1/");
            let form = ["application/problem+json", "application/json"][usize::from(is_v1)];
            for status in ["401", "403", "500", "503"].into_iter().filter(|_| !is_v1) {
                let expect = of_user || (status != "401" && status != "403" && path == "/readyz");
                assert_eq!(responses.contains_key(status), expect, "{name} {status}");
            }
            for (status, response) in responses {
                if status.parse::<u16>().unwrap() >= 400 {
                    let pointer = response["$ref"].as_str().unwrap().trim_start_matches('#');
                    let response = description.pointer(pointer).unwrap();
                    let schema = &response["content"][form]["schema"];
                    assert!(schema["allOf"].is_array(), "{name} {status}");
                }
            }
            let named = path.matches('{').count();
            let given = operation["parameters"].as_array();
            let given = given.into_iter().flatten();
            let given = given.filter(|parameter| parameter["in"] == "path").count();
            assert_eq!(named, given, "{name}");
        }
    }
}

#[test]
fn only_a_closed_server_asks_for_a_credential() {
    let open: Value = serde_json::from_str(&document(Served::default()).unwrap()).unwrap();
    assert_eq!(open["security"].to_string(), "[{}]");
    assert!(open["components"]["securitySchemes"].is_null());
    assert!(!open["paths"].to_string().contains("\"401\""));
    assert!(!open["paths"].to_string().contains("todo-backend"));
    assert!(open["components"]["schemas"]["Todo"].is_null());
    let closed = described();
    assert_eq!(closed["security"].to_string(), r#"[{"bearer":[]}]"#);
    assert_eq!(
        closed["paths"]["/healthz"]["get"]["security"].to_string(),
        "[{}]"
    );
}
