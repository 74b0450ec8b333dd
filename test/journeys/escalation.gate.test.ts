import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Authority } from '#test/checks/certificates.ts'
import { Receiver } from '#test/control-plane/alerting/receiver.ts'
import { MailServer } from '#test/support/mail-server.ts'
import { eventually, System } from '#test/support/system.ts'
import { Site } from '#test/support/target.ts'

let system: System
let site: Site
let receiver: Receiver
let mail: MailServer
let platform: pg.Pool
beforeAll(async () => {
  const authority = await Authority.make()
  ;[site, receiver, mail] = await Promise.all([
    Site.open(),
    Receiver.open(),
    MailServer.open({ certificate: await authority.issue({ names: ['localhost'] }), encryption: 'none' }),
  ])
  system = await System.start({
    regions: ['eu-west'],
    env: { SMTP_URL: `smtp://127.0.0.1:${mail.port}`, MAIL_FROM: 'Vedette <vedette@example.com>' },
  })
  platform = new pg.Pool({ connectionString: system.environment.DATABASE_PLATFORM_URL ?? '', max: 2 })
}, 180_000)
afterAll(async () => {
  await platform?.end()
  await system?.stop()
  await Promise.all([site?.close(), receiver?.close(), mail?.close()])
})

const created = async (path: string, body: unknown): Promise<{ id: string }> => {
  const answer = await system.post(path, body)
  expect(answer.status, JSON.stringify(answer.body)).toBe(201)
  return answer.body.data
}
const escalationOf = async (incident: string) => (await system.get(`/incidents/${incident}`)).body.data.escalation
/** Lets the time of the next step come. */
const passTime = () =>
  platform.query(`update escalation_runs set next_at = clock_timestamp() where state in ('pending', 'running')`)
const stepsTaken = (incident: string, steps: number) =>
  eventually(`step ${steps} is taken`, async () => {
    const escalation = await escalationOf(incident)
    return escalation.step === steps ? escalation : undefined
  })

test('an outage at night goes through three steps until a link takes it, and the acknowledgement ends the escalation', {
  timeout: 180_000,
}, async () => {
  const { body: profile } = await system.get('/profile')
  const [desk, manager] = await Promise.all(
    ['/desk', '/manager'].map(path =>
      created('/notification-channels', {
        name: path,
        type: 'webhook',
        config: { url: receiver.url + path, secret: 'hush hush hush hush' },
        notify_all: false,
      }),
    ),
  )
  const policy = await created('/escalation-policies', {
    name: 'Night',
    is_default: true,
    repeat_count: 3,
    steps: [
      { delay_minutes: 5, targets: [{ type: 'user', id: profile.data.id }] },
      { delay_minutes: 10, targets: [{ type: 'channel', id: desk!.id }] },
      { delay_minutes: 10, targets: [{ type: 'channel', id: manager!.id }, { type: 'team' }] },
    ],
  })
  const monitor = await system.addMonitor({ name: 'Shop', url: `${site.url}/shop` })
  await eventually('the site is up', async () => (await system.monitor(monitor.id)).status === 'up')
  site.become('error', '/shop')
  const [incident] = await eventually('the incident is open', async () => {
    const open = await system.incidents(monitor.id)
    return open.length > 0 ? open : undefined
  })
  const { id } = incident
  expect(await escalationOf(id)).toMatchObject({ policy_id: policy.id, state: 'pending', step: 0, round: 1 })

  await passTime()
  await stepsTaken(id, 1)
  const first = await eventually('the person on duty has the mail', async () => mail.arrived[0])
  expect(first.mail.subject).toContain('Shop is down')
  await passTime()
  await stepsTaken(id, 2)
  const second = await eventually('the desk is called', async () => receiver.at('/desk')[0])
  expect(second.body).toMatchObject({ event: 'incident.escalated', incident_id: id, policy_name: 'Night', step: 2 })
  await passTime()
  await stepsTaken(id, 3)
  const third = await eventually('the manager is called', async () => receiver.at('/manager')[0])

  // opening the link changes nothing, its button takes the incident
  const [link, token] = [third.body.acknowledge_url, third.body.acknowledge_url.split('#')[1]]
  expect((await fetch(link)).status).toBe(200)
  expect((await escalationOf(id)).state).toBe('running')
  expect((await system.post('/incidents/acknowledge-by-link', { token }, '')).status).toBe(200)
  expect(await escalationOf(id)).toMatchObject({ state: 'acknowledged', next_at: null })

  await platform.query('update escalation_runs set next_at = clock_timestamp()')
  site.become('up', '/shop')
  await eventually('the incident is over', async () => (await escalationOf(id)).state === 'resolved')
  // all who were called are notified of the acknowledgement and of the end, and no person is called again
  for (const path of ['/desk', '/manager']) {
    await eventually(`${path} is notified of the end`, async () => receiver.at(path)[2])
    expect(receiver.at(path).map(({ body }) => body.event)).toEqual([
      'incident.escalated',
      'incident.acknowledged',
      'incident.resolved',
    ])
  }
  await eventually('the person is mailed the end', async () =>
    mail.arrived.some(({ mail: { subject } }) => subject?.includes('Shop is up again') === true) ? true : undefined,
  )

  const { notifications } = await eventually('the mails are sent', async () => {
    const escalation = await escalationOf(id)
    return escalation.notifications.every((each: { delivery: string }) => each.delivery === 'delivered')
      ? escalation
      : undefined
  })
  expect(
    notifications.map(({ step, via, channel_name }: Record<string, unknown>) => [step, via, channel_name]).toSorted(),
  ).toEqual([
    [1, 'channel', null],
    [2, 'channel', '/desk'],
    [3, 'channel', null],
    [3, 'channel', '/manager'],
  ])
  const decisions = (await system.get(`/incidents/${id}/notifications`)).body.data
  const ofStep = decisions.find((each: { event: string }) => each.event === 'incident.escalated')
  expect(ofStep, JSON.stringify(decisions)).toBeDefined()
  const reasons = decisions
    .filter((each: { event: string }) => each.event === 'incident.escalated')
    .flatMap((each: { channels: { channel_name: string; reason: string }[] }) =>
      each.channels.filter(({ reason }) => reason === 'escalation_step').map(({ channel_name }) => channel_name),
    )
  expect(reasons).toEqual(['/desk', '/manager'])
})
