import { describe, expect, test } from 'vitest'
import { addressHash } from '#control-plane/base/address-hash.ts'
import { rehashAddresses } from '#control-plane/publishing/status-pages/subscribers/delete-expired.ts'
import { app, given } from '#test/support/app.ts'
import { blockedBy, mostBlockedMs } from '#test/support/loop.ts'
import { aPage, aSubscriber, pathOf, waiting } from './subscribed.ts'

const { platform, config, log } = app.services
const csv = (text: string) => [text, { headers: { 'Content-Type': 'text/csv' } }] as const

describe('the subscribers of a status page', () => {
  test('are added, listed, counted and deleted; no audit entry has an address', async () => {
    const team = await given.tenant()
    const page = await aPage(team)
    const asked = await team.post(pathOf(page), { address: 'Pat@Example.com', component_ids: [page.components[0]] })
    expect(asked.status).toBe(201)
    expect(asked.body.data).toMatchObject({
      channel: 'email',
      address: 'Pat@Example.com',
      state: 'pending',
      source: 'admin',
      locale: 'en',
      component_ids: [page.components[0]],
    })
    expect(await waiting(team)).toBe(1)
    const sure = await aSubscriber(team, page, { locale: 'de' })
    expect(await waiting(team)).toBe(1)
    const listed = (await team.get(pathOf(page))).body
    expect(listed.data.map(({ id }: { id: string }) => id)).toEqual([sure.id, asked.body.data.id])
    expect((await team.get(`${pathOf(page)}?state=active`)).body.meta.total).toBe(1)
    expect((await team.get(`${pathOf(page)}/counts`)).body.data).toEqual({ pending: 1, active: 1, unsubscribed: 0 })
    expect((await team.delete(`${pathOf(page)}/${asked.body.data.id}`)).status).toBe(204)
    expect((await team.delete(`${pathOf(page)}/${asked.body.data.id}`)).status).toBe(404)
    expect(await waiting(team)).toBe(0)
    const { rows } = await platform.query('select action, changes from audit_entries where tenant_id = $1', [
      team.tenantId,
    ])
    expect(rows.map(({ action }) => action).sort()).toEqual([
      'status_page.subscriber_added',
      'status_page.subscriber_added',
      'status_page.subscriber_deleted',
    ])
    expect(JSON.stringify(rows)).not.toMatch(/example\.com/i)
  })

  test('are stored encrypted, found by a keyed hash, and once for each address', async () => {
    const team = await given.tenant()
    const page = await aPage(team)
    const { id } = await aSubscriber(team, page, { address: 'Quiet@Example.com' })
    const again = await team.post(pathOf(page), { address: ' quiet@example.COM ' })
    expect(again.status).toBe(422)
    expect(again.body.code).toBe('taken')
    const { rows } = await platform.query('select address, address_hash from status_page_subscribers where id = $1', [
      id,
    ])
    expect(rows[0].address).toMatch(/^v1\./)
    expect(rows[0].address_hash).toEqual(addressHash(config, 'quiet@example.com'))
    const other = await aPage(team)
    expect((await team.post(pathOf(other), { address: 'quiet@example.com' })).status).toBe(201)
  })

  test('are found after the SECRET_KEY was rotated, also once the earlier key is dropped', async () => {
    const team = await given.tenant()
    const page = await aPage(team)
    const { id } = await aSubscriber(team, page, { address: 'kept@example.com' })
    const secretKey = 'the next secret key for tests, long enough for every use'
    const ring = { secretKey, previousSecretKeys: [config.secretKey] }
    await rehashAddresses(platform, ring, log)
    const hash = 'select address_hash from status_page_subscribers where id = $1'
    expect((await platform.query(hash, [id])).rows[0].address_hash).toEqual(addressHash(ring, 'kept@example.com'))
    await rehashAddresses(platform, { ...config, previousSecretKeys: [secretKey] }, log)
    expect((await platform.query(hash, [id])).rows[0].address_hash).toEqual(addressHash(config, 'kept@example.com'))
  })

  test.each([
    [{ address: 'no address' }, 'address'],
    [{ address: 'a@example.com, b@example.com' }, 'address'],
    [{}, 'address'],
    [{ address: 'a@example.com', channel: 'sms' }, 'channel'],
    [{ address: 'a@example.com', channel: 'webhook' }, 'address'],
    [{ address: 'http://127.0.0.1/hook', channel: 'webhook' }, 'address'],
    [{ address: 'ftp://example.com/', channel: 'webhook' }, 'address'],
    [{ address: 'https://user:secret@example.com/', channel: 'slack' }, 'address'],
    [{ address: 'a@example.com', component_ids: ['7c9e6679-7425-40de-944b-e07fc1f90ae7'] }, 'component_ids'],
    [{ address: 'a@example.com', locale: 'fr' }, 'locale'],
  ])('refuse %j', async (body, field) => {
    const team = await given.tenant()
    const refused = await team.post(pathOf(await aPage(team)), body)
    expect(refused.status).toBe(422)
    expect(Object.keys(refused.body.errors)[0]).toBe(field)
  })

  test('of another team’s page cannot be reached', async () => {
    const [team, other] = [await given.tenant(), await given.tenant()]
    const page = await aPage(other)
    const { id } = await aSubscriber(other, page)
    const own = await aPage(team)
    for (const [method, path] of [
      ['GET', pathOf(page)],
      ['GET', `${pathOf(page)}/counts`],
      ['GET', `${pathOf(page)}/export`],
      ['POST', pathOf(page)],
      ['DELETE', `${pathOf(page)}/${id}`],
      ['DELETE', `${pathOf(own)}/${id}`],
    ] as const)
      expect((await team.call(method, path, method === 'POST' ? { address: 'a@example.com' } : undefined)).status).toBe(
        404,
      )
    expect((await team.call('POST', `${pathOf(page)}/import`, ...csv('address\na@example.com'))).status).toBe(404)
    const mine = await team.post(pathOf(own), { address: 'a@example.com', component_ids: [page.components[0]] })
    expect(mine.status).toBe(422)
    expect((await other.get(`${pathOf(page)}/counts`)).body.data.active).toBe(1)
  })

  test('need the right to change pages to be seen', async () => {
    const team = await given.tenant()
    const page = await aPage(team)
    const viewer = await given.colleague(team, 'viewer')
    expect((await viewer.get(pathOf(page))).status).toBe(403)
    expect((await viewer.get(`${pathOf(page)}/export`)).status).toBe(403)
    expect((await viewer.get(`${pathOf(page)}/counts`)).status).toBe(200)
  })

  test('of a managed team are its reseller’s to manage', async () => {
    const reseller = await given.reseller({ scopes: ['status-pages:manage'] })
    const team = await given.team(reseller)
    const page = await aPage(team)
    const created = await reseller.post(team.path + pathOf(page), { address: 'a@example.com' })
    expect(created.status).toBe(201)
    expect((await reseller.get(team.path + pathOf(page))).body.meta.total).toBe(1)
    expect((await reseller.delete(`${team.path}${pathOf(page)}/${created.body.data.id}`)).status).toBe(204)
  })

  test('are as many as the plan allows, also when many are added at once', async () => {
    const team = await given.tenant({ overrides: { subscribers: 3 } })
    const page = await aPage(team)
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, n) => team.post(pathOf(page), { address: `p${n}@example.com`, confirmed: true })),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 201, 201, 422, 422, 422, 422, 422])
    expect(answers.find(({ status }) => status === 422)?.body).toMatchObject({
      code: 'plan_limit',
      quota: 'subscribers',
    })
  })
})

describe('the import of subscribers', () => {
  test('adds the right rows, names the wrong ones, and asks each new address', async () => {
    const team = await given.tenant()
    const page = await aPage(team)
    await aSubscriber(team, page, { address: 'known@example.com' })
    const text = [
      'Email,Locale,Components,Remark',
      'one@example.com,,,"a ""quoted"", remark"',
      `two@example.com,de,${page.components[0]},`,
      'ONE@example.com,,,twice',
      'known@example.com,,,',
      'not an address,,,',
      'three@example.com,fr,,',
      'four@example.com,,7c9e6679-7425-40de-944b-e07fc1f90ae7,',
      `"'+five@example.com",,,`,
      'https://hooks.example.com/x,,,',
      'http://127.0.0.1/x,,,',
    ].join('\r\n')
    const { status, body } = await team.call('POST', `${pathOf(page)}/import`, ...csv(text))
    expect(status).toBe(200)
    expect(body.data).toMatchObject({ added: 4, existing: 1, refused: 4 })
    expect(body.data.problems.map(({ line }: { line: number }) => line)).toEqual([6, 7, 8, 11])
    expect((await team.get(`${pathOf(page)}/counts`)).body.data).toEqual({ pending: 4, active: 1, unsubscribed: 0 })
    expect(await waiting(team)).toBe(4)
    const again = await team.call('POST', `${pathOf(page)}/import`, ...csv(text))
    expect(again.body.data).toMatchObject({ added: 0, existing: 5 })
    expect(await waiting(team)).toBe(4)
  })

  test('with consent asks no address, and is within the plan', async () => {
    const team = await given.tenant({ overrides: { subscribers: 2 } })
    const page = await aPage(team)
    const path = `${pathOf(page)}/import?confirmed=true`
    expect((await team.call('POST', path, ...csv('address\na@example.com\nb@example.com\nc@example.com'))).status).toBe(
      422,
    )
    expect((await team.call('POST', path, ...csv('address\na@example.com\nb@example.com'))).body.data.added).toBe(2)
    expect(await waiting(team)).toBe(0)
    const { rows } = await platform.query(
      `select changes from audit_entries where tenant_id = $1 and action = 'status_page.subscribers_imported'`,
      [team.tenantId],
    )
    expect(rows).toEqual([{ changes: { added: 2, confirmed: true } }])
  })

  test.each(['', 'name\nx', 'address\n"a', '\xff'])('refuses the text %j', async text => {
    const team = await given.tenant()
    const refused = await team.call('POST', `${pathOf(await aPage(team))}/import`, ...csv(text || '\n'))
    expect([400, 422]).toContain(refused.status)
  })

  const of = (pattern: string) => pattern.repeat(Math.floor(2_000_000 / pattern.length))
  const numbered = (line: (n: number) => string, count = 10_000) =>
    Array.from({ length: count }, (_, n) => line(n)).join('\n')

  test.each([
    ['quoted cells', `address\n${of('"a"\n')}`],
    ['cells in one row', `address\n${of(',')}`],
    ['columns', `address${of(',a')}`],
    ['empty rows', `address\n${of('\r\n')}`],
    ['quotes', `address\n${of('"')}`],
    ['quotes of quotes', `address\n"${of('""')}"`],
    ['wrong rows', `address,channel,locale,components\n${numbered(n => `${n},b,c,d`)}`],
    ['rows with many components', `address,components\n${numbered(n => `${n}@example.com,${'a '.repeat(80)}`)}`],
  ])('of %s blocks the event loop for milliseconds', async (_, text) => {
    const team = await given.tenant()
    const page = await aPage(team)
    const blocked = await blockedBy(async () => {
      expect([200, 422]).toContain((await team.call('POST', `${pathOf(page)}/import`, ...csv(text))).status)
    })
    expect(blocked).toBeLessThan(mostBlockedMs)
  })

  test('of thousands of addresses, and their export, block the event loop for milliseconds', async () => {
    const team = await given.tenant({ overrides: { subscribers: 100_000 } })
    const blocked = await blockedBy(async () => {
      const page = await aPage(team)
      const path = pathOf(page)
      const text = `address\n${numbered(n => (n % 2 === 0 ? `${n}@example.com` : `https://example.com/${n}`), 4_000)}`
      const { body } = await team.call('POST', `${path}/import`, ...csv(text))
      expect(body).toMatchObject({ data: { added: 4_000, refused: 0 } })
      expect((await team.get(`${path}/export`)).text.split('\r\n')).toHaveLength(4_002)
    })
    expect(blocked).toBeLessThan(mostBlockedMs)
    const beyond = `address\n${numbered(n => `${n}@example.com`, 10_001)}`
    const refused = await team.call('POST', `${pathOf(await aPage(team))}/import`, ...csv(beyond))
    expect([refused.status, refused.body.errors]).toEqual([422, { body: ['At most 10000 rows are imported at once.'] }])
  })

  test('takes what was exported; cells that begin like formulas are marked', async () => {
    const team = await given.tenant()
    const [page, copy] = [await aPage(team), await aPage(team)]
    for (const address of ['-cmd@example.com', '+1@example.com', 'plain@example.com'])
      await aSubscriber(team, page, { address })
    const exported = await team.get(`${pathOf(page)}/export`)
    expect(exported.headers.get('content-type')).toBe('text/csv; charset=utf-8')
    expect(exported.text).toContain(`"'-cmd@example.com"`)
    expect(exported.text).not.toMatch(/(^|,)"?[=+@-]/m)
    const { body } = await team.call('POST', `${pathOf(copy)}/import`, ...csv(exported.text))
    expect(body.data).toMatchObject({ added: 3, refused: 0 })
  })
})
