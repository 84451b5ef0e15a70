-- D281: the keys that were pressed in a call, hidden unless the operator keeps them.
alter table calls add column keys jsonb;
