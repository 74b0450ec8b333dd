import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import { storeMail } from '#control-plane/alerting/mail/store-mail.ts'
import { addTo, aPage } from '#test/control-plane/publishing/status-pages/pages.ts'
import { type Answer, app, type CallerUnderTest, given } from '#test/support/app.ts'
import { type BrowserUnderTest, inBrowser } from '#test/support/browser-session.ts'
import { migrationsOf } from './a-migration.ts'
import { aMonitorOfEveryKind } from './every-kind.ts'
import { findingsOf } from './findings.ts'
import { anOutage } from './outage.ts'
import { aJob, aServer } from './reporting.ts'

const { platform, config } = app.services

/** The path of each route that has parameters, with those of what exists, or several that differ. */
export type Addresses = Record<string, readonly string[]>

/** An owner of the reseller `owner`, who operates the platform too: they may see every page. */
export async function whoSeesEverything(owner: CallerUnderTest, language: string): Promise<BrowserUnderTest> {
  const person = await inBrowser(await given.colleague(owner, 'owner'))
  await platform.query('update users set is_super_admin = true, language = $2 where id = $1', [person.userId, language])
  const { email } = (await person.get('/user')).body
  created(await person.post('/profile/contact-methods', { type: 'webhook', name: 'Pager', config: { url: hook } }))
  created(await person.post('/api-tokens', { name: 'Deploy', scopes: ['monitors:read'] }))
  const view = { tenant_id: person.tenantId, name: 'Down in Europe', query: '?status=down&tag=eu' }
  const views = [view, { ...view, name: 'Newest first', query: '?sort=created_at' }]
  expect((await person.patch('/profile', { preferences: { monitor_views: views } })).status).toBe(200)
  created(await person.post('/notification-channels', { name: 'Pat', type: 'email', config: { recipients: [email] } }))
  return person
}

const hook = 'https://chat.example.com/hook'

function created({ status, text, body }: Answer) {
  expect(status, text).toBe(201)
  return body.data
}

/** Fills every area of the app of a reseller, and returns where the pages are that have parameters. */
export async function everything(owner: BrowserUnderTest): Promise<Addresses> {
  // so that there are months with a report
  await platform.query(`update tenants set created_at = now() - interval '100 days' where id = $1`, [owner.tenantId])
  await platform.query(`update users set is_super_admin = true where id = $1`, [owner.userId])
  const { incident, monitor } = await anOutage(owner)
  created(
    await owner.post(`/incidents/${incident}/updates`, { status: 'identified', body: 'The disk of db-2 is full.' }),
  )
  const text = 'text of a site'
  const kinds = await aMonitorOfEveryKind(
    owner,
    () => text,
    kind => findingsOf(kind, () => text),
  )
  const job = await aJob(owner)
  const server = await aServer(owner)
  return {
    '/app/welcome': ['', '?step=notify', '?step=done'].map(
      step => `/app/welcome${step && `${step}&monitor=${monitor}`}`,
    ),
    ...ofMonitor(monitor, kinds),
    '/app/incidents/$incident': [`/app/incidents/${incident}`],
    '/app/heartbeats/$monitor': [`/app/heartbeats/${job.id}`],
    '/app/servers/$monitor': [`/app/servers/${server.id}`],
    '/app/maintenance/$window': [`/app/maintenance/${await maintenance(owner, monitor)}`],
    '/app/wall': ['/app/wall', `/app/wall#${await wallToken(owner)}`],
    ...(await people(owner)),
    ...(await alerts(owner)),
    ...(await statusPages(owner, monitor)),
    '/app/settings/import/$migration': (await migrationsOf(owner)).map(id => `/app/settings/import/${id}`),
    ...(await console(owner)),
    ...(await operation(owner)),
  }
}

function ofMonitor(id: string, kinds: { id: string; checks: { id: string }[] }): Addresses {
  const tabs = ['', '/regions', '/checks', '/what-if', '/settings', '/history']
  return {
    ...Object.fromEntries(tabs.map(tab => [`/app/monitors/$monitor${tab}`, [`/app/monitors/${id}${tab}`]])),
    '/app/monitors/$monitor': [`/app/monitors/${id}`, `/app/monitors/${id}?span=7d`],
    '/app/monitors/$monitor/checks': [`/app/monitors/${kinds.id}/checks`],
    '/app/monitors/$monitor/checks/$check': kinds.checks.map(check => `/app/monitors/${kinds.id}/checks/${check.id}`),
  }
}

async function maintenance(owner: CallerUnderTest, monitor: string): Promise<string> {
  const plan = { starts_at: '2120-11-25T02:00', timezone: 'Asia/Tokyo', duration_minutes: 90, rrule: 'FREQ=DAILY' }
  const scope = { monitor_ids: [monitor], tags: ['prod'] }
  const add = async (body: object) => created(await owner.post('/maintenance-windows', { ...plan, ...body }))
  const { id } = await add({ title: 'Database upgrade', scope })
  const cancelled = await add({ title: 'Painting', scope: { tags: ['painted'] } })
  await owner.post(`/maintenance-windows/${cancelled.id}/cancel`)
  return id
}

async function wallToken(owner: CallerUnderTest): Promise<string> {
  const scopes = ['monitors:read', 'incidents:read']
  return (await owner.post('/api-keys', { name: 'Wall', scopes })).body.plain_text_token
}

async function people(owner: CallerUnderTest): Promise<Addresses> {
  created(await owner.post('/invitations', { email: `${randomUUID()}@people.test`, role: 'member' }))
  const nights = {
    ...{ name: 'Nights', users: [owner.userId], handoff: 'daily', first_handoff_at: '2026-01-05T09:00' },
    restrictions: [{ days: ['mon', 'wed'], from: '22:00', to: '06:00' }],
  }
  const schedule = { name: 'Primary', timezone: 'Europe/Berlin', rotations: [nights] }
  const { id } = created(await owner.post('/on-call-schedules', schedule))
  const override = { user_id: owner.userId, starts_at: '2026-06-05T09:00:00Z', ends_at: '2027-05-05T09:00:00Z' }
  created(await owner.post(`/on-call-schedules/${id}/overrides`, override))
  return { '/app/on-call/$schedule': [`/app/on-call/${id}`, `/app/on-call/${id}?view=day`] }
}

async function alerts(owner: CallerUnderTest): Promise<Addresses> {
  const channel = created(
    await owner.post('/notification-channels', {
      name: 'Chat',
      type: 'webhook',
      config: { url: hook },
      notify_all: false,
    }),
  )
  created(await owner.post('/notification-rules', { channel_id: channel.id, event_types: ['incident.created'] }))
  await owner.post(`/notification-channels/${channel.id}/test`)
  return {}
}

async function statusPages(owner: CallerUnderTest, monitor: string): Promise<Addresses> {
  const { id } = await aPage(owner, { name: 'Bakery Blume', description: 'How our shops are.' })
  const group = await addTo(owner, `${id}/groups`, { name: 'Shops' })
  await addTo(owner, `${id}/components`, { type: 'monitor', monitor_id: monitor, name: 'Shop' })
  const office = { type: 'static', static_status: 'maintenance', name: 'Office', group_id: group.id }
  await addTo(owner, `${id}/components`, office)
  const post = await addTo(owner, `${id}/posts`, { title: 'The shop is slow', body: 'We **look** into it.' })
  await addTo(owner, `${id}/subscribers`, { address: 'pat@example.com', confirmed: true })
  created(await owner.post('/custom-domains', { hostname: `${randomUUID()}.example.com`, target_id: id }))
  const tabs = ['', '/components', '/posts', '/access', '/domain', '/subscribers']
  return {
    ...Object.fromEntries(tabs.map(tab => [`/app/status-pages/$page${tab}`, [`/app/status-pages/${id}${tab}`]])),
    '/app/status-pages/$page/posts/$post': [`/app/status-pages/${id}/posts/${post.id}`],
  }
}

const tabsOfTeam = ['summary', 'plan', 'people', 'tokens', 'audit', 'manage']

async function console(owner: CallerUnderTest): Promise<Addresses> {
  const team = await given.team(owner, { label: 'gold' })
  const monitors = [{ name_template: 'Shop {{domain}}', url_template: 'https://{{domain}}/', type: 'website' }]
  const variables = [{ name: 'domain', required: true }]
  const template = created(await owner.post('/reseller/monitor-templates', { name: 'Shop', monitors, variables }))
  created(
    await owner.post('/reseller/provisioning-profiles', {
      ...{ name: 'Small shop', plan: 'starter', trial_days: 14, monitor_template_id: template.id },
    }),
  )
  const webhook = created(
    await owner.post('/reseller/webhooks', {
      name: 'Billing',
      url: 'https://hooks.example.com/vedette',
      events: ['incident.created', 'team.trial_ending'],
      tenant_filter: { labels: ['gold*'] },
    }),
  )
  await owner.post(`/reseller/webhooks/${webhook.id}/test`)
  created(await owner.post('/reseller/tokens', { name: 'Billing', scopes: ['teams:read'] }))
  return {
    '/console/teams/$team': tabsOfTeam.map(tab => `/console/teams/${team.id}?tab=${tab}`),
    '/console/webhooks/$webhook': [`/console/webhooks/${webhook.id}`],
  }
}

async function operation(owner: BrowserUnderTest): Promise<Addresses> {
  const id = randomUUID()
  const mail = {
    ...{ id, tenantId: owner.tenantId, type: 'digest', to: [{ name: null, address: 'mo@people.test' }] },
    ...{ subject: 'Hello', text: 'Open https://status.example/here', html: '<b>Hello</b>', headers: {} },
  }
  await storeMail(platform, config, mail, { name: 'Vedette', address: '', replyTo: null })
  const [caught] = (await owner.get('/caught-mails')).body.data
  return { '/ops/mails/$mail': [`/ops/mails/${caught.id}`] }
}
