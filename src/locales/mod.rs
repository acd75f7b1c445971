//! Texts of replies and words of the web page in the languages they are written in: Project Fluent
//! messages, a `.ftl` file a language for each. `docs/LANGUAGE.md` tells how to add one.

mod days;
mod edition;
mod page;
mod repeats;
#[cfg(test)]
mod tests;

use fluent_bundle::concurrent::FluentBundle;
use fluent_bundle::{FluentArgs, FluentResource, FluentValue};

use crate::domain::Lang;
use crate::languages::PerLang;

pub use days::{day, listed_day};
pub(crate) use edition::Edition;
pub use page::page_words;
pub use repeats::repeat_phrase;

/// The messages of a language: those of replies, then those of the page.
const fn source(lang: Lang) -> &'static str {
    lang.files().texts
}

type Bundle = FluentBundle<FluentResource>;

static BUNDLES: PerLang<Bundle> = PerLang::new(|lang| bundle(lang, Edition::Present));

static BUNDLES_TEN: PerLang<Bundle> = PerLang::new(|lang| bundle(lang, Edition::Ten));

static BUNDLES_NINE: PerLang<Bundle> = PerLang::new(|lang| bundle(lang, Edition::Nine));

static BUNDLES_EIGHT: PerLang<Bundle> = PerLang::new(|lang| bundle(lang, Edition::Eight));

static BUNDLES_SEVEN: PerLang<Bundle> = PerLang::new(|lang| bundle(lang, Edition::Seven));

static BUNDLES_SIX: PerLang<Bundle> = PerLang::new(|lang| bundle(lang, Edition::Six));

fn bundle(lang: Lang, edition: Edition) -> Bundle {
    // What has a fault is left out, and English stands in; the tests hold that there is none.
    let resource = |text: &str| {
        let read = FluentResource::try_new(text.to_owned());
        read.unwrap_or_else(|(partial, _)| partial)
    };
    let tags = lang.code().parse().into_iter().collect();
    let mut bundle = Bundle::new_concurrent(tags);
    // Marks of direction around every value would change the texts that programs know.
    bundle.set_use_isolating(false);
    let _ = bundle.add_builtins();
    let _ = bundle.add_resource(resource(source(lang)));
    for texts in edition.texts(lang) {
        bundle.add_resource_overriding(resource(texts));
    }
    bundle
}

/// The messages of a language, read.
fn bundle_of(lang: Lang) -> &'static Bundle {
    match Edition::now() {
        Edition::Present => BUNDLES.of(lang),
        Edition::Ten => BUNDLES_TEN.of(lang),
        Edition::Nine => BUNDLES_NINE.of(lang),
        Edition::Eight => BUNDLES_EIGHT.of(lang),
        Edition::Seven => BUNDLES_SEVEN.of(lang),
        Edition::Six => BUNDLES_SIX.of(lang),
    }
}

/// Reads the files now, so that the first reply and the first page need not wait for it.
pub fn prepare() {
    BUNDLES.all().for_each(drop);
    page_words(Lang::En);
}

/// Bytes of room for a message, so that hardly one moves while it is written.
const USUAL: usize = 64;

/// Returns a message in a language, with its variables filled in. The macro
/// [`localized!`](crate::locales::localized) is the short way to call it.
pub(crate) fn message<const N: usize>(
    lang: Lang,
    id: &str,
    values: [(&'static str, FluentValue<'_>); N],
) -> String {
    let values = (N > 0).then(|| values.into_iter().collect::<FluentArgs<'_>>());
    let known = [lang, Lang::En];
    let found = known.into_iter().find_map(|lang| {
        let bundle = bundle_of(lang);
        let pattern = bundle.get_message(id)?.value()?;
        let (mut text, mut faults) = (String::with_capacity(USUAL), Vec::new());
        let written = bundle.write_pattern(&mut text, pattern, values.as_ref(), &mut faults);
        debug_assert!(faults.is_empty(), "{id} in {lang:?}: {faults:?}");
        written.ok().map(|()| text)
    });
    debug_assert!(found.is_some(), "no message {id}");
    found.unwrap_or_else(|| id.to_owned())
}

/// Writes a message of the `.ftl` files: `localized!(lang, "ask-rename", name = old, new = new)`.
macro_rules! localized {
    ($lang:expr, $id:expr $(, $name:ident = $value:expr)* $(,)?) => {
        $crate::locales::message(
            $lang,
            $id,
            [$((stringify!($name), ::fluent_bundle::FluentValue::from($value))),*],
        )
    };
}
pub(crate) use localized;
