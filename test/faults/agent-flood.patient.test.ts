import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { Pool } from 'undici'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { agentPaths } from '#contract/agent.ts'
import { mintSecret } from '#control-plane/base/token-secret.ts'
import { enrolment, makeKeys, RawAgent } from '#test/control-plane/engine/agents/raw-agent.ts'
import { type Serving, serving } from '#test/control-plane/serving.ts'

const requests = Number(process.env.FLOOD_REQUESTS ?? 10_000)
/**
 * A region is silent after fifteen seconds without a word: the flood lasts longer, and longer than an access token
 * lives.
 */
const leastMs = 22_000
const regions = ['flood-a', 'flood-b', 'flood-c']

/** The n-th of as many addresses as a large botnet has. */
const addressOf = (n: number) => `203.${(n >> 16) & 255}.${(n >> 8) & 255}.${n & 255}`

/**
 * What a stranger may send to the agents' endpoints: rubbish, what is shaped like ours, and what costs most to refuse.
 */
async function rubbishFor(
  served: Serving,
): Promise<(() => { path: string; method: 'GET' | 'POST'; bearer?: string; body?: string })[]> {
  const forger = new RawAgent(served, regions[0]!, await makeKeys())
  const { rows } = await served.platform.query<{ id: string }>('select id from agents where region = $1', [regions[0]])
  forger.id = rows[0]!.id
  const forged = await forger.assertion()
  forger.id = randomUUID()
  const unknown = await forger.assertion()
  const guess = () => JSON.stringify(enrolment(forger.keys, mintSecret('ag').plain, 'flood-a'))
  return [
    () => ({ path: agentPaths.token, method: 'POST', body: '{"assertion":"x"}' }),
    () => ({ path: agentPaths.token, method: 'POST', body: JSON.stringify({ assertion: unknown }) }),
    () => ({ path: agentPaths.token, method: 'POST', body: JSON.stringify({ assertion: forged }) }),
    () => ({ path: agentPaths.enrol, method: 'POST', body: guess() }),
    () => ({ path: agentPaths.work, method: 'GET', bearer: forged }),
    () => ({ path: agentPaths.beat, method: 'POST', bearer: 'rubbish', body: '{}' }),
  ]
}

async function ineligible(served: Serving): Promise<string[]> {
  const { values } = await served.plane.services.metrics.agents.get()
  return values.flatMap(({ labels, value }) => (labels.state !== 'ok' && value > 0 ? [`${value} ${labels.state}`] : []))
}

describe.each([{ trustedProxies: 1 }, { trustedProxies: 0 }])(
  `${requests} requests of strangers, with TRUSTED_PROXIES=$trustedProxies`,
  ({ trustedProxies }) => {
    let served: Serving
    beforeAll(async () => {
      served = await serving('agent_flood', {
        roles: ['api', 'ingest'],
        config: { trustedProxies, agentTokenLifeS: 2 },
      })
    })
    afterAll(() => served?.close())

    test('leave every region eligible whose agent renews its access each second', { timeout: 240_000 }, async () => {
      await Promise.all(regions.map(region => served.agent(region)))
      await expect.poll(() => ineligible(served)).toEqual([])
      const rubbish = await rubbishFor(served)
      const pool = new Pool(served.plane.baseUrl, { connections: 16 })
      const statuses = new Map<number, number>()
      const lost: string[] = []
      const started = performance.now()

      let sent = 0
      const flood = async () => {
        for (let n = sent++; n < requests || performance.now() - started < leastMs; n = sent++) {
          // no faster than the time that it has to last: a flood of all at once would be over before a lease is
          const ahead = (n / requests) * leastMs - (performance.now() - started)
          if (ahead > 0) await sleep(ahead)
          const { path, method, bearer, body } = rubbish[n % rubbish.length]!()
          const headers = {
            'x-forwarded-for': addressOf(n),
            'content-type': 'application/json',
            ...(bearer && { authorization: `Bearer ${bearer}` }),
          }
          const answer = await pool.request({ path, method, headers, body: body ?? null })
          await answer.body.dump()
          statuses.set(answer.statusCode, (statuses.get(answer.statusCode) ?? 0) + 1)
        }
      }
      const watching = new AbortController()
      const watch = (async () => {
        for (; !watching.signal.aborted; await sleep(250)) lost.push(...(await ineligible(served)))
      })()
      await Promise.all(Array.from({ length: 16 }, flood))
      watching.abort()
      await watch
      await pool.close()

      expect([...statuses.values()].reduce((sum, count) => sum + count)).toBeGreaterThanOrEqual(requests)
      expect([...statuses.keys()].filter(status => ![401, 429].includes(status))).toEqual([])
      expect([...new Set(lost)]).toEqual([])
    })
  },
)
