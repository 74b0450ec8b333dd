import type { Logger } from 'pino'
import { type MissedReason, missedReasons } from '#contract/agent.ts'

/** Why results of a region are missing: as its agent reports for the runs it missed, else `unreported`. */
export type MissingCause = MissedReason | 'unreported'

type Missed = Readonly<Record<MissedReason, number>>

/** A region is complete again when nothing has been missing for so long: repeated gaps are reported once. */
const wholeAfterMs = 60_000
/**
 * A missing result is noticed some time after its run: runs that the agent missed within this time may be the cause.
 */
const causeWithinMs = 120_000

interface Options {
  log: Pick<Logger, 'warn' | 'error' | 'info'>
  nowMs(): number
  /** By region: runs that its agent has missed since it began. */
  missed(): ReadonlyMap<string, Missed>
}

interface Missing {
  reported: Set<MissingCause>
  lastAt: number
}

/**
 * Logs when results of a region are missing although its agent reports: once for each region and cause, not for each
 * check. Runs missed because a monitored host hangs are logged without an alarm.
 */
export class MissingResults {
  readonly #options: Options
  readonly #missing = new Map<string, Missing>()
  #before: ReadonlyMap<string, Missed> = new Map()
  /** When the agent of a region missed runs last, by the reason. */
  readonly #missedAt = new Map<string, Partial<Record<MissedReason, number>>>()

  constructor(options: Options) {
    this.#options = options
  }

  /** `silent`: by region, the number of checks without a current result. Called every few seconds. */
  note(silent: ReadonlyMap<string, number>): void {
    const now = this.#options.nowMs()
    this.#compare(now)
    for (const [region, checks] of silent) {
      const known = this.#missing.get(region) ?? { reported: new Set(), lastAt: now }
      this.#missing.set(region, known)
      known.lastAt = now
      for (const cause of this.#causesOf(region, known, now)) this.#report(region, cause, checks, known)
    }
    for (const [region, { lastAt }] of this.#missing) {
      if (now - lastAt < wholeAfterMs) continue
      this.#missing.delete(region)
      this.#options.log.info({ region }, 'region results complete')
    }
  }

  #report(region: string, cause: MissingCause, checks: number, { reported }: Missing): void {
    if (reported.has(cause)) return
    reported.add(cause)
    if (cause === 'host_limit') this.#options.log.warn({ region, cause, checks }, 'region results missing')
    else this.#options.log.error({ region, cause, checks, alarm: 'agent' }, 'region results missing')
  }

  #compare(now: number): void {
    const missed = new Map([...this.#options.missed()].map(([region, counts]) => [region, { ...counts }]))
    for (const [region, counts] of missed) {
      const before = this.#before.get(region)
      const at = this.#missedAt.get(region) ?? {}
      this.#missedAt.set(region, at)
      for (const reason of missedReasons) if (before && counts[reason] !== before[reason]) at[reason] = now
    }
    this.#before = missed
  }

  #causesOf(region: string, { reported }: Missing, now: number): MissingCause[] {
    const at = this.#missedAt.get(region) ?? {}
    const causes = missedReasons.filter(reason => now - (at[reason] ?? -Infinity) <= causeWithinMs)
    return causes.length > 0 || reported.size > 0 ? causes : ['unreported']
  }
}
