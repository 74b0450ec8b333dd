import type { Assigned } from '#control-plane/engine/assignments/assigned.ts'
import { DetectionState, digestOf } from './change-detection.ts'
import { CheckState, type Standing } from './core.ts'
import type { Said, Warned } from './warning.ts'

/** How long agents may still look at a check as it was. */
const underWayMs = 15_000

/** A check as the engine holds it: what the core keeps, and what is said beside its verdict. */
export class EngineCheck extends CheckState {
  readonly monitor: string
  isResting: boolean
  /** How the regions stood when it was last swept. */
  sweptUnder: ReadonlyMap<string, Standing> | null = null
  /** The regions it was last held against. */
  asked: readonly string[]
  /** Some regions see it fail, and not all. */
  isDisputed = false
  /** What it warns of at the moment, and what each region says of that. */
  warned: Warned | null = null
  said: Map<string, Said> | null = null
  /** What is remembered of its target, where its kind tells changes; and of what work that was told. */
  followed: DetectionState | null = null
  followedFor: Assigned | null = null

  constructor(regions: readonly string[], now: number, monitor: string, isResting: boolean) {
    super(regions, now)
    this.monitor = monitor
    this.isResting = isResting
    this.asked = regions
  }

  /** Of another address, or with other settings, nothing is known yet; looks under way may still be at the one before. */
  memoryFor(assigned: Assigned, now: number): DetectionState {
    if (this.followed && this.followedFor === assigned) return this.followed
    const target = digestOf(`${assigned.url} ${JSON.stringify(assigned.settings)}`)
    if (this.followed?.target !== target)
      this.followed = new DetectionState(target, this.followed ? now + underWayMs : 0)
    this.followedFor = assigned
    return this.followed
  }
}
