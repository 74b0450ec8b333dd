import { randomUUID } from 'node:crypto'
import { setImmediate as breathe, setTimeout as sleep } from 'node:timers/promises'
import type { Assignment } from '#contract/agent.ts'
import { eachIsolated } from '#control-plane/base/each-isolated.ts'
import { type BadRow, Quarantine } from '#control-plane/base/quarantine/quarantine.ts'
import type { OwnedShards } from '#control-plane/base/shards.ts'
import { among, queries, rows } from '#control-plane/db/queries.ts'
import { directRegion } from '#control-plane/engine/verdicts/quorum.ts'
import type { Services } from '#control-plane/http/services.ts'
import { Assembler, type Assigned, assignmentFor, isSameWork } from './assigned.ts'
import { type CheckRow, readAll, readSome } from './rows.ts'

const frameChecks = 500
/** Notices of one change arrive together; their checks are read together. */
const gatherMs = 20
const retryMs = 500
const probeMs = 50
const listenTimeoutMs = 10_000
/** Results under way when a check was taken from a region are still taken, if the run was made before. */
const graceMs = 1_000
const rememberMs = 86_400_000
const formerAtMost = 200_000

/** What a change means for one region: checks to run (again), and checks no longer its own. */
export interface RegionChange {
  assigned: Assigned[]
  withdrawn: string[]
}

/** The receiver of changes. */
export interface ChangeReceiver {
  /** Called for the agents of these regions. */
  regions(changes: ReadonlyMap<string, RegionChange>): void
  /** Called for the verdict engine: checks that are new or differ in any way, and checks that are gone. */
  checks(changed: readonly Assigned[], gone: readonly string[]): void
}

/** `lastDue`: the newest scheduled run already stored, so that a restarted agent neither repeats nor leaves out. */
interface Options {
  services: Pick<Services, 'platform' | 'listener' | 'log' | 'clock' | 'config'>
  lastDue(check: string, region: string): number | null
  /** Only checks of tenants in these. */
  shards: OwnedShards
}

interface Pending {
  monitors: Set<string>
  tenants: Set<string>
  isAll: boolean
}

/** A check that cannot be read, and whose notice may say that it was mended. */
interface BadCheck extends BadRow {
  monitor: string
}

interface Notice {
  probe?: string
  monitor?: string
  tenant?: string
}

/**
 * The checks to be run of the shards that an ingest process owns, in memory. It is notified of every change by the
 * database and reads just what changed; after a lost connection, everything.
 */
export class Registry {
  readonly #services: Options['services']
  readonly #lastDue: Options['lastDue']
  readonly #shards: OwnedShards
  readonly #assembler: Assembler
  readonly #quarantine: Quarantine
  #bad: BadCheck[] = []
  #checks = new Map<string, Assigned>()
  /** Checks of a monitor. Most have one, kept bare. */
  #byMonitor = new Map<string, string | string[]>()
  /** Checks a region had within the last day, and until when. */
  readonly #former = new Map<string, { assigned: Assigned; until: number }>()
  #everywhere: readonly string[] = []
  #receiver: ChangeReceiver | undefined
  #pending: Pending = { monitors: new Set<string>(), tenants: new Set<string>(), isAll: false }
  #gathering: NodeJS.Timeout | undefined
  /** Resolves when the changes that are being gathered are about to be read, which is then the last of `#work`. */
  #gathered: Promise<void> = Promise.resolve()
  #work: Promise<void> = Promise.resolve()
  #isRetrying = false
  #stopListening: () => void = () => undefined
  #isStopped = false

  constructor({ services, lastDue, shards }: Options) {
    this.#services = services
    this.#shards = shards
    this.#assembler = new Assembler(services.config)
    this.#quarantine = new Quarantine(services)
    this.#lastDue = lastDue
  }

  /** Reads everything once. Notices are received from before the first page, so that no change is missed. */
  async start(everywhere: readonly string[]): Promise<void> {
    this.#everywhere = everywhere
    await this.#listen()
    const first = this.#readAll()
    this.#work = first.catch(() => undefined)
    await first
  }

  /** Notices may have been missed: everything is read again. */
  missed(): void {
    this.#schedule(pending => {
      pending.isAll = true
    })
  }

  /** Reads these checks again, which could not be read before. */
  async retry(checks: readonly string[]): Promise<void> {
    const rows = await queries(this.#services.platform)
      .selectFrom('checks')
      .where('id', '=', among(checks))
      .select('monitor_id')
      .execute()
    this.#schedule(pending => {
      for (const { monitor_id } of rows) pending.monitors.add(monitor_id)
    })
  }

  stop(): void {
    this.#isStopped = true
    this.#stopListening()
    clearTimeout(this.#gathering)
  }

  /** From now on changes are passed on. */
  passOnTo(receiver: ChangeReceiver): void {
    this.#receiver = receiver
  }

  get size(): number {
    return this.#checks.size
  }

  find(check: string): Assigned | undefined {
    return this.#checks.get(check)
  }

  all(): Iterable<Assigned> {
    return this.#checks.values()
  }

  checksOf(monitor: string): readonly string[] {
    const previous = this.#byMonitor.get(monitor)
    return previous === undefined ? [] : typeof previous === 'string' ? [previous] : previous
  }

  /** The check, if this region runs it, or did at the time of the result (`at`). Other results belong to no check. */
  findFor(region: string, check: string, at: number): Assigned | undefined {
    const assigned = this.#checks.get(check)
    if (assigned?.rules.regions.includes(region)) return assigned
    const former = this.#former.get(`${check} ${region}`)
    return former && at <= former.until + graceMs ? former.assigned : undefined
  }

  /** All checks that a region runs, in pages; each check is read when its page is taken. */
  *list(region: string): Generator<Assignment[]> {
    let page: Assignment[] = []
    for (const check of [...this.#checks.keys()]) {
      const assigned = this.#checks.get(check)
      if (!assigned?.rules.regions.includes(region)) continue
      page.push(this.assignment(assigned, region))
      if (page.length < frameChecks) continue
      yield page
      page = []
    }
    if (page.length > 0) yield page
  }

  assignment(assigned: Assigned, region: string): Assignment {
    return assignmentFor(assigned, region, this.#lastDue(assigned.check, region))
  }

  /** Regions were added or removed: checks without named regions follow. */
  setRegions(everywhere: readonly string[]): void {
    if (everywhere.join() === this.#everywhere.join()) return
    this.#everywhere = everywhere
    const changed: Assigned[] = []
    for (const assigned of this.#checks.values()) {
      if (assigned.wanted.length > 0) continue
      const regions = this.#assembler.regionsOf(assigned, everywhere)
      if (regions.join() !== assigned.rules.regions.join())
        changed.push({ ...assigned, rules: { ...assigned.rules, regions } })
    }
    this.#apply(changed, [])
  }

  /**
   * Resolves once every change announced so far has been read and passed on; while the database is unavailable it
   * waits for it.
   */
  async settled(): Promise<void> {
    do {
      await this.#gathered
      await this.#work
    } while (this.#isRetrying && !this.#isStopped)
  }

  /** Sends itself a notice until one arrives: only that proves that the connection receives notices. */
  async #listen(): Promise<void> {
    const probe = randomUUID()
    const received = Promise.withResolvers<void>()
    const { listener, platform } = this.#services
    this.#stopListening = listener.on('assignments', payload => {
      if (payload.includes(probe)) received.resolve()
      else this.#receive(payload)
    })
    const probing = setInterval(() => {
      rows(platform)`select pg_notify('assignments', ${JSON.stringify({ probe })})`.catch(() => undefined)
    }, probeMs)
    try {
      await Promise.race([
        received.promise,
        sleep(listenTimeoutMs).then(() => {
          throw new Error('Notices of PostgreSQL do not arrive.')
        }),
      ])
    } finally {
      clearInterval(probing)
    }
  }

  #receive(payload: string): void {
    let notice: Notice
    try {
      notice = JSON.parse(payload)
    } catch {
      notice = {}
    }
    if (notice.probe) return
    this.#schedule(pending => {
      if (notice.monitor) pending.monitors.add(notice.monitor)
      else if (notice.tenant) this.#shards.owns(notice.tenant) && pending.tenants.add(notice.tenant)
      else pending.isAll = true
    })
  }

  #schedule(note: (pending: Pending) => void, inMs = gatherMs): void {
    note(this.#pending)
    if (this.#gathering || this.#isStopped) return
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#gathered = promise
    this.#gathering = setTimeout(() => {
      this.#gathering = undefined
      this.#work = this.#work.then(() => this.#reload())
      resolve()
    }, inMs)
  }

  async #reload(): Promise<void> {
    const { monitors, tenants, isAll } = this.#pending
    this.#pending = { monitors: new Set(), tenants: new Set(), isAll: false }
    try {
      if (isAll) await this.#readAll()
      else await this.#readSome([...monitors], [...tenants])
      this.#isRetrying = false
    } catch (error) {
      if (this.#isStopped) return
      this.#isRetrying = true
      this.#services.log.warn({ err: error }, 'work list read failure')
      this.#schedule(pending => {
        for (const monitor of monitors) pending.monitors.add(monitor)
        for (const tenant of tenants) pending.tenants.add(tenant)
        pending.isAll ||= isAll
      }, retryMs)
    }
  }

  async #readAll(): Promise<void> {
    const everywhere = this.#everywhere
    const found = new Set<string>()
    const changed: Assigned[] = []
    const bad: BadCheck[] = []
    for await (const rows of readAll(this.#services.platform, this.#shards)) {
      for (const assigned of await this.#assemble(rows, bad)) {
        found.add(assigned.check)
        if (this.#differs(assigned)) changed.push(assigned)
      }
      await breathe()
    }
    this.#apply(
      changed,
      [...this.#checks.keys()].filter(check => !found.has(check)),
    )
    this.#bad = bad
    await this.#quarantine.replace('check', bad, this.#shards.parameter)
    // a region that came or went meanwhile was not known to the first pages
    if (this.#everywhere !== everywhere) this.missed()
  }

  async #readSome(monitors: string[], tenants: string[]): Promise<void> {
    const rows = await readSome(this.#services.platform, this.#shards, { monitors, tenants })
    const bad: BadCheck[] = []
    const read = new Map((await this.#assemble(rows, bad)).map(assigned => [assigned.check, assigned]))
    const previous = monitors.flatMap(monitor => [...this.checksOf(monitor)])
    const [ofMonitors, ofTenants] = [new Set(monitors), new Set(tenants)]
    if (tenants.length > 0)
      for (const { check, tenant } of this.#checks.values()) if (ofTenants.has(tenant)) previous.push(check)
    this.#apply(
      [...read.values()].filter(assigned => this.#differs(assigned)),
      previous.filter(check => !read.has(check)),
    )
    const [again, others] = partition(
      this.#bad,
      ({ monitor, tenant }) => ofMonitors.has(monitor) || ofTenants.has(tenant ?? ''),
    )
    this.#bad = [...others, ...bad]
    const mended = again.filter(({ key }) => !bad.some(row => row.key === key))
    await this.#quarantine.release(
      'check',
      mended.map(({ key }) => key),
    )
    await this.#quarantine.add('check', bad)
  }

  /** The checks that can be read and that the plan includes. Unreadable rows are added to `bad`. */
  async #assemble(rows: CheckRow[], bad: BadCheck[]): Promise<Assigned[]> {
    const assembled: Assigned[] = []
    const assemble = (row: CheckRow) => {
      if (this.#assembler.isInPlan(row)) assembled.push(this.#assembler.assemble(row, this.#everywhere))
    }
    await eachIsolated(rows, assemble, (row, error) => {
      bad.push({ key: row.id, tenant: row.tenant_id, monitor: row.monitor_id, error })
    })
    return assembled
  }

  #differs(assigned: Assigned): boolean {
    const previous = this.#checks.get(assigned.check)
    return !previous || !isSameWork(previous, assigned) || !isSameRule(previous, assigned)
  }

  #apply(changed: Assigned[], gone: string[]): void {
    const now = this.#services.clock.nowMs()
    const regions = new Map<string, RegionChange>()
    const none: RegionChange = { assigned: [], withdrawn: [] }
    const of = (region: string): RegionChange => {
      if (region === directRegion) return none
      const change = regions.get(region) ?? { assigned: [], withdrawn: [] }
      regions.set(region, change)
      return change
    }
    for (const assigned of changed) {
      const previous = this.#checks.get(assigned.check)
      if (!previous || !isSameWork(previous, assigned))
        for (const region of assigned.rules.regions) of(region).assigned.push(assigned)
      for (const region of previous?.rules.regions ?? []) {
        if (assigned.rules.regions.includes(region)) continue
        of(region).withdrawn.push(assigned.check)
        this.#former.set(`${assigned.check} ${region}`, { assigned: previous!, until: now })
      }
      this.#checks.set(assigned.check, assigned)
      if (!previous) this.#index(assigned)
    }
    for (const check of new Set(gone)) {
      const previous = this.#checks.get(check)
      if (!previous) continue
      this.#checks.delete(check)
      this.#unindex(previous)
      for (const region of previous.rules.regions) {
        of(region).withdrawn.push(check)
        this.#former.set(`${check} ${region}`, { assigned: previous, until: now })
      }
    }
    this.#forgetFormer(now)
    if (changed.length === 0 && gone.length === 0) return
    this.#receiver?.checks(changed, gone)
    if (regions.size > 0) this.#receiver?.regions(regions)
  }

  /** In the order of withdrawal, so the oldest come first. */
  #forgetFormer(now: number): void {
    for (const [key, { until }] of this.#former) {
      if (until > now - rememberMs && this.#former.size <= formerAtMost) break
      this.#former.delete(key)
    }
  }

  #index({ monitor, check }: Assigned): void {
    const previous = this.#byMonitor.get(monitor)
    this.#byMonitor.set(
      monitor,
      previous === undefined ? check : typeof previous === 'string' ? [previous, check] : [...previous, check],
    )
  }

  #unindex({ monitor, check }: Assigned): void {
    const left = this.checksOf(monitor).filter(other => other !== check)
    if (left.length === 0) this.#byMonitor.delete(monitor)
    else this.#byMonitor.set(monitor, left.length === 1 ? left[0]! : left)
  }
}

function partition<Item>(items: readonly Item[], isFirst: (item: Item) => boolean): [Item[], Item[]] {
  const { first = [], second = [] } = Object.groupBy(items, item => (isFirst(item) ? 'first' : 'second'))
  return [first, second]
}

/** Whether results are judged the same way: what agents do is compared by `isSameWork`. */
const isSameRule = (a: Assigned, b: Assigned): boolean =>
  a.monitor === b.monitor &&
  a.monitorName === b.monitorName &&
  a.rules.policy.mode === b.rules.policy.mode &&
  a.rules.policy.count === b.rules.policy.count &&
  a.rules.confirmations === b.rules.confirmations &&
  a.rules.recoveryConfirmations === b.rules.recoveryConfirmations &&
  a.rules.severity === b.rules.severity &&
  a.regionsAtMost === b.regionsAtMost &&
  a.keepDays === b.keepDays &&
  a.wanted.join() === b.wanted.join() &&
  a.dependsOn.join() === b.dependsOn.join()
