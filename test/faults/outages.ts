import { once } from 'node:events'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Authority, daysFromNow } from '#test/checks/certificates.ts'
import { a, DnsServer } from '#test/egress/dns-server.ts'
import type { System } from '#test/support/system.ts'
import { type Mood, Site } from '#test/support/target.ts'

/**
 * R9, R10, R13: eight ways in which sites fail, and how long it takes until that is an incident, and until it is over.
 */
export const faults = ['refused', 'reset', 'hang', 'error', 'wrong-body', 'name-gone', 'expired', 'drip'] as const
type Fault = (typeof faults)[number]

/** One monitored site, and how to break and mend it. */
interface Watched {
  fault: Fault
  monitor: Record<string, unknown>
  fail(): Promise<unknown> | unknown
  mend(): Promise<unknown> | unknown
}

interface Outage {
  fault: Fault
  /**
   * From the outage's start to the incident's row, and from its end to its resolution, in milliseconds; null: not in
   * time.
   */
  foundMs: number | null
  overMs: number | null
}

export interface Tally {
  outages: Outage[]
  /** Incidents of sites that were well, and second ones of one outage. */
  falseIncidents: number
  doubled: number
}

export interface Wish {
  /** Outages of each kind in a round. */
  ofEach: number
  rounds: number
  intervalS: number
  timeoutS: number
}

/** `authority` is one that the agents trust, so that a certificate can be good first. */
export async function sufferOutages(
  system: System,
  authority: Authority,
  { ofEach, rounds, intervalS, timeoutS }: Wish,
): Promise<Tally> {
  await using sites = await openSites(authority, ofEach)
  const { status, body } = await system.post('/monitors/bulk', {
    monitors: sites.all.map(({ monitor, fault }, index) => ({
      name: `${fault} ${index}`,
      check_interval: intervalS,
      timeout: timeoutS,
      ...monitor,
    })),
  })
  if (status !== 201) throw new Error(`adding monitors answered ${status}: ${JSON.stringify(body).slice(0, 1_000)}`)
  const ids: string[] = body.data.map((monitor: { id: string }) => monitor.id)
  const inTimeMs = (intervalS + timeoutS + 10) * 1_000

  const open = new Map<string, string>()
  const ends = new AbortController()
  const reading = follow(system, new Set(ids), open, ends.signal)
  const isMet = async (met: () => boolean) => {
    for (const until = Date.now() + inTimeMs + 2_000; Date.now() < until; await sleep(100)) if (met()) return true
    return false
  }

  await allUp(system, ids, inTimeMs)
  const caused: { monitorId: string; fault: Fault; failedAt: number; mendedAt: number }[] = []
  for (let round = 0; round < rounds; round++) {
    await Promise.all(
      sites.all.map(async (site, index) => {
        const monitorId = ids[index] ?? ''
        await sleep(Math.random() * 2 * intervalS * 1_000)
        await site.fail()
        const failedAt = Date.now()
        await isMet(() => open.has(monitorId))
        await site.mend()
        caused.push({ monitorId, fault: site.fault, failedAt, mendedAt: Date.now() })
        await isMet(() => !open.has(monitorId))
      }),
    )
  }
  ends.abort()
  await reading

  const incidents = new Map<string, { created: number; resolved: number | null }[]>()
  for (const id of ids)
    incidents.set(
      id,
      (await system.incidents(id)).map(({ created_at, resolved_at }) => ({
        created: Date.parse(created_at),
        resolved: resolved_at && Date.parse(resolved_at),
      })),
    )
  const within = (ms: number) => (ms <= inTimeMs ? ms : null)
  let matched = 0
  let doubled = 0
  const outages = caused.map(({ monitorId, fault, failedAt, mendedAt }) => {
    const its = (incidents.get(monitorId) ?? []).filter(
      ({ created }) => created >= failedAt && created < mendedAt + 1_000,
    )
    matched += its.length
    doubled += Math.max(0, its.length - 1)
    const [first] = its
    return {
      fault,
      foundMs: first ? within(first.created - failedAt) : null,
      overMs: first?.resolved ? within(first.resolved - mendedAt) : null,
    }
  })
  return { outages, doubled, falseIncidents: [...incidents.values()].flat().length - matched }
}

/** Keeps `open` as the API answers: which of our monitors have an open incident. */
async function follow(
  system: System,
  ours: Set<string>,
  open: Map<string, string>,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    const now = new Map<string, string>()
    for (let path = '/incidents?status=investigating&per_page=100'; path; ) {
      const { body } = await system.get(path)
      for (const { id, monitor_id } of body.data) if (ours.has(monitor_id)) now.set(monitor_id, id)
      path = body.meta.next_cursor ? `/incidents?status=investigating&per_page=100&cursor=${body.meta.next_cursor}` : ''
    }
    open.clear()
    for (const [monitorId, id] of now) open.set(monitorId, id)
    await sleep(300)
  }
}

async function allUp(system: System, ids: string[], withinMs: number): Promise<void> {
  for (const until = Date.now() + withinMs; Date.now() < until; await sleep(500)) {
    const { body } = await system.get(`/monitors?status=up&per_page=1`)
    // a busy machine may answer 429 or 503
    if (!(body.meta?.total >= ids.length)) continue
    const seen = await Promise.all(ids.map(async id => (await system.get(`/monitors/${id}`)).body.data?.status))
    if (seen.every(status => status === 'up')) return
  }
  throw new Error('the sites were not all seen to be up in time')
}

async function openSites(authority: Authority, ofEach: number): Promise<{ all: Watched[] } & AsyncDisposable> {
  const site = await Site.open()
  const gone = new Set<string>()
  const names = await DnsServer.open((name, type) =>
    gone.has(name) ? 'nxdomain' : type === 'A' ? a(name, '198.51.100.7') : [],
  )
  const good = await authority.issue({ addresses: ['127.0.0.1'] })
  const expired = await authority.issue({ addresses: ['127.0.0.1'], from: daysFromNow(-30), to: daysFromNow(-1) })
  const closes: (() => unknown)[] = [() => site.close(), () => names.close()]
  const all: Watched[] = []

  const byMood = (fault: Fault, mood: Mood, index: number): Watched => {
    const path = `/outage/${fault}/${index}`
    const settings = mood === 'wrong-body' ? { keyword_present: 'all is well' } : {}
    return {
      fault,
      monitor: { url: site.url + path, checks: [{ type: 'uptime', settings }] },
      fail: () => site.become(mood, path),
      mend: () => site.become('up', path),
    }
  }
  for (let index = 0; index < ofEach; index++) {
    for (const fault of ['reset', 'hang', 'error', 'wrong-body', 'drip'] as const) all.push(byMood(fault, fault, index))

    const lonely = await Site.open()
    closes.push(() => lonely.close())
    all.push({
      fault: 'refused',
      monitor: { url: `${lonely.url}/` },
      fail: () => lonely.vanish(),
      mend: () => lonely.listen(),
    })

    const name = `zone-${index}.example.com`
    all.push({
      fault: 'name-gone',
      monitor: {
        url: `http://${name}`,
        checks: [{ type: 'dns', interval: 10, settings: { record_types: ['A'], resolvers: [names.address] } }],
      },
      fail: () => gone.add(name),
      mend: () => gone.delete(name),
    })

    const server = createServer({ ...good }, (_, response) => response.end('all is well')).listen(0, '127.0.0.1')
    await once(server, 'listening')
    closes.push(() => server.close())
    all.push({
      fault: 'expired',
      monitor: { url: `https://127.0.0.1:${(server.address() as AddressInfo).port}/` },
      fail: () => server.setSecureContext(expired),
      mend: () => server.setSecureContext(good),
    })
  }
  return {
    all,
    async [Symbol.asyncDispose]() {
      for (const close of closes) await close()
    },
  }
}
