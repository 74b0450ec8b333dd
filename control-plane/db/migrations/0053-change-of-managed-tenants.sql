-- What a reseller changes of the tenants it manages. The role of the API may not write these columns itself: a statement
-- injected into a request of a team could otherwise give the team another plan, other limits, or end its pause.
create function change_managed_tenant(team uuid, changes jsonb) returns void
language plpgsql security definer set search_path to 'public', 'pg_temp' as $function$
begin
  if not exists (select 1 from managed_teams m where m.tenant_id = team and m.reseller_id = current_reseller()) then
    raise insufficient_privilege using message = 'only the reseller of a team changes its plan, name and state';
  end if;
  update tenants t set
    name = coalesce(changes ->> 'name', t.name),
    plan = coalesce(changes ->> 'plan', t.plan),
    feature_overrides = coalesce(changes -> 'feature_overrides', t.feature_overrides),
    paused_at = case when changes ? 'paused_at' then (changes ->> 'paused_at')::timestamptz else t.paused_at end,
    deleted_at = case when changes ? 'deleted_at' then (changes ->> 'deleted_at')::timestamptz else t.deleted_at end,
    updated_at = (changes ->> 'updated_at')::timestamptz
  where t.id = team;
end $function$;
