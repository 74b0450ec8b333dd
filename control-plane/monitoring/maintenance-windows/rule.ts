import { join } from 'node:path'
import { RunExceeded } from '#bounded/errors.ts'
import { boundedProgram } from '#bounded/program.ts'
import type { BoundedRunner } from '#bounded/runner.ts'
import { ConcurrencyLimit } from '#control-plane/base/concurrency-limit.ts'
import { invalid } from '#control-plane/base/refusal.ts'
import type { RequestContext } from '#control-plane/http/endpoint.ts'
import type { Next, Occurrence, Over, Schedule } from './occurrences.ts'
import { run } from './rule-program.ts'

const program = { file: join(import.meta.dirname, 'rule-program.ts'), queue: 'short' } as const
/** A rule that is accepted is cheap enough to be computed later, when it has many occurrences behind it. */
const validation = boundedProgram<typeof run>({ ...program, name: 'maintenance_rule', cpuMs: 600, wallMs: 20_000 })
const planning = boundedProgram<typeof run>({ ...program, name: 'maintenance_plan', cpuMs: 1_500, wallMs: 30_000 })

/** Rules are computed within the transaction of the save. */
export const ruleLimit = new ConcurrencyLimit({ atOnce: 3, waiting: 200, atOnceOfKey: 1, waitingOfKey: 60 })

type Asking = Pick<RequestContext, 'services' | 'tenant' | 'now'>

/**
 * The occurrence that is next or has begun, those after it, and what is left out before it. Refuses a schedule that has
 * none, with 422.
 */
export async function nextOccurrences(
  { services, tenant, now }: Asking,
  { starts_at, timezone, duration_minutes, rrule, until }: Schedule,
  { over, count }: { over: Over | null; count: number },
): Promise<{ occurrences: Occurrence[]; leftOut: Date[] }> {
  const schedule = { starts_at, timezone, duration_minutes, rrule, until }
  const asked = { schedule, over, now, count, isNew: true }
  const { errors, ...found } =
    // without a rule it is one date
    rrule === null ? run(asked) : await services.bounded.run(validation, asked, tenant.id).catch(tooExpensive)
  if (Object.keys(errors).length > 0) throw invalid(errors)
  if (found.occurrences.length === 0) throw invalid({ starts_at: ['All occurrences are over already.'] })
  return found
}

/** As `nextOccurrences`, the first alone. */
export async function firstOccurrence(asking: Asking, schedule: Schedule, over: Over | null) {
  const { occurrences, leftOut } = await nextOccurrences(asking, schedule, { over, count: 1 })
  return { next: occurrences[0]!, leftOut }
}

function tooExpensive(error: unknown): ReturnType<typeof run> {
  if (!(error instanceof RunExceeded)) throw error
  return { errors: { rrule: ['This is no recurrence rule that can be computed.'] }, occurrences: [], leftOut: [] }
}

/** The occurrence of a stored window that follows what is over, and what is left out before it. */
export async function plannedAfter(
  { bounded, tenantId }: { bounded: Pick<BoundedRunner, 'run'>; tenantId: string },
  { starts_at, timezone, duration_minutes, rrule, until }: Schedule,
  over: Over,
  now: Date,
): Promise<Next> {
  if (rrule === null) return { occurrence: null, leftOut: [] }
  const schedule = { starts_at, timezone, duration_minutes, rrule, until }
  const asked = { schedule, over, now, count: 1, isNew: false }
  const { occurrences, leftOut } = await bounded.run(planning, asked, tenantId, { isPatient: true })
  return { occurrence: occurrences[0] ?? null, leftOut }
}
