-- D328: a link from which a softphone fetches its settings, once. A newer one of an extension replaces the older.
create table phone_setup_links (
  extension_id bigint primary key references extensions on delete cascade,
  -- SHA-256 of the token in the link.
  hash         bytea not null unique,
  expires_at   timestamptz not null
);
