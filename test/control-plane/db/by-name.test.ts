import { describe, expect, test } from 'vitest'
import { app, given } from '#test/support/app.ts'

const { platform } = app.services
const names = ['zürich', 'Zeta', 'alpha', 'Über', 'Uhr', 'uhu', 'Émile', 'emma']
const sorted = ['alpha', 'Émile', 'emma', 'Über', 'Uhr', 'uhu', 'Zeta', 'zürich']
const namesOf = (body: { data: { name: string }[] }) => body.data.map(({ name }) => name)

describe('lists by name are sorted as people expect', () => {
  test('monitors, on every page and in both directions, and those of one status', async () => {
    const team = await given.tenant()
    const monitors = names.map((name, n) => ({ name, url: `https://m${n}.example.com/` }))
    expect((await team.post('/monitors/bulk', { monitors })).status).toBe(201)
    const paged = async (query: string) => {
      const pages = []
      for (const page of [1, 2, 3])
        pages.push(...namesOf((await team.get(`/monitors?${query}&per_page=3&page=${page}`)).body))
      return pages
    }
    expect(await paged('sort=name')).toEqual(sorted)
    expect(await paged('sort=-name')).toEqual(sorted.toReversed())
    expect(await paged('sort=status')).toEqual(sorted)
  })

  test('members', async () => {
    const team = await given.tenant()
    await platform.query('update users set name = $2 where id = $1', [team.userId, names[0]])
    for (const name of names.slice(1)) {
      const { userId } = await given.colleague(team, 'member')
      await platform.query('update users set name = $2 where id = $1', [userId, name])
    }
    expect(namesOf((await team.get('/members')).body)).toEqual(sorted)
  })

  test('managed teams, templates and profiles', async () => {
    const reseller = await given.reseller()
    for (const name of names) {
      const made = await reseller.post('/reseller/managed-teams', { name, slug: `t-${crypto.randomUUID()}` })
      expect(made.status).toBe(201)
      const monitors = [
        { name_template: 'x', url_template: 'https://x.example.com/', type: 'website', checks: [{ type: 'uptime' }] },
      ]
      expect((await reseller.post('/reseller/monitor-templates', { name, monitors })).status).toBe(201)
      expect((await reseller.post('/reseller/provisioning-profiles', { name })).status).toBe(201)
    }
    for (const path of [
      '/reseller/managed-teams?sort=name',
      '/reseller/monitor-templates',
      '/reseller/provisioning-profiles',
    ])
      expect(namesOf((await reseller.get(path)).body), path).toEqual(sorted)
  })

  test.each([
    ['monitors', `select id from monitors m where tenant_id = $1 order by m.name collate "und-x-icu", m.id limit 10`],
    [
      'managed_teams',
      `select tenant_id from managed_teams m where reseller_id = $1 and deleted_at is null
       order by m.name collate "und-x-icu", m.tenant_id limit 10`,
    ],
  ])('an index has the order of %s', async (_, sql) => {
    const client = await platform.connect()
    try {
      await client.query('begin')
      await client.query(
        'set local enable_sort = off; set local enable_seqscan = off; set local enable_bitmapscan = off',
      )
      const { rows } = await client.query<{ 'QUERY PLAN': string }>(
        `explain ${sql}`.replace('$1', `'00000000-0000-0000-0000-000000000000'`),
      )
      expect(rows.map(row => row['QUERY PLAN']).join('\n')).not.toContain('Sort')
    } finally {
      await client.query('rollback')
      client.release()
    }
  })
})
