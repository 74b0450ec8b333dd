import { setTimeout as sleep } from 'node:timers/promises'
import { help, readConfig } from './config.ts'
import { Machine, readHost } from './look.ts'
import { Sender } from './sender.ts'
import { Spool } from './spool.ts'

/** Set where the program is bundled. */
declare const VEDETTE_AGENT_VERSION: string | undefined
const version = typeof VEDETTE_AGENT_VERSION === 'string' ? VEDETTE_AGENT_VERSION : 'source'

const say = (text: string) => process.stderr.write(`${new Date().toISOString()} ${text}\n`)
const onceMs = 30_000

/** Looks, keeps, sends, until it is told to stop. Answers the exit code. */
export async function runServerAgent(args: readonly string[]): Promise<number> {
  const config = readConfig(args)
  if (config === null) {
    process.stdout.write(`${help}\n`)
    return 0
  }
  const stop = new AbortController()
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => stop.abort())
  const { signal } = stop

  const machine = new Machine(config.without)
  const host = await readHost(version)
  if (config.prints) {
    do process.stdout.write(`${JSON.stringify({ host, ...(await machine.look(() => Date.now())) })}\n`)
    while (!config.isOnce && (await isAwake(config.intervalS * 1_000, signal)))
    return 0
  }

  if (config.isInsecure) say(`insecure address ${new URL(config.url).host}: the token travels in clear`)
  const spool = new Spool(config.folder, config.spoolBytes)
  const sender = new Sender({ url: config.url, token: config.token, spool, host })
  const look = async () => spool.keep(await machine.look(() => Date.now() + sender.skewMs))
  if (config.isOnce) {
    await look()
    for (const end = performance.now() + onceMs; spool.size > 0; ) {
      const outcome = await sender.send(signal)
      if (outcome.kind !== 'sent') say(outcome.why)
      if (outcome.kind === 'refused') return 1
      if (
        outcome.kind === 'later' &&
        (performance.now() + outcome.afterMs > end || !(await isAwake(outcome.afterMs, signal)))
      )
        return 1
    }
    return 0
  }

  let wake = () => {}
  signal.addEventListener('abort', () => wake())
  say(
    `vedette agent ${version}: looks every ${config.intervalS} s, ${spool.size} looks wait to be sent to ${new URL(config.url).host}`,
  )
  await Promise.all([lookAgainAndAgain(), sendAgainAndAgain()])
  return 0

  /** Moments lie on a fixed grid, drawn anew for each start, so that many servers do not come all at once. */
  async function lookAgainAndAgain(): Promise<void> {
    const everyMs = config!.intervalS * 1_000
    for (let due = performance.now(); !signal.aborted; ) {
      await look().catch(error => say(`this look was lost: ${error instanceof Error ? error.message : error}`))
      wake()
      const now = performance.now()
      due += everyMs * Math.max(1, Math.ceil((now - due) / everyMs))
      if (!(await isAwake(due - now, signal))) return
    }
  }

  async function sendAgainAndAgain(): Promise<void> {
    let isIll = false
    while (!signal.aborted) {
      if (spool.size === 0) {
        await new Promise<void>(resolve => {
          wake = resolve
        })
        continue
      }
      const outcome = await sender.send(signal)
      if (outcome.kind === 'refused') say(`${outcome.count} looks were refused and are not sent again: ${outcome.why}`)
      if (outcome.kind === 'sent' && isIll) say('sending again')
      if (outcome.kind === 'later' && !isIll && !signal.aborted)
        say(`${outcome.why}; what is seen is kept and sent later`)
      isIll = outcome.kind === 'later'
      if (outcome.kind === 'later') await isAwake(outcome.afterMs, signal)
    }
  }
}

/** False when it is time to stop. */
const isAwake = (ms: number, signal: AbortSignal): Promise<boolean> => sleep(ms, true, { signal }).catch(() => false)
