-- D616: accounts that the operator has suspended: since when, and why.
alter table accounts add column suspended_at timestamptz;
alter table accounts add column suspension_reason text;
alter table accounts add constraint accounts_suspension_is_whole
  check ((suspended_at is null) = (suspension_reason is null));
create index accounts_suspended on accounts (id) where suspended_at is not null;
-- Profiles say whether their account is suspended (20261116T195500Z-profile-notices.sql).
create trigger profiles_of_suspended_accounts after update of suspended_at on accounts
  for each row execute function announce_profiles();
