-- D440: finds the time before which an account has so many calls, for a page far behind.
create index call_counts_by_calls on call_counts (account_id, counted, calls);
