import { isProbedKindName, kinds } from '#checks/index.ts'
import type { Looked, Reach } from '#checks/probe.ts'
import { probes } from '#checks/probes.ts'
import { hostOf } from '#checks/target.ts'
import type { Assignment } from '#contract/agent.ts'
import { type CheckKind, type Phases, RunFailure, type Target } from '#contract/check.ts'
import type { Job } from './schedule.ts'

export type LookAt = (target: Target, settings: unknown, reach: Reach) => Promise<Looked<Record<string, unknown>>>

/** An assignment, made ready to be looked at many times. */
export interface CheckJob extends Job {
  kind: string
  target: Target
  settings: unknown
  timeoutMs: number
  lookAt: LookAt
  /** Whether this look is news of trouble. Only decides how soon the result is sent: what it means, the server says. */
  isBad(seen: Record<string, unknown>, phases: Phases, at: number): boolean
  /** How the last looks went, and how many in a row went so. */
  wasBad: boolean | undefined
  streak: number
  hasFailed: boolean
}

const unsupported =
  (message: string): LookAt =>
  async () => {
    throw new RunFailure('unsupported', 'guard', message)
  }

const usualPorts: Record<string, number> = { 'http:': 80, 'https:': 443 }

/** Name and port of what is looked at; the name alone where no port is said, and the whole text where there is no name. */
function placeOf(url: string, settings: Record<string, unknown>): string {
  try {
    const { host, port } = hostOf({ url })
    const own = typeof settings.port === 'number' ? settings.port : port
    return `${host}:${own ?? usualPorts[URL.parse(url)?.protocol ?? ''] ?? ''}`
  } catch {
    return url
  }
}

/** `before`: the same check as it was so far; how it went is still so. */
export function makeJob(assignment: Assignment, knownDue: number | undefined, before?: CheckJob): CheckJob {
  const { check, tenant, kind: name, url, interval_ms, offset_ms, timeout_ms, last_due_ms } = assignment
  const job: CheckJob = {
    check,
    tenant,
    host: placeOf(url, assignment.settings),
    kind: name,
    target: { url },
    settings: undefined,
    timeoutMs: timeout_ms,
    intervalMs: interval_ms,
    offsetMs: offset_ms,
    lastDue: knownDue === undefined ? last_due_ms : Math.max(knownDue, last_due_ms ?? 0),
    lookAt: unsupported(`This agent does not know checks of kind ${name}.`),
    isHeavy: false,
    isBad: () => false,
    wasBad: before?.wasBad,
    streak: before?.streak ?? 0,
    hasFailed: before?.hasFailed ?? false,
  }
  if (!isProbedKindName(name)) return job
  const kind: CheckKind = kinds[name]
  const settings = kind.settings.safeParse(assignment.settings)
  if (!settings.success)
    return { ...job, lookAt: unsupported('This agent does not understand the settings of this check.') }
  return {
    ...job,
    settings: settings.data,
    // The registry pairs each kind with its probe; what is lost here is only which settings belong to which.
    lookAt: probes[name] as LookAt,
    isHeavy: kind.isHeavy === true,
    isBad(seen, phases, at) {
      const parsed = kind.seen.safeParse(seen)
      return !parsed.success || kind.judge(parsed.data, settings.data, { at: new Date(at), phases }).status !== 'up'
    },
  }
}
