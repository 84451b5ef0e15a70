-- D575: when a charge was changed last. The time of its next look at the gateway is not shown to anybody.
alter table charges add column changed_at timestamptz not null default now();
alter table charges alter changed_at set default change_time();
create index charges_by_change on charges (account_id, changed_at, id);
create trigger charges_changed before update of payment_method, payment_id, payment_code, pix_code, payment_link,
    invoice_id, invoice_link, due_at, amount, fee, total, refunded, description, status, status_at, paid_at, received_at,
    refunded_at, has_erp_invoice, metadata on charges
  for each row execute function note_change();
