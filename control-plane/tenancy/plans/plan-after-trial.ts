import type { Row } from '#control-plane/db/queries.ts'

/** The plan that a trial ends in: free, unless a plan was sold meanwhile. */
export const planAfterTrial = ({ plan_after_trial: plan }: Row<'managed_teams', 'plan_after_trial'>): string =>
  plan ?? 'free'
