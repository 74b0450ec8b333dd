import { Rollups } from '#analytics/rollup.ts'
import { anIncident, minutesAgo, verdicts } from '#test/control-plane/monitoring/monitored.ts'
import { store } from '#test/control-plane/monitoring/results/store-results.ts'
import { app, type CallerUnderTest } from '#test/support/app.ts'

const regions = ['eu-west', 'us-east', 'ap-south']
const { platform, clickhouse, clock } = app.services
const hourMs = 3_600_000
const rollups = new Rollups({ clickhouse, now: () => clock.nowMs() })
let reconciled: Promise<unknown> | undefined

interface Shown {
  id: string
  check: string
}

/** A monitor as it is after two days of runs in three regions: an incident of an hour, thirty hours ago. */
export async function withResults(owner: CallerUnderTest, monitor: Shown, status = 'up'): Promise<void> {
  const everyMinutes = 10
  const runs = Array.from({ length: (48 * 60) / everyMinutes }, (_, index) => (index + 0.2) * everyMinutes)
  await store(
    runs.flatMap(ago =>
      regions.map((region, index) => ({
        tenant: owner.tenantId,
        monitor: monitor.id,
        check: monitor.check,
        region,
        due: minutesAgo(ago).getTime(),
        outcome: ago > 29 * 60 && ago < 30 * 60 ? ('down' as const) : ('up' as const),
        response_ms: ago > 29 * 60 && ago < 30 * 60 ? null : 80 + index * 60 + 30 * Math.sin(ago / 90) + (ago % 7) * 3,
      })),
    ),
  )
  // as ingest does: long time ranges and backtests read the hours that are closed from roll-ups
  const hours = new Set(runs.map(ago => Math.floor(minutesAgo(ago).getTime() / hourMs) * hourMs))
  // hours that nothing has closed yet are not computed when they are touched
  reconciled ??= rollups.reconcile()
  await reconciled
  rollups.touched([...hours].map(hour => ({ tenant: owner.tenantId, monitor: monitor.id, hour })))
  await rollups.tick()
  await verdicts(owner, monitor, [
    [minutesAgo(48 * 60), 'up'],
    [minutesAgo(30 * 60), 'down'],
    [minutesAgo(29 * 60), 'up'],
    ...(status === 'up' ? [] : [[minutesAgo(12), status] as const]),
  ])
  await anIncident(owner, { monitor, startedAt: minutesAgo(30 * 60), resolvedAt: minutesAgo(29 * 60) })
  await platform.query(
    `update checks set verdict = $2, verdict_since = $3, verdict_reason = $4, coverage = 'full' where id = $1`,
    [monitor.check, status, minutesAgo(status === 'up' ? 29 * 60 : 12), status === 'up' ? null : 'HTTP 503'],
  )
  // no agent runs here: without regions of its own the monitor would have none, and a backtest nothing to judge
  await platform.query(
    `update monitors set status = $2, status_changed_at = $3, status_reason = $4, coverage = 'full',
       regions = $5 where id = $1`,
    [monitor.id, status, minutesAgo(status === 'up' ? 29 * 60 : 12), status === 'up' ? null : 'HTTP 503', regions],
  )
}
