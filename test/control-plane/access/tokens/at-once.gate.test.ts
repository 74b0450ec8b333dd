import { randomInt } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type ControlPlane, startControlPlane } from '#cli/serve/serve.ts'
import { app, type CallerUnderTest, given } from '#test/support/app.ts'

let second: ControlPlane
beforeAll(async () => {
  second = await startControlPlane({ ...app.services.config, port: 0, metricsPort: 0 }, ['api'])
})
afterAll(() => second.close())

interface Seen {
  startedAt: number
  status: number
}

/** Requests both processes with one token repeatedly, from its own addresses, until it is stopped. */
function hammer(token: string, path: string) {
  const seen: Seen[] = []
  let isOver = false
  const work = async (baseUrl: string) => {
    while (!isOver) {
      const startedAt = Date.now()
      const { status, body } = await fetch(`${baseUrl}/api/v1${path}`, {
        headers: {
          Authorization: `Bearer ${token}`,
          'X-Forwarded-For': `10.${randomInt(256)}.${randomInt(256)}.${randomInt(256)}`,
        },
      })
      await body?.cancel()
      seen.push({ startedAt, status })
    }
  }
  const workers = [app.baseUrl, second.baseUrl, app.baseUrl, second.baseUrl].map(work)
  return {
    seen,
    async until(isEnough: () => boolean) {
      while (!isEnough()) await new Promise(resolve => setTimeout(resolve, 5))
    },
    async stop() {
      isOver = true
      await Promise.all(workers)
    },
  }
}

/** Of the requests begun after the token had ended: how many there were, and the answers that did not refuse it. */
async function lateAccepts(
  token: string,
  path: string,
  end: () => Promise<number>,
): Promise<{ after: number; late: number[] }> {
  const load = hammer(token, path)
  await load.until(() => load.seen.some(({ status }) => status === 200))
  const endedAt = await end()
  const after = () => load.seen.filter(({ startedAt }) => startedAt > endedAt)
  await load.until(() => after().length >= 100)
  await load.stop()
  return { after: after().length, late: after().flatMap(({ status }) => (status === 401 ? [] : [status])) }
}

const inSeconds = (seconds: number) => new Date(Date.now() + seconds * 1_000).toISOString()
const aToken = async (reseller: CallerUnderTest, fields = {}) =>
  (await reseller.post('/reseller/tokens', { name: 'x', scopes: ['teams:read'], ...fields })).body as {
    data: { id: string }
    plain_text_token: string
  }

describe('a token that has ended is refused by every process from that moment on', () => {
  const rounds = Number(process.env.RACE_ROUNDS ?? 3)
  const path = '/reseller/tokens/scopes'
  const endings: Record<
    string,
    (reseller: CallerUnderTest) => Promise<{ token: string; path: string; end: () => Promise<number> }>
  > = {
    async toggle(reseller) {
      const { data, plain_text_token: token } = await aToken(reseller)
      return { token, path, end: () => answered(reseller.post(`/reseller/tokens/${data.id}/toggle`)) }
    },
    async delete(reseller) {
      const { data, plain_text_token: token } = await aToken(reseller)
      return { token, path, end: () => answered(reseller.delete(`/reseller/tokens/${data.id}`)) }
    },
    async expiry(reseller) {
      const expires_at = inSeconds(1.5)
      const { plain_text_token: token } = await aToken(reseller, { expires_at })
      return { token, path, end: async () => new Date(expires_at).getTime() }
    },
    async 'revoking an impersonation'(reseller) {
      const team = await given.team(reseller)
      const { body } = await reseller.post(`${team.path}/impersonation-tokens`)
      return {
        token: body.plain_text_token,
        path: '/tags',
        end: () => answered(reseller.delete(`${team.path}/impersonation-tokens/${body.data.id}`)),
      }
    },
  }
  const answered = async (call: Promise<{ status: number }>) => {
    expect((await call).status).toBeLessThan(300)
    return Date.now()
  }

  test.each(Object.keys(endings))('by %s', { timeout: 60_000 + rounds * 20_000 }, async name => {
    let requests = 0
    const late: number[] = []
    for (let round = 0; round < rounds; round++) {
      const { token, path, end } = await endings[name]!(await given.reseller())
      const counted = await lateAccepts(token, path, end)
      requests += counted.after
      late.push(...counted.late)
    }
    console.log(`${name}: ${requests} requests to two processes after the end, ${late.length} not refused`)
    expect(requests).toBeGreaterThanOrEqual(rounds * 100)
    expect(late).toEqual([])
  })
})
