-- events carry what is known of their suppression; who is notified is decided when they are routed, and kept with its reason
alter table outbox add column suppression jsonb;
update outbox set suppression = jsonb_build_object(
    'stage', case when only_with is not null then 'released' when audience = 'team' then 'unmuted' else 'begun' end,
    'by', case coalesce(only_with, only_without) when 'monitor.flapping' then 'flapping' when 'storm.detected' then 'storm' end,
    'is_muted', audience = 'reseller', 'is_team_notified', true, 'is_reseller_notified', audience = 'team')
  where kind = 'event' and (audience <> 'all' or only_with is not null or only_without is not null);
alter table outbox drop column audience, drop column only_with, drop column only_without;

-- one row for each event of an incident and owner of channels: the team, or the reseller that manages it
create table notification_decisions (
  id uuid primary key default gen_random_uuid(),
  tenant_id uuid not null references tenants on delete cascade,
  reseller_id uuid references tenants on delete cascade,
  incident_id uuid not null references incidents on delete cascade,
  event_id bigint not null,
  event varchar(60) not null,
  stage varchar(10) not null,
  channels jsonb not null,
  emitted_at timestamptz not null,
  created_at timestamptz not null default clock_timestamp()
);
create unique index notification_decisions_of_event on notification_decisions (incident_id, event_id, reseller_id) nulls not distinct;
create index notification_decisions_by_created on notification_decisions (tenant_id, created_at);
create index notification_decisions_of_reseller on notification_decisions (reseller_id) where reseller_id is not null;
