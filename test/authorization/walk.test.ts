import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import { resellerScopes } from '#contract/scopes.ts'
import { aProof } from '#test/support/a-proof.ts'
import { type Answer, app, CallerUnderTest } from '#test/support/app.ts'
import { described, resolve, type Schema, sample } from './document.ts'
import { actsAtOnce, operations } from './operations.ts'
import { issued, makeDirectoryToken, makeToken, makeWorld, type TeamInWorld, type World } from './world.ts'

const { platform } = app.services

const tokensOf = (kind: string) =>
  `select id from tokens where tenant_id = $1 and kind = '${kind}' and name <> 'matrix'`
const recordsIn = (table: string) => `select id from ${table} where tenant_id = $1`
/** Channels of the team, or contact methods of its members. */
const channelsIn = (owner: 'is null' | 'is not null') =>
  `${recordsIn('notification_channels')} and owner_user_id ${owner}`

/**
 * Where the records of a collection, as paths call it, are kept. A new collection needs a line here, and rows in
 * `furnish`.
 */
const ofTeam: Record<string, string> = {
  'managed-teams': recordsIn('managed_teams'),
  monitors: recordsIn('monitors'),
  'cron-monitors': 'select monitor_id as id from heartbeats where tenant_id = $1',
  'agent-monitors': 'select monitor_id as id from agent_monitors where tenant_id = $1',
  checks: recordsIn('checks'),
  incidents: recordsIn('incidents'),
  'crawl-runs': recordsIn('crawl_runs'),
  'maintenance-windows': recordsIn('maintenance_windows'),
  'custom-domains': recordsIn('custom_domains'),
  domains: recordsIn('sso_domains'),
  'status-pages': recordsIn('status_pages'),
  groups: recordsIn('status_page_groups'),
  components: recordsIn('status_page_components'),
  subscribers: recordsIn('status_page_subscribers'),
  posts: recordsIn('status_page_posts'),
  'status-page-templates': recordsIn('status_page_update_templates'),
  updates: recordsIn('status_page_updates'),
  'geo-audits': recordsIn('geo_audits'),
  migrations: recordsIn('provider_migrations'),
  members: 'select user_id as id from memberships where tenant_id = $1',
  Users: 'select user_id as id from memberships where tenant_id = $1',
  Schemas: 'select $1::uuid as id',
  ResourceTypes: 'select $1::uuid as id',
  'scim-tokens': recordsIn('scim_tokens'),
  invitations: recordsIn('invitations'),
  invoices: recordsIn('invoices'),
  'notification-channels': channelsIn('is null'),
  'contact-methods': channelsIn('is not null'),
  'notification-rules': recordsIn('notification_rules'),
  'notification-logs': recordsIn('deliveries'),
  'on-call-schedules': recordsIn('on_call_schedules'),
  overrides: recordsIn('on_call_overrides'),
  'escalation-policies': recordsIn('escalation_policies'),
  teams: 'select $1::uuid as id',
  'api-keys': tokensOf('svc'),
  'api-tokens': tokensOf('sk'),
  'impersonation-tokens': tokensOf('ik'),
  sessions: tokensOf('ss'),
  'trusted-devices':
    'select d.id from trusted_devices d join memberships m on m.user_id = d.user_id where m.tenant_id = $1',
  passkeys: 'select p.id from passkeys p join memberships m using (user_id) where m.tenant_id = $1',
}
const ofReseller: Record<string, string> = {
  'monitor-templates': recordsIn('monitor_templates'),
  'provisioning-profiles': recordsIn('provisioning_profiles'),
  tokens: tokensOf('rk'),
  webhooks: channelsIn('is null'),
}
const ofOperators = new Set(['agents', 'caught-mails', 'dead-events', 'quarantine', 'regions', 'tenants'])

/** Fields of bodies that name records, beside those called like their collection. */
const called: Record<string, string> = {
  template: 'monitor-templates',
  profile: 'provisioning-profiles',
  user: 'members',
  replaces_user: 'members',
  team: 'managed-teams',
  fallback_policy: 'escalation-policies',
  escalation_policy: 'escalation-policies',
  depends_on: 'monitors',
  target: 'status-pages',
}
const collectionsIn = (path: string) =>
  [...path.matchAll(/([\w-]+)\/\{\w+\}/g)].map(([, collection = '']) => collection)

/** A caller who asks more often than one token may. */
class Walker {
  readonly #mint: () => Promise<string>
  readonly name: string
  #caller: CallerUnderTest | undefined
  #calls = 0

  constructor(name: string, mint: () => Promise<string>) {
    this.name = name
    this.#mint = mint
  }

  async call(method: string, path: string, body?: unknown, headers: Record<string, string> = {}): Promise<Answer> {
    if (!this.#caller || this.#calls++ % 90 === 0) this.#caller = new CallerUnderTest('', null, await this.#mint())
    const answer = await this.#caller.call(method, path, body, { headers })
    answers.push({ what: `${method} ${path} by ${this.name}`, text: answer.text })
    return answer
  }
}

const answers: { what: string; text: string }[] = []
const mark = `zq${randomUUID().slice(0, 8)}`
let mine: World
let theirs: World
const sessionOf = ({ tenantId, people }: World['reseller'], name: string) =>
  new Walker(name, () => makeToken({ kind: 'ss', tenantId, userId: people.owner ?? null, scopes: [] }))
const tokenOf = ({ tenantId, people }: World['reseller'], name: string) =>
  new Walker(name, () => makeToken({ kind: 'rk', tenantId, userId: people.owner ?? null, scopes: resellerScopes }))

/** Something of every kind, in a reseller's account and in each of its teams, with a name that gives it away. */
async function furnish({ reseller, team, sister }: World, name: string): Promise<void> {
  const token = tokenOf(reseller, 'its furnisher')
  const add = async (path: string, body: unknown) => {
    const answer = await token.call('POST', `/api/v1/reseller${path}`, body)
    expect(answer.status, `${path}: ${answer.text}`).toBe(201)
    return answer.body.data
  }
  const template = await add('/monitor-templates', {
    name,
    monitors: [{ name_template: name, url_template: 'https://example.com/' }],
  })
  await add('/provisioning-profiles', { name, monitor_template_id: template.id })
  await add('/tokens', { name, scopes: ['teams:read'] })
  await add('/webhooks', { name, url: `https://${name}.example.com/`, events: ['team.paused'] })
  const impersonator = { userId: reseller.people.owner ?? '', tenantId: reseller.tenantId }
  for (const { id, tenantId, people } of [team, sister]) {
    const userId = people.owner ?? null
    await makeToken({ name, kind: 'ss', tenantId, userId, scopes: [] })
    await makeToken({ name, kind: 'svc', tenantId, userId: null, scopes: ['monitors:read'] })
    await makeToken({ name, kind: 'sk', tenantId, userId, scopes: ['monitors:read'] })
    await makeToken({ name, kind: 'ik', tenantId, userId, scopes: ['read'], impersonator })
    await platform.query(
      `insert into trusted_devices (id, user_id, secret_hash, name, expires_at)
       values (gen_random_uuid(), $1, sha256($2::text::bytea), $3, now() + interval '1 day')`,
      [userId, randomUUID(), name],
    )
    await platform.query(
      `insert into passkeys (id, user_id, rp_id, credential_id, public_key, aaguid, name)
       values (gen_random_uuid(), $1, 'vedette.example', sha256($2::text::bytea), '', gen_random_uuid(), $3)`,
      [userId, randomUUID(), name],
    )
    const channel = await add(`/managed-teams/${id}/notification-channels`, {
      name,
      type: 'email',
      config: { recipients: [`${name}@example.com`] },
    })
    await platform.query(
      `insert into deliveries (id, tenant_id, channel_id, event, body, status, next_at)
       values (gen_random_uuid(), $1, $2, 'incident.created', $3, 'delivered', now())`,
      [tenantId, channel.id, name],
    )
    await add(`/managed-teams/${id}/notification-rules`, { channel_id: channel.id, event_types: ['incident.created'] })
    const schedule = await add(`/managed-teams/${id}/on-call-schedules`, {
      name,
      timezone: 'UTC',
      rotations: [{ name, users: [userId], handoff: 'daily', first_handoff_at: '2026-01-05T09:00' }],
    })
    await add(`/managed-teams/${id}/on-call-schedules/${schedule.id}/overrides`, {
      user_id: userId,
      starts_at: '2099-01-01T00:00:00Z',
      ends_at: '2099-01-02T00:00:00Z',
      reason: name,
    })
    await add(`/managed-teams/${id}/escalation-policies`, {
      name,
      steps: [{ delay_minutes: 1, targets: [{ type: 'schedule', id: schedule.id }] }],
    })
    await makeDirectoryToken(tenantId)
    await add(`/managed-teams/${id}/invitations`, { email: `${randomUUID()}@${name}.test`, role: 'viewer' })
    await platform.query('insert into invoices (id, tenant_id, number) values (gen_random_uuid(), $1, $2)', [
      tenantId,
      name,
    ])
    const monitor = await add(`/managed-teams/${id}/monitors`, {
      name,
      url: `https://${name}.example.com/`,
      tags: [name],
    })
    await platform.query(
      `insert into geo_audits (id, tenant_id, monitor_id, check_id, check_type, regions)
       values (gen_random_uuid(), $1, $2, $3, 'uptime', $4)`,
      [tenantId, monitor.id, monitor.checks[0].id, JSON.stringify([{ region: name, has_agent: true }])],
    )
    await add(`/managed-teams/${id}/migrations`, {
      provider: 'csv',
      name,
      content: `url\nhttps://${name}.example.com/`,
    })
    await add(`/managed-teams/${id}/maintenance-windows`, {
      title: name,
      scope: { all: true },
      starts_at: '2120-11-29T02:00',
      timezone: 'UTC',
      duration_minutes: 60,
    })
    await add(`/managed-teams/${id}/custom-domains`, { hostname: `${name}.example.com` })
    await platform.query(
      `insert into sso_domains (id, tenant_id, domain, txt_token) values (gen_random_uuid(), $1, $2, 'token')`,
      [tenantId, `${name}.example.com`],
    )
    const page = await add(`/managed-teams/${id}/status-pages`, { name, slug: `p-${randomUUID()}` })
    const group = await add(`/managed-teams/${id}/status-pages/${page.id}/groups`, { name })
    await add(`/managed-teams/${id}/status-pages/${page.id}/components`, {
      type: 'monitor',
      monitor_id: monitor.id,
      name,
      group_id: group.id,
    })
    await add(`/managed-teams/${id}/status-pages/${page.id}/posts`, { title: name, body: name })
    await add(`/managed-teams/${id}/status-page-templates`, { name, phase: 'resolved', body: name })
    await add(`/managed-teams/${id}/status-pages/${page.id}/subscribers`, { address: `${name}@example.com` })
    await add(`/managed-teams/${id}/cron-monitors`, { name, period_minutes: 60 })
    await add(`/managed-teams/${id}/agent-monitors`, { name, tags: [name] })
    const incident = randomUUID()
    await platform.query(
      `insert into incidents (id, tenant_id, monitor_id, check_id, check_type, number, title, severity,
       started_at, confirmed_at, quorum)
       values ($1, $2, $3, $4, 'uptime', 1, $5, 'critical', now(), now(), $6)`,
      [incident, tenantId, monitor.id, monitor.checks[0].id, name, JSON.stringify(aProof)],
    )
    await platform.query(
      `insert into notification_decisions (tenant_id, incident_id, event_id, event, stage, channels, emitted_at)
       values ($1, $2, 1, 'incident.created', 'begun', $3, now())`,
      [
        tenantId,
        incident,
        JSON.stringify([
          { channel_id: channel.id, channel_name: name, channel_type: 'email', rule_id: null, reason: 'no_rule' },
        ]),
      ],
    )
    await platform.query(
      `insert into crawl_runs (id, tenant_id, monitor_id, state, created_at)
       values (gen_random_uuid(), $1, $2, 'finished', now())`,
      [tenantId, monitor.id],
    )
    await add(`/managed-teams/${id}/incidents/${incident}/updates`, { status: 'investigating', body: name })
  }
}

beforeAll(async () => {
  mine = await makeWorld('mine')
  theirs = await makeWorld(mark)
  await furnish(mine, 'mine')
  await furnish(theirs, mark)
  answers.length = 0
}, 120_000)

/** The id of a record of every collection, of this team or of its reseller. */
async function idsOf(team: TeamInWorld, reseller: World['reseller']): Promise<Map<string, string>> {
  const ids = new Map<string, string>()
  for (const [collection, sql] of [...Object.entries(ofTeam), ...Object.entries(ofReseller)]) {
    const { rows } = await platform.query<{ id: string }>(`${sql} order by 1 limit 1`, [
      collection in ofReseller ? reseller.tenantId : team.tenantId,
    ])
    expect(rows, `there is nothing among the ${collection} to reach for: furnish one`).toHaveLength(1)
    ids.set(collection, rows[0]!.id)
  }
  return ids
}

/** Collections of the product, the same for every tenant. */
const ofNobody = new Set(['mail-previews'])

const withNames = described.filter(
  ({ path, isPublic, params }) =>
    !isPublic && params.length > 0 && !collectionsIn(path).some(name => ofOperators.has(name) || ofNobody.has(name)),
)

const fill = (path: string, idFor: (collection: string) => string | undefined) =>
  path.replace(
    /([\w-]+)\/\{\w+\}/g,
    (_, collection: string) =>
      `${collection}/${idFor(collection) ?? expect.unreachable(`paths name ${collection}: say in this file where they are kept`)}`,
  )

/** Written by the platform at any time, independent of the caller. */
const byOthers = ['usage_counters', 'audit_heads', 'audit_links', 'rate_windows']

const belongings = async ({ reseller, team, sister }: World): Promise<Record<string, string>> => {
  const { rows } = await platform.query<{ name: string }>(
    `select table_name as name from information_schema.columns where table_schema = 'public'
     and column_name = 'tenant_id'
     and table_name <> all($1) order by 1`,
    [byOthers],
  )
  const prints: Record<string, string> = {}
  for (const { name } of rows) {
    const print = await platform.query<{ print: string }>(
      `select count(*) || ' ' || md5(coalesce(string_agg(t::text, ',' order by t::text), '')) as print from ${name} t
       where tenant_id = any($1) ${name === 'tokens' ? "and name <> 'matrix'" : ''}`,
      [[reseller.tenantId, team.tenantId, sister.tenantId]],
    )
    prints[name] = print.rows[0]!.print
  }
  return prints
}

/** A tenant's own paths are also tried in the name of the other's team. */
const headerSets = (path: string): Record<string, string>[] =>
  path.includes('/reseller/') ? [{}] : [{}, { 'X-Tenant-Id': theirs.team.tenantId }]

const bodyFor = (schema: Schema | undefined, ids: ReadonlyMap<string, string>) =>
  schema &&
  sample(
    schema,
    name => ids.get(called[name] ?? `${name.replaceAll('_', '-')}s`) ?? ids.get('monitors') ?? randomUUID(),
  )

describe('two resellers and their teams', () => {
  test('no path of the document reaches or changes data of another tenant', {
    timeout: 600_000,
  }, async () => {
    const before = await belongings(theirs)
    const ids = await idsOf(theirs.team, theirs.reseller)
    const walkers = [
      tokenOf(mine.reseller, 'a reseller’s token'),
      sessionOf(mine.reseller, 'a reseller’s owner'),
      sessionOf(mine.team, 'a team’s owner'),
      sessionOf(theirs.independent, 'an independent owner'),
    ]
    const reached: string[] = []
    let calls = 0
    for (const { method, path, params, body } of withNames) {
      const foreign = fill(path, collection => ids.get(collection))
      const children = params.filter(name => name !== 'managed_team')
      const throughOwn =
        params.includes('managed_team') && children.length > 0
          ? fill(path.replace('{managed_team}', mine.team.id), collection => ids.get(collection))
          : null
      for (const walker of walkers)
        for (const target of [foreign, throughOwn])
          for (const headers of headerSets(path)) {
            if (target === null) continue
            const answer = await walker.call(method, target, bodyFor(body, ids), headers)
            calls++
            if (answer.status < 400)
              reached.push(`${method} ${path} by ${walker.name} ${JSON.stringify(headers)}: ${answer.status}`)
          }
    }
    // lists, counts and calls that name records in their bodies
    for (const { method, path, params, body, isPublic } of described) {
      const known = operations.find(operation => operation.name === `${method} ${path}`)
      if (
        isPublic ||
        params.some(name => name !== 'managed_team') ||
        !known ||
        actsAtOnce(known) ||
        (method !== 'GET' && !body)
      )
        continue
      const own = path.replace('{managed_team}', mine.team.id)
      for (const walker of walkers) {
        await walker.call(method, own, bodyFor(body, ids))
        calls++
        if (!path.includes('/reseller/')) {
          const answer = await walker.call(method, own, bodyFor(body, ids), { 'X-Tenant-Id': theirs.team.tenantId })
          calls++
          const isIgnored = walker !== walkers[0] && walker !== walkers[1]
          if (!isIgnored && answer.status < 400 && known.guard === 'tenant')
            reached.push(`${method} ${path} by ${walker.name} in their name: ${answer.status}`)
        }
      }
    }
    expect(reached).toEqual([])
    // only the independent tenant of the other world may read its own name
    const revealing = answers
      .filter(({ what, text }) => text.includes(mark) && !what.endsWith('an independent owner'))
      .map(({ what }) => what)
    expect(revealing).toEqual([])
    expect(await belongings(theirs)).toEqual(before)
    console.log(`${withNames.length} operations that name records: ${calls} calls to what is another's, none reached`)
  })

  test('a sister team’s record under the wrong team is the same 404 as one that never was', {
    timeout: 600_000,
  }, async () => {
    const walker = tokenOf(mine.reseller, 'the managing reseller')
    const before = await belongings(mine)
    const ids = await idsOf(mine.sister, mine.reseller)
    const differing: string[] = []
    let calls = 0
    for (const { method, path, params, body } of withNames) {
      const children = params.filter(name => name !== 'managed_team')
      if (!params.includes('managed_team') || children.length === 0) continue
      const inTeam = path.replace('{managed_team}', mine.team.id)
      const given = bodyFor(body, ids)
      const wrong = await walker.call(
        method,
        fill(inTeam, collection => ids.get(collection)),
        given,
      )
      const absent = await walker.call(
        method,
        fill(inTeam, () => randomUUID()),
        given,
      )
      calls++
      const isSame =
        wrong.status === absent.status &&
        JSON.stringify({ ...wrong.body, request_id: '' }) === JSON.stringify({ ...absent.body, request_id: '' })
      // 415: an import takes CSV, and its body is read before its record
      if (!isSame || ![404, 415, 422].includes(wrong.status))
        differing.push(
          `${method} ${path}: ${wrong.status} ${wrong.text.slice(0, 120)} / ${absent.status} ${absent.text.slice(0, 120)}`,
        )
    }
    console.log(`${calls} operations with a sister's record under the wrong team`)
    expect(differing).toEqual([])
    expect(await belongings(mine)).toEqual(before)
  })
})

describe('what answers give away', () => {
  test('no answer of the walk contained a token, its hash or another secret', async () => {
    const { rows } = await platform.query<{ hash: Buffer }>('select hash from tokens')
    const hashes = rows.flatMap(({ hash }) => [
      hash.toString('hex'),
      hash.toString('base64'),
      hash.toString('base64url'),
    ])
    const all = answers.map(({ text }) => text).join('\n')
    expect(all.length).toBeGreaterThan(10_000)
    for (const secret of [...issued, ...hashes])
      if (all.includes(secret)) expect.unreachable('an answer contained a secret or its hash')
  })

  test('no answer’s schema has room for one, but where it is issued', () => {
    const issuing = new Set(['plain_text_token', 'token', 'shared_secret'])
    // the secret of one-time codes, shown when they are set up
    // that of a proof of work is no secret: who solves it must have it
    const known = new Set(['POST /api/v1/profile/mfa secret', 'GET /api/v1/auth/sign-up/challenge salt'])
    // eight asterisks or nothing: the schema lets no other text pass
    const masked = (schema: Schema) =>
      schema.const === '********' || (schema.anyOf ?? []).some(({ const: only }) => only === '********')
    const found = new Set<string>()
    const visit = (schema: Schema, place: string, seen: ReadonlySet<Schema>) => {
      const known = resolve(schema)
      if (seen.has(known)) return
      const within = new Set([...seen, known])
      for (const [name, inner] of Object.entries(known.properties ?? {})) {
        const isText = [resolve(inner).type].flat().includes('string')
        if (
          isText &&
          !masked(resolve(inner)) &&
          /hash|secret|password|token|private|salt/i.test(name) &&
          !/_id$|_at$/.test(name)
        )
          found.add(`${place} ${name}`)
        visit(inner, place, within)
      }
      for (const inner of [known.items, ...(known.anyOf ?? []), ...(known.oneOf ?? []), ...(known.allOf ?? [])])
        if (inner) visit(inner, place, within)
    }
    for (const { method, path, answers: schemas } of described)
      for (const schema of schemas) visit(schema, `${method} ${path}`, new Set())
    const unexpected = [...found].filter(place => {
      const [method, , name = ''] = place.split(' ')
      return !name.startsWith('masked_') && !known.has(place) && !(method === 'POST' && issuing.has(name))
    })
    expect(unexpected).toEqual([])
  })

  test('no answer’s schema lets anything pass that it does not name', () => {
    const loose: string[] = []
    const visit = (schema: Schema, place: string, seen: ReadonlySet<Schema>) => {
      const known = resolve(schema)
      if (seen.has(known)) return
      const within = new Set([...seen, known])
      // an object that is read strictly says nothing of further fields, one that is not says that there may be any
      if (known.properties && known.additionalProperties !== undefined) loose.push(place)
      for (const inner of [
        ...Object.values(known.properties ?? {}),
        known.items,
        ...(known.anyOf ?? []),
        ...(known.oneOf ?? []),
      ])
        if (inner) visit(inner, place, within)
    }
    for (const { method, path, answers: schemas } of described)
      for (const schema of schemas) visit(schema, `${method} ${path}`, new Set())
    expect([...new Set(loose)]).toEqual([])
  })
})
