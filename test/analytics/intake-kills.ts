import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { rolldown } from 'rolldown'
import type { ClickHouseClient } from '#analytics/client.ts'
import { makeCheck, sender } from './given.ts'
import type { Delivery, KillPoint, Order, Word } from './intake-process.ts'
import { type Account, chance, Ledger } from './ledger.ts'

export interface IntakeKills extends Account {
  kills: number
  /** Stored though no verdict was decided from it. */
  undecided: number
}

interface Database {
  clickhouse: ClickHouseClient
  url: string
}
interface Wish {
  kills: number
  seed: number
  /** The control: it acknowledges what is still on its way. */
  isHasty?: boolean
}

/** A process of the intake, on a ClickHouse that lives. */
class Intake {
  readonly #process: ChildProcess
  readonly #answers = new Map<number, (status: number) => void>()
  readonly #ready: Promise<unknown>
  readonly ended: Promise<unknown>
  #batches = 0

  constructor(program: string, decided: Set<string>) {
    this.#process = fork(program, { serialization: 'advanced', stdio: 'inherit', execArgv: [] })
    this.#ready = once(this.#process, 'message')
    this.ended = once(this.#process, 'close').then(() => {
      for (const answer of this.#answers.values()) answer(0)
      this.#answers.clear()
    })
    this.#process.on('message', (word: Word) => {
      if ('decided' in word) for (const key of word.decided) decided.add(key)
      if (!('batch' in word)) return
      this.#answers.get(word.batch)?.(word.status)
      this.#answers.delete(word.batch)
    })
  }

  async obey(order: Order) {
    await this.#ready
    this.#process.send(order)
  }

  /** The status of the answer, 0 where there was none. */
  take(packed: Buffer, region: string): Promise<number> {
    if (!this.#process.connected) return this.ended.then(() => 0)
    const delivery: Delivery = { batch: this.#batches++, packed, sender: sender(region) }
    return new Promise(resolve => {
      this.#answers.set(delivery.batch, resolve)
      this.#process.send(delivery, error => error && resolve(0))
    })
  }

  kill() {
    this.#process.kill('SIGKILL')
  }

  get signal() {
    return this.#process.signalCode
  }
}

/**
 * Ends the process that takes results in by force, between each two of its steps and at any moment, while three regions
 * send: each batch again until it is acknowledged. ClickHouse lives on. Then counts what became of them: the fault F1.
 */
export async function killIntake(
  { clickhouse, url }: Database,
  { kills, seed, isHasty = false }: Wish,
): Promise<IntakeKills> {
  const random = chance(seed)
  const folder = mkdtempSync(join(tmpdir(), 'vedette-intake-'))
  const program = await bundle(folder)
  const checks = Array.from({ length: 20 }, () => makeCheck())
  const ledger = new Ledger(checks, random)
  const decided = new Set<string>()
  const start = () => new Intake(program, decided)
  const order: Order = { url, checks, point: 'any', times: Number.POSITIVE_INFINITY, isHasty }

  let next = start()
  let serving = Promise.withResolvers<Intake>()
  let isOver = false
  let isBroken = false
  // what is acknowledged too early is lost by who dies right after
  const points: KillPoint[] = isHasty ? ['answer'] : ['decide', 'send', 'store', 'answer', 'any']
  const agent = async (region: string) => {
    for (let batch = 0; !isOver; batch++) {
      const { packed, keys } = ledger.batch(region, batch)
      while ((await (await serving.promise).take(packed, region)) !== 200) {
        if (isBroken) return
        await sleep(2)
      }
      ledger.acknowledge(keys)
    }
  }
  const agents = Promise.all(['eu-west', 'us-east', 'ap-south'].map(agent))
  let killed = 0
  try {
    for (let kill = 0; kill < kills; kill++) {
      const [intake, point] = [next, points[kill % points.length]!]
      // as a supervisor has the next one ready
      next = start()
      await intake.obey({ ...order, point, times: isHasty ? 1 : 1 + Math.floor(random() * 3) })
      serving.resolve(intake)
      if (point === 'any') {
        await sleep(random() * 40)
        intake.kill()
      }
      await intake.ended
      if (intake.signal === 'SIGKILL') killed++
      serving = Promise.withResolvers()
    }
    await next.obey(order)
    serving.resolve(next)
    isOver = true
    await agents
    const stored = await ledger.stored(clickhouse)
    return {
      kills: killed,
      undecided: [...stored.keys()].filter(key => !decided.has(key)).length,
      ...ledger.account(stored),
    }
  } finally {
    isOver = true
    isBroken = true
    next.kill()
    await next.ended
    rmSync(folder, { recursive: true, force: true })
  }
}

/** In one file it starts in a third of the time, and it starts as often as it is killed. */
async function bundle(folder: string): Promise<string> {
  const file = join(folder, 'intake.mjs')
  const made = await rolldown({
    input: join(import.meta.dirname, 'intake-process.ts'),
    platform: 'node',
    logLevel: 'silent',
  })
  await made.write({ file, format: 'esm' })
  await made.close()
  return file
}
