import type { RequestListener } from 'node:http'
import type { Services } from '#control-plane/http/services.ts'
import { sendJson } from './health.ts'
import { Leader } from './leader.ts'
import { type Leadership, openLeadership } from './leadership.ts'

export interface Ingest {
  handle: RequestListener
  /** Why this process takes no results, or null. */
  readonly whyNot: string | null
  /** Regions that may not vote at the moment. */
  readonly silentRegions: string[]
  readonly batchesInWork: number
  close(): Promise<void>
}

/** The ingest role: one process at a time receives results and decides verdicts; the others stand by. */
export async function openIngest(services: Services): Promise<Ingest> {
  let leadership: Leadership | undefined
  const leader = new Leader({
    url: services.config.directUrl ?? services.config.platformUrl,
    log: services.log,
    async lead() {
      const opened = await openLeadership(services)
      leadership = opened
      return {
        async stop(isLost) {
          leadership = undefined
          await opened.stop(isLost)
        },
      }
    },
  })
  services.listener.onMissed(() => leadership?.missed())
  await leader.start()
  return {
    handle(request, response) {
      if (leadership) return void leadership.gateway.handle(request, response)
      sendJson(
        response,
        503,
        { message: 'This process does not take results at the moment.', code: 'unavailable' },
        { 'Retry-After': '1', Connection: 'close' },
      )
    },
    get whyNot() {
      return leader.whyNot
    },
    get silentRegions() {
      return leadership?.regions.silent ?? []
    },
    get batchesInWork() {
      return leadership?.batchesInWork ?? 0
    },
    close: () => leader.stop(),
  }
}
