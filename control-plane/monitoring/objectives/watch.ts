import { sql } from 'kysely'
import type { Pool, PoolClient } from 'pg'
import type { Logger } from 'pino'
import { Loop } from '#control-plane/base/loop.ts'
import { inTransaction } from '#control-plane/base/transaction.ts'
import type { BudgetState, Objective } from '#control-plane/db/model/shapes.ts'
import { prepared, type Row, rows } from '#control-plane/db/queries.ts'
import { dayMs, type JudgedTime, noTime } from '#control-plane/monitoring/statistics/judged-time.ts'
import { readJudgedTime } from '#control-plane/monitoring/statistics/read-judged.ts'
import { type EmittedEvent, emitEvents } from '#control-plane/outbox/emit.ts'
import { burnRate } from './budget.ts'
import { budgetStateOf } from './budget-state.ts'
import { followObjectives } from './follow.ts'

interface Dependencies {
  platform: Pool
  log: Pick<Logger, 'warn'>
}

const everyMs = 15_000
/** How long after an examination a monitor is examined again. */
const againS = 300
/** Monitors in one transaction. */
const atOnce = 100
const hourMs = 3_600_000

interface Due extends Pick<Row<'slo_states'>, 'monitor_id' | 'tenant_id' | 'state'> {
  slo: Objective
  name: string
  url: string
}

const due = prepared(
  'slo-due',
  () => sql<Due>`
    select s.monitor_id, s.tenant_id, s.state, m.slo, m.name, m.url
    from slo_states s join monitors m on m.id = s.monitor_id join tenants t on t.id = s.tenant_id
    where s.examine_at <= clock_timestamp() and m.slo is not null and t.deleted_at is null
    order by s.examine_at limit ${sql.lit(atOnce)} for update of s skip locked`,
)

const store = prepared(
  'slo-store',
  (monitors: readonly string[], states: readonly string[]) => sql`
    update slo_states s set state = v.state, examine_at = clock_timestamp() + interval '${sql.lit(againS)} seconds'
    from unnest(${monitors}::uuid[], ${states}::text[]) as v (id, state) where s.monitor_id = v.id`,
)

/**
 * Examines the error budgets that are due, in transactions with the events of those whose state changed. Several
 * processes may do so. Monitors that cannot be examined are put off, so that others are.
 */
export async function examineBudgets(
  { platform, log }: Dependencies,
  isStopped: () => boolean = () => false,
): Promise<void> {
  await followObjectives(platform, null)
  for (let page: Due[] = []; !isStopped(); ) {
    try {
      await inTransaction(platform, async client => {
        page = await rows(client, due())
        await examine(client, page)
      })
    } catch (error) {
      if (page.length === 0) throw error
      log.warn({ err: error, monitors: page.length }, 'error budget failure')
      await rows(platform)`update slo_states set examine_at = clock_timestamp() + interval
        '${sql.lit(againS)} seconds' where monitor_id = any(${page.map(({ monitor_id }) => monitor_id)}::uuid[])`
    }
    if (page.length < atOnce) return
  }
}

async function examine(client: PoolClient, page: readonly Due[]): Promise<void> {
  if (page.length === 0) return
  const [row] = await rows(client)<{ now: number }>`
    select extract(epoch from clock_timestamp())::float8 * 1000 as now`
  const to = row!.now
  const states = new Map<string, BudgetState>()
  const events: EmittedEvent[] = []
  for (const [days, some] of Map.groupBy(page, ({ slo }) => slo.window_days)) {
    const windows = [days * dayMs, hourMs, dayMs].map(length => ({ from: to - length, to }))
    const tenants = [...new Set(some.map(({ tenant_id }) => tenant_id))]
    const ids = some.map(({ monitor_id }) => monitor_id)
    const judged = await readJudgedTime(client, tenants, ids, windows)
    for (const row of some) {
      const [whole = noTime(), hour = noTime(), day = noTime()] = judged.get(row.monitor_id)?.times ?? []
      const { state, event } = judge(row, { whole, hour, day })
      states.set(row.monitor_id, state)
      if (event) events.push(event)
    }
  }
  await rows(client, store([...states.keys()], [...states.values()]))
  if (events.length > 0) await emitEvents(client, events)
}

const names = {
  burning: 'slo.budget_burning',
  exhausted: 'slo.budget_exhausted',
  kept: 'slo.budget_recovered',
} as const

/** What begins is published, and that it is over; not that a budget which was exhausted still burns. */
const isPublished = (before: Due['state'], now: BudgetState) =>
  before !== 'unknown' && before !== now && !(before === 'exhausted' && now === 'burning')

function judge(
  { monitor_id, tenant_id, state: before, slo, name, url }: Due,
  times: { whole: JudgedTime; hour: JudgedTime; day: JudgedTime },
): { state: BudgetState; event: EmittedEvent | null } {
  const { state, budget } = budgetStateOf(slo, times)
  if (!isPublished(before, state)) return { state, event: null }
  const payload = {
    monitor_id,
    monitor_name: name,
    monitor_url: url,
    ...slo,
    ...budget,
    burn_rate_1h: burnRate(slo, times.hour),
    burn_rate_24h: burnRate(slo, times.day),
  }
  return { state, event: { tenantId: tenant_id, name: names[state], payload } }
}

/** Examines error budgets all the time. */
export function watchBudgets(dependencies: Dependencies): { stop(): Promise<void> } {
  const round = () => examineBudgets(dependencies, () => loop.isStopped)
  const loop: Loop = new Loop({ everyMs, round, log: dependencies.log, failure: 'error budget failure' }).start()
  return { stop: () => loop.stop() }
}
