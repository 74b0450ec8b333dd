import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

export type Address = ipaddr.IPv4 | ipaddr.IPv6
export type Range = readonly [Address, number]

/** A range as a whole, or one port of it. */
export type Allowed = readonly [...Range, port?: number]

/** What the operator allows although it is not public. */
export type AllowList = readonly Allowed[]

/** `10.0.0.5:5432`, `127.0.0.0/8:8081` and `[fd00::1]:5432`. */
export const addressAndPort = /^(?:\[([^\]]+)\]|([^:[\]]+)):(\d+)$/

/** A port number; undefined for anything else. */
export function parsePort(text: string): number | undefined {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : 0
  return port >= 1 && port <= 65_535 ? port : undefined
}

/**
 * A list of addresses and CIDR ranges, separated by commas or spaces, each for all ports or, as `127.0.0.1:8081` and
 * `[::1]:8081`, for one. One error lists all invalid entries.
 */
export function parseAllowList(text: string): AllowList {
  const invalid: string[] = []
  const allowed = text.split(/[\s,]+/).flatMap((entry): Allowed[] => {
    if (!entry) return []
    const [, six, four, portText] = addressAndPort.exec(entry) ?? []
    const range = parseRange(six ?? four ?? entry)
    const port = portText === undefined ? undefined : parsePort(portText)
    if (range && portText === undefined) return [range]
    if (range && port !== undefined) return [[...range, port]]
    invalid.push(entry)
    return []
  })
  if (invalid.length)
    throw new Error(`Not an address, a CIDR range or address:port: ${invalid.map(entry => `"${entry}"`).join(', ')}.`)
  return allowed
}

/** An address or a CIDR range; undefined for anything else. */
export function parseRange(entry: string): Range | undefined {
  const [base = '', bits, ...rest] = entry.split('/')
  if (rest.length || (bits !== undefined && !/^\d{1,3}$/.test(bits))) return
  const address = parse(base)
  if (!address) return
  const width = address.kind() === 'ipv4' ? 32 : 128
  const length = bits === undefined ? width : Number(bits)
  return length <= width ? [address, length] : undefined
}

/**
 * Accepts only canonical notation, as resolvers and the kernel print it; other notations of a person's input are
 * refused.
 */
function parse(text: string): Address | undefined {
  if (!isIP(text) || text.includes('%')) return
  return ipaddr.parse(text)
}

const ranges = (...list: string[]): Range[] => list.map(entry => ipaddr.parseCIDR(entry))
export const within = (address: Address, list: readonly Range[]) =>
  list.some(([base, bits]) => address.kind() === base.kind() && address.match(base, bits))
const isAllowed = (address: Address, port: number | undefined, list: AllowList) =>
  list.some(([base, bits, only]) => (only === undefined || only === port) && within(address, [[base, bits]]))

/**
 * What is not public: the special ranges of IANA and the host of Azure's machines (168.63.129.16), by IPv4 and within
 * `public` of IPv6. The network policies of the Helm chart except the same; a test compares them.
 */
export const notPublic = {
  v4: [
    '0.0.0.0/8',
    '10.0.0.0/8',
    '100.64.0.0/10',
    '127.0.0.0/8',
    '168.63.129.16/32',
    '169.254.0.0/16',
    '172.16.0.0/12',
    '192.0.0.0/24',
    '192.0.2.0/24',
    '192.31.196.0/24',
    '192.52.193.0/24',
    '192.88.99.0/24',
    '192.168.0.0/16',
    '192.175.48.0/24',
    '198.18.0.0/15',
    '198.51.100.0/24',
    '203.0.113.0/24',
    '224.0.0.0/4',
    '240.0.0.0/4',
  ],
  v6: { public: '2000::/3', except: ['2001::/23', '2001:db8::/32', '2002::/16', '2620:4f:8000::/48', '3fff::/20'] },
} as const
const privateV4 = ranges(...notPublic.v4)
const publicV6 = ranges(notPublic.v6.public)
const privateV6 = ranges(...notPublic.v6.except)
/** IPv6 forms of an IPv4 address: mapped, and NAT64's well-known prefix. */
const ipv4Forms = ranges('::ffff:0:0/96', '64:ff9b::/96')

/**
 * Whether a connection to this port of the address, or without one to all its ports, is allowed: public unicast, or on
 * the allow list. An IPv6 form of an IPv4 address is judged by the IPv4 address, or refused.
 */
export function mayReach(text: string, allow: AllowList = [], port?: number): boolean {
  const address = parse(text)
  if (!address) return false
  if (address instanceof ipaddr.IPv4) return mayReachV4(address, allow, port)
  if (within(address, ipv4Forms)) return mayReachV4(embeddedV4(address), allow, port)
  if (isAllowed(address, port, allow)) return true
  if (!within(address, publicV6) || address.range() !== 'unicast' || within(address, privateV6)) return false
  return !isIsatap(address) || mayReachV4(embeddedV4(address), allow, port)
}

/** The address itself, or the IPv4 address inside an IPv6 form; undefined for invalid text. */
export function plainAddress(text: string): Address | undefined {
  const address = parse(text)
  return address instanceof ipaddr.IPv6 && within(address, ipv4Forms) ? embeddedV4(address) : address
}

const mayReachV4 = (address: ipaddr.IPv4, allow: AllowList, port: number | undefined) =>
  isAllowed(address, port, allow) || (address.range() === 'unicast' && !within(address, privateV4))

const embeddedV4 = (address: ipaddr.IPv6) => new ipaddr.IPv4(address.toByteArray().slice(12))

/** An interface id of `0:5efe` or `200:5efe` (ISATAP) tunnels to the IPv4 address after it. */
const isIsatap = (address: ipaddr.IPv6) =>
  (address.parts[4] === 0 || address.parts[4] === 0x200) && address.parts[5] === 0x5efe
