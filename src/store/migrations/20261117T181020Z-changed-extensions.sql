-- D575: when an extension was changed last, and which were removed.
alter table extensions add column changed_at timestamptz not null default now();
alter table extensions alter changed_at set default change_time();
create index extensions_by_change on extensions (account_id, changed_at, id);
create trigger extensions_changed before update of number, password, caller_id, caller_number, first_name, last_name,
    email, record_calls, user_id on extensions
  for each row execute function note_change();

create table removed_extensions (
  id         bigint primary key,
  account_id bigint not null references accounts on delete cascade,
  changed_at timestamptz not null default change_time()
);
create index removed_extensions_by_change on removed_extensions (account_id, changed_at, id);

-- An account that is being deleted takes its extensions along, and leaves nothing.
create function note_removed_extension() returns trigger language plpgsql as $$
begin
  insert into removed_extensions (id, account_id)
  select old.id, old.account_id from accounts where accounts.id = old.account_id;
  return null;
end
$$;
create trigger extensions_removed after delete on extensions
  for each row execute function note_removed_extension();
