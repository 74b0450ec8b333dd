import { Migration } from '@mikro-orm/migrations'

/**
 * What a reseller's lists show of a team is kept beside it by the database itself, so that no writer can forget and no list has to count.
 * The functions that keep it work as the schema's owner: whoever changes a monitor need not see the reseller's side of it.
 */
export class Teams extends Migration {
  override up(): void {
    for (const table of [
      'tenants',
      'managed_teams',
      'users',
      'memberships',
      'monitors',
      'checks',
      'incidents',
      'verdict_changes',
    ])
      this.addSql(`create policy upkeep on ${table} to current_user using (true) with check (true)`)
    this.addSql(shown)
    this.addSql(counts)
    for (const { table, weights } of counted) this.addSql(countingOf(table, weights))
    this.addSql(firstCount)
    this.addSql(rests)
  }
}

const asOwner = 'language plpgsql security definer set search_path = public, pg_temp'

/** Teams are found and put in order by what their tenants are called and have: an index cannot reach over a join. */
const shown = `
alter table managed_teams
  add column name varchar(255) not null default '',
  add column slug varchar(100) not null default '',
  add column plan varchar(20) not null default 'free',
  add column paused_at timestamptz,
  add column search_text text generated always as (lower(name || E'\\n' || coalesce(label, ''))) stored;
update managed_teams m set name = t.name, slug = t.slug, plan = t.plan, paused_at = t.paused_at from tenants t where t.id = m.tenant_id;
alter table managed_teams alter column name drop default, alter column slug drop default, alter column plan drop default;

create function show_tenant() returns trigger ${asOwner} as $$
begin
  select t.name, t.slug, t.plan, t.paused_at into new.name, new.slug, new.plan, new.paused_at from tenants t where t.id = new.tenant_id;
  return new;
end $$;
create trigger managed_teams_show before insert on managed_teams for each row execute function show_tenant();

create function show_tenant_change() returns trigger ${asOwner} as $$
begin
  update managed_teams set name = new.name, slug = new.slug, plan = new.plan, paused_at = new.paused_at, updated_at = greatest(updated_at, new.updated_at)
  where tenant_id = new.id;
  return null;
end $$;
create trigger tenants_show after update on tenants for each row
  when ((old.name, old.slug, old.plan, old.paused_at) is distinct from (new.name, new.slug, new.plan, new.paused_at)) execute function show_tenant_change();

create index managed_teams_by_created on managed_teams (reseller_id, created_at, id) where deleted_at is null;
create index managed_teams_by_name on managed_teams (reseller_id, name, id) where deleted_at is null;
create index managed_teams_trashed on managed_teams (reseller_id, deleted_at, id) where deleted_at is not null;
`

/**
 * A statement leaves what it changed in \`count_changes\`; at the end of its transaction all of that is added up and laid on the counts.
 * The counts' rows are so locked last and in one order: nobody who holds one waits for anything else.
 */
const counts = `
create table tenant_counts (
  tenant_id uuid primary key references tenants on delete cascade,
  reseller_id uuid,
  monitors int not null default 0,
  monitors_up int not null default 0,
  monitors_down int not null default 0,
  open_incidents int not null default 0,
  members int not null default 0
) with (fillfactor = 70);
create index tenant_counts_reseller on tenant_counts (reseller_id);
create unlogged table count_changes (changes jsonb not null);
alter table tenant_counts enable row level security;
alter table tenant_counts force row level security;
alter table count_changes enable row level security;
alter table count_changes force row level security;
grant select, insert, update, delete on tenant_counts, count_changes to vedette_platform;
grant select on tenant_counts to vedette_app;
create policy platform on tenant_counts to vedette_platform using (true) with check (true);
create policy platform on count_changes to vedette_platform using (true) with check (true);
create policy upkeep on tenant_counts to current_user using (true) with check (true);
create policy upkeep on count_changes to current_user using (true) with check (true);
create policy own_counts on tenant_counts for select to vedette_app
  using (tenant_id = (select current_tenant()) or reseller_id = (select current_reseller()));

create function fold_counts() returns trigger ${asOwner} as $$
begin
  if not exists (select from count_changes) then return null; end if;
  with taken as (
    delete from count_changes returning changes
  ), summed as (
    select r.tenant_id, coalesce(sum(r.monitors), 0)::int as monitors, coalesce(sum(r.monitors_up), 0)::int as monitors_up,
      coalesce(sum(r.monitors_down), 0)::int as monitors_down, coalesce(sum(r.open_incidents), 0)::int as open_incidents, coalesce(sum(r.members), 0)::int as members
    from taken, jsonb_to_recordset(taken.changes)
      as r(tenant_id uuid, monitors int, monitors_up int, monitors_down int, open_incidents int, members int)
    group by r.tenant_id
  ), held as (
    select c.tenant_id from tenant_counts c where c.tenant_id in (select tenant_id from summed) order by c.tenant_id for update
  )
  update tenant_counts c set monitors = c.monitors + s.monitors, monitors_up = c.monitors_up + s.monitors_up, monitors_down = c.monitors_down + s.monitors_down,
    open_incidents = c.open_incidents + s.open_incidents, members = c.members + s.members
  from summed s join held h on h.tenant_id = s.tenant_id
  where c.tenant_id = s.tenant_id;
  return null;
end $$;
create constraint trigger count_changes_fold after insert on count_changes deferrable initially deferred for each row execute function fold_counts();

create function count_tenant() returns trigger ${asOwner} as $$
begin
  insert into tenant_counts (tenant_id) values (new.id);
  return null;
end $$;
create trigger tenants_count after insert on tenants for each row execute function count_tenant();

create function count_for_reseller() returns trigger ${asOwner} as $$
begin
  if tg_op <> 'INSERT' then update tenant_counts set reseller_id = null where tenant_id = old.tenant_id; end if;
  if tg_op <> 'DELETE' then update tenant_counts set reseller_id = new.reseller_id where tenant_id = new.tenant_id; end if;
  return null;
end $$;
create trigger managed_teams_count after insert or delete or update of tenant_id, reseller_id on managed_teams for each row execute function count_for_reseller();

-- who stands in for a reseller is nobody's colleague
alter table memberships add column is_service boolean not null default false;
update memberships m set is_service = true from users u where u.id = m.user_id and u.is_service;
create function know_service_user() returns trigger ${asOwner} as $$
begin
  new.is_service := coalesce((select u.is_service from users u where u.id = new.user_id), false);
  return new;
end $$;
create trigger memberships_service before insert on memberships for each row execute function know_service_user();
`

interface Counted {
  table: string
  /** What a row adds to its tenant's counts. */
  weights: Record<string, string>
}

const isLookedAt = 'is_enabled and not held_by_plan'

const counted: Counted[] = [
  {
    table: 'monitors',
    weights: {
      monitors: '1',
      monitors_up: `coalesce(${isLookedAt} and status = 'up', false)::int`,
      monitors_down: `coalesce(${isLookedAt} and status = 'down', false)::int`,
    },
  },
  { table: 'incidents', weights: { open_incidents: '(resolved_at is null)::int' } },
  { table: 'memberships', weights: { members: '(not is_service)::int' } },
]

function countingOf(table: string, weights: Record<string, string>): string {
  const names = Object.keys(weights)
  const rows = (source: string, sign: string) =>
    `select tenant_id, ${names.map(name => `${sign}(${weights[name]}) as ${name}`).join(', ')} from ${source}`
  const note = (from: string) => `
    select jsonb_agg(to_jsonb(d)) into noted from (
      select tenant_id, ${names.map(name => `sum(${name}) as ${name}`).join(', ')} from (${from}) r
      group by tenant_id having ${names.map(name => `sum(${name}) <> 0`).join(' or ')}
    ) d;`
  return `
create function count_${table}() returns trigger ${asOwner} as $$
declare noted jsonb;
begin
  if tg_op = 'INSERT' then ${note(rows('added', ''))}
  elsif tg_op = 'DELETE' then ${note(rows('removed', '-'))}
  else ${note(`${rows('added', '')} union all ${rows('removed', '-')}`)}
  end if;
  if noted is not null then insert into count_changes values (noted); end if;
  return null;
end $$;
create trigger ${table}_count_added after insert on ${table} referencing new table as added for each statement execute function count_${table}();
create trigger ${table}_count_changed after update on ${table} referencing old table as removed new table as added for each statement execute function count_${table}();
create trigger ${table}_count_removed after delete on ${table} referencing old table as removed for each statement execute function count_${table}();`
}

const of = (table: string, weight: string) =>
  `coalesce((select sum(${weight}) from ${table} where tenant_id = t.id), 0)`
const firstCount = `
insert into tenant_counts (tenant_id, reseller_id, ${counted.flatMap(({ weights }) => Object.keys(weights)).join(', ')})
select t.id, (select m.reseller_id from managed_teams m where m.tenant_id = t.id),
  ${counted.flatMap(({ table, weights }) => Object.values(weights).map(weight => of(table, weight))).join(', ')}
from tenants t`

/** Of a tenant that is paused or deleted nobody looks at anything; what happens to its monitors meanwhile changes nothing of that. */
const rests = `
create function note_tenant_rest() returns trigger ${asOwner} as $$
begin
  insert into verdict_changes (tenant_id, monitor_id, check_id, at, verdict)
  select c.tenant_id, c.monitor_id, c.id, clock_timestamp(), case when new.paused_at is null and new.deleted_at is null then coalesce(c.verdict, 'none') else 'paused' end
  from checks c join monitors m on m.id = c.monitor_id
  where c.tenant_id = new.id and c.is_enabled and m.is_enabled and not m.held_by_plan;
  return null;
end $$;
create trigger tenants_rest after update on tenants for each row
  when ((old.paused_at is null and old.deleted_at is null) is distinct from (new.paused_at is null and new.deleted_at is null)) execute function note_tenant_rest();

create or replace function note_monitor_pause() returns trigger language plpgsql as $$
begin
  insert into verdict_changes (tenant_id, monitor_id, check_id, at, verdict)
  select c.tenant_id, c.monitor_id, c.id, clock_timestamp(), case when new.is_enabled and not new.held_by_plan then coalesce(c.verdict, 'none') else 'paused' end
  from checks c join tenants t on t.id = c.tenant_id
  where c.monitor_id = new.id and c.is_enabled and t.paused_at is null and t.deleted_at is null;
  return null;
end $$;

create or replace function note_check_pause() returns trigger language plpgsql as $$
begin
  insert into verdict_changes (tenant_id, monitor_id, check_id, at, verdict)
  select new.tenant_id, new.monitor_id, new.id, clock_timestamp(), case when new.is_enabled then coalesce(new.verdict, 'none') else 'paused' end
  from monitors m join tenants t on t.id = m.tenant_id
  where m.id = new.monitor_id and m.is_enabled and not m.held_by_plan and t.paused_at is null and t.deleted_at is null;
  return null;
end $$;
`
