-- D673: the call that a request placed, or was about.
alter table api_requests add column call_id uuid;
