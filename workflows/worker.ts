import type { ClickHouseClient } from '@clickhouse/client'
import type { Context } from '@temporalio/activity'
import { ApplicationFailure, defaultPayloadConverter } from '@temporalio/common'
import { type ActivityInterceptors, NativeConnection, Runtime, Worker } from '@temporalio/worker'
import type { Pool } from 'pg'
import type { Logger } from 'pino'
import type { PriceList } from '#contract/billing.ts'
import { isTransient } from '#control-plane/base/away.ts'
import { type Calendar, databaseCalendar } from '#control-plane/base/calendar.ts'
import type { Metrics } from '#control-plane/base/metrics.ts'
import { Quarantine } from '#control-plane/base/quarantine/quarantine.ts'
import { noTracing, type Tracing, within } from '#control-plane/base/tracing.ts'
import { billingActivities } from './billing/activities.ts'
import { bundle } from './bundle.ts'
import { taskQueue, traceHeader } from './config.ts'
import { deliveryRetryActivities, type RetryDelivery } from './delivery-retry/activities.ts'
import { invitationExpiryActivities } from './invitation-expiry/activities.ts'
import { type AdvanceMigration, migrationActivities } from './migration/activities.ts'
import { registerSearchAttributes } from './search.ts'
import { snoozeEndActivities } from './snooze-end/activities.ts'
import { teamPurgeActivities } from './team-purge/activities.ts'
import { tokenGraceActivities } from './token-grace/activities.ts'
import { trialActivities } from './trial/activities.ts'

/** The dependencies of activities. */
export interface WorkerDeps {
  platform: Pool
  clickhouse: ClickHouseClient
  calendar: Calendar
  retryDelivery: RetryDelivery
  advanceMigration: AdvanceMigration
  /** What plans cost. */
  prices: PriceList
}

export interface WorkerOptions
  extends Pick<WorkerDeps, 'platform' | 'clickhouse' | 'retryDelivery' | 'advanceMigration' | 'prices'>,
    Partial<Pick<WorkerDeps, 'calendar'>> {
  address: string
  namespace: string
  log: Logger
  metrics?: Pick<Metrics, 'processSteps'> | undefined
  tracing?: Tracing
  /** Where the bundled workflows are kept between starts. */
  cacheFolder?: string | undefined
  onReady?(): void
}

let isInstalled = false

/** Runs once a process: the process handles signals itself, and Temporal's lines go to our log. */
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
  ...billingActivities(deps),
  ...teamPurgeActivities(deps),
  ...tokenGraceActivities(deps),
  ...invitationExpiryActivities(deps),
  ...deliveryRetryActivities(deps),
  ...migrationActivities(deps),
})

/** Counts activities by outcome, which is one of a few strings, or a time to wait. */
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

/** Records activities, as parts of the trace that their workflow was started in. */
const traceSteps =
  (tracing: Tracing) =>
  ({ info }: Context): ActivityInterceptors => ({
    inbound: {
      execute(input, next) {
        const { [traceHeader]: carried } = input.headers
        const span = tracing.begin({
          name: `activity ${info.activityType}`,
          kind: 'consumer',
          stored: carried && defaultPayloadConverter.fromPayload<string>(carried),
          attributes: { 'vedette.activity.name': info.activityType, 'vedette.activity.attempt': info.attempt },
        })
        return within(span, () => next(input))
      },
    },
  })

/** Attempts before a failing step is quarantined; Temporal retries once a minute. */
const quietAttempts = 2

/** Quarantines a step that fails repeatedly, unless the failure is transient. */
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

/** Runs a Temporal worker until the signal ends it. Rejects when Temporal is unavailable: the caller retries. */
export async function runWorker(
  {
    address,
    namespace,
    platform,
    clickhouse,
    retryDelivery,
    advanceMigration,
    prices,
    calendar = databaseCalendar,
    metrics,
    tracing = noTracing,
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
      activities: activitiesOf({ platform, clickhouse, calendar, retryDelivery, advanceMigration, prices }),
      interceptors: {
        activity: [
          traceSteps(tracing),
          listSteps(new Quarantine({ platform, log })),
          ...(metrics ? [countSteps(metrics)] : []),
        ],
      },
      shutdownGraceTime: '2 seconds',
      maxConcurrentActivityTaskExecutions: 20,
    })
    const stop = () => {
      if (worker.getState() === 'RUNNING') worker.shutdown()
    }
    signal.addEventListener('abort', stop)
    const running = worker.run()
    log.info({ task_queue: taskQueue }, 'Temporal worker start')
    onReady?.()
    if (signal.aborted) stop()
    try {
      await running
      if (!signal.aborted) throw new Error('The Temporal worker ended unexpectedly.')
    } finally {
      signal.removeEventListener('abort', stop)
    }
  } finally {
    await connection.close()
  }
}
