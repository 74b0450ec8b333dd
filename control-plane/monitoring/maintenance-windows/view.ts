import { z } from 'zod'
import { modes } from './input.ts'
import { states, type WindowRow } from './row.ts'

const time = z.string().meta({ format: 'date-time' })
const local = z.string().meta({ example: '2026-11-29T02:00:00' })

export const MaintenanceWindowView = z
  .object({
    id: z.uuid(),
    title: z.string(),
    description: z.string(),
    scope: z.object({ monitor_ids: z.array(z.uuid()), tags: z.array(z.string()), all: z.boolean() }),
    starts_at: local.meta({ description: 'The first start, as the clocks of `timezone` show it.' }),
    timezone: z.string(),
    duration_minutes: z.int(),
    rrule: z.string().nullable(),
    until: local.nullable(),
    status_page_ids: z.array(z.uuid()),
    mode: z.enum(modes).meta({ id: 'MaintenanceMode' }),
    exclude_from_uptime: z.boolean(),
    notify: z.object({
      on_create: z.boolean(),
      before_minutes: z.array(z.int()),
      on_start: z.boolean(),
      on_end: z.boolean(),
    }),
    state: z.enum(states).meta({ id: 'MaintenanceState' }).meta({
      description: 'A window that recurs is `scheduled` between its occurrences, and `completed` after the last one.',
    }),
    next_starts_at: time.nullable().meta({
      description:
        'When the running or the next occurrence was planned to start; null when there is none. ' +
        'A repeated start that the clocks skip is left out, of one that happens twice the first counts.',
    }),
    next_ends_at: time.nullable().meta({ description: 'When that occurrence ends.' }),
    actual_started_at: time.nullable().meta({ description: 'When the latest occurrence began.' }),
    actual_ended_at: time
      .nullable()
      .meta({ description: 'When the latest occurrence ended; null while it is active.' }),
    created_at: time,
    updated_at: time,
  })
  .meta({ id: 'MaintenanceWindow' })

export function viewWindow(row: WindowRow): z.input<typeof MaintenanceWindowView> {
  return {
    ...row,
    scope: { monitor_ids: row.monitor_ids, tags: row.tags, all: row.is_all },
    notify: {
      on_create: row.notify_on_create,
      before_minutes: row.notify_before_minutes,
      on_start: row.notify_on_start,
      on_end: row.notify_on_end,
    },
    mode: modes.find(mode => mode === row.mode) ?? 'suppress_alerts',
    state: states.find(state => state === row.state) ?? 'scheduled',
    next_starts_at: row.next_ends_at === null ? null : row.next_starts_at,
  }
}
