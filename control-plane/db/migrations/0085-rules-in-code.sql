-- one objective at a time stands for a monitor; the function that writes monitors keeps them, and a loop those whose row
-- another program changed
drop trigger monitors_slo_added on monitors;
drop trigger monitors_slo_changed on monitors;
drop trigger monitors_slo_removed on monitors;
drop function follow_slo();
create unique index slo_spans_open on slo_spans (monitor_id) where ended_at is null;
create index monitors_with_slo on monitors (id) where slo is not null;

-- while a team is suspended, a pause and its end count after the suspension
create or replace function change_managed_tenant(team uuid, changes jsonb) returns void
  language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if not exists (select 1 from managed_teams m where m.tenant_id = team and m.reseller_id = current_reseller()) then
    raise insufficient_privilege using message = 'only the reseller of a team changes its plan, name and state';
  end if;
  update tenants t set
    name = coalesce(changes ->> 'name', t.name),
    plan = coalesce(changes ->> 'plan', t.plan),
    feature_overrides = coalesce(changes -> 'feature_overrides', t.feature_overrides),
    paused_at = case when changes ? 'paused_at' and t.suspended_at is null
      then (changes ->> 'paused_at')::timestamptz else t.paused_at end,
    paused_before_suspension = case when changes ? 'paused_at' and t.suspended_at is not null
      then (changes ->> 'paused_at')::timestamptz else t.paused_before_suspension end,
    deleted_at = case when changes ? 'deleted_at' then (changes ->> 'deleted_at')::timestamptz else t.deleted_at end,
    updated_at = (changes ->> 'updated_at')::timestamptz
  where t.id = team;
end $$;
