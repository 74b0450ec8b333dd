import type { Observation } from '#analytics/ingest/observation.ts'
import type { CheckRules, World } from './core.ts'
import type { EngineCheck } from './engine-check.ts'
import { type Said, saidBy, weighWarning } from './warning.ts'
import type { WriteQueue } from './write-queue.ts'

const nobody: ReadonlyMap<string, Said> = new Map()

/** Takes the warning of a result, and queues warnings that begin or end. */
export function emitWarning(
  writing: WriteQueue,
  { check, region, judgement }: Pick<Observation, 'check' | 'region' | 'judgement'>,
  rules: CheckRules,
  state: EngineCheck,
  world: World,
): void {
  if (judgement.status === 'unknown') return
  const said = saidBy(judgement, rules)
  if (said) {
    state.said ??= new Map()
    state.said.set(region, said)
  } else state.said?.delete(region)
  if (!state.warned && !state.said?.size) return

  for (;;) {
    const move = weighWarning(state, rules, state.said ?? nobody, state.warned, world)
    if (!move) return
    const writes = writing.of(check)
    if (move.cleared) {
      writes.cleared = { check_id: check, event: move.cleared.event }
      state.warned = null
    } else {
      writes.warning = { check_id: check, ...move.begun }
      state.warned = { event: move.begun.event, depth: move.begun.depth }
    }
    writing.write()
  }
}
