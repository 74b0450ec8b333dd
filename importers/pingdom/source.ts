import { z } from 'zod'
import { historyStart } from '#importers/history.ts'
import { type Keys, noteKeys } from '#importers/known-keys.ts'
import { withPastOfEach } from '#importers/past.ts'
import { bearerClientOf, statusNamed } from '#importers/reads.ts'
import {
  clamp,
  flag,
  formType,
  headersOf,
  host,
  itemOf,
  number,
  record,
  records,
  type StandIns,
  site,
  text,
  typeBody,
} from '#importers/shapes.ts'
import { type Source, SourceError, type SourceInput, type SourceItem, type Wanted } from '#importers/source.ts'

const statusOf = statusNamed({ up: 'up', down: 'down', unconfirmed_down: 'up', paused: 'paused' })

export const pingdom: Source = {
  name: 'pingdom',
  title: 'Pingdom',
  reads: 'api',
  baseUrl: 'https://api.pingdom.com/api/3.1',
  credential: 'an API token; one with read access is enough, unless its checks are to be paused',
  carries: [
    'uptime checks of type http, httpcustom, ping, tcp, smtp, pop3, imap and dns with interval, path, port, ' +
      'encryption, headers, body, sign-in, texts, tags',
    'paused checks as disabled ones, response time thresholds as limits of a warning',
    'outages of the last 90 days, at most 100 of a check, of as many checks as its bound of requests allows',
  ],
  leavesBehind: [
    'udp checks, transaction and page speed checks',
    'integrations, contacts, severities, maintenance windows',
  ],

  async read(input) {
    const checks = await readChecks(input)
    const client = bearerClientOf(input)
    const items: SourceItem[] = []
    for (const { id } of checks) {
      // the list says neither the path nor what is sent and expected
      const answer = id === null ? {} : record.parse(await client.get(`/checks/${encodeURIComponent(id)}`))
      items.push(convert(record.parse(answer.check), id))
      await input.progress(items.length, checks.length)
    }
    return withPastOfEach(input, items, (id, now) => readOutages(input, id, now))
  },

  async poll(input) {
    const checks = await readChecks(input)
    return new Map(
      checks.map(({ id, status, lastresponsetime }) => [
        id ?? '',
        { status: statusOf(status), response_ms: lastresponsetime },
      ]),
    )
  },

  async pause(input, sourceIds) {
    const client = bearerClientOf(input)
    for (const id of sourceIds) await client.command('PUT', `/checks/${encodeURIComponent(id)}`, { paused: true })
  },
}

const Listed = z.object({
  id: text(60).prefault(null),
  status: text(30).prefault(null),
  lastresponsetime: number.prefault(null),
})

/** The most that a request gives. */
const most = 25_000
/** Each check is asked for by itself, and so many requests of one source there are. */
const mostChecks = 450

async function readChecks(input: SourceInput) {
  const answer = record.parse(await bearerClientOf(input).get(`/checks?limit=${most}`))
  const checks = records.parse(answer.checks).map(found => Listed.parse(found))
  if (checks.length > mostChecks)
    throw new SourceError(`Pingdom has ${checks.length} checks: more than the ${mostChecks} that are read of it.`)
  return checks
}

const State = z.object({
  status: text(20).prefault(null),
  timefrom: number.prefault(null),
  timeto: number.prefault(null),
})
/** An outage that ends so shortly before it was read lasts: its end is the end of what was asked for. */
const lastingMs = 120_000

/** The outages of a check since ninety days. */
async function readOutages(input: SourceInput, id: string, now: number) {
  const [from, to] = [historyStart(now), now].map(at => Math.floor(at / 1_000))
  const answer = record.parse(
    await bearerClientOf(input).get(`/summary.outage/${encodeURIComponent(id)}?from=${from}&to=${to}`),
  )
  const states = records
    .parse(record.parse(answer.summary).states)
    .map(found => State.parse(found))
    .map(({ status, timefrom, timeto }) => ({
      status,
      start: (timefrom ?? Number.NaN) * 1_000,
      end: (timeto ?? Number.NaN) * 1_000,
    }))
  const known = states.filter(({ status, start }) => status !== 'unknown' && Number.isFinite(start))
  return {
    outages: known
      .filter(({ status }) => status === 'down')
      .map(({ start, end }) => ({ id: null, start, end: end >= now - lastingMs ? null : end })),
    since: known.length > 0 ? Math.min(...known.map(({ start }) => start)) : null,
  }
}

const Check = z.object({
  name: text(255).prefault(null),
  hostname: text(255).prefault(null),
  status: text(30).prefault(null),
  resolution: number.prefault(null),
  sendnotificationwhendown: number.prefault(null),
  ipv6: flag.prefault(null),
  responsetime_threshold: number.prefault(null),
  verify_certificate: flag.prefault(null),
  ssl_down_days_before: number.prefault(null),
  tags: records.prefault([]),
  /** One field, the type of the check, which holds what that type needs. */
  type: record.prefault({}),
})
type Check = z.output<typeof Check>

const checkKeys: Keys = {
  read: ['id', ...Object.keys(Check.shape)],
  meaningless: [
    ...['created', 'lasterrortime', 'lasttesttime', 'lastresponsetime', 'last_downtime_start', 'last_downtime_end'],
    // who is notified, and how often: rules and policies say that here
    ...['notifyagainevery', 'notifywhenbackup', 'integrationids', 'userids', 'teams', 'severity_level', 'paused'],
  ],
  left: {
    probe_filters: 'It is checked from all of our regions in place of its own (probe_filters).',
    custom_message: 'Its custom_message is not carried over: write it into the notes.',
  },
}
const page = ['url', 'encryption', 'port', 'username', 'password', 'shouldcontain', 'shouldnotcontain', 'postdata']
/** What the type of a check holds. */
const typeKeys: Record<string, Keys> = {
  http: {
    read: [...page, 'requestheaders', 'verify_certificate', 'ssl_down_days_before'],
    left: { additionalurls: 'Its additionalurls are not carried over.', auth: 'Its auth is not carried over: set it.' },
  },
  tcp: { read: ['port', 'stringtosend', 'stringtoexpect', 'encryption'] },
  dns: { read: ['expectedip', 'nameserver'] },
}
const kindOf: Record<string, string> = { http: 'http', httpcustom: 'http', dns: 'dns' }

function convert(found: Record<string, unknown>, id: string | null): SourceItem {
  const check = Check.parse(found)
  const [type = 'unknown'] = Object.keys(check.type)
  const name = check.name ?? check.hostname ?? `Check ${id}`
  const item = { sourceId: id ?? '', sourceKind: type, name, isEnabled: check.status !== 'paused' }
  return itemOf(item, standIns => {
    const wanted = wantedOf(check, type, name, standIns)
    noteKeys(found, checkKeys, standIns, { isComplete: true })
    const keys = typeKeys[(Object.hasOwn(kindOf, type) && kindOf[type]) || 'tcp']!
    noteKeys(record.parse(check.type[type]), keys, standIns, { within: `${type}.`, isComplete: true })
    return wanted
  })
}

const defaultPorts: Record<string, number> = { smtp: 25, pop3: 110, imap: 143 }

function wantedOf(check: Check, type: string, name: string, standIns: StandIns): Wanted | string {
  const fields = record.parse(check.type[type])
  const same = {
    name,
    intervalS: check.resolution === null ? null : check.resolution * 60,
    timeoutS: 30,
    // so many failures in a row are notified there
    confirmations: check.sendnotificationwhendown || null,
    tags: check.tags.map(tag => text(50).parse(tag.name)),
  }
  const address = check.hostname ?? ''
  const certificateDays = check.ssl_down_days_before ?? number.parse(fields.ssl_down_days_before)
  if (certificateDays)
    standIns.add(`A certificate that ends within ${certificateDays} days is a warning here, not an outage.`)
  switch (type) {
    case 'http':
    case 'httpcustom':
      return site(
        {
          ...same,
          url: urlOf(address, fields),
          settings: settingsOf(check, fields, standIns),
          sslDays: certificateDays ? [certificateDays] : null,
        },
        standIns,
      )
    case 'ping':
      return host({ ...same, address, kind: 'ping', settings: familyOf(check) }, standIns)
    case 'tcp':
    case 'smtp':
    case 'pop3':
    case 'imap': {
      const port = number.parse(fields.port) ?? defaultPorts[type] ?? null
      if (port === null) return 'Its port is missing.'
      if (fields.stringtosend || fields.stringtoexpect)
        standIns.add('What is sent and expected is not carried over: the port must accept connections.')
      return host({ ...same, address, kind: 'tcp', settings: { port, ...familyOf(check) } }, standIns)
    }
    case 'dns': {
      const expected = text(500).parse(fields.expectedip)
      const server = text(255).parse(fields.nameserver) ?? ''
      const resolvers = /^[\d.]+$|^[\da-f:]+$/i.test(server) ? [server] : []
      if (server && resolvers.length === 0)
        standIns.add('The name servers of our regions are asked in place of its own.')
      const isSix = expected?.includes(':') === true
      const record_types = [isSix ? 'AAAA' : 'A']
      return host(
        {
          ...same,
          address,
          kind: 'dns',
          settings: {
            record_types,
            ...(resolvers.length > 0 && { resolvers }),
            ...(expected && { expected: { [record_types[0]!]: [expected] } }),
          },
        },
        standIns,
      )
    }
    default:
      return `There is no check for checks of type ${type}.`
  }
}

const familyOf = ({ ipv6 }: Check): { ip_version?: '6' } => (ipv6 === true ? { ip_version: '6' } : {})

function urlOf(address: string, fields: Record<string, unknown>): string {
  const isSecure = flag.parse(fields.encryption) === true
  const port = number.parse(fields.port)
  const isUsual = port === null || port === (isSecure ? 443 : 80)
  const path = text().parse(fields.url) ?? '/'
  const place = isUsual ? address : `${address}:${port}`
  return `${isSecure ? 'https' : 'http'}://${place}${path.startsWith('/') ? '' : '/'}${path}`
}

function settingsOf(check: Check, fields: Record<string, unknown>, standIns: StandIns): Record<string, unknown> {
  const headers = headersOf(record.parse(fields.requestheaders), standIns)
  const [user, password] = [text(255).parse(fields.username), text(1_024).parse(fields.password)]
  const body = text(65_536).parse(fields.postdata)
  const [present, absent] = [text(500).parse(fields.shouldcontain), text(500).parse(fields.shouldnotcontain)]
  if (user && !password) standIns.add('Its password is not shown by Pingdom: set it.')
  if (body) typeBody(headers, formType)
  const verifies = check.verify_certificate ?? flag.parse(fields.verify_certificate)
  return {
    ...(body && { method: 'POST', body }),
    ...(Object.keys(headers).length > 0 && { headers }),
    ...(user && password && { auth: { type: 'basic', username: user, password } }),
    ...(present && { keyword_present: present }),
    ...(absent && { keyword_absent: absent }),
    ...(verifies === false && { verify_tls: false }),
    ...familyOf(check),
    ...(check.responsetime_threshold && {
      degraded_after_ms: clamp(Math.round(check.responsetime_threshold), 1, 60_000),
    }),
  }
}
