import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { prefersStrict, readBy, unknownFields } from '#control-plane/http/unknown-fields.ts'
import { aMonitor } from '#test/control-plane/monitoring/monitored.ts'
import { app, given } from '#test/support/app.ts'

const strict = { headers: { Prefer: 'handling=strict' } }
const shop = { name: 'Shop', url: 'https://shop.example.com/' }

describe('unknown fields', () => {
  const part = z.object({ known: z.number().optional() })
  const schema = z.object({
    plain: z.string().optional(),
    part: part.nullish(),
    list: z.array(part).default([]),
    of: z
      .discriminatedUnion('type', [
        z.object({ type: z.literal('a'), x: z.number() }),
        z.object({ type: z.literal('b'), part }),
      ])
      .optional(),
    either: z.union([z.string(), z.object({ y: z.number() })]).optional(),
    anything: z.record(z.string(), z.unknown()).optional(),
    loose: z.looseObject({}).optional(),
    sifted: z.preprocess(value => value, z.partialRecord(z.enum(['p', 'q']), part)).optional(),
    later: readBy(z.record(z.string(), z.unknown()), ({ plain }) => (plain === 'yes' ? part : undefined)).optional(),
  })

  test.each<[given: unknown, found: string[]]>([
    [{}, []],
    [null, []],
    ['x', []],
    [{ plain: 'x', typo: 1, '': 2 }, ['typo', '']],
    [{ part: { known: 1, other: { deep: 1 } } }, ['part.other']],
    [{ part: null }, []],
    [{ list: [{ known: 1 }, { odd: 1 }, { odd: 2, even: 3 }] }, ['list.1.odd', 'list.2.odd', 'list.2.even']],
    [{ of: { type: 'a', x: 1, part: {} } }, ['of.part']],
    [{ of: { type: 'b', part: { x: 1 } } }, ['of.part.x']],
    [{ either: { y: 1, z: 2 } }, ['either.z']],
    [{ either: 'text' }, []],
    [{ anything: { goes: { here: 1 } }, loose: { too: 1 } }, []],
    [{ sifted: { p: { known: 1 }, r: {}, q: { s: 1 } } }, ['sifted.r', 'sifted.q.s']],
    [{ plain: 'yes', later: { known: 1, odd: 1 } }, ['later.odd']],
    [{ plain: 'no', later: { odd: 1 } }, []],
  ])('of %j', (body, found) => {
    expect(unknownFields(schema, body)).toEqual(found)
  })

  test('are listed up to a hundred', () => {
    const many = Object.fromEntries(Array.from({ length: 500 }, (_, n) => [`f${n}`, n]))
    expect(unknownFields(schema, many)).toHaveLength(100)
    expect(unknownFields(schema, { list: Array.from({ length: 500 }, () => ({ odd: 1 })) })).toHaveLength(100)
  })
})

test.each<[header: string | undefined, isStrict: boolean]>([
  [undefined, false],
  ['', false],
  ['handling=strict', true],
  ['Handling = "strict"', true],
  ['respond-async, handling=strict; note=1', true],
  ['handling=lenient', false],
  ['handling=lenient, handling=strict', false],
  ['handling=strict, handling=lenient', true],
  ['handling=stricter', false],
  ['nohandling=strict', false],
  ['handling', false],
])('the preference %j asks to be refused: %j', (header, isStrict) => {
  expect(prefersStrict(header)).toBe(isStrict)
})

describe('a body with unknown fields', () => {
  test('is accepted, and the answer names them', async () => {
    const team = await given.tenant()
    const { status, body, headers } = await team.post('/monitors', {
      ...shop,
      check_intervall: 5,
      'größe, neu': 1,
      checks: [{ type: 'uptime', nme: 1 }],
    })
    expect([status, body.data.check_interval]).toEqual([201, 60])
    expect(headers.get('x-ignored-fields')).toBe('check_intervall, gr%C3%B6%C3%9Fe%2C%20neu, checks.0.nme')
    expect(headers.get('preference-applied')).toBeNull()
    expect((await team.post('/monitors', shop)).headers.get('x-ignored-fields')).toBeNull()
  })

  test('gets twenty of them named, each cut to sixty characters', async () => {
    const team = await given.tenant()
    const many = Object.fromEntries(Array.from({ length: 30 }, (_, n) => [`x${n}${'y'.repeat(100)}`, n]))
    const named =
      (await team.post('/monitors', { ...shop, ...many })).headers.get('x-ignored-fields')?.split(', ') ?? []
    expect(named).toHaveLength(20)
    for (const [n, name] of named.entries()) expect(name).toBe(`x${n}${'y'.repeat(100)}`.slice(0, 60))
  })

  test('is refused under Prefer: handling=strict, without effect', async () => {
    const team = await given.tenant()
    const { status, body, headers } = await team.post(
      '/monitors',
      { ...shop, tag: ['a'], checks: [{ type: 'uptime', settings: {}, intervall: 1 }] },
      strict,
    )
    expect([status, body.code]).toEqual([422, 'unknown_field'])
    expect(body.errors).toEqual({ tag: ['Is not known here.'], 'checks.0.intervall': ['Is not known here.'] })
    expect(headers.get('preference-applied')).toBe('handling=strict')
    expect((await team.get('/monitors')).body.meta.total).toBe(0)

    const both = await team.post('/monitors', { ...shop, name: '', nmae: 'Shop' }, strict)
    expect([both.status, Object.keys(both.body.errors).toSorted()]).toEqual([422, ['name', 'nmae']])
    const taken = await team.post('/monitors', shop, strict)
    expect([taken.status, taken.headers.get('preference-applied')]).toEqual([201, 'handling=strict'])
    expect(
      (await team.post('/monitors', { ...shop, tag: 1 }, { headers: { Prefer: 'handling=lenient' } })).status,
    ).toBe(201)
  })

  test('is checked at every depth: settings of checks, channels and parts that depend on a stored kind', async () => {
    const team = await given.tenant()
    const monitor = (await team.post('/monitors', shop)).body.data
    const settings = {
      auth: { type: 'basic', username: 'u', password: 'p', realm: 'x' },
      assertions: [{ source: 'status', comparison: 'equals', target: '200', typo: 1 }],
    }
    const created = await team.post('/monitors', { ...shop, checks: [{ type: 'uptime', settings }] })
    expect(created.status, created.text).toBe(201)
    const fields = 'checks.0.settings.auth.realm, checks.0.settings.assertions.0.typo'
    expect(created.headers.get('x-ignored-fields')).toBe(fields)
    const check = `/checks/${monitor.checks[0].id}`
    const changed = await team.patch(check, { severty: 'minor', settings })
    expect([changed.status, changed.headers.get('x-ignored-fields')]).toEqual([
      200,
      'severty, settings.auth.realm, settings.assertions.0.typo',
    ])
    expect((await team.patch(check, { settings }, strict)).body.errors).toEqual({
      'settings.auth.realm': ['Is not known here.'],
      'settings.assertions.0.typo': ['Is not known here.'],
    })

    const channel = {
      name: 'Hook',
      type: 'webhook',
      config: { url: 'https://hooks.example.com/', secrt: 'x'.repeat(32) },
    }
    const hook = await team.post('/notification-channels', channel)
    expect([hook.status, hook.headers.get('x-ignored-fields')]).toEqual([201, 'config.secrt'])
    expect((await team.post('/notification-channels', channel, strict)).body.errors).toEqual({
      'config.secrt': ['Is not known here.'],
    })
    const path = `/notification-channels/${hook.body.data.id}`
    expect((await team.patch(path, { config: { secrt: 'y' } })).headers.get('x-ignored-fields')).toBe('config.secrt')
    expect((await team.patch(path, { config: { secrt: 'y' } }, strict)).status).toBe(422)
  })

  test('gets them named in a refusal too, on every route', async () => {
    const reseller = await given.reseller()
    const team = await given.team(reseller)
    const refused = await team.post('/monitors', { url: 'ftp://x', nmae: 'Shop' })
    expect([refused.status, refused.headers.get('x-ignored-fields')]).toEqual([422, 'nmae'])
    const many = await reseller.post(`${team.path}/monitors/bulk`, { monitors: [shop, { ...shop, tga: 1 }] })
    expect([many.status, many.headers.get('x-ignored-fields')]).toEqual([201, 'monitors.1.tga'])
    const signIn = await given
      .stranger()
      .post('/auth/token', { email: 'a@b.example', password: 'x', device_name: 'x', remember: true })
    expect([signIn.status, signIn.headers.get('x-ignored-fields')]).toEqual([401, 'remember'])
  })

  test('is answered the same when it is repeated under its key', async () => {
    const team = await given.tenant()
    const once = () => team.post('/monitors', { ...shop, tga: 1 }, { headers: { 'Idempotency-Key': 'unknown-fields' } })
    const [first, second] = [await once(), await once()]
    expect(second.body).toEqual(first.body)
    expect([second.headers.get('idempotency-replayed'), second.headers.get('x-ignored-fields')]).toEqual([
      'true',
      'tga',
    ])
  })
})

test('unknown parameters of the query are named, and refused under Prefer: handling=strict', async () => {
  const team = await given.tenant()
  await aMonitor(team)
  const lenient = await team.get('/monitors?perpage=1&sort=name')
  expect([lenient.status, lenient.headers.get('x-ignored-parameters')]).toEqual([200, 'perpage'])
  const refused = await team.get('/monitors?perpage=1&sort=name', strict)
  expect([refused.status, refused.body.code, refused.body.errors]).toEqual([
    422,
    'unknown_parameter',
    { perpage: ['Is not known here.'] },
  ])
  expect((await team.get('/monitors?per_page=1', strict)).headers.get('preference-applied')).toBe('handling=strict')
  expect(await app.emitted(team)).toEqual([])
})
