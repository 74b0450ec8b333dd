import type { ClickHouseClient } from '@clickhouse/client'
import type { Context } from '@temporalio/activity'
import { ApplicationFailure } from '@temporalio/common'
import { type ActivityInterceptors, NativeConnection, Runtime, Worker } from '@temporalio/worker'
import type { Pool } from 'pg'
import type { Logger } from 'pino'
import { isTransient } from '#control-plane/base/away.ts'
import { type Calendar, databaseCalendar } from '#control-plane/base/calendar.ts'
import type { Metrics } from '#control-plane/base/metrics.ts'
import { Quarantine } from '#control-plane/base/quarantine/quarantine.ts'
import { bundle } from './bundle.ts'
import { taskQueue } from './config.ts'
import { deliveryRetryActivities, type RetryDelivery } from './delivery-retry/activities.ts'
import { invitationExpiryActivities } from './invitation-expiry/activities.ts'
import { registerSearchAttributes } from './search.ts'
import { snoozeEndActivities } from './snooze-end/activities.ts'
import { teamPurgeActivities } from './team-purge/activities.ts'
import { tokenGraceActivities } from './token-grace/activities.ts'
import { trialActivities } from './trial/activities.ts'

/** What activities work with. */
export interface WorkerDeps {
  platform: Pool
  clickhouse: ClickHouseClient
  calendar: Calendar
  retryDelivery: RetryDelivery
}

export interface WorkerOptions
  extends Pick<WorkerDeps, 'platform' | 'clickhouse' | 'retryDelivery'>,
    Partial<Pick<WorkerDeps, 'calendar'>> {
  address: string
  namespace: string
  log: Logger
  metrics?: Pick<Metrics, 'processSteps'> | undefined
  /** Where the bundled workflows are kept between starts. */
  cacheFolder?: string | undefined
  onReady?(): void
}

let isInstalled = false

/** Once a process: signals are the process's own business, and lines go where all others go. */
function installRuntime(log: Logger): void {
  if (isInstalled) return
  isInstalled = true
  const level = { TRACE: 'trace', DEBUG: 'debug', INFO: 'debug', WARN: 'warn', ERROR: 'error' } as const
  Runtime.install({
    shutdownSignals: [],
    logger: {
      log: (at, message, meta) => log[level[at]]({ temporal: meta?.error ? String(meta.error) : undefined }, message),
      trace: message => log.trace(message),
      debug: message => log.debug(message),
      info: message => log.debug(message),
      warn: message => log.warn(message),
      error: message => log.error(message),
    },
    telemetryOptions: { logging: { forward: {}, filter: { core: 'ERROR', other: 'ERROR' } } },
  })
}

export const activitiesOf = (deps: WorkerDeps) => ({
  ...snoozeEndActivities(deps.platform),
  ...trialActivities(deps),
  ...teamPurgeActivities(deps),
  ...tokenGraceActivities(deps),
  ...invitationExpiryActivities(deps),
  ...deliveryRetryActivities(deps),
})

/** Answers of ours are words of a closed set, or a time to wait. */
const countSteps =
  ({ processSteps }: Pick<Metrics, 'processSteps'>) =>
  (context: Context): ActivityInterceptors => ({
    inbound: {
      async execute(input, next) {
        const step = context.info.activityType
        try {
          const outcome = await next(input)
          processSteps.inc({ step, outcome: typeof outcome === 'string' ? outcome : 'later' })
          return outcome
        } catch (error) {
          processSteps.inc({ step, outcome: 'failed' })
          throw error
        }
      },
    },
  })

/** So often a step may fail before it is listed: Temporal goes on trying once a minute. */
const quietAttempts = 2

/** A step that fails time and again for what it finds in a row is listed beside the rows that loops fail on. */
const listSteps =
  (quarantine: Quarantine) =>
  (context: Context): ActivityInterceptors => ({
    inbound: {
      async execute(input, next) {
        const { activityType, attempt, workflowExecution } = context.info
        const key = `${activityType} ${workflowExecution?.workflowId ?? ''}`.slice(0, 200)
        try {
          const outcome = await next(input)
          if (attempt > quietAttempts) await quarantine.release('durable_step', [key])
          return outcome
        } catch (error) {
          const isAskedAgain = error instanceof ApplicationFailure
          if (attempt > quietAttempts && !isAskedAgain && !isTransient(error))
            await quarantine.note('durable_step', [{ key, tenant: null, error }])
          throw error
        }
      },
    },
  })

/** Does what workflows ask for until the signal ends it. Rejects when Temporal cannot be reached or goes for good: the caller tries again. */
export async function runWorker(
  {
    address,
    namespace,
    platform,
    clickhouse,
    retryDelivery,
    calendar = databaseCalendar,
    metrics,
    log,
    cacheFolder,
    onReady,
  }: WorkerOptions,
  signal: AbortSignal,
): Promise<void> {
  installRuntime(log)
  const code = await bundle(cacheFolder)
  const connection = await NativeConnection.connect({ address })
  try {
    await registerSearchAttributes(connection, namespace, log)
    const worker = await Worker.create({
      connection,
      namespace,
      taskQueue,
      workflowBundle: { code },
      activities: activitiesOf({ platform, clickhouse, calendar, retryDelivery }),
      interceptors: {
        activity: [listSteps(new Quarantine({ platform, log })), ...(metrics ? [countSteps(metrics)] : [])],
      },
      shutdownGraceTime: '2 seconds',
      maxConcurrentActivityTaskExecutions: 20,
    })
    const stop = () => {
      if (worker.getState() === 'RUNNING') worker.shutdown()
    }
    signal.addEventListener('abort', stop)
    const running = worker.run()
    log.info({ task_queue: taskQueue }, 'the Temporal worker is at work')
    onReady?.()
    if (signal.aborted) stop()
    try {
      await running
      if (!signal.aborted) throw new Error('The Temporal worker ended unasked.')
    } finally {
      signal.removeEventListener('abort', stop)
    }
  } finally {
    await connection.close()
  }
}
