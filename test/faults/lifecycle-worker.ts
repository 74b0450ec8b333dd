import { NativeConnection, Worker } from '@temporalio/worker'
import pg from 'pg'
import { pino } from 'pino'
import { openClickhouse } from '#analytics/client.ts'
import { databaseCalendar } from '#control-plane/base/calendar.ts'
import { Listener } from '#control-plane/base/listen.ts'
import { createMetrics } from '#control-plane/base/metrics.ts'
import { Dispatcher } from '#control-plane/outbox/dispatcher.ts'
import { quiet } from '#test/workflows/skipping.ts'
import { bundle } from '#workflows/bundle.ts'
import { openTemporal } from '#workflows/client.ts'
import { taskQueue } from '#workflows/config.ts'
import { activitiesOf } from '#workflows/worker.ts'

/**
 * A worker as in `cli/serve/worker.ts`, with short days, that kills itself with a probability: before a step, in it, or
 * when it is done and not yet reported. It goes on after its server was killed.
 */
const {
  TEMPORAL_ADDRESS: address = '',
  PLATFORM_URL,
  CLICKHOUSE_URL = '',
  CACHE,
  TRIAL_DAY_MS,
  PURGE_DAY_MS,
  KILL_PROBABILITY,
} = process.env
const probability = Number(KILL_PROBABILITY ?? 0)
const die = () => process.kill(process.pid, 'SIGKILL')

quiet()
const log = pino({ level: 'silent' })
const platform = new pg.Pool({ connectionString: PLATFORM_URL, max: 12 })
platform.on('error', () => undefined)
const clickhouse = openClickhouse(CLICKHOUSE_URL)
const listener = new Listener(PLATFORM_URL ?? '', log)
await listener.start()

const handsOf = (dayMs: number) =>
  activitiesOf({
    retryDelivery: async () => 'superseded',
    advanceMigration: async () => 'superseded',
    prices: [],
    platform,
    clickhouse,
    calendar: { ...databaseCalendar, dayMs },
  })
const { purgeTeam, eraseResults } = handsOf(Number(PURGE_DAY_MS))
// ClickHouse deletes files only after half a minute: another test measures that
const hands = { ...handsOf(Number(TRIAL_DAY_MS)), purgeTeam, eraseResults, dropErasedFiles: async () => undefined }

type Act = (...args: never[]) => Promise<unknown>
const mortal =
  (act: Act): Act =>
  async (...args) => {
    const fate = Math.random() / probability
    if (fate < 1 / 3) die()
    if (fate < 2 / 3) setTimeout(die, Math.random() * 20)
    const outcome = await act(...args)
    if (fate < 1) die()
    return outcome
  }

const temporal = openTemporal({ address, namespace: 'default' })
const dispatcher = new Dispatcher({
  platform,
  listener,
  log,
  metrics: createMetrics(),
  startWorkflow: temporal.start,
  signalWorkflow: temporal.signal,
})
dispatcher.start()
const code = await bundle(CACHE)
console.log('ready')
for (;;) {
  try {
    const connection = await NativeConnection.connect({ address })
    const worker = await Worker.create({
      connection,
      taskQueue,
      workflowBundle: { code },
      activities: Object.fromEntries(Object.entries<Act>(hands).map(([name, act]) => [name, mortal(act)])),
      maxConcurrentActivityTaskExecutions: 20,
      stickyQueueScheduleToStartTimeout: '2 seconds',
    })
    await worker.run()
  } catch {
    await new Promise(resolve => setTimeout(resolve, 300))
  }
}
