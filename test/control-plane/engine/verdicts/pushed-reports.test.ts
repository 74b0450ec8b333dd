import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { inTransaction } from '#control-plane/base/transaction.ts'
import { type PushedReport, storePushedReports } from '#control-plane/engine/verdicts/pushed-reports.ts'
import { eventually, type Serving, serving } from '#test/control-plane/serving.ts'

let plane: Serving
let tenant: string
beforeAll(async () => {
  plane = await serving('direct', { roles: ['ingest'] })
  tenant = await plane.tenant()
})
afterAll(() => plane.close())

const failed = (reason: string) => ({ status: 'down', code: 'failed', reason }) as const
const say = (...words: PushedReport[]) => inTransaction(plane.platform, client => storePushedReports(client, words))
const passive = () =>
  plane.monitor(tenant, 'cron://job', { kind: 'cron', settings: { schedule_kind: 'simple', period_minutes: 60 } })

async function incidentsOf(check: string) {
  const { rows } = await plane.platform.query(
    'select title, cause, started_at, resolved_at, resolution, quorum, evidence from incidents where check_id = $1 order by started_at',
    [check],
  )
  return rows
}
const events = async (monitor: string) =>
  (
    await plane.platform.query(`select name from outbox where payload ->> 'monitor_id' = $1 order by id`, [monitor])
  ).rows.map(row => row.name)
const verdictOf = async (check: string) =>
  (await plane.platform.query('select verdict from checks where id = $1', [check])).rows[0]?.verdict ?? undefined
const wordsLeft = async () => (await plane.platform.query('select count(*)::int as n from pushed_reports')).rows[0].n

describe('a check that no region runs', () => {
  test('goes down and recovers by one report each, at once, with a proof that names no region', async () => {
    const { monitor, check } = await passive()
    const at = Date.now() - 60_000
    await say({ check, at, judgement: failed('The job reported a failure (exit code 3).'), excerpt: 'disk full' })
    const [opened] = await eventually(
      async () => ((await incidentsOf(check)).length > 0 ? incidentsOf(check) : undefined),
      5_000,
    )
    expect(opened).toMatchObject({
      title: 'Site reported a failure',
      cause: 'The job reported a failure (exit code 3).',
      resolved_at: null,
      quorum: {
        policy: { mode: 'direct', count: null },
        required: 1,
        asked: ['@direct'],
        failed: ['@direct'],
        excluded: [],
      },
      evidence: { error_code: 'failed', phase: null, snippet: 'disk full' },
    })
    expect(opened.started_at.getTime()).toBe(at)
    const { rows } = await plane.platform.query('select status, coverage, status_reason from monitors where id = $1', [
      monitor,
    ])
    expect(rows[0]).toEqual({
      status: 'down',
      coverage: 'full',
      status_reason: 'The job reported a failure (exit code 3).',
    })

    await say({ check, at: at + 30_000, judgement: { status: 'up' } })
    const [closed] = await eventually(
      async () => ((await incidentsOf(check))[0].resolved_at ? incidentsOf(check) : undefined),
      5_000,
    )
    expect(closed).toMatchObject({ resolution: 'recovered' })
    expect(closed.resolved_at.getTime()).toBe(at + 30_000)
    expect(await events(monitor)).toEqual(['incident.created', 'incident.resolved'])
    const { rows: changes } = await plane.platform.query(
      'select verdict from verdict_changes where check_id = $1 order by at, id',
      [check],
    )
    expect(changes.map(row => row.verdict)).toEqual(['down', 'up'])
    expect(await eventually(async () => ((await wordsLeft()) === 0 ? true : undefined))).toBe(true)
  })

  test('ignores a repeated report, after a restart too', async () => {
    const { monitor, check } = await passive()
    const at = Date.now()
    await say(
      { check, at, judgement: failed('No.') },
      { check, at: at + 1, judgement: { status: 'up' } },
      { check, at: at + 2, judgement: failed('No again.') },
    )
    await eventually(async () =>
      (await incidentsOf(check)).length === 2 && (await wordsLeft()) === 0 ? true : undefined,
    )
    const { rows } = await plane.platform.query('select last_due from votes where check_id = $1', [check])
    await plane.restart(['ingest'])
    // as if the process had died between deciding and forgetting
    await plane.platform.query(
      `insert into pushed_reports (id, tenant_id, check_id, at, judgement) overriding system value
       select $1::bigint - 2 + n, $2, $3, now(), case when n = 1 then '{"status":"up"}'::jsonb
         else '{"status":"down","code":"failed","reason":"No."}'::jsonb end
       from generate_series(0, 2) as n`,
      [rows[0].last_due, tenant, check],
    )
    await eventually(async () => ((await wordsLeft()) === 0 ? true : undefined))
    expect(await incidentsOf(check)).toHaveLength(2)
    expect(await events(monitor)).toEqual(['incident.created', 'incident.resolved', 'incident.created'])
    expect(await verdictOf(check)).toBe('down')
  })

  test('keeps reports of the time without a leading process, and drops those of paused checks', async () => {
    const [kept, paused] = [await passive(), await passive()]
    await plane.platform.query('update monitors set is_enabled = false where id = $1', [paused.monitor])
    // the work list reads it
    await new Promise(resolve => setTimeout(resolve, 500))
    await say(
      { check: kept.check, at: Date.now(), judgement: { status: 'up' } },
      { check: paused.check, at: Date.now(), judgement: failed('No.') },
    )
    expect(await eventually(() => verdictOf(kept.check))).toBe('up')
    await plane.platform.query(`update pushed_reports set reported_at = reported_at - interval '1 minute'`)
    await eventually(async () => ((await wordsLeft()) === 0 ? true : undefined))
    expect(await incidentsOf(paused.check)).toEqual([])
  })

  test('opens no incident where it only warns, and does not notify while it is snoozed', async () => {
    const [mild, snoozed] = [await passive(), await passive()]
    await plane.platform.query(`update checks set severity = 'warning' where id = $1`, [mild.check])
    await plane.platform.query(`update checks set snoozed_until = now() + interval '1 hour' where id = $1`, [
      snoozed.check,
    ])
    await new Promise(resolve => setTimeout(resolve, 300))
    await say(
      { check: mild.check, at: Date.now(), judgement: failed('No.') },
      { check: snoozed.check, at: Date.now(), judgement: failed('No.') },
    )
    await eventually(async () => ((await incidentsOf(snoozed.check)).length === 1 ? true : undefined))
    expect(await eventually(() => verdictOf(mild.check))).toBe('down')
    expect(await incidentsOf(mild.check)).toEqual([])
    expect(await events(mild.monitor)).toEqual(['warning.degraded_performance'])
  })

  test('warns and recovers by reports read together: each is published', async () => {
    const many = await Promise.all(Array.from({ length: 12 }, passive))
    await new Promise(resolve => setTimeout(resolve, 500))
    const warning = {
      status: 'warning',
      code: 'threshold',
      reason: 'CPU above 90 %.',
      event: 'warning.server_resources',
    } as const
    const at = Date.now() - 5_000
    await say(
      ...many.map(({ check }, index) => ({ check, at: at + index * 20, judgement: warning })),
      ...many.map(({ check }, index) => ({ check, at: at + 600 + index * 20, judgement: { status: 'up' } as const })),
    )
    await eventually(async () => ((await wordsLeft()) === 0 ? true : undefined))
    const published = await Promise.all(many.map(({ monitor }) => events(monitor)))
    expect(published).toEqual(many.map(() => ['warning.server_resources', 'warning.cleared']))
  })
})
