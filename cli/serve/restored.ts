import { setTimeout as sleep } from 'node:timers/promises'
import { Rounds } from '#control-plane/base/rounds.ts'
import type { Services } from '#control-plane/http/services.ts'
import { noticeRestore } from '#control-plane/platform/restored/notice.ts'

const everyMs = 30_000
/** A ClickHouse that hangs must not keep us from starting. */
const firstMs = 5_000

/**
 * Looks whether the database was put back to an older state: before anybody is served, after each time it was away, and every half minute,
 * which leaves the mark by which the next restore is known. Without ClickHouse the service starts all the same.
 */
export async function watchRestores({ platform, clickhouse, listener, log }: Services): Promise<Rounds> {
  const round = async () => {
    if (await noticeRestore(platform, clickhouse))
      log.error(
        'the database was put back to an older state: sessions, impersonations, open links and invitations from before are void. Look through the keys that were revoked since that state: they live again',
      )
  }
  const onFailure = (error: unknown) =>
    log.warn({ err: error }, 'whether the database was put back to an older state could not be seen; trying on')
  await Promise.race([round().catch(onFailure), sleep(firstMs, undefined, { ref: false })])
  const rounds = new Rounds({ notice: 'restored', listener, everyMs, round, onFailure })
  rounds.start({ atOnce: false })
  return rounds
}
