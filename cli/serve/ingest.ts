import type { RequestListener } from 'node:http'
import { allShards } from '#control-plane/base/shards.ts'
import { EpochFence, OwnerFence } from '#control-plane/engine/verdicts/fence.ts'
import type { Services } from '#control-plane/http/services.ts'
import { sendJson } from './health.ts'
import { Leader } from './leader.ts'
import { type Leadership, openLeadership, type Term } from './leadership.ts'
import { type ShardLead, ShardLeases } from './shard-leases.ts'

export interface Ingest {
  handle: RequestListener
  /** Why this process takes no results, or null. */
  readonly whyNot: string | null
  /** Why this process gave its shards up to others, or null. */
  readonly whyAside: string | null
  /** Since when results wait to be stored, or null. */
  readonly whyHistoryWaits: string | null
  /** Regions that may not vote at the moment. */
  readonly silentRegions: string[]
  readonly batchesInWork: number
  close(): Promise<void>
}

/**
 * The ingest role: receives results and decides verdicts. With an address of its own for agents a process shares the
 * tenants with others; without one it decides alone, and others stand by.
 */
export async function openIngest(services: Services): Promise<Ingest> {
  const { config, platform, log } = services
  let leadership: Leadership | undefined
  let askedAt: number | null = null
  const lead = async (term: Term): Promise<ShardLead> => {
    const opened = await openLeadership(services, term)
    leadership = opened
    return {
      get reachedMsAgo() {
        return opened.regions.reachedMsAgo
      },
      whyNotJudging: () => opened.whyNotJudging(),
      async stop(isLost) {
        leadership = undefined
        await opened.stop(isLost)
      },
    }
  }
  const url = config.directUrl ?? config.platformUrl
  const address = config.ingestUrl
  const leader =
    address === undefined
      ? new Leader({ url, log, lead: () => lead({ shards: allShards, fence: new EpochFence(platform) }) })
      : new ShardLeases({
          url,
          log,
          address,
          askedAt: () => askedAt,
          onUnreached: seconds => services.metrics.ingestUnreached.set(seconds),
          lead: shards => lead({ shards, fence: new OwnerFence(platform, { shards, url: address }) }),
        })
  services.listener.onMissed(() => leadership?.missed())
  await leader.start()
  return {
    handle(request, response) {
      askedAt = performance.now()
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
    get whyAside() {
      return leader instanceof ShardLeases ? leader.whyAside : null
    },
    get whyHistoryWaits() {
      const since = leadership?.historyWaitsSince ?? null
      return since === null ? null : `results since ${since.toISOString()} wait to be stored`
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
