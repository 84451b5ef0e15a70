-- The metadata of a call exactly as it was sent: digits, spelling of numbers, order of keys. The jsonb beside it is for
-- searching. Null for an empty object, and for calls placed before.
alter table calls add column metadata_sent text;

drop trigger calls_keep on calls;
create trigger calls_keep before update of account_id, started_at, from_number, metadata, metadata_sent on calls
  for each row when ((old.account_id, old.started_at, old.from_number, old.metadata, old.metadata_sent)
    is distinct from (new.account_id, new.started_at, new.from_number, new.metadata, new.metadata_sent))
  execute function refuse_call_change();

-- Which key of a constraint the metadata does not match, null if it matches. Numbers are compared by value, so that 1.0
-- matches 1; a number and a text by the number's shortest text.
create or replace function metadata_mismatch(wanted jsonb, metadata jsonb) returns text
language plpgsql immutable parallel safe as $$
declare
  name text;
  wish jsonb;
  value jsonb;
  inside text;
begin
  for name, wish in select e.key, e.value from jsonb_each(wanted) e order by e.key collate "C" loop
    value := metadata -> name;
    if value is null then return name; end if;
    case jsonb_typeof(wish)
      when 'object' then
        if jsonb_typeof(value) <> 'object' then return name; end if;
        inside := public.metadata_mismatch(wish, value);
        if inside is not null then return name || '.' || inside; end if;
      when 'array' then
        if jsonb_typeof(value) <> 'array' or not value @> wish then return name; end if;
      else
        if jsonb_typeof(value) in ('object', 'array')
          or value <> wish and public.scalar_text(value) is distinct from public.scalar_text(wish) then
          return name;
        end if;
    end case;
  end loop;
  return null;
end
$$;

-- The text of a string, number or boolean; 1.0 is 1. Null for null.
create function scalar_text(value jsonb) returns text language sql immutable parallel safe as $$
  select case jsonb_typeof(value)
    when 'number' then trim_scale((value #>> '{}')::numeric)::text else value #>> '{}' end
$$;
