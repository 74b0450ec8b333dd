import { z } from 'zod'
import { Phases } from '#contract/check.ts'
import { policyModes } from './quorum.ts'

/** Where a run failed, as an incident shows it. */
export const failedPhases = ['dns', 'tcp', 'tls', 'ttfb'] as const

/** The last result of one region, as a quorum proof and `votes.evidence` have it. */
export const RegionProof = z
  .object({
    phases: Phases,
    error: z.object({ code: z.string(), message: z.string() }).nullable(),
    http_status: z.int().nullable(),
    excerpt: z.string().nullable(),
    at: z.iso.datetime(),
  })
  .meta({ id: 'RegionProof' })
export type RegionProof = z.infer<typeof RegionProof>

/** Why an incident was opened: the regions asked, the vote of each, and how many had to agree. */
export const QuorumProof = z
  .object({
    policy: z.object({ mode: z.enum([...policyModes, 'direct']), count: z.int().nullable() }),
    required: z.int(),
    asked: z.array(z.string()),
    failed: z.array(z.string()),
    ok: z.array(z.string()),
    silent: z.array(z.string()),
    excluded: z.array(z.object({ region: z.string(), why: z.string() })),
    regions: z.record(z.string(), RegionProof),
  })
  .meta({ id: 'QuorumProof' })
export type QuorumProof = z.infer<typeof QuorumProof>
