-- Recordings that stayed on a machine that is gone (D259).
alter table calls drop constraint calls_recording_check;
alter table calls add constraint calls_recording_check
  check (recording in ('spooled', 'stored', 'removed', 'lost')) not valid;
alter table calls validate constraint calls_recording_check;

-- Calls whose node died before it could report the end, and so whether there is a recording.
create index calls_unreported on calls (ended_at)
  where recording is null and record and answered_at is not null and hangup_cause = 'RECOVERY_ON_TIMER_EXPIRE';
