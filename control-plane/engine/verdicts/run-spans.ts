import type { Observation } from '#analytics/ingest/observation.ts'
import type { Clock } from '#control-plane/base/clock.ts'
import { errorType, noTracing, type Span, type Tracing } from '#control-plane/base/tracing.ts'
import type { Assigned } from '#control-plane/engine/assignments/assigned.ts'

interface Options {
  tracing: Tracing
  clock: Pick<Clock, 'nowMs'>
  find(check: string): Pick<Assigned, 'kind'> | undefined
  decide(observations: readonly Observation[], spans?: ReadonlyMap<Observation, Span>): Promise<void>
}

/**
 * Records sampled check runs, from the start of the run in its region to the storage of its result. Agents export
 * nothing: their part is made of the times in the result.
 */
export class RunSpans {
  readonly #options: Options
  /** Of results that are decided and not yet stored. */
  readonly #ingests = new WeakMap<Observation, Span>()

  constructor(options: Options) {
    this.#options = options
  }

  async decide(observations: readonly Observation[]): Promise<void> {
    const { tracing, decide, clock } = this.#options
    if (tracing === noTracing) return decide(observations)
    const verdicts = new Map<Observation, Span>()
    for (const observation of observations) {
      const run = tracing.begin({ name: 'check run', kind: 'internal', startedMs: startOf(observation) })
      if (run) verdicts.set(observation, this.#begin(run, observation))
    }
    try {
      await decide(observations, verdicts)
    } catch (error) {
      for (const span of verdicts.values()) span.fail(errorType(error))
      throw error
    } finally {
      for (const span of verdicts.values()) span.end(clock.nowMs())
    }
  }

  /** The results are stored, or have to be sent again to be stored. */
  stored(observations: readonly Observation[], isStored: boolean): void {
    const { tracing, clock } = this.#options
    if (tracing === noTracing) return
    for (const observation of observations) {
      const span = this.#ingests.get(observation)
      if (!isStored) span?.fail('not_stored')
      span?.end(clock.nowMs())
    }
  }

  /** Records the run, which has ended, and begins its ingestion; returns the span of the decision. */
  #begin(run: Span, observation: Observation): Span {
    const { find, clock } = this.#options
    const { check, tenant, region, receivedAt, judgement, evidence } = observation
    const kind = find(check)?.kind
    run.set({
      'vedette.check.id': check,
      'vedette.region': region,
      'vedette.team.id': tenant,
      'vedette.check.outcome': judgement.status,
      ...(kind && { 'vedette.check.kind': kind }),
    })
    run.end(Math.min(startOf(observation) + (evidence.phases.total ?? 0), receivedAt))
    const ingest = run.child('ingest', { 'vedette.region': region }, { kind: 'consumer', startedMs: receivedAt })
    this.#ingests.set(observation, ingest)
    return ingest.child('verdict', { 'vedette.check.id': check }, { startedMs: clock.nowMs() })
  }
}

/** The clock of an agent may be a little ahead. */
const startOf = ({ at, receivedAt }: Observation) => Math.min(at, receivedAt)
