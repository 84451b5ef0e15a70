-- D575, D592: what came of a call is a part of its record.
create function note_changed_result() returns trigger language plpgsql as $$
begin
  update calls set changed_at = change_time() where id = new.call_id;
  return null;
end
$$;
create trigger call_results_changed after insert or update on call_results
  for each row execute function note_changed_result();
