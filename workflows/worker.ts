import { NativeConnection, Runtime, Worker } from '@temporalio/worker'
import type { Pool } from 'pg'
import type { Logger } from 'pino'
import { bundle } from './bundle.ts'
import { taskQueue } from './config.ts'
import { snoozeEndActivities } from './snooze-end/activities.ts'

export interface WorkerOptions {
  address: string
  namespace: string
  platform: Pool
  log: Logger
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

export const activitiesOf = (platform: Pool) => ({ ...snoozeEndActivities(platform) })

/** Does what workflows ask for until the signal ends it. Rejects when Temporal cannot be reached or goes for good: the caller tries again. */
export async function runWorker({ address, namespace, platform, log, cacheFolder, onReady }: WorkerOptions, signal: AbortSignal): Promise<void> {
  installRuntime(log)
  const code = await bundle(cacheFolder)
  const connection = await NativeConnection.connect({ address })
  try {
    const worker = await Worker.create({
      connection,
      namespace,
      taskQueue,
      workflowBundle: { code },
      activities: activitiesOf(platform),
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
