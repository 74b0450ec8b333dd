import type { Observation } from '#analytics/ingest/observation.ts'
import type { CheckRules, World } from './core.ts'
import type { EngineCheck } from './engine-check.ts'
import { type Said, saidBy, weighWarning } from './warning.ts'
import type { WriteQueue } from './write-queue.ts'

const nobody: ReadonlyMap<string, Said> = new Map()

/** Takes in what a look warns of, and has written what begins and what is over. */
export function emitWarning(
  writing: WriteQueue,
  { check, region, judgement }: Pick<Observation, 'check' | 'region' | 'judgement'>,
  rules: CheckRules,
  held: EngineCheck,
  world: World,
): void {
  if (judgement.status === 'unknown') return
  const said = saidBy(judgement, rules)
  if (said) {
    held.said ??= new Map()
    held.said.set(region, said)
  } else held.said?.delete(region)
  if (!held.warned && !held.said?.size) return

  for (;;) {
    const move = weighWarning(held, rules, held.said ?? nobody, held.warned, world)
    if (!move) return
    const bundle = writing.of(check)
    if (move.cleared) {
      bundle.cleared = { check_id: check, event: move.cleared.event }
      held.warned = null
    } else {
      bundle.warning = { check_id: check, ...move.begun }
      held.warned = { event: move.begun.event, depth: move.begun.depth }
    }
    writing.write()
  }
}
