-- D585: up to which change the daily files of an account are written.
create table daily_files (
  account_id    bigint not null references accounts on delete cascade,
  kind          text not null,
  -- The last change in the last file; null before the first.
  cursor        text,
  -- The day of the last file, or of the last look that found no change.
  written_on    date,
  claimed_until timestamptz not null,
  primary key (account_id, kind)
);
