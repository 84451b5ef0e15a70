-- The last proof of life in the time of the database, by which lost calls are found; alive_at stays in the time of the call.
alter table calls add column stamped_at timestamptz not null default now();
-- A request to hang up, whichever process got it: the node of the call carries it out.
alter table calls add column hangup_requested_at timestamptz;
