import { z } from 'zod'
import { Phases } from './check.ts'

const time = z.string().meta({ format: 'date-time' })
const common = { timestamp: time }

/** The status that a monitor has now, as `GET /monitors/{monitor}` shows it. */
export const MonitorStatusEvent = z
  .object({
    event: z.literal('monitor.status'),
    ...common,
    monitor_id: z.uuid(),
    status: z.string().nullable(),
    state: z.string().meta({ description: 'As `state` of a monitor.' }),
    since: time.nullable(),
  })
  .meta({ id: 'MonitorStatusEvent' })

/** One result of a region, once it is stored. */
export const CheckResultEvent = z
  .object({
    event: z.literal('check.result'),
    ...common,
    check_id: z.uuid(),
    monitor_id: z.uuid(),
    region: z.string(),
    at: time,
    due_at: time,
    attempt: z.int(),
    outcome: z.enum(['up', 'warning', 'down', 'unknown']),
    error_code: z.string().nullable(),
    summary: z.string().nullable(),
    phases: Phases,
    http_status: z.int().nullable(),
    is_suspect: z.boolean(),
  })
  .meta({ id: 'CheckResultEvent' })

/** What streams send beside the events of webhooks. */
export const streamEvents = { 'monitor.status': MonitorStatusEvent, 'check.result': CheckResultEvent }
