-- What a monitor was judged as, from each moment on until the next: its own record, which neither an edit nor the
-- removal of a check or of the monitor changes. Uptime is computed from it.
create table monitor_changes (
  tenant_id uuid not null references tenants on delete cascade,
  -- also of monitors that were removed since
  monitor_id uuid not null,
  at timestamptz not null,
  verdict varchar(20) not null,
  primary key (tenant_id, monitor_id, at) include (verdict)
);

-- what the check weighed when it was judged; null: written before it was recorded
alter table verdict_changes add column severity varchar(20);

-- the history of what was removed is kept as long as that of what is there
alter table verdict_changes drop constraint verdict_changes_check_id_fkey;
alter table verdict_changes drop constraint verdict_changes_monitor_id_fkey;
alter table check_regions drop constraint check_regions_check_id_fkey;
alter table maintenance_spans drop constraint maintenance_spans_monitor_id_fkey;
drop index verdict_changes_monitor;
create index verdict_changes_monitor on verdict_changes (monitor_id, at);
create index verdict_changes_removed on verdict_changes (monitor_id, check_id, at) where verdict = 'removed';

-- Until now the check that stood first for uptime was its monitor's record, whatever its severity: that stays (formula 2).
insert into monitor_changes (tenant_id, monitor_id, at, verdict)
select distinct on (v.tenant_id, v.monitor_id, v.at) v.tenant_id, v.monitor_id, v.at, v.verdict
from monitors m cross join lateral (
  select id from checks
  where tenant_id = m.tenant_id and monitor_id = m.id
    and type = any(array['uptime', 'tcp', 'ping', 'dns', 'ssl', 'cron', 'agent']::varchar[])
  order by is_enabled desc,
    array_position(array['uptime', 'tcp', 'ping', 'dns', 'ssl', 'cron', 'agent']::varchar[], type), created_at, id
  limit 1
) c join verdict_changes v on v.tenant_id = m.tenant_id and v.check_id = c.id
order by v.tenant_id, v.monitor_id, v.at, v.id desc;

-- What the checks of these monitors make of each together, from a moment on: the worst of those that are judged; only a
-- critical or major one makes it down. Paused: all are.
create function judge_monitors(touched jsonb) returns void
  language plpgsql security definer set search_path = public, pg_temp as $$
begin
  delete from monitor_changes c using jsonb_to_recordset(touched) as t(tenant_id uuid, monitor_id uuid, since timestamptz)
  where c.tenant_id = t.tenant_id and c.monitor_id = t.monitor_id and c.at >= t.since;
  insert into monitor_changes (tenant_id, monitor_id, at, verdict)
  select tenant_id, monitor_id, at, verdict from (
    select j.*, lag(verdict, 1, before) over (partition by monitor_id order by at) as previous from (
      select m.tenant_id, m.monitor_id, m.at, m.before, (array['paused', 'none', 'up', 'warning', 'down'])[coalesce(max(
        case when l.verdict = 'down' and coalesce(l.severity, 'critical') in ('critical', 'major') then 5
          when l.verdict in ('down', 'warning') then 4 when l.verdict = 'up' then 3
          when l.verdict = 'paused' then 1 when l.verdict is not null then 2 end), 2)] as verdict
      from (
        select distinct t.tenant_id, t.monitor_id, v.at, (
          select c.verdict from monitor_changes c
          where c.tenant_id = t.tenant_id and c.monitor_id = t.monitor_id and c.at < t.since order by c.at desc limit 1
        ) as before
        from jsonb_to_recordset(touched) as t(tenant_id uuid, monitor_id uuid, since timestamptz)
        join verdict_changes v on v.monitor_id = t.monitor_id and v.tenant_id = t.tenant_id and v.at >= t.since
      ) m
      left join lateral (
        select id, severity from checks where monitor_id = m.monitor_id
        union all
        select check_id, null from verdict_changes r
        where r.monitor_id = m.monitor_id and r.verdict = 'removed' and r.at > m.at
      ) c on true
      left join lateral (
        select v.verdict, coalesce(v.severity, c.severity) as severity from verdict_changes v
        where v.check_id = c.id and v.at <= m.at order by v.at desc, v.id desc limit 1
      ) l on true
      group by m.tenant_id, m.monitor_id, m.at, m.before
    ) j
  ) p where verdict is distinct from previous;
end $$;

create function follow_verdicts() returns trigger
  language plpgsql security definer set search_path = public, pg_temp as $$
begin
  -- the verdicts of a monitor's checks are judged one after the other
  perform 1 from monitors m where m.id in (select monitor_id from added) order by m.id for no key update;
  perform judge_monitors(coalesce(jsonb_agg(jsonb_build_object(
    'tenant_id', t.tenant_id, 'monitor_id', t.monitor_id, 'since', t.since)), '[]'))
  from (select tenant_id, monitor_id, min(at) as since from added group by 1, 2) t;
  return null;
end $$;
create trigger verdict_changes_follow after insert on verdict_changes referencing new table as added
  for each statement execute function follow_verdicts();

-- from now on the state counts (formula 3)
insert into verdict_changes (tenant_id, monitor_id, check_id, at, verdict, severity)
select c.tenant_id, c.monitor_id, c.id, clock_timestamp(), l.verdict, c.severity
from checks c cross join lateral (
  select v.verdict from verdict_changes v where v.check_id = c.id order by v.at desc, v.id desc limit 1
) l where l.verdict in ('up', 'warning', 'down');

create or replace function record_check_pause() returns trigger language plpgsql as $$
begin
  insert into verdict_changes (tenant_id, monitor_id, check_id, at, verdict, severity)
  select new.tenant_id, new.monitor_id, new.id, clock_timestamp(),
    case when new.is_enabled then 'none' else 'paused' end, new.severity
  from monitors m join tenants t on t.id = m.tenant_id
  where m.id = new.monitor_id and m.is_enabled and not m.held_by_plan and t.paused_at is null and t.deleted_at is null;
  return null;
end $$;

-- what it weighs counts from now on
create function record_check_severity() returns trigger language plpgsql as $$
begin
  insert into verdict_changes (tenant_id, monitor_id, check_id, at, verdict, severity)
  select new.tenant_id, new.monitor_id, new.id, clock_timestamp(), l.verdict, new.severity
  from (
    select v.verdict from verdict_changes v where v.check_id = new.id order by v.at desc, v.id desc limit 1
  ) l where l.verdict = 'down';
  return null;
end $$;
create trigger checks_weigh after update on checks for each row
  when (old.severity is distinct from new.severity and old.is_enabled = new.is_enabled)
  execute function record_check_severity();

-- the history of a removed check ends; that of a purged team goes with it
create function record_check_removal() returns trigger
  language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if exists (select 1 from tenants where id = old.tenant_id) then
    update check_regions set ended_at = clock_timestamp() where check_id = old.id and ended_at is null;
    insert into verdict_changes (tenant_id, monitor_id, check_id, at, verdict, severity)
    values (old.tenant_id, old.monitor_id, old.id, clock_timestamp(), 'removed', old.severity);
  end if;
  return null;
end $$;
create trigger checks_removed after delete on checks for each row execute function record_check_removal();

create function record_monitor_removal() returns trigger
  language plpgsql security definer set search_path = public, pg_temp as $$
begin
  update maintenance_spans set ended_at = clock_timestamp() where monitor_id = old.id and ended_at is null;
  return null;
end $$;
create trigger monitors_removed after delete on monitors for each row execute function record_monitor_removal();
