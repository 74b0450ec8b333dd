import type { ServerResponse } from 'node:http'
import type { Services } from '#control-plane/kernel/services.ts'

/** /metrics in Prometheus' text form. Figures that are only states are read at the moment they are asked for. */
export async function scrape({ metrics, platform }: Services, batchesInWork: number, response: ServerResponse): Promise<void> {
  metrics.ingestBatches.set(batchesInWork)
  metrics.pool.set({ pool: 'platform', state: 'total' }, platform.totalCount)
  metrics.pool.set({ pool: 'platform', state: 'idle' }, platform.idleCount)
  metrics.pool.set({ pool: 'platform', state: 'waiting' }, platform.waitingCount)
  const text = await metrics.register.metrics()
  response.writeHead(200, { 'Content-Type': metrics.register.contentType })
  response.end(text)
}
