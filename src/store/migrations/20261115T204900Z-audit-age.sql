-- D212: old entries are removed by their age.
create index audit_by_age on audit (at);
