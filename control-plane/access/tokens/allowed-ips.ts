import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'
import { z } from 'zod'
import { parseRange, within } from '#egress/address.ts'

/** An address or a CIDR range, in its shortest spelling and without host bits; null for anything else. */
function canonical(text: string): string | null {
  const parsed = parseRange(text)
  if (!parsed) return null
  const [address, length] = parsed
  // an IPv4-mapped caller is compared as the IPv4 address
  if (address instanceof ipaddr.IPv6 && address.isIPv4MappedAddress()) return null
  const range = `${address.toString()}/${length}`
  const network =
    address.kind() === 'ipv4' ? ipaddr.IPv4.networkAddressFromCIDR(range) : ipaddr.IPv6.networkAddressFromCIDR(range)
  return `${network.toString()}/${length}`
}

const cidr = z.string().transform((text, context) => {
  const range = canonical(text.trim())
  if (range !== null) return range
  context.addIssue({ code: 'custom', message: 'Must be an address or a CIDR range such as 192.0.2.0/24.' })
  return z.NEVER
})

export const AllowedIps = z
  .array(cidr)
  .min(1)
  .max(50)
  .transform(ranges => [...new Set(ranges)])
  .nullable()
  .default(null)
  .meta({
    description:
      'Addresses and CIDR ranges the key works from; elsewhere it is refused like an unknown key. Null: everywhere.',
  })

export function isWithin(ip: string, ranges: readonly string[]): boolean {
  if (!isIP(ip)) return false
  const address = ipaddr.process(ip)
  return ranges.some(range => {
    const parsed = parseRange(range)
    return parsed !== undefined && within(address, [parsed])
  })
}
