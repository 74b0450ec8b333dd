import type { Judgement, Phases } from '#contract/check.ts'

/** One judged result of one region, as the verdict engine receives it. Times are milliseconds of the server's clock. */
export interface Observation {
  check: string
  monitor: string
  tenant: string
  region: string
  due: number
  attempt: number
  /** When the run started. */
  at: number
  /** When the result was received. */
  receivedAt: number
  judgement: Judgement
  /** The agent failed its self-check: the result is stored and is no vote. */
  isUnreliable: boolean
  evidence: Evidence
  /** The snapshot of a kind that detects changes, as JSON; undefined when the result is incomplete. */
  snapshot?: string | undefined
}

/** The details of the deciding result that an incident shows, already bounded. */
export interface Evidence {
  phases: Phases
  /** Code and reason of the judgement, or of the fault; null for a successful result. */
  error: { code: string; message: string } | null
  http_status: number | null
  excerpt: string | null
  /** The address the probe connected to. */
  address: string | null
}

/**
 * Receives every batch before it is stored, in the order of arrival. Resolves once the resulting changes are committed;
 * a rejection refuses the batch, and the agent sends it again.
 */
export type Decide = (observations: readonly Observation[]) => Promise<void>

/** The newest stored, hence decided, result of a check in a region: a result that is not newer is a replay. */
export interface RunWatermark {
  check: string
  region: string
  due: number
  attempt: number
}

/** The data of a check that ingest needs to accept and judge its results. */
export interface AssignedCheck {
  check: string
  monitor: string
  tenant: string
  kind: string
  /** As stored, parsed by the kind's settings schema. */
  settings: unknown
  /** Days for which the plan of its tenant keeps data. */
  keepDays: number
}

/** The check, if it is assigned to this region, or was at `at` within the last day. */
export type FindAssigned = (region: string, check: string, at: number) => AssignedCheck | undefined
