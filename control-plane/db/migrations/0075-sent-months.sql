-- the figures of a team's month as they were first mailed, in the zone of their reader.
-- content: what mail and report share; details: what the report of the mail says beyond that, null until it is made
create table sent_months (
  tenant_id uuid not null references tenants on delete cascade,
  month char(7) not null,
  timezone varchar(64) not null,
  sent_at timestamptz not null,
  formula_version int not null,
  content jsonb not null,
  details jsonb,
  primary key (tenant_id, month, timezone)
);
