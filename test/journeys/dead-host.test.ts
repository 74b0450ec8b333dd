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

const count = 12
/** As soon as after an outage of one monitor alone. */
const firstAlertS = 10

test('a host with twelve monitors dies while the engine is killed: one alert at once, one mail of the host, none lost', {
  timeout: 240_000,
}, async () => {
  const { email } = system.local.team
  const channel = await system.post('/notification-channels', {
    name: 'Operations',
    type: 'email',
    config: { recipients: [email] },
  })
  expect(channel.status, JSON.stringify(channel.body)).toBe(201)
  const monitors: { id: string }[] = []
  for (let number = 0; number < count; number++)
    monitors.push(await system.addMonitor({ name: `Shop ${number + 1}`, url: `${site.url}/${number + 1}` }))
  await eventually('all are up', async () =>
    (await Promise.all(monitors.map(({ id }) => system.monitor(id)))).every(({ status }) => status === 'up'),
  )
  mail.arrived.length = 0
  const subjects = () => mail.arrived.map(each => each.mail.subject ?? '')

  // one after the other, as the intervals of a team have it
  const fail = (from: number, to = from + 1) => {
    for (let number = from; number < to; number++) site.become('error', `/${number + 1}`)
    return Date.now()
  }
  const areDown = (...those: { id: string }[]) =>
    eventually('their incidents are open', async () =>
      (await Promise.all(those.map(({ id }) => system.incidents(id)))).every(([incident]) => incident),
    )
  const diedAt = fail(0)
  await eventually('the first alert is there', async () => subjects().length > 0)
  const alertS = (Date.now() - diedAt) / 1_000
  expect(subjects()).toEqual([expect.stringMatching(/Shop 1 .*down/i)])
  fail(1)
  await areDown(monitors[1]!)
  await system.kill('control-plane')
  await eventually('the service answers again', () =>
    system.get('/monitors').then(
      ({ status }) => status === 200,
      () => false,
    ),
  )
  fail(2, count)
  await areDown(...monitors)
  await eventually('the mail of the host is there', async () => subjects().some(each => each.startsWith('127.0.0.1: ')))
  console.log(`from the death of the host to the first alert: ${alertS.toFixed(2)} s; mails: ${subjects().join(' | ')}`)
  expect(alertS).toBeLessThan(firstAlertS)
  expect(subjects()).toHaveLength(2)

  for (let number = 0; number < count; number++) site.become('up', `/${number + 1}`)
  await eventually('the host is up again', async () =>
    (await Promise.all(monitors.map(({ id }) => system.incidents(id)))).every(([incident]) => incident.resolved_at),
  )
  await eventually('its end is there', async () => subjects().some(each => /failure is over/.test(each)))
  // the first one, which was notified singly, also ends singly
  expect(subjects()).toHaveLength(4)
})

test('a dead host with five checks of one monitor is one incident, whichever check finds it first', {
  timeout: 180_000,
}, async () => {
  const host = await Site.open()
  try {
    const kinds = ['robots_txt', 'security_headers', 'redirect_chain', 'tcp', 'uptime']
    const { port } = new URL(host.url)
    const monitor = await system.addMonitor({
      name: 'Many',
      url: host.url,
      checks: kinds.map(type => ({ type, severity: 'major', settings: type === 'tcp' ? { port: Number(port) } : {} })),
    })
    const checks = () => system.get(`/monitors/${monitor.id}/checks`).then(({ body }) => body.data)
    const runAll = async () => {
      for (const { id } of await checks()) await system.post(`/checks/${id}/request-run`)
    }
    await eventually('all checks are judged', async () => {
      await runAll()
      return (await checks()).every(({ status }: { status: string | null }) => status !== null)
    })
    await host.vanish()
    await eventually('all checks are down', async () => {
      await runAll()
      return (await checks()).every(({ status }: { status: string }) => status === 'down')
    })
    await eventually('the incident is open', async () => (await system.incidents(monitor.id)).length > 0)
    expect((await system.incidents(monitor.id)).map(({ check_type }) => check_type)).toEqual(['uptime'])
    await host.listen()
    await eventually('no check is down', async () => {
      await runAll()
      return (await checks()).every(({ status }: { status: string }) => status !== 'down')
    })
    expect(await system.incidents(monitor.id)).toMatchObject([{ check_type: 'uptime', resolution: 'recovered' }])
  } finally {
    await host.close()
  }
})
