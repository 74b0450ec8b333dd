-- The operators' own teams are no longer bound by a plan: those that no reseller manages and an operator belongs to.
with own as (
  update tenants t set feature_overrides = t.feature_overrides || '{"unlimited": true}', updated_at = clock_timestamp()
  where t.deleted_at is null
    and not exists (select 1 from managed_teams m where m.tenant_id = t.id)
    and exists (
      select 1 from memberships m join users u on u.id = m.user_id
      where m.tenant_id = t.id and m.role = 'owner' and u.is_super_admin and not u.is_service)
  returning t.id
)
update monitors m set held_by_plan = false, switched_at = clock_timestamp() from own where m.tenant_id = own.id and m.held_by_plan;
