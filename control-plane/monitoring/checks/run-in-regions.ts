import { z } from 'zod'
import { type ResultRow, resultRowOf } from '#analytics/queries/results-page.ts'
import type { Services } from '#control-plane/http/services.ts'
import { askRegions, readJson, timeoutMs } from './ask-regions.ts'

const Notice = z.object({
  request: z.uuid(),
  region: z.string().nullable(),
  asked: z.array(z.string()),
  row: z.string().optional(),
  is_cut: z.boolean().optional(),
})

/** What came of a run in a region. */
export interface RunAnswer {
  /** Undefined: it was too long for the answer, and is to be read from the store. */
  row: ResultRow | undefined
  /** What was read of the target is not in it, but in the store. */
  isCut: boolean
}

/**
 * Requests a run of a check from its regions, and returns the results of the regions, which are decided on and not
 * necessarily stored: when all of them have answered, or when the time is up.
 */
export async function runInRegions(
  services: Pick<Services, 'listener' | 'platform'>,
  run: { request: string; check: string; tenant: string },
  waitMs = timeoutMs,
): Promise<Map<string, RunAnswer>> {
  return askRegions(
    services,
    {
      ask: ['run_requests', JSON.stringify(run)],
      answers: 'run_results',
      read(payload) {
        const notice = Notice.safeParse(readJson(payload)).data
        if (notice?.request !== run.request) return undefined
        const { row, is_cut: isCut = false } = notice
        return { ...notice, answer: { row: row === undefined ? undefined : resultRowOf(row), isCut } }
      },
    },
    waitMs,
  )
}
