import { expect, test } from 'vitest'
import { given } from '#test/support/app.ts'

const dns = (resolvers: string[]) => ({
  name: 'Zone',
  url: 'https://zone.example.com',
  checks: [{ type: 'dns', settings: { record_types: ['A'], resolvers } }],
})

test('a name server inside our own network is refused where it is written, and nothing is created', async () => {
  const tenant = await given.tenant()
  for (const inside of ['127.0.0.1', '10.0.0.53', '[::1]:53', '169.254.169.254', '192.168.1.1:5353']) {
    const { status, body } = await tenant.post('/monitors', dns(['1.1.1.1', inside]))
    expect(status, inside).toBe(422)
    expect(Object.keys(body.errors), inside).toEqual(['checks.0.settings.resolvers.1'])
  }
  expect((await tenant.get('/monitors')).body.meta.total).toBe(0)

  const { body } = await tenant.post('/monitors', dns(['1.1.1.1']))
  const check = body.data.checks[0].id
  const changed = await tenant.patch(`/checks/${check}`, { settings: { resolvers: ['127.0.0.1'] } })
  expect([changed.status, Object.keys(changed.body.errors)]).toEqual([422, ['settings.resolvers.0']])
})
