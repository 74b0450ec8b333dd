import { isPassiveKind } from '#checks/index.ts'
import { hostOf } from '#checks/target.ts'

/** As many keys of a host as are kept. */
const mostKeys = 16

/** An address as others that lead to the same host are compared with it. */
const plain = (address: string) => address.toLowerCase().replace(/^::ffff:(?=\d+\.)/, '')

/**
 * By what two monitors are known to be of one host: its name, first, and the addresses that regions connected to. Empty
 * for a check without a target: the address of its monitor is a link for people.
 */
export function hostKeys(
  { kind, url }: { kind: string; url: string },
  addresses: readonly (string | null)[],
): string[] {
  if (isPassiveKind(kind) || !URL.canParse(url)) return []
  const host = hostOf({ url }).host.replace(/\.+$/, '')
  if (host === '') return []
  return [...new Set([host, ...addresses.filter(each => each !== null).map(plain)])].slice(0, mostKeys)
}

interface OfHost {
  tenant: string
  keys: readonly string[]
}

/** Numbers the hosts of one moment: those of one tenant that share a key, also by way of others, get one number. */
export function numberHosts(hosts: readonly OfHost[]): number[] {
  const parents = hosts.map((_, index) => index)
  const root = (index: number): number => {
    let at = index
    while (parents[at] !== at) {
      parents[at] = parents[parents[at]!]!
      at = parents[at]!
    }
    return at
  }
  const first = new Map<string, number>()
  for (const [index, { tenant, keys }] of hosts.entries())
    for (const key of keys) {
      const known = first.get(`${tenant} ${key}`)
      if (known === undefined) first.set(`${tenant} ${key}`, index)
      else parents[root(index)] = root(known)
    }
  return hosts.map((_, index) => root(index))
}
