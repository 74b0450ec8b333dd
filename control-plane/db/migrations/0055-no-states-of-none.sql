-- What shows the state of monitors asks for none where none has changed: a new monitor cost 7 ms more.

create or replace function stream_monitor_statuses(changed uuid[]) returns void language plpgsql as $$
begin
  -- triggers of statements run for those that change no row, such as that of each new monitor
  if coalesce(cardinality(changed), 0) = 0 then return; end if;
  insert into stream_events (id, tenant_id, name, payload)
  select nextval(pg_get_serial_sequence('outbox', 'id')), m.tenant_id, 'monitor.status', jsonb_build_object(
    'monitor_id', m.id, 'status', monitor_status(s.state), 'state', s.state,
    'since', to_char(s.since at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'))
  from monitors m
  cross join lateral (select * from monitor_states(m.tenant_id) o where o.monitor_id = m.id) s
  where m.id = any(changed);
  if found then perform pg_notify('stream', ''); end if;
  -- a notice has at most 8,000 bytes
  perform pg_notify('monitors_shown', string_agg(c.id::text, ' '))
  from (select id, (row_number() over () - 1) / 200 as part from unnest(changed) as u(id)) c group by c.part;
  perform notify_shown(changed, array_agg(tenant_id), array_agg(group_name)) from (
    select distinct tenant_id, group_name from monitors where id = any(changed) and group_name is not null) g;
end $$;
