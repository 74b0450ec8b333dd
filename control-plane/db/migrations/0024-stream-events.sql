-- What open streams of teams are sent, kept for minutes for those that reconnect. The id is that of the outbox, or the
-- next of its sequence. The transaction and the snapshot place a row among others that were written at the same time.
create table stream_events (
  id bigint primary key,
  -- null: a mark without content, from which every stream can go on
  tenant_id uuid references tenants on delete cascade,
  name varchar(60) not null default '',
  payload jsonb not null default '{}',
  at timestamptz not null default clock_timestamp(),
  xid xid8 not null default pg_current_xact_id(),
  snapshot pg_snapshot not null default pg_current_snapshot(),
  made_at timestamptz not null default clock_timestamp()
);
create index stream_events_by_xid on stream_events (xid);
create index stream_events_by_tenant on stream_events (tenant_id, id);

create function stream_outbox_events() returns trigger
  language plpgsql security definer set search_path = public, pg_temp as $$
begin
  insert into stream_events (id, tenant_id, name, payload, at)
  select id, tenant_id, name, payload, created_at from added
  where kind = 'event' and name ~ '^(monitor|warning|dns|certificate|incident)\.';
  if found then perform pg_notify('stream', ''); end if;
  return null;
end $$;
create trigger outbox_stream after insert on outbox
  referencing new table as added for each statement execute function stream_outbox_events();

-- The shown status of monitors: `paused`, else `maintenance`, else that of the verdict.
create function stream_monitor_statuses(changed uuid[]) returns void language plpgsql as $$
begin
  insert into stream_events (id, tenant_id, name, payload)
  select nextval(pg_get_serial_sequence('outbox', 'id')), m.tenant_id, 'monitor.status', jsonb_build_object(
    'monitor_id', m.id,
    'status', case when not m.is_enabled or m.held_by_plan then 'paused' when s.since is not null then 'maintenance'
      else m.status end,
    'since', to_char(case when not m.is_enabled or m.held_by_plan then coalesce(m.switched_at, m.created_at)
      else greatest(m.status_changed_at, s.since) end at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'))
  from monitors m
  cross join lateral (select min(started_at) as since from maintenance_spans
    where monitor_id = m.id and ended_at is null) s
  where m.id = any(changed);
  if found then perform pg_notify('stream', ''); end if;
end $$;

create function stream_changed_monitors() returns trigger
  language plpgsql security definer set search_path = public, pg_temp as $$
declare changed uuid[];
begin
  select array_agg(m.id) into changed from after m join before b using (id)
  where (m.status, m.is_enabled, m.held_by_plan) is distinct from (b.status, b.is_enabled, b.held_by_plan);
  if changed is not null then perform stream_monitor_statuses(changed); end if;
  return null;
end $$;
create trigger monitors_stream after update on monitors
  referencing old table as before new table as after for each statement execute function stream_changed_monitors();

create function stream_maintained_monitors() returns trigger
  language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform stream_monitor_statuses(array(select distinct monitor_id from changed));
  return null;
end $$;
create trigger maintenance_spans_stream_begun after insert on maintenance_spans
  referencing new table as changed for each statement execute function stream_maintained_monitors();
create trigger maintenance_spans_stream_ended after update on maintenance_spans
  referencing new table as changed for each statement execute function stream_maintained_monitors();

-- Once a minute, so that a stream without events can be resumed too.
create function mark_stream() returns void
  language plpgsql security definer set search_path = public, pg_temp as $$
begin
  insert into stream_events (id) select nextval(pg_get_serial_sequence('outbox', 'id'))
  where not exists (select 1 from stream_events
    where tenant_id is null and made_at > clock_timestamp() - interval '1 minute');
end $$;
