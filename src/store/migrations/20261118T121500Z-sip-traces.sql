-- D660: the SIP messages of calls that are over, as each node saw them; removed after SIP_TRACE_DAYS.
create table sip_traces (
  call_id   uuid not null,
  node      text not null,
  stored_at timestamptz not null,
  -- Compressed: see src/voice/sip-traces/packed-trace.ts.
  messages  bytea not null,
  primary key (call_id, node, stored_at)
);

create index sip_traces_stored_at on sip_traces (stored_at);

-- They are compressed already.
alter table sip_traces alter column messages set storage external;
