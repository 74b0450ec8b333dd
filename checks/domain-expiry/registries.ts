import { readFileSync } from 'node:fs'
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { z } from 'zod'
import { follow } from '#checks/http/get.ts'
import type { Reach } from '#checks/http/send.ts'
import { RegistryMemory } from './memory.ts'

/** The servers of the registry of each zone. Names have no leading dot; `.` is the root, which IANA answers for. */
export interface Servers {
  rdap: Map<string, string[]>
  whois: Map<string, string>
}

const dayMs = 86_400_000
const retryMs = 3_600_000
const maxBootstrapBytes = 2_000_000

/**
 * Parses lines of `rdap|whois server zone zone …`; `{tld}` in a server stands for each zone. One error lists all
 * invalid lines.
 */
export function parseServers(text: string): Servers {
  const servers: Servers = { rdap: new Map(), whois: new Map() }
  const invalid: number[] = []
  for (const [index, line] of text.split('\n').entries()) {
    const [protocol = '', server = '', ...zones] = line.replace(/^#.*/, '').trim().toLowerCase().split(/\s+/)
    if (!protocol) continue
    const isRdap = protocol === 'rdap' && /^https?:\/\/[^/]+\/([^?#]*\/)?$/.test(server)
    const isWhois = protocol === 'whois' && /^[^/\s]+$/.test(server)
    if (zones.length === 0 || (!isRdap && !isWhois)) invalid.push(index + 1)
    for (const zone of zones) {
      const address = server.replaceAll('{tld}', zone)
      if (isRdap) servers.rdap.set(zone, [address])
      if (isWhois) servers.whois.set(zone, address)
    }
  }
  if (invalid.length) throw new Error(`Not a registry's server and its zones: line ${invalid.join(', ')}.`)
  return servers
}

const Bootstrap = z.object({
  services: z
    .array(z.tuple([z.array(z.string().max(253)), z.array(z.string().max(500))]).rest(z.unknown()))
    .max(10_000),
})

/** IANA's list of RDAP servers (RFC 9224), https servers only; null for any other document. */
export function readBootstrap(text: string): Map<string, string[]> | null {
  const { data } = Bootstrap.safeParse(parseJson(text))
  if (!data) return null
  const known = new Map<string, string[]>()
  for (const [zones, urls] of data.services) {
    const usable = urls
      .filter(url => url.startsWith('https://') && URL.canParse(url))
      .map(url => (url.endsWith('/') ? url : `${url}/`))
    if (usable.length) for (const zone of zones) known.set(zone.toLowerCase(), usable.slice(0, 3))
  }
  // the real list has over a thousand entries; an error page that parses must not replace it
  return known.size >= 10 ? known : null
}

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

let packaged: Servers | undefined
const packagedServers = () => {
  packaged ??= parseServers(readFileSync(new URL('./registries.txt', import.meta.url), 'utf8'))
  return packaged
}

export interface RegistriesOptions {
  /** The operator's own servers, which take precedence. Never set by a tenant: agents connect to them. */
  own?: Servers | undefined
  /** Where IANA publishes its list; undefined: only the list in the package is used. */
  bootstrapUrl?: string | undefined
  /** Where the list is stored across restarts. */
  cacheFile?: string | undefined
}

/**
 * The servers of a domain's registry: the operator's setting, then IANA's current list, then the package's. Also the
 * last answers.
 */
export class Registries {
  readonly memory = new RegistryMemory()
  readonly #options: RegistriesOptions
  #published: Map<string, string[]> | undefined
  #nextAt = 0
  #refreshing: Promise<void> | undefined
  #isLoaded = false

  constructor(options: RegistriesOptions = {}) {
    this.#options = options
  }

  /** Base URLs of the RDAP servers of the longest zone that contains the domain. */
  rdapOf(domain: string): readonly string[] {
    const { own } = this.#options
    if (own && this.#isOwn(domain)) return nearest(own.rdap, domain) ?? []
    return (this.#published && nearest(this.#published, domain)) ?? nearest(packagedServers().rdap, domain) ?? []
  }

  whoisOf(domain: string): string | undefined {
    const { own } = this.#options
    return nearest(own && this.#isOwn(domain) ? own.whois : packagedServers().whois, domain)
  }

  /**
   * The server to query for the WHOIS server of an unknown zone; undefined where the operator configured the domain.
   */
  rootOf(domain: string): string | undefined {
    return this.#isOwn(domain) ? undefined : (this.#options.own?.whois.get('.') ?? packagedServers().whois.get('.'))
  }

  /** Whether the operator configured the domain: then no other server is queried. */
  #isOwn(domain: string): boolean {
    const { own } = this.#options
    return Boolean(own && (nearest(own.rdap, domain) ?? nearest(own.whois, domain)))
  }

  /**
   * Fetches IANA's list when it is a day old. Only the stored file is waited for; a failure keeps the previous list.
   */
  async refresh(reach: Pick<Reach, 'guard' | 'now'>): Promise<void> {
    if (!this.#isLoaded) await this.#load(reach.now())
    if (!this.#options.bootstrapUrl || this.#refreshing || reach.now() < this.#nextAt) return
    this.#nextAt = reach.now() + retryMs
    this.#refreshing = this.#fetch(this.#options.bootstrapUrl, reach)
      .catch(() => {})
      .finally(() => {
        this.#refreshing = undefined
      })
  }

  /** For tests: the refresh in progress, if any. */
  get refreshing() {
    return this.#refreshing
  }

  async #load(now: number) {
    this.#isLoaded = true
    const { cacheFile } = this.#options
    const text = cacheFile ? await readFile(cacheFile, 'utf8').catch(() => '') : ''
    const published = text ? readBootstrap(text) : null
    if (!published) return
    this.#published = published
    const { fetched_at } = z.object({ fetched_at: z.number().catch(0) }).parse(parseJson(text))
    this.#nextAt = Math.min(now, fetched_at) + dayMs
  }

  async #fetch(url: string, { guard, now }: Pick<Reach, 'guard' | 'now'>) {
    const reach = { guard, now, signal: AbortSignal.timeout(30_000) }
    const page = await follow(new URL(url), reach, {
      maxBytes: maxBootstrapBytes,
      maxHops: 3,
      allowDowngrade: false,
      headers: { accept: 'application/json' },
    })
    const published = page.status === 200 && !page.truncated ? readBootstrap(page.body.toString('utf8')) : null
    if (!published) return
    this.#published = published
    this.#nextAt = now() + dayMs
    const { cacheFile } = this.#options
    if (!cacheFile) return
    const services = [...published].map(([zone, urls]) => [[zone], urls])
    await mkdir(dirname(cacheFile), { recursive: true })
    await writeFile(`${cacheFile}.new`, JSON.stringify({ fetched_at: now(), services }))
    await rename(`${cacheFile}.new`, cacheFile)
  }
}

/** The entry of the longest zone that contains a name. */
function nearest<T>(zones: ReadonlyMap<string, T>, domain: string): T | undefined {
  for (let name = domain; name; name = name.slice(name.indexOf('.') + 1)) {
    const found = zones.get(name)
    if (found !== undefined) return found
    if (!name.includes('.')) return undefined
  }
  return undefined
}
