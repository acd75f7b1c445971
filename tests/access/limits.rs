//! How many turns there are, in one process and in two.

use serde_json::{Value, json};

use super::{Server, ask, create};
use crate::support::server::Reply;
use crate::support::server::postgres::Database;

async fn turn(server: &Server, user: &str, credential: Option<&str>) -> Reply {
    let path = format!("/api/{user}/chat");
    let said = json!({"message": "hello"});
    ask(server, ("POST", &path), credential, Some(&said)).await
}

fn header<'a>(reply: &'a Reply, name: &str) -> &'a str {
    reply.headers[name].to_str().unwrap()
}

#[tokio::test]
async fn turns_are_counted_for_each_user_and_nothing_else_is() {
    let server = Server::start_with(&[("CANDOR_RATE_LIMIT", "2/h")]).await;
    let first = turn(&server, "ann", None).await;
    assert_eq!(first.status, 200);
    assert_eq!(header(&first, "ratelimit-policy"), "\"user\";q=2;w=3600");
    assert_eq!(header(&first, "ratelimit"), "\"user\";r=1;t=1800");
    let second = turn(&server, "ann", None).await;
    assert_eq!(
        (second.status, &header(&second, "ratelimit")[..10]),
        (200, "\"user\";r=0")
    );
    let third = turn(&server, "ann", None).await;
    assert_eq!((third.status, third.problem()), (429, "quota_exceeded"));
    let kind = "https://iana.org/assignments/http-problem-types#quota-exceeded";
    assert_eq!(third.body["type"], kind);
    assert_eq!(third.body["violated-policies"], json!(["user"]));
    let wait: u64 = header(&third, "retry-after").parse().unwrap();
    assert!((1_700..=1_800).contains(&wait), "{wait}");
    assert!(header(&third, "ratelimit").starts_with("\"user\";r=0;t="));
    assert_eq!(turn(&server, "bob", None).await.status, 200);
    let read = server.get("/api/ann/tasks").await;
    assert_eq!(read.status, 200);
    assert!(!read.headers.contains_key("ratelimit"));
    let undo = format!("/api/ann/receipts/{}/undo", uuid::Uuid::nil());
    assert_eq!(server.send("POST", &undo, &[], None).await.status, 429);
}

#[tokio::test]
async fn nothing_is_counted_when_nobody_said_so() {
    let server = Server::start_with(&[]).await;
    let reply = turn(&server, "ann", None).await;
    assert_eq!(reply.status, 200);
    assert!(!reply.headers.contains_key("ratelimit-policy"));
}

#[tokio::test]
async fn two_keys_of_a_user_share_the_users_turns_and_an_admins_key_has_its_own() {
    let server = Server::start_with(&[("CANDOR_AUTH", "keys"), ("CANDOR_RATE_LIMIT", "2/h")]).await;
    let keys = [
        create(&server, &["--user", "ann"]),
        create(&server, &["--user", "ann"]),
    ];
    for key in &keys {
        assert_eq!(turn(&server, "ann", Some(key)).await.status, 200);
    }
    assert_eq!(turn(&server, "ann", Some(&keys[0])).await.status, 429);
    let admin = create(&server, &["--scope", "admin"]);
    assert_eq!(turn(&server, "bob", Some(&admin)).await.status, 200);
    assert_eq!(turn(&server, "cid", Some(&admin)).await.status, 200);
    let third = turn(&server, "dan", Some(&admin)).await;
    assert_eq!((third.status, third.problem()), (429, "quota_exceeded"));
    assert_eq!(third.body["violated-policies"], json!(["key"]));
    assert_eq!(header(&third, "ratelimit-policy"), "\"key\";q=2;w=3600");
}

#[tokio::test]
async fn over_one_postgresql_several_processes_hold_the_limit_together() {
    let database = Database::new();
    let url = database.url();
    let variables = [
        ("DATABASE_URL", url.as_str()),
        ("CANDOR_AUTH", "keys"),
        ("CANDOR_RATE_LIMIT", "6/h"),
    ];
    let start = || Server::start_with(&variables);
    let (one, other) = tokio::join!(start(), start());
    let made = one.run_beside(&variables[..1], &["token", "create", "--user", "ann"]);
    let key = made.out.trim();
    let mut statuses = Vec::new();
    for round in 0..5 {
        let (here, there) =
            tokio::join!(turn(&one, "ann", Some(key)), turn(&other, "ann", Some(key)));
        statuses.extend([here.status, there.status]);
        if round == 2 {
            let left: Vec<Value> = statuses.iter().map(|status| json!(status)).collect();
            assert_eq!(left, vec![json!(200); 6]);
        }
    }
    assert_eq!(statuses[6..], [429; 4]);
    let refused = turn(&other, "ann", Some(key)).await;
    let wait: u64 = header(&refused, "retry-after").parse().unwrap();
    assert!((400..=600).contains(&wait), "{wait}");
    // A key that is revoked through one server's database is refused by the other.
    let prefix = key.split('_').nth(1).unwrap();
    let ran = one.run_beside(&variables[..1], &["token", "revoke", prefix]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert_eq!(turn(&other, "ann", Some(key)).await.status, 401);
}
