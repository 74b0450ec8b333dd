import type { z } from 'zod'
import type { CheckKind } from '#contract/check.ts'

/** What `GET /monitors/{monitor}/<statistic>` shows of a check of one kind, besides the common fields. */
export interface Report<Kind extends CheckKind = CheckKind, Latest extends z.ZodObject = z.ZodObject> {
  kind: Kind
  /** The last segment of the path. */
  statistic: string
  summary: string
  /** What the summary leaves out, in a sentence. */
  description?: string
  /** The schema of a region's newest result. */
  latest: Latest
  /** Pure: built from `seen` alone. */
  view(seen: z.output<Kind['seen']>): z.input<Latest>
}

export const report = <Kind extends CheckKind, Latest extends z.ZodObject>(
  kind: Kind,
  shown: Omit<Report<Kind, Latest>, 'kind'>,
): Report<Kind, Latest> => ({
  kind,
  ...shown,
})
