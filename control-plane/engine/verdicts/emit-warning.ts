import type { Observation } from '#analytics/ingest/observation.ts'
import type { CheckRules, World } from './core.ts'
import type { EngineCheck } from './engine-check.ts'
import { type RegionWarning, warningOf, weighWarning } from './warning.ts'
import type { WriteQueue } from './write-queue.ts'

const noWarnings: ReadonlyMap<string, RegionWarning> = new Map()

/** Takes the warning of a result, and queues warnings that begin or end. */
export function emitWarning(
  queue: WriteQueue,
  { check, region, judgement }: Pick<Observation, 'check' | 'region' | 'judgement'>,
  rules: CheckRules,
  state: EngineCheck,
  world: World,
): void {
  if (judgement.status === 'unknown') return
  const warning = warningOf(judgement, rules)
  if (warning) {
    state.warnings ??= new Map()
    state.warnings.set(region, warning)
  } else state.warnings?.delete(region)
  if (!state.warned && !state.warnings?.size) return

  for (;;) {
    const move = weighWarning(state, rules, state.warnings ?? noWarnings, state.warned, world)
    if (!move) return
    const writes = queue.of(check)
    if (move.cleared) {
      writes.cleared = { check_id: check, event: move.cleared.event }
      state.warned = null
    } else {
      writes.warning = { check_id: check, ...move.begun }
      state.warned = { event: move.begun.event, depth: move.begun.depth }
    }
    queue.write()
  }
}
