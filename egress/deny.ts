import { isIP } from 'node:net'
import { networkInterfaces } from 'node:os'
import ipaddr from 'ipaddr.js'
import { type Address, type AllowList, parseRange, plainAddress, type Range, within } from './address.ts'
import { kept } from './kept.ts'

/** What is never reached, whatever the allow list says and however public an address is. */
export interface DenyList {
  /** Addresses of which every port is denied. */
  ranges: AllowList
  /** Ports, and the addresses at which they are denied. */
  ports: ReadonlyMap<number, readonly (Range | 'this machine')[]>
}

export const nothingDenied: DenyList = { ranges: [], ports: new Map() }

/** `10.0.0.5:5432` and `[fd00::1]:5432`. */
const addressAndPort = /^(?:\[([^\]]+)\]|([^:[\]]+)):(\d+)$/

/**
 * Entries split by commas or spaces: `5432` is a port of this machine at any of its addresses, `10.0.0.5` or `10.0.0.0/24` every
 * port there, `10.0.0.5:5432` or `[fd00::1]:5432` one port. All that is wrong is said in one error.
 */
export function parseDenyList(text: string): DenyList {
  const wrong: string[] = []
  const ranges: Range[] = []
  const ports = new Map<number, (Range | 'this machine')[]>()
  for (const entry of text.split(/[\s,]+/).filter(Boolean)) {
    const [, six, four, placePort] = addressAndPort.exec(entry) ?? []
    const isPort = /^\d+$/.test(entry)
    const range = isPort ? undefined : parseRange(six ?? four ?? entry)
    const port = portOf(isPort ? entry : placePort)
    if (port === 'wrong' || (!range && !isPort)) wrong.push(entry)
    else if (port !== undefined) ports.set(port, [...(ports.get(port) ?? []), range ?? 'this machine'])
    else if (range) ranges.push(range)
  }
  if (wrong.length)
    throw new Error(
      `Not a port, an address, a CIDR range or address:port: ${wrong.map(entry => `"${entry}"`).join(', ')}.`,
    )
  return { ranges, ports }
}

function portOf(text: string | undefined): number | 'wrong' | undefined {
  if (text === undefined) return
  const port = Number(text)
  return port >= 1 && port <= 65_535 ? port : 'wrong'
}

/** Whether the list names the address, or the address with this port. */
export function isDenied(text: string, port: number | undefined, { ranges, ports }: DenyList): boolean {
  const entries = port === undefined ? undefined : ports.get(port)
  if (ranges.length === 0 && entries === undefined) return false
  const address = plainAddress(text)
  if (!address) return true
  if (within(address, ranges)) return true
  return entries?.some(entry => (entry === 'this machine' ? isThisMachine(address) : within(address, [entry]))) ?? false
}

const ownAddresses = kept(
  10_000,
  () =>
    new Set(
      Object.values(networkInterfaces()).flatMap(
        list => list?.map(({ address }) => spell(ipaddr.parse(address))) ?? [],
      ),
    ),
)

/** Loopback, the unspecified address (which leads there), and what the machine's interfaces have. */
const isThisMachine = (address: Address) =>
  address.range() === 'loopback' || address.range() === 'unspecified' || ownAddresses().has(spell(address))

const spell = (address: Address) => address.toNormalizedString().replace(/%.*$/, '')

/** Whether what listens there is heard by this machine alone. */
export const isLoopbackHost = (host: string) => /^(localhost|127(\.\d{1,3}){3}|::1)$/i.test(host)

/**
 * What a deny list says of the place of one of our own services: its port, where the address names this machine; the address with the
 * port, where it names another; undefined for a name, of which nobody knows yet where it leads.
 */
export function denyEntryOf(host: string, port: number): string | undefined {
  const bare = host.replace(/^\[|\]$/g, '')
  if (/^(localhost|.*\.localhost)\.?$/i.test(bare)) return String(port)
  const address = isIP(bare) ? plainAddress(bare) : undefined
  if (!address) return
  if (isThisMachine(address)) return String(port)
  return isIP(bare) === 6 ? `[${bare}]:${port}` : `${bare}:${port}`
}
