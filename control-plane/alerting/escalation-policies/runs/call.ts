import { sql } from 'kysely'
import type { Pool } from 'pg'
import { effectiveLimits } from '#contract/plans.ts'
import { daysAfter } from '#contract/time.ts'
import { contactChannels } from '#control-plane/alerting/contact-methods/channels.ts'
import type { TargetRow } from '#control-plane/alerting/escalation-policies/rows.ts'
import { horizonDays, onCallAt } from '#control-plane/alerting/on-call-schedules/duty.ts'
import { readPlans } from '#control-plane/alerting/on-call-schedules/plans.ts'
import { selectSchedules } from '#control-plane/alerting/on-call-schedules/rows.ts'
import { namesOf } from '#control-plane/db/by-name.ts'
import { among, prepared, type Row, rows } from '#control-plane/db/queries.ts'

/** A member of the team. */
export type Person = Row<'users', 'id' | 'email' | 'name' | 'language'>

/**
 * Who is called: a person by the contact methods that are named, and by mail where none of them is known to work; or
 * all readers of a channel.
 */
export type Called =
  | { type: 'user'; person: Person; contacts: readonly string[]; isMailed: boolean }
  | { type: 'channel'; id: string }

interface Asked {
  tenantId: string
  /** The policy that calls: overrides may be limited to it. */
  policyId: string
  targets: readonly TargetRow[]
}

type Member = Person & { tenant_id: string; is_viewer: boolean; is_proven: boolean }
type Contacts = ReadonlyMap<string, readonly { id: string; works: boolean }[]>
type ChannelRow = Row<'notification_channels', 'id' | 'type'> & Row<'tenants', 'plan' | 'feature_overrides'>

const onDutyKey = (policyId: string, scheduleId: string, duty: string | null) =>
  `${policyId} ${scheduleId} ${duty ?? 'current'}`

/**
 * Finds whom targets reach at an instant: people with a contact method or a proven address, channels that are enabled
 * and within the plan. Three statements for all, and five for each policy that calls a schedule.
 */
export class Reach {
  readonly #onDuty: ReadonlyMap<string, string>
  readonly #members: ReadonlyMap<string, readonly Member[]>
  readonly #contacts: Contacts
  readonly #channels: ReadonlySet<string>

  private constructor(
    onDuty: ReadonlyMap<string, string>,
    members: ReadonlyMap<string, readonly Member[]>,
    contacts: Contacts,
    channels: ReadonlySet<string>,
  ) {
    this.#onDuty = onDuty
    this.#members = members
    this.#contacts = contacts
    this.#channels = channels
  }

  static async read(platform: Pool, asked: readonly Asked[], at: Date): Promise<Reach> {
    const onDuty = await readDuties(platform, asked, at)
    const members = await readMembers(platform, asked, onDuty)
    return new Reach(onDuty, members, await readContacts(platform, members), await readChannels(platform, asked))
  }

  /** Each person and channel once, in the order of the targets. */
  of({ tenantId, policyId, targets }: Asked): Called[] {
    const members = this.#members.get(tenantId) ?? []
    const called = new Map<string, Called>()
    const call = ({ tenant_id, is_viewer, is_proven, ...person }: Member) => {
      const contacts = this.#contacts.get(`${tenantId} ${person.id}`) ?? []
      const isMailed = is_proven && !contacts.some(({ works }) => works)
      if (contacts.length > 0 || isMailed)
        called.set(`user:${person.id}`, { type: 'user', person, contacts: contacts.map(({ id }) => id), isMailed })
    }
    for (const { user_id, schedule_id, channel_id, duty } of targets) {
      const userId = user_id ?? (schedule_id === null ? null : this.#onDuty.get(onDutyKey(policyId, schedule_id, duty)))
      if (channel_id !== null) {
        if (this.#channels.has(channel_id)) called.set(`channel:${channel_id}`, { type: 'channel', id: channel_id })
      } else if (user_id === null && schedule_id === null) for (const each of members) !each.is_viewer && call(each)
      else for (const each of members) if (each.id === userId) call(each)
    }
    return [...called.values()]
  }
}

/** Who has duty by each schedule, or is next, as each policy sees it. */
async function readDuties(platform: Pool, asked: readonly Asked[], at: Date): Promise<Map<string, string>> {
  const onDuty = new Map<string, string>()
  const policies = new Map<string, { tenantId: string; schedules: Set<string> }>()
  for (const { tenantId, policyId, targets } of asked)
    for (const { schedule_id } of targets) {
      if (schedule_id === null) continue
      const policy = policies.get(policyId) ?? { tenantId, schedules: new Set() }
      policy.schedules.add(schedule_id)
      policies.set(policyId, policy)
    }
  for (const [policyId, { tenantId: id, schedules }] of policies) {
    const rows = await selectSchedules(platform, { id })
      .where('s.id', '=', among([...schedules]))
      .execute()
    const plans = await readPlans(platform, { id }, rows, { from: at, to: daysAfter(at, horizonDays), policyId })
    for (const [schedule, plan] of plans) {
      const { duty, next } = onCallAt(plan, at.getTime())
      if (duty.userId !== null) onDuty.set(onDutyKey(policyId, schedule, 'current'), duty.userId)
      if (next?.userId) onDuty.set(onDutyKey(policyId, schedule, 'next'), next.userId)
    }
  }
  return onDuty
}

const members = prepared(
  'escalation-members',
  (tenantId: readonly string[], tenants: readonly string[], users: readonly string[]) => sql<Member>`
    select m.tenant_id, m.role = 'viewer' as is_viewer, u.email_verified_at is not null as is_proven,
      u.id, u.email, u.name, u.language
    from memberships m join users u on u.id = m.user_id
    where not u.is_service and m.disabled_at is null
      and (m.tenant_id = any(${tenantId}::uuid[]) or m.tenant_id = any(${tenants}::uuid[])
      and m.user_id = any(${users}::uuid[])) order by ${namesOf('u.name')}, u.id`,
)

async function readMembers(
  platform: Pool,
  asked: readonly Asked[],
  onDuty: ReadonlyMap<string, string>,
): Promise<Map<string, Member[]>> {
  const isTeam = ({ user_id, schedule_id, channel_id }: TargetRow) =>
    user_id === null && schedule_id === null && channel_id === null
  const whole = asked.flatMap(({ tenantId, targets }) => (targets.some(isTeam) ? [tenantId] : []))
  const named = asked.flatMap(({ targets }) => targets.flatMap(({ user_id }) => user_id ?? []))
  const users = [...new Set([...named, ...onDuty.values()])]
  const tenants = [...new Set(asked.map(({ tenantId }) => tenantId))]
  const found = await rows(platform, members([...new Set(whole)], tenants, users))
  return Map.groupBy(found, row => row.tenant_id)
}

/** The contact methods of members, by team and person. Mail reaches no address that is not proven. */
async function readContacts(platform: Pool, members: ReadonlyMap<string, readonly Member[]>): Promise<Contacts> {
  const all = [...members.values()].flat()
  const unproven = new Set(all.flatMap(({ id, is_proven }) => (is_proven ? [] : [id])))
  const found = await contactChannels(
    platform,
    all.map(({ tenant_id: tenantId, id: userId }) => ({ tenantId, userId })),
  )
  const usable = found.filter(({ userId, channel }) => channel.type !== 'email' || !unproven.has(userId))
  const byPerson = Map.groupBy(usable, ({ tenantId, userId }) => `${tenantId} ${userId}`)
  return new Map(
    [...byPerson].map(([person, some]) => [person, some.map(({ channel: { id }, works }) => ({ id, works }))]),
  )
}

const channels = prepared(
  'escalation-channels',
  (ids: readonly string[]) => sql<ChannelRow>`
    select c.id, c.type, t.plan, t.feature_overrides from notification_channels c join tenants t on t.id = c.tenant_id
    where c.id = any(${ids}::uuid[]) and c.is_enabled`,
)

async function readChannels(platform: Pool, asked: readonly Asked[]): Promise<Set<string>> {
  const ids = asked.flatMap(({ targets }) => targets.flatMap(({ channel_id }) => channel_id ?? []))
  if (ids.length === 0) return new Set()
  const found = await rows(platform, channels(ids))
  return new Set(
    found.flatMap(({ id, type, plan, feature_overrides }) =>
      effectiveLimits(plan, feature_overrides).notification_channels.some(each => each === type) ? [id] : [],
    ),
  )
}
