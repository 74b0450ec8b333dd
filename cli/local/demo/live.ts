import { request } from 'undici'
import type { DemoTeam } from './teams.ts'

// biome-ignore lint/suspicious/noExplicitAny: answers are read as a script of a user reads them
type Json = any

/** The API as one person of a team uses it. */
export interface Api {
  /** The answer's `data`. */
  get(path: string): Promise<Json>
  post(path: string, body?: unknown): Promise<Json>
  /** The answer as a whole. */
  create(path: string, body: unknown): Promise<Json>
}

/** An answer that is not a success is an error that says why. */
export function apiOf(url: string, token: string): Api {
  const call = async (method: 'GET' | 'POST', path: string, body?: unknown): Promise<Json> => {
    const answer = await request(`${url}/api/v1${path}`, {
      method,
      headers: { Authorization: `Bearer ${token}`, ...(body !== undefined && { 'Content-Type': 'application/json' }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      headersTimeout: 120_000,
      bodyTimeout: 120_000,
    })
    const text = await answer.body.text()
    if (answer.statusCode >= 300)
      throw new Error(`${method} ${path} answered ${answer.statusCode}: ${text.slice(0, 500)}`)
    return text === '' ? undefined : JSON.parse(text)
  }
  return {
    get: async path => (await call('GET', path)).data,
    post: async (path, body) => (await call('POST', path, body))?.data,
    create: (path, body) => call('POST', path, body),
  }
}

export interface Person {
  id: string
  email: string
}

interface Living {
  api: Api
  team: DemoTeam
  people: readonly Person[]
  monitors: readonly { id: string; name: string }[]
  /** Where the sample sites are. */
  sites: string
  now: Date
}

const slugOf = (team: DemoTeam) => team.slug.replace('demo-', '')
const dayMs = 86_400_000

/** What every team has: a channel with a rule, and a published status page with components. */
export async function addBasics({ api, team, monitors, sites }: Living): Promise<void> {
  const channel = await api.post('/notification-channels', {
    name: 'Operations',
    type: 'webhook',
    config: { url: `${sites}${slugOf(team)}/hooks/operations` },
  })
  await addRule(api, channel.id)
  const page = await api.post('/status-pages', {
    name: team.name,
    slug: team.slug,
    description: `The services of ${team.name}.`,
    state: 'published',
    show_response: true,
  })
  const shown = monitors.slice(0, 5)
  for (const { id, name } of shown)
    await api.post(`/status-pages/${page.id}/components`, { type: 'monitor', monitor_id: id, name: titled(name) })
}

/** Where a channel was made without a rule of its own. */
async function addRule(api: Api, channel: string): Promise<void> {
  const rules: { channel_id: string }[] = await api.get('/notification-rules?per_page=100')
  if (rules.some(rule => rule.channel_id === channel)) return
  await api.post('/notification-rules', { channel_id: channel, event_types: ['incident.created', 'incident.resolved'] })
}

const titled = (name: string) => name.charAt(0).toUpperCase() + name.slice(1)

/** One of everything else; what keeps its jobs and its server alive. */
export async function addEverything({ api, team, people, monitors, sites, now }: Living) {
  const [owner, second, third] = people
  if (!owner || !second || !third) throw new Error('The first team of the demo needs three people.')
  const mail = await api.post('/notification-channels', {
    name: 'Mail to the team',
    type: 'email',
    config: { recipients: [owner.email, second.email] },
  })
  await addRule(api, mail.id)
  const schedule = await api.post('/on-call-schedules', {
    name: 'Shop on call',
    timezone: 'Europe/Berlin',
    rotations: [
      {
        name: 'Week',
        users: [owner.id, second.id, third.id],
        handoff: 'weekly',
        first_handoff_at: `${new Date(now.getTime() - 14 * dayMs).toISOString().slice(0, 10)}T09:00`,
      },
    ],
  })
  await api.post('/escalation-policies', {
    name: 'Shop',
    is_default: true,
    steps: [
      { delay_minutes: 1, targets: [{ type: 'schedule', id: schedule.id }] },
      { delay_minutes: 15, targets: [{ type: 'user', id: owner.id }] },
    ],
  })
  const sunday = new Date(now.getTime() + ((7 - now.getUTCDay()) % 7 || 7) * dayMs).toISOString().slice(0, 10)
  await api.post('/maintenance-windows', {
    title: 'Update of the shop',
    description: 'Orders are taken, payments wait.',
    scope: { monitor_ids: monitors.slice(0, 2).map(({ id }) => id) },
    starts_at: `${sunday}T02:00`,
    timezone: 'Europe/Berlin',
    duration_minutes: 60,
    rrule: 'FREQ=WEEKLY;BYDAY=SU',
  })
  await postPast(api, team, now)
  const jobs = [
    await api.post('/cron-monitors', {
      name: 'Export of orders',
      schedule_kind: 'simple',
      period_minutes: 5,
      grace_minutes: 5,
    }),
    await api.post('/cron-monitors', {
      name: 'Backup',
      schedule_kind: 'simple',
      period_minutes: 60,
      grace_minutes: 30,
    }),
  ]
  const { plain_text_token: token } = await api.create('/agent-monitors', {
    name: 'oven-1',
    thresholds: [{ metric: 'disk', above: 90, for_minutes: 10, severity: 'warning' }],
  })
  await startShadow(api, sites, team)
  return { pings: jobs.map(job => job.ping_url), servers: [{ name: 'oven-1', token }] }
}

/** A report of the past on the team's page. */
async function postPast(api: Api, team: DemoTeam, now: Date): Promise<void> {
  const pages: { id: string; slug: string }[] = await api.get('/status-pages?per_page=100')
  const page = pages.find(({ slug }) => slug === team.slug)
  const at = (days: number, minutes: number) => new Date(now.getTime() - days * dayMs + minutes * 60_000).toISOString()
  await api.post(`/status-pages/${page?.id}/posts`, {
    title: 'Payments by card were refused',
    impact: 'major',
    phase: 'resolved',
    body: 'Our provider of payments has mended its service. No order was lost.',
    started_at: at(6, 0),
    resolved_at: at(6, 47),
    notify_subscribers: false,
  })
}

/** Monitors that are moved in from another tool and watched beside it, without an alert. */
async function startShadow(api: Api, sites: string, team: DemoTeam): Promise<void> {
  const rows = ['old-shop', 'old-blog'].map(name => `${name},${sites}${slugOf(team)}/${name}`)
  const content = ['name,url', ...rows].join('\n')
  const { id } = await api.post('/migrations', { provider: 'csv', name: 'Moved in from a list', content })
  const inState = async (wanted: string) => {
    for (let tries = 0; tries < 240; tries++) {
      const { state } = await api.get(`/migrations/${id}`)
      if (state === wanted) return
      await new Promise(resolve => setTimeout(resolve, 500))
    }
    throw new Error(`The migration of the demo did not become ${wanted}.`)
  }
  await inState('previewed')
  await api.post(`/migrations/${id}/import`, {})
  await inState('imported')
  await api.post(`/migrations/${id}/shadow`, {})
}
