import { Migration } from '@mikro-orm/migrations'

/** Rows on which a loop over many tenants failed: each is put off and listed, and gives way to all others. */
export class Quarantine extends Migration {
  override up(): void {
    this.addSql(table)
    this.addSql(
      'alter table quarantined_rows enable row level security; alter table quarantined_rows force row level security',
    )
    this.addSql('grant select, insert, update, delete on quarantined_rows to vedette_platform')
    this.addSql('create policy platform on quarantined_rows to vedette_platform using (true) with check (true)')
    this.addSql('create policy upkeep on quarantined_rows to current_user using (true) with check (true)')
    this.addSql(again)
    for (const [table, { tenant, changed }] of Object.entries(owned)) {
      const call = `execute function retry_quarantined('${tenant}')`
      this.addSql(`create trigger ${table}_retry_deleted after delete on ${table} for each row ${call}`)
      this.addSql(
        `create trigger ${table}_retry_changed after update on ${table} for each row when (${changed}) ${call}`,
      )
    }
  }
}

const table = `
create table quarantined_rows (
  id uuid primary key default gen_random_uuid(),
  kind varchar(40) not null,
  key varchar(200) not null,
  tenant_id uuid references tenants on delete cascade,
  reason varchar(500) not null,
  since timestamptz not null default clock_timestamp(),
  last_tried_at timestamptz not null default clock_timestamp(),
  attempts int not null default 1,
  next_try_at timestamptz not null,
  unique (kind, key)
);
create index quarantined_rows_due on quarantined_rows (next_try_at);
create index quarantined_rows_tenant on quarantined_rows (tenant_id);
create index quarantined_rows_by_since on quarantined_rows (since, id)`

/** Whoever changes something of a tenant may have mended its bad rows: they are tried again at once. */
const again = `
create function retry_quarantined() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
declare
  changed jsonb;
begin
  if tg_op = 'DELETE' then changed := to_jsonb(old); else changed := to_jsonb(new); end if;
  update quarantined_rows set next_try_at = clock_timestamp()
  where next_try_at > clock_timestamp()
    and case tg_argv[0] when 'user' then kind in ('digest', 'monthly_report') and key = changed ->> 'id'
      else tenant_id = (changed ->> tg_argv[0])::uuid end;
  if found then perform pg_notify('quarantine', ''); end if;
  return null;
end $$`

const differs = (...columns: string[]) =>
  columns.map(column => `old.${column} is distinct from new.${column}`).join(' or ')

/** By table: the column that names the tenant, and the changes that may mend a row of it. */
const owned: Record<string, { tenant: string; changed: string }> = {
  monitors: {
    tenant: 'tenant_id',
    changed: differs(
      'url',
      'type',
      'name',
      'is_enabled',
      'held_by_plan',
      'check_interval',
      'timeout',
      'regions',
      'region_policy',
      'depends_on',
    ),
  },
  checks: {
    tenant: 'tenant_id',
    changed: differs('type', 'is_enabled', 'settings', 'secrets', 'interval', 'severity'),
  },
  tenants: { tenant: 'id', changed: differs('plan', 'feature_overrides', 'paused_at', 'deleted_at') },
  notification_channels: { tenant: 'tenant_id', changed: differs('type', 'config', 'secrets', 'is_enabled') },
  notification_rules: {
    tenant: 'tenant_id',
    changed: differs('event_types', 'monitor_filter', 'tenant_filter', 'channel_id'),
  },
  smtp_configs: {
    tenant: 'tenant_id',
    changed: differs('host', 'port', 'encryption', 'username', 'password', 'from_address'),
  },
  users: { tenant: 'user', changed: differs('timezone', 'language', 'email', 'digest', 'monthly_report') },
}
