-- What the payer copies into their bank's application, of charges that can be paid by PIX.
alter table charges add column pix_code text;

-- Amounts in the audit log are reais, as everywhere on the wire; they were written in centavos until now.
update audit set details = jsonb_set(details, '{amount}', to_jsonb(round((details ->> 'amount')::numeric / 100, 2)))
where action in ('charge.created', 'charge.cancelled', 'credit.adjusted') and jsonb_typeof(details -> 'amount') = 'number';
