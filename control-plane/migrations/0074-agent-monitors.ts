import { Migration } from '@mikro-orm/migrations'

/** Servers that tell of themselves: what each is, when it was heard, and the tokens it is known by. */
export class AgentMonitors extends Migration {
  override up(): void {
    this.addSql(`
create table agent_monitors (
  monitor_id uuid primary key references monitors on delete cascade,
  tenant_id uuid not null references tenants on delete cascade,
  check_id uuid not null unique references checks on delete cascade,
  host jsonb,
  processes jsonb,
  processes_at timestamptz,
  -- of each counter when it stood where, for those who tell of totals
  memory jsonb not null default '{}',
  -- heard also when what was told could not be stored: a server whose word we lost is not silent
  heard_at timestamptz,
  stored_at timestamptz,
  judged_at timestamptz,
  -- thresholds that are passed at the moment, and what the engine was told last
  standing jsonb not null default '[]',
  outcome varchar(10),
  said text,
  said_at timestamptz
);
create index agent_monitors_tenant on agent_monitors (tenant_id);
create table agent_tokens (
  id uuid primary key,
  tenant_id uuid not null references tenants on delete cascade,
  monitor_id uuid not null references agent_monitors on delete cascade,
  hash bytea not null unique,
  tail varchar(4) not null,
  created_at timestamptz not null default clock_timestamp(),
  -- null: the one in force
  expires_at timestamptz
);
create index agent_tokens_monitor on agent_tokens (monitor_id);
create unique index agent_tokens_one_in_force on agent_tokens (monitor_id) where expires_at is null;

-- however a check of kind agent is made, there is a place for what its server tells
create function begin_agent_monitor() returns trigger language plpgsql as $$
begin
  insert into agent_monitors (monitor_id, tenant_id, check_id) values (new.monitor_id, new.tenant_id, new.id);
  return null;
end $$;
create trigger checks_begin_agent_monitor after insert on checks for each row when (new.type = 'agent') execute function begin_agent_monitor()`)
    for (const table of ['agent_monitors', 'agent_tokens']) {
      this.addSql(`alter table ${table} enable row level security; alter table ${table} force row level security`)
      this.addSql(`grant select, insert, update, delete on ${table} to vedette_platform, vedette_app`)
      this.addSql(`create policy platform on ${table} to vedette_platform using (true) with check (true)`)
      this.addSql(
        `create policy own_tenant on ${table} to vedette_app using (tenant_id = (select current_tenant())) with check (tenant_id = (select current_tenant()))`,
      )
    }
  }
}
