-- mails are claimed by tenant, as messages to subscribers are by their key: many of one tenant cost no more than few
create index outbox_mails_by_tenant on outbox (tenant_id, next_at, id) where done_at is null and kind = 'mail';
drop index outbox_mails;
