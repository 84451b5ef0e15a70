-- Where the pages of call lists ended that were read of late: the next page begins there, so that it neither repeats nor
-- skips a call while calls start and end. Of one access token and query; forgotten after some minutes. Losing them in a
-- crash costs nothing but that.
create unlogged table page_ends (
  token    uuid not null,
  -- A hash of the filter with its order, page size and offset.
  query    text not null,
  page     integer not null,
  -- What the last row of the page is sorted by.
  sort_key text[] not null,
  -- How many rows the list had when its first page was read.
  total    bigint not null,
  until    timestamptz not null,
  primary key (token, query, page)
);
