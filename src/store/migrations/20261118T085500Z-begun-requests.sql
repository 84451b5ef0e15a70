-- D560: what a request with this key has begun and not finished; of POST /charges, the charge. The next request goes on with it.
alter table idempotency_keys add column begun_id bigint;
