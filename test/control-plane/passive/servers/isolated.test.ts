import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { judgeServers } from '#control-plane/passive/servers/watch.ts'
import { app, type CallerUnderTest, given } from '#test/support/app.ts'

const { services } = app
const { platform } = services
const longAgo = new Date(Date.now() - 86_400_000)

/** A server that fell silent an hour ago. */
async function aSilentServer(owner: CallerUnderTest): Promise<{ monitor: string; check: string }> {
  const { body } = await owner.post('/agent-monitors', { name: 'web-1', no_data_after_minutes: 5 })
  const monitor = body.data.id as string
  await platform.query(`update monitors set created_at = now() - interval '1 day', switched_at = null where id = $1`, [
    monitor,
  ])
  await platform.query(
    `update agent_monitors set last_seen_at = now() - interval '1 hour', stored_at = now() - interval '1 hour'
     where monitor_id = $1`,
    [monitor],
  )
  const { rows } = await platform.query('select check_id from agent_monitors where monitor_id = $1', [monitor])
  return { monitor, check: rows[0].check_id }
}

const reportsOf = async (check: string) =>
  (await platform.query('select 1 from pushed_reports where check_id = $1', [check])).rowCount
const quarantined = async (key: string) =>
  (await platform.query('select kind, reason from quarantined_rows where key = $1', [key])).rows

describe('servers are judged independently', () => {
  test.each([
    ['settings that are no settings', `update checks set settings = '{"no_data_after_minutes": "five"}' where id = $1`],
    [
      'settings of another shape',
      `update checks set settings = '{"no_data_after_minutes": 5, "thresholds": {}}' where id = $1`,
    ],
    ['thresholds that cannot be read', `update agent_monitors set exceeded = '{"cpu": 1}' where check_id = $1`],
  ])('one with %s is quarantined, all others are judged', async (_, spoil) => {
    const owners = [await given.tenant(), await given.tenant()] as const
    const [bad, good] = [await aSilentServer(owners[0]), await aSilentServer(owners[1])]
    await platform.query(spoil, [bad.check])
    await judgeServers(services, longAgo)
    expect([await reportsOf(bad.check), await reportsOf(good.check)]).toEqual([0, 1])
    expect(await quarantined(bad.monitor)).toMatchObject([{ kind: 'server' }])

    await platform.query(`update checks set settings = '{"no_data_after_minutes": 5}' where id = $1`, [bad.check])
    await platform.query(`update agent_monitors set exceeded = '[]' where check_id = $1`, [bad.check])
    await judgeServers(services, longAgo, [bad.monitor])
    expect(await reportsOf(bad.check)).toBe(1)
    expect(await quarantined(bad.monitor)).toEqual([])
  })

  test('one whose state PostgreSQL refuses to store is quarantined, all others are judged', async () => {
    const owner = await given.tenant()
    const servers = [await aSilentServer(owner), await aSilentServer(owner), await aSilentServer(owner)]
    const [bad, ...good] = servers
    const { Client } = await import('pg')
    const client = new Client({ connectionString: app.stores.ownerUrl })
    await client.connect()
    const name = `refuse_${randomUUID().slice(0, 8)}`
    await client.query(
      `create function ${name}() returns trigger language plpgsql as $$
     begin raise exception 'no' using errcode = '54000'; end $$`,
    )
    await client.query(
      `create trigger ${name} before update of reported on agent_monitors for each row
     when (new.monitor_id = '${bad!.monitor}') execute function ${name}()`,
    )
    try {
      await judgeServers(services, longAgo)
    } finally {
      await client.query(`drop trigger ${name} on agent_monitors; drop function ${name}`)
      await client.end()
    }
    expect(await Promise.all(good.map(({ check }) => reportsOf(check)))).toEqual([1, 1])
    expect(await quarantined(bad!.monitor)).toMatchObject([{ kind: 'server' }])
  })

  test('a stored memory that cannot be parsed counts as empty', async () => {
    const owner = await given.tenant()
    const { body } = await owner.post('/agent-monitors', { name: 'web-1' })
    await platform.query(`update agent_monitors set memory = 'null' where monitor_id = $1`, [body.data.id])
    const now = Date.now()
    const metrics = (value: number, at: number) => ({
      resourceMetrics: [
        {
          scopeMetrics: [
            {
              metrics: [
                {
                  name: 'system.network.io',
                  sum: {
                    isMonotonic: true,
                    aggregationTemporality: 2,
                    dataPoints: [
                      {
                        timeUnixNano: `${at}000000`,
                        startTimeUnixNano: `${at - 1}000000`,
                        asInt: String(value),
                        attributes: [],
                      },
                    ],
                  },
                },
              ],
            },
          ],
        },
      ],
    })
    for (const [value, at] of [
      [1_000, now - 60_000],
      [2_000, now],
    ] as const) {
      const response = await fetch(`${app.baseUrl}/api/agent-monitors/otlp/v1/metrics`, {
        method: 'POST',
        headers: { Authorization: `Bearer ${body.plain_text_token}`, 'Content-Type': 'application/json' },
        body: JSON.stringify(metrics(value, at)),
      })
      expect(response.status).toBe(200)
    }
  })
})
