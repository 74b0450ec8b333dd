import { z } from 'zod'
import type { Limits } from './plans.ts'

/** What one look, or one region, or a quorum of regions, says of a target. */
export const outcomes = ['up', 'warning', 'down'] as const
export type Outcome = (typeof outcomes)[number]

export const severities = ['critical', 'major', 'minor'] as const
export type Severity = (typeof severities)[number]

const ms = z.number().nonnegative().nullable()

/** How long each part of a look took, in milliseconds of the monotonic clock. `null`: that part did not happen. */
export const Phases = z.object({ dns: ms, connect: ms, tls: ms, first_byte: ms, total: ms }).meta({ id: 'Phases' })
export type Phases = z.infer<typeof Phases>

export const noPhases: Phases = { dns: null, connect: null, tls: null, first_byte: null, total: null }

/**
 * Why a look could not be made. The first group is the target's doing and counts as down;
 * `blocked` is a refusal of our egress guard and shows as a warning;
 * the last group says nothing about the target, so it is no vote.
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
] as const
export const ownFaults = ['resolver_ill', 'unsupported', 'starved', 'internal'] as const
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
  .meta({ id: 'LookFault' })
export type Fault = z.infer<typeof Fault>

/** Thrown by a probe (or the egress guard) that could not finish its look. Carries what is known so far. */
export class RunFailure extends Error {
  override readonly name = 'LookFailure'
  readonly code: FaultCode
  readonly phase: RunPhase
  phases: Phases
  excerpt: string | undefined

  constructor(
    code: FaultCode,
    phase: RunPhase,
    message: string,
    known: { phases?: Phases; excerpt?: string; cause?: unknown } = {},
  ) {
    super(message, { cause: known.cause })
    this.code = code
    this.phase = phase
    this.phases = known.phases ?? noPhases
    this.excerpt = known.excerpt
  }

  toFault(): Fault {
    return { code: this.code, phase: this.phase, message: this.message.slice(0, 500) }
  }
}

/**
 * `code` is stable and snake_case; `reason` is a sentence for people. `event` names a warning event of contract/events.ts, told once enough
 * regions say so; and told again for each step that `depth` goes up (the rungs of a ladder, the grades lost). `details` go out with it.
 */
export type Judgement =
  | { status: 'up'; code?: undefined; reason?: undefined; event?: undefined }
  | {
      status: 'warning' | 'down'
      code: string
      reason: string
      event?: string
      depth?: number
      details?: Record<string, unknown>
    }
  | { status: 'unknown'; code: string; reason: string; event?: undefined }

/**
 * Something has become other than it was: an event, not a state. `payload` is what the event says beyond monitor and check.
 * `isMuted`: by the check's own settings, so that only a reseller is told.
 */
export interface Change {
  name: 'certificate.renewed' | 'dns.records_changed' | 'dns.nameserver_changed'
  payload: Record<string, unknown>
  isMuted?: boolean
}

/**
 * For kinds that tell changes: what is remembered of the target, and when that is news. Pure. What was confirmed before is kept for each
 * region; a change is told once as many regions as a quorum takes see one, each twice in a row.
 */
export interface Follows<
  Settings extends z.ZodType = z.ZodType,
  Seen extends z.ZodType = z.ZodType,
  Facts extends z.ZodType = z.ZodType,
> {
  /** Small (32 KB at the most), lists in a fixed order: what is written the same is the same. */
  facts: Facts
  /** What of a look is remembered; null when it shows nothing for sure. */
  factsOf(seen: z.output<Seen>, settings: z.output<Settings>): z.input<Facts> | null
  /** Nothing: no news, and `before` goes on being what was before. */
  changed(before: z.output<Facts>, after: z.output<Facts>, settings: z.output<Settings>): Change[]
}

/**
 * One kind of check: what can be set, what a look sees, and what that means.
 * `judge` is pure: the only place where up and down are decided.
 * `keeps`: a number of the look worth averaging as its response time, in milliseconds.
 */
export interface CheckKind<
  Name extends string = string,
  Settings extends z.ZodType = z.ZodType,
  Seen extends z.ZodType = z.ZodType,
  Facts extends z.ZodType = z.ZodType,
> {
  name: Name
  summary: string
  /** Seconds between looks. */
  every: { default: number; min: number }
  severity: Severity
  settings: Settings
  seen: Seen
  /** Settings that `judge` alone heeds, not the probe: other values of them can be tried on looks that are stored. */
  judged?: readonly string[]
  judge(seen: z.output<Seen>, settings: z.output<Settings>, look: LookFacts): Judgement
  /** The response time of a good look; by default phases.total. */
  responseMs?(seen: z.output<Seen>, phases: Phases): number | null
  follows?: Follows<Settings, Seen, Facts>
  /** What a plan must include for it. */
  feature?: { [Name in keyof Limits]: Limits[Name] extends boolean ? Name : never }[keyof Limits]
  /** How long a look may take, in milliseconds, where that is not for the monitor to say. */
  lookMs?(settings: z.output<Settings>): number
  /** An agent makes one look of it at a time, whatever it is asked for; the others wait in line, and that is not counted as their time. */
  isHeavy?: boolean
  /** Nobody looks: what it sees reaches us by itself, and its verdict is brought straight to whoever decides. */
  isPassive?: boolean
}

/** `previous`: what the same region saw last, for kinds that detect change. */
export interface LookFacts {
  at: Date
  phases: Phases
  previous?: unknown
}

export const checkKind = <
  Name extends string,
  Settings extends z.ZodType,
  Seen extends z.ZodType,
  Facts extends z.ZodType = z.ZodType,
>(
  kind: CheckKind<Name, Settings, Seen, Facts>,
) => kind

/** A kind that no region looks at. */
export const passiveKind = <Name extends string, Settings extends z.ZodType, Seen extends z.ZodType>(
  kind: CheckKind<Name, Settings, Seen>,
) => ({
  ...kind,
  isPassive: true as const,
})

/** What a failed look means, for every kind alike. */
export function judgeFault(fault: Fault): Judgement {
  if (fault.code === 'blocked') return { status: 'warning', code: 'blocked', reason: fault.message }
  if ((ownFaults as readonly string[]).includes(fault.code))
    return { status: 'unknown', code: fault.code, reason: fault.message }
  return { status: 'down', code: fault.code, reason: fault.message }
}

/** What is looked at. `url` is absolute; for host monitors it is `host://name`. */
export interface Target {
  url: string
}
