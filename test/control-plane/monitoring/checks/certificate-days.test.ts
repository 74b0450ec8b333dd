import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { app, given } from '#test/support/app.ts'

const migration = () => readFileSync('control-plane/db/migrations/0040-certificates-by-lifetime.sql', 'utf8')

test('a certificate check has no days until its owner chooses some, and none again after null', async () => {
  const tenant = await given.tenant()
  const { body } = await tenant.post('/monitors', {
    name: 'Site',
    url: 'https://example.com/',
    checks: [{ type: 'ssl' }],
  })
  const path = `/checks/${body.data.checks.find(({ type }: { type: string }) => type === 'ssl').id}`
  const daysOf = async () => (await tenant.get(path)).body.data.settings.warn_days
  expect(await daysOf()).toBeUndefined()
  expect((await tenant.patch(path, { settings: { warn_days: [30, 14, 7, 3, 1] } })).status).toBe(200)
  expect(await daysOf()).toEqual([30, 14, 7, 3, 1])
  expect((await tenant.patch(path, { settings: { warn_days: null } })).status).toBe(200)
  expect(await daysOf()).toBeUndefined()
  const { status, body: refused } = await tenant.patch(path, { settings: { warn_days: [] } })
  expect([status, Object.keys(refused.errors)]).toEqual([422, ['settings.warn_days']])
})

test('certificate checks that were stored with the usual days of before lose them, and chosen days stay', async () => {
  const tenant = await given.tenant()
  const add = async (settings: object) => {
    const { body } = await tenant.post('/monitors', {
      name: 'Site',
      url: 'https://example.com/',
      checks: [{ type: 'ssl', settings }],
    })
    return body.data.checks.find(({ type }: { type: string }) => type === 'ssl').id as string
  }
  const [usual, chosen] = [await add({ warn_days: [30, 14, 7, 3, 1] }), await add({ warn_days: [20, 5] })]
  await app.services.platform.query(migration())
  const daysOf = async (id: string) => (await tenant.get(`/checks/${id}`)).body.data.settings.warn_days
  expect([await daysOf(usual), await daysOf(chosen)]).toEqual([undefined, [20, 5]])
})
