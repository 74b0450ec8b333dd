import { afterAll, beforeAll, expect, test } from 'vitest'
import { Authority } from '#test/checks/certificates.ts'
import { MailServer } from '#test/support/mail-server.ts'
import { eventually, System } from '#test/support/system.ts'
import { Site } from '#test/support/target.ts'

let system: System
let site: Site
let mail: MailServer
beforeAll(async () => {
  const authority = await Authority.make()
  ;[site, mail] = await Promise.all([
    Site.open(),
    MailServer.open({ certificate: await authority.issue({ names: ['localhost'] }), encryption: 'none' }),
  ])
  system = await System.start({
    env: { SMTP_URL: `smtp://127.0.0.1:${mail.port}`, MAIL_FROM: 'Vedette <vedette@example.com>' },
  })
}, 180_000)
afterAll(async () => {
  await system?.stop()
  await Promise.all([site?.close(), mail?.close()])
})

const arrived = (subject: RegExp) =>
  eventually(`the mail ${subject} is there`, async () =>
    mail.arrived.find(each => subject.test(each.mail.subject ?? '')),
  )

test('a check that is switched off while it fails ends its incident and its calls, and says so; on again, it is a new one', {
  timeout: 180_000,
}, async () => {
  const { email } = system.local.team
  const channel = { type: 'email', name: 'Operations', config: { recipients: [email] } }
  expect((await system.post('/notification-channels', channel)).status).toBe(201)
  const policy = {
    name: 'Calls',
    is_default: true,
    steps: [{ delay_minutes: 1, targets: [{ type: 'team' }] }],
  }
  expect((await system.post('/escalation-policies', policy)).status).toBe(201)
  const { body } = await system.post('/monitors', { name: 'Shop', url: site.url, check_interval: 30 })
  const { id, checks } = body.data
  const run = async () => expect((await system.post(`/checks/${checks[0].id}/request-run`)).status).toBeLessThan(300)

  site.become('error')
  await run()
  await arrived(/^Shop is down/)
  const [incident] = await system.incidents(id)
  expect((await system.post(`/checks/${checks[0].id}/disable`)).status).toBe(200)
  const end = await arrived(/^Shop is no longer checked/)
  expect(end.mail.text).toContain('It was not up again')
  const ended = (await system.get(`/incidents/${incident.id}`)).body.data
  expect(ended).toMatchObject({ status: 'resolved', resolution: 'stopped', escalation: { state: 'resolved' } })
  expect((await system.get('/dashboard/stats')).body.data.open_incidents.total).toBe(0)

  mail.arrived.length = 0
  expect((await system.post(`/checks/${checks[0].id}/enable`)).status).toBe(200)
  await run()
  await arrived(/^Shop is down/)
  const all = await system.incidents(id)
  expect(all.map(({ resolution }) => resolution).sort()).toEqual([null, 'stopped'])
  site.become('up')
  await run()
  await arrived(/^Shop is up again/)
})

test('an address that is changed while it fails ends the incident, and does not claim that the old one is up again', {
  timeout: 180_000,
}, async () => {
  const good = await Site.open()
  try {
    site.become('error')
    const { body } = await system.post('/monitors', { name: 'Blog', url: site.url, check_interval: 30 })
    const { id, checks } = body.data
    const run = async () => expect((await system.post(`/checks/${checks[0].id}/request-run`)).status).toBeLessThan(300)
    await run()
    await arrived(/^Blog is down/)
    const [incident] = await system.incidents(id)
    expect((await system.call('PATCH', `/monitors/${id}`, { url: good.url })).status).toBe(200)
    const end = await arrived(/^Blog: the incident ended, as what is checked was changed/)
    expect(end.mail.text).toContain('It was not up again')
    expect(end.mail.text).not.toContain(good.url)
    expect((await system.get(`/incidents/${incident.id}`)).body.data).toMatchObject({ resolution: 'changed' })
    await eventually('it is up by the new address', async () =>
      (await system.get(`/monitors/${id}`)).body.data.status === 'up' ? true : undefined,
    )
    expect(mail.arrived.filter(each => /^Blog is up again/.test(each.mail.subject ?? ''))).toEqual([])
    expect(await system.incidents(id)).toHaveLength(1)
  } finally {
    await good.close()
  }
})
