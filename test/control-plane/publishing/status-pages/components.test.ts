import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { app, type CallerUnderTest, given } from '#test/support/app.ts'
import { addTo, aMonitor, aPage, hostileTexts, isOf, path } from './pages.ts'

const fixed = (name: string, more: object = {}) => ({ type: 'static', static_status: 'operational', name, ...more })
const errorFields = ({ body }: { body: { errors?: object } }) => Object.keys(body.errors ?? {})
const pageOf = async (team: CallerUnderTest, id: string) => (await team.get(`${path}/${id}`)).body.data
const changedAt = async (team: CallerUnderTest, id: string) => (await pageOf(team, id)).content_changed_at

describe('components of a status page', () => {
  test('show a monitor, the monitors of a group, or a status set by hand', async () => {
    const team = await given.tenant()
    const { id } = await aPage(team)
    const monitor = await aMonitor(team, { group: 'Web' })
    const group = await addTo(team, `${id}/groups`, { name: 'Core' })
    const sent = [
      { type: 'monitor', monitor_id: monitor.id, name: 'Shop', group_id: group.id, status_when_down: 'partial_outage' },
      { type: 'group', monitor_group: 'Web', name: 'Web', show_history: false },
      { type: 'static', static_status: 'maintenance', name: 'Office', description: 'The house' },
    ]
    const made = []
    for (const body of sent) made.push(await addTo(team, `${id}/components`, body))
    for (const [index, component] of made.entries())
      expect(component).toMatchObject({ ...sent[index], position: index + 1 })
    const page = await pageOf(team, id)
    expect([page.groups, page.components]).toEqual([[group], made])
    expect((await team.get(`${path}/${id}/components`)).body.data).toEqual(made)
    expect((await team.get(`${path}/${id}/components/${made[0].id}`)).body.data).toEqual(made[0])
    expect((await team.get(`${path}/${id}/groups/${group.id}`)).body.data).toEqual(group)
  })

  test.each([
    ['type', { type: 'website' }],
    ['monitor_id', { type: 'monitor', static_status: null }],
    ['monitor_id', { type: 'monitor', static_status: null, monitor_id: randomUUID() }],
    ['monitor_id', { monitor_id: randomUUID() }],
    ['monitor_group', { type: 'group', static_status: null }],
    ['monitor_group', { type: 'group', static_status: null, monitor_group: 'x'.repeat(101) }],
    ['static_status', { static_status: null }],
    ['static_status', { static_status: 'no_data' }],
    ['name', { name: '' }],
    ['name', { name: 'x'.repeat(256) }],
    ['description', { description: 'x'.repeat(501) }],
    ['group_id', { group_id: randomUUID() }],
    ['position', { position: 0 }],
    ['position', { position: 10_001 }],
    ['status_when_down', { status_when_down: 'operational' }],
  ])('are refused for their %s: %j', async (field, changes) => {
    const team = await given.tenant()
    const { id } = await aPage(team)
    const answer = await team.post(`${path}/${id}/components`, fixed('X', changes))
    expect([answer.status, errorFields(answer)]).toEqual([422, [field]])
  })

  test('name no monitor of another team and no group of another page', async () => {
    const [team, other] = [await given.tenant(), await given.tenant()]
    const [one, two] = [await aPage(team), await aPage(team)]
    const foreign = await aMonitor(other)
    const group = await addTo(team, `${two.id}/groups`, { name: 'Elsewhere' })
    const create = (body: object) => team.post(`${path}/${one.id}/components`, body)
    expect(errorFields(await create({ type: 'monitor', name: 'X', monitor_id: foreign.id }))).toEqual(['monitor_id'])
    expect(errorFields(await create(fixed('X', { group_id: group.id })))).toEqual(['group_id'])
    const { id } = await addTo(team, `${one.id}/components`, fixed('X'))
    const update = (body: object) => team.patch(`${path}/${one.id}/components/${id}`, body)
    expect(errorFields(await update({ group_id: group.id }))).toEqual(['group_id'])
    expect(errorFields(await update({ monitor_id: foreign.id }))).toEqual(['monitor_id'])
    const order = { components: [{ id, group_id: group.id }] }
    expect(errorFields(await team.put(`${path}/${one.id}/components/order`, order))).toEqual(['components.0.group_id'])
  })

  test('are at most two hundred, however many are created at once', async () => {
    const team = await given.tenant()
    const { id } = await aPage(team)
    await app.services.platform.query(
      `insert into status_page_components (id, tenant_id, page_id, type, static_status, name, position)
       select gen_random_uuid(), $1, $2, 'static', 'operational', 'X', n from generate_series(1, 195) n`,
      [team.tenantId, id],
    )
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => team.post(`${path}/${id}/components`, fixed('X'))),
    )
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(5)
    expect(errorFields(answers.find(({ status }) => status === 422)!)).toEqual(['components'])
    expect((await pageOf(team, id)).components).toHaveLength(200)
  })

  test('are updated and deleted, and each change touches the page', async () => {
    const team = await given.tenant()
    const { id } = await aPage(team)
    const component = await addTo(team, `${id}/components`, fixed('X'))
    const place = `${path}/${id}/components/${component.id}`
    const moments = [await changedAt(team, id)]
    const changes = { name: 'Y', static_status: 'partial_outage', description: hostileTexts[0] }
    const { body } = await team.patch(place, changes)
    expect(body.data).toEqual({ ...component, ...changes, updated_at: body.data.updated_at })
    moments.push(await changedAt(team, id))
    await team.patch(place, { name: 'Y' })
    expect(await changedAt(team, id)).toBe(moments[1])
    expect((await team.delete(place)).status).toBe(204)
    moments.push(await changedAt(team, id))
    expect(moments).toEqual([...new Set(moments)].sort())
    expect((await team.delete(place)).status).toBe(404)
    expect(await app.audited(team)).toEqual([
      'status_page.created',
      'status_page.component_created',
      'status_page.component_updated',
      'status_page.component_deleted',
    ])
  })

  test('of a monitor that is deleted are deleted with it', async () => {
    const team = await given.tenant()
    const { id } = await aPage(team)
    const monitor = await aMonitor(team)
    await addTo(team, `${id}/components`, { type: 'monitor', monitor_id: monitor.id, name: 'Shop' })
    const rest = await addTo(team, `${id}/components`, fixed('X'))
    const notices: string[] = []
    const stop = app.services.listener.on('status_pages', payload => notices.push(payload))
    expect((await team.delete(`/monitors/${monitor.id}`)).status).toBe(204)
    expect((await pageOf(team, id)).components).toEqual([rest])
    await expect.poll(() => notices.filter(payload => isOf(id, payload)).length).toBe(1)
    stop()
  })

  test('are put in order and moved between groups by one call', async () => {
    const team = await given.tenant()
    const { id } = await aPage(team)
    const group = await addTo(team, `${id}/groups`, { name: 'Core' })
    const [a, b, c] = [
      await addTo(team, `${id}/components`, fixed('A')),
      await addTo(team, `${id}/components`, fixed('B', { group_id: group.id })),
      await addTo(team, `${id}/components`, fixed('C')),
    ]
    const order = (components: unknown) => team.put(`${path}/${id}/components/order`, { components })
    const { status, body } = await order([{ id: c.id, group_id: group.id }, { id: a.id }, { id: b.id, group_id: null }])
    const shape = ({ name, position, group_id }: Record<string, unknown>) => [name, position, group_id]
    expect([status, body.data.map(shape)]).toEqual([
      200,
      [
        ['C', 1, group.id],
        ['A', 2, null],
        ['B', 3, null],
      ],
    ])
    for (const wrong of [
      [{ id: a.id }, { id: b.id }],
      [{ id: a.id }, { id: b.id }, { id: b.id }],
      [{ id: a.id }, { id: b.id }, { id: c.id }, { id: randomUUID() }],
    ])
      expect(errorFields(await order(wrong))).toEqual(['components'])
  })
})

describe('groups of a status page', () => {
  test('are created, updated, ordered and deleted; their components stay', async () => {
    const team = await given.tenant()
    const { id } = await aPage(team)
    const [one, two] = [
      await addTo(team, `${id}/groups`, { name: 'One' }),
      await addTo(team, `${id}/groups`, { name: 'Two', is_open: true }),
    ]
    expect([one.position, two.position, one.is_open, two.is_open]).toEqual([1, 2, false, true])
    const component = await addTo(team, `${id}/components`, fixed('X', { group_id: one.id }))
    const { body } = await team.patch(`${path}/${id}/groups/${one.id}`, { name: 'First', is_open: true })
    expect(body.data).toMatchObject({ name: 'First', is_open: true, position: 1 })
    const ordered = await team.put(`${path}/${id}/groups/order`, { groups: [two.id, one.id] })
    expect(ordered.body.data.map(({ id }: { id: string }) => id)).toEqual([two.id, one.id])
    expect(errorFields(await team.put(`${path}/${id}/groups/order`, { groups: [two.id] }))).toEqual(['groups'])
    expect((await team.delete(`${path}/${id}/groups/${one.id}`)).status).toBe(204)
    expect((await pageOf(team, id)).components).toMatchObject([{ id: component.id, group_id: null }])
    expect((await team.put(`${path}/${id}/groups/order`, { groups: [two.id] })).status).toBe(200)
    expect((await app.audited(team)).filter(action => action.includes('group'))).toEqual([
      'status_page.group_created',
      'status_page.group_created',
      'status_page.group_updated',
      'status_page.groups_ordered',
      'status_page.group_deleted',
      'status_page.groups_ordered',
    ])
  })

  test('are at most fifty', async () => {
    const team = await given.tenant()
    const { id } = await aPage(team)
    for (let made = 0; made < 50; made++) await addTo(team, `${id}/groups`, { name: `G ${made}` })
    expect(errorFields(await team.post(`${path}/${id}/groups`, { name: 'One more' }))).toEqual(['groups'])
  })
})

test('an empty page can be put in order', async () => {
  const team = await given.tenant()
  const { id } = await aPage(team)
  expect((await team.put(`${path}/${id}/components/order`, { components: [] })).body.data).toEqual([])
  expect((await team.put(`${path}/${id}/groups/order`, { groups: [] })).body.data).toEqual([])
})

test('what another page has is not found below this one, in the same team and in another', async () => {
  const [team, other] = [await given.tenant(), await given.tenant()]
  const mine = await aPage(team)
  for (const owner of [team, other]) {
    const page = await aPage(owner)
    const component = await addTo(owner, `${page.id}/components`, fixed('X'))
    const group = await addTo(owner, `${page.id}/groups`, { name: 'G' })
    for (const place of [`components/${component.id}`, `groups/${group.id}`]) {
      const answers = [
        await team.get(`${path}/${mine.id}/${place}`),
        await team.patch(`${path}/${mine.id}/${place}`, { name: 'Mine' }),
        await team.delete(`${path}/${mine.id}/${place}`),
      ]
      expect(answers.map(({ status }) => status)).toEqual([404, 404, 404])
    }
    expect((await pageOf(owner, page.id)).components).toEqual([component])
  }
})
