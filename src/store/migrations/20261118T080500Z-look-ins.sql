-- D647: a session of the operator in the console of an account, which only reads; with the reason that the account is shown.
alter table access_tokens add column look_in_reason text;
