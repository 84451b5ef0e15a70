-- Events about other things than calls: what an event is about, by kind and id.

alter table events
  -- call, account, charge or test.
  add column subject_kind text not null default 'call',
  -- The id of the call, the account or the charge. Null in events written before: the id of the call is call_id.
  add column subject_id text;

comment on column events.call_id is 'The call or, of other events, an id whose events are delivered in order.';

update events set subject_kind = 'account', subject_id = account_id::text where kind = 'account-low-balance';
update events set subject_kind = 'test', subject_id = call_id::text where kind = 'test';

-- A type occurs once a call; a charge may be refunded in parts.
alter table events drop constraint events_kind_key;
create unique index events_kind_of_call_key on events (call_id, kind) where subject_kind = 'call';
