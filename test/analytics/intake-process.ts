import { setTimeout as sleep } from 'node:timers/promises'
import { type ClickHouseClient, openClickhouse } from '#analytics/client.ts'
import { ingest, type Sender } from '#analytics/ingest/ingest.ts'
import type { AssignedCheck } from '#analytics/ingest/observation.ts'

/**
 * Where a process of the intake ends itself by force: verdicts decided, an insert on its way, stored, acknowledged; or
 * the test ends it.
 */
export type KillPoint = 'decide' | 'send' | 'store' | 'answer' | 'any'

export interface Order {
  url: string
  checks: AssignedCheck[]
  point: KillPoint
  /** The how manieth time it comes to that point. */
  times: number
  /** Taken out for the control: says that rows are stored while they are on their way. */
  isHasty: boolean
}
export interface Delivery {
  batch: number
  packed: Buffer
  sender: Sender
}
export type Word = { ready: true } | { decided: string[] } | { batch: number; status: number }

const say = (word: Word) => new Promise<void>(resolve => process.send?.(word, () => resolve()))

let left = Number.POSITIVE_INFINITY
const passes = () => {
  if (--left === 0) process.kill(process.pid, 'SIGKILL')
}

function open({ url, checks, point, times, isHasty }: Order): ReturnType<typeof ingest> {
  left = times
  const known = new Map(checks.map(check => [check.check, check]))
  const at = (reached: KillPoint) => reached === point && passes()
  const clickhouse = new Proxy(openClickhouse(url), {
    get(target, name) {
      if (name !== 'exec') return Reflect.get(target, name, target)
      return async (params: Parameters<ClickHouseClient['exec']>[0]) => {
        const sent = target.exec(params)
        if (isHasty) {
          sent.catch(() => {})
          return { stream: [] }
        }
        if (point === 'send' && left === 1) await sleep(Math.random() * 6)
        at('send')
        const stored = await sent
        at('store')
        return stored
      }
    },
  })
  return ingest({
    clickhouse,
    now: Date.now,
    findAssigned: (_region, check) => known.get(check),
    async decide(observations) {
      await say({ decided: observations.map(({ check, region, due }) => `${check} ${region} ${due}`) })
      at('decide')
    },
  })
}

let intake: ReturnType<typeof ingest> | undefined
let order: Order
process.on('message', async (message: Order | Delivery) => {
  if (!('packed' in message)) {
    order = message
    intake = open(message)
    return
  }
  const taken = await intake!.take(message.packed, 'zstd', message.sender)
  await say({ batch: message.batch, status: taken.status })
  if (order.point === 'answer' && taken.status === 200) passes()
})
process.on('disconnect', () => process.exit())
await say({ ready: true })
