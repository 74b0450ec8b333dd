-- The state of a monitor, made of the table in control-plane/engine/state/rules.ts.
create function monitor_state(team_deleted_at timestamptz,
  team_paused_at timestamptz,
  is_enabled boolean,
  held_by_plan boolean,
  maintenance_since timestamptz,
  status text,
  coverage text,
  coverage_since timestamptz)
  returns text language sql immutable parallel safe as $$
  select case
    when $1 is not null
    then 'deleted'
    when $2 is not null
    then 'team_paused'
    when not $3
    then 'disabled'
    when $4
    then 'on_hold'
    when $5 is not null
    then 'maintenance'
    when ($6 is null or $6 not in ('up', 'warning', 'down'))
    then 'unknown'
    when $7 = 'none'
      and $8 is not null
    then 'unknown'
    when $6 = 'down'
    then 'down'
    when $6 = 'warning'
    then 'degraded'
    else 'up'
  end
$$;

create function monitor_states(tenant uuid)
  returns table (monitor_id uuid, state text, cause text, since timestamptz, detail text)
  language sql stable parallel safe as $$
  select m.id,
  case
    when t.deleted_at is not null
    then 'deleted'
    when t.paused_at is not null
    then 'team_paused'
    when not m.is_enabled
    then 'disabled'
    when m.held_by_plan
    then 'on_hold'
    when exists (select 1 from maintenance_spans ms where ms.monitor_id = m.id and ms.ended_at is null)
    then 'maintenance'
    when (m.status is null or m.status not in ('up', 'warning', 'down'))
    then 'unknown'
    when m.coverage = 'none'
      and m.coverage_since is not null
    then 'unknown'
    when m.status = 'down'
    then 'down'
    when m.status = 'warning'
    then 'degraded'
    else 'up'
  end,
  case
    when t.deleted_at is not null
    then 'team_deleted'
    when t.paused_at is not null
      and t.suspended_at is not null
    then 'team_suspended'
    when t.paused_at is not null
    then 'team_paused'
    when not m.is_enabled
    then 'disabled'
    when m.held_by_plan
    then 'over_plan'
    when exists (select 1 from maintenance_spans ms where ms.monitor_id = m.id and ms.ended_at is null)
    then 'maintenance_window'
    when (m.status is null or m.status not in ('up', 'warning', 'down'))
      and not exists (select 1 from checks c where c.monitor_id = m.id and c.is_enabled)
    then 'no_check'
    when (m.status is null or m.status not in ('up', 'warning', 'down'))
    then 'not_judged'
    when m.coverage = 'none'
      and m.coverage_since is not null
    then 'no_region'
    when m.status = 'down'
    then 'check_failed'
    when m.status = 'warning'
    then 'check_warns'
    else null
  end,
  case
    when t.deleted_at is not null
    then greatest(
      t.deleted_at,
      m.created_at
    )
    when t.paused_at is not null
      and t.suspended_at is not null
    then greatest(
      t.paused_at,
      m.created_at
    )
    when t.paused_at is not null
    then greatest(
      t.paused_at,
      m.created_at
    )
    when not m.is_enabled
    then greatest(
      m.switched_at,
      m.created_at
    )
    when m.held_by_plan
    then greatest(
      m.switched_at,
      m.created_at
    )
    when exists (select 1 from maintenance_spans ms where ms.monitor_id = m.id and ms.ended_at is null)
    then greatest(
      (select min(ms.started_at) from maintenance_spans ms where ms.monitor_id = m.id and ms.ended_at is null),
      m.switched_at
    )
    when (m.status is null or m.status not in ('up', 'warning', 'down'))
      and not exists (select 1 from checks c where c.monitor_id = m.id and c.is_enabled)
    then greatest(
      m.status_changed_at,
      m.created_at
    )
    when (m.status is null or m.status not in ('up', 'warning', 'down'))
    then greatest(
      m.status_changed_at,
      m.created_at
    )
    when m.coverage = 'none'
      and m.coverage_since is not null
    then m.coverage_since
    when m.status = 'down'
    then m.status_changed_at
    when m.status = 'warning'
    then m.status_changed_at
    else m.status_changed_at
  end,
  case
    when t.deleted_at is not null
    then null
    when t.paused_at is not null
      and t.suspended_at is not null
    then null
    when t.paused_at is not null
    then (select g.paused_reason from managed_teams g where g.tenant_id = t.id)
    when not m.is_enabled
    then null
    when m.held_by_plan
    then null
    when exists (select 1 from maintenance_spans ms where ms.monitor_id = m.id and ms.ended_at is null)
    then (select w.title from maintenance_spans ms join maintenance_windows w on w.id = ms.window_id
      where ms.monitor_id = m.id and ms.ended_at is null order by ms.started_at, ms.id limit 1)
    when (m.status is null or m.status not in ('up', 'warning', 'down'))
      and not exists (select 1 from checks c where c.monitor_id = m.id and c.is_enabled)
    then null
    when (m.status is null or m.status not in ('up', 'warning', 'down'))
    then null
    when m.coverage = 'none'
      and m.coverage_since is not null
    then null
    when m.status = 'down'
    then m.status_reason
    when m.status = 'warning'
    then m.status_reason
    else null
  end
  from tenants t join monitors m on m.tenant_id = t.id
  where t.id = $1
$$;
