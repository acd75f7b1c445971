//! Output for a person, beyond the bare reply: what kind each line is, the receipt behind it, the
//! turn it comes from, and that somebody is at work.
//!
//! Pipes and scripts get the reply and nothing else: see `show`.

use std::io::{self, Write};
use std::time::Duration;

use serde_json::Value;

use super::show::{Colour, DIM, GREEN, RED, YELLOW, painted};
use crate::audit::{TreeHead, TreeProof, link, unhex};

/// A receipt as it was shown: its number in this conversation leads to it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Chip {
    pub(super) id: String,
    pub(super) words: String,
}

impl Chip {
    /// Reads the receipts of a reply.
    pub(super) fn of_reply(reply: &Value) -> Vec<Self> {
        let chip = |action: &Value| {
            let text = |name: &str| action.get(name)?.as_str().map(str::to_owned);
            Some(Self {
                id: text("receipt_id")?,
                words: text("message")?,
            })
        };
        let actions = reply.get("actions").and_then(Value::as_array);
        actions.into_iter().flatten().filter_map(chip).collect()
    }
}

/// Prints a reply: before each line a mark of its kind, behind each claim the number of its
/// receipt, so that neither needs colours.
pub(super) fn reply(
    out: &mut impl Write,
    colour: Colour,
    reply: &Value,
    chips: &mut Vec<Chip>,
) -> io::Result<()> {
    let text = |value: &Value, name: &str| value.get(name)?.as_str().map(str::to_owned);
    let kind = text(reply, "kind").unwrap_or_default();
    let mut open = Chip::of_reply(reply);
    let said = text(reply, "assistant_message").unwrap_or_default();
    for line in said.lines() {
        let found = open.iter().position(|chip| chip.words == line);
        if let Some(at) = found {
            chips.push(open.remove(at));
            let line = format!("+ {line}  [receipt {}]", chips.len());
            painted(out, colour, GREEN, &line)?;
            continue;
        }
        let (mark, paint) = match kind.as_str() {
            "failure" => ("!", RED),
            "question" => ("?", YELLOW),
            "receipt" => ("|", ""),
            _ => (" ", ""),
        };
        painted(out, colour, paint, &format!("{mark} {line}"))?;
    }
    for chip in open {
        let words = chip.words.clone();
        chips.push(chip);
        painted(
            out,
            colour,
            DIM,
            &format!("  [receipt {}: {words}]", chips.len()),
        )?;
    }
    let tools = reply
        .pointer("/error/expected_tools")
        .and_then(Value::as_array);
    let tools: Vec<&str> = tools
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
        .collect();
    if !tools.is_empty() {
        let words = format!(
            "  Your words ask for {}; the model did not call it, whatever it said. /again asks once more.",
            tools.join(", ")
        );
        painted(out, colour, DIM, &words)?;
    }
    super::show::options(out, colour, reply)
}

/// Prints the account of a turn: said, proposed, what came of it, committed, told.
pub(super) fn account(out: &mut impl Write, colour: Colour, account: &Value) -> io::Result<()> {
    let text = |value: &Value, name: &str| match value.get(name) {
        Some(Value::String(text)) => text.clone(),
        Some(value) => value.to_string(),
        None => String::new(),
    };
    let of = |value: &Value, name: &str| value.get(name).and_then(Value::as_array).cloned();
    let each = |name: &str| of(account, name).unwrap_or_default().into_iter();
    let said = account.get("message").and_then(Value::as_str);
    let said = said.unwrap_or("(without words)");
    let mut lines = vec![("", format!("you said    {said}"))];
    for answer in each("answers") {
        let model = text(&answer, "model");
        for call in of(&answer, "calls").unwrap_or_default() {
            let (name, arguments) = (text(&call, "name"), text(&call, "arguments"));
            lines.push(("", format!("proposed    {name}({arguments}) by {model}")));
        }
    }
    for stopped in each("stopped") {
        lines.push((RED, format!("stopped     \"{}\"", text(&stopped, "text"))));
    }
    for call in each("calls") {
        let (name, outcome) = (text(&call, "name"), text(&call, "outcome"));
        lines.push(("", format!("came of it  {name}: {outcome}")));
    }
    for receipt in each("receipts") {
        let seq = receipt.get("seq").and_then(Value::as_i64);
        let (words, seq) = (text(&receipt, "line"), seq.unwrap_or_default());
        lines.push((GREEN, format!("committed   {words} (event {seq})")));
    }
    for sentence in each("sentences") {
        let (words, worth) = (text(&sentence, "text"), text(&sentence, "verdict"));
        lines.push(("", format!("told        {words} ({worth})")));
    }
    for (paint, line) in lines {
        painted(out, colour, paint, &line)?;
    }
    let holds = account.get("holds") == Some(&Value::Bool(true));
    let (paint, words) = if holds {
        (
            GREEN,
            "It holds: computed again from the log, it is what was said.",
        )
    } else {
        (RED, "It is not what the log says.")
    };
    painted(out, colour, paint, words)
}

/// Prints a receipt with its event, and whether its proof holds, computed here.
pub(super) fn receipt(
    out: &mut impl Write,
    colour: Colour,
    chip: &Chip,
    proof: &str,
) -> io::Result<()> {
    painted(out, colour, "", &chip.words)?;
    let Ok(TreeProof::Event {
        event, proof, root, ..
    }) = TreeProof::parse(proof)
    else {
        return painted(out, colour, RED, "The proof can't be read.");
    };
    let at = event.created_at.format("%Y-%m-%d %H:%M:%S UTC");
    let line = format!("committed {at} as event {} of the log", event.seq);
    painted(out, colour, DIM, &line)?;
    painted(out, colour, DIM, &format!("hash {}", event.hash))?;
    let own = link(&event).as_deref() == Some(event.hash.as_str());
    let tree = unhex(&root).map(|root| TreeHead {
        size: proof.tree_size,
        root,
    });
    let placed = tree.is_some_and(|head| proof.check(&event, &head).is_ok());
    if own && placed {
        let words = format!(
            "It holds: the event has its hash, and as leaf {} of {} leads to the root.",
            proof.leaf_index, proof.tree_size
        );
        painted(out, colour, GREEN, &words)
    } else {
        painted(out, colour, RED, "It does not hold.")
    }
}

/// Somebody is at work: one line that goes again. Says how long, and claims nothing.
pub(super) fn spin(out: &mut impl Write, waited: Duration) -> io::Result<()> {
    const FRAMES: [char; 4] = ['|', '/', '-', '\\'];
    let turn = usize::try_from(waited.as_millis() / 120).unwrap_or_default();
    let frame = FRAMES.get(turn % FRAMES.len()).unwrap_or(&'|');
    write!(out, "\r{frame} {} s", waited.as_secs())?;
    out.flush()
}

/// Wipes that line.
pub(super) fn spun(out: &mut impl Write) -> io::Result<()> {
    write!(out, "\r\u{1b}[K")?;
    out.flush()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn printed(value: &Value, chips: &mut Vec<Chip>) -> String {
        let mut out = Vec::new();
        reply(&mut out, Colour::Off, value, chips).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn each_line_says_what_it_is_and_each_claim_names_its_receipt() {
        let mut chips = Vec::new();
        let action = |id: &str, message: &str| json!({"receipt_id": id, "message": message});
        let done = json!({"kind": "receipt", "assistant_message": "Added: a\nAdded: b",
            "actions": [action("1", "Added: a"), action("2", "Added: b")]});
        let expect = "+ Added: a  [receipt 1]\n+ Added: b  [receipt 2]\n";
        assert_eq!(printed(&done, &mut chips), expect);
        let listed = json!({"kind": "receipt", "assistant_message": "You have 1 task:\n1. a (pending)",
            "actions": [action("3", "1 task")]});
        let expect = "| You have 1 task:\n| 1. a (pending)\n  [receipt 3: 1 task]\n";
        assert_eq!(printed(&listed, &mut chips), expect);
        assert_eq!(chips.len(), 3);
        // What no receipt says gets no mark of one, whatever it says.
        let lie = json!({"kind": "chat", "assistant_message": "Added: c", "actions": []});
        assert_eq!(printed(&lie, &mut chips), "  Added: c\n");
        let failed = json!({"kind": "failure", "actions": [],
            "assistant_message": "Technical error: Tool not triggered.",
            "error": {"expected_tools": ["delete_task"]}});
        let told = printed(&failed, &mut chips);
        assert!(
            told.starts_with(
                "! Technical error: Tool not triggered.\n  Your words ask for delete_task;"
            ),
            "{told}"
        );
    }

    #[test]
    fn what_waits_is_one_line_that_goes_again() {
        let mut out = Vec::new();
        spin(&mut out, Duration::from_millis(1_120)).unwrap();
        spun(&mut out).unwrap();
        let text = String::from_utf8(out).unwrap();
        assert!(
            text.starts_with("\r/ 1 s\r") || text.contains(" 1 s\r"),
            "{text:?}"
        );
        assert!(!text.contains('\n'));
    }
}
