import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { Pool } from 'pg'
import { addressStateSql } from '#control-plane/access/members/contact-state.ts'
import type { Channel } from '#control-plane/alerting/deliveries/delivery.ts'
import { readRules } from '#control-plane/alerting/dispatch/read-rules.ts'
import { type Monitor, RulesOfTenant } from '#control-plane/alerting/dispatch/rules-of-tenant.ts'
import { readSteps } from '#control-plane/alerting/escalation-policies/rows.ts'
import { Reach } from '#control-plane/alerting/escalation-policies/runs/call.ts'
import { namesOf } from '#control-plane/db/by-name.ts'
import { among, prepared, queries, type Row, rows } from '#control-plane/db/queries.ts'

/** Why the incidents of a monitor are notified to no channel and no person of its team. */
export const gapCauses = {
  no_channel: 'The team has no channel that is enabled and part of its plan.',
  no_rule: 'No rule sends the incidents of the monitor to a channel that is enabled and part of the plan.',
  unconfirmed: 'The rules send them only to e-mail channels of which no recipient has confirmed.',
} as const
export type GapCause = keyof typeof gapCauses

/** A monitor whose incidents are notified to no channel and no person of its team. */
export interface NotificationGap {
  monitor: { id: string; name: string }
  openIncidents: number
  cause: GapCause
}

export interface NotificationGaps {
  gaps: NotificationGap[]
  /** Channels that a rule could send the incidents to. */
  channels: { id: string; name: string }[]
}

/**
 * The monitors of teams whose incidents reach no channel and no person of the team, those with open incidents first:
 * neither by a rule nor by a step of an escalation policy. The conditions of steps are not heeded.
 * Monitors that are not checked, or that are in the shadow of a migration, are left out. A team without gaps has no
 * entry.
 */
export async function readNotificationGaps(
  platform: Pool,
  tenantIds: readonly string[],
  at: Date,
): Promise<Map<string, NotificationGaps>> {
  const read = await readRules(platform, tenantIds)
  const rulesOf = (tenantId: string) => read.get(tenantId)?.rules ?? new RulesOfTenant()
  const confirmed = await confirmedChannels(
    platform,
    [...read.values()].map(({ rules }) => rules),
  )
  const isReached = (channel: Channel) => channel.type !== 'email' || confirmed.has(channel.id)
  const channelsFor = (tenantId: string, monitor?: Monitor) => {
    // a monitor that no filter names is reached by the rules for all monitors
    const monitorId = monitor?.id ?? randomUUID()
    return [...rulesOf(tenantId).match('incident.created', { monitorId, monitor, teams: [] }).keys()]
  }
  const partly = tenantIds.filter(id => !channelsFor(id).some(isReached))
  if (partly.length === 0) return new Map()

  const unreached = (await watchedMonitors(platform, partly)).flatMap(monitor => {
    const channels = channelsFor(monitor.tenant_id, monitor)
    return channels.some(isReached) ? [] : [{ ...monitor, hasChannels: channels.length > 0 }]
  })
  const isEscalated = await escalatedBy(platform, [...new Set(unreached.map(({ tenant_id }) => tenant_id))], at)
  const gaps = unreached.filter(monitor => !isEscalated(monitor))
  return new Map(
    [...Map.groupBy(gaps, ({ tenant_id }) => tenant_id)].map(([tenantId, some]) => {
      const enabled = [...rulesOf(tenantId).channels.values()].filter(({ state }) => state === 'enabled')
      return [
        tenantId,
        {
          channels: enabled.flatMap(({ channel, name }) => (isReached(channel) ? [{ id: channel.id, name }] : [])),
          gaps: some.map(({ id, name, open_incidents: openIncidents, hasChannels }) => ({
            monitor: { id, name },
            openIncidents,
            cause: hasChannels ? 'unconfirmed' : enabled.length > 0 ? 'no_rule' : 'no_channel',
          })),
        },
      ]
    }),
  )
}

type Watched = Row<'monitors', 'tenant_id' | 'id' | 'name' | 'type' | 'tags' | 'escalation_policy_id'> & {
  open_incidents: number
}

async function watchedMonitors(platform: Pool, tenantIds: readonly string[]): Promise<Watched[]> {
  const found = await rows(platform, notificationGapsMonitors(tenantIds))
  return found
}

/** The e-mail channels of which at least one recipient may be sent mail. */
async function confirmedChannels(platform: Pool, all: readonly RulesOfTenant[]): Promise<Set<string>> {
  const ids = all.flatMap(({ channels }) =>
    [...channels.values()].flatMap(({ channel }) => (channel.type === 'email' ? [channel.id] : [])),
  )
  if (ids.length === 0) return new Set()
  const found = await rows(platform, notificationGapsRecipients(ids))
  return new Set(found.map(({ id }) => id))
}

/** Whether a policy that escalates the incidents of a monitor has a step that reaches a person or channel now. */
async function escalatedBy(
  platform: Pool,
  tenantIds: readonly string[],
  at: Date,
): Promise<(monitor: Pick<Watched, 'tenant_id' | 'escalation_policy_id'>) => boolean> {
  const policies = await queries(platform)
    .selectFrom('escalation_policies')
    .where('tenant_id', '=', among(tenantIds))
    .select(['id', 'tenant_id', 'is_default', 'fallback_policy_id'])
    .execute()
  if (policies.length === 0) return () => false
  const steps = await readSteps(
    platform,
    policies.map(({ id }) => id),
  )
  const asked = policies.map(({ id: policyId, tenant_id: tenantId }) => {
    const targets = (steps.get(policyId) ?? []).flatMap(step => step.targets)
    return { tenantId, policyId, targets }
  })
  const reach = await Reach.read(platform, asked, at)
  const reaching = new Set(asked.flatMap(each => (reach.of(each).length > 0 ? [each.policyId] : [])))
  const byId = new Map(policies.map(policy => [policy.id, policy]))
  const reaches = (id: string | null | undefined, followed = 0): boolean =>
    typeof id === 'string' &&
    followed < policies.length &&
    (reaching.has(id) || reaches(byId.get(id)?.fallback_policy_id, followed + 1))
  return ({ tenant_id, escalation_policy_id }) =>
    reaches(escalation_policy_id ?? policies.find(each => each.tenant_id === tenant_id && each.is_default)?.id)
}

const notificationGapsMonitors = prepared(
  'notification-gaps-monitors',
  (tenantIds: readonly string[]) => sql<Watched>`
    select m.tenant_id, m.id, m.name, m.type, m.tags, m.escalation_policy_id,
      coalesce(o.n, 0)::int as open_incidents
    from monitors m join tenants t on t.id = m.tenant_id
    left join (
      select i.monitor_id, count(*) as n from incidents i
      where i.tenant_id = any(${tenantIds}::uuid[]) and i.resolved_at is null group by i.monitor_id
    ) o on o.monitor_id = m.id
    where m.tenant_id = any(${tenantIds}::uuid[]) and t.deleted_at is null and t.paused_at is null
      and m.is_enabled and not m.held_by_plan and not m.is_shadow
    order by (o.n is null), ${namesOf('m.name')}, m.id`,
)

const notificationGapsRecipients = prepared(
  'notification-gaps-recipients',
  (ids: readonly string[]) => sql<Row<'notification_channels', 'id'>>`
    select c.id from notification_channels c where c.id = any(${ids}::uuid[]) and exists (
    select 1 from jsonb_array_elements_text(c.config -> 'recipients') as r(email)
    where ${addressStateSql('c.tenant_id', sql`r.email::citext`)} in ('member', 'confirmed'))`,
)
