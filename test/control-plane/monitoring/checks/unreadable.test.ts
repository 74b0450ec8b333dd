import { expect, test } from 'vitest'
import { mask } from '#control-plane/base/secrets.ts'
import { decryptSettings, encryptSettings } from '#control-plane/engine/assignments/check-secrets.ts'
import { aMonitor } from '#test/control-plane/monitoring/monitored.ts'
import { app, given } from '#test/support/app.ts'

const { platform, config } = app.services
const forgotten = { secretKey: 'a key of this installation that was forgotten long ago' }

test('a check whose secret cannot be opened can be read, changed and given another secret by its owner', async () => {
  const owner = await given.tenant()
  const { id, check } = await aMonitor(owner)
  const closed = encryptSettings(forgotten, check, { auth: { type: 'bearer', token: 'hidden' }, method: 'GET' })
  await platform.query('update checks set settings = $2, secrets = $3 where id = $1', [
    check,
    JSON.stringify(closed.settings),
    closed.secrets,
  ])
  const path = `/monitors/${id}/checks/${check}`
  expect((await owner.get(path)).body.data.settings.auth).toEqual({ type: 'bearer', token: mask })
  expect((await owner.patch(path, { interval: 120 })).status).toBe(200)

  // a secret that was not sent again cannot be kept
  for (const settings of [{ method: 'HEAD' }, { auth: { type: 'bearer', token: mask } }]) {
    const { status, body } = await owner.patch(path, { settings })
    expect([status, Object.keys(body.errors)]).toEqual([422, ['settings.auth.token']])
  }
  expect((await owner.patch(path, { settings: { auth: { type: 'bearer', token: 'another' } } })).status).toBe(200)
  const { rows } = await platform.query('select settings, secrets from checks where id = $1', [check])
  expect(decryptSettings(config, check, rows[0]).auth).toEqual({ type: 'bearer', token: 'another' })
})
