import type { z } from 'zod'
import type { CheckKind } from '#contract/check.ts'

/** What `GET /monitors/{monitor}/<statistic>` shows of a check of one kind, beside what it shows of all. */
export interface Report<Kind extends CheckKind = CheckKind, Latest extends z.ZodObject = z.ZodObject> {
  kind: Kind
  /** The last word of the path. */
  statistic: string
  summary: string
  /** What a region’s newest look shows. */
  latest: Latest
  /** Pure: made of what was seen, and of nothing else. */
  view(seen: z.output<Kind['seen']>): z.input<Latest>
}

export const report = <Kind extends CheckKind, Latest extends z.ZodObject>(
  kind: Kind,
  shown: Omit<Report<Kind, Latest>, 'kind'>,
): Report<Kind, Latest> => ({
  kind,
  ...shown,
})
