import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { createToken } from '#control-plane/access/tokens/create.ts'
import { createTenant } from '#control-plane/tenancy/tenants/create.ts'
import { withApi } from './api.ts'
import { claim, median, quantile, round } from './figures.ts'
import { countProcessor } from './processes.ts'
import { ask } from './read/load.ts'

/** How fast a reseller's automation founds teams: each by a profile, with the ten monitors of its template. */
const atOnce = 8
const runs = 5
const teams = Number(process.env.PROVISION_TEAMS ?? 600)
const tokensCount = 100

await withApi('provision', seed, async ({ port }, tokens) => {
  let turn = 0
  /** Each call by the next token: one alone may call only so often. */
  const post = async (path: string, body: unknown) => {
    const token = tokens[turn++ % tokens.length]
    const answer = await ask({ port, method: 'POST', path: `/api/v1/reseller/${path}`, ...(token && { token }), body })
    if (answer.status !== 201) throw new Error(`${path} answered ${answer.status}: ${answer.text.slice(0, 300)}`)
    return answer
  }
  const idIn = ({ text }: { text: string }): string => JSON.parse(text).data.id
  const template = await post('monitor-templates', {
    name: 'Shop',
    monitors: Array.from({ length: 10 }, (_, index) => ({
      name_template: `{{client}}, page ${index}`,
      url_template: `https://{{domain}}/${index}`,
    })),
    variables: [{ name: 'client' }, { name: 'domain' }],
  })
  const profile = await post('provisioning-profiles', {
    name: 'Small shop',
    plan: 'hobby',
    trial_days: 14,
    feature_overrides: { status_pages: 3 },
    branding: { brand_name: 'Small shops', primary_color: '#336699' },
    monitor_template_id: idIn(template),
  })
  const profile_id = idIn(profile)
  const found = () => {
    const slug = `shop-${randomUUID()}`
    return post('managed-teams', {
      name: 'Shop',
      slug,
      label: 'bench',
      external_ref: slug,
      profile_id,
      variables: { client: 'Shop', domain: `${slug}.example` },
    })
  }

  const rates: number[] = []
  const slowest: number[] = []
  for (let run = 0; run <= runs; run++) {
    const times: number[] = []
    const processor = countProcessor()
    const began = performance.now()
    let left = run === 0 ? 100 : teams // the first is to warm up
    await Promise.all(
      Array.from({ length: atOnce }, async () => {
        while (left-- > 0) times.push((await found()).ms)
      }),
    )
    const rate = (times.length * 1_000) / (performance.now() - began)
    console.log(
      `      ${times.length} teams: ${round(rate)} a second; p50 ${round(median(times))} ms, p99 ${round(quantile(times, 0.99))} ms; processor ms each: ${processor(times.length)}`,
    )
    if (run === 0) continue
    rates.push(rate)
    slowest.push(quantile(times, 0.99))
  }
  claim('teams founded with ten monitors each', median(rates), 'at least', 60, ' a second')
  claim('one founding, p99', median(slowest), 'under', 250, ' ms')
})

async function seed({ platformUrl }: { platformUrl: string }): Promise<string[]> {
  const platform = new pg.Pool({ connectionString: platformUrl, max: 4 })
  try {
    const tokens: string[] = []
    const tenantId = await createTenant(platform, { name: 'Host', slug: 'host', plan: 'pro', isReseller: true })
    for (let n = 0; n < tokensCount; n++)
      tokens.push(
        (
          await createToken(platform, {
            kind: 'rk',
            tenantId,
            userId: null,
            name: 'bench',
            scopes: ['teams:manage'],
            expiresAt: null,
          })
        ).plain,
      )
    return tokens
  } finally {
    await platform.end()
  }
}
