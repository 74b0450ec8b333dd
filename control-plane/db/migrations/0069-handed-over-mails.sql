-- a mail that a reseller suppresses has arrived when its webhook has it, and one that another channel sends to the same
-- recipients when that has: those deliveries, and since when this one waits for them alone
alter table deliveries
  add column handed_to uuid[] not null default '{}',
  add column handed_over_at timestamptz;
create index deliveries_handed_over on deliveries (id)
  where handed_over_at is not null and status in ('pending', 'retrying');
-- those that were not received: listed to the reseller
create index deliveries_of_mails on deliveries (tenant_id, created_at)
  where event like 'email.%' and status in ('retrying', 'failed');
