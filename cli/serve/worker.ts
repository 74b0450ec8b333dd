import { setTimeout as sleep } from 'node:timers/promises'
import { cacheFolders } from '#cli/local/cache.ts'
import { AbandonedClaims } from '#control-plane/alerting/deliveries/abandoned-claims.ts'
import { openDigestRounds } from '#control-plane/alerting/digest/rounds.ts'
import { openAlerting } from '#control-plane/alerting/open.ts'
import { Loop } from '#control-plane/base/loop.ts'
import { Quarantine } from '#control-plane/base/quarantine/quarantine.ts'
import { type Retries, retryQuarantined } from '#control-plane/base/quarantine/retries.ts'
import { pricesOf } from '#control-plane/billing/provider.ts'
import { watchBillingEvents } from '#control-plane/billing/stripe/watch.ts'
import { openOrm } from '#control-plane/db/orm.ts'
import { startDeletingVerdicts } from '#control-plane/engine/verdicts/retention.ts'
import { startDeletingTexts } from '#control-plane/engine/verdicts/target-texts.ts'
import { forgetChanges } from '#control-plane/http/access/known-callers.ts'
import { forgetAnswers } from '#control-plane/http/idempotency.ts'
import type { Services } from '#control-plane/http/services.ts'
import { watchSsoDomains } from '#control-plane/identity/sso/domain-watch.ts'
import { advanceMigration } from '#control-plane/importing/advance.ts'
import { watchSnoozes } from '#control-plane/monitoring/checks/late-snoozes.ts'
import { forgetStreamEvents } from '#control-plane/monitoring/stream/feed.ts'
import { Dispatcher } from '#control-plane/outbox/dispatcher.ts'
import { restoredNotice } from '#control-plane/platform/restored/notice.ts'
import { keepSecrets } from '#control-plane/platform/secrets/keep.ts'
import { watchDomains } from '#control-plane/publishing/custom-domains/watch.ts'
import { attachReport } from '#control-plane/publishing/reports/attach.ts'
import { openSubscribing } from '#control-plane/publishing/status-pages/subscribers/open.ts'
import { keepPurgedList } from '#control-plane/reselling/managed-teams/purged-list.ts'
import { reapplyPurges } from '#control-plane/reselling/managed-teams/reapply-purges.ts'
import { startDeletingSignUps } from '#control-plane/reselling/sign-up/delete-expired.ts'
import { exportHeads } from '#control-plane/tenancy/audit-log/export-heads.ts'
import { retryUntilDone } from './retry.ts'

const stopMs = 5_000
/** Temporal's libraries compute for half a second while loading, so the API and the agents start first. */
const settleMs = 500
const reapplyPurgesMs = 3_600_000

export interface DurableWork {
  /** Why workflows do not run, or null. */
  whyNot(): Promise<string | null>
  close(): Promise<void>
}

/** The worker role: dispatches the outbox and runs activities of workflows. Detection works without it. */
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
        if (!stopping.signal.aborted) services.log.error({ err: error }, 'worker start failure')
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
  // what was opened is closed in reverse, also when the last step of the start throws
  await using opened = new AsyncDisposableStack()
  // loaded here and not above: a native library that the other roles have no use for
  const temporal = address ? (await import('#workflows/client.ts')).openTemporal({ address, namespace }) : undefined
  opened.defer(async () => void (await temporal?.close()))
  const [handing, waiting] = [new AsyncDisposableStack(), new AsyncDisposableStack()]
  // a Temporal that hangs must not delay the end
  opened.defer(() =>
    Promise.race([ended([handing.disposeAsync(), waiting.disposeAsync()]), sleep(stopMs, undefined, { ref: false })]),
  )
  // imports act for tenants: bound by row security, as requests are
  const orm = opened.adopt(await openOrm(config, signal), it => it.close())
  const abandonedClaims = opened.adopt(new AbandonedClaims(services), found => found.leave())
  await abandonedClaims.join()
  const alerting = handing.adopt(
    openAlerting(services, { hasWorkflows: temporal !== undefined, attach: attachReport(services) }),
    it => it.close(),
  )
  const subscribing = handing.adopt(openSubscribing(services, alerting.divert), it => it.close())
  abandonedClaims.spare(alerting.claimed)
  const outbox = { platform, listener, log, metrics, tracing: services.tracing }
  // separate dispatchers: a slow Temporal must not delay events
  const dispatchers = [
    new Dispatcher({
      ...outbox,
      listeners: [alerting.receive],
      kinds: ['event'],
      batch: 200,
      tidy: [forgetAnswers, forgetChanges, forgetStreamEvents],
    }),
  ]
  if (temporal)
    dispatchers.push(
      new Dispatcher({
        ...outbox,
        startWorkflow: temporal.start,
        signalWorkflow: temporal.signal,
        kinds: ['workflow', 'signal'],
      }),
    )
  handing.defer(() => ended(dispatchers.map(dispatcher => dispatcher.stop())))
  for (const dispatcher of dispatchers) dispatcher.start()
  opened.adopt(exportHeads(services), heads => heads.stop())
  const digests = openDigestRounds(services)
  const secrets = keepSecrets(services)
  const domains = watchDomains(services)
  const ssoDomains = watchSsoDomains(services)
  const payments = watchBillingEvents(services)
  const signUps = startDeletingSignUps(services)
  const snoozes = watchSnoozes(services)
  const texts = startDeletingTexts(services)
  const oldVerdicts = startDeletingVerdicts(services)
  const purgedList = config.purgedTeamsList ? keepPurgedList(services, config.purgedTeamsList) : undefined
  const quarantine = new Quarantine(services)
  const retries: Retries = {
    ...alerting.retries,
    ...subscribing.retries,
    ...digests.retries,
    ...secrets.retries,
    billing_event: events => payments.retry(events),
    custom_domain: ids => domains.retry(ids),
    sso_domain: ids => ssoDomains.retry(ids),
    // Temporal retries these itself, once a minute: a step that fails again is quarantined again
    durable_step: steps => quarantine.release('durable_step', steps),
    purged_tenant: () => reapplyPurges(services),
  }
  const retrying = retryQuarantined({ platform, listener, log, retries })

  // a store may have been set back to an older state, also while the worker did not run
  const keeping = new Loop({
    everyMs: reapplyPurgesMs,
    round: async () => {
      const found = await reapplyPurges(services)
      if (found.length > 0) log.warn({ tenants: found }, 'purged tenants found in a restored store and erased again')
    },
    retryMs: 1_000,
    wake: { listener, notice: restoredNotice },
    log,
    failure: 'purged tenant check failure',
  }).start()

  let isWorking = false
  const onReady = () => {
    isWorking = true
  }
  const runWorker = async () => {
    const worker = await import('#workflows/worker.ts')
    const cacheFolder = cacheFolders()[0]
    await worker
      .runWorker(
        {
          address: address!,
          namespace,
          platform,
          clickhouse,
          retryDelivery: alerting.retry,
          advanceMigration: id => advanceMigration({ services, em: orm.em }, id),
          prices: pricesOf(services),
          metrics,
          tracing: services.tracing,
          log,
          cacheFolder,
          onReady,
        },
        signal,
      )
      .finally(() => {
        isWorking = false
      })
  }
  const onFailure = (error: unknown) => log.warn({ err: error }, 'Temporal connection failure, retrying')
  const working = address ? retryUntilDone(runWorker, { signal, onFailure }) : Promise.resolve(true)
  waiting.defer(() =>
    ended([
      retrying.stop(),
      digests.close(),
      secrets.stop(),
      domains.stop(),
      ssoDomains.stop(),
      payments.stop(),
      signUps.stop(),
      snoozes.stop(),
      texts.stop(),
      oldVerdicts.stop(),
      purgedList?.stop(),
      working,
      keeping.stop(),
    ]),
  )

  const work = opened.move()
  return {
    async whyNot() {
      if (!temporal) return 'TEMPORAL_ADDRESS is not set: life cycles wait in the outbox'
      await temporal.ping()
      return isWorking ? null : 'the worker is starting'
    },
    close: () => work.disposeAsync(),
  }
}

const ended = async (work: readonly (Promise<unknown> | undefined)[]): Promise<void> => void (await Promise.all(work))
