import { createHash } from 'node:crypto'
import type { Services } from '#control-plane/http/services.ts'
import { findSuffix } from './breach-files.ts'

const prefixDigits = 5
const timeoutMs = 1_500
/** After a failure the service is not asked for this long, so that sign-ups do not wait for it. */
const quietMs = 30_000
let quietUntilMs = 0

/** Whether an enabled list of breached passwords has one of these spellings. An unavailable list counts as no match. */
export async function isBreached(
  { config, guard, log, clock }: Pick<Services, 'config' | 'guard' | 'log' | 'clock'>,
  spellings: readonly string[],
): Promise<boolean> {
  const { folder, rangeUrl } = config.breachedPasswords
  for (const spelling of spellings) {
    const hash = createHash('sha1').update(spelling).digest('hex').toUpperCase()
    const [prefix, suffix] = [hash.slice(0, prefixDigits), hash.slice(prefixDigits)]
    if (folder) {
      const found = await findSuffix(folder, prefix, suffix).catch(error => {
        log.warn({ err: error }, 'breached password list read failure')
        return false
      })
      if (found) return true
    }
    if (rangeUrl && clock.nowMs() >= quietUntilMs) {
      const found = await askRange(guard, rangeUrl, prefix, suffix).catch(error => {
        quietUntilMs = clock.nowMs() + quietMs
        log.warn({ err: error }, 'breached password service request failure')
        return false
      })
      if (found) return true
    }
  }
  return false
}

/** Sends five hex digits and gets some hundreds of suffixes; padding lines, with a count of 0, hide their number. */
async function askRange(guard: Services['guard'], rangeUrl: string, prefix: string, suffix: string): Promise<boolean> {
  const url = `${rangeUrl.replace(/\/$/, '')}/${prefix}`
  const refused = guard.refuseUrl(url)
  if (refused) throw new Error(refused)
  const { origin, pathname, search } = new URL(url)
  const { statusCode, body } = await guard.dispatcher().request({
    origin,
    path: pathname + search,
    method: 'GET',
    headers: { 'Add-Padding': 'true', 'User-Agent': 'vedette' },
    signal: AbortSignal.timeout(timeoutMs),
  })
  const text = await body.text()
  if (statusCode !== 200) throw new Error(`answered ${statusCode}`)
  return text.split('\n').some(line => {
    const [found, count] = line.trim().split(':')
    return found?.toUpperCase() === suffix && count !== '0'
  })
}
