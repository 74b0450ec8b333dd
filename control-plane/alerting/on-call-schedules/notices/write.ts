import type { PoolClient } from 'pg'
import { mailAdministrators } from '#control-plane/access/members/mail-administrators.ts'
import { momentOf } from '#control-plane/alerting/on-call-schedules/duty-view.ts'
import { among, queries } from '#control-plane/db/queries.ts'
import { leaveLinks } from '#control-plane/identity/digest/link.ts'
import { recipientOf } from '#control-plane/identity/users/notify.ts'
import { emitEvents } from '#control-plane/outbox/emit.ts'
import { addMail } from '#control-plane/outbox/mail.ts'
import type { Gap } from './gaps.ts'
import type { DueSchedule, WatchDeps } from './watch.ts'

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
  config: WatchDeps['config'],
  { tenant_id, name, timezone, team_name }: DueSchedule,
  { begins, ends, until }: Handover,
): Promise<void> {
  const people = await queries(client)
    .selectFrom('memberships as m')
    .innerJoin('users as u', 'u.id', 'm.user_id')
    .where('m.tenant_id', '=', tenant_id)
    .where('m.disabled_at', 'is', null)
    .where('m.user_id', '=', among([begins, ends].filter(id => id !== null)))
    .select(['u.id', 'u.name', 'u.email', 'u.language', 'u.handover_mails', 'u.email_verified_at'])
    .execute()
  const nameOf = (id: string | null) => people.find(person => person.id === id)?.name ?? null
  for (const person of people) {
    if (!person.handover_mails || person.email_verified_at === null) continue
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
