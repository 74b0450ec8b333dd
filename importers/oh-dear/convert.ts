import { z } from 'zod'
import { type Keys, noteKeys } from '#importers/known-keys.ts'
import {
  clamp,
  flag,
  formType,
  headersOf,
  host,
  hostAndPort,
  itemOf,
  job,
  type MoreCheck,
  methodOf,
  newPingAddress,
  number,
  record,
  records,
  type StandIns,
  site,
  statusesOf,
  text,
  texts,
  typeBody,
} from '#importers/shapes.ts'
import type { SourceItem, Wanted } from '#importers/source.ts'

const Check = z.object({
  id: text(60).prefault(null),
  type: text(40).prefault(null),
  enabled: flag.prefault(null),
  latest_run_result: text(40).prefault(null),
  average_response_time_in_ms: number.prefault(null),
  settings: record.prefault({}),
})
export type Check = z.output<typeof Check>

const Tag = z.preprocess(tag => (typeof tag === 'string' ? tag : record.parse(tag).name), text(50))
const Parsed = z.object({
  id: text(60).prefault(null),
  type: text(20).prefault(null),
  url: text().prefault(null),
  label: text(255).prefault(null),
  group_name: text(100).prefault(null),
  tags: z.array(Tag).catch([]).prefault([]),
  description: text(2_000).prefault(null),
  notes: text(2_000).prefault(null),
  created_at: text(40).prefault(null),
  checks: records.prefault([]).transform(found => found.map(check => Check.parse(check))),
})

/** A monitor of `GET /api/monitors`, or a site of the older `GET /api/sites`. */
export interface Monitor extends z.output<typeof Parsed> {
  /** A setting of one of its checks, wherever this version of the API keeps it. */
  setting(group: string, name: string): unknown
  found: Record<string, unknown>
}

/** Settings by their group, of a monitor or of one of its checks. */
const settingKeys: Record<string, Keys> = {
  uptime_check: {
    read: [
      ...['look_for_string', 'absent_string', 'expected_response_headers', 'failed_notification_threshold'],
      ...['http_verb', 'payload', 'timeout', 'valid_status_codes', 'max_redirect_count', 'http_client_headers'],
      ...['expected_final_redirect_url', 'acceptable_packet_loss_percentage', 'count', 'tcp_send_string'],
      ...['acceptable_average_response_time_in_ms', 'timeout_in_ms', 'look_for_string_in_welcome_message'],
      'look_for_string_in_send_string_response',
    ],
    // its regions are ours
    meaningless: ['location'],
  },
  certificate_health_check: { read: ['expires_soon_threshold_in_days'] },
  broken_links_check: {
    read: ['include_external_links', 'check_include_external_links', 'whitelisted_urls', 'do_not_crawl_urls'],
    meaningless: ['types'],
    left: {
      force_crawl_urls: 'Addresses that its crawl always visits (force_crawl_urls) are not carried over.',
      new_links_only: 'All broken links are reported, not only new ones (new_links_only).',
    },
  },
  dns_check: {
    read: ['extra_cnames', 'monitor_main_domain', 'ignored_record_types'],
    meaningless: ['check_nameservers_in_sync'],
  },
  lighthouse_check: {
    read: ['notification_settings'],
    meaningless: ['continent', 'preferred_server_name'],
    left: {
      cpu_slowdown_modifier: 'Its cpu_slowdown_modifier of Lighthouse is not carried over.',
      http_client_headers: 'Its Lighthouse audits send no own headers (http_client_headers).',
    },
  },
  application_health_check: { read: ['result_url', 'secret', 'headers'] },
  application_health: { read: ['result_url', 'secret', 'headers'] },
  domain_check: { read: ['expires_soon_threshold_in_days'], meaningless: ['not_supported_reason'] },
  performance_check: {
    read: ['threshold_in_ms'],
    // every monitor has one, and it is named in what is left behind
    meaningless: ['change_percentage'],
  },
  sitemap_check: { read: ['path'], meaningless: ['speed'] },
  sitemap: { read: ['path'], meaningless: ['speed'] },
  crawler: { read: ['headers'], meaningless: ['speed'] },
  http_client: { read: ['headers'] },
}
/** Of checks that are not carried over at all, which is noted by their names. */
const noChecks = ['ports_check', 'dns_blocklist_check', 'ai_check', 'mixed_content_check', 'cron_check']

const monitorKeys: Keys = {
  read: ['id', 'type', 'url', 'label', 'group_name', 'tags', 'description', 'notes', 'created_at', 'checks'],
  meaningless: [
    ...['team_id', 'uses_https', 'sort_url', 'latest_run_date', 'summarized_check_result', 'badge_id', 'updated_at'],
    ...['marked_for_deletion_at', 'send_report_to_emails', 'include_check_types_in_report', 'respect_robots'],
    ...['broken_link_types', 'friendly_name'],
  ],
}

/** Names each setting that is not known, of a monitor and of the checks that are on. */
function noteSettings({ found, checks }: Monitor, standIns: StandIns): void {
  const note = (settings: Record<string, unknown>) => {
    const others: Record<string, unknown> = {}
    for (const [key, value] of Object.entries(settings)) {
      const group = key.replace(/_settings$/, '')
      if (noChecks.some(name => group === name || group.startsWith(`${name}_`))) continue
      const keys = Object.hasOwn(settingKeys, group) ? settingKeys[group] : undefined
      const options = { within: `${group}.`, isComplete: true }
      if (keys && key !== group) noteKeys(record.parse(value), keys, standIns, options)
      else if (!isFlatSetting(key, value, standIns)) others[key] = value
    }
    noteKeys(others, monitorKeys, standIns, { isComplete: true })
  }
  note(found)
  for (const { enabled, settings } of checks) if (enabled !== false) note(settings)
}

/** A setting as older versions have it, such as `uptime_check_payload`. */
function isFlatSetting(key: string, value: unknown, standIns: StandIns): boolean {
  const group = Object.keys(settingKeys).find(name => key.startsWith(`${name}_`))
  if (group === undefined) return false
  const options = { within: `${group}_`, isComplete: true }
  noteKeys({ [key.slice(group.length + 1)]: value }, settingKeys[group]!, standIns, options)
  return true
}

export function monitorOf(found: Record<string, unknown>): Monitor {
  const parsed = Parsed.parse(found)
  const ofChecks = parsed.checks.map(({ settings }) => settings)
  const places = (group: string, name: string): unknown[] => [
    record.parse(found[`${group}_settings`])[name],
    found[`${group}_${name}`],
    ...ofChecks.flatMap(settings => [record.parse(settings[`${group}_settings`])[name], settings[`${group}_${name}`]]),
  ]
  return { ...parsed, found, setting: (group, name) => places(group, name).find(value => value != null) }
}

export const checkOf = ({ checks }: Monitor, type: string): Check | undefined =>
  checks.find(check => check.type === type && check.enabled !== false)

/** What a check of theirs becomes; uptime, its performance and its jobs are carried over otherwise. */
const counterparts = [
  'certificate_health',
  'broken_links',
  'mixed_content',
  'lighthouse',
  'application_health',
  'sitemap',
  'dns',
  'domain',
  'dns_blocklist',
] as const
/** The checks that are paused with a monitor: those that are carried over, without its jobs. */
export const carriedChecks: readonly string[] = ['uptime', 'performance', ...counterparts]

/** Once a minute, which the API does not say. */
const intervalS = 60

export function convertMonitor(monitor: Monitor): SourceItem {
  const { id, url } = monitor
  const name = monitor.label || url || `Monitor ${id}`
  const type = monitor.type ?? 'http'
  const item = {
    sourceId: id ?? '',
    sourceKind: type,
    name,
    isEnabled: monitor.checks.some(({ type, enabled }) => type !== 'cron' && enabled !== false),
  }
  return itemOf(item, standIns => {
    const wanted = wantedOf(monitor, type, name, standIns)
    noteSettings(monitor, standIns)
    return wanted
  })
}

const notesOf = ({ description, notes }: Monitor) => [description, notes].filter(Boolean).join('\n\n') || null

function wantedOf(monitor: Monitor, type: string, name: string, standIns: StandIns): Wanted | string {
  const setting = (field: string) => monitor.setting('uptime_check', field)
  const same = {
    name,
    intervalS,
    confirmations: number.parse(setting('failed_notification_threshold')) || null,
    tags: monitor.tags,
    group: monitor.group_name || null,
    notes: notesOf(monitor),
  }
  for (const { type, enabled } of monitor.checks)
    if (enabled !== false && type !== 'cron' && !carriedChecks.includes(type ?? ''))
      standIns.add(`There is no check here for its check ${type}.`)
  switch (type) {
    case 'http': {
      const more = counterparts.flatMap(type => (checkOf(monitor, type) ? counterpartOf(monitor, type, standIns) : []))
      const end = text(500).parse(setting('expected_final_redirect_url'))
      if (end && URL.canParse(end)) more.push({ type: 'redirect_chain', settings: { final_url: end } })
      const wanted = site(
        {
          ...same,
          url: monitor.url ?? '',
          timeoutS: number.parse(setting('timeout')) || null,
          settings: uptimeSettings(monitor, standIns),
          more,
        },
        standIns,
      )
      return checkOf(monitor, 'uptime') ? wanted : withoutUptime(wanted, standIns)
    }
    case 'ping': {
      const loss = number.parse(setting('acceptable_packet_loss_percentage'))
      const slow = number.parse(setting('acceptable_average_response_time_in_ms'))
      const count = number.parse(setting('count'))
      const worst = loss === null ? null : clamp(Math.round(loss) + 1, 1, 100)
      if (slow) standIns.add('A slow answer is a warning here, not an outage.')
      return host(
        {
          ...same,
          address: monitor.url ?? '',
          kind: 'ping',
          settings: {
            ...(count && { packets: clamp(Math.round(count), 1, 10) }),
            ...(worst !== null && { warn_loss_percent: worst, down_loss_percent: worst }),
            ...(slow && { degraded_after_ms: clamp(Math.round(slow), 1, 60_000) }),
          },
          more: ofHost(monitor, standIns),
        },
        standIns,
      )
    }
    case 'tcp': {
      const { address, port } = hostAndPort(monitor.url)
      if (!port) return 'Its port is missing.'
      const send = text(1_024).parse(setting('tcp_send_string'))
      const welcome = text(255).parse(setting('look_for_string_in_welcome_message'))
      const answer = text(255).parse(setting('look_for_string_in_send_string_response'))
      if (welcome && answer) standIns.add('Of its two texts only that of the answer to what is sent is searched for.')
      const timeoutMs = number.parse(setting('timeout_in_ms'))
      const expect = answer || welcome
      return host(
        {
          ...same,
          timeoutS: timeoutMs ? timeoutMs / 1_000 : null,
          address,
          kind: 'tcp',
          settings: { port: Number(port), ...(send && { send }), ...(expect && { expect }) },
          more: ofHost(monitor, standIns),
        },
        standIns,
      )
    }
    default:
      return `There is no check for monitors of type ${type}.`
  }
}

const ofHost = (monitor: Monitor, standIns: StandIns): MoreCheck[] =>
  (['dns', 'domain', 'dns_blocklist'] as const).flatMap(type =>
    checkOf(monitor, type) ? counterpartOf(monitor, type, standIns) : [],
  )

/** A website whose uptime is not checked there has that check here as well, disabled. */
function withoutUptime(wanted: Wanted, standIns: StandIns): Wanted {
  if (wanted.of !== 'monitor') return wanted
  standIns.add('Its uptime is not checked there: that check is disabled here.')
  const checks = (wanted.body.checks ?? []).map(check =>
    check.type === 'uptime' ? { ...check, is_enabled: false } : check,
  )
  return { ...wanted, body: { ...wanted.body, checks } }
}

/** The names and values of a list of `{ name, value }`. */
const pairsOf = (found: unknown): [string, string][] =>
  records.parse(found).flatMap(({ name, value }): [string, string][] => {
    const [key, content] = [text(100).parse(name), text(4_096).parse(value)]
    return key && content !== null ? [[key, content]] : []
  })

function uptimeSettings(monitor: Monitor, standIns: StandIns): Record<string, unknown> {
  const setting = (field: string) => monitor.setting('uptime_check', field)
  const headers = headersOf(
    Object.fromEntries(pairsOf(setting('http_client_headers') ?? monitor.setting('http_client', 'headers'))),
    standIns,
  )
  const method = methodOf(text(20).parse(setting('http_verb')) || null, standIns)
  const payload = pairsOf(setting('payload'))
  const hasBody = payload.length > 0 && method !== 'GET' && method !== 'HEAD'
  if (hasBody) {
    typeBody(headers, formType)
    standIns.add('Its payload is sent as a form.')
  }
  const statuses = rangesOf(texts.parse(setting('valid_status_codes')), standIns)
  const [present, absent] = [text(500).parse(setting('look_for_string')), text(500).parse(setting('absent_string'))]
  const redirects = number.parse(setting('max_redirect_count'))
  const slow = checkOf(monitor, 'performance')
    ? number.parse(monitor.setting('performance_check', 'threshold_in_ms'))
    : null
  const assertions = assertionsOf(records.parse(setting('expected_response_headers')), standIns)
  return {
    method,
    ...(hasBody && { body: new URLSearchParams(payload).toString() }),
    ...(Object.keys(headers).length > 0 && { headers }),
    ...(statuses.length > 0 && { expected_status: statuses }),
    ...(present && { keyword_present: present }),
    ...(absent && { keyword_absent: absent }),
    ...(redirects && { max_redirects: clamp(Math.round(redirects), 0, 20) }),
    ...(slow && { degraded_after_ms: clamp(Math.round(slow), 1, 60_000) }),
    ...(assertions.length > 0 && { assertions }),
  }
}

/** `2*` is how Oh Dear writes `200-299`. */
function rangesOf(found: readonly string[], standIns: StandIns): string[] {
  const written = found.flatMap(codes => codes.split(',')).map(code => code.trim())
  const ranges = written.map(code => {
    const [, digits] = /^([1-5]\d?)\*+$/.exec(code) ?? []
    return digits ? `${digits.padEnd(3, '0')}-${digits.padEnd(3, '9')}` : code
  })
  const read = statusesOf(ranges)
  if (read.length < written.filter(Boolean).length)
    standIns.add('Of its valid statuses those are left out that are neither a number nor a range.')
  return read
}

const conditions: Record<string, string> = { equals: 'equals', contains: 'contains', 'not-contains': 'not_contains' }

function assertionsOf(found: readonly Record<string, unknown>[], standIns: StandIns) {
  return found.slice(0, 20).flatMap(({ name, condition, value }) => {
    const property = text(100).parse(name) ?? ''
    const comparison = conditions[text(30).parse(condition) ?? '']
    if (comparison && /^[!#$%&'*+.^_`|~0-9a-z-]+$/i.test(property))
      return [{ source: 'header', property, comparison, target: text(500).parse(value) ?? '' }]
    standIns.add(`What its header ${property || 'without a name'} must be is left out: patterns are not compared.`)
    return []
  })
}

/** The days of our ladder from the one on that is wanted. */
const ladder = (days: number | null, steps: readonly number[]) =>
  days === null || days < 1
    ? {}
    : { warn_days: [clamp(Math.round(days), 1, 365), ...steps.filter(day => day < Math.round(days))] }

const allRecordTypes = ['A', 'AAAA', 'MX', 'CNAME', 'NS', 'TXT', 'SOA', 'SRV', 'CAA'] as const

function counterpartOf(monitor: Monitor, type: (typeof counterparts)[number], standIns: StandIns): MoreCheck[] {
  switch (type) {
    case 'certificate_health': {
      if (!/^https:/i.test(monitor.url ?? '')) return []
      const days = monitor.setting('certificate_health_check', 'expires_soon_threshold_in_days')
      return [{ type: 'ssl', settings: ladder(number.parse(days), [30, 14, 7, 3, 1]) }]
    }
    case 'domain': {
      const days = monitor.setting('domain_check', 'expires_soon_threshold_in_days')
      return [{ type: 'domain_expiry', settings: ladder(number.parse(days), [60, 30, 14, 7, 1]) }]
    }
    case 'dns': {
      const ignored = texts.parse(monitor.setting('dns_check', 'ignored_record_types'))
      const types = allRecordTypes.filter(type => !ignored.includes(type))
      if (flag.parse(monitor.setting('dns_check', 'monitor_main_domain')))
        standIns.add('The records of the name in its address are checked, not those of its main domain.')
      if (texts.parse(monitor.setting('dns_check', 'extra_cnames')).length > 0)
        standIns.add('Its further names are not checked: add a monitor for each.')
      return types.length === 0 ? [] : [{ type: 'dns', settings: { record_types: [...types] } }]
    }
    case 'dns_blocklist':
      return [{ type: 'dnsbl', settings: {} }]
    case 'mixed_content':
      return [{ type: 'mixed_content', settings: {} }]
    case 'lighthouse':
      if (monitor.setting('lighthouse_check', 'notification_settings') != null)
        standIns.add('Its limits of Lighthouse scores are not carried over: set them.')
      return [{ type: 'lighthouse', settings: {} }]
    case 'sitemap': {
      const path = (text(500).parse(monitor.setting('sitemap_check', 'path')) ?? '').replace(/^\/*/, '/')
      return [{ type: 'sitemap', settings: /^\/[\x21-\x7e]+$/.test(path) ? { path } : {} }]
    }
    case 'broken_links': {
      const external = flag.parse(
        monitor.setting('broken_links_check', 'check_include_external_links') ??
          monitor.setting('broken_links_check', 'include_external_links'),
      )
      const skipped = ['whitelisted_urls', 'do_not_crawl_urls'].flatMap(name =>
        texts.parse(monitor.setting('broken_links_check', name)),
      )
      const ignore = skipped.filter(address => /^\P{Cc}{1,200}$/u.test(address)).slice(0, 50)
      if (ignore.length < skipped.length) standIns.add('Not all addresses that its crawl skips are carried over.')
      if (pairsOf(monitor.setting('crawler', 'headers')).length > 0) standIns.add('Its crawl sends no own headers.')
      return [
        { type: 'broken_links', settings: { check_external: external === true, ...(ignore.length > 0 && { ignore }) } },
      ]
    }
    case 'application_health':
      return applicationHealth(monitor, standIns)
  }
}

function applicationHealth(monitor: Monitor, standIns: StandIns): MoreCheck[] {
  const address = text().parse(
    monitor.setting('application_health_check', 'result_url') ?? monitor.setting('application_health', 'result_url'),
  )
  const headers = headersOf(
    Object.fromEntries(
      pairsOf(
        monitor.setting('application_health_check', 'headers') ?? monitor.setting('application_health', 'headers'),
      ),
    ),
    standIns,
  )
  const secret = text(1_000).parse(monitor.setting('application_health_check', 'secret'))
  if (!address || !URL.canParse(address) || !URL.canParse(monitor.url ?? '')) {
    standIns.add('Its application health has no address, and is left out.')
    return []
  }
  const url = new URL(address)
  if (url.origin !== new URL(monitor.url ?? '').origin) {
    standIns.add('Its application health is reported by another host: add a monitor for that.')
    return []
  }
  return [
    {
      type: 'application_health',
      settings: {
        path: url.pathname + url.search,
        headers: { ...headers, ...(secret && { 'oh-dear-health-check-secret': secret }) },
      },
    },
  ]
}

/** A record of `GET /api/monitors/{id}/cron-checks`. */
const Cron = z.object({
  id: text(60).prefault(null),
  name: text(255).prefault(null),
  type: text(20).prefault(null),
  description: text(2_000).prefault(null),
  frequency_in_minutes: number.prefault(null),
  grace_time_in_minutes: number.prefault(null),
  cron_expression: text(200).prefault(null),
  server_timezone: text(60).prefault(null),
})

const cronKeys: Keys = {
  read: Object.keys(Cron.shape),
  meaningless: [
    ...['uuid', 'ping_url', 'created_at', 'updated_at', 'latest_result', 'latest_result_label', 'latest_ping_at'],
    ...['latest_result_label_color', 'human_readable_latest_ping_at', 'human_readable_cron_expression'],
    ...['active_snooze', 'human_readable_grace_time', 'invalid_cron_expression'],
  ],
}

export const jobId = (monitorId: string, id: string) => `cron-${monitorId}-${id}`

export function convertJob(found: Record<string, unknown>, monitor: Monitor): SourceItem {
  const cron = Cron.parse(found)
  const name = cron.name || `Task ${cron.id}`
  const sourceId = cron.id === null ? '' : jobId(monitor.id ?? '', cron.id)
  return itemOf({ sourceId, sourceKind: 'cron check', name, isEnabled: true }, standIns => {
    standIns.add(newPingAddress)
    noteKeys(found, cronKeys, standIns, { isComplete: true })
    return job(
      {
        name,
        periodS: cron.frequency_in_minutes === null ? null : cron.frequency_in_minutes * 60,
        schedule: cron.cron_expression || null,
        timezone: cron.server_timezone,
        graceS: cron.grace_time_in_minutes === null ? null : cron.grace_time_in_minutes * 60,
        tags: monitor.tags,
        group: monitor.group_name || monitor.label || null,
        notes: cron.description,
      },
      standIns,
    )
  })
}
