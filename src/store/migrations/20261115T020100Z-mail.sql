-- Mail waits here until it has been sent; in the development mailbox it stays.

create table mails (
  id         bigint generated always as identity primary key,
  recipient  text not null,
  subject    text not null,
  -- Sealed: a body may hold a link that works only once. Null once a mail server has taken it.
  body       bytea,
  created_at timestamptz not null,
  attempts   integer not null,
  next_at    timestamptz,
  sent_at    timestamptz,
  last_error text
);

create index mails_due on mails (next_at) where next_at is not null;
create index mails_by_age on mails (created_at);
