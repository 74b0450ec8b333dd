import { setTimeout as sleep } from 'node:timers/promises'
import { help, readConfig } from './config.ts'
import { Machine, readHost } from './machine.ts'
import { Sender } from './sender.ts'
import { Spool } from './spool.ts'

/** Set when the program is bundled. */
declare const VEDETTE_AGENT_VERSION: string | undefined
const version = typeof VEDETTE_AGENT_VERSION === 'string' ? VEDETTE_AGENT_VERSION : 'source'

const log = (text: string) => process.stderr.write(`${new Date().toISOString()} ${text}\n`)
const onceMs = 30_000

/** Samples, stores and sends until it is stopped. Returns the exit code. */
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
    do process.stdout.write(`${JSON.stringify({ host, ...(await machine.sample(() => Date.now())) })}\n`)
    while (!config.isOnce && (await isAwake(config.intervalS * 1_000, signal)))
    return 0
  }

  if (config.isInsecure) log(`insecure address ${new URL(config.url).host}: the token is sent unencrypted`)
  const spool = new Spool(config.folder, config.spoolBytes)
  const sender = new Sender({ url: config.url, token: config.token, spool, host })
  const takeSample = async () => spool.store(await machine.sample(() => Date.now() + sender.skewMs))
  if (config.isOnce) {
    await takeSample()
    for (const end = performance.now() + onceMs; spool.size > 0; ) {
      const outcome = await sender.send(signal)
      if (outcome.kind !== 'sent') log(outcome.why)
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
  log(
    `vedette agent ${version}: samples every ${config.intervalS} s, ${spool.size} samples wait to be sent to ` +
      `${new URL(config.url).host}`,
  )
  await Promise.all([sampleLoop(), sendLoop()])
  return 0

  /** Sample times are on a fixed grid with a random offset per start, so that many servers do not report at once. */
  async function sampleLoop(): Promise<void> {
    const everyMs = config!.intervalS * 1_000
    for (let due = performance.now(); !signal.aborted; ) {
      await takeSample().catch(error => log(`sample lost: ${error instanceof Error ? error.message : error}`))
      wake()
      const now = performance.now()
      due += everyMs * Math.max(1, Math.ceil((now - due) / everyMs))
      if (!(await isAwake(due - now, signal))) return
    }
  }

  async function sendLoop(): Promise<void> {
    let isFailing = false
    while (!signal.aborted) {
      if (spool.size === 0) {
        await new Promise<void>(resolve => {
          wake = resolve
        })
        continue
      }
      const outcome = await sender.send(signal)
      if (outcome.kind === 'refused') log(`${outcome.count} samples refused: ${outcome.why}`)
      if (outcome.kind === 'sent' && isFailing) log('sending again')
      if (outcome.kind === 'later' && !isFailing && !signal.aborted)
        log(`${outcome.why}; samples are kept and sent later`)
      isFailing = outcome.kind === 'later'
      if (outcome.kind === 'later') await isAwake(outcome.afterMs, signal)
    }
  }
}

/** False when it is time to stop. */
const isAwake = (ms: number, signal: AbortSignal): Promise<boolean> => sleep(ms, true, { signal }).catch(() => false)
