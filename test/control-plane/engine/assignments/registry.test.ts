import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Assignment } from '#contract/agent.ts'
import { RawAgent } from '#test/control-plane/engine/agents/raw-agent.ts'
import { eventually, type Serving, serving } from '#test/control-plane/serving.ts'

let served: Serving
beforeAll(async () => {
  served = await serving('assignments', { roles: ['api', 'ingest'] })
})
afterAll(() => served?.close())

const url = 'http://127.0.0.1:1'

async function listening(region: string) {
  const agent = await RawAgent.enrolled(served, region)
  const stream = await (await agent.work()).synced()
  const newest = (check: string): Assignment | undefined =>
    stream.frames
      .flatMap(frame => (frame.type === 'assign' ? frame.checks : []))
      .findLast(assigned => assigned.check === check)
  return { agent, stream, newest }
}

/** Runs a change and answers how long it took until it showed. */
async function took(change: () => Promise<unknown>, shows: () => boolean): Promise<number> {
  await change()
  const started = performance.now()
  await eventually(() => (shows() ? true : undefined))
  return performance.now() - started
}

describe('the work list', () => {
  test('follows every change within a second', async () => {
    const { stream, newest } = await listening('follows')
    const tenant = await served.tenant()
    const sql = (text: string, ...values: unknown[]) => served.platform.query(text, values)
    let made = { monitor: '', check: '' }
    const has = () => stream.checks.has(made.check)
    const steps: number[] = []
    steps.push(
      await took(async () => {
        made = await served.monitor(tenant, url, { regions: ['follows'] })
      }, has),
    )
    const { monitor, check } = made
    steps.push(
      await took(
        () => sql('update monitors set check_interval = 20 where id = $1', monitor),
        () => newest(check)?.interval_ms === 20_000,
      ),
    )
    steps.push(
      await took(
        () => sql('update checks set interval = 40 where id = $1', check),
        () => newest(check)?.interval_ms === 40_000,
      ),
    )
    steps.push(
      await took(
        () => sql(`update monitors set url = 'http://127.0.0.1:2' where id = $1`, monitor),
        () => newest(check)?.url === 'http://127.0.0.1:2',
      ),
    )
    steps.push(
      await took(
        () => sql(`update checks set settings = '{"method":"HEAD"}' where id = $1`, check),
        () => newest(check)?.settings.method === 'HEAD',
      ),
    )
    steps.push(
      await took(
        () => sql('update monitors set is_enabled = false where id = $1', monitor),
        () => !has(),
      ),
    )
    steps.push(await took(() => sql('update monitors set is_enabled = true where id = $1', monitor), has))
    steps.push(
      await took(
        () => sql('update monitors set held_by_plan = true where id = $1', monitor),
        () => !has(),
      ),
    )
    steps.push(await took(() => sql('update monitors set held_by_plan = false where id = $1', monitor), has))
    steps.push(
      await took(
        () => sql('update checks set is_enabled = false where id = $1', check),
        () => !has(),
      ),
    )
    steps.push(await took(() => sql('update checks set is_enabled = true where id = $1', check), has))
    steps.push(
      await took(
        () => sql('update tenants set paused_at = now() where id = $1', tenant),
        () => !has(),
      ),
    )
    steps.push(await took(() => sql('update tenants set paused_at = null where id = $1', tenant), has))
    steps.push(
      await took(
        () => sql(`update tenants set plan = 'free', feature_overrides = '{}' where id = $1`, tenant),
        () => newest(check)?.interval_ms === 300_000,
      ),
    )
    // a check that the plan does not include is not run, and is run again once it does
    await sql(`update checks set type = 'lighthouse', settings = '{"audit_seconds":60}' where id = $1`, check)
    await eventually(() => (has() ? undefined : true))
    steps.push(
      await took(
        () => sql(`update tenants set feature_overrides = '{"lighthouse_audits":true}' where id = $1`, tenant),
        has,
      ),
    )
    expect(newest(check)).toMatchObject({ kind: 'lighthouse', timeout_ms: 60_000, interval_ms: 3_600_000 })
    steps.push(
      await took(
        () => sql('update tenants set deleted_at = now() where id = $1', tenant),
        () => !has(),
      ),
    )
    steps.push(await took(() => sql('update tenants set deleted_at = null where id = $1', tenant), has))
    steps.push(
      await took(
        () => sql('delete from monitors where id = $1', monitor),
        () => !has(),
      ),
    )
    expect(Math.max(...steps)).toBeLessThan(1_000)
  })

  test('sends a region only its own checks, and those without named regions to all', async () => {
    const [here, there] = [await listening('here'), await listening('there')]
    const tenant = await served.tenant()
    const onlyHere = await served.monitor(tenant, url, { regions: ['here'] })
    const everywhere = await served.monitor(tenant, url)
    await eventually(() =>
      here.stream.checks.has(everywhere.check) && there.stream.checks.has(everywhere.check) ? true : undefined,
    )
    await eventually(() => (here.stream.checks.has(onlyHere.check) ? true : undefined))
    expect(there.stream.checks.has(onlyHere.check)).toBe(false)
  })

  test('a new region takes its part of what is watched from everywhere', async () => {
    const old = await listening('old')
    const { check } = await served.monitor(await served.tenant(), url)
    await eventually(() => (old.stream.checks.has(check) ? true : undefined))
    const young = await listening('young')
    await eventually(() => (young.stream.checks.has(check) ? true : undefined))
    expect(young.newest(check)?.offset_ms).not.toBe(old.newest(check)?.offset_ms)
  })

  test('is read again when notices were lost', async () => {
    const { stream } = await listening('deaf')
    const tenant = await served.tenant()
    const { monitor, check } = await served.monitor(tenant, url, { regions: ['deaf'] })
    await eventually(() => (stream.checks.has(check) ? true : undefined))
    // the listening connection dies, and a change is made meanwhile
    await served.platform.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
        where application_name = 'vedette-listen' and datname = current_database()`,
    )
    await served.platform.query('update monitors set check_interval = 50 where id = $1', [monitor])
    await eventually(() => {
      const newest = stream.frames
        .flatMap(frame => (frame.type === 'assign' ? frame.checks : []))
        .findLast(assigned => assigned.check === check)
      return newest?.interval_ms === 50_000 ? true : undefined
    })
  })

  test('is sent again only where it differs', async () => {
    const { stream } = await listening('calm')
    const { check } = await served.monitor(await served.tenant(), url, { regions: ['calm'] })
    await eventually(() => (stream.checks.has(check) ? true : undefined))
    const before = stream.frames.filter(({ type }) => type === 'assign').length
    await served.platform.query(`select pg_notify('assignments', '')`)
    await new Promise(resolve => setTimeout(resolve, 500))
    expect(stream.frames.filter(({ type }) => type === 'assign')).toHaveLength(before)
  })

  test('a burst of changes reaches the agent as one, the newest', async () => {
    const { stream, newest } = await listening('burst')
    const tenant = await served.tenant()
    const made = await Promise.all(
      Array.from({ length: 50 }, () => served.monitor(tenant, url, { regions: ['burst'] })),
    )
    await eventually(() => (made.every(({ check }) => stream.checks.has(check)) ? true : undefined))
    const before = stream.frames.length
    for (let interval = 11; interval <= 30; interval++)
      await served.platform.query('update monitors set check_interval = $2 where tenant_id = $1', [tenant, interval])
    await eventually(() => (made.every(({ check }) => newest(check)?.interval_ms === 30_000) ? true : undefined))
    expect(stream.frames.length - before).toBeLessThanOrEqual(40)
  })

  test('a check that cannot be read is left out, the others are not', async () => {
    const { stream } = await listening('unread')
    const tenant = await served.tenant()
    const bad = await served.monitor(tenant, url, { regions: ['unread'], settings: { method: 'NONSENSE' } })
    const strange = await served.monitor(tenant, url, { regions: ['unread'], kind: 'palmistry' })
    const good = await served.monitor(tenant, url, { regions: ['unread'] })
    await eventually(() => (stream.checks.has(good.check) ? true : undefined))
    expect([bad, strange].some(({ check }) => stream.checks.has(check))).toBe(false)
  })
})
