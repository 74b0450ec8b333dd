import { Migration } from '@mikro-orm/migrations'

/**
 * What a reseller keeps to provision teams by: templates of monitors, and profiles of whole teams.
 * Their policy looks at the reseller, not at the tenant, so that they can be read while acting in one of its teams.
 */
export class Templates extends Migration {
  override up(): void {
    this.addSql(`
create table monitor_templates (
  id uuid primary key,
  tenant_id uuid not null references tenants on delete cascade,
  name varchar(255) not null,
  monitors jsonb not null,
  variables jsonb not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (tenant_id, id)
);
create index monitor_templates_by_name on monitor_templates (tenant_id, name, id);

create table provisioning_profiles (
  id uuid primary key,
  tenant_id uuid not null references tenants on delete cascade,
  name varchar(255) not null,
  plan varchar(20) not null,
  trial_days int,
  feature_overrides jsonb not null,
  branding jsonb not null,
  monitor_template_id uuid,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  foreign key (tenant_id, monitor_template_id) references monitor_templates (tenant_id, id)
);
create index provisioning_profiles_by_name on provisioning_profiles (tenant_id, name, id);
create index provisioning_profiles_of_template on provisioning_profiles (tenant_id, monitor_template_id)`)

    for (const table of ['monitor_templates', 'provisioning_profiles'])
      this.addSql(`
alter table ${table} enable row level security;
alter table ${table} force row level security;
grant select, insert, update, delete on ${table} to vedette_app, vedette_platform;
create policy platform on ${table} to vedette_platform using (true) with check (true);
create policy own_reseller on ${table} to vedette_app
  using (tenant_id = (select current_reseller())) with check (tenant_id = (select current_reseller()))`)
  }
}
