import { type LookupAddress, Resolver } from 'node:dns'
import { readFileSync, statSync } from 'node:fs'
import { isIP } from 'node:net'
import { networkInterfaces } from 'node:os'
import { LRUCache } from 'lru-cache'
import { RunFailure } from '#contract/check.ts'
import { kept } from './kept.ts'

export type Family = 4 | 6

/** All addresses of a name, IPv4 first. Fails as a `RunFailure` of phase `dns`. */
export type Lookup = (host: string, family: Family | undefined, signal?: AbortSignal) => Promise<LookupAddress[]>

const notFound = () => new RunFailure('dns_not_found', 'dns', 'The name does not exist.')
const noAddress = () => new RunFailure('dns_not_found', 'dns', 'The name has no address.')
const failed = () => new RunFailure('dns_failed', 'dns', 'The name servers of this name failed to answer.')
const timedOut = () => new RunFailure('dns_timeout', 'dns', 'The name was not resolved in time.')

/** What an error of the resolver means: nobody there to ask is our trouble, all else is the name's. */
export function dnsFailure(code: string | undefined): RunFailure {
  switch (code) {
    case 'ENOTFOUND':
    case 'EAI_NONAME':
    case 'EBADNAME':
      return notFound()
    case 'ENODATA':
    case 'EAI_NODATA':
      return noAddress()
    case 'ETIMEOUT':
    case 'ECANCELLED':
      return timedOut()
    case 'ECONNREFUSED':
    case 'ELOADIPHLPAPI':
    case 'EDESTRUCTION':
      return new RunFailure('resolver_unavailable', 'dns', 'The resolver of this region cannot be asked.')
    default:
      return failed()
  }
}

interface System {
  resolver: Resolver
  /** Zones in which a name without a dot is looked for. */
  search: readonly string[]
}

/**
 * Looks names up as the system would (hosts file, then its name servers, with its search list for names without a dot), yet not
 * through getaddrinfo: that runs on four threads, where a few names with dead servers would hold up all others, and hides why
 * it failed. `servers` and `search` replace the system's.
 */
export function systemLookup({
  servers,
  search,
}: {
  servers?: readonly string[]
  search?: readonly string[]
} = {}): Lookup {
  const system = watched('/etc/resolv.conf', (path): System => {
    const resolver = new Resolver({ timeout: 2_000, tries: 3 })
    if (servers) resolver.setServers(servers)
    return { resolver, search: search ?? (servers ? [] : readSearch(path)) }
  })
  const hosts = watched('/etc/hosts', readHosts)
  const unanswered = new Unanswered()

  return async (host, family, signal) => {
    const name = host.toLowerCase().replace(/\.$/, '')
    const known = hosts().get(name) ?? (/(^|\.)localhost$/.test(name) ? loopback : undefined)
    const fitting = known?.filter(entry => !family || entry.family === family)
    if (fitting?.length) return fitting
    const { resolver, search: zones } = system()
    const ask = (full: string) =>
      unanswered.ask(`${full} ${family ?? ''}`, () =>
        family ? query(resolver, full, family) : queryBoth(resolver, full, hasIPv6()),
      )
    return within(signal, name.includes('.') ? ask(name) : askInZones(name, zones, ask))
  }
}

/** A name is asked for as ever until so many questions in a row had no answer: confirmations are questions of their own. */
const askedAnyway = 3
/** Whoever wants a name within this time of another shares the question. A later one may find it answered by then. */
const sharedMs = 1_000
const [firstWaitMs, longestWaitMs] = [5_000, 10_000]

/**
 * Names that nobody answers for cost ever less: each is asked for once a second at most, whoever wants it, and is left alone for longer and
 * longer, ten seconds at most, so that it is found soon once it is back (RFC 9520 wants failures to resolve kept for a while). Only
 * what is not answered while other names are is held against a name; all else may be the resolver's own trouble.
 */
class Unanswered {
  readonly #asking = new Map<string, { at: number; answer: Promise<LookupAddress[]> }>()
  readonly #names = new LRUCache<string, { times: number; until: number }>({ max: 20_000 })
  #answeredAt = Number.NEGATIVE_INFINITY

  async ask(name: string, question: () => Promise<LookupAddress[]>): Promise<LookupAddress[]> {
    const known = this.#names.get(name)
    if (known && performance.now() < known.until) throw timedOut()
    const now = performance.now()
    const asked = this.#asking.get(name)
    if (asked && now - asked.at < sharedMs) return [...(await asked.answer)]
    const asking = { at: now, answer: this.#askNow(name, question) }
    this.#asking.set(name, asking)
    try {
      return [...(await asking.answer)]
    } finally {
      if (this.#asking.get(name) === asking) this.#asking.delete(name)
    }
  }

  async #askNow(name: string, question: () => Promise<LookupAddress[]>): Promise<LookupAddress[]> {
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
    const waitMs = times < askedAnyway ? 0 : Math.min(longestWaitMs, firstWaitMs * 2 ** (times - askedAnyway))
    this.#names.set(name, { times, until: performance.now() + waitMs })
  }
}

/** In one zone after the other, then by itself. A zone that fails to answer may have had it. */
async function askInZones(
  name: string,
  zones: readonly string[],
  ask: (full: string) => Promise<LookupAddress[]>,
): Promise<LookupAddress[]> {
  let failure: RunFailure | undefined
  for (const full of [...zones.map(zone => `${name}.${zone}`), name]) {
    const found = await settle(ask(full))
    if (found.ok) return found.value
    if (!failure || failure.code === 'dns_not_found') failure = found.error
  }
  throw failure ?? notFound()
}

/** Whether this machine has an IPv6 address beyond its own link. */
export const hasIPv6 = kept(10_000, () =>
  Object.values(networkInterfaces()).some(list =>
    list?.some(({ address, family, internal }) => family === 'IPv6' && !internal && !/^fe[89ab]/i.test(address)),
  ),
)

const loopback: LookupAddress[] = [
  { address: '127.0.0.1', family: 4 },
  { address: '::1', family: 6 },
]

function query(resolver: Resolver, name: string, family: Family): Promise<LookupAddress[]> {
  return new Promise((resolve, reject) => {
    const done = (error: NodeJS.ErrnoException | null, addresses: string[]) => {
      if (error) reject(dnsFailure(error.code))
      else if (!addresses?.length) reject(noAddress())
      else resolve(addresses.map(address => ({ address, family })))
    }
    if (family === 4) resolver.resolve4(name, done)
    else resolver.resolve6(name, done)
  })
}

/** Either family will do; a resolver that is slow with the other one gets a moment, not the whole look. */
async function queryBoth(resolver: Resolver, name: string, hasIPv6: boolean): Promise<LookupAddress[]> {
  const six = hasIPv6 ? settle(query(resolver, name, 6)) : undefined
  const four = await settle(query(resolver, name, 4))
  if (four.ok) {
    const other = six && (await Promise.race([six, after(50)]))
    return other?.ok ? [...four.value, ...other.value] : four.value
  }
  if (four.error.message === notFound().message) throw four.error
  const other = await (six ?? settle(query(resolver, name, 6)))
  if (other.ok) return other.value
  throw four.error.code === 'dns_not_found' ? other.error : four.error
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

/** The last such line counts. */
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

/** Made anew when the file has changed; looked at every few seconds at most. */
function watched<T>(path: string, make: (path: string) => T): () => T {
  const stampOf = kept(5_000, () => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0)
  let made: { stamp: number; value: T } | undefined
  return () => {
    const stamp = stampOf()
    if (!made || made.stamp !== stamp) made = { stamp, value: make(path) }
    return made.value
  }
}
