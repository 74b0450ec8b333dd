-- Cron heartbeats and servers that a plan does not include, and servers beyond its number, are on hold as other monitors
-- beyond it are. The places that this frees are given at the next change of the plan.
with allowed as (
  select id, coalesce(feature_overrides -> 'cron_heartbeats', 'true') <> 'false' as heartbeats,
    case feature_overrides -> 'server_monitoring' when 'true' then true when 'false' then false else plan <> 'free' end
      as servers,
    case when feature_overrides ->> 'agent_limit' ~ '^[0-9]{1,9}$' then (feature_overrides ->> 'agent_limit')::int
      else case plan when 'hobby' then 3 when 'starter' then 10 when 'pro' then 50 else 1 end end as most
  from tenants where feature_overrides -> 'unlimited' is distinct from 'true'
), ranked as (
  select id, tenant_id, type,
    row_number() over (partition by tenant_id, type order by is_kept desc, created_at, id) as place
  from monitors where type in ('cron', 'agent')
)
update monitors m set held_by_plan = true, switched_at = clock_timestamp()
from ranked r join allowed a on a.id = r.tenant_id
where m.id = r.id and not m.held_by_plan
  and case r.type when 'cron' then not a.heartbeats else not a.servers or r.place > a.most end;
