//! Filter of what the words ask to be listed.

use chrono::NaiveDate;

use crate::intent::{DueFilter, Listing};
use crate::tools::{DueRange, ListFilter, StatusFilter};

/// A listing of the words as a filter.
pub(in crate::guard) fn list_filter(listing: &Listing, today: NaiveDate) -> ListFilter {
    use crate::intent::Form;
    ListFilter {
        status: match listing.completed {
            None => StatusFilter::All,
            Some(true) => StatusFilter::Completed,
            Some(false) => StatusFilter::Pending,
        },
        due: listing
            .due
            .as_ref()
            .map(|due| due_range(due, today).looking_ahead(today)),
        priority: listing.priority,
        query: listing.query.clone(),
        count_only: listing.form == Form::Count,
        one: listing.form == Form::One,
        ..ListFilter::default()
    }
}

pub(super) fn due_range(due: &DueFilter, today: NaiveDate) -> DueRange {
    match due {
        DueFilter::Between { from, to, .. } => DueRange::Between {
            from: *from,
            to: *to,
        },
        DueFilter::Overdue => DueRange::Overdue { before: today },
        DueFilter::Undated => DueRange::Undated,
    }
}
