import { beforeAll, describe, expect, test } from 'vitest'
import { type CallerUnderTest, given } from '#test/support/app.ts'

let team: CallerUnderTest
const list = async (query = '', caller = team) => (await caller.get(`/tags?${query}`)).body

beforeAll(async () => {
  team = await given.tenant()
  const monitors = [['eu', 'shop'], ['eu', 'Übersee'], ['eu', 'null'], []].map((tags, index) => ({
    name: `M${index}`,
    url: 'https://example.com/',
    tags,
  }))
  expect((await team.post('/monitors/bulk', { monitors })).status).toBe(201)
})

describe('GET /tags', () => {
  test('names each tag in use once, with its monitors', async () => {
    const { data, meta } = await list()
    expect(data).toEqual([
      { name: 'eu', monitors_count: 3 },
      { name: 'null', monitors_count: 1 },
      { name: 'shop', monitors_count: 1 },
      { name: 'Übersee', monitors_count: 1 },
    ])
    expect(meta).toEqual({ current_page: 1, last_page: 1, per_page: 15, total: 4 })
  })

  test('by pages, and by what a name begins with', async () => {
    const { data, meta, links } = await list('per_page=3&page=2')
    expect(data).toHaveLength(1)
    expect(meta).toEqual({ current_page: 2, last_page: 2, per_page: 3, total: 4 })
    expect(links.next).toBeNull()
    expect((await list('search=E')).data).toEqual([{ name: 'eu', monitors_count: 3 }])
    expect((await list('search=%25')).data).toEqual([])
  })

  test('does not list a tag without monitors', async () => {
    const other = await given.tenant()
    const { id } = (await other.post('/monitors', { name: 'M', url: 'https://example.com/', tags: ['old'] })).body.data
    await other.patch(`/monitors/${id}`, { tags: ['new'] })
    expect((await list('', other)).data).toEqual([{ name: 'new', monitors_count: 1 }])
  })

  test('refuses invalid pages, and callers without the scope', async () => {
    for (const query of ['per_page=0', 'per_page=101', 'page=x', `search=${'x'.repeat(101)}`])
      expect((await team.get(`/tags?${query}`)).status).toBe(422)
    expect((await (await given.token(team, 'sk', ['checks:manage'])).get('/tags')).status).toBe(403)
    expect((await given.stranger().get('/tags')).status).toBe(401)
  })

  test('of each team apart, for the reseller', async () => {
    const [reseller, rival] = [await given.reseller(), await given.reseller()]
    const managed = await given.team(reseller)
    expect((await reseller.get(`${managed.path}/tags`)).body.data).toEqual([])
    expect((await rival.get(`${managed.path}/tags`)).status).toBe(403)
  })
})
