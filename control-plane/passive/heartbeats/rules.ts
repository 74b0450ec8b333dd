import { type CronSettings, cron, scheduleOf } from '#checks/cron/kind.ts'
import type { Schedule } from '#checks/cron/schedule.ts'

/** The rules of a heartbeat. `key` identifies the rules that it was armed by. */
export interface BeatRules {
  key: string
  settings: CronSettings
  schedule: Schedule
  graceMs: number
  maxRunMs: number | null
}

const minute = 60_000
const kept = new Map<string, BeatRules>()
const keptAtMost = 20_000

/** Rules of stored settings. Most heartbeats have the same settings as others, so each text is parsed once. */
export function rulesOf(text: string): BeatRules {
  const known = kept.get(text)
  if (known) return known
  const settings = cron.settings.parse(JSON.parse(text))
  const { grace_minutes, max_run_minutes } = settings
  const schedule = scheduleOf(settings)
  const when = schedule.kind === 'cron' ? `${schedule.timezone} ${schedule.expression}` : schedule.periodMs
  const key = `${when} ${grace_minutes} ${max_run_minutes}`
  const rules = {
    key,
    settings,
    schedule,
    graceMs: grace_minutes * minute,
    maxRunMs: max_run_minutes === null ? null : max_run_minutes * minute,
  }
  if (kept.size >= keptAtMost) kept.clear()
  kept.set(text, rules)
  return rules
}
