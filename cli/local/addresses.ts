import { lookup } from 'node:dns/promises'
import { isIP } from 'node:net'
import { networkInterfaces } from 'node:os'
import { denyEntryOf } from '#egress/deny.ts'

const isWildcard = (host: string) => host === '0.0.0.0' || host === '::'
const bracketed = (host: string) => (isIP(host) === 6 ? `[${host}]` : host)
/** The host at which this machine reaches a listener on this address. */
export const dialable = (host: string) => (isWildcard(host) ? '127.0.0.1' : bracketed(host))

/** The URL of a listener. One on all interfaces is named by the first address that other machines can reach. */
export function baseUrlFor(host: string, port: number): string {
  if (host === '127.0.0.1' || host === '::1') return `http://localhost:${port}`
  const outer = Object.values(networkInterfaces()).flatMap(
    list => list?.filter(({ family, internal }) => family === 'IPv4' && !internal) ?? [],
  )
  return `http://${isWildcard(host) ? (outer[0]?.address ?? 'localhost') : bracketed(host)}:${port}`
}

/** Our services as entries of a deny list, with names resolved to addresses. */
export async function placesOf(urls: readonly (string | null)[]): Promise<string[]> {
  const ports: Record<string, number> = {
    'postgres:': 5_432,
    'postgresql:': 5_432,
    'http:': 80,
    'https:': 443,
    'temporal:': 7_233,
  }
  const places = urls
    .flatMap(url => (url === null ? [] : [new URL(url)]))
    .map(async ({ protocol, hostname, port }) => {
      const number = Number(port) || (ports[protocol] ?? 0)
      const known = denyEntryOf(hostname, number)
      if (known) return [known]
      const addresses = await lookup(hostname, { all: true }).catch(() => [])
      return addresses.flatMap(({ address }) => denyEntryOf(address, number) ?? [])
    })
  return (await Promise.all(places)).flat()
}
