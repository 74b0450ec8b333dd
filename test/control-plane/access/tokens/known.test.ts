import { randomInt } from 'node:crypto'
import type pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { authenticate } from '#control-plane/access/tokens/authenticate.ts'
import type { NamedTenant } from '#control-plane/http/access/lookup.ts'
import { app, type CallerUnderTest, given } from '#test/support/app.ts'

/**
 * Every change that may alter what a token stands for, made and taken back, in transactions that overlap: what is
 * known is never older than what was committed.
 */
const rounds = Number(process.env.IDENTITY_ROUNDS ?? 32)
const workers = 6

interface Asked {
  bearer: string | null
  named?: NamedTenant
}

interface Furniture {
  reseller: CallerUnderTest
  other: CallerUnderTest
  team: CallerUnderTest & { id: string }
  tokens: Asked[]
}

let furniture: Furniture[]
beforeAll(async () => {
  furniture = await Promise.all(
    Array.from({ length: workers }, async () => {
      const [reseller, other] = [await given.reseller(), await given.reseller()]
      const team = await given.team(reseller)
      const rk = await given.token(reseller, 'rk', ['teams:manage', 'monitors:manage'])
      const tokens = [
        { bearer: rk.token },
        { bearer: rk.token, named: { tenantId: team.tenantId } },
        { bearer: rk.token, named: { teamId: team.id } },
        { bearer: (await given.impersonation(reseller, team)).token },
        { bearer: (await given.token(team, 'svc', ['monitors:read'])).token },
        {
          bearer: (await reseller.post(`${team.path}/api-keys`, { name: 'CI', scopes: ['monitors:read'] })).body
            .plain_text_token,
        },
        { bearer: (await team.post('/api-keys', { name: 'CI', scopes: ['monitors:write'] })).body.plain_text_token },
        { bearer: (await given.token(team, 'sk', ['monitors:read'])).token },
        { bearer: (await given.token(team, 'ss', [])).token },
      ]
      return { reseller, other, team, tokens }
    }),
  )
  await app.services.platform.query('update tokens set last_used_at = clock_timestamp()')
})

type Change = [make: string, undo: string, (furniture: Furniture) => string]
const ofTeam = ({ team }: Furniture) => team.tenantId
const ofReseller = ({ reseller }: Furniture) => reseller.tenantId
const changes: Change[] = [
  [
    'update tokens set is_active = false where tenant_id = $1',
    'update tokens set is_active = true where tenant_id = $1',
    ofTeam,
  ],
  [
    `update tokens set scopes = '{incidents:read}' where tenant_id = $1`,
    `update tokens set scopes = '{monitors:read}' where tenant_id = $1`,
    ofTeam,
  ],
  [
    `update tokens set allowed_ips = '{10.0.0.0/8}' where tenant_id = $1`,
    'update tokens set allowed_ips = null where tenant_id = $1',
    ofTeam,
  ],
  [
    'update tokens set is_locked = true where tenant_id = $1',
    'update tokens set is_locked = false where tenant_id = $1',
    ofTeam,
  ],
  [
    'update tokens set dies_at = clock_timestamp() where tenant_id = $1',
    'update tokens set dies_at = null where tenant_id = $1',
    ofTeam,
  ],
  [
    `update tokens set expires_at = clock_timestamp() where tenant_id = $1`,
    `update tokens set expires_at = clock_timestamp() + interval '9 minutes' where tenant_id = $1`,
    ofTeam,
  ],
  [
    'update tenants set deleted_at = clock_timestamp() where id = $1',
    'update tenants set deleted_at = null where id = $1',
    ofTeam,
  ],
  [
    'update tenants set is_reseller = false where id = $1',
    'update tenants set is_reseller = true where id = $1',
    ofReseller,
  ],
  [`update tenants set plan = 'hobby' where id = $1`, `update tenants set plan = 'pro' where id = $1`, ofTeam],
  [
    `update tenants set feature_overrides = '{"monitors": 1}' where id = $1`,
    `update tenants set feature_overrides = '{}' where id = $1`,
    ofTeam,
  ],
  [
    `update memberships set role = 'viewer' where tenant_id = $1`,
    `update memberships set role = 'owner' where tenant_id = $1`,
    ofTeam,
  ],
  [
    `update memberships set role = 'member' where tenant_id = $1`,
    `update memberships set role = 'owner' where tenant_id = $1`,
    ofReseller,
  ],
  [
    `update users set is_super_admin = true where id in (select user_id from memberships where tenant_id = $1)`,
    `update users set is_super_admin = false where id in (select user_id from memberships where tenant_id = $1)`,
    ofReseller,
  ],
  [
    `update users set name = 'Another Person' where id in (select user_id from memberships where tenant_id = $1)`,
    `update users set name = 'Pat' where id in (select user_id from memberships where tenant_id = $1)`,
    ofReseller,
  ],
  [
    'update managed_teams set deleted_at = clock_timestamp() where tenant_id = $1',
    'update managed_teams set deleted_at = null where tenant_id = $1',
    ofTeam,
  ],
  [
    'update managed_teams set reseller_id = $2 where tenant_id = $1',
    'update managed_teams set reseller_id = $3 where tenant_id = $1',
    ofTeam,
  ],
]

const ways = () => authenticate(app.services)
/** The answer for a token, without the end of a session, which moves with its use. */
const answerOf = (authenticator: ReturnType<typeof ways>, { bearer, named }: Asked) =>
  authenticator(bearer ?? '', '203.0.113.9', named).then(
    ({ caller, managed }) =>
      JSON.stringify({ caller: { ...caller, ...(caller.kind === 'ss' && { expiresAt: null }) }, managed }),
    error => `refused: ${error.message}`,
  )

/** How often a statement is sent over the pool for access. */
function counted(pool: pg.Pool, name: string) {
  let count = 0
  const original = pool.query
  const query = original.bind(pool) as (...given: unknown[]) => unknown
  pool.query = ((...asked: unknown[]) => {
    if (JSON.stringify(asked[0]).includes(`"name":"${name}`)) count++
    return query(...asked)
  }) as typeof pool.query
  return { count: () => count, end: () => Object.assign(pool, { query: original }) }
}

test(`a cached caller equals an uncached one: ${rounds} changes by ${workers} workers`, {
  timeout: 30_000 + rounds * 2_000,
}, async () => {
  const knowing = ways()
  let [compared, differences] = [0, 0]
  const worker = async (mine: Furniture) => {
    const client = await app.services.platform.connect()
    try {
      for (let round = 0; round < rounds; round++) {
        const [make, undo, subject] = changes[round % changes.length]!
        const values = [subject(mine), ...(make.includes('$2') ? [mine.other.tenantId, mine.reseller.tenantId] : [])]
        for (const statement of [make, undo]) {
          await client.query('begin')
          const used = [...new Set(statement.match(/\$\d/g))].length
          const sent = statement.includes('$3')
            ? client.query(statement.replace('$3', '$2'), [values[0], values[2]])
            : client.query(statement, values.slice(0, used))
          await sent
          // read while it is not committed, so that what is old is known at the moment it ends
          await Promise.all(mine.tokens.map(token => answerOf(knowing, token)))
          const under = mine.tokens.map(token => answerOf(knowing, token))
          await client.query(randomInt(5) === 0 ? 'rollback' : 'commit')
          const seen = await Promise.all(mine.tokens.map(token => answerOf(knowing, token)))
          const uncached = ways()
          const meant = await Promise.all(mine.tokens.map(token => answerOf(uncached, token)))
          await Promise.all(under)
          compared += seen.length
          differences += seen.filter((answer, index) => answer !== meant[index]).length
        }
        if (round % changes.length === changes.length - 1)
          await client.query('update tokens set last_used_at = clock_timestamp() where tenant_id = any($1)', [
            [mine.team.tenantId, mine.reseller.tenantId],
          ])
      }
    } finally {
      client.release()
    }
  }
  await Promise.all(furniture.map(worker))
  console.log(`${compared} answers compared, ${differences} differ`)
  expect(compared).toBeGreaterThanOrEqual(rounds * workers * 18)
  expect(differences).toBe(0)
})

test('who comes again is read once, and again after a change', async () => {
  const reseller = await given.reseller()
  const team = await given.team(reseller)
  await app.services.platform.query('update tokens set last_used_at = clock_timestamp()')
  const authenticator = ways()
  const reads = counted(app.services.accessPool, 'authenticate')
  const queries = counted(app.services.accessPool, 'identity-changes')
  try {
    const ask = () => answerOf(authenticator, { bearer: reseller.token, named: { tenantId: team.tenantId } })
    const first = await ask()
    expect(first).toContain(team.tenantId)
    for (let again = 0; again < 20; again++) expect(await ask()).toBe(first)
    expect(reads.count()).toBe(1)
    expect(queries.count()).toBe(21)
    await app.services.platform.query(`update tenants set name = 'Renamed' where id = $1`, [team.tenantId])
    expect(await ask()).toContain('Renamed')
    expect(reads.count()).toBe(2)
  } finally {
    queries.end()
    reads.end()
  }
})

afterAll(() => app.services.platform.query('delete from identity_changes where made_at < clock_timestamp()'))
