import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import { resellerScopes } from '#contract/scopes.ts'
import { type Answer, app, CallerUnderTest } from '#test/support/app.ts'
import { described, resolve, type Schema } from './document.ts'
import { bodyFor, collectionsIn, fill, furnish, idsOf, ofNobody, ofOperators } from './furnish.ts'
import { actsAtOnce, operations } from './operations.ts'
import { issued, makeToken, makeWorld, type World } from './world.ts'

const { platform } = app.services

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

beforeAll(async () => {
  mine = await makeWorld('mine')
  theirs = await makeWorld(mark)
  for (const [world, name] of [
    [mine, 'mine'],
    [theirs, mark],
  ] as const) {
    const token = tokenOf(world.reseller, 'its furnisher')
    await furnish(world, name, (method, path, body) => token.call(method, path, body))
  }
  answers.length = 0
}, 120_000)

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

const withNames = described.filter(
  ({ path, isPublic, params }) =>
    !isPublic && params.length > 0 && !collectionsIn(path).some(name => ofOperators.has(name) || ofNobody.has(name)),
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
    // by turns: what each may do is up to the guards, and whose records are found up to code that is the same for all;
    // to what is the resellers', only the first comes through them
    const walkerFor = (path: string, turn: number) =>
      path.includes('/reseller/') ? walkers[0]! : walkers[turn % walkers.length]!
    for (const [place, { method, path, params, body }] of withNames.entries()) {
      const foreign = fill(path, collection => ids.get(collection))
      const children = params.filter(name => name !== 'managed_team')
      const throughOwn =
        params.includes('managed_team') && children.length > 0
          ? fill(path.replace('{managed_team}', mine.team.id), collection => ids.get(collection))
          : null
      for (const target of [foreign, throughOwn])
        for (const [n, headers] of headerSets(path).entries()) {
          if (target === null) continue
          const walker = walkerFor(path, place + n)
          calls++
          const answer = await walker.call(method, target, bodyFor(body, ids), headers)
          if (answer.status < 400)
            reached.push(`${method} ${path} by ${walker.name} ${JSON.stringify(headers)}: ${answer.status}`)
        }
    }
    // lists, counts and calls that name records in their bodies
    for (const [place, { method, path, params, body, isPublic }] of described.entries()) {
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
      await walkerFor(path, place).call(method, own, bodyFor(body, ids))
      calls++
      if (path.includes('/reseller/')) continue
      const walker = walkerFor(path, place + 1)
      await walker.call(method, own, bodyFor(body, ids))
      const answer = await walker.call(method, own, bodyFor(body, ids), { 'X-Tenant-Id': theirs.team.tenantId })
      calls += 2
      const isIgnored = walker !== walkers[0] && walker !== walkers[1]
      if (!isIgnored && answer.status < 400 && known.guard === 'tenant')
        reached.push(`${method} ${path} by ${walker.name} in their name: ${answer.status}`)
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
