import type { z } from 'zod'
import type { CheckKind, Phases, Target } from '#contract/check.ts'
import type { Guard } from '#egress/guard.ts'
import type { Registries } from './domain-expiry/registries.ts'
import type { BrowserPlaces } from './lighthouse/parts.ts'

/** How a probe reaches the world. */
export interface Reach {
  guard: Guard
  /** Aborts at the deadline, and when the agent stops. A probe then lets go of everything at once. */
  signal: AbortSignal
  /** The server's time in milliseconds; certificates are dated by it, since an agent's wall clock may be wrong. */
  now: () => number
  /** Whose check it is, where many share what is asked. */
  tenant?: string | undefined
  /** Who answers for domains; what the package knows of them when left out. */
  registries?: Registries | undefined
  /** Where a browser is; where it usually is when left out. */
  browser?: BrowserPlaces | undefined
  /** What the control plane found out about this check by longer work than a look. Missing where there is none to ask. */
  findings?: () => Promise<unknown>
}

/** What a look brought home. `excerpt` only where it helps to explain a bad answer. */
export interface Looked<Seen> {
  seen: Seen
  phases: Phases
  excerpt?: string
  /** The address connected to. */
  address?: string
}

/** Looks once. Throws a `LookFailure` if it could not see; whether what it saw is good is for the kind's `judge`. */
export type Probe<Kind extends CheckKind> = (
  target: Target,
  settings: z.output<Kind['settings']>,
  reach: Reach,
) => Promise<Looked<z.input<Kind['seen']>>>
