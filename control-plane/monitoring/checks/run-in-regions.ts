import { z } from 'zod'
import type { Services } from '#control-plane/http/services.ts'

/** How long a caller waits for the regions, so that it has an answer within half a minute. */
const patienceMs = 28_500

const Notice = z.object({ request: z.uuid(), region: z.string().nullable(), asked: z.array(z.string()) })

/**
 * Requests a run of a check from its regions, and returns the regions whose results are stored and decided: when all of
 * them have answered, or when the time is up.
 */
export function runInRegions(
  { listener, platform }: Services,
  run: { request: string; check: string; tenant: string },
  patience = patienceMs,
): Promise<Set<string>> {
  return new Promise((resolve, reject) => {
    const answered = new Set<string>()
    const end = () => {
      clearTimeout(timer)
      stopListening()
    }
    const stopListening = listener.on('run_results', payload => {
      const notice = readNotice(payload)
      if (notice?.request !== run.request) return
      if (notice.region !== null) answered.add(notice.region)
      if (!notice.asked.every(region => answered.has(region))) return
      end()
      resolve(answered)
    })
    const timer = setTimeout(() => {
      end()
      resolve(answered)
    }, patience)
    platform.query(`select pg_notify('run_requests', $1)`, [JSON.stringify(run)]).catch(error => {
      end()
      reject(error)
    })
  })
}

function readNotice(payload: string): z.output<typeof Notice> | undefined {
  try {
    return Notice.safeParse(JSON.parse(payload)).data
  } catch {
    return undefined
  }
}
