import type { promises } from 'node:dns'
import { setTimeout as sleep } from 'node:timers/promises'
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

  /**
   * Called before any other query for a name. If its addresses cannot be resolved, the run fails; one family that is
   * answered suffices, and the other is waited for only so long.
   */
  async refuseName(name: string, waitMs: number): Promise<void> {
    const found: string[][] = []
    let failure: RunFailure | undefined
    const take = (asked: Promise<string[]>) =>
      asked.then(
        addresses => found.push(addresses) > 0 && addresses.length > 0,
        async error => {
          if (!isNone(error)) failure ??= await queryFailure(dnsCode(error), () => this.#resolver.resolveNs('.'))
          return false
        },
      )
    const four = take(this.#resolver.resolve4(name))
    await Promise.race([four, sleep(waitMs, undefined, { ref: false })])
    this.#refuse(found.flat())
    await untilOthers([four, take(this.#resolver.resolve6(name))], waitMs)
    this.#refuse(found.flat())
    if (failure && found.flat().length === 0) throw failure
  }

  /** Called with the records before they are reported. */
  async refuseRecords(name: string, records: Records, nameservers: readonly string[]): Promise<void> {
    this.#refuse([...(records.A ?? []), ...(records.AAAA ?? [])])
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

/** Waits for all, but once one of them has an answer, for the others at most this long. */
export async function untilOthers(asked: readonly Promise<boolean>[], waitMs: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const over = new Promise<void>(resolve => {
    for (const each of asked)
      void each.then(isAnswered => {
        if (isAnswered) timer ??= setTimeout(resolve, waitMs)
      })
  })
  await Promise.race([Promise.all(asked), over])
  clearTimeout(timer)
}

const dnsCode = (error: unknown) => (error instanceof Error && 'code' in error ? String(error.code) : undefined)
const isNone = (error: unknown) => ['ENODATA', 'ENOTFOUND'].includes(dnsCode(error) ?? '')

/** `alias`, `10 mail.example.com`, `0 5 443 host`: the host is the last word. */
const hostsIn = ({ CNAME = [], MX = [], NS = [], SRV = [] }: Records) =>
  [...CNAME, ...MX, ...NS, ...SRV].map(value => value.split(' ').at(-1) ?? '')
