import { z } from 'zod'
import { momentOf } from '#importers/history.ts'
import { withPastOfEach } from '#importers/past.ts'
import { bearerClientOf, named, nextParameter, readPages, statusNamed } from '#importers/reads.ts'
import { leftOut, record, records, text } from '#importers/shapes.ts'
import { type Source, SourceError, type SourceInput, type SourceItem, type TheirStatus } from '#importers/source.ts'
import { carriedChecks, checkOf, convertJob, convertMonitor, jobId, type Monitor, monitorOf } from './convert.ts'
import { outageOf, sinceNinetyDays } from './outages.ts'

const statusOf = statusNamed({ succeeded: 'up', warning: 'up', failed: 'down', 'errored-or-timed-out': 'down' })

export const ohDear: Source = {
  name: 'oh-dear',
  title: 'Oh Dear',
  reads: 'api',
  baseUrl: 'https://ohdear.app/api',
  credential: 'an API token',
  carries: [
    'monitors of type http, ping and tcp with their enabled checks: uptime with method, headers, payload, texts, ' +
      'statuses, response headers, redirects; performance as a limit of a warning; certificate, DNS, domain, block ' +
      'lists, broken links, mixed content, Lighthouse, application health, sitemap',
    'scheduled tasks as jobs with their period or cron schedule, time zone and grace time',
    'groups, tags and notes; monitors without an enabled check as disabled ones',
    'downtime of the last 90 days, at most 100 of a monitor, of as many monitors as its bound of requests allows',
  ],
  leavesBehind: [
    'disabled checks of a monitor, port scans, AI checks, patterns of response headers, locations; that a site ' +
      'became slower by a percentage',
    'ping addresses: each job gets a new one, to which its machine must send',
    'status pages (named), notification destinations, maintenance periods, response times of the past',
  ],

  async read(input) {
    const { kind, monitors } = await readMonitors(input)
    const withJobs = monitors.filter(monitor => monitor.id !== null && checkOf(monitor, 'cron'))
    if (withJobs.length > mostWithJobs)
      throw new SourceError(
        `Oh Dear has ${withJobs.length} monitors with scheduled tasks: more than the ${mostWithJobs} that are read.`,
      )
    const jobs: SourceItem[] = []
    for (const monitor of withJobs)
      for (const found of await readJobs(input, kind, monitor.id ?? '')) jobs.push(convertJob(found, monitor))
    // what is down is its uptime check: without one there is no past
    const watched = Map.groupBy(monitors, monitor => checkOf(monitor, 'uptime') !== undefined)
    const created = new Map(monitors.map(({ id, created_at }) => [id, momentOf(created_at) || null]))
    const items = [
      ...(await withPastOfEach(input, (watched.get(true) ?? []).map(convertMonitor), async (id, now) => ({
        outages: (
          await list(input, `/${kind}/${encodeURIComponent(id)}/downtime`, `${sinceNinetyDays(now)}&`)
        ).map(outageOf),
        since: created.get(id) ?? null,
      }))),
      ...(watched.get(false) ?? []).map(convertMonitor),
      ...jobs,
    ]
    const pages = { kind: 'status_page', sourceKind: 'status page', name: 'Status pages' } as const
    return [
      ...items,
      ...(await named(pages, async () =>
        (
          await list(input, '/status-pages')
        ).map(({ id, title }) =>
          leftOut(
            { ...pages, sourceId: `status-page-${text(60).parse(id) ?? ''}`, name: text(255).parse(title) ?? '' },
            'Status pages are not carried over: create one with the imported monitors as components.',
          ),
        ),
      )),
    ]
  },

  async poll(input) {
    const { monitors } = await readMonitors(input)
    return new Map(monitors.map(monitor => [monitor.id ?? '', shown(monitor)]))
  },

  async pause(input, sourceIds) {
    const client = bearerClientOf(input)
    const { kind, monitors } = await readMonitors(input)
    const wanted = new Set(sourceIds)
    const going: string[] = []
    for (const monitor of monitors) {
      const id = monitor.id ?? ''
      const paused = wanted.has(id)
        ? monitor.checks.filter(({ type, enabled }) => enabled !== false && carriedChecks.includes(type ?? ''))
        : []
      const jobs = checkOf(monitor, 'cron')
      if (jobs && sourceIds.some(sourceId => sourceId.startsWith(jobId(id, '')))) {
        // its jobs have one check in common, which is disabled only if all of them are here
        const all = await readJobs(input, kind, id)
        if (all.every(found => wanted.has(jobId(id, text(60).parse(found.id) ?? '')))) paused.push(jobs)
        else going.push(monitor.label ?? id)
      }
      for (const check of paused)
        if (check.id !== null) await client.command('POST', `/checks/${encodeURIComponent(check.id)}/disable`, {})
    }
    if (going.length > 0)
      throw new SourceError(`Scheduled tasks of ${going.slice(0, 5).join(', ')} go on: not all of them are here.`)
  },
}

/** The scheduled tasks of each monitor are asked for by themselves, and so many requests of one source there are. */
const mostWithJobs = 450

function shown(monitor: Monitor): TheirStatus {
  const check = checkOf(monitor, 'uptime')
  return check
    ? { status: statusOf(check.latest_run_result), response_ms: check.average_response_time_in_ms }
    : { status: 'paused' }
}

/** Monitors were called sites once, and an address that knows only these is read as well. */
async function readMonitors(input: SourceInput): Promise<{ kind: 'monitors' | 'sites'; monitors: Monitor[] }> {
  try {
    return { kind: 'monitors', monitors: (await list(input, '/monitors')).map(monitorOf) }
  } catch (error) {
    if (!(error instanceof SourceError) || error.status !== 404) throw error
    return { kind: 'sites', monitors: (await list(input, '/sites')).map(monitorOf) }
  }
}

const readJobs = (input: SourceInput, kind: 'monitors' | 'sites', id: string) =>
  list(input, `/${kind}/${encodeURIComponent(id)}/cron-checks`)

const Page = z.object({ data: records.prefault([]), links: record.prefault({}) })

async function list(input: SourceInput, path: string, filter = ''): Promise<Record<string, unknown>[]> {
  const client = bearerClientOf(input)
  let read = 0
  const pages = await readPages(async cursor => {
    const asked = encodeURIComponent(cursor ?? '1')
    const { data, links } = Page.parse(record.parse(await client.get(`${path}?${filter}page%5Bnumber%5D=${asked}`)))
    read += data.length
    await input.progress(read, null)
    return { page: data, next: nextParameter(links.next, 'page[number]') }
  })
  return pages.flat()
}
