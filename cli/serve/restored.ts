import { setTimeout as sleep } from 'node:timers/promises'
import { Loop } from '#control-plane/base/loop.ts'
import type { Services } from '#control-plane/http/services.ts'
import { noticeRestore } from '#control-plane/platform/restored/notice.ts'

const everyMs = 30_000
/** A ClickHouse that hangs must not keep us from starting. */
const firstMs = 5_000

/**
 * Looks whether the database was put back to an older state: before anybody is served, after each time it was away, and every half minute,
 * which leaves the mark by which the next restore is known. Without ClickHouse the service starts all the same.
 */
export async function watchRestores({ platform, clickhouse, listener, log }: Services): Promise<Loop> {
  const round = async () => {
    if (await noticeRestore(platform, clickhouse))
      log.error(
        'the database was put back to an older state: sessions, impersonations, open links and invitations from before are void. Look through the keys that were revoked since that state: they live again',
      )
  }
  const failure = 'restore detection failure'
  const first = round().catch(error => log.warn({ err: error }, failure))
  await Promise.race([first, sleep(firstMs, undefined, { ref: false })])
  return new Loop({ everyMs, round, log, failure, wake: { listener, notice: 'restored' } }).start({ atOnce: false })
}
