import { z } from 'zod'
import type { Services } from '#control-plane/http/services.ts'
import { askRegions, patienceMs, readJson } from './ask-regions.ts'

const Notice = z.object({ request: z.uuid(), region: z.string().nullable(), asked: z.array(z.string()) })

/**
 * Requests a run of a check from its regions, and returns the regions whose results are stored and decided: when all of
 * them have answered, or when the time is up.
 */
export async function runInRegions(
  services: Pick<Services, 'listener' | 'platform'>,
  run: { request: string; check: string; tenant: string },
  patience = patienceMs,
): Promise<Set<string>> {
  const answers = await askRegions(
    services,
    {
      ask: ['run_requests', JSON.stringify(run)],
      answers: 'run_results',
      read(payload) {
        const notice = Notice.safeParse(readJson(payload)).data
        return notice?.request === run.request ? { ...notice, answer: undefined } : undefined
      },
    },
    patience,
  )
  return new Set(answers.keys())
}
