import { z } from 'zod'
import { stamp } from '#contract/time.ts'
import { notFound } from '#control-plane/base/refusal.ts'
import { endpoint } from '#control-plane/http/endpoint.ts'
import { ok } from '#control-plane/http/reply.ts'
import { findMonitor } from '#control-plane/monitoring/monitors/find.ts'
import { dayMs, noTime } from '#control-plane/monitoring/statistics/judged-time.ts'
import { readJudgedTime } from '#control-plane/monitoring/statistics/read-judged.ts'
import { FormulaVersion, formulaOf } from '#control-plane/monitoring/statistics/uptime-formula.ts'
import { budgetOf, burnRate, exhaustionAt } from './budget.ts'
import { budgetFields } from './view.ts'

const time = z.string().meta({ format: 'date-time' })
const hourMs = 3_600_000

const SloView = z
  .object({
    monitor_id: z.uuid(),
    ...budgetFields,
    from: time,
    to: time,
    formula_version: FormulaVersion,
    burn_rate_1h: z.number().nullable().meta({
      description:
        'How fast the budget was used within the last hour: at 1 it lasts exactly one window. `null` without results.',
    }),
    burn_rate_24h: z.number().nullable().meta({ description: 'The same of the last 24 hours.' }),
    exhausted_at: time.nullable().meta({
      description:
        'When the budget is used up if failures go on as in the last 24 hours. `null`: not within the length of the ' +
        'window, or it is used up already.',
    }),
  })
  .meta({ id: 'SloState' })

export const monitorSlo = endpoint({
  method: 'GET',
  path: '/monitors/{monitor}/slo',
  summary: 'Get the error budget of a monitor’s service level objective',
  description:
    'The window ends now. The budget is the share of the whole window that may be down; maintenance, pauses and time ' +
    'without data use none of it. 404 for a monitor without an objective.',
  access: { tenant: 'monitors:read', reseller: 'monitors:read' },
  returns: ok({ data: SloView }),

  async handle({ em, tenant, params, now }) {
    const { id, slo } = await findMonitor(em, tenant, params.monitor)
    if (slo === null) throw notFound('Service level objective')
    const to = now.getTime()
    const windows = [slo.window_days * dayMs, hourMs, dayMs].map(length => ({ from: to - length, to }))
    const judged = await readJudgedTime(em, [tenant.id], [id], windows)
    const [whole = noTime(), lastHour = noTime(), lastDay = noTime()] = judged.get(id)?.times ?? []
    return {
      data: {
        monitor_id: id,
        ...slo,
        ...budgetOf(slo, whole),
        from: stamp(new Date(to - slo.window_days * dayMs)),
        to: stamp(now),
        formula_version: await formulaOf(em, windows[0]!.from),
        burn_rate_1h: burnRate(slo, lastHour),
        burn_rate_24h: burnRate(slo, lastDay),
        exhausted_at: stamp(exhaustionAt(slo, whole, lastDay, now)),
      },
    }
  },
})
