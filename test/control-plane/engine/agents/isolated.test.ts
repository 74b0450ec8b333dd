import { pino } from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { AgentRegistry } from '#control-plane/engine/agents/agent-registry.ts'
import { eventually, type Serving, serving } from '#test/control-plane/serving.ts'
import { RawAgent } from './raw-agent.ts'

let served: Serving
beforeAll(async () => {
  served = await serving('isolated_agents', { roles: ['api', 'ingest'] })
})
afterAll(() => served?.close())

test('an agent whose key cannot be read is not trusted, and all others are', async () => {
  const [bad, good] = [await RawAgent.enrolled(served, 'bad-key'), await RawAgent.enrolled(served, 'good-key')]
  await served.platform.query(`update agents set public_key = 'null' where id = $1`, [bad.id])
  const agentRegistry = new AgentRegistry({ platform: served.platform, log: pino({ level: 'silent' }) })
  await agentRegistry.load()
  expect([agentRegistry.isTrusted(bad.id, 'bad-key'), agentRegistry.isTrusted(good.id, 'good-key')]).toEqual([
    false,
    true,
  ])
  await served.restart(['api', 'ingest'])
  await good.login()
  expect((await (await good.work()).synced()).frames.length).toBeGreaterThan(0)
  const quarantined = async () =>
    (await served.platform.query('select kind from quarantined_rows where key = $1', [bad.id])).rows[0]
  expect(await eventually(quarantined)).toEqual({ kind: 'agent' })

  await served.platform.query('update agents set public_key = $2 where id = $1', [
    bad.id,
    JSON.stringify(bad.keys.publicKey),
  ])
  // asked for again and again: a retry that read the key before it was mended puts the row off once more
  await eventually(async () => {
    await served.platform.query('update quarantined_rows set next_try_at = now() where key = $1', [bad.id])
    return (await quarantined()) === undefined ? true : undefined
  })
  await bad.login()
})

test('an answer that arrives after that of a later read does not remove an agent enrolled meanwhile', async () => {
  const { platform } = served
  const first = Promise.withResolvers<void>()
  let reads = 0
  // the real pool, whose first answer comes late
  const late = Object.create(platform, {
    query: {
      value: async (...words: Parameters<typeof platform.query>) => {
        const isFirst = ++reads === 1
        const answer = await platform.query(...words)
        if (isFirst) await first.promise
        return answer
      },
    },
  })
  const agentRegistry = new AgentRegistry({ platform: late, log: pino({ level: 'silent' }) })
  const early = agentRegistry.load()
  await eventually(() => reads === 1 || undefined)
  await RawAgent.enrolled(served, 'meanwhile')
  await agentRegistry.load()
  first.resolve()
  await early
  expect(agentRegistry.regions).toContain('meanwhile')
})
