-- What is over of a window that recurs, so that no edit starts it again: the start for which its last occurrence was
-- planned. And its exceptions, for calendars: {planned, started, ended} of an occurrence that took place at other times
-- than planned; started and ended are null when it was left out
alter table maintenance_windows
  add column last_planned_at timestamptz,
  add column exceptions jsonb not null default '[]' check (jsonb_typeof(exceptions) = 'array');
update maintenance_windows
set last_planned_at = case when next_ends_at is null then next_starts_at else actual_started_at end
where state = 'scheduled' and actual_ended_at is not null;

-- An occurrence ends, by hand or by itself. As for the spans of maintenance, what was planned counts, not the second in
-- which a delayed process ends it. What an extension left out is planned again afterwards.
create function end_maintenance_occurrence() returns trigger
  language plpgsql set search_path = public, pg_temp as $$
declare
  planned_end timestamptz := old.next_starts_at + make_interval(mins => old.duration_minutes);
  started timestamptz := least(new.actual_started_at, old.next_starts_at);
  ended timestamptz := least(new.actual_ended_at, old.next_ends_at);
begin
  new.last_planned_at := old.next_starts_at;
  if new.rrule is null then return new; end if;
  new.exceptions := coalesce((
    select jsonb_agg(e order by n) from jsonb_array_elements(new.exceptions) with ordinality as x(e, n)
    where (e ->> 'planned')::timestamptz < old.next_starts_at
  ), '[]');
  if started <> old.next_starts_at or ended <> planned_end then
    new.exceptions := new.exceptions
      || jsonb_build_object('planned', old.next_starts_at, 'started', started, 'ended', ended);
  end if;
  while jsonb_array_length(new.exceptions) > 100 loop new.exceptions := new.exceptions - 0; end loop;
  return new;
end $$;
create trigger maintenance_windows_end_occurrence before update on maintenance_windows for each row
  when (old.state = 'active' and new.state <> 'active') execute function end_maintenance_occurrence();
