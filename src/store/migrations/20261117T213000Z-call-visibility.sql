-- D599: which calls a USER sees: those of the account, or their own.
alter table accounts add column call_visibility text not null default 'account'
  check (call_visibility in ('account', 'own'));
