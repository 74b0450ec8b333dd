import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Assignment } from '#contract/agent.ts'
import { encryptSettings } from '#control-plane/engine/assignments/check-secrets.ts'
import { RawAgent } from '#test/control-plane/engine/agents/raw-agent.ts'
import { eventually, type Serving, serving } from '#test/control-plane/serving.ts'

let served: Serving
beforeAll(async () => {
  served = await serving('isolated_checks', { roles: ['api', 'ingest'] })
})
afterAll(() => served?.close())

const url = 'http://127.0.0.1:1'
const forgotten = { secretKey: 'a key of this installation that was forgotten long ago' }
const quarantined = async (check: string) =>
  (
    await served.platform.query<{ reason: string }>(
      `select reason from quarantined_rows where kind = 'check' and key = $1`,
      [check],
    )
  ).rows[0]?.reason
const sql = (text: string, ...values: unknown[]) => served.platform.query(text, values)

async function listening(region: string) {
  const agent = await RawAgent.enrolled(served, region)
  const stream = await (await agent.work()).synced()
  const newest = (check: string): Assignment | undefined =>
    stream.frames
      .flatMap(frame => (frame.type === 'assign' ? frame.checks : []))
      .findLast(assigned => assigned.check === check)
  return { stream, newest }
}

/** A check with a secret that no key opens. */
async function unreadable(regions: string[]): Promise<{ tenant: string; monitor: string; check: string }> {
  const tenant = await served.tenant()
  const made = await served.monitor(tenant, url, { regions })
  const { settings, secrets } = encryptSettings(forgotten, made.check, { auth: { type: 'bearer', token: 'hidden' } })
  await sql(
    'update checks set settings = $2, secrets = $3 where id = $1',
    made.check,
    JSON.stringify(settings),
    secrets,
  )
  return { tenant, ...made }
}

test('a check whose secret cannot be opened is quarantined, and changes of all others are still followed', async () => {
  const { stream, newest } = await listening('beside')
  const bad = await unreadable(['beside'])
  const good = await served.monitor(await served.tenant(), url, { regions: ['beside'] })
  await eventually(() => (stream.checks.has(good.check) ? true : undefined))
  await sql('update monitors set check_interval = 20 where id = $1', good.monitor)
  await eventually(() => (newest(good.check)?.interval_ms === 20_000 ? true : undefined))
  expect(await eventually(() => quarantined(bad.check))).toBe(
    'A stored secret was encrypted under a key that is not known here.',
  )
  expect(stream.checks.has(bad.check)).toBe(false)

  // its owner mends it
  const { settings, secrets } = encryptSettings(served.config, bad.check, { auth: { type: 'bearer', token: 'new' } })
  await sql('update checks set settings = $2, secrets = $3 where id = $1', bad.check, JSON.stringify(settings), secrets)
  await eventually(() => (stream.checks.has(bad.check) ? true : undefined))
  await eventually(async () => ((await quarantined(bad.check)) === undefined ? true : undefined))
})

test('a process begins to lead although checks cannot be read, of whatever kind the fault is', async () => {
  const faults: Record<string, string> = {
    'of an unknown kind': `update checks set type = 'seance' where id = $1`,
    'with settings of another shape': `update checks set settings = '{"timeout_ms": "soon"}' where id = $1`,
    'with settings that are no object': `update checks set settings = '[]' where id = $1`,
    'with a policy of another shape': `update monitors set region_policy = 'null' where id = (select monitor_id from checks where id = $1)`,
    'of a tenant whose overrides are null': `update tenants set feature_overrides = 'null' where id = (select tenant_id from checks where id = $1)`,
  }
  const bad = new Map<string, string>([['with a forgotten key', (await unreadable(['before'])).check]])
  for (const [fault, text] of Object.entries(faults)) {
    const { check } = await served.monitor(await served.tenant(), url, { regions: ['before'] })
    await sql(text, check)
    bad.set(fault, check)
  }
  const good = await served.monitor(await served.tenant(), url, { regions: ['before'] })
  await served.restart(['api', 'ingest'])
  const { stream } = await listening('before')
  expect(stream.checks.has(good.check)).toBe(true)
  for (const [fault, check] of bad) {
    // a tenant without overrides is one like any other
    if (fault === 'of a tenant whose overrides are null') expect(stream.checks.has(check), fault).toBe(true)
    else expect(await eventually(() => quarantined(check)), fault).toBeTruthy()
  }

  // a deleted one leaves the quarantine
  const gone = bad.get('of an unknown kind')!
  await sql('delete from monitors where id = (select monitor_id from checks where id = $1)', gone)
  await eventually(async () => ((await quarantined(gone)) === undefined ? true : undefined))
})

test('a quarantined check is retried when it is due, though no notice of a change arrived', async () => {
  const { stream } = await listening('again')
  const bad = await unreadable(['again'])
  await eventually(() => quarantined(bad.check))
  // mended without the trigger that publishes changes
  const owner = new pg.Client({ connectionString: served.stores.ownerUrl })
  await owner.connect()
  await owner.query('set session_replication_role = replica')
  await owner.query(`update checks set settings = '{}', secrets = null where id = $1`, [bad.check])
  await owner.end()
  expect(stream.checks.has(bad.check)).toBe(false)
  await sql(`update quarantined_rows set next_try_at = now() where kind = 'check' and key = $1`, bad.check)
  await eventually(() => (stream.checks.has(bad.check) ? true : undefined))
  await eventually(async () => ((await quarantined(bad.check)) === undefined ? true : undefined))
})
