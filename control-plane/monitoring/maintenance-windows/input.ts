import { Temporal } from 'temporal-polyfill'
import { z } from 'zod'
import { line, text } from '#contract/line.ts'
import { type FieldErrors, invalid } from '#control-plane/base/refusal.ts'
import { among, queries } from '#control-plane/db/queries.ts'
import type { RequestContext } from '#control-plane/http/endpoint.ts'

export const mayRead = { tenant: 'maintenance:read', reseller: 'maintenance:read' } as const
export const mayWrite = { tenant: 'maintenance:write', reseller: 'maintenance:write' } as const

export const modes = ['suppress_alerts', 'pause_checks'] as const
export const mostMinutes = 43_200
const mostReminders = 5
const mostReminderMinutes = 10_080

const distinct = (all: readonly string[]) => new Set(all).size === all.length

const Scope = z
  .object({
    monitor_ids: z.array(z.uuid().toLowerCase()).max(1_000).refine(distinct, 'Names a monitor twice.').default([]),
    tags: z.array(z.string().min(1).max(100)).max(100).refine(distinct, 'Names a tag twice.').default([]),
    all: z.boolean().default(false),
  })
  .refine(
    ({ monitor_ids, tags, all }) => all !== monitor_ids.length + tags.length > 0,
    'Name monitors or tags, or all of them with `all`.',
  )
  .meta({ description: 'The monitors that are named, and those that have one of the tags; or all monitors.' })

export const Notify = z
  .object({
    on_create: z.boolean().default(false),
    before_minutes: z
      .array(z.int().min(1).max(mostReminderMinutes))
      .max(mostReminders)
      .refine(minutes => new Set(minutes).size === minutes.length, 'Names a time twice.')
      .default([])
      .meta({ description: 'Minutes before each start. A reminder whose time is over when it is set is not sent.' }),
    on_start: z.boolean().default(false),
    on_end: z.boolean().default(false),
  })
  .meta({
    id: 'MaintenanceNotify',
    description:
      'When owners and administrators of the team get a mail, and subscribers of the pages that the window names an ' +
      'update. Channels are notified by their rules.',
  })

const LocalTime = z
  .string()
  .regex(/^2[01]\d\d-\d\d-\d\dT\d\d:\d\d(:\d\d)?$/, 'Must be a local time such as 2026-11-29T02:00, without an offset.')
  .refine(isLocalTime, 'There is no such day or time.')
  .transform(text => text.padEnd(19, ':00'))

function isLocalTime(text: string): boolean {
  try {
    Temporal.PlainDateTime.from(text, { overflow: 'reject' })
    return true
  } catch {
    return false
  }
}

const fields = {
  title: line(255),
  description: text(5_000),
  scope: Scope,
  starts_at: LocalTime.meta({
    description: 'The first start, as the clocks of `timezone` show it.',
    example: '2026-11-29T02:00',
  }),
  timezone: z.string().max(64).meta({ description: 'A zone by its IANA name.', example: 'Europe/Berlin' }),
  duration_minutes: z
    .int()
    .min(1)
    .max(mostMinutes)
    .meta({ description: 'Elapsed time, also where the clocks change.' }),
  rrule: z.string().max(500).nullable().meta({
    description:
      'A recurrence rule of RFC 5545 by days, weeks, months or years, without parts for the time of day. `null`: once.',
    example: 'FREQ=MONTHLY;BYDAY=-1SU',
  }),
  until: LocalTime.nullable().meta({
    description: 'Local time: an occurrence that starts later does not take place. `null`: the rule alone ends it.',
  }),
  status_page_ids: z
    .array(z.uuid().toLowerCase())
    .max(50)
    .refine(distinct, 'Names a page twice.')
    .meta({ description: 'The status pages that announce the window, to their subscribers as `notify` says.' }),
  mode: z.enum(modes).meta({
    description:
      '`suppress_alerts`: alerts are suppressed; the team is notified at the end of what is still open then. ' +
      '`pause_checks`: nothing is checked, and no ping or metric expected; checks run again from the end on.',
  }),
  exclude_from_uptime: z.boolean().meta({
    description: 'The time of the window counts as neither up nor down, in every figure of uptime.',
  }),
  notify: Notify,
}

export const NewWindow = z
  .object({
    ...fields,
    description: fields.description.default(''),
    rrule: fields.rrule.default(null),
    until: fields.until.default(null),
    status_page_ids: fields.status_page_ids.default([]),
    mode: fields.mode.default('suppress_alerts'),
    exclude_from_uptime: fields.exclude_from_uptime.default(true),
    notify: Notify.prefault({}),
  })
  .meta({ id: 'NewMaintenanceWindow' })

/** When a window takes place, without what it does. */
export const WindowSchedule = NewWindow.pick({
  starts_at: true,
  timezone: true,
  duration_minutes: true,
  rrule: true,
  until: true,
}).meta({ id: 'MaintenanceSchedule' })

export const WindowChanges = z.object(fields).partial().meta({ id: 'MaintenanceWindowChanges' })

const ofTeam = {
  monitors: { field: 'scope.monitor_ids', message: 'Monitor not found.' },
  status_pages: { field: 'status_page_ids', message: 'Status page not found.' },
} as const

/** Monitors or pages that are named are the tenant's own. */
export async function validateNamed(
  { em, tenant }: Pick<RequestContext, 'em' | 'tenant'>,
  table: keyof typeof ofTeam,
  ids: readonly string[],
): Promise<void> {
  if (ids.length === 0) return
  const rows = await queries(em)
    .selectFrom(table)
    .where('tenant_id', '=', tenant.id)
    .where('id', '=', among(ids))
    .select('id')
    .execute()
  const known = new Set(rows.map(({ id }) => id))
  const { field, message } = ofTeam[table]
  const errors: FieldErrors = {}
  for (const [index, id] of ids.entries()) if (!known.has(id)) errors[`${field}.${index}`] = [message]
  if (Object.keys(errors).length > 0) throw invalid(errors)
}
