-- D624: trunks that the operator added beside the setting TRUNKS, and which trunks are off.
create table trunks (
  name       text primary key,
  -- A JSON object as in TRUNKS, sealed; null for a trunk of TRUNKS that was switched off or on.
  settings   bytea,
  is_on      boolean not null,
  changed_at timestamptz not null
);
