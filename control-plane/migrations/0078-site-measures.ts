import { Migration } from '@mikro-orm/migrations'

/** Looks from all regions side by side, and where browsers tell how fast a site was for those who visited it. */
export class SiteMeasures extends Migration {
  override up(): void {
    this.addSql(tables)
    for (const [table, grants] of Object.entries(appGrants)) {
      this.addSql(`alter table ${table} enable row level security; alter table ${table} force row level security`)
      this.addSql(
        `grant select, insert, update, delete on ${table} to vedette_platform; grant ${grants} on ${table} to vedette_app`,
      )
      this.addSql(`create policy platform on ${table} to vedette_platform using (true) with check (true)`)
      this.addSql(
        `create policy own_tenant on ${table} to vedette_app using (tenant_id = (select current_tenant())) with check (tenant_id = (select current_tenant()))`,
      )
    }
  }
}

const appGrants = {
  geo_audits: 'select, insert, update, delete',
  vitals_beacons: 'select, insert, update, delete',
}

const tables = `
create table geo_audits (
  id uuid primary key,
  tenant_id uuid not null references tenants on delete cascade,
  monitor_id uuid not null references monitors on delete cascade,
  check_id uuid not null references checks on delete cascade,
  check_type varchar(40) not null,
  -- whether each had an agent when it was asked
  regions jsonb not null,
  -- what they saw, once all have answered or time is up
  results jsonb,
  created_at timestamptz not null default clock_timestamp(),
  completed_at timestamptz
);
create index geo_audits_of_monitor on geo_audits (tenant_id, monitor_id, created_at desc, id desc);
create index geo_audits_of_check on geo_audits (check_id);

create table vitals_beacons (
  monitor_id uuid primary key references monitors on delete cascade,
  tenant_id uuid not null references tenants on delete cascade,
  -- of its own, and changed at will: it stands in the source of a public page
  beacon_id uuid not null unique,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index vitals_beacons_tenant on vitals_beacons (tenant_id);
`
