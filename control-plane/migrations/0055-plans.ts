import { Migration } from '@mikro-orm/migrations'

/** What a team's plan and its looks need: which monitors the owner wants kept, what was told of quotas and when, and how a team appears. */
export class Plans extends Migration {
  override up(): void {
    this.addSql('alter table monitors add column is_kept boolean not null default false')
    this.addSql('alter table tenants add column webhook_secret text')
    this.addSql(`
create table quota_notices (
  tenant_id uuid not null references tenants on delete cascade,
  event varchar(40) not null,
  feature varchar(40) not null,
  told_at timestamptz not null,
  primary key (tenant_id, event, feature)
);
create table brandings (
  tenant_id uuid primary key references tenants on delete cascade,
  brand_name varchar(100),
  alert_prefix varchar(50),
  logo_url varchar(500),
  logo_url_dark varchar(500),
  symbol_url varchar(500),
  favicon_url varchar(500),
  footer_url varchar(500),
  privacy_url varchar(500),
  imprint_url varchar(500),
  upgrade_url varchar(500),
  support_url varchar(500),
  primary_color varchar(7),
  secondary_color varchar(7),
  footer_text varchar(200),
  hide_powered_by boolean,
  notification_from_name varchar(100),
  upsell_mode varchar(10),
  upsell_cta varchar(10),
  plan_labels jsonb,
  upsell_offers jsonb,
  upsell_threshold float8,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
)`)
    for (const table of ['quota_notices', 'brandings']) {
      this.addSql(`alter table ${table} enable row level security; alter table ${table} force row level security`)
      this.addSql(
        `grant select, insert, update, delete on ${table} to vedette_platform; grant select, insert, update on ${table} to vedette_app`,
      )
      this.addSql(`create policy platform on ${table} to vedette_platform using (true) with check (true)`)
      this.addSql(
        `create policy own_tenant on ${table} to vedette_app using (tenant_id = (select current_tenant())) with check (tenant_id = (select current_tenant()))`,
      )
    }
  }
}
