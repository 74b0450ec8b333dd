import { Migration } from '@mikro-orm/migrations'

/** What a check warns of at the moment, what was last confirmed of its target, and what has become other than it was. */
export class Warnings extends Migration {
  override up(): void {
    this.addSql(tables)
    for (const table of ['check_warnings', 'check_facts', 'check_changes']) {
      this.addSql(`alter table ${table} enable row level security; alter table ${table} force row level security`)
      this.addSql(`grant select, insert, update, delete on ${table} to vedette_platform`)
      this.addSql(`create policy platform on ${table} to vedette_platform using (true) with check (true)`)
      this.addSql(
        `create policy own_tenant on ${table} to vedette_app using (tenant_id = (select current_tenant())) with check (tenant_id = (select current_tenant()))`,
      )
    }
    // what is deleted warns no more, and says so; a snooze that ends makes up for what it kept quiet
    this.addSql(
      'grant select, update, delete on check_warnings to vedette_app; grant select on check_facts, check_changes to vedette_app',
    )
  }
}

const tables = `
create table check_warnings (
  check_id uuid primary key references checks on delete cascade,
  tenant_id uuid not null references tenants on delete cascade,
  event varchar(60) not null,
  depth int not null,
  since timestamptz not null,
  code varchar(100) not null,
  reason text not null,
  regions text[] not null,
  details jsonb not null,
  -- how deep it was when the team last heard of it; null: it was muted all along
  told_depth int,
  held_by varchar(10) check (held_by in ('flapping'))
);
create index check_warnings_tenant on check_warnings (tenant_id);
create index check_warnings_held on check_warnings (check_id) where held_by is not null;

create table check_facts (
  check_id uuid primary key references checks on delete cascade,
  tenant_id uuid not null references tenants on delete cascade,
  -- of which address and settings it is told: of others nothing is known yet
  target text not null,
  regions jsonb not null,
  recent jsonb not null,
  updated_at timestamptz not null default clock_timestamp()
);
create index check_facts_tenant on check_facts (tenant_id);

create table check_changes (
  id uuid primary key,
  tenant_id uuid not null references tenants on delete cascade,
  check_id uuid not null references checks on delete cascade,
  at timestamptz not null,
  event varchar(60) not null,
  regions text[] not null,
  payload jsonb not null
);
create index check_changes_of_check on check_changes (check_id, at desc, id desc);
create index check_changes_tenant on check_changes (tenant_id);
`
