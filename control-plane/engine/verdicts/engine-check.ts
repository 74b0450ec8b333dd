import { isDeepStrictEqual } from 'node:util'
import type { Assigned } from '#control-plane/engine/assignments/assigned.ts'
import { DetectionState, digestOf } from './change-detection.ts'
import { CheckState, type Eligibility } from './core.ts'
import type { Asked } from './region-gaps.ts'
import type { RegionWarning, Warned } from './warning.ts'

/** How long agents may still run a check as it was. */
const underWayMs = 15_000

/** A check as the engine keeps it: the state of the core, its warnings and its snapshot. */
export class EngineCheck extends CheckState {
  readonly monitor: string
  isResting: boolean
  /** The eligibility of the regions at its last sweep. */
  sweptUnder: ReadonlyMap<string, Eligibility> | null = null
  /** The assignment by which it is judged; null: none yet. */
  judgedFor: Assigned | null = null
  /** The regions of its rules when it was last reconsidered. */
  lastRegions: readonly string[]
  /** The regions that it is stored to be asked from, and since when. */
  asked: Asked | null = null
  /** It lost its coverage together with all checks of its regions: its own history has nothing of it. */
  isInRegionGap = false
  /** Some regions find it down, and not all. */
  isDisputed = false
  /** Its current warning, and that of the last result of each region. */
  warned: Warned | null = null
  warnings: Map<string, RegionWarning> | null = null
  /** The snapshot of its target, where its kind detects changes; and the assignment it belongs to. */
  detection: DetectionState | null = null
  detectedFor: Assigned | null = null

  constructor(regions: readonly string[], now: number, monitor: string, isResting: boolean) {
    super(regions, now)
    this.monitor = monitor
    this.isResting = isResting
    this.lastRegions = regions
  }

  /** Another address or other settings begin a new snapshot; runs under way may still be of the one before. */
  detectionFor(assigned: Assigned, now: number): DetectionState {
    if (this.detection && this.detectedFor === assigned) return this.detection
    const target = digestOf(`${assigned.url} ${JSON.stringify(assigned.settings)}`)
    if (this.detection?.target !== target)
      this.detection = new DetectionState(target, this.detection ? now + underWayMs : 0)
    this.detectedFor = assigned
    return this.detection
  }
}

/**
 * Whether a failure under one assignment says nothing of the other: its address, its settings, how many results and
 * regions make it down, or its severity differ. A timeout follows the interval, which the plan may change.
 */
export const isJudgedOtherwise = (a: Assigned, b: Assigned): boolean =>
  a.url !== b.url ||
  (a.settings !== b.settings && !isDeepStrictEqual(a.settings, b.settings)) ||
  a.rules.policy.mode !== b.rules.policy.mode ||
  a.rules.policy.count !== b.rules.policy.count ||
  a.rules.confirmations !== b.rules.confirmations ||
  a.rules.severity !== b.rules.severity ||
  (a.rules.timeoutMs !== b.rules.timeoutMs && a.rules.intervalMs === b.rules.intervalMs)
