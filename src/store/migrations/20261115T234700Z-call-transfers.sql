-- D282: a call that another one was transferred to names that one; transferred_at is set once the two are connected.
alter table calls add column transfer_of uuid;
alter table calls add column transferred_at timestamptz;
create index calls_transferred on calls (transfer_of) where transfer_of is not null;
