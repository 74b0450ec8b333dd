import { setTimeout as sleep } from 'node:timers/promises'
import { Loop } from '#control-plane/base/loop.ts'
import type { Services } from '#control-plane/http/services.ts'
import { noticeSetback, restoredNotice } from '#control-plane/platform/restored/notice.ts'

const everyMs = 30_000
/** The time limit of the first round, because a ClickHouse that hangs must not prevent the start. */
const firstMs = 5_000

/**
 * Detects a database that is older than it was: before the first request, after each outage, and every half minute,
 * which stores the mark that reveals the next time. Without ClickHouse the service starts too.
 */
export async function watchRestores({ platform, clickhouse, listener, log }: Services): Promise<Loop> {
  const round = async () => {
    const setback = await noticeSetback(platform, clickhouse)
    if (setback?.as === 'restored')
      log.error(
        'database restored from a backup: sessions, impersonation tokens, open links and ' +
          'invitations voided; review the keys revoked since the backup, which are valid again',
      )
    if (setback?.as === 'failed_over')
      log.warn(
        { from: setback.from, to: setback.to },
        'database failed over to a standby that lacks the last changes: sessions stay valid; review the keys and ' +
          'sessions ended in between, which are valid again',
      )
  }
  const failure = 'restore detection failure'
  const first = round().catch(error => log.warn({ err: error }, failure))
  await Promise.race([first, sleep(firstMs, undefined, { ref: false })])
  return new Loop({ everyMs, round, log, failure, wake: { listener, notice: restoredNotice } }).start({ atOnce: false })
}
