import { randomInt, randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import { type MailType, mails } from '#contract/mails.ts'
import { resellerScopes } from '#contract/scopes.ts'
import { serverAgentPaths } from '#contract/server-agent.ts'
import { expireInvitation } from '#control-plane/access/invitations/expire.ts'
import { createToken } from '#control-plane/access/tokens/create.ts'
import type { Calendar } from '#control-plane/base/calendar.ts'
import { advanceBilling } from '#control-plane/billing/advance.ts'
import { openOrm } from '#control-plane/db/orm.ts'
import { advanceMigration } from '#control-plane/importing/advance.ts'
import { encryptMail } from '#control-plane/outbox/mail.ts'
import { mailPayload } from '#control-plane/outbox/unit-of-work.ts'
import { advanceTrial } from '#control-plane/reselling/managed-teams/trial.ts'
import type { TeamState, Thing } from '#control-plane/tenancy/team-states/table.ts'
import { createTenant } from '#control-plane/tenancy/tenants/create.ts'
import { selfSigned } from '#test/checks/certificates.ts'
import { anIncident, happen } from '#test/control-plane/alerting/alerted.ts'
import { Receiver } from '#test/control-plane/alerting/receiver.ts'
import { testPrices } from '#test/control-plane/billing/prices.ts'
import { RawAgent } from '#test/control-plane/engine/agents/raw-agent.ts'
import { eventually, type Serving, serving } from '#test/control-plane/serving.ts'
import { MailServer } from '#test/support/mail-server.ts'

// biome-ignore lint/suspicious/noExplicitAny: answers are read as a script of a customer would
type Json = any
export interface Answered {
  status: number
  code: string | null
  body: Json
}

const dayMs = 86_400_000
const password = 'Nineteen-quiet-Lanterns-9'
const calendarAt = (now: number | Date): Calendar => ({ now: async () => new Date(now), dayMs })
const within = { timeout: 20_000, interval: 100 }

interface Job {
  id: string
  check: string
  path: string
}

/** A notification of an incident, whose first attempt has failed. */
interface Waiting {
  incident: string
  event: string
}

/** A team with one of everything; of what an examination uses up there are two: for the state, and for after it. */
export interface Team {
  id: string
  tenantId: string
  path: string
  name: string
  email: string
  session: string
  key: string
  spares: string[]
  site: { id: string; check: string }
  jobs: { ping: Job; alerts: Job[]; heartbeats: Job[] }
  server: string
  page: string
  /** A notification that waits for another attempt. */
  waiting: Waiting
  invitations: string[]
  migration: string
  trialEndsAt: Date | null
}

/** A whole installation, its mail server, a receiver of webhooks, an agent that is given checks, and a reseller. */
export class World {
  readonly served: Serving
  readonly receiver: Receiver
  readonly mailServer: MailServer
  readonly #agent: RawAgent
  readonly #orm: Awaited<ReturnType<typeof openOrm>>
  readonly #operator: string
  readonly #reseller: { tenantId: string; token: string }
  /** Incidents whose notifications the receiver refuses. */
  readonly #broken = new Set<string>()
  #control: Promise<Team> | undefined

  static async open(): Promise<World> {
    const [receiver, mailServer] = await Promise.all([
      Receiver.open(),
      MailServer.open({ certificate: await selfSigned(), encryption: 'none' }),
    ])
    const mail = {
      ...{ host: '127.0.0.1', port: mailServer.port, isTls: false, username: null, password: null },
      from: { name: 'Operator', address: 'noreply@operator.example' },
    }
    const served = await serving('team_states', {
      config: { mail, billing: { prices: testPrices }, trustedProxies: 1 },
    })
    const agent = await RawAgent.enrolled(served, 'here')
    const operator = await aPerson(served, await aTenant(served, false), 'ss', true)
    const tenantId = await aTenant(served, true)
    await served.platform.query(
      `insert into brandings (tenant_id, brand_name, hide_powered_by) values ($1, 'Hostora', true)`,
      [tenantId],
    )
    const token = await aPerson(served, tenantId, 'rk', false)
    return new World(served, receiver, mailServer, agent, await openOrm(served.config), operator, { tenantId, token })
  }

  private constructor(
    served: Serving,
    receiver: Receiver,
    mailServer: MailServer,
    agent: RawAgent,
    orm: Awaited<ReturnType<typeof openOrm>>,
    operator: string,
    reseller: { tenantId: string; token: string },
  ) {
    this.served = served
    this.receiver = receiver
    this.mailServer = mailServer
    this.#agent = agent
    this.#orm = orm
    this.#operator = operator
    this.#reseller = reseller
    receiver.answer = ({ body }, response) => {
      if (this.#broken.has(body.incident_id)) response.writeHead(503)
      response.end('')
    }
  }

  async close(): Promise<void> {
    await this.#orm.close()
    await this.served.close()
    await Promise.all([this.receiver.close(), this.mailServer.close()])
  }

  async call(method: string, path: string, token: string | null, body?: unknown): Promise<Answered> {
    const target = path.startsWith('/api/') || path.startsWith('/status/') ? path : `/api/v1${path}`
    const response = await fetch(this.served.plane.baseUrl + target, {
      method,
      headers: {
        'X-Forwarded-For': `198.51.100.${randomInt(1, 255)}`,
        ...(token !== null && { Authorization: `Bearer ${token}` }),
        ...(body !== undefined && { 'Content-Type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    const isJson = response.headers.get('content-type')?.startsWith('application/json')
    const parsed = isJson && text ? JSON.parse(text) : undefined
    return { status: response.status, code: parsed?.code ?? null, body: parsed }
  }

  async #done(method: string, path: string, token: string | null, body?: unknown): Promise<Json> {
    const answer = await this.call(method, path, token, body)
    expect(answer.status, `${method} ${path}: ${JSON.stringify(answer.body)}`).toBeLessThan(300)
    return answer.body
  }

  /** The ways into each state and out of it. On a trial a team is from its creation on. */
  readonly ways: Record<TeamState, { into(team: Team): unknown; out(team: Team): unknown }> = {
    active: { into: () => undefined, out: () => undefined },
    on_trial: { into: () => undefined, out: team => this.#asReseller('PATCH', team.path, { trial_days: 0 }) },
    over_plan: {
      into: team => this.#limit(team, { monitors: 1, cron_heartbeats: false, agent_limit: 0 }),
      out: team =>
        this.#limit(team, { monitors: '__remove__', cron_heartbeats: '__remove__', agent_limit: '__remove__' }),
    },
    paused: {
      into: team => this.#asReseller('POST', `${team.path}/pause`, { reason: 'Invoice 4711 unpaid' }),
      out: team => this.#asReseller('POST', `${team.path}/unpause`, {}),
    },
    suspended: {
      into: team => this.#done('PATCH', `/tenants/${team.tenantId}`, this.#operator, { is_suspended: true }),
      out: team => this.#done('PATCH', `/tenants/${team.tenantId}`, this.#operator, { is_suspended: false }),
    },
    in_trash: {
      into: team => this.#asReseller('DELETE', team.path, { confirm_name: team.name }),
      out: team => this.#asReseller('POST', `${team.path}/restore`, {}),
    },
  }

  #asReseller(method: string, path: string, body?: unknown): Promise<Json> {
    return this.#done(method, path, this.#reseller.token, body)
  }

  #limit(team: Team, overrides: Record<string, unknown>): Promise<Json> {
    return this.#asReseller('PUT', `${team.path}/feature-overrides`, { overrides })
  }

  async aTeam(isOnTrial: boolean): Promise<Team> {
    const [name, email] = [`Team ${randomUUID().slice(0, 8)}`, `${randomUUID()}@people.test`]
    const { data } = await this.#asReseller('POST', '/reseller/managed-teams', {
      ...{ name, slug: `t-${randomUUID()}`, plan: 'pro' },
      ...{ admin_email: email, admin_name: 'Pat Person', admin_password: password },
      ...(isOnTrial && { trial_days: 14 }),
    })
    const { token: session } = await this.#done('POST', '/auth/token', null, {
      ...{ email, password, device_name: 'a test' },
    })
    const make = (path: string, body: unknown) => this.#done('POST', path, session, body)
    const site = async (title: string): Promise<string> =>
      (await make('/monitors', { name: title, url: 'https://example.com/' })).data.id
    const job = async (title: string): Promise<Job> => {
      const made = (await make('/cron-monitors', { name: title, period_minutes: 60 })).data
      return { id: made.id, check: made.check_id, path: new URL(made.ping_url).pathname }
    }
    // the oldest are kept where the plan allows fewer: the site is checked last of all
    const spares = [await site('Spare'), await site('Another')]
    const siteId = await site('Shop')
    const [{ id: check }] = (await this.#done('GET', `/monitors/${siteId}`, session)).data.checks
    const server = await make('/agent-monitors', { name: 'db1' })
    const slug = `p-${randomUUID()}`
    await make('/status-pages', { name: 'Acme', slug, state: 'published' })
    const channel = await make('/notification-channels', {
      ...{ name: 'Automation', type: 'webhook', config: { url: `${this.receiver.url}/${data.id}` }, notify_all: false },
    })
    await make('/notification-rules', { channel_id: channel.data.id, event_types: ['incident.created'] })
    const team: Team = {
      ...{ id: data.id, tenantId: data.tenant_id, path: `/reseller/managed-teams/${data.id}`, name, email, session },
      key: (await make('/api-keys', { name: 'CI', scopes: ['monitors:read'] })).plain_text_token,
      spares,
      site: { id: siteId, check },
      jobs: {
        ping: await job('Backup'),
        alerts: [await job('First alert'), await job('Second alert')],
        heartbeats: [await job('First silence'), await job('Second silence')],
      },
      server: server.plain_text_token,
      page: slug,
      waiting: await this.#aWaiting(data.tenant_id),
      invitations: [],
      migration: (
        await make('/migrations', { provider: 'csv', content: 'name,url\nImported,https://shop.example.com/' })
      ).data.id,
      trialEndsAt: data.trial_ends_at === null ? null : new Date(data.trial_ends_at),
    }
    for (const _ of [0, 1]) {
      const invited = await make('/invitations', { email: `${randomUUID()}@people.test`, role: 'member' })
      team.invitations.push(invited.data.id)
    }
    await this.served.platform.query(
      `insert into subscriptions (tenant_id, collection, status, plan, plan_in_force, interval, currency,
         current_period_start, current_period_end, invoiced_from)
       values ($1, 'active', 'active', 'pro', 'pro', 'month', 'eur', now() - interval '1 month', now(), now())`,
      [team.tenantId],
    )
    return team
  }

  async #aWaiting(tenantId: string): Promise<Waiting> {
    const incident = anIncident()
    this.#broken.add(incident.incident_id)
    const event = await happen(this.served, tenantId, 'incident.created', incident)
    await expect.poll(() => this.#stateOfDelivery(event), { ...within, message: 'a first attempt' }).toBe('retrying')
    return { incident: incident.incident_id, event }
  }

  async #stateOfDelivery(event: string): Promise<string | undefined> {
    const { rows } = await this.served.platform.query('select status from deliveries where event_id = $1', [event])
    return rows[0]?.status
  }

  /** A team that stays active: what happens to it is a clock for what does not happen to another. */
  #ofControl(): Promise<Team> {
    this.#control ??= this.aTeam(false)
    return this.#control
  }

  async #anotherJob(): Promise<Job> {
    const { session } = await this.#ofControl()
    const { data } = await this.#done('POST', '/cron-monitors', session, { name: 'Clock', period_minutes: 60 })
    return { id: data.id, check: data.check_id, path: new URL(data.ping_url).pathname }
  }

  async #ping(job: Job, state?: string): Promise<Answered> {
    return state === undefined
      ? this.call('GET', job.path, null)
      : this.call('POST', job.path, null, { state, output: 'no space left on device' })
  }

  async #verdictOf({ check }: Job): Promise<string | null> {
    const { rows } = await this.served.platform.query('select verdict from checks where id = $1', [check])
    return rows[0]?.verdict
  }

  async #up(job: Job): Promise<void> {
    await this.#ping(job)
    await expect.poll(() => this.#verdictOf(job), { ...within, message: 'a good ping' }).toBe('up')
  }

  async #hasIncident({ check }: Job): Promise<boolean> {
    const found = 'select 1 from incidents where check_id = $1 and resolved_at is null'
    return (await this.served.platform.query(found, [check])).rowCount === 1
  }

  /** Lets the deadline of a job pass. */
  async #silence({ check }: Job): Promise<void> {
    await this.served.platform.query(
      `update heartbeats set expected_at = now() - interval '2 minutes', alert_after = now() - interval '1 second',
         wake_at = now() where check_id = $1`,
      [check],
    )
  }

  #notified({ id }: Team, job: Job): boolean {
    return this.receiver.at(`/${id}`).some(({ body }) => body.monitor_id === job.id)
  }

  async #isMailed(team: Team, type: MailType): Promise<boolean> {
    const email = `${randomUUID()}@people.test`
    const payload = mailPayload(
      { userId: null, email, name: null, language: 'en' },
      encryptMail(this.served.config, type, mails[type].example),
    )
    const { rows } = await this.served.platform.query(
      `insert into outbox (tenant_id, kind, name, payload, is_personal) values ($1, 'mail', $2, $3, true) returning id`,
      [team.tenantId, type, JSON.stringify(payload)],
    )
    await eventually(async () => {
      const left = await this.served.platform.query('select 1 from outbox where id = $1', [rows[0].id])
      return left.rowCount === 0 ? true : undefined
    })
    const arrived = this.mailServer.arrived.find(({ to }) => to.includes(email))
    if (arrived) expect(arrived.mail.from?.name, `${type} has the brand of the reseller`).toBe('Hostora')
    return arrived !== undefined
  }

  /**
   * Asks each thing of a team: the answer of the interface, or whether it happened. `phase` 0: in the state, 1: after
   * it; `isExpected`: wait until it happens, else until it has happened to a team that is active.
   */
  readonly ask: Record<Thing, (team: Team, phase: 0 | 1, isExpected: boolean) => Promise<Answered | boolean>> = {
    checks: async ({ site }) => {
      await this.#agent.login()
      const stream = await (await this.#agent.work()).synced()
      stream.break()
      return stream.checks.has(site.check)
    },
    heartbeats: async ({ jobs }, phase, isExpected) => {
      const [job, clock] = [jobs.heartbeats[phase]!, await this.#anotherJob()]
      await this.#up(clock)
      await (isExpected ? this.#up(job) : this.#ping(job))
      const passes = async (each: Job) => {
        await this.#silence(each)
        return this.#hasIncident(each)
      }
      if (!isExpected) await passes(job)
      await expect
        .poll(() => passes(isExpected ? job : clock), { timeout: 20_000, interval: 1_500, message: 'silence' })
        .toBe(true)
      return this.#hasIncident(job)
    },
    pings: ({ jobs }) => this.#ping(jobs.ping),
    servers: ({ server }) =>
      this.call('POST', serverAgentPaths.metrics, server, {
        batch: randomUUID(),
        samples: [{ at: Date.now() - 1_000, metrics: { cpu: 12 } }],
      }),
    alerts: async (team, phase, isExpected) => {
      const [job, clock] = [team.jobs.alerts[phase]!, await this.#anotherJob()]
      await this.#ping(job, 'fail')
      await this.#ping(clock, 'fail')
      const control = await this.#ofControl()
      await expect
        .poll(() => (isExpected ? this.#notified(team, job) : this.#notified(control, clock)), {
          ...within,
          message: 'an alert',
        })
        .toBe(true)
      return this.#notified(team, job)
    },
    deliveries: async (team, phase) => {
      // one that waited in the trash has failed there
      const { incident, event } = phase === 0 ? team.waiting : await this.#aWaiting(team.tenantId)
      this.#broken.delete(incident)
      await this.served.platform.query(
        `update deliveries set next_at = now() - interval '10 minutes' where event_id = $1 and status = 'retrying'`,
        [event],
      )
      await expect
        .poll(() => this.#stateOfDelivery(event), { ...within, message: 'another attempt' })
        .toMatch(/^(delivered|failed)$/)
      return (await this.#stateOfDelivery(event)) === 'delivered'
    },
    mails: team => this.#isMailed(team, 'member_removed'),
    account_mails: team => this.#isMailed(team, 'security_password_changed'),
    pages: ({ page }) => this.call('GET', `/status/${page}`, null),
    badges: ({ site }) => this.call('GET', `/api/badges/${site.id}`, null),
    creates: ({ session }) =>
      this.call('POST', '/monitors', session, { name: 'Blog', url: 'https://example.com/blog' }),
    writes: async ({ session, spares }, phase) => {
      const path = `/monitors/${spares[phase]!}`
      const changed = await this.call('PATCH', path, session, { name: 'Renamed' })
      const deleted = await this.call('DELETE', path, session)
      expect(deleted.code).toBe(changed.code)
      return deleted
    },
    tokens: ({ key }) => this.call('GET', '/monitors', key),
    sign_in: ({ email }) => this.call('POST', '/auth/token', null, { email, password, device_name: 'another' }),
    trials: async ({ id, trialEndsAt }, phase) => {
      if (trialEndsAt === null) return false
      const { platform } = this.served
      const days = phase === 0 ? 3 : 1
      await advanceTrial(platform, id, trialEndsAt, calendarAt(trialEndsAt.getTime() - days * dayMs))
      const { rows } = await platform.query('select trial_reminded from managed_teams where id = $1', [id])
      return rows[0].trial_reminded === days
    },
    invoices: async ({ tenantId }) => {
      const dueAt = new Date()
      const { platform } = this.served
      await platform.query('update subscriptions set next_due_at = $2 where tenant_id = $1', [tenantId, dueAt])
      return (await advanceBilling(platform, testPrices, tenantId, dueAt, calendarAt(dueAt))) === 'done'
    },
    migrations: async ({ migration }) => {
      await advanceMigration({ services: this.served.plane.services, em: this.#orm.em }, migration)
      const { rows } = await this.served.platform.query('select state from provider_migrations where id = $1', [
        migration,
      ])
      return rows[0].state === 'previewed'
    },
    workflows: async ({ invitations }, phase) => {
      const { platform } = this.served
      const id = invitations[phase]!
      const { rows } = await platform.query('select expires_at from invitations where id = $1', [id])
      return (await expireInvitation(platform, id, rows[0].expires_at, calendarAt(rows[0].expires_at))) === 'expired'
    },
  }
}

const aTenant = (served: Serving, isReseller: boolean): Promise<string> =>
  createTenant(served.platform, {
    ...{ name: 'Tenant', slug: `t-${randomUUID()}`, plan: 'pro', featureOverrides: {}, isReseller },
  })

/** The token of a new owner of a tenant: a session, or a reseller's token with every scope. */
async function aPerson(served: Serving, tenantId: string, kind: 'ss' | 'rk', isSuperAdmin: boolean): Promise<string> {
  const userId = randomUUID()
  await served.platform.query(
    `insert into users (id, name, email, is_super_admin, home_tenant_id, email_verified_at)
     values ($1, 'Pat Person', $2, $3, $4, now())`,
    [userId, `${userId}@people.test`, isSuperAdmin, tenantId],
  )
  await served.platform.query(`insert into memberships (user_id, tenant_id, role) values ($1, $2, 'owner')`, [
    userId,
    tenantId,
  ])
  const scopes = kind === 'rk' ? resellerScopes.filter(scope => scope.endsWith(':manage')) : []
  return (await createToken(served.platform, { kind, tenantId, userId, name: 'test', scopes, expiresAt: null })).plain
}
