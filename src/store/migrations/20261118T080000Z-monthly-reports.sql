-- D643: accounts that get a report of each month by mail, and the first day of the last month that needs none any more.
create table monthly_reports (
  account_id bigint primary key references accounts on delete cascade,
  sent_for   date not null
);
