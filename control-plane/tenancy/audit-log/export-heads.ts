import { Loop } from '#control-plane/base/loop.ts'
import type { Services } from '#control-plane/http/services.ts'
import { readHeads } from './verify.ts'

const everyMs = 600_000
/** Each round starts this much before the last one, to include transactions that were open then. */
const overlapMs = 60_000

/** Logs the head of each trail, because the owner of the database cannot change the log. */
export function exportHeads({ platform, log, metrics }: Pick<Services, 'platform' | 'log' | 'metrics'>): Loop {
  let since = new Date(0)
  const round = async () => {
    const began = Date.now()
    const { heads, links } = await readHeads(platform, since)
    for (const { tenant_id, seq, hash } of heads) log.info({ tenant_id, seq, hash }, 'audit head')
    metrics.auditLinks.set(links)
    since = new Date(began - overlapMs)
  }
  return new Loop({ everyMs, round, log, failure: 'audit head read failure' }).start()
}
