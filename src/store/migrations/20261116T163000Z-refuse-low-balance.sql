-- For statements that are followed by a commit at once: a balance that falls below its threshold needs more statements
-- in the same transaction (account-low-balance).
create function refuse_low_balance() returns void language plpgsql as $$
begin
  raise exception 'the balance falls below its threshold' using errcode = 'RM001';
end
$$;
