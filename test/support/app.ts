import { randomInt, randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { pino } from 'pino'
import { Agent, request } from 'undici'
import { inject } from 'vitest'
import { until } from '#cli/local/loopback.ts'
import { createLog } from '#cli/serve/log.ts'
import { startControlPlane } from '#cli/serve/serve.ts'
import { type ResellerScope, type Role, resellerScopes } from '#contract/scopes.ts'
import { createToken } from '#control-plane/access/tokens/create.ts'
import type { TokenKind } from '#control-plane/base/caller.ts'
import { SharedRate } from '#control-plane/http/shared-rate.ts'
import { addManagedTeam } from '#control-plane/reselling/managed-teams/add-managed-team.ts'
import { createTenant } from '#control-plane/tenancy/tenants/create.ts'
import { configOn } from './config.ts'
import { holdToContract } from './contract.ts'
import { openDatabases } from './databases.ts'

/**
 * One control plane (role api) a worker, on real stores, for all its files: it ends with the worker. Every answer is
 * compared with the OpenAPI document.
 */
const stores = await openDatabases()
const log = createLog(
  'info',
  pino.destination({
    dest: join(inject('logs'), `api-${randomUUID()}.log`),
    sync: false,
    minLength: 4_096,
    periodicFlush: 100,
  }),
)
const plane = await startControlPlane(configOn(stores, { trustedProxies: 1 }), ['api'], { log })
const { platform } = plane.services
// what `fetch` promises beyond a request costs as much as our own answer does
const dispatcher = new Agent()
await platform.query(`insert into regions (name) values ('eu-west'), ('us-east'), ('ap-south') on conflict do nothing`)

// biome-ignore lint/suspicious/noExplicitAny: the contract checks the shape of an answer, not the test's types
export type Answer = { status: number; body: any; headers: Headers; text: string }
export type Asked = { headers?: Record<string, string> }

/**
 * An address of its own for every caller, so that none shares another's rate; of one length, so that none contains
 * another.
 */
const anAddress = () => `198.${Array.from({ length: 3 }, () => randomInt(100, 256)).join('.')}`

export class CallerUnderTest {
  readonly tenantId: string
  readonly userId: string | null
  readonly token: string | null
  readonly ip = anAddress()

  constructor(tenantId: string, userId: string | null, token: string | null) {
    this.tenantId = tenantId
    this.userId = userId
    this.token = token
  }

  /** `path` is below /api/v1, or absolute when it begins with /api. */
  async call(method: string, path: string, body?: unknown, { headers = {} }: Asked = {}): Promise<Answer> {
    const target = path.startsWith('/api/') ? path : `/api/v1${path}`
    const response = await request(plane.baseUrl + target, {
      dispatcher,
      method,
      headers: {
        'X-Forwarded-For': this.ip,
        ...(this.token && { Authorization: `Bearer ${this.token}` }),
        ...(body !== undefined && { 'Content-Type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
    const { statusCode: status, headers: received } = response
    const text = await response.body.text()
    const type = String(received['content-type'] ?? '')
    const parsed = /^application\/(?:scim\+)?json/.test(type) && text ? JSON.parse(text) : undefined
    holdToContract(method, target.split('?')[0]!, status, type, parsed, body)
    return {
      status,
      body: parsed,
      text,
      get headers() {
        return new Headers(
          Object.entries(received).flatMap(([name, value]) =>
            [value ?? []].flat().map((one): [string, string] => [name, one]),
          ),
        )
      },
    }
  }

  get = (path: string, asked?: Asked) => this.call('GET', path, undefined, asked)
  post = (path: string, body: unknown = {}, asked?: Asked) => this.call('POST', path, body, asked)
  patch = (path: string, body: unknown, asked?: Asked) => this.call('PATCH', path, body, asked)
  put = (path: string, body: unknown, asked?: Asked) => this.call('PUT', path, body, asked)
  delete = (path: string, body?: unknown, asked?: Asked) => this.call('DELETE', path, body, asked)
}

/** A managed team, with the reseller's paths into it. */
export class TeamUnderTest extends CallerUnderTest {
  readonly id: string
  readonly path: string

  constructor(id: string, tenantId: string, userId: string | null, token: string | null) {
    super(tenantId, userId, token)
    this.id = id
    this.path = `/reseller/managed-teams/${id}`
  }
}

interface TenantOptions {
  plan?: string
  overrides?: Record<string, unknown>
  role?: Role
  isReseller?: boolean
}

async function aTenant({ plan = 'pro', overrides = {}, isReseller = false }: TenantOptions): Promise<string> {
  const slug = `t-${randomUUID()}`
  return createTenant(platform, {
    name: `Tenant ${slug.slice(0, 10)}`,
    slug,
    plan,
    featureOverrides: overrides,
    isReseller,
  })
}

async function aPerson(tenantId: string, role: Role, isSuperAdmin = false): Promise<string> {
  const id = randomUUID()
  await platform.query(
    'insert into users (id, name, email, is_super_admin, home_tenant_id, email_verified_at) values ($1, $2, $3, $4, $5, now())',
    [id, 'Pat Person', `${id}@people.test`, isSuperAdmin, tenantId],
  )
  await platform.query('insert into memberships (user_id, tenant_id, role) values ($1, $2, $3)', [id, tenantId, role])
  return id
}

const aToken = async (kind: TokenKind, tenantId: string, userId: string | null, scopes: string[] = []) =>
  (await createToken(platform, { kind, tenantId, userId, name: 'test', scopes, expiresAt: null })).plain

export const given = {
  /** An independent tenant, called by one of its people. */
  async tenant(options: TenantOptions = {}): Promise<CallerUnderTest> {
    const tenantId = await aTenant(options)
    const userId = await aPerson(tenantId, options.role ?? 'owner')
    return new CallerUnderTest(tenantId, userId, await aToken('ss', tenantId, userId))
  },

  /** Another person of the same tenant. */
  async colleague(of: CallerUnderTest, role: Role): Promise<CallerUnderTest> {
    const userId = await aPerson(of.tenantId, role)
    return new CallerUnderTest(of.tenantId, userId, await aToken('ss', of.tenantId, userId))
  },

  /** The same tenant by a token of another kind. */
  async token(of: CallerUnderTest, kind: TokenKind, scopes: string[]): Promise<CallerUnderTest> {
    return new CallerUnderTest(of.tenantId, of.userId, await aToken(kind, of.tenantId, of.userId, scopes))
  },

  /** A reseller by its `rk-` token. */
  async reseller({
    scopes = resellerScopes.filter(scope => scope.endsWith(':manage')),
  }: {
    scopes?: readonly ResellerScope[]
  } = {}): Promise<CallerUnderTest> {
    const tenantId = await aTenant({ isReseller: true })
    const userId = await aPerson(tenantId, 'owner')
    return new CallerUnderTest(tenantId, userId, await aToken('rk', tenantId, userId, [...scopes]))
  },

  /** A caller that impersonates a team, by a token of this reseller's. */
  async impersonation(
    reseller: CallerUnderTest,
    team: TeamUnderTest,
    scopes: string[] = ['read', 'write'],
  ): Promise<CallerUnderTest> {
    const serviceUserId = await aPerson(team.tenantId, 'admin')
    await platform.query('update users set is_service = true where id = $1', [serviceUserId])
    const { plain } = await createToken(platform, {
      kind: 'ik',
      tenantId: team.tenantId,
      userId: serviceUserId,
      name: 'test',
      scopes,
      expiresAt: new Date(Date.now() + 900_000),
      impersonator: { userId: reseller.userId ?? '', tenantId: reseller.tenantId },
    })
    return new CallerUnderTest(team.tenantId, serviceUserId, plain)
  },

  /** A team that this reseller manages, called by its own owner. */
  async team(reseller: CallerUnderTest, options: TenantOptions & { label?: string } = {}): Promise<TeamUnderTest> {
    const tenantId = await aTenant(options)
    const userId = await aPerson(tenantId, options.role ?? 'owner')
    const id = await addManagedTeam(platform, reseller.tenantId, tenantId, options.label ?? null)
    return new TeamUnderTest(id, tenantId, userId, await aToken('ss', tenantId, userId))
  },

  async operator(): Promise<CallerUnderTest> {
    const tenantId = await aTenant({})
    const userId = await aPerson(tenantId, 'owner', true)
    return new CallerUnderTest(tenantId, userId, await aToken('ss', tenantId, userId))
  },

  /** An anonymous caller: for public endpoints. */
  stranger: () => new CallerUnderTest('', null, null),
}

export const app = {
  baseUrl: plane.baseUrl,
  services: plane.services,
  stores,
  /** Names of the events a tenant's writes put into the outbox, in order. */
  async emitted(of: { tenantId: string }): Promise<string[]> {
    const { rows } = await platform.query<{ name: string }>(
      `select name from outbox where tenant_id = $1 and kind = 'event' order by id`,
      [of.tenantId],
    )
    return rows.map(row => row.name)
  },
  /** Actions in a tenant's audit trail, in order. */
  async audited(of: { tenantId: string }): Promise<string[]> {
    const { rows } = await platform.query<{ action: string }>(
      'select action from audit_entries where tenant_id = $1 order by created_at, id',
      [of.tenantId],
    )
    return rows.map(row => row.action)
  },
}

/**
 * For a minute after a second API was on this database, a test's before, the last few of a limit may be refused early:
 * where each is to be counted, wait.
 */
export async function countsAlone(): Promise<void> {
  const { rate } = app.services
  if (!(await until(async () => rate instanceof SharedRate && rate.isAlone, { withinMs: 80_000, everyMs: 250 })))
    throw new Error('Others still count.')
}
