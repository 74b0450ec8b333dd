import { describe, expect, test } from 'vitest'
import { isCurrent, isKnown, versionedEtagOf } from '#control-plane/http/etag.ts'
import { app, type CallerUnderTest, given } from '#test/support/app.ts'
import { follow } from '#test/support/follow.ts'

const { platform } = app.services
const aMonitor = async (team: CallerUnderTest): Promise<{ id: string }> =>
  (await team.post('/monitors', { name: 'Shop', url: 'https://shop.example.com/' })).body.data
const ifMatch = (etag: string | null) => ({ headers: { 'If-Match': etag ?? '' } })

describe('the entity tag of a record', () => {
  test('ends with a version that stays the same when only a status changes', async () => {
    const team = await given.tenant()
    const { id } = await aMonitor(team)
    const tag = async () => (await team.get(`/monitors/${id}`)).headers.get('etag')!
    const before = await tag()
    expect(before).toMatch(/^W\/"[\w-]{27}\.[\w-]{16}"$/)
    expect((await team.get(`/monitors/${id}`, { headers: { 'If-None-Match': before } })).status).toBe(304)
    await platform.query(`update monitors set status = 'down' where id = $1`, [id])
    const after = await tag()
    expect(after).not.toBe(before)
    expect(after.split('.')[1]).toBe(before.split('.')[1])
    expect((await team.get(`/monitors/${id}`, { headers: { 'If-None-Match': before } })).status).toBe(200)
    expect((await team.patch(`/monitors/${id}`, { name: 'Renamed' }, ifMatch(before))).status).toBe(200)
    expect((await tag()).split('.')[1]).not.toBe(before.split('.')[1])
  })

  test('is in the answer to a change too, so that another change can follow', async () => {
    const team = await given.tenant()
    const { body, headers } = await team.post('/monitors', { name: 'Shop', url: 'https://shop.example.com/' })
    const first = await team.patch(`/monitors/${body.data.id}`, { name: 'One' }, ifMatch(headers.get('etag')))
    expect(first.status).toBe(200)
    expect(
      (await team.patch(`/monitors/${body.data.id}`, { name: 'Two' }, ifMatch(first.headers.get('etag')))).status,
    ).toBe(200)
    expect(
      (await team.patch(`/monitors/${body.data.id}`, { name: 'Three' }, ifMatch(first.headers.get('etag')))).status,
    ).toBe(412)
  })
})

describe('If-Match', () => {
  test('accepts a change based on the current version, and refuses any other with 412', async () => {
    const team = await given.tenant()
    const { id } = await aMonitor(team)
    const seen = (await team.get(`/monitors/${id}`)).headers.get('etag')
    await team.patch(`/monitors/${id}`, { name: 'Meanwhile' })
    const refused = await team.patch(`/monitors/${id}`, { name: 'Mine' }, ifMatch(seen))
    expect([refused.status, refused.body.code]).toEqual([412, 'changed_meanwhile'])
    expect((await team.delete(`/monitors/${id}`, undefined, ifMatch(seen))).status).toBe(412)
    expect((await team.get(`/monitors/${id}`)).body.data.name).toBe('Meanwhile')
    expect(await app.audited(team)).toEqual(['monitor.created', 'monitor.updated'])
    expect((await team.patch(`/monitors/${id}`, { name: 'Whatever' }, ifMatch('*'))).status).toBe(200)
    const current = (await team.get(`/monitors/${id}`)).headers.get('etag')
    expect((await team.delete(`/monitors/${id}`, undefined, ifMatch(`"other", ${current}`))).status).toBe(204)
    expect((await team.delete(`/monitors/${id}`, undefined, ifMatch(current))).status).toBe(404)
  })

  test('lets one of twenty simultaneous changes of the same version succeed', async () => {
    const reseller = await given.reseller()
    const team = await given.team(reseller)
    const { id } = await aMonitor(team)
    const seen = (await team.get(`/monitors/${id}`)).headers.get('etag')
    // half of them through the reseller's endpoint of the same record
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, n) =>
        n % 2
          ? team.patch(`/monitors/${id}`, { name: `Name ${n}` }, ifMatch(seen))
          : reseller.patch(`${team.path}/monitors/${id}`, { name: `Name ${n}` }, ifMatch(seen)),
      ),
    )
    expect(answers.map(answer => answer.status).sort()).toEqual([200, ...Array(19).fill(412)])
    const winner = answers.find(answer => answer.status === 200)
    expect((await team.get(`/monitors/${id}`)).body.data.name).toBe(winner?.body.data.name)
  })

  test('keeps writers without it from changing the record between check and change', async () => {
    const team = await given.tenant()
    const { id } = await aMonitor(team)
    for (let round = 0; round < 5; round++) {
      const seen = (await team.get(`/monitors/${id}`)).headers.get('etag')
      const before = (await app.audited(team)).length
      const answers = await Promise.all([
        ...Array.from({ length: 4 }, (_, n) => team.patch(`/monitors/${id}`, { name: `Plain ${round} ${n}` })),
        team.patch(`/monitors/${id}`, { notes: `Careful ${round}` }, ifMatch(seen)),
      ])
      const careful = answers.at(-1)!
      const { rows } = await platform.query<{ changes: object }>(
        'select changes from audit_entries where tenant_id = $1 order by created_at, id',
        [team.tenantId],
      )
      expect(rows.length - before).toBe(careful.status === 200 ? 5 : 4)
      expect([200, 412]).toContain(careful.status)
    }
  })

  test('is a 400 when it is no list of entity tags, and is documented where it is evaluated', async () => {
    const team = await given.tenant()
    const { id } = await aMonitor(team)
    for (const header of ['', 'x', 'W/x', '"a" "b"', '"a",'])
      expect((await team.patch(`/monitors/${id}`, { name: 'x' }, ifMatch(header))).status, header).toBe(400)
    const { body } = await given.stranger().get('/api/v1/openapi.json')
    const { patch, get } = body.paths['/api/v1/monitors/{monitor}']
    expect(patch.responses).toHaveProperty('412')
    expect(patch.parameters.map((parameter: { name: string }) => follow(body, parameter).name)).toContain('If-Match')
    expect(follow<{ headers?: object }>(body, get.responses['200']).headers).toHaveProperty('ETag')
    expect(body.paths['/api/v1/auth/token'].delete.responses).not.toHaveProperty('412')
  })
})

test('two writes in one millisecond leave two versions', async () => {
  const team = await given.tenant()
  const { id } = await aMonitor(team)
  const write = () =>
    platform.query<{ at: string }>(
      `update monitors set updated_at = '2026-01-01T00:00:00Z' where id = $1 returning updated_at::text as at`,
      [id],
    )
  const moments = [(await write()).rows[0]?.at, (await write()).rows[0]?.at, (await write()).rows[0]?.at]
  expect(new Set(moments).size).toBe(3)
})

test('tags are compared as the protocol says', () => {
  const etag = versionedEtagOf('{}', { data: { id: 'a', updated_at: 'b' } })
  const other = versionedEtagOf('{"x":1}', { data: { id: 'a', updated_at: 'b' } })
  expect([
    isKnown(etag, etag),
    isKnown(`"x", ${etag.slice(2)}`, etag),
    isKnown('*', etag),
    isKnown(other, etag),
    isKnown('', etag),
  ]).toEqual([true, true, true, false, false])
  expect([isCurrent(etag, etag), isCurrent(other, etag), isCurrent('*', etag), isCurrent('"x"', etag)]).toEqual([
    true,
    true,
    true,
    false,
  ])
  const plain = versionedEtagOf('[]', { data: [] })
  expect([isCurrent(plain, plain), isCurrent(versionedEtagOf('[1]', { data: [1] }), plain)]).toEqual([true, false])
})
