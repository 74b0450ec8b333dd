import type { Judgement, Phases } from '#contract/check.ts'

/** One look by one region, judged: what the verdict engine hears of it. Times are milliseconds of the server's clock. */
export interface Observation {
  check: string
  monitor: string
  tenant: string
  region: string
  due: number
  attempt: number
  /** When the agent looked. */
  at: number
  /** When the result reached us. */
  receivedAt: number
  judgement: Judgement
  /** The agent could not vouch for itself: stored, but no vote. */
  suspect: boolean
  evidence: Evidence
  /** What a kind that tells changes remembers of the look, as JSON; undefined when it shows nothing for sure. */
  facts?: string | undefined
}

/** What an incident shows of the look that counted, already bounded. */
export interface Evidence {
  phases: Phases
  /** The judgement's code and reason, or the fault's; null when the look was good. */
  error: { code: string; message: string } | null
  http_status: number | null
  excerpt: string | null
  /** The address connected to. */
  address: string | null
}

/**
 * Told of every batch before it is stored, in the order it arrived. Resolves once whatever these observations changed is
 * committed; a rejection refuses the batch, and the agent sends it again.
 */
export type Decide = (observations: readonly Observation[]) => Promise<void>

/** The newest look already stored, and therefore decided, for a check in a region: anything not newer is a replay. */
export interface RunWatermark {
  check: string
  region: string
  due: number
  attempt: number
}

/** What ingest must know of a check to accept and judge its results. */
export interface AssignedCheck {
  check: string
  monitor: string
  tenant: string
  kind: string
  /** As stored, parsed by the kind's settings schema. */
  settings: unknown
}

/** The check, if this region is asked to look at it, or was when it looked (`at`, within the last day). */
export type FindAssigned = (region: string, check: string, at: number) => AssignedCheck | undefined
