import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Assigned } from '#control-plane/engine/assignments/assigned.ts'
import { BenchOfChecks, failed, regions, well } from './bench-of-checks.ts'

let bench: BenchOfChecks

beforeEach(async () => {
  bench = await BenchOfChecks.open('isolated_verdicts')
  bench.eligible(...regions)
})
afterEach(() => bench.close())

const quarantined = async (key: string) =>
  (await bench.rows(
    'select kind, tenant_id, reason, attempts from quarantined_rows where key = $1 order by kind',
    key,
  )) as {
    kind: string
    reason: string
  }[]
const openIncidents = async () =>
  (await bench.rows('select check_id from incidents where tenant_id = $1 and resolved_at is null', bench.tenant)).length

/** PostgreSQL refuses what is written of one check to a table, by an error of this class, until that is undone. */
async function refusing(table: string, column: string, id: string, state: string): Promise<() => Promise<unknown>> {
  await bench.owner.query(`
    create or replace function refuse_row() returns trigger language plpgsql as $$
    begin raise exception 'refused for a test' using errcode = '${state}'; end $$`)
  await bench.owner.query(
    `create trigger refuse_row before insert or update on ${table} for each row
      when (new.${column} = '${id}') execute function refuse_row()`,
  )
  return () => bench.owner.query(`drop trigger refuse_row on ${table}`)
}

describe('a write of one check that PostgreSQL refuses', () => {
  test.each(['54000', '42501', 'P0001', '22003', '57014'])(
    'by class %s is put off, and all others are written',
    async state => {
      const checks = await bench.add(40)
      await bench.round(checks, well)
      await bench.round(checks, failed)
      const bad = checks[17]!
      const undo = await refusing('incidents', 'check_id', bad.check, state)
      await bench.round(checks, failed)
      expect(await openIncidents()).toBe(39)
      await expect
        .poll(() => quarantined(bad.check))
        .toEqual([
          {
            kind: 'verdict_write',
            tenant_id: bench.tenant,
            reason: expect.stringContaining(`PostgreSQL refuses it: ${state}`),
            attempts: 1,
          },
        ])

      // mended, it is written as it was decided
      const confirmedAt = new Date(bench.now)
      await undo()
      await bench.verdictEngine.retryWrites('verdict_write', [bad.check])
      await expect.poll(openIncidents).toBe(40)
      expect((await bench.incidents(bad))[0]).toMatchObject({
        confirmed_at: confirmedAt,
        started_at: new Date(confirmedAt.getTime() - 1_000),
      })
      await expect.poll(() => quarantined(bad.check)).toEqual([])
    },
  )

  test('is written in the order of the decisions, with all later ones', async () => {
    const [bad, good] = (await bench.add(2)) as [Assigned, Assigned]
    await bench.round([bad, good], well)
    await bench.round([bad, good], failed)
    const undo = await refusing('incidents', 'check_id', bad.check, '54000')
    await bench.round([bad, good], failed)
    for (const judgement of [well, well, failed, failed, well, well]) await bench.round([bad, good], judgement)
    expect(await bench.incidents(bad)).toEqual([])
    expect(await bench.incidents(good)).toHaveLength(2)
    await undo()
    await bench.verdictEngine.retryWrites('verdict_write', [bad.check])
    await expect.poll(() => bench.incidents(bad)).toHaveLength(2)
    await expect
      .poll(async () => (await bench.incidents(bad)).map(({ status }) => status))
      .toEqual(['resolved', 'resolved'])
    expect(await bench.history(bad)).toEqual(await bench.history(good))
    expect((await bench.rows('select verdict from checks where id = $1', bad.check))[0]).toEqual({ verdict: 'up' })
  })

  test('does not delay the status of other monitors, nor is its own lost', async () => {
    const [bad, good] = (await bench.add(2)) as [Assigned, Assigned]
    await bench.round([bad, good], well)
    const undo = await refusing('monitors', 'id', bad.monitor, '54000')
    await bench.round([bad, good], failed)
    await bench.round([bad, good], failed)
    const statusOf = async (one: Assigned) =>
      (await bench.rows('select status from monitors where id = $1', one.monitor))[0]?.status
    expect([await statusOf(bad), await statusOf(good)]).toEqual(['up', 'down'])
    expect(await openIncidents()).toBe(2)
    await expect.poll(() => quarantined(bad.monitor)).toMatchObject([{ kind: 'monitor_status' }])
    await undo()
    await bench.verdictEngine.retryWrites('monitor_status', [bad.monitor])
    await expect.poll(() => statusOf(bad)).toBe('down')
    await expect.poll(() => quarantined(bad.monitor)).toEqual([])
  })

  test('for want of a column delays only the rows that need it, with errors, until it exists', async () => {
    const [down, up] = (await bench.add(2)) as [Assigned, Assigned]
    await bench.round([down, up], well)
    await bench.round([down], failed)
    await bench.owner.query('alter table incidents rename column evidence to former_evidence')
    try {
      await bench.round([down], failed)
      await bench.round([up], failed, ['us'])
      await bench.round([up], failed, ['us'])
      expect((await bench.rows('select verdict from checks where id = $1', up.check))[0]).toEqual({
        verdict: 'warning',
      })
      await expect.poll(() => quarantined(down.check)).toMatchObject([{ reason: expect.stringContaining('evidence') }])
      expect(bench.logged).toContain('verdict write refused')
    } finally {
      await bench.owner.query('alter table incidents rename column former_evidence to evidence')
    }
    await bench.verdictEngine.retryWrites('verdict_write', [down.check])
    await expect.poll(() => bench.incidents(down)).toHaveLength(1)
  })

  test('for a lasting conflict is split after a while', async () => {
    const checks = await bench.add(4)
    await bench.round(checks, well)
    await bench.round(checks, failed)
    const undo = await refusing('incidents', 'check_id', checks[1]!.check, '40001')
    await bench.round(checks, failed)
    expect(await openIncidents()).toBe(3)
    await undo()
    await bench.verdictEngine.retryWrites('verdict_write', [checks[1]!.check])
    await expect.poll(openIncidents).toBe(4)
  }, 60_000)
})

describe('a check on which deciding fails', () => {
  test('is left as it is stored, and all others are decided', async () => {
    const checks = (await bench.add(3)) as [Assigned, Assigned, Assigned]
    const [bad] = checks
    await bench.round(checks, well)
    // rules that no code of ours makes
    bench.assigned.set(bad.check, { ...bad, rules: { ...bad.rules, policy: null as never } })
    await bench.round(checks, failed)
    await bench.round(checks, failed)
    expect(await openIncidents()).toBe(2)
    await expect
      .poll(() => quarantined(bad.check))
      .toMatchObject([{ kind: 'verdict', reason: expect.stringMatching(/^TypeError/) }])

    bench.assigned.set(bad.check, bad)
    await bench.verdictEngine.retry([bad.check])
    await bench.round(checks, failed)
    await bench.round(checks, failed)
    expect(await openIncidents()).toBe(3)
    await expect.poll(() => quarantined(bad.check)).toEqual([])
  })

  test('does not keep a process from starting: the snapshot of a target starts again', async () => {
    const checks = (await bench.add(2)) as [Assigned, Assigned]
    const [bad] = checks
    await bench.round(checks, well)
    for (const [regionsStored, recent] of [
      ['null', '[]'],
      ['{"eu": 7}', '[]'],
      ['{}', '{"at": 1}'],
    ] as const) {
      await bench.owner.query(
        `insert into check_snapshots (check_id, tenant_id, target, regions, recent, updated_at)
          values ($1, $2, 'x', $3, $4, now())
         on conflict (check_id) do update set regions = excluded.regions, recent = excluded.recent`,
        [bad.check, bench.tenant, regionsStored, recent],
      )
      await bench.restart()
      bench.eligible(...regions)
      await expect.poll(() => quarantined(bad.check)).toMatchObject([{ kind: 'check_facts' }])
    }
    await bench.round(checks, failed)
    await bench.round(checks, failed)
    expect(await openIncidents()).toBe(2)
    await bench.owner.query(`update check_snapshots set regions = '{}', recent = '[]' where check_id = $1`, [bad.check])
    await bench.verdictEngine.retrySnapshots([bad.check])
    await expect.poll(() => quarantined(bad.check)).toEqual([])
  })
})

describe('a check that was deleted while it was paused', () => {
  test('is forgotten', async () => {
    const checks = await bench.add(3)
    await bench.round(checks, well)
    const before = bench.verdictEngine.size
    for (const { check } of checks) bench.assigned.delete(check)
    await bench.verdictEngine.checksChanged(
      [],
      checks.map(({ check }) => check),
    )
    expect(bench.verdictEngine.size).toBe(before)
    await bench.owner.query('delete from monitors where id = any($1)', [checks.map(({ monitor }) => monitor)])
    bench.verdictEngine.start()
    bench.verdictEngine.forgetGone()
    await expect.poll(() => bench.verdictEngine.size).toBe(before - 3)
  })
})
