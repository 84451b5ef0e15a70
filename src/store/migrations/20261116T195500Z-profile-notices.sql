-- Every call reads the profile of its extension (src/extensions/profiles.ts), which processes cache: whatever changes one
-- sends them a notice. Equal notices of a transaction are sent once.
create function announce_profiles() returns trigger language plpgsql as $$
begin
  if tg_table_name = 'accounts' then
    perform pg_notify('profiles_changed', new.id::text);
  elsif tg_op = 'DELETE' then
    perform pg_notify('profiles_changed', old.account_id::text);
  else
    perform pg_notify('profiles_changed', new.account_id::text);
  end if;
  return null;
end
$$;

create trigger profiles_of_extensions
  after update of number, first_name, last_name, email, caller_number, record_calls, user_id or delete on extensions
  for each row execute function announce_profiles();
create trigger profiles_of_accounts after update of domain, time_zone, default_caller_number on accounts
  for each row execute function announce_profiles();
create trigger profiles_of_numbers after insert or update or delete on numbers
  for each row execute function announce_profiles();
