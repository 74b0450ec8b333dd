import { z } from 'zod'
import { passiveKind } from '#contract/check.ts'
import { maxExpressionChars, refuseExpression, type Schedule, zoneNamed } from './schedule.ts'

const minute = 60_000

const settings = z
  .object({
    schedule_kind: z
      .enum(['simple', 'cron'])
      .meta({ id: 'ScheduleKind' })
      .default('simple')
      .meta({ description: '`simple`: every so many minutes; `cron`: by an expression.' }),
    schedule: z
      .string()
      .trim()
      .min(1)
      .max(maxExpressionChars)
      .nullable()
      .default(null)
      .meta({
        description:
          'A cron expression with five fields as of crontab(5), or @hourly, @daily, @weekly, @monthly, @yearly. ' +
          'Also `L`, `LW`, `15W` as days of the month, `5L` and `MON#2` as days of the week.',
        example: '30 2 * * *',
      }),
    timezone: z
      .string()
      .max(64)
      .default('UTC')
      .meta({ description: 'The zone the expression is read in, as the IANA names it.', example: 'Europe/Berlin' }),
    period_minutes: z
      .int()
      .min(1)
      .max(525_600)
      .nullable()
      .default(60)
      .meta({ description: 'Minutes from one ping to the next, for `simple`.' }),
    grace_minutes: z
      .int()
      .min(1)
      .max(1_440)
      .default(5)
      .meta({ description: 'Minutes a ping may be late before an incident opens.' }),
    max_run_minutes: z
      .int()
      .min(1)
      .max(10_080)
      .nullable()
      .default(null)
      .meta({ description: 'Minutes a run may take from `start` to `complete`. `null`: any time.' }),
    fail_keyword: z
      .string()
      .min(1)
      .max(100)
      .nullable()
      .default(null)
      .meta({ description: 'Output that holds this text counts as a failure.' }),
  })
  .superRefine(({ schedule_kind, schedule, timezone, period_minutes }, context) => {
    const refuse = (field: string, message: string) => context.addIssue({ code: 'custom', path: [field], message })
    const isZone = zoneNamed(timezone) !== null
    if (!isZone) refuse('timezone', 'There is no time zone of this name.')
    if (schedule_kind === 'simple')
      return period_minutes === null
        ? refuse('period_minutes', 'Say how many minutes lie between two pings.')
        : undefined
    if (schedule === null) return refuse('schedule', 'Give a cron expression.')
    const why = refuseExpression(schedule, isZone ? timezone : 'UTC', new Date())
    if (why) refuse('schedule', why)
  })
export type CronSettings = z.output<typeof settings>

export const reports = ['ok', 'fail', 'missed', 'overrun'] as const

export const cron = passiveKind({
  name: 'cron',
  summary: 'A job reports that it ran, on time',
  uptimeRank: 6,
  every: { default: 60, min: 1 },
  severity: 'critical',
  settings,
  backtestable: ['grace_minutes', 'max_run_minutes'],
  seen: z.object({
    report: z.enum(reports),
    exit_code: z.int().nullable(),
    /** When the missed ping was due. */
    due: z.string().nullable(),
  }),

  judge(seen, settings) {
    switch (seen.report) {
      case 'ok':
        return { status: 'up' }
      case 'fail':
        return {
          status: 'down',
          code: 'failed',
          reason: `The job reported a failure${seen.exit_code === null ? '' : ` (exit code ${seen.exit_code})`}.`,
        }
      case 'missed':
        return { status: 'down', code: 'missed', reason: `No ping came: one was due at ${seen.due ?? 'its time'}.` }
      case 'overrun':
        return {
          status: 'down',
          code: 'overrun',
          reason: `A run has taken longer than ${settings.max_run_minutes} minutes.`,
        }
    }
  },
})

export const scheduleOf = ({ schedule_kind, schedule, timezone, period_minutes }: CronSettings): Schedule =>
  schedule_kind === 'cron'
    ? { kind: 'cron', expression: schedule ?? '', timezone }
    : { kind: 'simple', periodMs: (period_minutes ?? 60) * minute }
