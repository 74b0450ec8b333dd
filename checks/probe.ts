import type { z } from 'zod'
import type { CheckKind, Phases, Target } from '#contract/check.ts'
import type { Registries } from './domain-expiry/registries.ts'
import type { Reach } from './http/send.ts'
import type { BrowserPlaces } from './lighthouse/parts.ts'

/** What a probe is given. */
export interface ProbeContext extends Reach {
  /** Owner of the check, for sharing slots fairly. */
  tenant?: string | undefined
  /** Registries of domains; those in the package by default. */
  registries?: Registries | undefined
  /** Paths of the browser; the usual ones by default. */
  browser?: BrowserPlaces | undefined
  /** Fetches the findings that the control plane keeps for this check. Missing outside an agent. */
  findings?: () => Promise<unknown>
  /** Receives an unforeseen error that fails no run. Missing outside a crawl. */
  onUnexpected?: (error: unknown) => void
}

/** The result of a successful run. `excerpt` only where it helps to explain a bad answer. */
export interface ProbeResult<Seen> {
  seen: Seen
  phases: Phases
  excerpt?: string
  /** The address connected to. */
  address?: string
}

/**
 * Runs the check once. Throws a `RunFailure` if it finds nothing; the kind's `judge` decides what the findings mean.
 */
export type Probe<Kind extends CheckKind> = (
  target: Target,
  settings: z.output<Kind['settings']>,
  context: ProbeContext,
) => Promise<ProbeResult<z.input<Kind['seen']>>>
