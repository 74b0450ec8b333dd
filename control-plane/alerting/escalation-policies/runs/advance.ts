/** How far a run is. */
export interface Progress {
  policyId: string
  /** Counts the rounds of all policies, from 1. */
  round: number
  /** How many steps of this round were taken. */
  step: number
  /** How many rounds of this policy came after its first. */
  repeats: number
}

/** A policy as runs need it. Steps in their order. */
export interface Plan<Step extends { delayMinutes: number } = { delayMinutes: number }> {
  id: string
  repeatCount: number
  repeatDelayMinutes: number
  fallbackPolicyId: string | null
  steps: readonly Step[]
}

export interface Advance<Step> {
  /** The step that is due, and how far the run is after it. */
  step: Step
  progress: Progress
}

/** Policies that were followed without a step; circles are refused when policies are stored. */
const mostPolicies = 100

/**
 * The step that is due next: of this round, else the first of a repeat, else the first of the fallback policy. null:
 * none is left.
 */
export function advance<Step extends { delayMinutes: number }>(
  plans: ReadonlyMap<string, Plan<Step>>,
  { policyId, round, step, repeats }: Progress,
): Advance<Step> | null {
  let plan = plans.get(policyId)
  for (let followed = 0; plan && followed < mostPolicies; followed++) {
    const next = plan.steps[step]
    if (next) return { step: next, progress: { policyId: plan.id, round, step: step + 1, repeats } }
    step = 0
    round++
    if (repeats < plan.repeatCount && plan.steps.length > 0) repeats++
    else {
      repeats = 0
      plan = plans.get(plan.fallbackPolicyId ?? '')
    }
  }
  return null
}

/** What a step that was taken has called. */
export interface Calls {
  /** Whether it called a target. */
  hasCalled: boolean
  /** Whether it reached none of its targets, and no step before it in this round called one. */
  isRoundLost?: boolean
}

/**
 * Minutes until the step after this one, or, after the last of a round, until the round ends. A step that called no
 * target does not delay the next one, and a round that reached no target does not delay what comes after it.
 */
export function minutesUntilNext(plan: Plan, { step }: Progress, { hasCalled, isRoundLost = false }: Calls): number {
  const next = plan.steps[step]
  if (!next) return isRoundLost ? 0 : plan.repeatDelayMinutes
  return hasCalled ? next.delayMinutes : 0
}
