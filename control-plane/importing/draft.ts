import { kinds } from '#checks/index.ts'
import type { Limits } from '#contract/plans.ts'
import type { FieldErrors } from '#control-plane/base/refusal.ts'
import { missingFeature } from '#control-plane/engine/assignments/feature.ts'
import { fieldErrors } from '#control-plane/http/field-errors.ts'
import { draftCheck, NewCheck } from '#control-plane/monitoring/checks/input.ts'
import { addressOf, passiveMonitor, type WantedMonitor } from '#control-plane/monitoring/monitors/draft.ts'
import { NewMonitor } from '#control-plane/monitoring/monitors/input.ts'
import { checkIn, NewCronMonitor, refuseSchedule } from '#control-plane/passive/heartbeats/input.ts'
import type { Guard } from '#egress/guard.ts'
import { ImportedPage } from '#importers/page.ts'
import type { Wanted, WantedMonitor as WantedOfSource } from '#importers/source.ts'

/** A monitor that can be created, or why it cannot: in words, and the feature of the plan that is missing. */
export type Draft = { monitor: WantedMonitor; standIns: string[] } | { why: string; exceeds: string | null }

interface Within {
  limits: Limits
  guard: Guard
}

/** Reads what a source wants as a client's request would be read, and fits it to the plan. */
export function draft(wanted: WantedOfSource, within: Within): Draft {
  return wanted.of === 'cron' ? draftJob(wanted.body, within) : draftMonitor(wanted.body, within)
}

/** The status page that a source wants, or why it cannot be created. */
export function draftPage(wanted: Extract<Wanted, { of: 'status_page' }>): { page: ImportedPage } | { why: string } {
  const parsed = ImportedPage.safeParse(wanted.body)
  if (parsed.success) return { page: parsed.data }
  const errors = Object.entries(fieldErrors(parsed.error)).slice(0, 3)
  return { why: errors.map(([field, reasons]) => `${field}: ${reasons.join(' ')}`).join(' ') }
}

function draftJob(body: unknown, { limits }: Within): Draft {
  if (!limits.cron_heartbeats) return { why: 'The plan does not include cron heartbeats.', exceeds: 'cron_heartbeats' }
  const parsed = NewCronMonitor.safeParse(body)
  if (!parsed.success) return refused(fieldErrors(parsed.error))
  const sent = checkIn(parsed.data)
  const errors = refuseSchedule(sent.settings)
  if (Object.keys(errors).length > 0) return refused(errors)
  const check = NewCheck.safeParse(sent)
  if (!check.success) return refused(fieldErrors(check.error))
  const read = kinds.cron.settings.safeParse(sent.settings)
  if (!read.success) return refused(fieldErrors(read.error))
  return { monitor: passiveMonitor('cron', parsed.data, parsed.data.url, [check.data]), standIns: [] }
}

function draftMonitor(body: unknown, { limits, guard }: Within): Draft {
  const parsed = NewMonitor.safeParse(body)
  if (!parsed.success) return refused(fieldErrors(parsed.error))
  const standIns: string[] = []
  const least = limits.min_check_interval
  const { check_interval: asked, checks = [] } = parsed.data
  if (asked !== undefined && asked < least)
    standIns.push(`It is checked every ${least} seconds in place of ${asked}: the least that the plan allows.`)
  const allowed = checks.filter(({ type }) => missingFeature(type, limits) === null)
  if (allowed.length < checks.length) standIns.push('Checks that the plan does not include are left out.')
  const monitor = {
    ...parsed.data,
    ...(asked !== undefined && { check_interval: Math.max(asked, least) }),
    checks: allowed,
  }
  const address = addressOf(monitor, guard)
  if ('error' in address) return refused({ url: [address.error] })
  const errors = allowed.map(
    (check, index) => draftCheck(check, { ...monitor, url: address.url }, { limits, guard }, `checks.${index}.`).errors,
  )
  const found: FieldErrors = Object.assign({}, ...errors)
  return Object.keys(found).length > 0 ? refused(found) : { monitor, standIns }
}

const refused = (errors: FieldErrors): Draft => ({
  why: Object.entries(errors)
    .slice(0, 3)
    .map(([field, reasons]) => `${field}: ${reasons.join(' ')}`)
    .join(' '),
  exceeds: null,
})
