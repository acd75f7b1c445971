//! Tests of what every store must do, whatever database is behind it.
//!
//! Real databases, no mocks: each function gets a fresh one and asserts every effect.

#![cfg(test)]

pub mod asking;
pub mod attempts;
pub mod audit;
pub mod changes;
pub mod changing;
pub mod conflicts;
pub mod conversations;
pub mod corruption;
pub mod delegation;
pub mod erasure;
pub mod forged;
pub mod groups;
pub mod isolation;
pub mod lifetime;
pub mod lists;
pub mod open_turns;
pub mod paging;
pub mod remembered;
pub mod reminders;
pub mod scene;
pub mod tree;
pub mod undo;

pub use scene::Ground;

/// Makes a test of every function of the suite.
macro_rules! run_on {
    ($ground:expr) => {
        crate::suite::run_on!($ground;
            attempts::a_commit_is_found_by_its_attempt,
            attempts::an_attempt_that_was_said_not_to_have_landed_never_lands,
            attempts::settling_is_per_user,
            attempts::a_transaction_is_applied_once_however_its_commits_end,
            audit::an_honest_log_verifies,
            audit::events_stand_in_the_order_they_happened,
            audit::filters_narrow_the_log,
            audit::a_change_of_any_column_is_found,
            audit::missing_swapped_and_forged_events_are_found,
            audit::a_cut_log_goes_on_with_a_gap,
            audit::a_checkpoint_finds_what_was_cut_with_its_commits,
            audit::rows_refuse_to_be_changed,
            audit::a_receipt_event_can_not_be_handed_in,
            changes::a_task_is_added_changed_completed_and_deleted,
            changes::a_time_stays_with_its_day_and_comes_back_with_it,
            changes::a_repetition_moves_on_ends_and_comes_back,
            changes::several_writes_of_one_task_in_a_unit_are_one,
            changes::a_read_leaves_a_receipt_and_changes_nothing,
            changes::odd_text_comes_back_as_it_was,
            changes::a_deleted_task_is_gone_from_every_reading,
            changing::a_watch_wakes_whoever_commits,
            changing::a_commit_elsewhere_wakes_too,
            conflicts::of_two_commits_on_one_snapshot_one_is_refused,
            conflicts::a_refused_unit_writes_nothing_at_all,
            conflicts::a_conversation_moves_once_per_version,
            conflicts::an_idempotency_key_is_taken_once,
            conflicts::a_claimed_key_is_answered_by_its_own_turn,
            conflicts::a_new_task_needs_a_new_id,
            conversations::lines_frame_and_question_come_back,
            conversations::a_snapshot_holds_the_newest_twenty_lines,
            conversations::messages_are_paged_backwards,
            conversations::the_last_active_conversation_comes_first,
            conversations::lines_need_a_conversation,
            corruption::an_impossible_task_is_named,
            corruption::an_impossible_receipt_is_named,
            asking::a_question_is_answered_by_its_user_once,
            asking::what_is_begun_inside_a_run_has_no_task_and_a_session_below,
            delegation::a_task_is_delegated_worked_on_and_reported,
            delegation::one_report_is_taken_and_only_from_who_works_on_it,
            delegation::evidence_that_is_not_so_fails_the_run,
            delegation::a_policy_decides_when_the_task_is_done,
            delegation::what_was_lost_changes_nothing,
            delegation::a_run_is_stopped,
            delegation::what_becomes_of_a_task_stops_its_run,
            delegation::a_delegation_is_undone,
            delegation::a_session_is_resumed_in_a_new_round,
            delegation::runs_of_one_session_wait_for_each_other,
            delegation::the_queue_keeps_order_and_limits,
            delegation::of_many_who_ask_each_gets_another_run,
            delegation::the_same_message_delegates_once,
            delegation::runs_are_listed_page_by_page,
            delegation::another_user_sees_no_run,
            delegation::sessions_are_removed_and_proofs_stay,
            delegation::a_clean_up_leaves_what_is_young_or_proves,
            delegation::calls_are_found_and_counted,
            delegation::nothing_an_agent_said_outlives_an_erasure,
            delegation::an_erasure_is_not_held_up_by_who_works,
            delegation::a_commit_that_was_told_of_a_run_is_refused,
            erasure::erasing_leaves_no_word_and_an_unbroken_log,
            erasure::who_has_said_nothing_leaves_no_trace,
            erasure::an_erasure_that_was_cut_off_is_finished,
            erasure::a_turn_that_began_before_brings_nothing_back,
            erasure::only_an_erasure_takes_words_out,
            forged::no_run_is_completed_without_its_result,
            forged::no_task_is_done_by_an_agent_without_proof,
            forged::a_result_is_written_once,
            forged::what_has_ended_never_changes,
            forged::one_run_works_at_a_time,
            forged::a_forged_success_is_found_by_who_looks,
            forged::the_receipts_of_an_agents_calls_stay,
            groups::one_refused_row_takes_no_other_unit_with_it,
            groups::sixty_four_writers_leave_one_unbroken_log,
            groups::writers_of_one_conversation_take_turns,
            isolation::another_user_sees_nothing,
            isolation::another_users_receipt_can_not_be_undone,
            isolation::the_same_ids_live_side_by_side,
            lifetime::what_was_committed_survives_closing,
            lifetime::a_store_that_was_dropped_opens_again,
            lifetime::closing_writes_what_is_queued_and_refuses_the_rest,
            lifetime::migrations_are_counted_and_run_once,
            lifetime::a_purge_removes_only_what_is_old,
            lifetime::a_long_purge_goes_in_steps,
            lifetime::two_stores_share_one_database,
            lists::a_task_from_elsewhere_is_kept_as_it_was,
            lists::a_deleted_task_comes_back_under_its_id,
            lists::an_order_is_one_tasks_and_goes_with_its_row,
            open_turns::an_open_turn_is_found_and_ended_once,
            open_turns::of_two_that_end_a_turn_one_does,
            open_turns::a_beat_keeps_a_turn_alive,
            paging::tasks_come_newest_first_page_by_page,
            paging::words_are_found_whatever_their_accents,
            paging::a_strange_cursor_is_refused,
            remembered::memory_says_what_the_database_says,
            remembered::what_was_decided_on_an_old_memory_is_not_written,
            remembered::two_turns_of_one_memory_are_both_written,
            remembered::units_that_are_written_together_fall_alone,
            reminders::a_reminder_is_set_moved_and_taken_back_with_its_task,
            reminders::an_undone_addition_reminds_of_nothing,
            reminders::a_due_reminder_is_taken_by_one_and_ended_once,
            reminders::a_reminder_is_left_to_the_server_that_can_give_it,
            reminders::what_was_delivered_meanwhile_does_not_wait_again,
            reminders::a_clock_that_was_turned_back_holds_nothing_up,
            reminders::one_that_was_taken_back_does_not_come_with_the_next_occurrence,
            reminders::a_reminder_that_is_asked_for_is_kept_where_the_task_moves,
            reminders::one_that_goes_along_is_told_in_the_zone_of_the_new_time,
            reminders::a_done_task_keeps_what_is_set_on_it,
            reminders::what_an_agent_has_done_reminds_of_nothing,
            tree::every_event_enters_the_tree_once,
            tree::every_receipt_is_proven_to_its_owner,
            tree::a_turns_stretch_of_the_log_is_proven_whole,
            tree::a_tree_is_proven_to_begin_with_an_earlier_one,
            tree::a_tree_that_grows_while_users_write_misses_nothing,
            tree::a_rewritten_log_does_not_have_the_root,
            undo::every_kind_of_change_is_taken_back,
            undo::undo_goes_further_back_and_never_redoes,
            undo::a_turn_is_taken_back_whole,
            undo::a_change_by_another_hand_stands_in_the_way,
            undo::a_receipt_is_taken_back_once,
            undo::reads_and_other_conversations_are_not_undone,
        );
    };
    ($ground:expr; $($module:ident::$test:ident),+ $(,)?) => {
        $(#[tokio::test]
        async fn $test() {
            let ground = $ground;
            crate::suite::$module::$test(&ground).await;
        })+
    };
}
pub(crate) use run_on;
