import { randomUUID } from 'node:crypto'
import type { Logger } from 'pino'
import type { Observation } from '#analytics/ingest/observation.ts'
import { kinds } from '#checks/index.ts'
import type { Change, CheckKind } from '#contract/check.ts'
import type { Assigned } from '#control-plane/engine/assignments/assigned.ts'
import { follow } from './change-detection.ts'
import type { World } from './core.ts'
import type { EngineCheck } from './engine-check.ts'
import type { WriteQueue } from './write-queue.ts'

export interface EmitDependencies {
  writing: WriteQueue
  log: Pick<Logger, 'error'>
  askLook(region: string, check: string, afterMs: number): void
}

/** Compares a result with the snapshot of its target, and queues the new snapshot and confirmed changes. */
export function emitChanges(
  { writing, log, askLook }: EmitDependencies,
  { check, region, facts, at, attempt }: Pick<Observation, 'check' | 'region' | 'facts' | 'at' | 'attempt'>,
  assigned: Assigned,
  state: EngineCheck,
  world: World,
): void {
  const kind: CheckKind = kinds[assigned.kind]
  if (facts === undefined || !kind.changeDetection || !assigned.rules.regions.includes(region)) return
  const followed = state.memoryFor(assigned, world.now)
  if (at < followed.since) return
  const { isToStore, news, looks } = follow(
    followed,
    { region, facts, at, isDue: attempt === 0 },
    assigned.rules,
    world,
    (before, after) => changesBetween(kind, before, after, assigned, log),
  )
  for (const look of looks) askLook(look.region, check, look.afterMs)
  if (!isToStore) return
  const writes = writing.of(check)
  const confirmed = [...followed.regions]
    .filter(([name]) => assigned.rules.regions.includes(name))
    .map(([name, memory]) => [name, memory.confirmed])
  writes.snapshot = {
    check_id: check,
    target: followed.target,
    regions: Object.fromEntries(confirmed),
    recent: followed.told,
  }
  for (const { name, payload, isMuted = false } of news?.changes ?? [])
    writes.detected.push({
      id: randomUUID(),
      check_id: check,
      at: world.now,
      event: name,
      regions: news!.regions,
      payload,
      is_muted: isMuted,
    })
  writing.write()
}

function changesBetween(
  { changeDetection, name }: CheckKind,
  before: string,
  after: string,
  { settings }: Assigned,
  log: Pick<Logger, 'error'>,
): Change[] | null {
  const [was, is] = [readFacts(changeDetection, before), readFacts(changeDetection, after)]
  if (!changeDetection || !was?.success || !is?.success) return null
  try {
    return changeDetection.changesBetween(was.data, is.data, settings)
  } catch (error) {
    log.error({ err: error, kind: name }, 'change detection failure')
    return []
  }
}

/** Stored facts may be of another version, or be no JSON at all. */
function readFacts(follows: CheckKind['changeDetection'], text: string) {
  try {
    return follows?.snapshot.safeParse(JSON.parse(text))
  } catch {
    return undefined
  }
}
