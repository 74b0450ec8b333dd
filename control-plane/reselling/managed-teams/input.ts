import { z } from 'zod'
import { line } from '#contract/line.ts'
import { plans } from '#contract/plans.ts'

/** Fields of a team without defaults, so that an update holds only what it changes. */
export const fields = {
  name: line(255),
  plan: z.enum(plans),
  label: line(255).nullable().meta({ description: 'For the reseller alone; the team never sees it.' }),
  external_ref: line(255).nullable().meta({ description: 'Your own reference, unique among your teams.' }),
  metadata: z
    .record(
      z.string().min(1).max(100),
      z.union(
        [z.string().max(500), z.number(), z.boolean(), z.null()],
        'Must be text of at most 500 characters, a number, true, false or null.',
      ),
    )
    .refine(values => Object.keys(values).length <= 50, 'At most 50 entries.')
    .meta({
      description: 'Your own notes, for the reseller alone: up to 50 names with a text, number, boolean or null each.',
    }),
}

export const maxTrialDays = 365
