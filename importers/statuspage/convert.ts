import { z } from 'zod'
import { slugOf } from '#contract/slug.ts'
import { impacts, type Phase, phases, type SettableStatus, settableStatuses } from '#contract/status-page.ts'
import { type Keys, noteKeys } from '#importers/known-keys.ts'
import { type ImportedPage, pageLimits } from '#importers/page.ts'
import { flag, leftOut, number, oneLine, records, StandIns, text } from '#importers/shapes.ts'
import type { SourceItem } from '#importers/source.ts'

/** A record of `GET /v1/pages`. */
export const Page = z.object({
  id: text(60).prefault(null),
  name: text(255).prefault(null),
  page_description: text(2_000).prefault(null),
  headline: text(255).prefault(null),
  subdomain: text(60).prefault(null),
  domain: text(255).prefault(null),
  support_url: text(500).prefault(null),
  time_zone: text(64).prefault(null),
  hidden_from_search: flag.prefault(null),
  viewers_must_be_team_members: flag.prefault(null),
  ip_restrictions: text(500).prefault(null),
  allow_page_subscribers: flag.prefault(null),
})
export type Page = z.output<typeof Page>

const pageKeys: Keys = {
  read: Object.keys(Page.shape),
  // dates, counts, and its style: its logos and colours are named in what is left behind
  meaningless: [
    ...['created_at', 'updated_at', 'activity_score', 'branding', 'page_type', 'url', 'city', 'state', 'country'],
    ...['favicon_logo', 'transactional_logo', 'hero_cover', 'email_logo', 'twitter_logo'],
    ...['allow_incident_subscribers', 'allow_email_subscribers', 'allow_sms_subscribers', 'allow_rss_atom_feeds'],
    ...['allow_webhook_subscribers', 'notifications_from_email'],
  ],
  left: {
    notifications_email_footer: 'The text below its e-mails (notifications_email_footer) is not carried over.',
    twitter_username: 'Its account of Twitter (twitter_username) is not carried over: add it as a link.',
  },
}

const Group = z.object({
  id: text(60).prefault(null),
  name: text(255).prefault(null),
  position: number.prefault(null),
})
type Group = z.output<typeof Group>

const groupKeys: Keys = {
  read: [...Object.keys(Group.shape), 'components'],
  meaningless: ['page_id', 'created_at', 'updated_at'],
}

const Component = z.object({
  id: text(60).prefault(null),
  group_id: text(60).prefault(null),
  group: flag.prefault(null),
  name: text(255).prefault(null),
  description: text(2_000).prefault(null),
  status: text(40).prefault(null),
  position: number.prefault(null),
  showcase: flag.prefault(null),
  only_show_if_degraded: flag.prefault(null),
})
type Component = z.output<typeof Component>

const componentKeys: Keys = {
  read: Object.keys(Component.shape),
  // since when its uptime is counted, and how it can be set by e-mail, which every one has
  meaningless: ['page_id', 'created_at', 'updated_at', 'start_date', 'automation_email'],
}

const Update = z.object({
  status: text(30).prefault(null),
  body: text(20_000).prefault(null),
  display_at: text(40).prefault(null),
  created_at: text(40).prefault(null),
  affected_components: records.prefault([]),
})

const Incident = z.object({
  id: text(60).prefault(null),
  name: text(255).prefault(null),
  status: text(30).prefault(null),
  impact: text(20).prefault(null),
  impact_override: text(20).prefault(null),
  started_at: text(40).prefault(null),
  created_at: text(40).prefault(null),
  resolved_at: text(40).prefault(null),
  scheduled_for: text(40).prefault(null),
  scheduled_until: text(40).prefault(null),
  postmortem_body: text(50_000).prefault(null),
  postmortem_published_at: z.unknown().optional(),
  components: records.prefault([]),
  incident_updates: records.prefault([]).transform(found => found.map(update => Update.parse(update))),
})
type Incident = z.output<typeof Incident>

const incidentKeys: Keys = {
  read: Object.keys(Incident.shape),
  meaningless: [
    ...['page_id', 'updated_at', 'monitoring_at', 'shortlink', 'metadata', 'reminder_intervals', 'auto_transition_to'],
    ...['auto_transition_deliver_notifications_at_end', 'auto_transition_deliver_notifications_at_start'],
    ...['auto_transition_to_maintenance_state', 'auto_transition_to_operational_state', 'scheduled_auto_completed'],
    ...['scheduled_auto_in_progress', 'scheduled_auto_transition', 'scheduled_remind_prior', 'scheduled_reminded_at'],
    ...['postmortem_body_last_updated_at', 'postmortem_ignored', 'postmortem_notified_subscribers'],
    ...['postmortem_notified_twitter', 'auto_tweet_at_beginning', 'auto_tweet_on_completion'],
    ...['auto_tweet_on_creation', 'auto_tweet_one_hour_before', 'backfill_date', 'backfilled', 'notify'],
  ],
}

interface Content {
  groups: readonly Group[]
  components: readonly Component[]
  incidents: readonly Incident[]
  /** There are older incidents that were not read. */
  hasOlder: boolean
}

/** What was read of a page, as it was sent. */
export interface Sent {
  groups: readonly Record<string, unknown>[]
  components: readonly Record<string, unknown>[]
  incidents: readonly Record<string, unknown>[]
  hasOlder: boolean
}

const byPosition = (a: { position: number | null }, b: { position: number | null }) =>
  (a.position ?? Infinity) - (b.position ?? Infinity) || 0

/** A page as a draft of ours, and each of its scheduled maintenances, which is only named. */
export function convertPage(found: Record<string, unknown>, sent: Sent): SourceItem[] {
  const page = Page.parse(found)
  const content: Content = {
    groups: sent.groups.map(group => Group.parse(group)),
    components: sent.components.map(component => Component.parse(component)),
    incidents: sent.incidents.map(incident => Incident.parse(incident)),
    hasOlder: sent.hasOlder,
  }
  const id = page.id ?? ''
  const name = oneLine(page.name ?? '', 255) || 'Unnamed'
  const item = { kind: 'status_page' as const, sourceId: id, sourceKind: 'page', name }
  if (id === '') return [leftOut({ ...item, sourceId: `no id ${name}` }, 'It has no id.')]
  const standIns = new StandIns()
  const body = bodyOf(page, name, content, standIns)
  noteSettings(found, sent, standIns)
  return [
    { ...item, wanted: { of: 'status_page', body }, standIns: standIns.said, isEnabled: true },
    ...content.incidents.filter(isScheduled).map(convertMaintenance),
  ]
}

function noteSettings(page: Record<string, unknown>, sent: Sent, standIns: StandIns): void {
  const isStyle = (name: string) => name.startsWith('css_')
  const settings = Object.fromEntries(Object.entries(page).filter(([name]) => !isStyle(name)))
  noteKeys(settings, pageKeys, standIns, { isComplete: true })
  const all = (found: readonly Record<string, unknown>[], keys: Keys, within: string) => {
    for (const each of found) noteKeys(each, keys, standIns, { within, isComplete: true })
  }
  all(sent.groups, groupKeys, 'groups.')
  all(sent.components, componentKeys, 'components.')
  all(sent.incidents, incidentKeys, 'incidents.')
}

function bodyOf(page: Page, name: string, content: Content, standIns: StandIns): ImportedPage {
  standIns.add('It is created as a draft: publish it when it is as it should be.')
  if (content.components.length > 0)
    standIns.add('Its components have the status that they have there now: give each its monitor.')
  const posts = content.incidents
    .filter(incident => !isScheduled(incident))
    .flatMap(incident => postOf(incident, content))
  if (content.hasOlder || posts.length > pageLimits.posts)
    standIns.add(`Of its incidents the latest ${Math.min(posts.length, pageLimits.posts)} are carried over.`)
  if (page.domain) standIns.add(`Its domain ${page.domain} is not carried over: add it as a domain of the page.`)
  if (page.viewers_must_be_team_members || page.ip_restrictions)
    standIns.add('There not everybody may see it: set its access before you publish it.')
  if (page.allow_page_subscribers === false)
    standIns.add('There the page as a whole cannot be subscribed to (allow_page_subscribers); here it can.')
  if (page.support_url)
    standIns.add(`Its address for help, ${page.support_url}, is not carried over: add it as a link.`)
  const zone = page.time_zone ?? 'UTC'
  if (!isZone(zone)) standIns.add(`Its time zone ${zone} has no name here: UTC stands in.`)
  const groups = content.groups.filter(({ id }) => id !== null).toSorted(byPosition)
  const components = content.components.filter(({ id, group }) => id !== null && group !== true).toSorted(byPosition)
  if (groups.length > pageLimits.groups) standIns.add(`Of its groups the first ${pageLimits.groups} are carried over.`)
  if (components.length > pageLimits.components)
    standIns.add(`Of its components the first ${pageLimits.components} are carried over.`)
  if (components.some(component => component.only_show_if_degraded))
    standIns.add('Components that are shown only while they are degraded are always shown here.')
  return {
    name,
    slug: addressOf(page.subdomain ?? name),
    description: (page.page_description ?? page.headline ?? '').trim(),
    timezone: isZone(zone) ? zone : 'UTC',
    noindex: page.hidden_from_search === true,
    groups: groups.slice(0, pageLimits.groups).map(group => ({
      key: group.id ?? '',
      name: oneLine(group.name ?? '', 255) || 'Unnamed',
    })),
    components: components.slice(0, pageLimits.components).map(component => ({
      key: component.id ?? '',
      name: oneLine(component.name ?? '', 255) || 'Unnamed',
      description: (component.description ?? '').trim().slice(0, 500).trim(),
      group: component.group_id,
      status: statusOf(component.status) ?? 'operational',
      show_history: component.showcase !== false,
    })),
    posts: posts.slice(0, pageLimits.posts),
  }
}

function isZone(name: string): boolean {
  try {
    return /^[A-Za-z]/.test(name) && Boolean(new Intl.DateTimeFormat('en', { timeZone: name }))
  } catch {
    return false
  }
}

const slugEnding = '-status'
const addressOf = (name: string): string =>
  `${slugOf(name, pageLimits.slug - slugEnding.length) || 'page'}${slugEnding}`

const statusOf = (status: string | null): SettableStatus | null =>
  status === 'under_maintenance' ? 'maintenance' : (settableStatuses.find(known => known === status) ?? null)

const scheduledStatuses = ['scheduled', 'in_progress', 'verifying', 'completed']
const isScheduled = ({ status, scheduled_for }: Incident) =>
  scheduled_for !== null || scheduledStatuses.includes(status ?? '')

const instantOf = (written: string | null): string | null => {
  const at = Date.parse(written ?? '')
  return Number.isNaN(at) || at < Date.UTC(2000) || at > Date.now() ? null : new Date(at).toISOString()
}

/** There a postmortem is a status as well. */
const phaseOf = (status: string | null): Phase =>
  status === 'postmortem' ? 'resolved' : (phases.find(known => known === status) ?? 'investigating')
/** What is worse comes later. */
const worse = ['operational', 'maintenance', 'degraded_performance', 'partial_outage', 'major_outage']
const isOutage = (status: string) => status === 'partial_outage' || status === 'major_outage'

function postOf(incident: Incident, { components }: Content): ImportedPage['posts'] {
  const startedAt = instantOf(incident.started_at) ?? instantOf(incident.created_at)
  if (startedAt === null) return []
  const impact = impacts.find(known => known === (incident.impact_override ?? incident.impact)) ?? 'minor'
  const known = new Set(components.map(({ id }) => id))
  const concerned = new Map<string, SettableStatus>()
  const note = (key: string | null, status: SettableStatus) => {
    if (key === null || !known.has(key)) return
    if (worse.indexOf(status) >= worse.indexOf(concerned.get(key) ?? 'operational')) concerned.set(key, status)
  }
  for (const { affected_components } of incident.incident_updates)
    for (const { code, new_status } of affected_components)
      note(text(60).parse(code), statusOf(text(40).parse(new_status)) ?? 'operational')
  for (const { id } of incident.components) note(text(60).parse(id), 'operational')
  const phase = phaseOf(incident.status)
  const resolvedAt = phase === 'resolved' ? (instantOf(incident.resolved_at) ?? startedAt) : null
  const isOpen = phase !== 'resolved'
  const updates = incident.incident_updates.flatMap(update => {
    const at = instantOf(update.display_at) ?? instantOf(update.created_at)
    const body = (update.body ?? '').trim().slice(0, 10_000).trim()
    return at === null || body === '' || update.status === 'postmortem'
      ? []
      : [{ phase: phaseOf(update.status), body, at }]
  })
  const isPublished = incident.postmortem_published_at !== null && incident.postmortem_published_at !== undefined
  return [
    {
      title: oneLine(incident.name ?? '', 255) || 'Unnamed',
      impact,
      phase,
      started_at: startedAt,
      resolved_at: resolvedAt !== null && resolvedAt < startedAt ? startedAt : resolvedAt,
      counts_as_downtime: !isOpen && [...concerned.values()].some(isOutage),
      postmortem: (isPublished && incident.postmortem_body?.trim()) || null,
      components: [...concerned].slice(0, pageLimits.components).map(([key, status]) => ({ key, status })),
      updates: updates.toSorted((a, b) => a.at.localeCompare(b.at)).slice(-pageLimits.updates),
    },
  ]
}

const convertMaintenance = (incident: Incident): SourceItem =>
  leftOut(
    {
      kind: 'maintenance',
      sourceId: `incident-${incident.id ?? ''}`,
      sourceKind: 'scheduled maintenance',
      name: incident.name ?? '',
    },
    `Maintenance is not carried over. It was planned from ${incident.scheduled_for ?? 'unknown'} to ` +
      `${incident.scheduled_until ?? 'unknown'}${incident.status === 'completed' ? '.' : ': create a window for it.'}`,
  )

/** What kinds of subscribers a page has, which are only counted. */
export function convertSubscribers(page: Page, counts: Record<string, unknown>): SourceItem[] {
  const names = { email: 'by e-mail', sms: 'by SMS', webhook: 'by webhook', slack: 'by Slack' }
  const shown = Object.entries(names).flatMap(([kind, name]) => {
    const count = number.parse(counts[kind])
    return count ? [`${count} ${name}`] : []
  })
  if (shown.length === 0) return []
  const item = { kind: 'other' as const, sourceId: `subscribers-${page.id}`, sourceKind: 'subscribers' }
  return [
    leftOut(
      { ...item, name: `Subscribers of ${page.name ?? page.id}` },
      `Subscribers are not carried over: they consented to another sender. There are ${shown.join(', ')}. ` +
        'Export them there as CSV, and import those by e-mail and webhook on the new page.',
    ),
  ]
}

export const convertMetric = (page: Page, metric: Record<string, unknown>): SourceItem =>
  leftOut(
    {
      kind: 'other',
      sourceId: `metric-${page.id}-${text(60).parse(metric.id) ?? ''}`,
      sourceKind: 'metric',
      name: text(255).parse(metric.name) ?? '',
    },
    'Metrics are not carried over: a component with a monitor shows its uptime and response time.',
  )
