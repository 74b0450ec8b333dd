import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { severities } from '#contract/check.ts'
import { events } from '#contract/events.ts'
import { type Resolution, resolutions } from '#contract/incident.ts'
import type { ChannelType } from '#contract/plans.ts'
import type { Role } from '#contract/scopes.ts'
import { createToken } from '#control-plane/access/tokens/create.ts'
import { endOf, phaseOf, placed } from '#control-plane/alerting/channels/kinds/alert-key.ts'
import { type PresetName, presetNames } from '#control-plane/alerting/channels/kinds/custom/presets.ts'
import { kinds } from '#control-plane/alerting/channels/kinds/index.ts'
import { escalate } from '#control-plane/alerting/escalation-policies/runs/watch.ts'
import { defaultSuppression } from '#control-plane/engine/suppression/rules.ts'
import { WriteBatch } from '#control-plane/engine/verdicts/batch.ts'
import { writeBatch } from '#control-plane/engine/verdicts/write-batch.ts'
import { wakeDispatcher } from '#control-plane/outbox/emit.ts'
import { fanOut } from '#control-plane/publishing/status-pages/subscribers/fan-out.ts'
import { insertSubscribers } from '#control-plane/publishing/status-pages/subscribers/store.ts'
import { addManagedTeam } from '#control-plane/reselling/managed-teams/add-managed-team.ts'
import { Authority } from '#test/checks/certificates.ts'
import { aTenantOf, happen, settled } from '#test/control-plane/alerting/alerted.ts'
import { Receiver } from '#test/control-plane/alerting/receiver.ts'
import { eventually, type Serving, serving } from '#test/control-plane/serving.ts'
import { aProof } from '#test/support/a-proof.ts'
import { takeEpoch } from '#test/support/epoch.ts'
import { EventStreamUnderTest } from '#test/support/event-stream.ts'
import { MailServer } from '#test/support/mail-server.ts'
import { confirmRecipients } from '#test/support/recipients.ts'

/*
 * Who was notified of the beginning of an alert is notified once of who took it, where the kind of channel does that,
 * and once of its end: each beginning by each way, ended in each way. What was sent is read at the receivers.
 */

let served: Serving
let receiver: Receiver
let mail: MailServer
beforeAll(async () => {
  const authority = await Authority.make()
  receiver = await Receiver.open()
  mail = await MailServer.open({ certificate: await authority.issue({ names: ['localhost'] }), encryption: 'none' })
  served = await serving('who_was_notified', {
    roles: ['api', 'worker'],
    config: {
      receivers: { pagerduty: receiver.url, telegram: receiver.url },
      mail: {
        ...{ host: '127.0.0.1', port: mail.port, isTls: false, username: null, password: null },
        from: { name: 'Vedette', address: 'vedette@example.com' },
      },
    },
  })
})
afterAll(async () => {
  await served?.close()
  await Promise.all([receiver?.close(), mail?.close()])
})

/** What begins an alert, and what ends it: a new event is placed here on purpose. null: it has no event for its end. */
const endsOf: Record<string, string | null> = {
  'incident.created': 'incident.resolved',
  'incident.escalated': 'incident.resolved',
  'incident.escalation_exhausted': 'incident.resolved',
  'monitor.flapping': 'monitor.flapping_resolved',
  'storm.detected': 'storm.resolved',
  'warning.application_health': 'warning.cleared',
  'warning.broken_links': 'warning.cleared',
  'warning.degraded_performance': 'warning.cleared',
  'warning.dnsbl_listing': 'warning.cleared',
  'warning.domain_expiring': 'warning.cleared',
  'warning.mixed_content': 'warning.cleared',
  'warning.redirect_chain': 'warning.cleared',
  'warning.robots_txt': 'warning.cleared',
  'warning.security_headers': 'warning.cleared',
  'warning.server_resources': 'warning.cleared',
  'warning.sitemap_issues': 'warning.cleared',
  'warning.ssl_expiring': 'warning.cleared',
  'slo.budget_burning': 'slo.budget_recovered',
  'slo.budget_exhausted': 'slo.budget_recovered',
  'on_call.gap_found': null,
}
const beginnings = Object.keys(placed).filter(name => phaseOf(name) === 'opened')
/** Those that are not about an incident. */
const others = beginnings.filter(name => !name.startsWith('incident.'))
const ofOthers = [...new Set([...others, ...others.flatMap(name => endsOf[name] ?? [])])]

/** The words of an end, in every message that people read. */
const words: Record<Resolution, RegExp> = {
  recovered: /is up again/,
  changed: /the incident ended, as what is checked was changed/,
  stopped: /is no longer checked/,
  deleted: /was deleted/,
  by_hand: /was resolved by hand/,
}
const taker = 'Ada Taker'

/** Where messages arrive: each way has a token of its own in the address, a key or the recipient. */
interface Way {
  name: string
  kind: ChannelType
  preset?: PresetName
  token: string
  /** Of a channel of the team or the reseller. */
  channel?: string
  /** Whose contact method it is, or who is mailed. */
  person?: string
}
const aToken = () => randomUUID().replaceAll('-', '')
const addressOf = ({ token }: Pick<Way, 'token'>) => `${token}@people.test`
const at = (token: string) => `${receiver.url}/${token}`

const configs: Record<ChannelType, (token: string) => object> = {
  webhook: token => ({ url: at(token) }),
  email: token => ({ recipients: [addressOf({ token })] }),
  slack: token => ({ webhook_url: at(token) }),
  discord: token => ({ webhook_url: at(token) }),
  microsoft_teams: token => ({ webhook_url: at(token) }),
  pagerduty: token => ({ routing_key: token }),
  telegram: token => ({ bot_token: `123456:${token}`, chat_id: '-1001234' }),
  custom: token => ({ url: at(token) }),
}
const types = Object.keys(kinds) as ChannelType[]
const presetConfigs: Record<PresetName, (token: string) => object> = {
  ntfy: token => ({ url: at(token), fields: { topic: 'operations' } }),
  pushover: token => ({ url: at(token), fields: { token: 'token', user: 'user' } }),
  mattermost: token => ({ url: at(token) }),
  google_chat: token => ({ url: at(token) }),
  opsgenie: token => ({ url: receiver.url, fields: { api_key: token } }),
  twilio_sms: token => ({
    url: at(token),
    fields: { account_sid: 'sid', auth_token: 'token', from: '+4930123', to: '+4930456' },
  }),
  sms_gateway: token => ({ url: at(token), fields: { to: '+4930456' } }),
}

interface Message {
  text: string
  // biome-ignore lint/suspicious/noExplicitAny: a receiver reads what it is sent
  body: any
}
const readable = (text: string) => {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return text
  }
}
/** What arrived by a way about an alert, in order. `marks`: the name and ids of what it is about. */
function arrived(way: Way, marks: readonly string[]): Message[] {
  const address = addressOf(way)
  const mails = mail.arrived
    .filter(({ to }) => to.includes(address))
    .map(each => ({ text: `${each.mail.subject}\n${each.mail.text}`, body: undefined }))
  const requests = receiver.received
    .filter(({ path, headers, text }) => `${path} ${headers.authorization} ${text}`.includes(way.token))
    .map(({ path, text, body }) => ({ text: `${path} ${way.preset === 'twilio_sms' ? readable(text) : text}`, body }))
  return [...mails, ...requests].filter(({ text }) => marks.some(mark => text.includes(mark)))
}

const isEnd = /is up again|resolved by hand|what is checked was changed|is no longer checked|was deleted/
type Step = 'opened' | 'acknowledged' | 'resolved'
/** What a message about an incident says, read by the rules of its receiver. */
function stepOf({ kind, preset }: Way, { text, body }: Message): Step {
  if (kind === 'pagerduty')
    return ({ trigger: 'opened', acknowledge: 'acknowledged', resolve: 'resolved' } as const)[
      body.event_action as 'trigger' | 'acknowledge' | 'resolve'
    ]
  if (kind === 'webhook') return phaseOf(body.event) as Step
  if (kind === 'custom' && preset === undefined) return body.phase
  return text.includes(`${taker} has it`) ? 'acknowledged' : isEnd.test(text) ? 'resolved' : 'opened'
}
/** The alert or thread that a message belongs to, where its receiver keeps any. */
function keyOf({ kind, preset }: Way, { text, body }: Message): string | null {
  if (kind === 'pagerduty') return body.dedup_key
  if (preset === 'google_chat') return body.thread.threadKey
  if (preset === 'opsgenie') return body.alias ?? /\/v2\/alerts\/([^/]+)\//.exec(text)?.[1]
  return kind === 'custom' && preset === undefined ? body.alert_id : null
}

const scopes = ['incidents:manage', 'monitors:manage', 'escalation:write', 'checks:manage', 'status-pages:write']
const aTeam = () => aTenantOf(served, receiver, { scopes })
type Team = Awaited<ReturnType<typeof aTeam>>

async function aChannel(
  team: Team,
  name: string,
  type: ChannelType,
  { events: event_types, preset, filter }: { events?: string[]; preset?: PresetName; filter?: object } = {},
): Promise<Way> {
  const token = aToken()
  if (type === 'email') await confirmRecipients(served.platform, team.id, addressOf({ token }))
  const config = preset ? { preset, ...presetConfigs[preset](token) } : configs[type](token)
  const named = `${name} ${preset ?? type}`
  const { id } = await team.call('POST', '/notification-channels', { name: named, type, config, notify_all: false })
  if (event_types)
    await team.call('POST', '/notification-rules', {
      ...{ channel_id: id, event_types },
      ...(filter && { monitor_filter: filter }),
    })
  return { name: named, kind: type, ...(preset && { preset }), token, channel: id }
}

/** A member whose address is proven, with these contact methods, known to work; none: mail alone. */
async function aPerson(team: Team, name: string, contacts: readonly ChannelType[], role: Role = 'member') {
  const { platform, plane } = served
  const [id, mailed] = [randomUUID(), { name: `${name} email`, kind: 'email', token: aToken(), person: '' } as Way]
  await platform.query(
    `with u as (
       insert into users (id, name, email, home_tenant_id, email_verified_at) values ($1, $2, $3, $4, now())
     )
     insert into memberships (user_id, tenant_id, role) values ($1, $4, $5)`,
    [id, name, addressOf(mailed), team.id, role],
  )
  const session = { kind: 'ss', tenantId: team.id, userId: id, name: 'test', expiresAt: null } as const
  const { plain } = await createToken(platform, { ...session, scopes: [] })
  const call = async (method: string, path: string, body?: object) => {
    const response = await fetch(`${plane.baseUrl}/api/v1${path}`, {
      method,
      headers: { Authorization: `Bearer ${plain}`, 'Content-Type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    })
    if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${await response.text()}`)
  }
  // the address of the account is a contact method from the beginning
  const own = 'from notification_channels where tenant_id = $1 and owner_user_id = $2'
  if (!contacts.includes('email')) await platform.query(`delete ${own}`, [team.id, id])
  const ways: Way[] = []
  for (const type of contacts) {
    const token = type === 'email' ? mailed.token : aToken()
    ways.push({ name: `${name} ${type}`, kind: type, token, person: id })
    if (type !== 'email')
      await call('POST', '/profile/contact-methods', { name: type, type, config: configs[type](token) })
  }
  await platform.query(
    'update notification_channels set verified_at = now() where tenant_id = $1 and owner_user_id = $2',
    [team.id, id],
  )
  return { id, call, ways, mailed: { ...mailed, person: id } }
}

/** Waits until all events of a team are routed, delivered and mailed. */
async function quiet(team: Team) {
  await wakeDispatcher(served.platform)
  await settled(served, team.id)
}

interface Outage {
  mark: string
  monitor: string
  check: string
  id: string
}
const marksOf = ({ mark, id }: Outage) => [mark, id]

async function write(batch: WriteBatch) {
  // many outages at once are no storm here
  const rules = { ...defaultSuppression, storm: { ...defaultSuppression.storm, least: 1_000 } }
  await writeBatch(served.platform, await takeEpoch(served.platform), batch, rules)
}
/** Several monitors that go down at once, each with another severity. */
async function goDown(team: Team, count: number): Promise<Outage[]> {
  const { platform } = served
  const batch = new WriteBatch()
  const begun: Omit<Outage, 'id'>[] = []
  for (let nth = 0; nth < count; nth++) {
    const mark = `Shop${randomUUID().slice(0, 8)}`
    const made = await served.monitor(team.id, 'http://127.0.0.1:1')
    await platform.query('update monitors set name = $2 where id = $1', [made.monitor, mark])
    begun.push({ mark, ...made })
    const now = Date.now()
    batch.of(made.check).opens = {
      check_id: made.check,
      title: `${mark} is down`,
      cause: 'The connection was refused.',
      severity: severities[nth % severities.length],
      started_at: now,
      confirmed_at: now,
      quorum: aProof,
      evidence: { error_code: 'refused', http_status: null, phase: 'tcp', snippet: null },
    } as never
  }
  await write(batch)
  await quiet(team)
  const { rows } = await platform.query<{ id: string; monitor_id: string }>(
    'select id, monitor_id from incidents where tenant_id = $1',
    [team.id],
  )
  return begun.map(each => ({ ...each, id: rows.find(row => row.monitor_id === each.monitor)!.id }))
}
const ended = async ({ check }: Outage, end: 'resolvedAt' | 'changedAt' | 'stoppedAt') => {
  const batch = new WriteBatch()
  batch.of(check)[end] = Date.now()
  await write(batch)
}
const ends: Record<Resolution, (team: Team, outage: Outage) => Promise<unknown>> = {
  recovered: (_, outage) => ended(outage, 'resolvedAt'),
  changed: (_, outage) => ended(outage, 'changedAt'),
  async stopped(team, outage) {
    await team.call('POST', `/checks/${outage.check}/disable`)
    await ended(outage, 'stoppedAt')
  },
  deleted: (team, { monitor }) => team.call('DELETE', `/monitors/${monitor}`),
  by_hand: (team, { id }) => team.call('POST', `/incidents/${id}/resolve`),
}

/** Takes the next step of all runs of a team. */
async function takeStep(team: Team) {
  await served.platform.query(
    'update escalation_runs set next_at = clock_timestamp() where tenant_id = $1 and next_at is not null',
    [team.id],
  )
  await escalate(served.plane.services)
  await quiet(team)
}

/** How often each way is notified of the beginning, and whether of who took it; the end is sent once. */
interface Expected {
  way: Way
  opened: number
  isTaken: boolean
  /** false: it cannot be reached any more. */
  isEnded?: boolean
}
const isOfLists = (kind: ChannelType) => kind === 'webhook' || kind === 'email'

function check(expected: readonly Expected[], outage: Outage, resolution: Resolution): string[] {
  const faults: string[] = []
  for (const { way, opened, isTaken, isEnded = true } of expected) {
    const messages = arrived(way, marksOf(outage))
    const [steps, keys] = [messages.map(each => stepOf(way, each)), messages.map(each => keyOf(way, each))]
    const right: Step[] = [
      ...Array<Step>(opened).fill('opened'),
      ...(opened > 0 && isTaken ? (['acknowledged'] as const) : []),
      ...(opened > 0 && isEnded ? (['resolved'] as const) : []),
    ]
    const about = `${resolution}, ${way.name}`
    if (steps.join() !== right.join()) faults.push(`${about}: ${steps.join()} is not ${right.join()}`)
    const key = `vedette-incident-${outage.id}`
    for (const each of keys) if (each !== null && each !== key) faults.push(`${about}: ${each} is not ${key}`)
    const last = messages.at(-1)
    if (last === undefined || steps.at(-1) !== 'resolved' || way.kind === 'pagerduty') continue
    if (way.kind === 'webhook') {
      if (last.body.resolution !== resolution) faults.push(`${about}: ${last.body.resolution}`)
      continue
    }
    for (const [other, pattern] of Object.entries(words))
      if (pattern.test(last.text) !== (other === resolution)) faults.push(`${about} by the words of ${other}`)
  }
  return faults
}

/** A team with every way at once, and the reseller that manages it. */
async function aScene() {
  const { platform } = served
  const reseller = await aTenantOf(served, receiver, { isReseller: true, scopes: ['incidents:read'] })
  const team = await aTeam()
  const managed = await addManagedTeam(platform, reseller.id, team.id, 'gold')
  const incidents = ['incident.created', 'incident.resolved']
  const all = [...incidents, ...ofOthers]
  const ruled: Way[] = []
  for (const type of types) ruled.push(await aChannel(team, 'rule', type, { events: all }))
  for (const preset of presetNames) ruled.push(await aChannel(team, 'rule', 'custom', { events: all, preset }))
  const naming = await aChannel(team, 'rule with who took it', 'webhook', { events: [...all, 'incident.acknowledged'] })
  const pager = await aChannel(team, 'rule of the beginning', 'pagerduty', { events: ['incident.created', ...others] })
  const beginning = await aChannel(team, 'rule of the beginning', 'webhook', {
    events: ['incident.created', ...others],
  })
  const escalated = await aChannel(team, 'rule of steps', 'slack', {
    events: ['incident.escalated', 'incident.resolved'],
  })
  const exhausted = await aChannel(team, 'rule of the last step', 'pagerduty', {
    events: ['incident.escalation_exhausted'],
  })
  const called: Way[] = []
  for (const type of types) called.push(await aChannel(team, 'step', type))
  const away = await aChannel(team, 'disabled', 'slack', { events: all })
  await team.call('PATCH', `/notification-channels/${away.channel}`, { is_enabled: false })
  const silent = [
    away,
    await aChannel(team, 'without a rule', 'slack'),
    await aChannel(team, 'rule of other monitors', 'slack', {
      events: incidents,
      filter: { monitor_ids: [], tags: ['another'], types: [] },
    }),
  ]

  const people = []
  for (const type of types) people.push(await aPerson(team, `contact`, [type]))
  const mailedPerson = await aPerson(team, 'mail alone', [])
  const onDuty = await aPerson(team, 'on duty', ['webhook'])
  const member = await aPerson(team, 'of the team', ['webhook'])
  const takes = await aPerson(team, taker, ['webhook', 'pagerduty'])
  const viewer = await aPerson(team, 'viewer', ['email'], 'viewer')
  const rotation = { name: 'R', users: [onDuty.id], handoff: 'daily', first_handoff_at: '2026-01-05T09:00' }
  const schedule = await team.call('POST', '/on-call-schedules', { name: 'S', timezone: 'UTC', rotations: [rotation] })
  const targets = [
    ...called.map(({ channel }) => ({ type: 'channel', id: channel })),
    ...people.map(({ id }) => ({ type: 'user', id })),
    { type: 'user', id: mailedPerson.id },
    { type: 'schedule', id: schedule.id },
  ]
  await team.call('POST', '/escalation-policies', {
    ...{ name: 'Operations', is_default: true, repeat_count: 0 },
    steps: [
      { delay_minutes: 1, targets },
      { delay_minutes: 1, targets: [{ type: 'team' }] },
    ],
  })

  const path = aToken()
  const hook = await reseller.call('POST', '/reseller/webhooks', { name: 'CRM', url: at(path), events: all })
  const ofReseller: Way[] = [
    { name: 'reseller webhook', kind: 'webhook', token: path, channel: hook.id },
    await aChannel(reseller, 'reseller', 'slack', { events: all }),
  ]
  const byRule = [...ruled, ...ofReseller]
  const expected: Expected[] = [
    ...byRule.map(way => ({ way, opened: 1, isTaken: !isOfLists(way.kind) })),
    { way: naming, opened: 1, isTaken: true },
    { way: pager, opened: 1, isTaken: true },
    { way: beginning, opened: 1, isTaken: false, isEnded: false },
    { way: escalated, opened: 2, isTaken: true },
    { way: exhausted, opened: 1, isTaken: true },
    ...called.map(way => ({ way, opened: 1, isTaken: true })),
    ...[...people, onDuty].flatMap(({ ways }) => ways).map(way => ({ way, opened: 2, isTaken: true })),
    { way: mailedPerson.mailed, opened: 2, isTaken: true },
    ...member.ways.map(way => ({ way, opened: 1, isTaken: true })),
    // an alert at a service is acknowledged there as well
    ...takes.ways.map(way => ({ way, opened: 1, isTaken: way.kind === 'pagerduty' })),
    ...[...silent, ...viewer.ways].map(way => ({ way, opened: 0, isTaken: false })),
    // people who have contact methods that work are not mailed besides
    ...[...people.filter((_, nth) => types[nth] !== 'email'), onDuty, member, takes].map(({ mailed }) => ({
      ...{ way: mailed, opened: 0, isTaken: false },
    })),
  ]
  return { reseller, team, managed, ruled, byRule, naming, pager, beginning, called, people, onDuty, takes, expected }
}
type Scene = Awaited<ReturnType<typeof aScene>>

const acknowledge = (scene: Scene, { id }: Outage) => scene.takes.call('POST', `/incidents/${id}/acknowledge`, {})

/** An event of each kind of alert that is not an incident, with ids of its own. */
const aBeginning = (name: string) => {
  const [mark, id] = [`Shop${randomUUID().slice(0, 8)}`, randomUUID()]
  const ids = { monitor_id: id, storm_id: id, check_id: id, schedule_id: id }
  const names = { monitor_name: mark, monitor_names: [mark], host: mark, schedule_name: mark }
  const payloadOf = (event: string) => {
    const example = events.get(event)?.example ?? {}
    const own = Object.entries({ ...ids, ...names }).filter(([field]) => field in example)
    return { ...example, ...Object.fromEntries(own) }
  }
  return { name, mark, id, payloadOf }
}
type Beginning = ReturnType<typeof aBeginning>
const emit = async (team: Team, each: readonly Beginning[], nameOf: (name: string) => string | null) => {
  for (const one of each) {
    const name = nameOf(one.name)
    if (name !== null) await happen(served, team.id, name, one.payloadOf(name))
  }
  await quiet(team)
}
/** `beginningOnly`: ways whose rules never sent an end. */
function checkOthers(ways: readonly Way[], each: readonly Beginning[], beginningOnly: readonly Way[]): string[] {
  return each.flatMap(({ name, mark, id }) =>
    [...ways, ...beginningOnly].flatMap(way => {
      const messages = arrived(way, [mark, id])
      const end = beginningOnly.includes(way) ? null : endsOf[name]
      const faults: string[] = []
      const about = `${name}, ${way.name}`
      const right = end ? 2 : 1
      if (messages.length !== right) faults.push(`${about}: ${messages.length} messages instead of ${right}`)
      const keys = new Set(messages.map(message => keyOf(way, message)))
      if (keys.size > 1) faults.push(`${about}: ${[...keys].join(' is not ')}`)
      const last = messages.at(-1)
      if (!end || messages.length !== right || last === undefined) return faults
      if (way.kind === 'webhook' && last.body.event !== end) faults.push(`${about}: ended by ${last.body.event}`)
      if (way.kind === 'pagerduty' && last.body.event_action !== 'resolve') faults.push(`${about}: not resolved`)
      return faults
    }),
  )
}

/** The entries of `GET …/notifications` that say so: how often each channel was notified. */
async function notifiedOf(call: Team['call'], path: string): Promise<Map<string, string[]>> {
  const notified = new Map<string, string[]>()
  for (const { event, channels } of await call('GET', `${path}/notifications?per_page=100`))
    for (const { channel_id, is_notified } of channels)
      if (is_notified) notified.set(channel_id, [...(notified.get(channel_id) ?? []), event])
  return notified
}

test('every event that begins an alert has its end in this test', () => {
  expect(beginnings.toSorted()).toEqual(Object.keys(endsOf).toSorted())
  expect(Object.fromEntries(beginnings.map(name => [name, endOf(name)]))).toEqual(endsOf)
})

let scene: Scene
test('each way that was notified of a beginning is notified once of who took it and of its end, in the words of how it ended', {
  timeout: 180_000,
}, async () => {
  scene = await aScene()
  const { team, reseller, managed, expected } = scene
  const stream = await EventStreamUnderTest.open(`${served.plane.baseUrl}/api/v1/stream?topics=monitors,incidents`, {
    headers: { Authorization: `Bearer ${team.token}` },
  })
  const outages = await goDown(team, resolutions.length)
  for (let step = 0; step < 3; step++) await takeStep(team)
  for (const outage of outages) await acknowledge(scene, outage)
  await quiet(team)
  for (const [nth, resolution] of resolutions.entries()) await ends[resolution](team, outages[nth]!)
  await quiet(team)
  expect(resolutions.flatMap((resolution, nth) => check(expected, outages[nth]!, resolution))).toEqual([])

  // the record of each incident agrees with what its receivers have
  for (const [nth, outage] of outages.entries()) {
    const marks = marksOf(outage)
    const ofTeam = await notifiedOf(team.call, `/incidents/${outage.id}`)
    const ofReseller = await notifiedOf(reseller.call, `/reseller/managed-teams/${managed}/incidents/${outage.id}`)
    for (const { way } of expected) {
      if (way.channel === undefined) continue
      const says = ofTeam.get(way.channel) ?? ofReseller.get(way.channel) ?? []
      const messages = arrived(way, marks)
      expect(says.length, `${resolutions[nth]}, ${way.name}: ${says}`).toBe(messages.length)
      if (way.kind === 'webhook') expect(messages.map(({ body }) => body.event)).toEqual(says)
    }
    const { escalation } = await team.call('GET', `/incidents/${outage.id}`)
    const calls = Map.groupBy(escalation.notifications as { user_id: string | null }[], each => each.user_id)
    for (const person of new Set(expected.flatMap(({ way }) => way.person ?? []))) {
      const ways = expected.filter(({ way }) => way.person === person).map(({ way }) => way)
      const opened = ways.flatMap(way => arrived(way, marks).filter(each => stepOf(way, each) === 'opened'))
      expect(calls.get(person)?.length ?? 0, ways.map(({ name }) => name).join()).toBe(opened.length)
    }
    await stream.next(({ event, data }) => event === 'incident.resolved' && data.incident_id === outage.id)
    for (const name of ['incident.created', 'incident.acknowledged', 'incident.resolved'])
      expect(
        stream.named(name).filter(({ data }) => data.incident_id === outage.id),
        `stream: ${name}, ${resolutions[nth]}`,
      ).toHaveLength(1)
  }
  stream.leave()
})

test('alerts other than incidents end at each channel that was notified of their beginning', {
  timeout: 120_000,
}, async () => {
  const { team, byRule, naming, pager, beginning } = scene
  const each = others.map(aBeginning)
  await emit(team, each, name => name)
  await emit(team, each, name => endsOf[name] ?? null)
  expect(checkOthers([...byRule, naming, pager], each, [beginning])).toEqual([])
})

test('they are notified so also where the rules, the policy or a contact method are gone meanwhile, but not who has left', {
  timeout: 120_000,
}, async () => {
  const { platform } = served
  const { team, reseller, byRule, naming, pager, beginning, called, people, onDuty, expected } = scene
  const each = others.map(aBeginning)
  const [outage] = (await goDown(team, 1)) as [Outage]
  await emit(team, each, name => name)
  for (let step = 0; step < 3; step++) await takeStep(team)

  for (const { id } of [team, reseller]) {
    await platform.query('delete from notification_rules where tenant_id = $1', [id])
    await platform.query(`select pg_notify('alerting', $1)`, [id])
  }
  await platform.query('delete from escalation_policies where tenant_id = $1', [team.id])
  const [left, changed] = [onDuty, people[types.indexOf('slack')]!]
  await platform.query('delete from memberships where user_id = $1', [left.id])
  await platform.query('delete from notification_channels where owner_user_id = $1', [changed.id])
  const off = called[types.indexOf('discord')]!
  await team.call('PATCH', `/notification-channels/${off.channel}`, { is_enabled: false })
  await acknowledge(scene, outage)
  await quiet(team)
  await ends.recovered(team, outage)
  await emit(team, each, name => endsOf[name] ?? null)

  const isGone = (way: Way) => left.ways.includes(way) || changed.ways.includes(way) || way === off
  const after = expected
    .filter(({ way }) => way.token !== changed.mailed.token)
    // its rule is gone, and with it the wish to receive who took an incident
    .map(one => (isGone(one.way) ? { ...one, isTaken: false, isEnded: false } : one))
    .map(one => (one.way === naming ? { ...one, isTaken: false } : one))
  expect(check(after, outage, 'recovered')).toEqual([])
  // who has no contact method left is mailed
  const mails = arrived(changed.mailed, marksOf(outage))
  expect(mails.map(one => stepOf(changed.mailed, one))).toEqual(['acknowledged', 'resolved'])
  expect(checkOthers([...byRule, naming, pager], each, [beginning])).toEqual([])
})

test('administrators who were mailed that a policy is at its end are mailed who took the incident, and its end', async () => {
  const team = await aTeam()
  const owner = await aPerson(team, 'owner', [], 'owner')
  const takes = await aPerson(team, taker, ['webhook'])
  const channel = await aChannel(team, 'step', 'webhook')
  await team.call('POST', '/escalation-policies', {
    ...{ name: 'Operations', is_default: true, repeat_count: 0 },
    steps: [{ delay_minutes: 1, targets: [{ type: 'channel', id: channel.channel }] }],
  })
  const outages = await goDown(team, 2)
  for (let step = 0; step < 2; step++) await takeStep(team)
  const late = await aPerson(team, 'late', [], 'admin')
  await takes.call('POST', `/incidents/${outages[0]!.id}/acknowledge`, {})
  await quiet(team)
  for (const [nth, resolution] of (['recovered', 'by_hand'] as const).entries())
    await ends[resolution](team, outages[nth]!)
  await quiet(team)
  for (const [nth, resolution] of (['recovered', 'by_hand'] as const).entries())
    expect(
      check(
        [
          { way: owner.mailed, opened: 1, isTaken: nth === 0 },
          { way: channel, opened: 1, isTaken: nth === 0 },
          { way: late.mailed, opened: 0, isTaken: false },
        ],
        outages[nth]!,
        resolution,
      ),
    ).toEqual([])
})

test('a warning and the flapping of a check that is deleted end, and no message says that all is well', async () => {
  const { platform } = served
  const team = await aTeam()
  const wanted = ['monitor.flapping', 'monitor.flapping_resolved', 'warning.ssl_expiring', 'warning.cleared']
  const ways: Way[] = []
  for (const type of ['slack', 'email', 'pagerduty', 'webhook'] as const)
    ways.push(await aChannel(team, 'rule', type, { events: wanted }))
  const german = await aChannel(team, 'German rule', 'slack', { events: wanted })
  await team.call('PATCH', `/notification-channels/${german.channel}`, { config: { language: 'de' } })
  for (const gone of ['check', 'monitor'] as const) {
    const mark = `Shop${randomUUID().slice(0, 8)}`
    const { monitor, check: checkId } = await served.monitor(team.id, 'http://127.0.0.1:1')
    await platform.query('update monitors set name = $2 where id = $1', [monitor, mark])
    const batch = new WriteBatch()
    batch.of(checkId).warning = {
      ...{ check_id: checkId, event: 'warning.ssl_expiring', depth: 1, since: Date.now(), code: 'ssl_expiring' },
      ...{ reason: 'The certificate expires in 7 days.', regions: [], details: {} },
    }
    await write(batch)
    const now = 'clock_timestamp()'
    await platform.query(
      `insert into flappings (id, tenant_id, monitor_id, check_id, started_at, last_change_at, notified_at, forwarded_at)
       values (gen_random_uuid(), $1, $2, $3, ${now}, ${now}, ${now}, ${now})`,
      [team.id, monitor, checkId],
    )
    const example = events.get('monitor.flapping')!.example
    await happen(served, team.id, 'monitor.flapping', { ...example, monitor_id: monitor, monitor_name: mark })
    await quiet(team)
    await team.call('DELETE', gone === 'check' ? `/checks/${checkId}` : `/monitors/${monitor}`)
    await quiet(team)
    for (const way of ways) {
      const last = arrived(way, [mark, monitor, checkId]).slice(-2)
      const about = `${gone}, ${way.name}`
      if (way.kind === 'pagerduty')
        expect(last.map(({ body }) => body.dedup_key).toSorted(), about).toEqual([
          `vedette-flapping-${monitor}`,
          `vedette-warning-${checkId}`,
        ])
      if (way.kind === 'webhook')
        expect(last.map(({ body }) => [body.event, body.resolution]).toSorted(), about).toEqual([
          ['monitor.flapping_resolved', 'deleted'],
          ['warning.cleared', 'deleted'],
        ])
      if (way.kind === 'slack' || way.kind === 'email')
        for (const { text } of last) {
          expect(text, about).toMatch(/was deleted/)
          expect(text, about).not.toMatch(/steady again|All clear|this is over/)
        }
    }
    for (const { text } of arrived(german, [mark, monitor, checkId]).slice(-2)) {
      expect(text, gone).toMatch(/wurde gelöscht/)
      expect(text, gone).not.toMatch(/wieder beständig|Entwarnung|vorbei/)
    }
  }
})

test('subscribers of a page receive each update of an incident once, and none once they may not read the page', async () => {
  const { platform, listener, log } = served.plane.services
  const team = await aTeam()
  const [page, slug] = [randomUUID(), `p-${randomUUID()}`]
  await platform.query(
    `insert into status_pages (id, tenant_id, slug, name, state) values ($1, $2, $3, 'Acme status', 'published')`,
    [page, team.id, slug],
  )
  const channels = ['email', 'webhook', 'slack'] as const
  const ways = channels.map((kind): Way => ({ name: `subscriber ${kind}`, kind, token: aToken() }))
  const into = { tenantId: team.id, pageId: page, source: 'self', isConfirmed: true } as const
  const wanted = channels.map((channel, nth) => ({
    ...{ channel, componentIds: [], locale: 'en' as const },
    address: channel === 'email' ? addressOf(ways[nth]!) : at(ways[nth]!.token),
  }))
  await insertSubscribers(platform, served.config, into, wanted)
  const sent = async () => {
    await fanOut({ platform, listener, log })
    await eventually(async () => {
      const { rows } = await platform.query(
        'select 1 from subscriber_messages where tenant_id = $1 and done_at is null',
        [team.id],
      )
      return rows.length === 0 ? true : undefined
    })
  }
  const [outage] = (await goDown(team, 1)) as [Outage]
  const title = `${outage.mark} fails`
  const posts = `/status-pages/${page}/posts`
  const post = await team.call('POST', posts, { title, body: 'We examine it.', incident_id: outage.id, components: [] })
  await sent()
  await ends.recovered(team, outage)
  await team.call('POST', `${posts}/${post.id}/updates`, { phase: 'resolved', body: 'It works.' })
  await sent()
  await team.call('PATCH', `/status-pages/${page}`, { access: 'password', password: 'a long new password' })
  await team.call('POST', `${posts}/${post.id}/updates`, { phase: 'resolved', body: 'Between us.' })
  await sent()
  for (const way of ways) {
    const messages = arrived(way, [outage.mark])
    expect(messages, way.name).toHaveLength(2)
    expect(messages[0]?.text, way.name).toContain('We examine it.')
    expect(messages[1]?.text, way.name).toContain('It works.')
  }
})
