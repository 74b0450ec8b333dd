import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { defaultSuppression } from '#control-plane/engine/suppression/rules.ts'
import { WriteBatch } from '#control-plane/engine/verdicts/batch.ts'
import { writeBatch } from '#control-plane/engine/verdicts/write-batch.ts'
import { takeEpoch } from '#test/support/epoch.ts'
import { BenchOfChecks } from './bench-of-checks.ts'

let bench: BenchOfChecks
beforeEach(async () => {
  bench = await BenchOfChecks.open()
})
afterEach(() => bench.close())

test('a verdict that is written while its monitor is deleted waits for the deletion, without a deadlock', async () => {
  const [{ monitor = '', check = '' } = {}] = await bench.add(1)
  const epoch = await takeEpoch(bench.platform)
  const batch = new WriteBatch()
  const at = Date.now()
  const writes = batch.of(check)
  writes.check = {
    id: check,
    verdict: 'up',
    verdict_since: at,
    verdict_reason: null,
    coverage: 'full',
    failing_regions: [],
  }
  writes.changes.push({ check_id: check, at, verdict: 'up' })
  const state = { status: 'up', status_reason: null, coverage: 'full', at, coverage_at: at }
  batch.monitors.set(monitor, { id: monitor, ...state })

  const deletion = await bench.owner.connect()
  try {
    await deletion.query('begin')
    const { rows } = await deletion.query('select pg_backend_pid() as pid from monitors where id = $1 for update', [
      monitor,
    ])
    const writing = writeBatch(bench.platform, epoch, batch, defaultSuppression)
    await vi.waitFor(
      async () => {
        const blocked = await bench.owner.query(
          'select 1 from pg_stat_activity where $1 = any(pg_blocking_pids(pid))',
          [rows[0].pid],
        )
        expect(blocked.rowCount).toBe(1)
      },
      { timeout: 10_000, interval: 20 },
    )
    const [deleted, written] = await Promise.allSettled([
      deletion.query('delete from monitors where id = $1', [monitor]).then(() => deletion.query('commit')),
      writing,
    ])
    expect([deleted.status, written]).toEqual(['fulfilled', { status: 'fulfilled', value: { opened: 0, resolved: 0 } }])
    // but for the end of its history
    expect(await bench.rows('select verdict from verdict_changes where check_id = $1', check)).toEqual([
      { verdict: 'removed' },
    ])
  } finally {
    await deletion.query('rollback')
    deletion.release()
  }
})
