import type { Assigned } from '#control-plane/engine/assignments/assigned.ts'
import { DetectionState, digestOf } from './change-detection.ts'
import { CheckState, type Standing } from './core.ts'
import type { Said, Warned } from './warning.ts'

/** How long agents may still run a check as it was. */
const underWayMs = 15_000

/** A check as the engine keeps it: the state of the core, its warnings and its snapshot. */
export class EngineCheck extends CheckState {
  readonly monitor: string
  isResting: boolean
  /** The eligibility of the regions at its last sweep. */
  sweptUnder: ReadonlyMap<string, Standing> | null = null
  /** The regions of its rules when it was last reconsidered. */
  asked: readonly string[]
  /** Some regions find it down, and not all. */
  isDisputed = false
  /** Its current warning, and that of the last result of each region. */
  warned: Warned | null = null
  said: Map<string, Said> | null = null
  /** The snapshot of its target, where its kind detects changes; and the assignment it belongs to. */
  followed: DetectionState | null = null
  followedFor: Assigned | null = null

  constructor(regions: readonly string[], now: number, monitor: string, isResting: boolean) {
    super(regions, now)
    this.monitor = monitor
    this.isResting = isResting
    this.asked = regions
  }

  /** Another address or other settings begin a new snapshot; runs under way may still be of the one before. */
  memoryFor(assigned: Assigned, now: number): DetectionState {
    if (this.followed && this.followedFor === assigned) return this.followed
    const target = digestOf(`${assigned.url} ${JSON.stringify(assigned.settings)}`)
    if (this.followed?.target !== target)
      this.followed = new DetectionState(target, this.followed ? now + underWayMs : 0)
    this.followedFor = assigned
    return this.followed
  }
}
