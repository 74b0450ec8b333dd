import { z } from 'zod'
import { stamp, wholeSeconds } from '#contract/time.ts'
import { endpoint } from '#control-plane/http/endpoint.ts'
import { ok } from '#control-plane/http/reply.ts'
import { readersZone, zoneFor } from '#control-plane/identity/users/zone.ts'
import { type JudgedTime, type Judgement, noTime, uptimePct } from './judged-time.ts'
import { lastDays } from './last-days.ts'
import { monitorIds, namedMonitors, ownersOfNamed } from './named-monitors.ts'
import { readJudgedTime } from './read-judged.ts'
import { FormulaVersion, formulaOf } from './uptime-formula.ts'

const time = z.string().meta({ format: 'date-time' })
const secondsByDay = z.array(z.int())

export const uptimeBatch = endpoint({
  method: 'POST',
  path: '/monitors/uptime-batch',
  summary: 'Read the uptime of up to 200 monitors by day',
  description: [
    namedMonitors,
    'Each list of seconds has one number for each of `dates`, oldest first; the last day ends now.',
    'The formula is that of `GET /monitors/{monitor}/uptime`.',
  ].join(' '),
  access: { tenant: 'monitors:read', reseller: 'monitors:read' },
  reads: true,
  body: z.object({
    monitor_ids: monitorIds,
    days: z.int().min(1).max(90).default(30),
    timezone: readersZone,
  }),
  returns: ok({
    data: z
      .object({
        timezone: z.string(),
        from: time,
        to: time,
        formula_version: FormulaVersion,
        dates: z.array(z.iso.date()),
        monitors: z.array(
          z.object({
            monitor_id: z.uuid(),
            uptime_pct: z.number().nullable().meta({ description: 'Of all days together.' }),
            up_s: secondsByDay,
            warning_s: secondsByDay,
            downtime_s: secondsByDay,
            maintenance_s: secondsByDay,
            paused_s: secondsByDay,
            no_data_s: secondsByDay,
          }),
        ),
      })
      .meta({ id: 'UptimeByDay' }),
  }),

  async handle(context) {
    const { body, now, em, caller } = context
    const zone = await zoneFor(em, caller, body.timezone)
    const days = lastDays(body.days, zone, now.getTime())
    const { db, owners } = await ownersOfNamed(context, body.monitor_ids)
    const judged = await readJudgedTime(db, [...new Set(owners.values())], [...owners.keys()], days)
    return {
      data: {
        timezone: zone,
        from: stamp(new Date(days[0]!.from)),
        to: stamp(new Date(days.at(-1)!.to)),
        formula_version: await formulaOf(db, days[0]!.from),
        dates: days.map(({ date }) => date),
        monitors: body.monitor_ids.flatMap(id => {
          const known = judged.get(id)
          return known ? [{ monitor_id: id, ...viewDays(known.times) }] : []
        }),
      },
    }
  },
})

function viewDays(times: readonly JudgedTime[]) {
  const seconds = (judgement: Judgement) => times.map(time => wholeSeconds(time[judgement]))
  const total = noTime()
  for (const time of times) for (const name of ['up', 'warning', 'down'] as const) total[name] += time[name]
  return {
    uptime_pct: uptimePct(total),
    up_s: seconds('up'),
    warning_s: seconds('warning'),
    downtime_s: seconds('down'),
    maintenance_s: seconds('maintenance'),
    paused_s: seconds('paused'),
    no_data_s: seconds('no_data'),
  }
}
