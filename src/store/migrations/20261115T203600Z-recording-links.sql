-- D209: counts how often the links to the recording of a call were revoked; a link carries the number it was made with.
alter table calls add column link_version integer not null default 0;
