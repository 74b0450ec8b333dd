import type { EntityManager } from '@mikro-orm/postgresql'
import type { PoolClient } from 'pg'
import type { Schedule } from '#control-plane/alerting/on-call-schedules/duty.ts'
import { momentOf } from '#control-plane/alerting/on-call-schedules/duty-view.ts'
import { among, queries, type Row } from '#control-plane/db/queries.ts'
import type { Services } from '#control-plane/http/services.ts'
import { leaveLinks } from '#control-plane/identity/digest/link.ts'
import { recipientOf } from '#control-plane/identity/users/notify.ts'
import { emitEvents } from '#control-plane/outbox/emit.ts'
import { addMail } from '#control-plane/outbox/mail.ts'
import { mailAdministrators } from '#control-plane/tenancy/tenants/mail-administrators.ts'
import { changesOfDuty } from './duty-changes.ts'
import type { Gap } from './gaps.ts'

export type DueSchedule = Row<
  'on_call_schedules',
  'id' | 'tenant_id' | 'name' | 'timezone' | 'on_duty_user_id' | 'knows_duty'
> &
  Row<'tenants', 'plan' | 'feature_overrides'> & {
    team_name: string
    warned_gaps: Gap[]
    now: string
    is_quarantined: boolean
  }

/** Gaps that one mail lists, and events of one examination. */
const mostGaps = 50

export async function warnOfGaps(
  client: PoolClient,
  { id, tenant_id, name, timezone, team_name }: DueSchedule,
  gaps: readonly Gap[],
): Promise<void> {
  const listed = gaps.slice(0, mostGaps).map(({ from, to }) => ({ starts_at: momentOf(from), ends_at: momentOf(to) }))
  await emitEvents(
    client,
    listed.map(gap => ({
      tenantId: tenant_id,
      name: 'on_call.gap_found' as const,
      payload: { schedule_id: id, schedule_name: name, timezone, ...gap },
    })),
  )
  const data = { team_name, schedule_name: name, timezone, gaps: listed, gaps_count: gaps.length }
  await mailAdministrators(client, tenant_id, 'on_call_gap', data)
}

interface Handover {
  begins: string | null
  ends: string | null
  /** When the next hand-over is, in milliseconds; null: not soon. */
  until: number | null
}

/** Mails who comes on duty and who goes off it, unless the person wants no such mails. */
export async function mailHandover(
  client: PoolClient,
  config: Services['config'],
  { tenant_id, name, timezone, team_name }: DueSchedule,
  { begins, ends, until }: Handover,
): Promise<void> {
  const people = await readRecipients(
    client,
    tenant_id,
    [begins, ends].filter(id => id !== null),
  )
  const nameOf = (id: string | null) => people.find(person => person.id === id)?.name ?? null
  for (const person of people) {
    if (!wantsMail(person)) continue
    const doesBegin = person.id === begins
    await addMail(client, config, {
      tenantId: tenant_id,
      type: 'on_call_handover',
      recipient: recipientOf(person),
      data: {
        team_name,
        schedule_name: name,
        timezone,
        change: doesBegin ? 'begins' : 'ends',
        other_name: nameOf(doesBegin ? ends : begins),
        until: doesBegin && until !== null ? momentOf(until) : null,
        ...leaveLinks(config, 'hand-over mail', person.id),
      },
    })
  }
}

/** People of a team who can be mailed there. */
const readRecipients = (db: PoolClient | EntityManager, tenantId: string, people: readonly string[]) =>
  queries(db)
    .selectFrom('memberships as m')
    .innerJoin('users as u', 'u.id', 'm.user_id')
    .where('m.tenant_id', '=', tenantId)
    .where('m.disabled_at', 'is', null)
    .where('m.user_id', '=', among(people))
    .select(['u.id', 'u.name', 'u.email', 'u.language', 'u.handover_mails', 'u.email_verified_at'])
    .execute()

const wantsMail = (person: { handover_mails: boolean; email_verified_at: string | null }) =>
  person.handover_mails && person.email_verified_at !== null

/** Shifts that one list of a mail has. */
const mostShifts = 100

/** The mails to people whose shifts of the days ahead a change gives or takes away, but not to who changed it. */
export async function dutyChangeMails(
  db: PoolClient | EntityManager,
  config: Services['config'],
  { tenant_id, team_name, name, timezone }: Pick<DueSchedule, 'tenant_id' | 'team_name' | 'name' | 'timezone'>,
  { before, after, now, changedBy }: { before: Schedule; after: Schedule; now: Date; changedBy: string | null },
) {
  const changes = changesOfDuty(before, after, now.getTime())
  if (changedBy !== null) changes.delete(changedBy)
  if (changes.size === 0) return []
  const people = await readRecipients(db, tenant_id, [...changes.keys()])
  const listed = (spans: readonly Gap[]) =>
    spans.slice(0, mostShifts).map(({ from, to }) => ({ starts_at: momentOf(from), ends_at: momentOf(to) }))
  return people.filter(wantsMail).map(person => {
    const { gained, lost } = changes.get(person.id)!
    const shifts = { change: 'planned' as const, gained: listed(gained), lost: listed(lost) }
    return {
      recipient: recipientOf(person),
      data: {
        ...{ team_name, schedule_name: name, timezone, other_name: null, until: null, ...shifts },
        ...leaveLinks(config, 'hand-over mail', person.id),
      },
    }
  })
}
