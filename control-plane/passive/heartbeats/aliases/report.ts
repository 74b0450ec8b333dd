import { maxOutputBytes, plainReport, type Report, storable } from '#control-plane/passive/heartbeats/report.ts'

const runIdShape = /^[\w.:-]{1,64}$/
const exitCodeShape = /^\d{1,3}$/
const exitCodes = 255

/** A ping as it was sent to an address of another provider. `action`: what follows the secret in the path. */
export interface SentPing {
  action: string | undefined
  query: URLSearchParams
  /** The beginning of the body. */
  body: Buffer
}

const outputOf = (body: Buffer) => storable(body.subarray(0, maxOutputBytes).toString('utf8'))

/** `/start`, `/fail`, `/log` or an exit code, with the run in `?rid=`, as Healthchecks reads them; null: another path. */
export function healthchecksReport({ action, query, body }: SentPing): Report | null {
  const rid = query.get('rid')
  const ping = {
    runId: rid !== null && runIdShape.test(rid) ? rid : null,
    exitCode: null,
    output: outputOf(body),
    isOnlyRun: true,
  }
  switch (action) {
    case undefined:
      // as `complete` and not as `ok`, so that the time since its start is known
      return { ...ping, state: 'complete' }
    case 'start':
    case 'fail':
    case 'log':
      return { ...ping, state: action }
    default:
      return exited(ping, action)
  }
}

/** `/fail` or an exit code, as Better Stack reads them; null: another path. */
export function betterStackReport({ action, body }: SentPing): Report | null {
  const ping = { runId: null, exitCode: null, output: outputOf(body) }
  if (action === undefined) return { ...ping, state: 'ok' }
  return action === 'fail' ? { ...ping, state: 'fail' } : exited(ping, action)
}

function exited(ping: Omit<Report, 'state'>, action: string): Report | null {
  const exitCode = exitCodeShape.test(action) ? Number(action) : exitCodes + 1
  return exitCode > exitCodes ? null : { ...ping, exitCode, state: exitCode === 0 ? 'complete' : 'fail' }
}

/** `?status=`, `msg=` and `ping=`, as Uptime Kuma reads them: every status but `up` means down. */
export function uptimeKumaReport({ action, query }: SentPing): Report | null {
  if (action !== undefined) return null
  const [status, message, ping] = ['status', 'msg', 'ping'].map(name => query.get(name) || null)
  const isUp = (status ?? 'up') === 'up'
  const isPlain = isUp && ping === null && (message === null || message === 'OK')
  if (isPlain) return plainReport
  const output = [message, ping === null ? null : `ping: ${ping}`].filter(line => line !== null).join('\n')
  return { state: isUp ? 'ok' : 'fail', runId: null, exitCode: null, output: storable(output) }
}
