-- a reseller asks for the mails of its teams that failed: few among all rows of the outbox
create index outbox_undelivered on outbox (tenant_id, id) where kind = 'mail' and error is not null;
