import { type RawBuilder, sql } from 'kysely'
import { effectiveLimits, plans, unlimited } from '#contract/plans.ts'

/** The days for which each plan, and a team without one, keeps data, as JSON. */
const keptDaysByPlan = (): string =>
  JSON.stringify({
    ...Object.fromEntries(plans.map(plan => [plan, effectiveLimits(plan, {}).data_retention_days])),
    unlimited: effectiveLimits('free', unlimited).data_retention_days,
  })

/**
 * The days for which the plan of a tenant `t` keeps data. An override of another shape is ignored, as elsewhere: the
 * override of one tenant must not end the statement for all.
 */
export const keptDaysSql = (): RawBuilder<number> => sql`coalesce(
  case when t.feature_overrides ->> 'data_retention_days' ~ '^[0-9]{1,4}$'
    then (t.feature_overrides ->> 'data_retention_days')::int end,
  (${keptDaysByPlan()}::jsonb ->> case t.feature_overrides ->> 'unlimited' when 'true' then 'unlimited'
    else t.plan end)::int)`
