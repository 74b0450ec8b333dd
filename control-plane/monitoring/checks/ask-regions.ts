import { z } from 'zod'
import type { Services } from '#control-plane/http/services.ts'

/** How long a caller waits for the regions, so that the answer is there within half a minute. */
const patienceMs = 28_500

const Notice = z.object({ request: z.uuid(), region: z.string().nullable(), asked: z.array(z.string()) })

/**
 * Asks the regions of a check to look now, and answers which of them have looked when all asked have, or when time is up.
 * What they saw is stored and decided by then.
 */
export function askRegions(
  { listener, platform }: Services,
  look: { request: string; check: string },
  patience = patienceMs,
): Promise<Set<string>> {
  return new Promise((resolve, reject) => {
    const looked = new Set<string>()
    const end = () => {
      clearTimeout(timer)
      stopListening()
    }
    const stopListening = listener.on('looked', payload => {
      const notice = readNotice(payload)
      if (notice?.request !== look.request) return
      if (notice.region !== null) looked.add(notice.region)
      if (!notice.asked.every(region => looked.has(region))) return
      end()
      resolve(looked)
    })
    const timer = setTimeout(() => {
      end()
      resolve(looked)
    }, patience)
    platform.query(`select pg_notify('look', $1)`, [JSON.stringify(look)]).catch(error => {
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
