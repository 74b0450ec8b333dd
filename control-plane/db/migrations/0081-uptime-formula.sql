-- the version of the formula by which the time from a moment on was judged: the state of the monitor counts since
-- monitor_changes is there, before it was the first check of a monitor. An installation made since then has one only
create function uptime_formula(since timestamptz) returns int
  language sql stable security definer set search_path = public, pg_temp as $$
  select case when exists (
    select 1 from schema_migrations n join schema_migrations b on b.name = '0001-baseline'
    where n.name = '0072-monitor-changes' and since < n.applied_at and b.applied_at < n.applied_at - interval '1 minute'
  ) then 2 else 3 end
$$;
