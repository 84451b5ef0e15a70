-- D316: the peaks of a recording, computed when they are first requested. They are removed with the recording.
create table recording_peaks (
  call_id uuid primary key references calls on delete cascade,
  frames integer not null,
  extension bytea not null,
  destination bytea not null
);
