import type { promises } from 'node:dns'
import { parse } from 'tldts'
import { RunFailure } from '#contract/check.ts'
import type { Guard } from '#egress/guard.ts'
import { queryFailure } from '#egress/names.ts'
import type { Records } from './kind.ts'

type Resolver = Pick<promises.Resolver, 'resolve4' | 'resolve6' | 'resolveNs'>

/** Most hosts in records that are resolved; the first of them would reveal an internal zone. */
const hostsAtMost = 30

const blocked = () => new RunFailure('blocked', 'guard', 'The name leads to an address that is not public.')

/**
 * Prevents tenants from reading the internal zones of the region's resolver. A name counts as internal by its own
 * addresses and by those of the hosts in its records and of its zone's name servers. For a domain that cannot be
 * registered, one of these addresses must be public: `secret.lan` may have no address at all.
 */
export class InternalNames {
  readonly #resolver: Resolver
  readonly #guard: Pick<Guard, 'mayReach'>
  #isReachable = false

  constructor(resolver: Resolver, guard: Pick<Guard, 'mayReach'>) {
    this.#resolver = resolver
    this.#guard = guard
  }

  /** Called before any other query for a name. If its addresses cannot be resolved, the run fails. */
  async refuseName(name: string): Promise<void> {
    const four = this.#resolver.resolve4(name).catch(async error => {
      if (isNone(error)) return []
      throw await queryFailure(dnsCode(error), () => this.#resolver.resolveNs('.'))
    })
    this.#refuse(await four)
    // some name servers never answer this query
    this.#refuse(await this.#resolver.resolve6(name).catch(() => []))
  }

  /** Called with the records before they are reported. */
  async refuseRecords(name: string, records: Records, nameservers: readonly string[]): Promise<void> {
    const hosts = new Set([...nameservers, ...hostsIn(records)])
    hosts.delete('')
    const ask = async (host: string) => {
      const found = [this.#resolver.resolve4(host), this.#resolver.resolve6(host)].map(asked => asked.catch(() => []))
      for (const addresses of found) this.#refuse(await addresses)
    }
    await Promise.all([...hosts].slice(0, hostsAtMost).map(ask))
    if (!this.#isReachable && !parse(name, { allowPrivateDomains: false, validateHostname: false }).isIcann)
      throw blocked()
  }

  #refuse(addresses: readonly string[]): void {
    if (!addresses.every(address => this.#guard.mayReach(address))) throw blocked()
    if (addresses.length > 0) this.#isReachable = true
  }
}

const dnsCode = (error: unknown) => (error instanceof Error && 'code' in error ? String(error.code) : undefined)
const isNone = (error: unknown) => ['ENODATA', 'ENOTFOUND'].includes(dnsCode(error) ?? '')

/** `alias`, `10 mail.example.com`, `0 5 443 host`: the host is the last word. */
const hostsIn = ({ CNAME = [], MX = [], NS = [], SRV = [] }: Records) =>
  [...CNAME, ...MX, ...NS, ...SRV].map(value => value.split(' ').at(-1) ?? '')
