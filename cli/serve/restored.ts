import { setTimeout as sleep } from 'node:timers/promises'
import { Loop } from '#control-plane/base/loop.ts'
import type { Services } from '#control-plane/http/services.ts'
import { noticeRestore } from '#control-plane/platform/restored/notice.ts'

const everyMs = 30_000
/** The time limit of the first round, because a ClickHouse that hangs must not prevent the start. */
const firstMs = 5_000

/**
 * Detects a restore of the database from a backup: before the first request, after each outage, and every half minute,
 * which stores the mark that reveals the next restore. Without ClickHouse the service starts too.
 */
export async function watchRestores({ platform, clickhouse, listener, log }: Services): Promise<Loop> {
  const round = async () => {
    if (await noticeRestore(platform, clickhouse))
      log.error(
        'database restored from a backup: sessions, impersonation tokens, open links and ' +
          'invitations voided; review the keys revoked since the backup, which are valid again',
      )
  }
  const failure = 'restore detection failure'
  const first = round().catch(error => log.warn({ err: error }, failure))
  await Promise.race([first, sleep(firstMs, undefined, { ref: false })])
  return new Loop({ everyMs, round, log, failure, wake: { listener, notice: 'restored' } }).start({ atOnce: false })
}
