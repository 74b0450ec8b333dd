import { join } from 'node:path'
import { RunExceeded } from '#bounded/errors.ts'
import { boundedProgram } from '#bounded/program.ts'
import type { BoundedRunner } from '#bounded/runner.ts'
import { ConcurrencyLimit } from '#control-plane/base/concurrency-limit.ts'
import { invalid } from '#control-plane/base/refusal.ts'
import type { RequestContext } from '#control-plane/http/endpoint.ts'
import type { Occurrence, Schedule } from './occurrences.ts'
import { run } from './rule-program.ts'

const program = { file: join(import.meta.dirname, 'rule-program.ts'), queue: 'short' } as const
/** A rule that is accepted is cheap enough to be computed later, when it has many occurrences behind it. */
const vetting = boundedProgram<typeof run>({ ...program, name: 'maintenance_rule', cpuMs: 600, wallMs: 20_000 })
const planning = boundedProgram<typeof run>({ ...program, name: 'maintenance_plan', cpuMs: 1_500, wallMs: 30_000 })

/** Rules are computed within the transaction of the save. */
export const ruleLimit = new ConcurrencyLimit({ atOnce: 3, waiting: 200, atOnceOfKey: 1, waitingOfKey: 60 })

type Asking = Pick<RequestContext, 'services' | 'tenant' | 'now'>

/** The occurrence that is next or has begun, and those after it. Refuses a schedule that has none, with 422. */
export async function nextOccurrences(
  { services, tenant, now }: Asking,
  { starts_at, timezone, duration_minutes, rrule, until }: Schedule,
  count: number,
): Promise<Occurrence[]> {
  const asked = {
    what: 'vet',
    schedule: { starts_at, timezone, duration_minutes, rrule, until },
    at: now,
    count,
  } as const
  const { errors, occurrences } =
    // without a rule it is one date
    rrule === null ? run(asked) : await services.bounded.run(vetting, asked, tenant.id).catch(tooExpensive)
  if (Object.keys(errors).length > 0) throw invalid(errors)
  if (occurrences.length === 0) throw invalid({ starts_at: ['All occurrences are over already.'] })
  return occurrences
}

/** As `nextOccurrences`, the first alone. */
export const firstOccurrence = async (asking: Asking, schedule: Schedule): Promise<Occurrence> =>
  (await nextOccurrences(asking, schedule, 1))[0]!

function tooExpensive(error: unknown): ReturnType<typeof run> {
  if (!(error instanceof RunExceeded)) throw error
  return { errors: { rrule: ['This is no recurrence rule that can be computed.'] }, occurrences: [] }
}

/** The occurrence that follows one that was planned for `startedAt` and ended at `endedAt`, of a stored window. */
export async function plannedAfter(
  { bounded, tenantId }: { bounded: Pick<BoundedRunner, 'run'>; tenantId: string },
  { starts_at, timezone, duration_minutes, rrule, until }: Schedule,
  startedAt: Date,
  endedAt: Date,
): Promise<Occurrence | null> {
  if (rrule === null) return null
  const schedule = { starts_at, timezone, duration_minutes, rrule, until }
  const asked = { what: 'after', schedule, startedAt, endedAt } as const
  const { occurrences } = await bounded.run(planning, asked, tenantId, { isPatient: true })
  return occurrences[0] ?? null
}
