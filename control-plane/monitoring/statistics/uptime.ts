import { z } from 'zod'
import { stamp, wholeSeconds } from '#contract/time.ts'
import { endpoint } from '#control-plane/http/endpoint.ts'
import { ok } from '#control-plane/http/reply.ts'
import { findMonitor } from '#control-plane/monitoring/monitors/find.ts'
import { daysOf, type JudgedTime, judgedSpans, judgements, timeOf, uptimePct } from './judged-time.ts'
import { periodOf, periodQuery } from './period.ts'
import { findUptimeCheck, readHistory } from './read-judged.ts'
import { FormulaVersion, formulaOf } from './uptime-formula.ts'

const time = z.string().meta({ format: 'date-time' })
const seconds = {
  up_s: z.int(),
  warning_s: z.int(),
  downtime_s: z.int(),
  maintenance_s: z.int(),
  paused_s: z.int(),
  no_data_s: z.int(),
}
const maxSpans = 1_000

export const UptimeView = z
  .object({
    monitor_id: z.uuid(),
    check_id: z.uuid().nullable(),
    from: time,
    to: time,
    formula_version: FormulaVersion,
    uptime_pct: z.number().nullable(),
    ...seconds,
    days: z.array(z.object({ date: z.iso.date(), uptime_pct: z.number().nullable(), ...seconds })),
    /** The newest thousand at most. */
    spans: z.array(z.object({ verdict: z.enum(judgements), from: time, to: time })),
  })
  .meta({ id: 'MonitorUptime' })

const secondsOf = (judged: JudgedTime) => ({
  up_s: wholeSeconds(judged.up),
  warning_s: wholeSeconds(judged.warning),
  downtime_s: wholeSeconds(judged.down),
  maintenance_s: wholeSeconds(judged.maintenance),
  paused_s: wholeSeconds(judged.paused),
  no_data_s: wholeSeconds(judged.no_data),
})

export const monitorUptime = endpoint({
  method: 'GET',
  path: '/monitors/{monitor}/uptime',
  summary: 'Read the uptime of a monitor, by day and as spans of time',
  description:
    'Uptime is the share of measured time in which the monitor was not down: 100 * up / (up + down). Warning counts ' +
    'as up; maintenance, pauses and time without data count as neither. A critical or major check makes it down. ' +
    'No edit changes what was judged before it.',
  access: { tenant: 'monitors:read', reseller: 'monitors:read' },
  query: periodQuery,
  returns: ok({ data: UptimeView }),

  async handle({ em, tenant, params, query, now }) {
    const period = periodOf(query, { now, defaultDays: 30, maxDays: 400 })
    const monitor = await findMonitor(em, tenant, params.monitor)
    const check = await findUptimeCheck(em, tenant, monitor.id)
    const history = await readHistory(em, tenant, monitor.id, period)
    const spans = judgedSpans(history, period.from, period.to)
    const judged = timeOf(spans)
    const view = ({ from, to }: { from: number; to: number }) => ({
      from: stamp(new Date(from)),
      to: stamp(new Date(to)),
    })
    return {
      data: {
        monitor_id: monitor.id,
        check_id: check,
        ...view(period),
        formula_version: await formulaOf(em, period.from),
        uptime_pct: uptimePct(judged),
        ...secondsOf(judged),
        days: daysOf(period.from, period.to).map(day => {
          const judgedToday = timeOf(spans, day.from, day.to)
          return { date: day.date, uptime_pct: uptimePct(judgedToday), ...secondsOf(judgedToday) }
        }),
        spans: spans.slice(-maxSpans).map(span => ({ verdict: span.verdict, ...view(span) })),
      },
    }
  },
})
