import { describe, expect, test } from 'vitest'
import { app, given } from '#test/support/app.ts'

const shop = (index: number, fields: Record<string, unknown> = {}) => ({
  name: `Shop ${index}`,
  url: `https://shop-${index}.example.com/`,
  ...fields,
})
const shops = (count: number, fields?: Record<string, unknown>) =>
  Array.from({ length: count }, (_, index) => shop(index, fields))
type View = { id: string; name: string; checks: { type: string }[] }

describe('POST /monitors/bulk', () => {
  test('creates a thousand at once in the given order, each with an event and an audit entry', async () => {
    const team = await given.tenant({ overrides: { monitors: 1_000 } })
    const { status, body } = await team.post('/monitors/bulk', {
      monitors: shops(1_000, { tags: ['bulk'], checks: [{ type: 'uptime' }, { type: 'ssl' }] }),
    })
    expect(status).toBe(201)
    expect(body.data.map((monitor: View) => monitor.name)).toEqual(shops(1_000).map(monitor => monitor.name))
    expect(body.data.every((monitor: View) => monitor.checks.map(check => check.type).join() === 'uptime,ssl')).toBe(
      true,
    )
    expect((await app.emitted(team)).length).toBe(1_000)
    expect((await app.audited(team)).length).toBe(1_000)
    expect(
      (await team.get('/monitors?sort_dir=asc&per_page=2')).body.data.map((monitor: View) => monitor.name),
    ).toEqual(['Shop 0', 'Shop 1'])
  })

  test.each([0, 1_001])('refuses %i', async count => {
    const team = await given.tenant({ overrides: { monitors: null } })
    const { status, body } = await team.post('/monitors/bulk', { monitors: shops(count) })
    expect(status).toBe(422)
    expect(Object.keys(body.errors)).toEqual(['monitors'])
  })

  test('changes all or none, with every error by its index', async () => {
    const team = await given.tenant()
    const monitors = [
      shop(0),
      shop(1, { url: 'http://127.0.0.1/' }),
      shop(2, { regions: ['mars'], external_ref: 'r' }),
      shop(3, { checks: [{ type: 'uptime' }, { type: 'tcp', settings: { port: 0 } }] }),
      shop(4, { external_ref: 'r', depends_on: ['7b4f1a52-5d0e-4a3d-9c55-f1b0a1a0c001'] }),
    ]
    const { status, body } = await team.post('/monitors/bulk', { monitors })
    expect(status).toBe(422)
    expect(Object.keys(body.errors).sort()).toEqual([
      'monitors.1.url',
      'monitors.2.regions',
      'monitors.3.checks.1.settings.port',
      'monitors.4.depends_on',
      'monitors.4.external_ref',
    ])
    expect((await team.get('/monitors')).body.meta.total).toBe(0)
    expect(await app.emitted(team)).toEqual([])
  })

  test('names every reason in one answer: of the schema, of addresses, of settings and of the plan', async () => {
    const team = await given.tenant({ overrides: { min_check_interval: 60 } })
    const { status, body } = await team.post('/monitors/bulk', {
      monitors: [
        shop(0, { name: '', url: 'http://127.0.0.1/' }),
        shop(1, { check_interval: 5, tags: ['a,b'] }),
        shop(2, { checks: [{ type: 'none' }, { type: 'tcp', settings: { port: 0 } }] }),
        { name: 'No address', regions: ['mars'] },
        shop(4, { url: 'http://localhost/' }),
      ],
    })
    expect(status).toBe(422)
    expect(Object.keys(body.errors).sort()).toEqual([
      'monitors.0.name',
      'monitors.0.url',
      'monitors.1.check_interval',
      'monitors.1.tags.0',
      'monitors.2.checks.0.type',
      'monitors.2.checks.1.settings.port',
      'monitors.3.regions',
      'monitors.3.url',
      'monitors.4.url',
    ])
    expect((await team.get('/monitors')).body.meta.total).toBe(0)
  })

  test('names fields that are not known, by the index of their monitor', async () => {
    const team = await given.tenant()
    const { status, headers } = await team.post('/monitors/bulk', { monitors: [shop(0), shop(1, { colour: 'red' })] })
    expect(status).toBe(201)
    expect(headers.get('x-ignored-fields')).toBe('monitors.1.colour')
  })

  test('names the index of an entry with a wrong type', async () => {
    const team = await given.tenant()
    const { body } = await team.post('/monitors/bulk', { monitors: [shop(0), shop(1, { name: '' }), 5, null] })
    expect(Object.keys(body.errors)).toEqual(['monitors.1.name', 'monitors.2', 'monitors.3'])
  })

  test('the plan counts all of them', async () => {
    const team = await given.tenant({ overrides: { monitors: 3 } })
    await team.post('/monitors', shop(9))
    const { status, body } = await team.post('/monitors/bulk', { monitors: shops(3) })
    expect(status).toBe(422)
    expect(body.code).toBe('plan_limit')
    expect((await team.post('/monitors/bulk', { monitors: shops(2) })).status).toBe(201)
  })

  test('a body beyond a megabyte is refused unread', async () => {
    const team = await given.tenant()
    expect((await team.post('/monitors/bulk', { monitors: shops(300, { notes: 'x'.repeat(4_000) }) })).status).toBe(413)
  })
})

describe('PATCH /monitors/bulk', () => {
  test('changes many by id', async () => {
    const team = await given.tenant({ overrides: { monitors: 1_000 } })
    const made: View[] = (await team.post('/monitors/bulk', { monitors: shops(1_000) })).body.data
    const { status, body } = await team.patch('/monitors/bulk', {
      monitors: made.map(({ id }, index) => ({ id, tags: [`t${index % 3}`] })),
    })
    expect(status).toBe(200)
    expect(body.data.map(({ id }: View) => id)).toEqual(made.map(({ id }) => id))
    expect((await team.get('/tags')).body.data).toEqual([
      { name: 't0', monitors_count: 334 },
      { name: 't1', monitors_count: 333 },
      { name: 't2', monitors_count: 333 },
    ])
    expect((await app.emitted(team)).filter(name => name === 'monitor.updated').length).toBe(1_000)
  })

  test('changes all or none, with every error by its index', async () => {
    const [team, other] = [await given.tenant(), await given.tenant()]
    const [one, two]: View[] = (await team.post('/monitors/bulk', { monitors: shops(2) })).body.data
    const foreign = (await other.post('/monitors', shop(1))).body.data.id
    const { status, body } = await team.patch('/monitors/bulk', {
      monitors: [
        { id: one!.id, name: 'Changed', depends_on: [two!.id] },
        { id: two!.id, depends_on: [one!.id] },
        { id: foreign, name: 'Mine' },
        { id: one!.id, name: 'Twice' },
      ],
    })
    expect(status).toBe(422)
    expect(body.errors).toEqual({
      'monitors.0.depends_on': ['The dependencies go round in a circle.'],
      'monitors.1.depends_on': ['The dependencies go round in a circle.'],
      'monitors.2.id': ['Monitor not found.'],
      'monitors.3.id': ['Is named twice.'],
    })
    expect((await team.get(`/monitors/${one!.id}`)).body.data.name).toBe('Shop 0')
    expect((await other.get(`/monitors/${foreign}`)).body.data.name).toBe('Shop 1')
  })

  test('names every reason of changes in one answer', async () => {
    const team = await given.tenant()
    const [one, two]: View[] = (await team.post('/monitors/bulk', { monitors: shops(2) })).body.data
    const { status, body } = await team.patch('/monitors/bulk', {
      monitors: [
        { id: 'none' },
        { id: one!.id, timeout: 0, url: 'http://127.0.0.1/' },
        { id: two!.id, regions: ['mars'] },
      ],
    })
    expect(status).toBe(422)
    expect(Object.keys(body.errors).sort()).toEqual([
      'monitors.0.id',
      'monitors.1.timeout',
      'monitors.1.url',
      'monitors.2.regions',
    ])
  })

  test('passes references from one monitor to another in one call', async () => {
    const team = await given.tenant()
    const [one, two]: View[] = (
      await team.post('/monitors/bulk', { monitors: [shop(0, { external_ref: 'a' }), shop(1)] })
    ).body.data
    const { status } = await team.patch('/monitors/bulk', {
      monitors: [
        { id: one!.id, external_ref: null },
        { id: two!.id, external_ref: 'a' },
      ],
    })
    expect(status).toBe(200)
    expect((await team.patch(`/monitors/${one!.id}`, { external_ref: 'b' })).status).toBe(200)
    const swap = (first: string, second: string) =>
      team.patch('/monitors/bulk', {
        monitors: [
          { id: one!.id, external_ref: first },
          { id: two!.id, external_ref: second },
        ],
      })
    expect((await swap('a', 'b')).status).toBe(200)
    expect((await swap('b', 'a')).status).toBe(200)
    expect(Object.keys((await swap('a', 'a')).body.errors)).toEqual([
      'monitors.0.external_ref',
      'monitors.1.external_ref',
    ])
  })

  test('viewers may not', async () => {
    const team = await given.tenant()
    const viewer = await given.colleague(team, 'viewer')
    expect((await viewer.post('/monitors/bulk', { monitors: shops(1) })).status).toBe(403)
    expect((await viewer.patch('/monitors/bulk', { monitors: [] })).status).toBe(403)
  })
})
