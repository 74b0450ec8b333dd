import { z } from 'zod'
import type { WarningName } from './events.ts'
import type { Limits } from './plans.ts'

/** Outcome of one result, vote of one region, or verdict of the quorum. */
export const outcomes = ['up', 'warning', 'down'] as const
export type Outcome = (typeof outcomes)[number]

export const severities = ['critical', 'major', 'minor'] as const
export type Severity = (typeof severities)[number]

/** The severities of checks that take their monitor down; a failure of any other is a warning. */
export const downSeverities: readonly string[] = ['critical', 'major']
export const takesDown = (severity: string | null): boolean => severity !== null && downSeverities.includes(severity)

const ms = z.number().nonnegative().nullable()

/** Duration of each phase of a run, in milliseconds of the monotonic clock. `null`: the phase did not happen. */
export const Phases = z.object({ dns: ms, connect: ms, tls: ms, first_byte: ms, total: ms }).meta({ id: 'Phases' })
export type Phases = z.infer<typeof Phases>

export const noPhases: Phases = { dns: null, connect: null, tls: null, first_byte: null, total: null }

/**
 * Why a run failed. `targetFaults` are caused by the target and count as down. `unexpected`, an unforeseen error, is
 * one of them: what is no vote causes no notification. `blocked` is a refusal of the egress guard and counts as a
 * warning. `ownFaults` are those that the agent proves to be its own, and are no votes.
 */
export const targetFaults = [
  'dns_not_found',
  'dns_failed',
  'dns_timeout',
  'refused',
  'reset',
  'unreachable',
  'timeout',
  'tls_failed',
  'protocol',
  'too_large',
  'too_many_redirects',
  'unexpected',
] as const
export const ownFaults = ['resolver_unavailable', 'unsupported', 'overloaded', 'internal'] as const
export const isOwnFault = (code: string): boolean => (ownFaults as readonly string[]).includes(code)
export const faultCodes = [...targetFaults, 'blocked', ...ownFaults] as const
export type FaultCode = (typeof faultCodes)[number]

export const runPhases = ['guard', 'dns', 'connect', 'tls', 'request', 'first_byte', 'body'] as const
export type RunPhase = (typeof runPhases)[number]

export const Fault = z
  .object({
    code: z.enum(faultCodes),
    phase: z.enum(runPhases),
    message: z.string().max(500),
  })
  .meta({ id: 'RunFault' })
export type Fault = z.infer<typeof Fault>

/** Thrown by a probe or the egress guard when a run fails. Carries the phases and the excerpt obtained so far. */
export class RunFailure extends Error {
  override readonly name = 'RunFailure'
  readonly code: FaultCode
  readonly phase: RunPhase
  phases: Phases
  excerpt: string | undefined

  constructor(
    code: FaultCode,
    phase: RunPhase,
    message: string,
    details: { phases?: Phases; excerpt?: string; cause?: unknown } = {},
  ) {
    super(message, { cause: details.cause })
    this.code = code
    this.phase = phase
    this.phases = details.phases ?? noPhases
    this.excerpt = details.excerpt
  }

  toFault(): Fault {
    return { code: this.code, phase: this.phase, message: this.message.slice(0, 500) }
  }
}

/**
 * `code` is stable and snake_case; `reason` is a sentence for users. `event` names a warning event of
 * contract/events.ts, emitted once the quorum agrees, and again each time `depth` increases (a lower expiry threshold,
 * a worse grade). `details` are part of the event's payload.
 */
export type Judgement =
  | { status: 'up'; code?: undefined; reason?: undefined; event?: undefined }
  | {
      status: 'warning' | 'down'
      code: string
      reason: string
      event?: WarningName
      depth?: number
      details?: Record<string, unknown>
    }
  | { status: 'unknown'; code: string; reason: string; event?: undefined }

/**
 * A confirmed difference from the previous snapshot. `payload` is what the event carries besides monitor and check.
 * `isMuted`: the check's settings disable notifications, so only the reseller receives the event.
 */
export interface Change {
  name: 'certificate.renewed' | 'dns.records_changed' | 'dns.nameserver_changed'
  payload: Record<string, unknown>
  isMuted?: boolean
}

/**
 * For kinds that detect changes: which snapshot of the target is kept, and which differences are changes. Pure. The
 * last confirmed snapshot is kept for each region. A change event is emitted once a quorum of regions observes the
 * change, each in two consecutive results.
 */
export interface ChangeDetection<
  Settings extends z.ZodType = z.ZodType,
  Seen extends z.ZodType = z.ZodType,
  Snapshot extends z.ZodType = z.ZodType,
> {
  /** At most 32 KB. Lists are sorted, so that equal snapshots serialize to equal text. */
  snapshot: Snapshot
  /** The snapshot of a result; null when the result is incomplete. */
  snapshotOf(seen: z.output<Seen>, settings: z.output<Settings>): z.input<Snapshot> | null
  /** When empty, `before` remains the stored snapshot. */
  changesBetween(before: z.output<Snapshot>, after: z.output<Snapshot>, settings: z.output<Settings>): Change[]
}

/**
 * One kind of check: its settings, what a probe finds (`seen`), and how that is judged. `judge` is pure and is the only
 * place that decides between up, warning and down.
 */
export interface CheckKind<
  Name extends string = string,
  Settings extends z.ZodType = z.ZodType,
  Seen extends z.ZodType = z.ZodType,
  Snapshot extends z.ZodType = z.ZodType,
> {
  name: Name
  summary: string
  /** Seconds between runs. */
  every: { default: number; min: number }
  severity: Severity
  settings: Settings
  seen: Seen
  /** Settings that only `judge` uses, not the probe: a backtest can apply other values to stored results. */
  backtestable?: readonly string[]
  judge(seen: z.output<Seen>, settings: z.output<Settings>, context: JudgeContext): Judgement
  /** The response time of a successful result; by default phases.total. */
  responseMs?(seen: z.output<Seen>, phases: Phases): number | null
  changeDetection?: ChangeDetection<Settings, Seen, Snapshot>
  /** The plan feature that the kind requires. */
  feature?: { [Name in keyof Limits]: Limits[Name] extends boolean ? Name : never }[keyof Limits]
  /** Timeout of a run in milliseconds, for kinds without the setting `timeout_ms`. */
  runTimeoutMs?(settings: z.output<Settings>): number
  /**
   * An agent runs one check of a heavy kind at a time; the others wait, and the wait does not count towards their
   * timeout.
   */
  isHeavy?: boolean
  /** A failure means that the target cannot be reached or used: the incident is called "… is down". */
  isReachability?: boolean
  /** The response times of a monitor are those of its check of the lowest rank. Kinds without a rank do not count. */
  uptimeRank?: number
  /** New monitors of an address of this type are offered it; `default`: with it, unless a person says otherwise. */
  offered?: { website?: 'default' | 'possible'; host?: 'default' | 'possible'; needs?: 'domain' | 'port' | 'tls' }
  /**
   * Why well-formed settings would abuse our addresses, by field. `refuseHost` is that of the egress guard. What was
   * stored earlier is refused when the check runs.
   */
  refuse?(
    settings: Record<string, unknown>,
    refuseHost: (host: string, port?: number) => string | null,
  ): Record<string, string>
  /** No probe: reports are pushed to the control plane, which gives their outcome straight to the verdict engine. */
  isPassive?: boolean
}

/** `previous`: what the previous result of the same region found, for kinds that compare. */
export interface JudgeContext {
  at: Date
  phases: Phases
  previous?: unknown
}

export const checkKind = <
  Name extends string,
  Settings extends z.ZodType,
  Seen extends z.ZodType,
  Snapshot extends z.ZodType = z.ZodType,
>(
  kind: CheckKind<Name, Settings, Seen, Snapshot>,
) => kind

/** A kind without a probe. */
export const passiveKind = <Name extends string, Settings extends z.ZodType, Seen extends z.ZodType>(
  kind: CheckKind<Name, Settings, Seen>,
) => ({
  ...kind,
  isPassive: true as const,
})

/** The outcome of a failed run, the same for every kind. */
export function judgeFault(fault: Fault): Judgement {
  if (fault.code === 'blocked') return { status: 'warning', code: 'blocked', reason: fault.message }
  if (isOwnFault(fault.code)) return { status: 'unknown', code: fault.code, reason: fault.message }
  return { status: 'down', code: fault.code, reason: fault.message }
}

/** The target of a run. `url` is absolute; for host monitors it is `host://name`. */
export interface Target {
  url: string
}
