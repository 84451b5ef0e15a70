-- An extension belongs to a user by id. The e-mail names the user when the extension is written; a change of the user's
-- e-mail afterwards moves nothing.
alter table extensions add column user_id bigint references users (id) on delete set null;

update extensions set user_id = users.id
from users
where users.account_id = extensions.account_id and users.email = extensions.email;

create index extensions_by_user on extensions (user_id) where user_id is not null;

-- A new user gets the extensions that were made for their e-mail before. The account is locked as it is where an
-- extension is written, so that of two that are made at the same moment the later one sees the other.
create function claim_extensions() returns trigger language plpgsql as $$
begin
  perform from accounts where id = new.account_id for no key update;
  update extensions set user_id = new.id
  where account_id = new.account_id and email = new.email and user_id is null;
  return null;
end
$$;

create trigger users_added after insert on users for each row execute function claim_extensions();

-- Whose extension the call was on, beside user_uuid, which is who placed it.
alter table calls add column extension_user_uuid uuid;

update calls set extension_user_uuid = users.uuid
from extensions join users on users.id = extensions.user_id
where extensions.id = calls.extension_id and calls.ended_at is null;

-- Null for calls that phones and carriers began. One call of an extension to a number rings at a time, unless the
-- client allows more: those are told apart by their id.
alter table calls add column allows_duplicate boolean;

create unique index calls_ringing
  on calls (account_id, extension_id, to_number, (case when allows_duplicate then id end)) nulls not distinct
  where allows_duplicate is not null and answered_at is null and ended_at is null;
