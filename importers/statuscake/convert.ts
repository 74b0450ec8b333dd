import { isIP } from 'node:net'
import { z } from 'zod'
import { type Keys, noteKeys } from '#importers/known-keys.ts'
import {
  clamp,
  flag,
  formOf,
  formType,
  headersOf,
  host,
  itemOf,
  job,
  leftOut,
  monitorItem,
  newPingAddress,
  number,
  record,
  StandIns,
  site,
  statusRangesWhere,
  text,
  texts,
  typeBody,
} from '#importers/shapes.ts'
import type { SourceItem, Wanted } from '#importers/source.ts'

/** A check of `GET /v1/uptime/{id}`. */
export const Uptime = z.object({
  name: text(255).prefault(null),
  test_type: text(20).prefault(null),
  website_url: text().prefault(null),
  check_rate: number.prefault(null),
  trigger_rate: number.prefault(null),
  timeout: number.prefault(null),
  paused: flag.prefault(null),
  tags: texts.prefault([]),
  custom_header: text(16_384).prefault(null),
  user_agent: text(500).prefault(null),
  post_body: text(65_536).prefault(null),
  post_raw: text(65_536).prefault(null),
  find_string: text(500).prefault(null),
  do_not_find: flag.prefault(null),
  include_header: flag.prefault(null),
  status_codes: texts.prefault([]),
  follow_redirects: flag.prefault(null),
  final_endpoint: text(500).prefault(null),
  use_jar: flag.prefault(null),
  enable_ssl_alert: flag.prefault(null),
  port: number.prefault(null),
  dns_ips: texts.prefault([]),
  dns_server: text(255).prefault(null),
})
export type Uptime = z.output<typeof Uptime>

/** The shortest interval here, for checks that run without a pause there. */
const constantS = 30
const defaultPorts: Record<string, number> = { SMTP: 25, SSH: 22 }

/** What every kind of its checks has, and who is notified of it. */
const common = ['id', 'contact_groups', 'status', 'uptime', 'processing', 'processing_on', 'processing_state']
const uptimeKeys: Keys = {
  read: Object.keys(Uptime.shape),
  meaningless: [...common, 'confirmation', 'regions', 'servers', 'next_location', 'last_tested_at', 'host'],
}

export function convertUptime(id: string, found: Record<string, unknown>): SourceItem {
  const uptime = Uptime.parse(found)
  const name = uptime.name ?? uptime.website_url ?? `Check ${id}`
  const type = (uptime.test_type ?? 'unknown').toUpperCase()
  const item = { sourceId: id, sourceKind: type.toLowerCase(), name, isEnabled: uptime.paused !== true }
  return itemOf(item, standIns => {
    const wanted = wantedOf(uptime, type, name, standIns)
    noteKeys(found, uptimeKeys, standIns, { isComplete: true })
    return wanted
  })
}

function wantedOf(uptime: Uptime, type: string, name: string, standIns: StandIns): Wanted | string {
  if (uptime.check_rate === 0)
    standIns.add(`It is checked every ${constantS} seconds: there is no check without a pause in between.`)
  const intervalS = uptime.check_rate === 0 ? constantS : uptime.check_rate
  const same = {
    name,
    intervalS,
    timeoutS: uptime.timeout || null,
    confirmations:
      uptime.trigger_rate === null || !intervalS ? null : 1 + Math.floor((uptime.trigger_rate * 60) / intervalS),
    tags: uptime.tags,
  }
  const address = hostOf(uptime.website_url)
  switch (type) {
    case 'HTTP':
    case 'HEAD': {
      const end = uptime.final_endpoint
      const hasEnd = end !== null && URL.canParse(end) && /^https?:$/.test(new URL(end).protocol)
      if (end && !hasEnd) standIns.add('Where its redirects must end is not an address, and is left out.')
      return site(
        {
          ...same,
          url: uptime.website_url ?? '',
          settings: settingsOf(uptime, type, standIns),
          sslDays: uptime.enable_ssl_alert ? 30 : null,
          more: hasEnd ? [{ type: 'redirect_chain', settings: { final_url: end, detect_changes: false } }] : [],
        },
        standIns,
      )
    }
    case 'PING':
      return host({ ...same, address, kind: 'ping', settings: {} }, standIns)
    case 'TCP':
    case 'SMTP':
    case 'SSH': {
      const port = uptime.port || defaultPorts[type] || portOf(uptime.website_url)
      if (!port) return 'Its port is missing.'
      return host({ ...same, address, kind: 'tcp', settings: { port } }, standIns)
    }
    case 'DNS':
      return host({ ...same, address, kind: 'dns', settings: dnsSettings(uptime, standIns) }, standIns)
    default:
      return `There is no check for checks of type ${type}.`
  }
}

const parsed = (address: string | null): URL | null => {
  const plain = (address ?? '').trim()
  const whole = /^[a-z][a-z\d+.-]*:\/\//i.test(plain) ? plain : `host://${plain}`
  return URL.canParse(whole) ? new URL(whole) : null
}
/** The name in what may be an address of a page as well. */
const hostOf = (address: string | null): string =>
  isIP((address ?? '').trim()) ? (address ?? '').trim() : parsed(address)?.hostname || (address ?? '').trim()
const portOf = (address: string | null): number | null => Number(parsed(address)?.port) || null

function settingsOf(uptime: Uptime, type: string, standIns: StandIns): Record<string, unknown> {
  const headers = headersOf(objectIn(uptime.custom_header), standIns)
  if (uptime.user_agent) headers['User-Agent'] = uptime.user_agent
  const form = formOf(objectIn(uptime.post_body))
  const body = uptime.post_raw || form || null
  if (body !== null && !uptime.post_raw) {
    typeBody(headers, formType)
    standIns.add('Its payload is sent as a form.')
  }
  if (uptime.use_jar) standIns.add('Cookies of an answer are not sent with the redirects that follow it.')
  const keyword = uptime.find_string
  if (keyword && uptime.include_header) standIns.add('Its text is searched for in the body only, not in the headers.')
  if (keyword && type === 'HEAD') standIns.add('It is asked with GET: an answer to HEAD has no body to search.')
  return {
    method: body !== null ? 'POST' : type === 'HEAD' && !keyword ? 'HEAD' : 'GET',
    ...(body !== null && { body }),
    ...(Object.keys(headers).length > 0 && { headers }),
    ...statusesOf(uptime.status_codes, standIns),
    ...(uptime.follow_redirects === false && { follow_redirects: false }),
    ...(keyword && { [uptime.do_not_find ? 'keyword_absent' : 'keyword_present']: keyword }),
  }
}

/** The object in a text of JSON; empty where there is none. */
function objectIn(json: string | null): Record<string, unknown> {
  try {
    return record.parse(JSON.parse(json ?? '{}'))
  } catch {
    return {}
  }
}

const mostRanges = 20

/** There the statuses are listed that are an outage, here those that are none: all others. */
function statusesOf(bad: readonly string[], standIns: StandIns): Record<string, unknown> {
  const outages = new Set(bad.map(Number).filter(status => Number.isInteger(status)))
  if (outages.size === 0) return {}
  const ranges = statusRangesWhere(status => !outages.has(status))
  if (ranges.length === 0) return {}
  if (ranges.length > mostRanges)
    standIns.add(`Of the statuses that are no outage only ${ranges.slice(0, mostRanges).join(', ')} are carried over.`)
  return {
    expected_status: ranges.slice(0, mostRanges),
  }
}

function dnsSettings({ dns_ips, dns_server }: Uptime, standIns: StandIns): Record<string, unknown> {
  const expected = {
    A: dns_ips.filter(address => isIP(address) === 4),
    AAAA: dns_ips.filter(address => isIP(address) === 6),
  }
  const types = (['A', 'AAAA'] as const).filter(type => expected[type].length > 0)
  const server = (dns_server ?? '').trim()
  if (server && !isIP(server)) standIns.add('The name servers of our regions are asked in place of its own.')
  return {
    record_types: types.length > 0 ? types : ['A'],
    ...(isIP(server) && { resolvers: [server] }),
    ...(types.length > 0 && { expected: Object.fromEntries(types.map(type => [type, expected[type]])) }),
  }
}

/** A check of `GET /v1/heartbeat`. */
export const Heartbeat = z.object({
  name: text(255).prefault(null),
  period: number.prefault(null),
  tags: texts.prefault([]),
  paused: flag.prefault(null),
})
export type Heartbeat = z.output<typeof Heartbeat>

const heartbeatKeys: Keys = {
  read: Object.keys(Heartbeat.shape),
  meaningless: [...common, 'url', 'website_url', 'host', 'last_tested_at', 'created_at'],
}

export function convertHeartbeat(id: string, found: Record<string, unknown>): SourceItem {
  const heartbeat = Heartbeat.parse(found)
  const name = heartbeat.name ?? `Heartbeat ${id}`
  const standIns = new StandIns()
  standIns.add(newPingAddress)
  standIns.add('It has no grace time there; here it has one minute.')
  noteKeys(found, heartbeatKeys, standIns, { isComplete: true })
  return monitorItem(
    { sourceId: id, sourceKind: 'heartbeat', name, isEnabled: heartbeat.paused !== true },
    job({ name, periodS: heartbeat.period, graceS: 60, tags: heartbeat.tags }, standIns),
    standIns,
  )
}

/** A check of `GET /v1/ssl`. */
export const Ssl = z.object({
  website_url: text().prefault(null),
  hostname: text(255).prefault(null),
  check_rate: number.prefault(null),
  alert_at: texts.prefault([]),
  alert_mixed: flag.prefault(null),
  alert_expiry: flag.prefault(null),
  paused: flag.prefault(null),
})
export type Ssl = z.output<typeof Ssl>

const sslKeys: Keys = {
  read: Object.keys(Ssl.shape),
  meaningless: [
    ...common,
    ...['certificate_score', 'certificate_status', 'cipher', 'cipher_score', 'flags', 'issuer_common_name'],
    ...['last_reminder', 'mixed_content', 'updated_at', 'valid_from', 'valid_until', 'follow_redirects'],
    'user_agent',
  ],
  left: {
    alert_broken: 'A chain that is broken is an outage here, not a warning (alert_broken).',
    alert_reminder: 'Reminders (alert_reminder) come at the days before its end.',
  },
}

export function convertSsl(id: string, found: Record<string, unknown>): SourceItem {
  const ssl = Ssl.parse(found)
  const address = hostOf(ssl.website_url)
  const name = `Certificate of ${address || id}`
  const standIns = new StandIns()
  const days = [...new Set(ssl.alert_at.map(Number))].filter(day => Number.isInteger(day) && day >= 1 && day <= 365)
  noteKeys(found, sslKeys, standIns, { isComplete: true })
  if (ssl.alert_mixed) standIns.add('Mixed content is not checked: add a check for it to the website.')
  if (ssl.alert_expiry === false) standIns.add('It also warns before the certificate ends.')
  if (ssl.hostname && ssl.hostname !== address)
    standIns.add('The certificate is asked for by the name in its address, not by the host name that it is given.')
  return monitorItem(
    { sourceId: id, sourceKind: 'ssl', name, isEnabled: ssl.paused !== true },
    host(
      {
        name,
        intervalS: ssl.check_rate,
        address,
        kind: 'ssl',
        settings: {
          ...(days.length > 0 && { warn_days: days.toSorted((a, b) => b - a).slice(0, 10) }),
          ...(portOf(ssl.website_url) && { port: portOf(ssl.website_url) }),
        },
      },
      standIns,
    ),
    standIns,
  )
}

/** A check of `GET /v1/pagespeed`. */
export const Pagespeed = z.object({
  name: text(255).prefault(null),
  website_url: text().prefault(null),
  check_rate: number.prefault(null),
  alert_slower: number.prefault(null),
  alert_bigger: number.prefault(null),
  alert_smaller: number.prefault(null),
  paused: flag.prefault(null),
})
export type Pagespeed = z.output<typeof Pagespeed>

const pagespeedKeys: Keys = {
  read: Object.keys(Pagespeed.shape),
  meaningless: [...common, 'latest_stats', 'location', 'region'],
}

export function convertPagespeed(id: string, found: Record<string, unknown>): SourceItem {
  const pagespeed = Pagespeed.parse(found)
  const name = pagespeed.name ?? pagespeed.website_url ?? `Page ${id}`
  const slower = pagespeed.alert_slower
  const standIns = new StandIns()
  noteKeys(found, pagespeedKeys, standIns, { isComplete: true })
  standIns.add('A Lighthouse audit stands in, once an hour at the most, beside a check of its uptime.')
  if (slower) standIns.add('Its limit of the load time holds for the largest contentful paint.')
  if (pagespeed.alert_bigger || pagespeed.alert_smaller) standIns.add('The size of the page is not compared.')
  return monitorItem(
    { sourceId: id, sourceKind: 'pagespeed', name, isEnabled: pagespeed.paused !== true },
    site(
      {
        name,
        intervalS: pagespeed.check_rate,
        url: pagespeed.website_url ?? '',
        settings: {},
        more: [
          {
            type: 'lighthouse',
            interval: clamp(Math.round(pagespeed.check_rate ?? 86_400), 3_600, 86_400),
            settings: {
              categories: ['performance'],
              ...(slower && {
                max_metrics: { largest_contentful_paint_ms: clamp(Math.round(slower), 1, 120_000) },
              }),
            },
          },
        ],
      },
      standIns,
    ),
    standIns,
  )
}

const count = (found: unknown) => (Array.isArray(found) ? found.length : 0)

/** A contact group, which is only named. */
export function convertContactGroup(id: string, group: Record<string, unknown>): SourceItem {
  const parts = [
    `${count(group.email_addresses)} e-mail addresses`,
    `${count(group.mobile_numbers)} telephone numbers`,
    `${count(group.integrations)} integrations`,
    `${group.ping_url ? 'a' : 'no'} webhook`,
  ]
  return leftOut(
    {
      kind: 'channel',
      sourceId: `contact-group-${id}`,
      sourceKind: 'contact group',
      name: text(255).parse(group.name) ?? '',
    },
    `Contact groups are not carried over. It holds ${parts.join(', ')}: create channels for them.`,
  )
}

/** A maintenance window, which is only named. */
export function convertWindow(id: string, window: Record<string, unknown>): SourceItem {
  const shown = (value: unknown) => text(60).parse(value) ?? 'unknown'
  return leftOut(
    {
      kind: 'maintenance',
      sourceId: `maintenance-${id}`,
      sourceKind: 'maintenance window',
      name: text(255).parse(window.name) ?? '',
    },
    `Maintenance windows are not carried over. This one begins at ${shown(window.start_at)}, ends at ` +
      `${shown(window.end_at)} (${shown(window.timezone)}) and repeats ${shown(window.repeat_interval)}: create one.`,
  )
}
