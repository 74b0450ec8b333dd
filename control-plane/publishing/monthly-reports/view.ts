import { z } from 'zod'
import { historyWaitsField } from '#control-plane/engine/agents/history-waits.ts'
import { Budget } from '#control-plane/monitoring/objectives/view.ts'
import { ImportedMonth } from '#control-plane/monitoring/statistics/imported-uptime.ts'
import { FormulaVersion } from '#control-plane/monitoring/statistics/uptime-formula.ts'

const time = z.string().meta({ format: 'date-time' })
const pct = z.number().nullable()
const ms = z.number().nullable()
/** A month that can be asked for. The month before the first one has no such name. */
export const monthName = z.string().regex(/^20\d\d-(0[1-9]|1[0-2])$/, 'Must be a month such as 2026-01.')
const month = z.string().meta({ description: 'Such as 2026-01.' })

const figures = { uptime_pct: pct, downtime_s: z.int(), incidents_count: z.int() }
const period = { month, timezone: z.string(), from: time, to: time }

/** A month whose report can be read. */
export const MonthView = z.object({ ...period, status: z.literal('ready') }).meta({ id: 'ReportedMonth' })

export const MonthlyReportView = z
  .object({
    ...period,
    formula_version: FormulaVersion,
    monitors_count: z.int(),
    ...figures,
    before: z.object({ month, ...figures }).meta({ description: 'The month before.' }),
    monitors: z
      .array(
        z.object({
          monitor_id: z.uuid(),
          monitor_name: z.string(),
          monitor_url: z.string(),
          is_removed: z.boolean().meta({ description: 'It was deleted since; name and address are as they were.' }),
          ...figures,
          maintenance_s: z.int(),
          no_data_s: z.int(),
          longest_s: z.int().meta({ description: 'Of its incidents, as far as they lie in the month.' }),
          mtta_s: z.int().nullable().meta({ description: 'Until an incident was acknowledged, on average.' }),
          mttr_s: z
            .int()
            .nullable()
            .meta({ description: 'How long incidents lasted, on average; those that are over.' }),
          before: z.object(figures),
          avg_response_ms: ms.meta({ description: 'Of its uptime check, of results that are up or warning.' }),
          p50_response_ms: ms,
          p95_response_ms: ms,
          p99_response_ms: ms,
          slo: Budget.nullable().meta({
            description: 'Its objective at the end of the month, in the window that ends then.',
          }),
        }),
      )
      .meta({ description: 'The lowest uptime first.' }),
    incidents: z
      .array(
        z.object({
          title: z.string(),
          monitor_name: z.string(),
          started_at: time,
          resolved_at: time.nullable(),
          duration_s: z.int(),
        }),
      )
      .meta({ description: 'The ten that lasted longest in the month.' }),
    imported: ImportedMonth.nullable().meta({
      description:
        'What was imported of the past of monitors, of the days without results of our own. No figure above has it.',
    }),
    history_waits_since: historyWaitsField,
    sent: z
      .object({
        at: time,
        now: z.object({ formula_version: z.int(), uptime_pct: pct, downtime_s: z.int() }).nullable().meta({
          description: 'What the month would be now: results came late, or the formula is another. null: the same.',
        }),
      })
      .nullable()
      .meta({
        description:
          'When the month was first mailed to a reader in its time zone: all of this is as it was then. null: it was ' +
          'not, and is computed now.',
      }),
  })
  .meta({ id: 'MonthlyReport' })
