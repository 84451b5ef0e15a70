-- D500: when the phone registered last, by the database's clock: between nodes the newest registration counts.
alter table registrations add column renewed_at timestamptz not null default now();
