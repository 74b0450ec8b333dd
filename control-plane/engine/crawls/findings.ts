import { z } from 'zod'
import { BrokenLink } from '#checks/broken-links/kind.ts'
import { MixedFinding } from '#checks/mixed-content/kind.ts'
import type { Row } from '#control-plane/db/queries.ts'

const count = z.int().nonnegative()

/** The stored findings of a crawl that has ended, for all kinds that use it. */
export const Findings = z.object({
  pages: count,
  checked: count,
  failed_pages: count,
  limited_by: z.string().nullable(),
  failure: z.string().nullable(),
  broken_internal: count,
  broken_external: count,
  broken: z.array(BrokenLink),
  mixed_pages: count,
  active: count,
  passive: count,
  forms: count,
  mixed: z.array(MixedFinding),
})
export type Findings = z.infer<typeof Findings>

const none: Findings = {
  pages: 0,
  checked: 0,
  failed_pages: 0,
  limited_by: null,
  failure: null,
  broken_internal: 0,
  broken_external: 0,
  broken: [],
  mixed_pages: 0,
  active: 0,
  passive: 0,
  forms: 0,
  mixed: [],
}

export type EndedRun = Row<'crawl_runs', 'id' | 'state' | 'findings'> & { finished_at: string }

/** The findings that a run of a check receives. Each kind uses its part of them. */
export function viewFindings(run: EndedRun | undefined, isInPlan: boolean): Record<string, unknown> {
  const findings = run && Findings.safeParse(run.findings).data
  const state = !isInPlan ? 'not_in_plan' : !findings ? 'none' : run.state === 'failed' ? 'failed' : 'finished'
  return { ...(findings ?? none), state, run: findings ? run.id : null, finished_at: findings ? run.finished_at : null }
}
