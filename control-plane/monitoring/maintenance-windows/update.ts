import { isDeepStrictEqual } from 'node:util'
import { sql } from 'kysely'
import { changesOf } from '#control-plane/base/changes.ts'
import { invalid } from '#control-plane/base/refusal.ts'
import { queries } from '#control-plane/db/queries.ts'
import { endpoint } from '#control-plane/http/endpoint.ts'
import { ok } from '#control-plane/http/reply.ts'
import { mayWrite, vetNamed, WindowChanges } from './input.ts'
import { emitWindow, findWindow, lockWindow } from './row.ts'
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
    'and its mails change.',
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
    if (changed.includes('scope')) await vetNamed(context, 'monitors', after.scope.monitor_ids)
    if (changed.includes('status_page_ids')) await vetNamed(context, 'status_pages', after.status_page_ids)
    const isRescheduled = scheduleFields.some(name => changed.includes(name))
    const next = isRescheduled ? await firstOccurrence(context, after) : null
    const isMoved = next !== null && next.startsAt.getTime() !== Date.parse(row.next_starts_at ?? '')
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
        query.set({ next_starts_at: next!.startsAt.toISOString(), next_ends_at: next!.endsAt.toISOString() }),
      )
      .where('tenant_id', '=', tenant.id)
      .where('id', '=', row.id)
      .execute()
    if (isMoved) await emitWindow(em, tenant, 'maintenance.scheduled', row.id)
    audit('maintenance_window.updated', { type: 'maintenance_window', id: row.id }, changesOf(changed, before, after))
    return { data: viewWindow(await findWindow(em, tenant, row.id)) }
  },
})
