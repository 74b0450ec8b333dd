import { setTimeout as sleep } from 'node:timers/promises'
import { cacheFolders } from '#cli/cache.ts'
import { Orphans } from '#control-plane/alerting/deliveries/orphans.ts'
import { openDigestRounds } from '#control-plane/alerting/digest/rounds.ts'
import { openAlerting } from '#control-plane/alerting/open.ts'
import { Dispatcher } from '#control-plane/kernel/outbox.ts'
import { retryQuarantined } from '#control-plane/kernel/quarantine/retries.ts'
import type { Services } from '#control-plane/kernel/services.ts'
import { keepPurged } from '#control-plane/reselling/managed-teams/keep-purged.ts'
import { exportHeads } from '#control-plane/tenancy/audit-log/export-heads.ts'
import { insist } from './patience.ts'

const stopMs = 5_000
/** Temporal's libraries take half a second of computing to load: the API and the agents go first. */
const settleMs = 500

export interface DurableWork {
  /** Why durable processes do not run, or null. */
  whyNot(): Promise<string | null>
  close(): Promise<void>
}

/** The worker role: hands on the outbox, and does what durable processes ask for. Detection goes on without it. */
export function openDurableWork(services: Services): DurableWork {
  const stopping = new AbortController()
  let begun: DurableWork | undefined
  const starting = sleep(settleMs, undefined, { signal: stopping.signal })
    .then(() => begin(services, stopping.signal))
    .then(
      work => {
        begun = work
      },
      error => {
        if (!stopping.signal.aborted) services.log.error({ err: error }, 'durable work could not begin')
      },
    )
  return {
    whyNot: async () => (begun ? begun.whyNot() : 'has not started'),
    async close() {
      stopping.abort()
      await starting
      await begun?.close()
    },
  }
}

async function begin(services: Services, signal: AbortSignal): Promise<DurableWork> {
  const { config, log, platform, clickhouse, listener, metrics } = services
  const { address, namespace } = config.temporal
  // loaded here and not above: a native library that the other roles have no use for
  const temporal = address ? (await import('#workflows/client.ts')).openTemporal({ address, namespace }) : undefined
  const orphans = new Orphans(services)
  await orphans.join()
  const alerting = openAlerting(services, { hasWorkflows: temporal !== undefined })
  orphans.spare(alerting.claimed)
  const outbox = { platform, listener, log, metrics }
  // apart from each other: a Temporal that is slow must not keep events waiting
  const dispatchers = [new Dispatcher({ ...outbox, hear: [alerting.hear], kinds: ['event'], batch: 200 })]
  if (temporal) dispatchers.push(new Dispatcher({ ...outbox, startWorkflow: temporal.start, signalWorkflow: temporal.signal, kinds: ['workflow', 'signal'] }))
  for (const dispatcher of dispatchers) dispatcher.start()
  const heads = exportHeads(services)
  const digests = openDigestRounds(services)
  const retrying = retryQuarantined({ platform, listener, log, retries: { ...alerting.retries, ...digests.retries } })

  // a store may have been put back to an older state while we were away
  const keeping = insist(
    async () => {
      const found = await keepPurged(platform, clickhouse)
      if (found.length > 0) log.warn({ tenants: found }, 'tenants that were purged had come back, and are gone again')
    },
    { signal, onFailure: error => log.warn({ err: error }, 'whether purged tenants are back could not be seen; trying on') },
  )

  let isWorking = false
  const onReady = () => {
    isWorking = true
  }
  const working = address
    ? insist(
        async () => {
          const { runWorker } = await import('#workflows/worker.ts')
          await runWorker(
            { address, namespace, platform, clickhouse, retryDelivery: alerting.retry, metrics, log, cacheFolder: cacheFolders()[0], onReady },
            signal,
          ).finally(() => {
            isWorking = false
          })
        },
        { signal, onFailure: error => log.warn({ err: error }, 'Temporal is away; trying on') },
      )
    : Promise.resolve(true)

  return {
    async whyNot() {
      if (!temporal) return 'TEMPORAL_ADDRESS is not set: life cycles wait in the outbox'
      await temporal.ping()
      return isWorking ? null : 'the worker is starting'
    },
    async close() {
      heads.stop()
      orphans.leave()
      // a Temporal that hangs must not hold up the end
      await Promise.race([
        Promise.all([
          retrying.stop(),
          digests.close(),
          Promise.all(dispatchers.map(dispatcher => dispatcher.stop())).then(() => alerting.close()),
          working,
          keeping,
        ]),
        sleep(stopMs, undefined, { ref: false }),
      ])
      await temporal?.close()
    },
  }
}
