import type { z } from 'zod'
import type { Probe } from '#checks/probe.ts'
import { noPhases, RunFailure } from '#contract/check.ts'
import { crawl } from './kind.ts'

/** A crawl takes longer than a run: the control plane keeps its findings, and the run fetches them. */
export async function readFindings<Seen extends z.ZodType>(
  schema: Seen,
  findings: (() => Promise<unknown>) | undefined,
): Promise<z.input<Seen>> {
  if (!findings) throw new RunFailure('unsupported', 'request', 'The findings of a crawl are not available here.')
  const reply = schema.safeParse(await findings())
  if (!reply.success) throw new RunFailure('internal', 'request', 'What the crawl found could not be read.')
  return reply.data as z.input<Seen>
}

export const probeCrawl: Probe<typeof crawl> = async (_target, _settings, { findings }) => ({
  seen: await readFindings(crawl.seen, findings),
  phases: noPhases,
})
