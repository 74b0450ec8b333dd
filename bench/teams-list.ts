import pg from 'pg'
import { startControlPlane } from '#cli/serve/serve.ts'
import { readConfig } from '#control-plane/config.ts'
import { type Api, withApi } from './api.ts'
import { claim, median, quantile, round } from './figures.ts'
import { countProcessor } from './processes.ts'
import { ask } from './read/load.ts'
import { seedTeams } from './teams-list/seed.ts'

/** How fast a reseller with ten thousand teams lists them, whatever it asks for. */
const amount = {
  teams: Number(process.env.TEAMS ?? 10_000),
  monitors: Number(process.env.TEAMS_MONITORS ?? 200_000),
  incidents: 500,
}
const requests = Number(process.env.TEAMS_REQUESTS ?? 100)
const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString()

const questions = [
  ...['name', '-name', 'created_at', '-created_at', 'monitors_count', '-monitors_count'].map(sort => `sort=${sort}`),
  'sort=created_at&sort_dir=asc',
  'search=team',
  'search=AB1',
  'search=nothing%20like%20it',
  'search=label&sort=name',
  'plan=pro',
  'plan=free,hobby,starter&sort=name',
  'status=active',
  'status=paused',
  'status=trial&sort=name',
  'has_incidents=true',
  'has_incidents=false&sort=-monitors_count',
  `trial_expires_before=${inDays(20)}`,
  'external_ref=team-77',
  `search=e&plan=pro,free&status=active&has_incidents=false&sort=monitors_count`,
]

await withApi(
  'teams-list',
  async stores => {
    const began = performance.now()
    const tokens = await seedTeams(stores, amount)
    console.log(
      `seeded ${amount.teams} teams with ${amount.monitors} monitors in ${round((performance.now() - began) / 1_000)} s`,
    )
    return tokens
  },
  async (api, tokens) => {
    let turn = 0
    /** Each by the next token: one alone may ask only so often. */
    const list = async (port: number, question: string, token = tokens[turn++ % tokens.length]) => {
      const answer = await ask({
        port,
        path: `/api/v1/reseller/managed-teams?per_page=250&${question}`,
        ...(token && { token }),
      })
      if (answer.status !== 200) throw new Error(`${question} answered ${answer.status}: ${answer.text.slice(0, 300)}`)
      return answer
    }
    const pages: string[] = []
    for (const question of questions) {
      const { last_page, total } = JSON.parse((await list(api.port, question)).text).meta
      console.log(`      ${question}: ${total} teams`)
      pages.push(`${question}&page=1`, ...(last_page > 1 ? [`${question}&page=${last_page}`] : []))
    }
    for (const page of pages) await list(api.port, page)

    const all: number[] = []
    let worst = { page: '', p99: 0 }
    for (const page of pages) {
      const times: number[] = []
      const processor = countProcessor()
      for (let n = 0; n < requests; n++) times.push((await list(api.port, page)).ms)
      const p99 = quantile(times, 0.99)
      const [p50, p95] = [median(times), quantile(times, 0.95)]
      console.log(
        `      p50 ${round(p50)} ms, p95 ${round(p95)} ms, p99 ${round(p99)} ms; processor ms each: ${processor(requests)}: ${page}`,
      )
      if (p99 > worst.p99) worst = { page, p99 }
      all.push(...times)
    }
    claim('any page of 10,000 teams, p99', quantile(all, 0.99), 'under', 60, ' ms')
    claim(`the slowest of them (${worst.page}), p99`, worst.p99, 'under', 60, ' ms')
    claim(
      'SQL statements of a request, at the most',
      await mostStatements(api, pages, (port, page, turn) => list(port, page, tokens[turn])),
      'under',
      5,
    )
  },
)

/**
 * Counted where they are sent, in an API of this very process, and by three tokens in turn, each below its rate;
 * their use is noted once a minute. A transaction's begin and commit carry no work.
 */
async function mostStatements(
  api: Api,
  pages: readonly string[],
  list: (port: number, page: string, turn: number) => Promise<unknown>,
): Promise<number> {
  let sent = 0
  const send = pg.Client.prototype.query
  pg.Client.prototype.query = function (this: pg.Client, ...asked: unknown[]) {
    const text = typeof asked[0] === 'string' ? asked[0] : String((asked[0] as { text?: string }).text)
    if (!/^(begin|commit|listen|select 1$)/i.test(text)) sent++
    return Reflect.apply(send, this, asked)
  } as typeof send
  const config = readConfig({
    DATABASE_URL: api.appUrl,
    DATABASE_PLATFORM_URL: api.platformUrl,
    CLICKHOUSE_URL: api.clickhouseUrl,
    SECRET_KEY: 'a secret key for measuring, long enough',
    TENANT_RATE: '1000000000',
    HOST: '127.0.0.1',
    LOG_LEVEL: 'silent',
  })
  const plane = await startControlPlane({ ...config, port: 0, metricsPort: 0 }, ['api'])
  try {
    let most = 0
    const { port } = new URL(plane.baseUrl)
    for (let n = 0; n < 3; n++) await list(Number(port), 'page=1', n)
    for (const page of pages) {
      // what this process says by itself meanwhile only adds
      let least = Number.POSITIVE_INFINITY
      for (let n = 0; n < 3; n++) {
        sent = 0
        await list(Number(port), page, n)
        least = Math.min(least, sent)
      }
      most = Math.max(most, least)
    }
    return most
  } finally {
    pg.Client.prototype.query = send
    await plane.close()
  }
}
