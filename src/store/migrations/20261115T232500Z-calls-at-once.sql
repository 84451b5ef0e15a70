-- D176: how many calls an account, and each of its extensions, may have at once; null means the setting.
alter table account_limits
  add column calls_at_once integer check (calls_at_once >= 0),
  add column calls_at_once_extension integer check (calls_at_once_extension >= 0);
