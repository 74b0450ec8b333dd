import { sql } from 'kysely'
import type { Pool } from 'pg'
import { prepared, rows } from '#control-plane/db/queries.ts'
import { insertMailsSql } from '#control-plane/outbox/mail.ts'

/** Steps of which administrators are mailed at once. */
const atOnce = 100

// triggers of targets and memberships mark the steps
const mailLost = prepared(
  'escalation-lost',
  () => sql<{ n: number }>`
  with lost as (
    update escalation_steps stored set lost_at = null from (
      select id from escalation_steps where lost_at is not null order by lost_at, id limit ${sql.lit(atOnce)}
      for update skip locked
    ) l
    where stored.id = l.id returning stored.id, stored.tenant_id, stored.policy_id
  ), numbered as (
    select s.id, row_number() over (partition by s.policy_id order by s.position, s.id) as nth
    from escalation_steps s where s.policy_id in (select policy_id from lost)
  ), named as (
    select l.tenant_id, p.name as policy_name, t.name as team_name,
      string_agg(n.nth::text, ', ' order by n.nth) as steps
    from lost l join numbered n on n.id = l.id join escalation_policies p on p.id = l.policy_id
    join tenants t on t.id = l.tenant_id
    where t.deleted_at is null and not exists (
      select from escalation_targets g
      left join memberships m on m.user_id = g.user_id and m.tenant_id = g.tenant_id
      where g.step_id = l.id and (g.user_id is null or m.disabled_at is null))
    group by l.tenant_id, p.id, t.name
  ), mailed as (
    ${insertMailsSql<'escalation_step_lost'>({
      tenant: 'n.tenant_id',
      type: 'escalation_step_lost',
      data: { team_name: 'n.team_name', policy_name: 'n.policy_name', steps: 'n.steps' },
      from: sql`from named n join memberships m on m.tenant_id = n.tenant_id and m.role in ('owner', 'admin')
          and m.disabled_at is null
        join users u on u.id = m.user_id and not u.is_service order by u.id`,
    })}
  )
  select count(*)::int as n from lost`,
)

/** Mails the administrators, once for each policy, that steps have lost the last person whom they called. */
export async function warnOfLostSteps(platform: Pool): Promise<void> {
  let lost = atOnce
  while (lost === atOnce) lost = (await rows(platform, mailLost()))[0]?.n ?? 0
}
