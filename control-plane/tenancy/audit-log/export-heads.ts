import { Loop } from '#control-plane/base/loop.ts'
import type { Services } from '#control-plane/http/services.ts'
import { readHeads } from './verify.ts'

const everyMs = 600_000
/** Transactions that were under way at the last look are looked at again. */
const overlapMs = 60_000

/** Says in the log, where the database's owner cannot change it, how far each trail has come. */
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
