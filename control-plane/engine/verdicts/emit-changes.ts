import { randomUUID } from 'node:crypto'
import type { Logger } from 'pino'
import type { Observation } from '#analytics/ingest/observation.ts'
import { kinds } from '#checks/index.ts'
import type { Change, CheckKind } from '#contract/check.ts'
import type { Assigned } from '#control-plane/engine/assignments/assigned.ts'
import { detectChanges } from './change-detection.ts'
import type { World } from './core.ts'
import type { EngineCheck } from './engine-check.ts'
import type { WriteQueue } from './write-queue.ts'

export interface EmitDependencies {
  queue: WriteQueue
  log: Pick<Logger, 'error'>
  requestRun(region: string, check: string, afterMs: number): void
}

/** Compares a result with the snapshot of its target, and queues the new snapshot and confirmed changes. */
export function emitChanges(
  { queue, log, requestRun }: EmitDependencies,
  { check, region, snapshot, at, attempt }: Pick<Observation, 'check' | 'region' | 'snapshot' | 'at' | 'attempt'>,
  assigned: Assigned,
  state: EngineCheck,
  world: World,
): void {
  const kind: CheckKind = kinds[assigned.kind]
  if (snapshot === undefined || !kind.changeDetection || !assigned.rules.regions.includes(region)) return
  const detection = state.detectionFor(assigned, world.now)
  if (at < detection.since) return
  const { isToStore, confirmedChanges, runRequests } = detectChanges(
    detection,
    { region, snapshot, at, isScheduled: attempt === 0 },
    assigned.rules,
    world,
    (before, after) => changesBetween(kind, before, after, assigned, log),
  )
  for (const request of runRequests) requestRun(request.region, check, request.afterMs)
  if (!isToStore) return
  const writes = queue.of(check)
  const confirmed = [...detection.regions]
    .filter(([name]) => assigned.rules.regions.includes(name))
    .map(([name, memory]) => [name, memory.confirmed])
  writes.snapshot = {
    check_id: check,
    target: detection.target,
    regions: Object.fromEntries(confirmed),
    recent: detection.recent,
  }
  for (const { name, payload, isMuted = false } of confirmedChanges?.changes ?? [])
    writes.detected.push({
      id: randomUUID(),
      check_id: check,
      at: world.now,
      event: name,
      regions: confirmedChanges!.regions,
      payload,
      is_muted: isMuted,
    })
  queue.write()
}

function changesBetween(
  { changeDetection, name }: CheckKind,
  before: string,
  after: string,
  { settings }: Assigned,
  log: Pick<Logger, 'error'>,
): Change[] | null {
  const [was, is] = [readSnapshot(changeDetection, before), readSnapshot(changeDetection, after)]
  if (!changeDetection || !was?.success || !is?.success) return null
  try {
    return changeDetection.changesBetween(was.data, is.data, settings)
  } catch (error) {
    log.error({ err: error, kind: name }, 'change detection failure')
    return []
  }
}

/** A stored snapshot may be of another version, or not be JSON. */
function readSnapshot(changeDetection: CheckKind['changeDetection'], text: string) {
  try {
    return changeDetection?.snapshot.safeParse(JSON.parse(text))
  } catch {
    return undefined
  }
}
