-- the seconds of an incident in which its check was judged down, rounded down, cut to the time from since until until
-- (null: not cut). Left out is what uptime leaves out: maintenance that does not count or pauses checks, our own gaps,
-- those of the check's regions, and what its verdict was not down. An imported incident has its whole time.
-- Beginnings and ends are rounded to milliseconds, as those of uptime are
create function incident_seconds(
  monitor uuid, examined uuid, imported text, started timestamptz, ended timestamptz,
  since timestamptz, until timestamptz
) returns int
  language plpgsql stable parallel safe set search_path = public, pg_temp as $$
declare
  cut_from timestamptz := greatest(started, since);
  cut_to timestamptz := least(ended, until);
  begins_ms bigint := round(extract(epoch from cut_from) * 1000);
  ends_ms bigint := round(extract(epoch from cut_to) * 1000);
  other int8multirange;
begin
  if cut_from is null or cut_to is null or ends_ms <= begins_ms then return 0; end if;
  if imported is null then
    select range_agg(int8range(
      greatest(begins_ms, round(extract(epoch from greatest(o.starts, cut_from)) * 1000)::bigint),
      least(ends_ms, round(extract(epoch from least(o.ends, cut_to)) * 1000)::bigint)))
    into other
    from (
      select ms.started_at as starts, ms.ended_at as ends from maintenance_spans ms
      where ms.monitor_id = monitor and (ms.is_excluded or ms.is_paused)
        and ms.started_at < cut_to and coalesce(ms.ended_at, 'infinity') > cut_from
      union all
      select started_at, ended_at from monitoring_gaps where ended_at > cut_from and started_at < cut_to
      union all
      select v.at, (
        select n.at from verdict_changes n
        where n.check_id = examined and (n.at, n.id) > (v.at, v.id) order by n.at, n.id limit 1)
      from verdict_changes v
      where v.check_id = examined and v.at > started and v.at < cut_to and v.verdict <> 'down'
      union all
      -- a gap of regions ends with their return, or with the check's next change
      select g.started_at, least(g.ended_at, (
        select v.at from verdict_changes v where v.check_id = examined and v.at > g.started_at
        order by v.at, v.id limit 1))
      from check_regions r join region_gaps g on g.shard = r.shard and g.regions = r.regions
        and g.started_at >= r.since and g.started_at < coalesce(r.ended_at, 'infinity')
      where r.check_id = examined and r.since < cut_to and coalesce(r.ended_at, 'infinity') > cut_from
        and g.started_at < cut_to and coalesce(g.ended_at, 'infinity') > cut_from
    ) o
    where o.starts < cut_to and coalesce(o.ends, 'infinity') > greatest(o.starts, cut_from);
  end if;
  return (
    select floor(coalesce(sum(upper(s.span) - lower(s.span)), 0) / 1000)
    from unnest(int8multirange(int8range(begins_ms, ends_ms)) - coalesce(other, '{}')) as s (span));
end $$;
create index monitoring_gaps_ended on monitoring_gaps (ended_at);

-- an incident keeps the check that opened it after the check is deleted: its gaps go on to count
alter table incidents drop constraint incidents_check_id_fkey;
