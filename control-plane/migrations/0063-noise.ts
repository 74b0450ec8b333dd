import { Migration } from '@mikro-orm/migrations'

/** What keeps noise from people: whom an event is for, what is held and why, spells of flapping, storms, and messages that wait for an earlier one. */
export class Noise extends Migration {
  override up(): void {
    this.addSql(`alter table outbox add column audience varchar(10) not null default 'all' check (audience in ('all', 'team', 'reseller')),
      add column only_with varchar(60), add column only_without varchar(60)`)
    this.addSql(spells)
    for (const table of ['flappings', 'storms']) {
      this.addSql(`alter table ${table} enable row level security; alter table ${table} force row level security`)
      this.addSql(
        `grant select, insert, update, delete on ${table} to vedette_platform; grant select on ${table} to vedette_app`,
      )
      this.addSql(`create policy platform on ${table} to vedette_platform using (true) with check (true)`)
      this.addSql(
        `create policy own_tenant on ${table} for select to vedette_app using (tenant_id = (select current_tenant()))`,
      )
    }
    this.addSql(incidents)
    this.addSql(deliveries)
  }
}

const spells = `
create table flappings (
  id uuid primary key,
  tenant_id uuid not null references tenants on delete cascade,
  monitor_id uuid not null references monitors on delete cascade,
  check_id uuid not null references checks on delete cascade,
  started_at timestamptz not null,
  last_change_at timestamptz not null,
  told_at timestamptz,
  forwarded_at timestamptz,
  ended_at timestamptz
);
create unique index flappings_one_now on flappings (monitor_id) where ended_at is null;
create index flappings_tenant on flappings (tenant_id);

create table storms (
  id uuid primary key,
  tenant_id uuid not null references tenants on delete cascade,
  started_at timestamptz not null,
  grown_at timestamptz not null,
  monitors_total int not null,
  told_at timestamptz,
  told_monitors int not null default 0,
  resolved_at timestamptz
);
create unique index storms_one_now on storms (tenant_id) where resolved_at is null;
create index storms_tenant on storms (tenant_id, started_at desc);
`

/** `forwarded_at`: since when nothing of it is held from the reseller any more. */
const incidents = `
alter table incidents
  add column forwarded_at timestamptz default now(),
  add column held_by varchar(10) check (held_by in ('flapping', 'storm')),
  add column storm_id uuid references storms on delete set null;
create index incidents_open_by_tenant on incidents (tenant_id, confirmed_at) where resolved_at is null;
create index incidents_of_storm on incidents (storm_id) where storm_id is not null;
create index incidents_held on incidents (confirmed_at) where held_by is not null and resolved_at is null;
`

const deliveries = `
alter table deliveries add column subject uuid;
drop index deliveries_due;
create index deliveries_due on deliveries (next_at) where status in ('pending', 'retrying', 'held');
create index deliveries_held on deliveries (channel_id, subject, event_id) where status = 'held';
create index deliveries_unfinished on deliveries (channel_id, subject) where status in ('pending', 'retrying', 'held') and subject is not null;
alter table notification_channels add column failing_told_at timestamptz;
`
