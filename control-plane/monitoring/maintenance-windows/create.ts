import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { queries } from '#control-plane/db/queries.ts'
import { endpoint } from '#control-plane/http/endpoint.ts'
import { created } from '#control-plane/http/reply.ts'
import { reserveQuota } from '#control-plane/tenancy/plans/enforce.ts'
import { mayWrite, NewWindow, validateNamed } from './input.ts'
import { emitWindow, findWindow } from './row.ts'
import { firstOccurrence, ruleLimit } from './rule.ts'
import { MaintenanceWindowView, viewWindow } from './view.ts'

export const createMaintenanceWindow = endpoint({
  method: 'POST',
  path: '/maintenance-windows',
  summary: 'Create a maintenance window',
  description: 'The plan limits how many windows are scheduled or active. One that has begun already starts at once.',
  access: mayWrite,
  limit: ruleLimit,
  body: NewWindow,
  returns: created({ data: MaintenanceWindowView }),

  async handle(context) {
    const { em, tenant, body, audit } = context
    const { next } = await firstOccurrence(context, body, null)
    await reserveQuota(context, 'maintenance_windows', 1)
    await validateNamed(context, 'monitors', body.scope.monitor_ids)
    await validateNamed(context, 'status_pages', body.status_page_ids)
    const id = randomUUID()
    const { scope, ...fields } = body
    await queries(em)
      .insertInto('maintenance_windows')
      .values({
        id,
        tenant_id: tenant.id,
        title: fields.title,
        description: fields.description,
        monitor_ids: sql<string[]>`${scope.monitor_ids}::uuid[]`,
        tags: sql<string[]>`${scope.tags}::text[]`,
        is_all: scope.all,
        starts_at: fields.starts_at,
        timezone: fields.timezone,
        duration_minutes: fields.duration_minutes,
        rrule: fields.rrule,
        until: fields.until,
        status_page_ids: sql<string[]>`${fields.status_page_ids}::uuid[]`,
        mode: fields.mode,
        exclude_from_uptime: fields.exclude_from_uptime,
        notify_on_create: fields.notify.on_create,
        notify_before_minutes: sql<string[]>`${fields.notify.before_minutes}::int[]`,
        notify_on_start: fields.notify.on_start,
        notify_on_end: fields.notify.on_end,
        next_starts_at: next.startsAt.toISOString(),
        next_ends_at: next.endsAt.toISOString(),
      })
      .execute()
    await emitWindow(em, tenant, 'maintenance.scheduled', id)
    audit('maintenance_window.created', { type: 'maintenance_window', id }, { title: body.title, scope })
    return { data: viewWindow(await findWindow(em, tenant, id)) }
  },
})
