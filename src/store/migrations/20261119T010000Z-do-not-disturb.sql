-- D675: calls to such an extension are busy. Every call reads it in the profile of the extension.
alter table extensions add column do_not_disturb boolean not null default false;
drop trigger profiles_of_extensions on extensions;
create trigger profiles_of_extensions
  after update of number, first_name, last_name, email, caller_number, record_calls, user_id, do_not_disturb or delete
  on extensions for each row execute function announce_profiles();
