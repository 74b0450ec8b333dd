import type { EntityManager } from '@mikro-orm/postgresql'
import { z } from 'zod'
import { Sentence } from '#contract/sentence.ts'
import { stamp } from '#contract/time.ts'
import { invalid } from '#control-plane/base/refusal.ts'
import { queries } from '#control-plane/db/queries.ts'
import { endpoint, type RequestContext } from '#control-plane/http/endpoint.ts'
import { ok } from '#control-plane/http/reply.ts'
import { mayWrite, mostMinutes } from './input.ts'
import type { Next } from './occurrences.ts'
import { emitWindow, findWindow, leaveOut, lockActive, lockScheduled, type WindowRow } from './row.ts'
import { plannedAfter, ruleLimit } from './rule.ts'
import { MaintenanceWindowView, viewWindow } from './view.ts'

const oneWindow = ok({ data: MaintenanceWindowView })
const minuteMs = 60_000

interface StateChange {
  state: string
  next_starts_at: string | null
  next_ends_at: string | null
  actual_started_at: string | null
  actual_ended_at: string | null
}

const store = (em: EntityManager, tenant: { id: string }, id: string, change: Partial<StateChange>, now: Date) =>
  queries(em)
    .updateTable('maintenance_windows')
    .set({ ...change, updated_at: now.toISOString() } satisfies Partial<StateChange> & { updated_at: string })
    .where('tenant_id', '=', tenant.id)
    .where('id', '=', id)
    .execute()

const answer = async (em: EntityManager, tenant: { id: string }, id: string) => ({
  data: viewWindow(await findWindow(em, tenant, id)),
})

export const startMaintenanceWindow = endpoint({
  method: 'POST',
  path: '/maintenance-windows/{maintenance_window}/start',
  summary: 'Start a maintenance window now',
  description: 'It takes the place of the next occurrence, and lasts the whole duration from now on.',
  access: mayWrite,
  returns: oneWindow,

  async handle({ em, tenant, params, now, audit }) {
    const row = await lockScheduled(em, tenant, params.maintenance_window)
    const ends = new Date(now.getTime() + row.duration_minutes * minuteMs)
    const change = {
      state: 'active',
      next_starts_at: row.next_starts_at ?? now.toISOString(),
      next_ends_at: ends.toISOString(),
      actual_started_at: now.toISOString(),
      actual_ended_at: null,
    }
    await store(em, tenant, row.id, change, now)
    await emitWindow(em, tenant, 'maintenance.started', row.id)
    audit('maintenance_window.started', { type: 'maintenance_window', id: row.id }, { next_ends_at: stamp(ends) })
    return answer(em, tenant, row.id)
  },
})

export const stopMaintenanceWindow = endpoint({
  method: 'POST',
  path: '/maintenance-windows/{maintenance_window}/stop',
  summary: 'Stop an active maintenance window now',
  description: 'One that recurs is scheduled again.',
  access: mayWrite,
  limit: ruleLimit,
  returns: oneWindow,

  async handle(context) {
    const { em, tenant, params, now, audit } = context
    const row = await lockActive(em, tenant, params.maintenance_window)
    await store(em, tenant, row.id, { next_ends_at: now.toISOString(), actual_ended_at: now.toISOString() }, now)
    await emitWindow(em, tenant, 'maintenance.ended', row.id)
    const next = await nextOf(context, row, now)
    await store(em, tenant, row.id, afterEnd(next), now)
    await storeLeftOut(context, row, next)
    audit('maintenance_window.stopped', { type: 'maintenance_window', id: row.id }, { was_until: row.next_ends_at })
    return answer(em, tenant, row.id)
  },
})

function afterEnd(next: Next | 'unreadable'): Partial<StateChange> {
  // left to the loop, which puts a rule that cannot be read into quarantine
  if (next === 'unreadable') return { state: 'scheduled', next_ends_at: null }
  const { occurrence } = next
  if (occurrence === null) return { state: 'completed', next_starts_at: null, next_ends_at: null }
  return {
    state: 'scheduled',
    next_starts_at: occurrence.startsAt.toISOString(),
    next_ends_at: occurrence.endsAt.toISOString(),
  }
}

const plannedAtOf = (row: WindowRow, now: Date) => (row.next_starts_at === null ? now : new Date(row.next_starts_at))

/** What follows an active window that ends at a moment. */
async function nextOf(
  { services: { bounded }, tenant, now }: Pick<RequestContext, 'services' | 'tenant' | 'now'>,
  row: WindowRow,
  endedAt: Date,
): Promise<Next | 'unreadable'> {
  try {
    return await plannedAfter({ bounded, tenantId: tenant.id }, row, { plannedAt: plannedAtOf(row, now), endedAt }, now)
  } catch {
    return 'unreadable'
  }
}

async function storeLeftOut(
  { em, tenant, now }: Pick<RequestContext, 'em' | 'tenant' | 'now'>,
  row: WindowRow,
  next: Next | 'unreadable',
): Promise<void> {
  if (next === 'unreadable' || row.rrule === null) return
  await leaveOut(em, { tenant, id: row.id, plannedAt: plannedAtOf(row, now) }, next.leftOut)
}

export const extendMaintenanceWindow = endpoint({
  method: 'POST',
  path: '/maintenance-windows/{maintenance_window}/extend',
  summary: 'Extend an active maintenance window',
  description:
    `By so many minutes, to at most ${mostMinutes} minutes after it began. ` +
    'An occurrence that would start meanwhile is left out.',
  access: mayWrite,
  limit: ruleLimit,
  body: z.object({ minutes: z.int().min(1).max(mostMinutes) }),
  returns: oneWindow,

  async handle(context) {
    const { em, tenant, params, body, now, audit } = context
    const row = await lockActive(em, tenant, params.maintenance_window)
    const [began, ends] = [Date.parse(row.actual_started_at ?? ''), Date.parse(row.next_ends_at ?? '')]
    const extended = new Date(ends + body.minutes * minuteMs)
    if (extended.getTime() - began > mostMinutes * minuteMs)
      throw invalid({ minutes: [new Sentence('A window lasts at most {n} minutes.', { n: mostMinutes })] })
    await store(em, tenant, row.id, { next_ends_at: extended.toISOString() }, now)
    await storeLeftOut(context, row, await nextOf(context, row, extended))
    audit(
      'maintenance_window.extended',
      { type: 'maintenance_window', id: row.id },
      { next_ends_at: { before: row.next_ends_at, after: stamp(extended) } },
    )
    return answer(em, tenant, row.id)
  },
})

export const cancelMaintenanceWindow = endpoint({
  method: 'POST',
  path: '/maintenance-windows/{maintenance_window}/cancel',
  summary: 'Cancel a scheduled maintenance window',
  description: 'With all its occurrences. An active window is stopped first.',
  access: mayWrite,
  returns: oneWindow,

  async handle({ em, tenant, params, now, audit }) {
    const row = await lockScheduled(em, tenant, params.maintenance_window)
    await emitWindow(em, tenant, 'maintenance.cancelled', row.id)
    await store(em, tenant, row.id, { state: 'cancelled', next_starts_at: null, next_ends_at: null }, now)
    audit('maintenance_window.cancelled', { type: 'maintenance_window', id: row.id })
    return answer(em, tenant, row.id)
  },
})
