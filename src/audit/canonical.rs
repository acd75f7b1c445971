//! One text per JSON value, so that equal payloads have equal hashes (RFC 8785).
//!
//! Keys are sorted by their UTF-16 code units, there is no white space, and numbers are
//! written as ECMAScript writes them. One deviation: integers beyond 2^53 keep all their
//! digits instead of being rounded to a double, since a log must not change what it is told.

use std::cmp::Ordering;
use std::fmt::{self, Display, Write as _};
use std::ops::Range;

use serde::ser::{self, Serialize};
use serde_json::{Error, Value};

/// The canonical text of a value.
///
/// ```
/// use candor::audit::canonical;
/// let value = serde_json::json!({"b": 1.0, "a": ["x", null]});
/// assert_eq!(canonical(&value), r#"{"a":["x",null],"b":1}"#);
/// ```
pub fn canonical(value: &Value) -> String {
    CanonicalText::of(value).text
}

/// Bytes that most events take: room that is made once does not grow step by step.
const USUAL: usize = 768;

/// A value's canonical text, and where the members of it stand if it is an object.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct CanonicalText {
    pub(super) text: String,
    pub(super) members: Vec<MemberSpan>,
}

impl CanonicalText {
    /// Writes a value. What cannot be written (a map whose names are no texts) is told as such,
    /// since a log must not lose an event over it.
    pub(super) fn of(value: &(impl Serialize + ?Sized)) -> Self {
        let mut writer = CanonicalWriter {
            text: String::with_capacity(USUAL),
            ..CanonicalWriter::default()
        };
        if let Err(error) = value.serialize(&mut writer) {
            writer = CanonicalWriter::default();
            write_string(&format!("it can't be written: {error}"), &mut writer.text);
        }
        let CanonicalWriter { text, members, .. } = writer;
        if members.is_empty() && text.len() > "{}".len() && text.starts_with('{') {
            // A variant with members of its own, whose name is written without them.
            let value: Value = serde_json::from_str(&text).unwrap_or_default();
            return Self::of(&value);
        }
        Self { text, members }
    }
}

/// Place of a member of an object in its text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct MemberSpan {
    /// Beginning of the member, at the quote before its name.
    start: usize,
    /// Beginning of its value.
    value: usize,
    end: usize,
    /// Its name, where that does not stand in the text as it is.
    name: Option<Box<str>>,
}

impl MemberSpan {
    /// Its name.
    pub(super) fn name<'a>(&'a self, text: &'a str) -> &'a str {
        let plain = || text.get(self.start + 1..self.value - 2);
        self.name.as_deref().or_else(plain).unwrap_or_default()
    }

    /// Its name as it is written, up to its value.
    pub(super) const fn head(&self) -> Range<usize> {
        self.start..self.value
    }

    /// Its value as it is written.
    pub(super) const fn value(&self) -> Range<usize> {
        self.value..self.end
    }
}

/// Writes any value in canonical form, without making one of JSON first.
#[derive(Debug, Default)]
struct CanonicalWriter {
    text: String,
    /// The members of the objects that are being written, each object's after those of the one
    /// it is in; at the end those of the outermost.
    members: Vec<MemberSpan>,
    /// Room for an object whose members are put in order.
    spare: String,
}

impl CanonicalWriter {
    /// Puts the members from `first` on in order, of the object that begins at `start`.
    fn sort(&mut self, start: usize, first: usize) {
        let members = self.members.get_mut(first..).unwrap_or_default();
        let order =
            |text: &str, a: &MemberSpan, b: &MemberSpan| by_utf16(a.name(text), b.name(text));
        if members.is_sorted_by(|a, b| order(&self.text, a, b).is_le()) {
            return;
        }
        members.sort_by(|a, b| order(&self.text, a, b));
        self.spare.clear();
        for member in members {
            if !self.spare.is_empty() {
                self.spare.push(',');
            }
            let written = self.text.get(member.start..member.end).unwrap_or_default();
            let moved = start + 1 + self.spare.len();
            self.spare.push_str(written);
            member.value = moved + (member.value - member.start);
            member.start = moved;
            member.end = moved + written.len();
        }
        self.text.truncate(start + 1);
        self.text.push_str(&self.spare);
    }
}

/// The items of a list that is being written.
struct ListWriter<'w> {
    writer: &'w mut CanonicalWriter,
    some: bool,
    ends: &'static str,
}

impl<'w> ListWriter<'w> {
    fn begin(writer: &'w mut CanonicalWriter, begins: &str, ends: &'static str) -> Self {
        writer.text.push_str(begins);
        let some = false;
        Self { writer, some, ends }
    }

    fn item(&mut self, item: &(impl Serialize + ?Sized)) -> Result<(), Error> {
        if std::mem::replace(&mut self.some, true) {
            self.writer.text.push(',');
        }
        item.serialize(&mut *self.writer)
    }

    fn ended(self) {
        self.writer.text.push_str(self.ends);
    }
}

/// The members of an object that is being written.
struct ObjectWriter<'w> {
    writer: &'w mut CanonicalWriter,
    start: usize,
    /// Its first member's place among those of all objects.
    first: usize,
    ends: &'static str,
}

impl<'w> ObjectWriter<'w> {
    fn begin(writer: &'w mut CanonicalWriter, begins: &str, ends: &'static str) -> Self {
        writer.text.push_str(begins);
        let (start, first) = (writer.text.len() - 1, writer.members.len());
        Self {
            writer,
            start,
            first,
            ends,
        }
    }

    /// Returns the place at which the next member begins.
    fn next(&mut self) -> usize {
        let text = &mut self.writer.text;
        if text.len() > self.start + 1 {
            text.push(',');
        }
        text.len()
    }

    /// Names the next member as a field is named. Most of what is written has such names.
    #[inline(never)]
    fn field(&mut self, name: &'static str) -> Result<(), Error> {
        if name.bytes().any(is_escaped) {
            return self.name(name);
        }
        let start = self.next();
        let text = &mut self.writer.text;
        text.reserve(name.len() + "\"\":".len());
        text.push('"');
        text.push_str(name);
        text.push_str("\":");
        self.writer.members.push(MemberSpan {
            start,
            value: self.writer.text.len(),
            end: 0,
            name: None,
        });
        Ok(())
    }

    fn name(&mut self, name: &(impl Serialize + ?Sized)) -> Result<(), Error> {
        let start = self.next();
        name.serialize(&mut *self.writer)?;
        let text = &mut self.writer.text;
        let written = text.get(start..).unwrap_or_default();
        if !written.starts_with('"') {
            // Numbers and truth values name members too.
            if written.is_empty() || written.starts_with(['{', '[', 'n']) {
                return Err(ser::Error::custom("a member's name must be a text"));
            }
            text.insert(start, '"');
            text.push('"');
        }
        let written = text.get(start..).unwrap_or_default();
        let name = written
            .contains('\\')
            .then(|| serde_json::from_str(written));
        text.push(':');
        self.writer.members.push(MemberSpan {
            start,
            value: self.writer.text.len(),
            end: 0,
            name: name.transpose()?,
        });
        Ok(())
    }

    fn value(&mut self, value: &(impl Serialize + ?Sized)) -> Result<(), Error> {
        value.serialize(&mut *self.writer)?;
        if let Some(member) = self.writer.members.last_mut() {
            member.end = self.writer.text.len();
        }
        Ok(())
    }

    fn ended(self) {
        self.writer.sort(self.start, self.first);
        if self.start > 0 {
            self.writer.members.truncate(self.first);
        }
        self.writer.text.push_str(self.ends);
    }
}

macro_rules! written_as_they_display {
    ($($name:ident: $of:ty),*) => {
        $(fn $name(self, value: $of) -> Result<(), Error> {
            // A text takes everything.
            let _ = write!(self.text, "{value}");
            Ok(())
        })*
    };
}

/// Everything but the order of members and the form of numbers and texts is as serde_json has it.
impl<'w> ser::Serializer for &'w mut CanonicalWriter {
    type Ok = ();
    type Error = Error;
    type SerializeSeq = ListWriter<'w>;
    type SerializeTuple = ListWriter<'w>;
    type SerializeTupleStruct = ListWriter<'w>;
    type SerializeTupleVariant = ListWriter<'w>;
    type SerializeMap = ObjectWriter<'w>;
    type SerializeStruct = ObjectWriter<'w>;
    type SerializeStructVariant = ObjectWriter<'w>;

    written_as_they_display! {
        serialize_bool: bool,
        serialize_i8: i8, serialize_i16: i16, serialize_i32: i32, serialize_i64: i64,
        serialize_u8: u8, serialize_u16: u16, serialize_u32: u32, serialize_u64: u64
    }

    fn serialize_f32(self, value: f32) -> Result<(), Error> {
        self.serialize_f64(f64::from(value))
    }

    fn serialize_f64(self, value: f64) -> Result<(), Error> {
        if !value.is_finite() {
            return self.serialize_unit();
        }
        write_float(value, &mut self.text);
        Ok(())
    }

    fn serialize_char(self, value: char) -> Result<(), Error> {
        self.serialize_str(value.encode_utf8(&mut [0; 4]))
    }

    fn serialize_str(self, value: &str) -> Result<(), Error> {
        write_string(value, &mut self.text);
        Ok(())
    }

    fn serialize_bytes(self, value: &[u8]) -> Result<(), Error> {
        self.collect_seq(value)
    }

    fn serialize_none(self) -> Result<(), Error> {
        self.serialize_unit()
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<(), Error> {
        value.serialize(self)
    }

    fn serialize_unit(self) -> Result<(), Error> {
        self.text.push_str("null");
        Ok(())
    }

    fn serialize_unit_struct(self, _: &'static str) -> Result<(), Error> {
        self.serialize_unit()
    }

    fn serialize_unit_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
    ) -> Result<(), Error> {
        self.serialize_str(variant)
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        value: &T,
    ) -> Result<(), Error> {
        value.serialize(self)
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        value: &T,
    ) -> Result<(), Error> {
        let mut members = ObjectWriter::begin(self, "{", "}");
        members.field(variant)?;
        members.value(value)?;
        members.ended();
        Ok(())
    }

    fn serialize_seq(self, _: Option<usize>) -> Result<ListWriter<'w>, Error> {
        Ok(ListWriter::begin(self, "[", "]"))
    }

    fn serialize_tuple(self, _: usize) -> Result<ListWriter<'w>, Error> {
        Ok(ListWriter::begin(self, "[", "]"))
    }

    fn serialize_tuple_struct(self, _: &'static str, _: usize) -> Result<ListWriter<'w>, Error> {
        Ok(ListWriter::begin(self, "[", "]"))
    }

    fn serialize_tuple_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        _: usize,
    ) -> Result<ListWriter<'w>, Error> {
        self.text.push('{');
        self.serialize_str(variant)?;
        Ok(ListWriter::begin(self, ":[", "]}"))
    }

    fn serialize_map(self, _: Option<usize>) -> Result<ObjectWriter<'w>, Error> {
        Ok(ObjectWriter::begin(self, "{", "}"))
    }

    fn serialize_struct(self, _: &'static str, _: usize) -> Result<ObjectWriter<'w>, Error> {
        Ok(ObjectWriter::begin(self, "{", "}"))
    }

    fn serialize_struct_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        _: usize,
    ) -> Result<ObjectWriter<'w>, Error> {
        self.text.push('{');
        self.serialize_str(variant)?;
        Ok(ObjectWriter::begin(self, ":{", "}}"))
    }

    fn collect_str<T: Display + ?Sized>(self, value: &T) -> Result<(), Error> {
        self.text.push('"');
        let written = write!(EscapingWriter(&mut self.text), "{value}");
        self.text.push('"');
        written.map_err(ser::Error::custom)
    }
}

macro_rules! written_one_by_one {
    ($($name:ident: $item:ident),*) => {
        $(impl ser::$name for ListWriter<'_> {
            type Ok = ();
            type Error = Error;

            fn $item<T: Serialize + ?Sized>(&mut self, item: &T) -> Result<(), Error> {
                self.item(item)
            }

            fn end(self) -> Result<(), Error> {
                self.ended();
                Ok(())
            }
        })*
    };
}

written_one_by_one! {
    SerializeSeq: serialize_element,
    SerializeTuple: serialize_element,
    SerializeTupleStruct: serialize_field,
    SerializeTupleVariant: serialize_field
}

macro_rules! written_by_name {
    ($($name:ident),*) => {
        $(impl ser::$name for ObjectWriter<'_> {
            type Ok = ();
            type Error = Error;

            fn serialize_field<T: Serialize + ?Sized>(
                &mut self,
                name: &'static str,
                value: &T,
            ) -> Result<(), Error> {
                self.field(name)?;
                self.value(value)
            }

            fn end(self) -> Result<(), Error> {
                self.ended();
                Ok(())
            }
        })*
    };
}

written_by_name! { SerializeStruct, SerializeStructVariant }

impl ser::SerializeMap for ObjectWriter<'_> {
    type Ok = ();
    type Error = Error;

    fn serialize_key<T: Serialize + ?Sized>(&mut self, name: &T) -> Result<(), Error> {
        self.name(name)
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Error> {
        self.value(value)
    }

    fn end(self) -> Result<(), Error> {
        self.ended();
        Ok(())
    }
}

/// Escapes what is written into it.
struct EscapingWriter<'w>(&'w mut String);

impl fmt::Write for EscapingWriter<'_> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        escape(text, self.0);
        Ok(())
    }
}

/// ECMAScript's `Number::toString`: the shortest digits that read back as the same double,
/// in plain notation from 1e-6 up to 1e21 and with an exponent outside.
fn write_float(float: f64, out: &mut String) {
    if float == 0.0 {
        // Negative zero too.
        out.push('0');
        return;
    }
    let scientific = format!("{:e}", float.abs());
    let (mantissa, exponent) = scientific.split_once('e').unwrap_or((&scientific, "0"));
    let digits: String = mantissa.chars().filter(char::is_ascii_digit).collect();
    let exponent: i32 = exponent.parse().unwrap_or(0);
    if float < 0.0 {
        out.push('-');
    }
    let (first, rest) = digits.split_at(1);
    match usize::try_from(exponent) {
        Ok(shift) if shift < 21 => {
            let (whole, fraction) = rest.split_at(rest.len().min(shift));
            out.push_str(first);
            out.push_str(whole);
            out.extend(std::iter::repeat_n('0', shift - whole.len()));
            if !fraction.is_empty() {
                out.push('.');
                out.push_str(fraction);
            }
        }
        Err(_) if exponent >= -6 => {
            let zeros = usize::try_from(-exponent - 1).unwrap_or(0);
            out.push_str("0.");
            out.extend(std::iter::repeat_n('0', zeros));
            out.push_str(&digits);
        }
        _ => {
            out.push_str(first);
            if !rest.is_empty() {
                out.push('.');
                out.push_str(rest);
            }
            out.push_str(if exponent < 0 { "e-" } else { "e+" });
            out.push_str(&exponent.unsigned_abs().to_string());
        }
    }
}

/// UTF-16 orders as bytes do, but where a character beyond U+FFFF meets one near the end below.
pub(super) fn by_utf16(a: &str, b: &str) -> Ordering {
    if a.is_ascii() || b.is_ascii() {
        a.cmp(b)
    } else {
        a.encode_utf16().cmp(b.encode_utf16())
    }
}

pub(super) fn write_string(text: &str, out: &mut String) {
    out.reserve(text.len() + 2);
    out.push('"');
    escape(text, out);
    out.push('"');
}

/// Tells whether a byte must not stand in a text as it is.
const fn is_escaped(byte: u8) -> bool {
    byte < b' ' || byte == b'"' || byte == b'\\'
}

fn escape(text: &str, out: &mut String) {
    let mut rest = text;
    // What has to be escaped is ASCII, so that a text is cut between characters there.
    while let Some(at) = rest.bytes().position(is_escaped) {
        let (plain, special) = rest.split_at(at);
        out.push_str(plain);
        let mut special = special.chars();
        match special.next() {
            Some('"') => out.push_str("\\\""),
            Some('\\') => out.push_str("\\\\"),
            Some('\u{8}') => out.push_str("\\b"),
            Some('\t') => out.push_str("\\t"),
            Some('\n') => out.push_str("\\n"),
            Some('\u{c}') => out.push_str("\\f"),
            Some('\r') => out.push_str("\\r"),
            Some(c) => out.push_str(&format!("\\u{:04x}", u32::from(c))),
            None => {}
        }
        rest = special.as_str();
    }
    out.push_str(rest);
}

#[cfg(test)]
mod tests;
