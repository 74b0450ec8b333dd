import { createHmac } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { type RawBuilder, sql } from 'kysely'
import { LRUCache } from 'lru-cache'
import type { Pool } from 'pg'
import { requestsByDay } from '#analytics/queries/requests-by-day.ts'
import { effectiveLimits } from '#contract/plans.ts'
import { prepared, type Row, rows } from '#control-plane/db/queries.ts'
import { historyWaitsSince } from '#control-plane/engine/agents/history-waits.ts'
import { perServices, type Services } from '#control-plane/http/services.ts'
import { coversSql } from '#control-plane/monitoring/maintenance-windows/covers.ts'
import { dayMs, type JudgedTime, noTime, uptimePct } from '#control-plane/monitoring/statistics/judged-time.ts'
import { type DayWindow, lastDays } from '#control-plane/monitoring/statistics/last-days.ts'
import { type Judged, readJudgedTime } from '#control-plane/monitoring/statistics/read-judged.ts'
import { timesOf } from '#control-plane/monitoring/statistics/stats-batch.ts'
import { formulaOf } from '#control-plane/monitoring/statistics/uptime-formula.ts'
import type { PageChanges } from '#control-plane/publishing/status-pages/input.ts'
import {
  dayOf,
  sumOf,
  timeOfOutages,
  withoutBriefDowntime,
} from '#control-plane/publishing/status-pages/render/days.ts'
import type {
  PageAccess,
  PageBrand,
  PageComponent,
  PageGroup,
  PageMaintenance,
  PageModel,
} from '#control-plane/publishing/status-pages/render/model.ts'
import { rollUp } from '#control-plane/publishing/status-pages/rollup.ts'
import { pageOfSlugSql } from '#control-plane/publishing/status-pages/slug.ts'
import { effectiveBranding } from '#control-plane/tenancy/branding/effective.ts'
import { type Branding, unset } from '#control-plane/tenancy/branding/fields.ts'
import { findResellerBranding } from '#control-plane/tenancy/branding/reseller-branding.ts'
import { goesOnSql } from '#control-plane/tenancy/team-states/state.ts'
import { mostMonitors, readComponents, type StoredComponent } from './read-components.ts'
import { msOf, readPosts, type StoredPost } from './read-posts.ts'
import { statusOfComponent, statusOfPage } from './status.ts'

type PageRow = Row<'status_pages'> &
  Row<'tenants', 'plan' | 'feature_overrides' | 'suspended_at'> & {
    branding: Branding | null
    reseller_id: string | null
    sso: { issuer: string; client_id: string; is_enabled: boolean } | null
    sso_domains: readonly string[] | null
  }

/** Months of incidents that the history has at least. */
const leastHistoryDays = 90
const mostWindows = 20
const mostCompleted = 50

/**
 * All that a published page shows; null: there is none of this name, or visitors may not know of it. A former address
 * gives the page under its present one.
 */
export async function readPage(services: Services, slug: string): Promise<PageModel | null> {
  const page = await findPage(services.platform, slug)
  return page ? modelOf(services, page) : null
}

/** The same of a page that may be a draft, with changes that are not saved. */
export async function readDraft(
  services: Services,
  { tenantId, id, changes }: { tenantId: string; id: string; changes: PageChanges },
): Promise<PageModel | null> {
  const [found] = await rows(services.platform, statusPageDraft(id, tenantId))
  const { password: _, ...given } = changes
  const sent = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined))
  return found ? modelOf(services, { ...found, ...sent }) : null
}

async function modelOf(services: Services, page: PageRow): Promise<PageModel> {
  const { platform, clock, config } = services
  const now = clock.now()
  const nowMs = now.getTime()
  const since = new Date(nowMs - Math.max(page.history_days, leastHistoryDays) * dayMs)
  const [reseller, stored, posts, windowsOfPage] = await Promise.all([
    findResellerBranding(platform, page.tenant_id),
    readComponents(platform, page.tenant_id, page.id),
    readPosts(platform, page.id, since),
    readMaintenance(platform, page, since),
  ])
  const windows = lastDays(page.history_days, page.timezone, nowMs)
  const known = await readFigures(services, page, stored.components, windows, now)
  const showsResults = page.uptime_mode === 'requests' || page.show_response
  const components = stored.components.map(component => ({
    groupId: component.group_id,
    ...componentOf(component, page, posts, windows, known),
  }))
  const groups = [{ id: null, name: '', is_open: true }, ...stored.groups].map((group): PageGroup => {
    const own = components.filter(({ groupId }) => groupId === group.id).map(({ groupId: _, ...rest }) => rest)
    return {
      id: group.id,
      name: group.name,
      isOpen: group.is_open,
      status: rollUp(own.map(({ status }) => status)),
      components: own,
    }
  })
  return {
    id: page.id,
    owners: page.reseller_id === null ? [page.tenant_id] : [page.tenant_id, page.reseller_id],
    slug: page.slug,
    name: page.name,
    description: page.description,
    url: `${config.baseUrl}/status/${page.slug}`,
    locale: page.locale,
    locales: page.locales,
    timezone: page.timezone,
    theme: page.theme,
    noindex: page.noindex,
    brand: brandOf(page, reseller),
    texts: page.texts,
    headerLinks: page.header_links,
    footerLinks: page.footer_links,
    historyDays: page.history_days,
    dates: windows.map(({ date }) => date),
    show: { uptime: page.show_uptime, response: page.show_response, values: page.show_values },
    uptimeFormula: await formulaOf(platform, windows[0]?.from ?? now),
    historyWaitsSince: showsResults ? ((await historyWaitsSince(platform))?.getTime() ?? null) : null,
    hasSubscriptions: takesSubscribers(page),
    access: accessOf(page, config.secretKey),
    status: statusOfPage(
      components.map(({ status }) => status),
      posts,
    ),
    groups,
    posts: posts.map(({ countsAsDowntime: _, isIncidentOver: __, ...post }) => post),
    ...windowsOfPage,
    asOf: nowMs,
    changedAt: msOf(page.content_changed_at),
  }
}

const pageSql = sql`select s.*, s.content_changed_at::text as content_changed_at, t.plan, t.feature_overrides,
    t.suspended_at, to_jsonb(b) as branding,
    (select m.reseller_id from managed_teams m
      where m.tenant_id = s.tenant_id and m.deleted_at is null) as reseller_id,
    (select jsonb_build_object('issuer', c.issuer, 'client_id', c.client_id, 'is_enabled', c.is_enabled)
      from sso_configs c where c.tenant_id = s.tenant_id and s.access = 'sso') as sso,
    (select array_agg(d.domain order by d.domain) from sso_domains d
      where d.tenant_id = s.tenant_id and s.access = 'sso' and d.verified_at is not null) as sso_domains
  from status_pages s join tenants t on t.id = s.tenant_id left join brandings b on b.tenant_id = s.tenant_id`

const statusPage = prepared(
  'status-page',
  (slug: string) => sql<PageRow>`
    ${pageSql} where s.id = ${pageOfSlugSql(slug)} and s.state = 'published' and ${goesOnSql('pages')}`,
)

async function findPage(platform: Pool, slug: string): Promise<PageRow | undefined> {
  return (await rows(platform, statusPage(slug)))[0]
}

function takesSubscribers({ plan, feature_overrides, suspended_at }: PageRow): boolean {
  const { subscribers } = effectiveLimits(plan, feature_overrides)
  return suspended_at === null && (subscribers === null || subscribers > 0)
}

type Reseller = Awaited<ReturnType<typeof findResellerBranding>>

function brandOf(page: PageRow, reseller: Reseller): PageBrand {
  const limits = effectiveLimits(page.plan, page.feature_overrides)
  const branding = effectiveBranding(page.branding ?? unset, limits, reseller)
  return {
    name: branding.brand_name,
    color: page.primary_color ?? branding.primary_color,
    logoUrl: page.logo_url ?? branding.logo_url,
    logoUrlDark: page.logo_url === null ? branding.logo_url_dark : page.logo_url_dark,
    faviconUrl: branding.favicon_url,
    footerText: branding.footer_text,
    imprintUrl: branding.imprint_url,
    privacyUrl: branding.privacy_url,
    supportUrl: branding.support_url,
    hidesPoweredBy:
      page.hide_powered_by === null ? branding.hide_powered_by : page.hide_powered_by && limits.white_label_branding,
  }
}

/**
 * The key that signs the cookies and links of a private page ends with its password, its list of domains, or the
 * provider and the domains of its team.
 */
function accessOf(page: PageRow, secretKey: string): PageAccess {
  const keyOf = (secret: string) =>
    createHmac('sha256', secretKey).update(`status page ${page.id} ${page.access}\0${secret}`).digest('base64url')
  switch (page.access) {
    case 'public':
      return { mode: 'public' }
    case 'password':
      return { mode: 'password', hash: page.password_hash ?? '', key: keyOf(page.password_hash ?? '') }
    case 'email_domain':
      return {
        mode: 'email_domain',
        domains: page.allowed_email_domains,
        key: keyOf(page.allowed_email_domains.join()),
      }
    case 'ip':
      return { mode: 'ip', allowed: page.allowed_ips }
    case 'sso': {
      const { sso, sso_domains: domains } = page
      const isAllowed = page.suspended_at === null && effectiveLimits(page.plan, page.feature_overrides).sso
      const key = keyOf([sso?.issuer, sso?.client_id, ...(domains ?? [])].join('\0'))
      return { mode: 'sso', isOpen: isAllowed && sso?.is_enabled === true, key }
    }
  }
}

/** What was measured of the monitors of a page. */
interface Figures {
  judged: ReadonlyMap<string, Judged>
  /** By monitor and day: results that passed, and all. */
  requests: ReadonlyMap<string, { passed: number; judged: number }>
  responseMs: ReadonlyMap<string, number>
}

async function readFigures(
  services: Services,
  page: PageRow,
  components: readonly StoredComponent[],
  windows: readonly DayWindow[],
  now: Date,
): Promise<Figures> {
  const monitors = [...new Set(components.flatMap(({ monitors }) => monitors.map(({ id }) => id)))].slice(
    0,
    mostMonitors,
  )
  if (monitors.length === 0) return { judged: new Map(), requests: new Map(), responseMs: new Map() }
  const leastMs = page.min_incident_minutes * 60_000
  const [judged, requests, responseMs] = await Promise.all([
    readJudgedTime(services.platform, [page.tenant_id], monitors, windows, (changes, to) =>
      withoutBriefDowntime(changes, to, leastMs),
    ),
    page.uptime_mode === 'requests' ? readRequests(services, page, monitors, windows, now) : Promise.resolve([]),
    page.show_response ? readResponseTimes(services, page.tenant_id, monitors, now) : new Map<string, number>(),
  ])
  const ofUptimeChecks = requests.filter(({ monitor_id, check_id }) => judged.get(monitor_id)?.check === check_id)
  return {
    judged,
    requests: new Map(ofUptimeChecks.map(row => [`${row.monitor_id} ${row.date}`, row])),
    responseMs,
  }
}

type Requests = Awaited<ReturnType<typeof requestsByDay>>

/** What was read last of each page, in the order of reading. */
const lastRequests = perServices(() => new LRUCache<string, Requests>({ max: 500 }))

/** While ClickHouse is unavailable, what it had last: a page must show an incident all the same. */
async function readRequests(
  services: Services,
  page: PageRow,
  monitors: string[],
  windows: readonly DayWindow[],
  now: Date,
): Promise<Requests> {
  const last = lastRequests(services)
  const asked = { tenant: page.tenant_id, monitors, from: new Date(windows[0]?.from ?? 0), to: now, now }
  try {
    const requests = await soon(requestsByDay(services.clickhouse, asked))
    last.set(page.id, requests)
    return requests
  } catch (error) {
    services.log.warn({ err: error }, 'status page request figures failure')
    return last.get(page.id) ?? []
  }
}

const soonMs = 3_000

/** Rejects when it takes long: visitors wait for the page. */
async function soon<Value>(work: Promise<Value>): Promise<Value> {
  const over = new AbortController()
  const late = sleep(soonMs, undefined, { signal: over.signal, ref: false }).then(() => {
    throw new Error(`No answer within ${soonMs / 1_000} s.`)
  })
  late.catch(() => undefined)
  try {
    return await Promise.race([work, late])
  } finally {
    over.abort()
    work.catch(() => undefined)
  }
}

/** The mean of the last 24 hours; none while ClickHouse is unavailable, which keeps nothing else from a page. */
async function readResponseTimes(services: Services, tenant: string, monitors: readonly string[], now: Date) {
  const owners = new Map(monitors.slice(0, 200).map(id => [id, tenant]))
  try {
    const times = await soon(timesOf(services).of({ owners, from: new Date(now.getTime() - dayMs), now }))
    return new Map(
      [...times].flatMap(([id, checks]): [string, number][] => {
        const timed = checks.reduce((sum, check) => sum + check.timed, 0)
        return timed === 0 ? [] : [[id, checks.reduce((sum, check) => sum + check.time_us, 0) / timed / 1_000]]
      }),
    )
  } catch (error) {
    services.log.warn({ err: error }, 'status page response time failure')
    return new Map<string, number>()
  }
}

function componentOf(
  component: StoredComponent,
  page: PageRow,
  posts: readonly StoredPost[],
  windows: readonly DayWindow[],
  figures: Figures,
): PageComponent {
  const times = timesOfComponent(component, page, posts, windows, figures)
  const days = times?.days.map(dayOf)
  const responses = component.monitors.flatMap(({ id }) => figures.responseMs.get(id) ?? [])
  return {
    id: component.id,
    name: component.name,
    description: component.description,
    status: statusOfComponent(component, posts),
    days: component.show_history ? (days ?? null) : null,
    uptimePct: times && component.show_history ? uptimePct(times.whole) : null,
    responseMs: responses.length === 0 ? null : responses.reduce((sum, ms) => sum + ms, 0) / responses.length,
    createdAt: msOf(component.created_at),
    updatedAt: msOf(component.updated_at),
  }
}

interface ComponentTimes {
  days: JudgedTime[]
  /** What the uptime of all days together is computed of. */
  whole: JudgedTime
}

/** How the days of a component were judged; null for a static one, of which nothing is measured. */
function timesOfComponent(
  component: StoredComponent,
  page: PageRow,
  posts: readonly StoredPost[],
  windows: readonly DayWindow[],
  { judged, requests }: Figures,
): ComponentTimes | null {
  if (page.uptime_mode === 'manual') {
    const outages = posts.flatMap(post => {
      const named = post.countsAsDowntime ? post.components.find(({ id }) => id === component.id) : undefined
      const to = post.resolvedAt ?? Number.POSITIVE_INFINITY
      const isBrief = to - post.startedAt < page.min_incident_minutes * 60_000
      return named && !isBrief ? [{ from: post.startedAt, to, status: named.status }] : []
    })
    return withSum(windows.map(window => timeOfOutages(outages, window, msOf(component.created_at))))
  }
  if (component.type === 'static') return null
  const own = component.monitors.flatMap(({ id }) => judged.get(id) ?? [])
  const times = windows.map((_, n) => sumOf(own.map(({ times }) => times[n] ?? noTime())))
  if (page.uptime_mode === 'duration') return withSum(times)
  const whole = noTime()
  const days = windows.map((window, n) => {
    const rows = component.monitors.flatMap(({ id }) => requests.get(`${id} ${window.date}`) ?? [])
    const total = rows.reduce((sum, row) => sum + row.judged, 0)
    const failed = total - rows.reduce((sum, row) => sum + row.passed, 0)
    // a day counts for as much as it has results
    whole.up += total - failed
    whole.down += failed
    const { maintenance, no_data } = times[n]!
    const ms = window.to - window.from
    // a share of results as the same share of the day, so that every day is shown in one way
    return total === 0
      ? { ...noTime(), maintenance, no_data }
      : { ...noTime(), maintenance, down: (failed / total) * ms, up: ((total - failed) / total) * ms }
  })
  return { days, whole }
}

const withSum = (days: JudgedTime[]): ComponentTimes => ({ days, whole: sumOf(days) })

type WindowRow = Row<'maintenance_windows', 'id' | 'title' | 'description'> & {
  state: 'scheduled' | 'active' | 'completed'
  is_recurring: boolean
  planned_at: string
  starts_at: string
  ends_at: string
  updated_at: string
  components: { id: string; name: string }[]
}

/** The components that show a monitor for which a condition holds, in the order of the page. */
const componentsWhere = (condition: RawBuilder<unknown>) => sql`
  coalesce((select json_agg(json_build_object('id', s.id, 'name', s.name) order by s.position, s.id)
    from (select distinct id, name, position from shown where ${condition}) s), '[]')`

const maintenance = prepared(
  'status-page-maintenance',
  (tenantId: string, pageId: string, since: Date) => sql<WindowRow>`
    with components as materialized (
      select c.* from status_page_components c where c.tenant_id = ${tenantId} and c.page_id = ${pageId}
    ), shown as materialized (
      select c.id, c.name, c.position, m.id as monitor_id, m.tags
      from components c join monitors m on m.tenant_id = ${tenantId} and m.id = c.monitor_id where c.type = 'monitor'
      union all
      select c.id, c.name, c.position, m.id, m.tags
      from components c join monitors m on m.tenant_id = ${tenantId} and m.group_name = c.monitor_group
      where c.type = 'group' )
    (select w.id, w.title, w.description, w.state, w.rrule is not null as is_recurring, w.next_starts_at as planned_at,
      coalesce(case when w.state = 'active' then w.actual_started_at end, w.next_starts_at) as starts_at,
      w.next_ends_at as ends_at, w.updated_at,
      ${componentsWhere(coversSql('shown', 'monitor_id'))} as components
    from maintenance_windows w
    where w.tenant_id = ${tenantId} and ${pageId} = any(w.status_page_ids) and w.state in ('scheduled', 'active')
      and w.next_starts_at is not null and w.next_ends_at is not null
    order by w.next_starts_at, w.id limit ${sql.lit(mostWindows)})
    union all
    (select w.id, w.title, w.description, 'completed', w.rrule is not null, o.planned_at, o.started_at, o.ended_at,
      o.ended_at, ${componentsWhere(sql`monitor_id = any(o.monitor_ids)`)}
    from maintenance_occurrences o join maintenance_windows w on w.id = o.window_id
    where o.tenant_id = ${tenantId} and o.ended_at >= ${since} and ${pageId} = any(w.status_page_ids)
    order by o.ended_at desc, o.id desc limit ${sql.lit(mostCompleted)})`,
)

/** The windows that are announced on a page: running, the next occurrence of others, and what is over. */
async function readMaintenance(platform: Pool, page: PageRow, since: Date) {
  const found = await rows(platform, maintenance(page.tenant_id, page.id, since))
  const [over, current] = [true, false].map(isOver =>
    found.filter(({ state }) => (state === 'completed') === isOver).map(maintenanceOf),
  )
  return { maintenance: current ?? [], pastMaintenance: over ?? [] }
}

const maintenanceOf = (row: WindowRow): PageMaintenance => ({
  id: row.is_recurring ? `${row.id}-${msOf(row.planned_at)}` : row.id,
  title: row.title,
  description: row.description,
  isRunning: row.state === 'active',
  startsAt: msOf(row.starts_at),
  endsAt: msOf(row.ends_at),
  components: row.components,
  updatedAt: msOf(row.updated_at),
})

const statusPageDraft = prepared(
  'status-page-draft',
  (id: string, tenantId: string) => sql<PageRow>`
    ${pageSql} where s.id = ${id} and s.tenant_id = ${tenantId} and t.deleted_at is null`,
)
