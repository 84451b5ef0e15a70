-- The user and password of a webhook's URL, sealed. The URL is stored without them, and shown with a masked password.
alter table integrations add column url_login bytea;
