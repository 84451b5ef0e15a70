-- D284: loss, jitter, round trip and an estimate of the quality, for each leg of a call.
alter table calls add column quality jsonb;
