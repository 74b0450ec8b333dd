import { type LookupAddress, Resolver } from 'node:dns'
import { readFileSync, statSync } from 'node:fs'
import { isIP } from 'node:net'
import { promisify } from 'node:util'
import { LRUCache } from 'lru-cache'
import { RunFailure } from '#contract/check.ts'
import { cached } from './cached.ts'
import { dnsFailure } from './failures.ts'
import { hasIPv6 } from './interfaces.ts'

export type Family = 4 | 6

/** All addresses of a name, IPv4 first. Fails with a `RunFailure` of phase `dns`. */
export type Lookup = (host: string, family: Family | undefined, signal?: AbortSignal) => Promise<LookupAddress[]>

const notFound = () => new RunFailure('dns_not_found', 'dns', 'The name does not exist.')
const noAddress = () => new RunFailure('dns_not_found', 'dns', 'The name has no address.')
const failed = () => new RunFailure('dns_failed', 'dns', 'The name servers of this name failed to answer.')
const timedOut = () => new RunFailure('dns_timeout', 'dns', 'The name was not resolved in time.')

interface System {
  resolver: Resolver
  /** Search domains for names without a dot. */
  search: readonly string[]
}

/**
 * Resolves names as the system would (hosts file, then its name servers, with its search list for names without a dot),
 * but not through getaddrinfo, which runs on four threads, where a few names with dead servers would delay all others,
 * and which hides the cause of a failure. `servers` and `search` replace the system's; `timeoutMs` is how long the
 * first of three tries waits, and the later ones longer. `hasSix`: whether addresses of IPv6 are of use at once.
 */
export function systemLookup({
  servers,
  search,
  timeoutMs = 2_000,
  hasSix = hasIPv6,
}: {
  servers?: readonly string[]
  search?: readonly string[]
  timeoutMs?: number
  hasSix?: () => boolean
} = {}): Lookup {
  const system = watched('/etc/resolv.conf', (path): System => {
    const resolver = new Resolver({ timeout: timeoutMs, tries: 3 })
    if (servers) resolver.setServers(servers)
    return { resolver, search: search ?? (servers ? [] : readSearch(path)) }
  })
  const hosts = watched('/etc/hosts', readHosts)
  const unanswered = new UnansweredNames()

  return async (host, family, signal) => {
    const name = host.toLowerCase().replace(/\.$/, '')
    const known = hosts().get(name) ?? (/(^|\.)localhost$/.test(name) ? loopback : undefined)
    const fitting = known?.filter(entry => !family || entry.family === family)
    if (fitting?.length) return fitting
    const { resolver, search: zones } = system()
    const resolve = (full: string) =>
      unanswered.resolve(`${full} ${family ?? ''}`, () =>
        family ? query(resolver, full, family) : queryBoth(resolver, full, hasSix()),
      )
    return within(signal, name.includes('.') ? resolve(name) : resolveInZones(name, zones, resolve))
  }
}

/** Number of timeouts in a row after which a name is queried less often: confirmation runs need real queries. */
const timeoutsBeforePause = 3
/** Callers within this time of another query for the same name share it. A later caller gets a query of its own. */
const sharedMs = 1_000
const [firstPauseMs, maxPauseMs] = [5_000, 10_000]

/**
 * Limits the cost of names that time out: each is queried at most once a second, and after repeated timeouts paused for
 * up to ten seconds, so that its recovery is noticed soon (RFC 9520 requires that failures to resolve are cached for a
 * while). A timeout counts against a name only if another name was answered during the query; otherwise the resolver
 * itself may be the cause.
 */
class UnansweredNames {
  readonly #queries = new Map<string, { at: number; answer: Promise<LookupAddress[]> }>()
  readonly #names = new LRUCache<string, { times: number; until: number }>({ max: 20_000 })
  #answeredAt = Number.NEGATIVE_INFINITY

  async resolve(name: string, question: () => Promise<LookupAddress[]>): Promise<LookupAddress[]> {
    const known = this.#names.get(name)
    if (known && performance.now() < known.until) throw timedOut()
    const now = performance.now()
    const running = this.#queries.get(name)
    if (running && now - running.at < sharedMs) return [...(await running.answer)]
    const query = { at: now, answer: this.#query(name, question) }
    this.#queries.set(name, query)
    try {
      return [...(await query.answer)]
    } finally {
      if (this.#queries.get(name) === query) this.#queries.delete(name)
    }
  }

  async #query(name: string, question: () => Promise<LookupAddress[]>): Promise<LookupAddress[]> {
    const begun = performance.now()
    try {
      const found = await question()
      this.#answered(name)
      return found
    } catch (error) {
      if (!(error instanceof RunFailure) || error.code !== 'dns_timeout') this.#answered(name)
      else if (this.#answeredAt >= begun) this.#count(name)
      throw error
    }
  }

  #answered(name: string): void {
    this.#answeredAt = performance.now()
    this.#names.delete(name)
  }

  #count(name: string): void {
    const times = (this.#names.get(name)?.times ?? 0) + 1
    const pauseMs =
      times < timeoutsBeforePause ? 0 : Math.min(maxPauseMs, firstPauseMs * 2 ** (times - timeoutsBeforePause))
    this.#names.set(name, { times, until: performance.now() + pauseMs })
  }
}

/** Tries each search domain, then the name itself. A search domain that times out may have contained the name. */
async function resolveInZones(
  name: string,
  zones: readonly string[],
  resolve: (full: string) => Promise<LookupAddress[]>,
): Promise<LookupAddress[]> {
  let failure: RunFailure | undefined
  for (const full of [...zones.map(zone => `${name}.${zone}`), name]) {
    const found = await settle(resolve(full))
    if (found.ok) return found.value
    if (!failure || failure.code === 'dns_not_found') failure = found.error
  }
  throw failure ?? notFound()
}

/** Codes with which a name server is not there; every other one is an answer. */
const silences = new Set(['ECONNREFUSED', 'ETIMEOUT', 'ECANCELLED'])

/**
 * The fault that a failed query means. A name server that cannot be asked is the region's fault only where it does not
 * answer a question without that name either: one that answers by datagram and refuses a connection cannot give a long
 * answer, and nothing else. `askRoot` asks it for the servers of the root.
 */
export async function queryFailure(code: string | undefined, askRoot: () => Promise<unknown>): Promise<RunFailure> {
  if (code !== 'ECONNREFUSED') return dnsFailure(code)
  const answered = await askRoot().then(
    () => true,
    (error: NodeJS.ErrnoException) => !silences.has(error.code ?? ''),
  )
  return answered ? failed() : dnsFailure(code)
}

const loopback: LookupAddress[] = [
  { address: '127.0.0.1', family: 4 },
  { address: '::1', family: 6 },
]

function query(resolver: Resolver, name: string, family: Family): Promise<LookupAddress[]> {
  return new Promise((resolve, reject) => {
    const done = (error: NodeJS.ErrnoException | null, addresses: string[]) => {
      if (error) void queryFailure(error.code, promisify(resolver.resolveNs).bind(resolver, '.')).then(reject)
      else if (!addresses?.length) reject(noAddress())
      else resolve(addresses.map(address => ({ address, family })))
    }
    if (family === 4) resolver.resolve4(name, done)
    else resolver.resolve6(name, done)
  })
}

/**
 * Either family is enough, as name servers may fail for one of them (RFC 4074); a slow answer for the second family is
 * waited for only briefly, for IPv4 somewhat longer (RFC 8305).
 */
async function queryBoth(resolver: Resolver, name: string, hasSix: boolean): Promise<LookupAddress[]> {
  const six = hasSix ? settle(query(resolver, name, 6)) : undefined
  const asked = settle(query(resolver, name, 4))
  const late = six?.then(found => (found.ok ? after(1_000) : asked))
  const four = await (late ? Promise.race([asked, late]) : asked)
  if (four?.ok) {
    const other = six && (await Promise.race([six, after(50)]))
    return other?.ok ? [...four.value, ...other.value] : four.value
  }
  if (four && !six && four.error.message === notFound().message) throw four.error
  const other = await (six ?? settle(query(resolver, name, 6)))
  if (other.ok) return other.value
  const { error } = four ?? other
  throw error.code === 'dns_not_found' && error.message !== notFound().message ? other.error : error
}

const after = (ms: number) => new Promise<undefined>(resolve => setTimeout(resolve, ms, undefined))

type Settled<T> = { ok: true; value: T } | { ok: false; error: RunFailure }
const settle = <T>(promise: Promise<T>): Promise<Settled<T>> =>
  promise.then(
    value => ({ ok: true, value }),
    error => ({ ok: false, error: error instanceof RunFailure ? error : failed() }),
  )

function within<T>(signal: AbortSignal | undefined, promise: Promise<T>): Promise<T> {
  if (!signal) return promise
  return new Promise((resolve, reject) => {
    const stop = () => reject(timedOut())
    if (signal.aborted) stop()
    signal.addEventListener('abort', stop)
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop))
  })
}

/** The last such line of the file applies. */
function readSearch(path: string): string[] {
  const lines = [...readText(path).matchAll(/^[ \t]*(?:search|domain)[ \t]+(.+)$/gm)]
  const zones = lines.at(-1)?.[1]?.trim().toLowerCase().split(/\s+/) ?? []
  return zones.map(zone => zone.replace(/^\.|\.$/g, '')).filter(Boolean)
}

function readHosts(path: string): Map<string, LookupAddress[]> {
  const found = new Map<string, LookupAddress[]>()
  for (const line of readText(path).split('\n')) {
    const [address = '', ...names] = line.replace(/#.*/, '').trim().split(/\s+/)
    const family = isIP(address)
    if (!family) continue
    for (const name of names)
      found.set(
        name.toLowerCase(),
        [...(found.get(name.toLowerCase()) ?? []), { address, family }].sort((a, b) => a.family - b.family),
      )
  }
  return found
}

const readText = (path: string) => {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

/** Caches a value read from a file and reads it again when the file changed; checks the file every few seconds. */
function watched<T>(path: string, make: (path: string) => T): () => T {
  const stampOf = cached(5_000, () => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0)
  let made: { stamp: number; value: T } | undefined
  return () => {
    const stamp = stampOf()
    if (!made || made.stamp !== stamp) made = { stamp, value: make(path) }
    return made.value
  }
}
