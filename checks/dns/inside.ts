import type { promises } from 'node:dns'
import { parse } from 'tldts'
import { RunFailure } from '#contract/check.ts'
import type { Guard } from '#egress/guard.ts'
import { dnsFailure } from '#egress/names.ts'
import type { Records } from './kind.ts'

type Resolver = Pick<promises.Resolver, 'resolve4' | 'resolve6'>

/** Hosts that records lead to and that are looked up; of a zone inside, the first would do. */
const hostsAtMost = 30

const blocked = () => new RunFailure('blocked', 'guard', 'The name leads to an address that is not public.')

/**
 * Keeps what the region's own resolver knows of its inside from tenants. A name inside is told by the addresses of itself, of the hosts
 * its records name and of the name servers of its zone. Where the domain is none that anybody can register, one of them must be
 * reachable: `secret.lan` may have no address at all.
 */
export class Inside {
  readonly #resolver: Resolver
  readonly #guard: Pick<Guard, 'mayReach'>
  #isReachable = false

  constructor(resolver: Resolver, guard: Pick<Guard, 'mayReach'>) {
    this.#resolver = resolver
    this.#guard = guard
  }

  /** Before anything else is asked of a name. That nobody could say what its addresses are is a failure. */
  async refuseName(name: string): Promise<void> {
    const four = this.#resolver.resolve4(name).catch(error => {
      if (isNone(error)) return []
      throw dnsFailure(codeOf(error))
    })
    this.#refuse(await four)
    // there are name servers that never answer this question
    this.#refuse(await this.#resolver.resolve6(name).catch(() => []))
  }

  /** After its records are known, and before they are told. */
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

const codeOf = (error: unknown) => (error instanceof Error && 'code' in error ? String(error.code) : undefined)
const isNone = (error: unknown) => ['ENODATA', 'ENOTFOUND'].includes(codeOf(error) ?? '')

/** `alias`, `10 mail.example.com`, `0 5 443 host`: the host is what stands last. */
const hostsIn = ({ CNAME = [], MX = [], NS = [], SRV = [] }: Records) =>
  [...CNAME, ...MX, ...NS, ...SRV].map(value => value.split(' ').at(-1) ?? '')
