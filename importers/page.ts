import { z } from 'zod'
import { line, plainText } from '#contract/line.ts'
import { impacts, phases, settableStatuses } from '#contract/status-page.ts'

/** Bounds of a status page that is imported; those of the pages of a team. */
export const pageLimits = { slug: 50, components: 200, groups: 50, posts: 500, updates: 500 } as const

const phase = z.enum(phases)
const key = z.string().max(60)
const at = z.iso.datetime()

/** A status page of another provider, with keys of its own in place of ids. */
export const ImportedPage = z.object({
  name: line(255),
  slug: z
    .string()
    .min(3)
    .max(pageLimits.slug)
    .regex(/^[a-z\d](?:[a-z\d-]*[a-z\d])?$/),
  description: z.string().overwrite(plainText).trim().max(2_000),
  timezone: z.string().max(64),
  noindex: z.boolean(),
  groups: z.array(z.object({ key, name: line(255) })).max(pageLimits.groups),
  components: z
    .array(
      z.object({
        key,
        name: line(255),
        description: z.string().overwrite(plainText).trim().max(500),
        group: key.nullable(),
        status: z.enum(settableStatuses),
        show_history: z.boolean(),
      }),
    )
    .max(pageLimits.components),
  posts: z
    .array(
      z.object({
        title: line(255),
        impact: z.enum(impacts),
        phase,
        started_at: at,
        resolved_at: at.nullable(),
        counts_as_downtime: z.boolean(),
        postmortem: z.string().overwrite(plainText).max(50_000).nullable(),
        components: z.array(z.object({ key, status: z.enum(settableStatuses) })).max(pageLimits.components),
        updates: z
          .array(z.object({ phase, body: z.string().overwrite(plainText).trim().min(1).max(10_000), at }))
          .max(pageLimits.updates),
      }),
    )
    .max(pageLimits.posts),
})
export type ImportedPage = z.output<typeof ImportedPage>
