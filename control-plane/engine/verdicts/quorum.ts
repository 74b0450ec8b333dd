import { z } from 'zod'

export const policyModes = ['any', 'majority', 'all', 'count'] as const
export type PolicyMode = (typeof policyModes)[number]

/**
 * How many regions must agree. `count` is used only in mode `count`. `direct`: no region runs the check, its state is
 * reported.
 */
export interface Policy {
  mode: PolicyMode | 'direct'
  count: number | null
}

/** The name in place of a region where none runs the check. No region can have it. */
export const directRegion = '@direct'
export const directPolicy: Policy = { mode: 'direct', count: null }

export const RegionPolicy = z
  .object({ mode: z.enum(policyModes), count: z.int().min(1).max(50).nullable().default(null) })
  .refine(policy => policy.mode !== 'count' || policy.count !== null, {
    path: ['count'],
    message: 'The count is required when the mode is count.',
  })

/**
 * How many of `voting` regions must fail before a check is down, when `asked` regions were asked.
 * One region alone never decides when several were asked, unless the policy says `any`.
 */
export function requiredToOpen({ mode, count }: Policy, voting: number, asked: number): number {
  switch (mode) {
    case 'any':
    case 'direct':
      return 1
    case 'majority':
      return Math.max(Math.floor(voting / 2) + 1, Math.min(2, asked))
    case 'all':
      return Math.max(voting, Math.min(2, asked))
    case 'count':
      return Math.max(Math.min(count ?? 1, voting), Math.min(2, asked))
  }
}

/** How many of `voting` regions must be up before a check is no longer down: the mirror of `requiredToOpen`. */
export function requiredToClose(policy: Policy, voting: number, asked: number): number {
  if (policy.mode === 'any' || policy.mode === 'direct') return Math.max(voting, 1)
  return Math.max(voting - requiredToOpen(policy, voting, asked) + 1, Math.min(2, asked))
}
