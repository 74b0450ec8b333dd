import { isDeepStrictEqual } from 'node:util'
import { sql } from 'kysely'
import { changesOf } from '#control-plane/base/changes.ts'
import { invalid } from '#control-plane/base/refusal.ts'
import { json, queries } from '#control-plane/db/queries.ts'
import { endpoint } from '#control-plane/http/endpoint.ts'
import { ok } from '#control-plane/http/reply.ts'
import { mayWrite, validateNamed, WindowChanges } from './input.ts'
import { type Over, type Schedule, usedAfterChange } from './occurrences.ts'
import { emitWindow, findWindow, leaveOut, leftOutExceptions, lockWindow, type WindowRow } from './row.ts'
import { firstOccurrence, ruleLimit } from './rule.ts'
import { MaintenanceWindowView, viewWindow } from './view.ts'

const scheduleFields = ['starts_at', 'timezone', 'duration_minutes', 'rrule', 'until'] as const
const otherFields = [
  'title',
  'description',
  'scope',
  'status_page_ids',
  'mode',
  'exclude_from_uptime',
  'notify',
] as const
/** What changes while the window is active; `extend` and `stop` change its end. */
const whileActive: readonly string[] = ['title', 'description', 'status_page_ids', 'notify']

export const updateMaintenanceWindow = endpoint({
  method: 'PATCH',
  path: '/maintenance-windows/{maintenance_window}',
  summary: 'Update a maintenance window that is not over',
  description:
    'The scope and `notify` are sent whole. While the window is active only its title, its description, its pages ' +
    'and its mails change. An occurrence that is over, by itself or by hand, does not start again: the next one is ' +
    'on a later day, unless a new `starts_at` lies ahead.',
  access: mayWrite,
  limit: ruleLimit,
  body: WindowChanges,
  returns: ok({ data: MaintenanceWindowView }),

  async handle(context) {
    const { em, tenant, params, body, now, audit } = context
    const row = await lockWindow(em, tenant, params.maintenance_window)
    const before = viewWindow(row)
    const sent = Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined))
    const after: typeof before = { ...before, ...sent }
    const changed = [...scheduleFields, ...otherFields].filter(name => !isDeepStrictEqual(before[name], after[name]))
    if (changed.length === 0) return { data: before }
    const fixed = changed.filter(name => row.state === 'active' && !whileActive.includes(name))
    if (fixed.length > 0)
      throw invalid(
        Object.fromEntries(fixed.map(name => [name, ['Cannot change while the window is active.']])),
        'window_active',
      )
    if (changed.includes('scope')) await validateNamed(context, 'monitors', after.scope.monitor_ids)
    if (changed.includes('status_page_ids')) await validateNamed(context, 'status_pages', after.status_page_ids)
    const isRescheduled = scheduleFields.some(name => changed.includes(name))
    const over = isRescheduled ? overAfterChange(row, after) : null
    const planned = isRescheduled ? await firstOccurrence(context, after, over) : null
    const next = planned?.next ?? null
    const isMoved = next !== null && next.startsAt.getTime() !== Date.parse(row.next_starts_at ?? '')
    const isOtherSeries = (['starts_at', 'timezone', 'rrule'] as const).some(name => changed.includes(name))
    const db = queries(em)
    await db
      .updateTable('maintenance_windows')
      .set({
        title: after.title,
        description: after.description,
        starts_at: after.starts_at,
        timezone: after.timezone,
        duration_minutes: after.duration_minutes,
        rrule: after.rrule,
        until: after.until,
        mode: after.mode,
        exclude_from_uptime: after.exclude_from_uptime,
        notify_on_create: after.notify.on_create,
        notify_before_minutes: sql<string[]>`${after.notify.before_minutes}::int[]`,
        notify_on_start: after.notify.on_start,
        notify_on_end: after.notify.on_end,
        updated_at: now.toISOString(),
      })
      .$if(changed.includes('scope'), query =>
        query.set({
          monitor_ids: sql<string[]>`${after.scope.monitor_ids}::uuid[]`,
          tags: sql<string[]>`${after.scope.tags}::text[]`,
          is_all: after.scope.all,
        }),
      )
      .$if(changed.includes('status_page_ids'), query =>
        query.set({ status_page_ids: sql<string[]>`${after.status_page_ids}::uuid[]` }),
      )
      .$if(next !== null, query =>
        query.set({
          next_starts_at: next!.startsAt.toISOString(),
          next_ends_at: next!.endsAt.toISOString(),
          last_planned_at: over?.plannedAt?.toISOString() ?? null,
        }),
      )
      // what was planned by another rule is no exception of this one
      .$if(isOtherSeries, query => query.set({ exceptions: json(leftOutExceptions(planned?.leftOut ?? [])) }))
      .where('tenant_id', '=', tenant.id)
      .where('id', '=', row.id)
      .execute()
    if (!isOtherSeries && over && planned)
      await leaveOut(em, { tenant, id: row.id, plannedAt: over.plannedAt ?? over.endedAt }, planned.leftOut)
    if (isMoved) await emitWindow(em, tenant, 'maintenance.scheduled', row.id)
    audit('maintenance_window.updated', { type: 'maintenance_window', id: row.id }, changesOf(changed, before, after))
    return { data: viewWindow(await findWindow(em, tenant, row.id)) }
  },
})

/** What is over of a window, as the clocks of its changed schedule show it. */
function overAfterChange(row: WindowRow, after: Schedule): Over | null {
  if (row.actual_ended_at === null) return null
  const over = {
    plannedAt: row.last_planned_at === null ? null : new Date(row.last_planned_at),
    endedAt: new Date(row.actual_ended_at),
  }
  return { ...over, plannedAt: usedAfterChange(row, after, over) }
}
