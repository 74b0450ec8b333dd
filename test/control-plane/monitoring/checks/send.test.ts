import { expect, test } from 'vitest'
import { given } from '#test/support/app.ts'

const mail = 'MAIL FROM:<a@example.com>\r\n'
const monitor = (settings: object) => ({
  name: 'Mail',
  url: 'host://mail.example.com',
  type: 'host',
  checks: [{ type: 'tcp', settings }],
})

test('a command to a mail server is refused where it is written, and nothing is created', async () => {
  const tenant = await given.tenant()
  const refused = await tenant.post('/monitors', monitor({ port: 25, send: mail }))
  expect(refused.status).toBe(422)
  expect(refused.body.errors).toEqual({
    'checks.0.settings.send': [expect.stringMatching(/^Port 25 is for mail: only EHLO name, .* may be sent/)],
  })
  expect((await tenant.get('/monitors')).body.meta.total).toBe(0)

  const { body, text } = await tenant.post('/monitors', monitor({ port: 25, send: 'EHLO status.example.com\r\n' }))
  const check = body.data?.checks[0].id
  expect(check, text).toBeTruthy()
  const changed = await tenant.patch(`/checks/${check}`, { settings: { send: mail } })
  expect([changed.status, Object.keys(changed.body.errors)]).toEqual([422, ['settings.send']])
  expect((await tenant.patch(`/checks/${check}`, { settings: { port: 26, send: mail } })).status).toBe(200)
  const back = await tenant.patch(`/checks/${check}`, { settings: { port: 587 } })
  expect([back.status, Object.keys(back.body.errors)]).toEqual([422, ['settings.send']])
})

test('a site on a port of mail or of Redis is refused, for monitors and for webhooks', async () => {
  const tenant = await given.tenant()
  for (const port of [25, 465, 587, 2525, 6379, 11_211]) {
    const { status, body } = await tenant.post('/monitors', { name: 'Site', url: `http://mail.example.com:${port}/` })
    expect([status, Object.keys(body.errors)], String(port)).toEqual([422, ['url']])
  }
  expect((await tenant.post('/monitors', { name: 'Site', url: 'http://mail.example.com:9100/' })).status).toBe(201)
  const webhook = await tenant.post('/notification-channels', {
    name: 'x',
    type: 'webhook',
    config: { url: 'http://mail.example.com:25/' },
  })
  expect([webhook.status, Object.keys(webhook.body.errors)]).toEqual([422, ['config.url']])
})
