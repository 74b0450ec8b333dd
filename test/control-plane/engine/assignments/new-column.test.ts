import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Assignment } from '#contract/agent.ts'
import { RawAgent } from '#test/control-plane/engine/agents/raw-agent.ts'
import { eventually, type Serving, serving } from '#test/control-plane/serving.ts'

let served: Serving
let owner: pg.Client
beforeAll(async () => {
  served = await serving('new_column', { roles: ['api', 'ingest'] })
  owner = new pg.Client({ connectionString: served.stores.ownerUrl })
  await owner.connect()
})
afterAll(async () => {
  await owner?.end()
  await served?.close()
})

/** Changes rows so that no trigger notices. */
async function silently(table: string, statement: string, values: unknown[]): Promise<void> {
  await owner.query(`begin; alter table ${table} disable trigger user`)
  await owner.query(statement, values)
  await owner.query(`alter table ${table} enable trigger user; commit`)
}

test('a change of a column that was added to monitors or checks reaches agents as another assignment', async () => {
  const agent = await RawAgent.enrolled(served, 'new-column')
  const stream = await (await agent.work()).synced()
  const { monitor, check } = await served.monitor(await served.tenant(), 'http://127.0.0.1:1', {
    regions: ['new-column'],
  })
  const interval = () =>
    stream.frames
      .flatMap((frame): Assignment[] => (frame.type === 'assign' ? frame.checks : []))
      .findLast(assigned => assigned.check === check)?.interval_ms
  const shows = (ms: number) => eventually(async () => (interval() === ms ? true : undefined))
  await eventually(async () => (interval() === undefined ? undefined : true))
  const first = interval()
  for (const [table, id, column] of [
    ['monitors', monitor, 'check_interval'],
    ['checks', check, 'interval'],
  ] as const) {
    await owner.query(`alter table ${table} add column added text`)
    const before = interval()
    const seconds = table === 'monitors' ? 20 : 40
    await silently(table, `update ${table} set ${column} = $2 where id = $1`, [id, seconds])
    const written =
      table === 'monitors' ? `status = 'up', coverage = 'full'` : `verdict = 'up', failing_regions = '{somewhere}'`
    await served.platform.query(`update ${table} set ${written}, updated_at = clock_timestamp() where id = $1`, [id])
    await served.monitor(await served.tenant(), 'http://127.0.0.1:2', { regions: ['new-column'] })
    await eventually(async () => (stream.checks.size === (table === 'monitors' ? 2 : 3) ? true : undefined))
    expect(interval(), `what the engine writes of ${table} is no change of them`).toBe(before)
    await served.platform.query(`update ${table} set added = 'other' where id = $1`, [id])
    await shows(seconds * 1_000)
  }
  expect(first).not.toBe(interval())
})
