//! A headless Chromium, driven over WebDriver: real keys, real clicks, and a look at what is there.
//!
//! The protocol is a handful of JSON requests, so the HTTP client that is here anyway speaks it.
//! Every browser has a driver of its own on a free port; both end with it.

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::support::server::Server;

/// How long anything may take before the test fails.
const PATIENCE: Duration = Duration::from_secs(60);

/// Keys that have no character.
pub const TAB: &str = "\u{e004}";
pub const ENTER: &str = "\u{e007}";
pub const ESCAPE: &str = "\u{e00c}";
pub const UP: &str = "\u{e013}";
pub const DOWN: &str = "\u{e015}";
pub const END: &str = "\u{e010}";
const SHIFT: &str = "\u{e008}";

/// The desk a page is made for, and the smallest phone.
pub const DESK: (u32, u32) = (1440, 900);
pub const PHONE: (u32, u32) = (360, 740);
/// A laptop's window, and a usual phone.
pub const LAPTOP: (u32, u32) = (1280, 800);
pub const USUAL_PHONE: (u32, u32) = (390, 844);

/// A browser with one window.
pub struct Browser {
    driver: Child,
    session: String,
    client: reqwest::Client,
    base: String,
}

impl Browser {
    /// Opens the page of `server`.
    pub async fn open(server: &Server) -> Self {
        let browser = Self::start(server).await;
        browser.goto("/").await;
        browser
    }

    /// A browser that has opened nothing.
    pub async fn start(server: &Server) -> Self {
        let mut driver = Command::new("chromedriver")
            .arg("--port=0")
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("chromedriver is there (apt-get install chromium-driver)");
        let mut lines = BufReader::new(driver.stdout.take().unwrap());
        let mut line = String::new();
        let port = loop {
            line.clear();
            assert!(
                lines.read_line(&mut line).unwrap() > 0,
                "chromedriver ended"
            );
            if let Some((_, port)) = line.trim_end().split_once("started successfully on port ") {
                break port.trim_end_matches('.').to_owned();
            }
        };
        std::thread::spawn(move || lines.read_to_end(&mut Vec::new()));
        let client = reqwest::Client::builder().no_proxy().build().unwrap();
        let mut browser = Self {
            driver,
            session: format!("http://127.0.0.1:{port}/session"),
            client,
            base: server.url(""),
        };
        let arguments = [
            "--headless=new",
            "--no-sandbox",
            "--disable-gpu",
            "--disable-dev-shm-usage",
            "--hide-scrollbars",
        ];
        let capabilities = json!({"capabilities": {"alwaysMatch": {
            "goog:loggingPrefs": {"browser": "ALL", "performance": "ALL"},
            "goog:chromeOptions": {"args": arguments},
        }}});
        // Where the machine is busy, a browser sometimes ends while it starts.
        let mut begun = browser.answer("POST", "", Some(capabilities.clone())).await;
        for _ in 0..2 {
            if begun.is_err() {
                begun = browser.answer("POST", "", Some(capabilities.clone())).await;
            }
        }
        let begun = begun.unwrap_or_else(|fault| panic!("no browser: {}", fault["message"]));
        let id = begun["sessionId"].as_str().unwrap();
        browser.session = format!("{}/{id}", browser.session);
        browser.size(DESK).await;
        browser.dark(false).await;
        browser.locale("en-GB").await;
        browser.languages("en-GB,en").await;
        browser
    }

    async fn ask(&self, method: &str, path: &str, body: Option<Value>) -> Value {
        let answer = self.answer(method, path, body).await;
        answer.unwrap_or_else(|fault| panic!("{path}: {}", fault["message"]))
    }

    /// Returns what the driver answers, or what it says is wrong.
    async fn answer(&self, method: &str, path: &str, body: Option<Value>) -> Result<Value, Value> {
        let method = reqwest::Method::from_bytes(method.as_bytes()).unwrap();
        let mut request = self
            .client
            .request(method, format!("{}{path}", self.session))
            .timeout(PATIENCE * 3);
        if let Some(body) = body {
            request = request
                .header("content-type", "application/json")
                .body(body.to_string());
        }
        let response = request.send().await.expect("chromedriver answers");
        let text = response.text().await.unwrap();
        let answer: Value = serde_json::from_str(&text).unwrap();
        let value = answer["value"].clone();
        if value["error"].is_string() {
            Err(value)
        } else {
            Ok(value)
        }
    }

    /// A command of the browser's own protocol.
    pub async fn command(&self, name: &str, parameters: Value) -> Value {
        let body = json!({"cmd": name, "params": parameters});
        self.ask("POST", "/goog/cdp/execute", Some(body)).await
    }

    /// The window's size in pixels.
    pub async fn size(&self, (width, height): (u32, u32)) {
        let size = json!({"width": width, "height": height, "deviceScaleFactor": 1,
            "mobile": width < 600});
        self.command("Emulation.setDeviceMetricsOverride", size)
            .await;
    }

    /// Sets what the system asks for: dark colours or light ones, and nothing that moves, so that
    /// pictures are still.
    pub async fn dark(&self, dark: bool) {
        let scheme = if dark { "dark" } else { "light" };
        let features = json!([
            {"name": "prefers-color-scheme", "value": scheme},
            {"name": "prefers-reduced-motion", "value": "reduce"},
        ]);
        self.command("Emulation.setEmulatedMedia", json!({"features": features}))
            .await;
    }

    /// The reader's language and country, for pages that are opened from now on.
    pub async fn locale(&self, locale: &str) {
        self.command("Emulation.setLocaleOverride", json!({"locale": locale}))
            .await;
    }

    /// The languages that the reader asks for, the dearest first, for pages that are opened from now on.
    pub async fn languages(&self, languages: &str) {
        let agent = self.run("return navigator.userAgent").await;
        let values = json!({"userAgent": agent, "acceptLanguage": languages});
        self.command("Emulation.setUserAgentOverride", values).await;
    }

    /// Sets whether pages may show notifications: `granted`, `denied`, or `prompt` where the user is asked.
    pub async fn notifications(&self, state: &str) {
        let body = json!({"descriptor": {"name": "notifications"}, "state": state});
        self.ask("POST", "/permissions", Some(body)).await;
    }

    /// Opens another tab of the same browser, and goes on there.
    pub async fn another_tab(&self) {
        let tab = self.ask("POST", "/window/new", Some(json!({"type": "tab"})));
        let handle = tab.await["handle"].clone();
        self.ask("POST", "/window", Some(json!({"handle": handle})))
            .await;
        self.size(DESK).await;
    }

    /// The name that a screen reader gives to the first that matches.
    pub async fn name_of(&self, selector: &str) -> String {
        let selector = json!(selector);
        let element = self
            .until(&format!("return document.querySelector({selector})"))
            .await;
        let (_, id) = element.as_object().unwrap().iter().next().unwrap();
        let path = format!("/element/{}/computedlabel", id.as_str().unwrap());
        let name = self.ask("GET", &path, None).await;
        name.as_str().unwrap().to_owned()
    }

    /// Opens an address of the server, and waits until the page is there.
    pub async fn goto(&self, path: &str) {
        let url = format!("{}{path}", self.base);
        self.ask("POST", "/url", Some(json!({"url": url}))).await;
        self.until("return document.querySelector('#tasks-count').textContent !== '' || document.querySelector('#list .empty') || document.querySelector('dialog[open]')")
            .await;
    }

    /// Loads the page anew.
    pub async fn reload(&self) {
        self.ask("POST", "/refresh", Some(json!({}))).await;
    }

    /// Returns what a script gives.
    pub async fn run(&self, script: &str) -> Value {
        self.run_with(script, json!([])).await
    }

    /// The same, with arguments.
    pub async fn run_with(&self, script: &str, arguments: Value) -> Value {
        let body = json!({"script": script, "args": arguments});
        self.ask("POST", "/execute/sync", Some(body)).await
    }

    /// Returns what a script's promise gives.
    pub async fn promise(&self, script: &str) -> Value {
        let script = format!(
            "const done = arguments[arguments.length - 1];
             (async () => {{ {script} }})().then(done, (fault) => done({{fault: String(fault)}}));"
        );
        let body = json!({"script": script, "args": []});
        self.ask("POST", "/execute/async", Some(body)).await
    }

    /// Waits until a script gives something that is not empty, and gives that.
    pub async fn until(&self, script: &str) -> Value {
        let began = Instant::now();
        loop {
            let found = self.run(script).await;
            if !matches!(found, Value::Null | Value::Bool(false)) {
                return found;
            }
            if began.elapsed() > PATIENCE {
                let page = self.run("return document.body.innerText").await;
                let page = page.as_str().unwrap_or_default();
                panic!(
                    "never: {script}\n--- the page ---\n{page}\n--- its log ---\n{:?}",
                    self.log().await
                );
            }
            tokio::time::sleep(Duration::from_millis(25)).await;
        }
    }

    /// Waits until something of the page has these words.
    pub async fn sees(&self, selector: &str, words: &str) {
        let (selector, words) = (json!(selector), json!(words));
        self.until(&format!(
            "return [...document.querySelectorAll({selector})].some((one) => one.textContent.includes({words}))"
        ))
        .await;
    }

    /// How many there are.
    pub async fn count(&self, selector: &str) -> u64 {
        let script = "return document.querySelectorAll(arguments[0]).length";
        let found = self.run_with(script, json!([selector])).await;
        found.as_u64().unwrap()
    }

    /// Clicks the last of those that are seen and have these words, as a hand does.
    pub async fn click(&self, selector: &str, words: &str) {
        let (selector, words) = (json!(selector), json!(words));
        let script = format!(
            "return [...document.querySelectorAll({selector})].findLast((one) =>
                one.checkVisibility() && (one.textContent + (one.getAttribute('aria-label') ?? '')).includes({words})) ?? null"
        );
        let began = Instant::now();
        loop {
            let element = self.until(&script).await;
            let (_, id) = element.as_object().unwrap().iter().next().unwrap();
            let path = format!("/element/{}/click", id.as_str().unwrap());
            let Err(fault) = self.answer("POST", &path, Some(json!({}))).await else {
                return;
            };
            // It was drawn anew between the look and the click, which nothing has felt.
            let stale = fault["error"] == "stale element reference";
            let message = &fault["message"];
            assert!(stale && began.elapsed() < PATIENCE, "{path}: {message}");
        }
    }

    /// Types, key by key, wherever the focus is.
    pub async fn keys(&self, keys: &str) {
        let strokes: Vec<Value> = keys
            .chars()
            .flat_map(|key| ["keyDown", "keyUp"].map(|how| json!({"type": how, "value": key})))
            .collect();
        self.strokes(strokes).await;
    }

    /// One key while Shift is held.
    pub async fn shifted(&self, key: &str) {
        let stroke = |how: &str, key: &str| json!({"type": how, "value": key});
        let strokes = vec![
            stroke("keyDown", SHIFT),
            stroke("keyDown", key),
            stroke("keyUp", key),
            stroke("keyUp", SHIFT),
        ];
        self.strokes(strokes).await;
    }

    async fn strokes(&self, strokes: Vec<Value>) {
        let body = json!({"actions": [{"type": "key", "id": "keys", "actions": strokes}]});
        self.ask("POST", "/actions", Some(body)).await;
    }

    /// Says something in the chat, and waits for the reply.
    pub async fn say(&self, words: &str) {
        let before = self.count(".reply").await;
        self.run("document.getElementById('message').focus()").await;
        self.keys(words).await;
        self.keys(ENTER).await;
        self.replied(before).await;
    }

    /// Waits until there is one reply more than `before`, and nothing is under way.
    pub async fn replied(&self, before: u64) {
        self.until(&format!(
            "return document.querySelectorAll('article.reply').length > {before} && !document.querySelector('[data-working]')"
        ))
        .await;
    }

    /// The words of the newest reply, and what it says it is.
    pub async fn reply(&self) -> (String, String) {
        let script = "const last = [...document.querySelectorAll('article.reply')].at(-1);
            return [last.querySelector('.kind').textContent, [...last.querySelectorAll('.claims .text, .claims .about')].map((one) => one.textContent).join('\\n')]";
        let found = self.run(script).await;
        serde_json::from_value(found).unwrap()
    }

    /// Returns what the browser complained of.
    pub async fn log(&self) -> Vec<String> {
        let lines = self
            .ask("POST", "/se/log", Some(json!({"type": "browser"})))
            .await;
        let lines = lines.as_array().unwrap().iter();
        lines
            .map(|line| line["message"].as_str().unwrap().to_owned())
            .collect()
    }

    /// Every address that was asked for since the last call, of whatever kind.
    pub async fn requests(&self) -> Vec<String> {
        let lines = self
            .ask("POST", "/se/log", Some(json!({"type": "performance"})))
            .await;
        let lines = lines.as_array().unwrap().iter();
        let messages = lines.map(|line| {
            let text = line["message"].as_str().unwrap();
            serde_json::from_str::<Value>(text).unwrap()["message"].clone()
        });
        let sent = messages.filter(|message| message["method"] == "Network.requestWillBeSent");
        sent.map(|message| {
            message["params"]["request"]["url"]
                .as_str()
                .unwrap()
                .to_owned()
        })
        .collect()
    }

    /// Ends what is on its way from one colour or place to another, and waits until that is drawn.
    pub async fn still(&self) {
        let drawn = "await new Promise((drawn) => {
            document.getAnimations().filter((one) => one instanceof CSSTransition).forEach((one) => one.finish());
            requestAnimationFrame(() => requestAnimationFrame(() => drawn(true)));
        })";
        self.promise(drawn).await;
    }

    /// Keeps a picture under the build's folder, and says where.
    pub async fn picture(&self, name: &str) -> PathBuf {
        self.still().await;
        let shot = self
            .command("Page.captureScreenshot", json!({"format": "png"}))
            .await;
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("page");
        fs::create_dir_all(&folder).unwrap();
        let file = folder.join(format!("{name}.png"));
        fs::write(&file, base64(shot["data"].as_str().unwrap())).unwrap();
        file
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        // The driver ends the browser when the session is closed, and not when it is killed itself.
        let close = || -> std::io::Result<()> {
            let (host, path) = self.session["http://".len()..]
                .split_once('/')
                .unwrap_or_default();
            let mut line = TcpStream::connect(host)?;
            line.set_read_timeout(Some(PATIENCE))?;
            write!(
                line,
                "DELETE /{path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n"
            )?;
            // The answer comes once the browser is gone; the line stays open.
            line.read(&mut [0; 64]).map(drop)
        };
        let _ = close();
        let _ = self.driver.kill();
        let _ = self.driver.wait();
    }
}

/// Bytes written in the letters of RFC 4648.
fn base64(text: &str) -> Vec<u8> {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let (mut bytes, mut held, mut bits) = (Vec::new(), 0_u32, 0);
    for letter in text.bytes().filter(|letter| *letter != b'=') {
        let value = LETTERS.iter().position(|known| *known == letter).unwrap();
        held = held << 6 | value as u32;
        bits += 6;
        if bits >= 8 {
            bits -= 8;
            bytes.push((held >> bits) as u8);
            held &= (1 << bits) - 1;
        }
    }
    bytes
}
