import { type RawBuilder, sql } from 'kysely'
import type { Limits } from '#contract/plans.ts'
import { amongTexts, type Db, type Row, rows } from '#control-plane/db/queries.ts'
import { type Counted, counted, countOf, isBeyond } from './counts.ts'

/** Of something there is more than a plan allows. */
export interface OverLimit {
  feature: Counted
  current: number
  limit: number
}

/** What of a team is beyond limits: what runs is put on hold, all else stays and can only become less. */
export interface OverPlan {
  /** Every count beyond its limit, those of monitors and servers included. */
  overLimit: OverLimit[]
  /** Those put on hold: the newest first, not those that the team chose to keep; at most 100. */
  monitors: { id: string; name: string }[]
  monitorsCount: number
  /** Names of the team's channels of types that the plan does not have; at most 100. */
  channels: string[]
  channelsCount: number
}

const counts = sql.join(counted.map(feature => sql`(${countOf[feature]})::int as ${sql.ref(feature)}`))

/** How many a team has of what plans limit. */
export async function countsOf(db: Db, tenantId: string): Promise<Record<Counted, number>> {
  const [row] = await rows(db)<Record<Counted, number>>`select ${counts} from tenants t where t.id = ${tenantId}`
  return row!
}

/** Of what there is more than the limits allow. */
export const overLimitsOf = (limits: Limits, usage: Readonly<Record<Counted, number>>): OverLimit[] =>
  counted.flatMap(feature => {
    const limit = limits[feature]
    return limit !== null && isBeyond(limit, usage[feature]) ? [{ feature, current: usage[feature], limit }] : []
  })

/**
 * SQL of the monitors of a team with `is_beyond`: whether the limits put them on hold. Cron heartbeats and servers are
 * within the limits where the plan includes them, servers up to `agent_limit`, and of what is included as many as
 * `monitors` allows. Those that the team chose come first, then the oldest.
 */
export const rankedMonitors = (limits: Limits, tenantId: string): RawBuilder<unknown> =>
  sql`select id, name, is_kept, created_at, not is_included or coalesce(
       row_number() over (partition by is_included order by is_kept desc, created_at, id)
         > ${limits.monitors}::int, false
     ) as is_beyond
   from (
     select id, name, is_kept, created_at, case type
       when 'cron' then ${limits.cron_heartbeats}::boolean
       when 'agent' then ${limits.server_monitoring}::boolean
         and row_number() over (partition by type order by is_kept desc, created_at, id) <= ${limits.agent_limit}::int
       else true end as is_included
     from monitors where tenant_id = ${tenantId}
   ) m`

/** SQL of the channels `x` of a team on hold. People's own are not the team's. */
export const channelsOnHold = (tenantId: string, { notification_channels: types }: Limits): RawBuilder<unknown> =>
  sql`notification_channels x
    where x.tenant_id = ${tenantId} and x.owner_user_id is null and not x.type = ${amongTexts(types)}`

/** What would be beyond these limits. */
export async function readOverPlan(db: Db, tenantId: string, limits: Limits): Promise<OverPlan> {
  const monitors = await rows(db)<Row<'monitors', 'id' | 'name'> & { count: number }>`
    select id, name, count(*) over ()::int as count from (${rankedMonitors(limits, tenantId)}) r where is_beyond
    order by is_kept, created_at desc, id desc limit 100`
  const channels = await rows(db)<Row<'notification_channels', 'name'> & { count: number }>`
    select x.name, count(*) over ()::int as count from ${channelsOnHold(tenantId, limits)}
    order by x.created_at, x.id limit 100`
  return {
    overLimit: overLimitsOf(limits, await countsOf(db, tenantId)),
    monitors: monitors.map(({ id, name }) => ({ id, name })),
    monitorsCount: monitors[0]?.count ?? 0,
    channels: channels.map(({ name }) => name),
    channelsCount: channels[0]?.count ?? 0,
  }
}

/** The fields of mails that say what is beyond a plan. Monitors and servers are named as on hold, not as over. */
export async function beyondPlan(db: Db, tenantId: string, limits: Limits) {
  const over = await readOverPlan(db, tenantId, limits)
  return {
    monitors_on_hold: over.monitorsCount,
    monitor_names: over.monitors.slice(0, mostNames).map(({ name }) => name),
    channels_on_hold: over.channelsCount,
    channel_names: over.channels.slice(0, mostNames),
    over_limit: over.overLimit.filter(({ feature }) => feature !== 'monitors' && feature !== 'agent_limit'),
  }
}

const mostNames = 50
