import { type LookupAddress, lookup, Resolver } from 'node:dns'
import { readFileSync, statSync } from 'node:fs'
import { isIP } from 'node:net'
import { networkInterfaces } from 'node:os'
import { LookFailure } from '#contract/check.ts'
import { kept } from './kept.ts'

export type Family = 4 | 6

/** All addresses of a name, IPv4 first. Fails as a `LookFailure` of phase `dns`. */
export type Lookup = (host: string, family: Family | undefined, signal?: AbortSignal) => Promise<LookupAddress[]>

const notFound = () => new LookFailure('dns_not_found', 'dns', 'The name does not exist.')
const noAddress = () => new LookFailure('dns_not_found', 'dns', 'The name has no address.')
const failed = () => new LookFailure('dns_failed', 'dns', 'The name servers of this name failed to answer.')
const timedOut = () => new LookFailure('dns_timeout', 'dns', 'The name was not resolved in time.')

/** What an error of the resolver means: nobody there to ask is our trouble, all else is the name's. */
export function dnsFailure(code: string | undefined): LookFailure {
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
      return new LookFailure('resolver_ill', 'dns', 'The resolver of this region cannot be asked.')
    default:
      return failed()
  }
}

/**
 * Looks names up as the system would (hosts file, then its name servers), yet not through getaddrinfo: that runs on
 * four threads, where a few names with dead servers would hold up all others, and hides why it failed.
 * Names without a dot may need the system's search list, so those few do go there.
 * `servers` replaces the system's name servers.
 */
export function systemLookup({ servers }: { servers?: readonly string[] } = {}): Lookup {
  const resolver = watched('/etc/resolv.conf', () => {
    const fresh = new Resolver({ timeout: 2_000, tries: 3 })
    if (servers) fresh.setServers(servers)
    return fresh
  })
  const hosts = watched('/etc/hosts', readHosts)

  return async (host, family, signal) => {
    const name = host.toLowerCase().replace(/\.$/, '')
    const known = hosts().get(name) ?? (/(^|\.)localhost$/.test(name) ? loopback : undefined)
    const fitting = known?.filter(entry => !family || entry.family === family)
    if (fitting?.length) return fitting
    if (!name.includes('.') && !servers) return within(signal, ask(name, family))
    return within(signal, family ? query(resolver(), name, family) : queryBoth(resolver(), name, hasIPv6()))
  }
}

/** Whether this machine has an IPv6 address beyond its own link. */
export const hasIPv6 = kept(10_000, () =>
  Object.values(networkInterfaces()).some(list => list?.some(({ address, family, internal }) => family === 'IPv6' && !internal && !/^fe[89ab]/i.test(address))),
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

type Settled<T> = { ok: true; value: T } | { ok: false; error: LookFailure }
const settle = <T>(promise: Promise<T>): Promise<Settled<T>> =>
  promise.then(
    value => ({ ok: true, value }),
    error => ({ ok: false, error: error instanceof LookFailure ? error : failed() }),
  )

const ask = (name: string, family: Family | undefined): Promise<LookupAddress[]> =>
  new Promise((resolve, reject) => {
    lookup(name, { all: true, family: family ?? 0, order: 'ipv4first' }, (error, addresses) => {
      if (error) reject(error.code === 'EAI_AGAIN' ? timedOut() : dnsFailure(error.code))
      else resolve(addresses)
    })
  })

function within<T>(signal: AbortSignal | undefined, promise: Promise<T>): Promise<T> {
  if (!signal) return promise
  return new Promise((resolve, reject) => {
    const stop = () => reject(timedOut())
    if (signal.aborted) stop()
    signal.addEventListener('abort', stop)
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop))
  })
}

function readHosts(path: string): Map<string, LookupAddress[]> {
  const found = new Map<string, LookupAddress[]>()
  for (const line of readFileSync(path, 'utf8').split('\n')) {
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
