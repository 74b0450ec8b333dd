import { afterAll, beforeAll, expect, test } from 'vitest'
import { app, CallerUnderTest, given } from '#test/support/app.ts'
import { startApi } from '#test/support/worker.ts'

/** S7, T4: what one process of the operating system has answered counts for the very next request to another. */
const isWhole = process.env.WHOLE === '1'
const alternations = Number(process.env.ALTERNATIONS ?? (isWhole ? 1_000 : 100))
const teamAlternations = Number(process.env.TEAM_ALTERNATIONS ?? (isWhole ? 100 : 20))
/** So many of one token stay below its rate. */
const ofOneToken = 50

let other: Awaited<ReturnType<typeof startApi>>
beforeAll(async () => {
  other = await startApi(app.services.config)
})
afterAll(() => other?.stop())

async function there(
  { token, ip }: CallerUnderTest,
  path: string,
  headers: Record<string, string> = {},
): Promise<number> {
  const { status, body } = await fetch(`http://127.0.0.1:${other.port}/api/v1${path}`, {
    headers: { Authorization: `Bearer ${token}`, 'X-Forwarded-For': ip, ...headers },
  })
  await body?.cancel()
  return status
}

/** Runs rounds by concurrent workers; returns how often the other process was stale. */
async function inParallel(
  rounds: number,
  workers: number,
  worker: (rounds: number) => Promise<number>,
): Promise<number> {
  const stale = await Promise.all(Array.from({ length: workers }, () => worker(Math.ceil(rounds / workers))))
  return stale.reduce((sum, count) => sum + count, 0)
}

test(`a token toggled here is refused, and let in again, by the next request there: ${alternations} times`, {
  timeout: 60_000 + alternations * 200,
}, async () => {
  const worker = async (rounds: number) => {
    let stale = 0
    for (let first = 0; first < rounds; first += ofOneToken) {
      const reseller = await given.reseller()
      const { body } = await reseller.post('/reseller/tokens', { name: 'x', scopes: ['teams:read'] })
      const toggled = new CallerUnderTest(reseller.tenantId, null, body.plain_text_token)
      for (let round = first; round < Math.min(rounds, first + ofOneToken); round++) {
        const { status, body: answer } = await reseller.post(`/reseller/tokens/${body.data.id}/toggle`)
        expect(status).toBe(200)
        const seen = await there(toggled, '/reseller/tokens/scopes')
        if (seen !== (answer.data.is_active ? 200 : 401)) stale++
      }
    }
    return stale
  }
  const stale = await inParallel(alternations, 8, worker)
  console.log(`token alternations ${alternations} over two processes: ${stale} stale`)
  expect(stale).toBe(0)
})

test(`a team deleted or restored here is so for the next request there: ${teamAlternations} times`, {
  timeout: 60_000 + teamAlternations * 200,
}, async () => {
  const worker = async (rounds: number) => {
    let stale = 0
    const reseller = await given.reseller()
    const team = await given.team(reseller)
    const { name } = (await reseller.get(team.path)).body.data
    for (let first = 0; first < rounds; first += ofOneToken) {
      const [acting, inside] = [
        await given.token(reseller, 'rk', ['teams:manage']),
        await given.token(reseller, 'rk', ['monitors:manage', 'teams:read']),
      ]
      const own = await given.token(team, 'ss', [])
      for (let round = first; round < Math.min(rounds, first + ofOneToken); round++) {
        const isDeleting = round % 2 === 0
        const { status } = isDeleting
          ? await acting.delete(team.path, { confirm_name: name })
          : await acting.post(`${team.path}/restore`)
        expect(status).toBe(isDeleting ? 204 : 200)
        const seen = [await there(inside, '/monitors', { 'X-Tenant-Id': team.tenantId }), await there(own, '/monitors')]
        if (JSON.stringify(seen) !== JSON.stringify(isDeleting ? [403, 401] : [200, 200])) stale++
      }
    }
    return stale
  }
  const stale = await inParallel(teamAlternations, 4, worker)
  console.log(`team alternations ${teamAlternations} over two processes: ${stale} stale`)
  expect(stale).toBe(0)
})
