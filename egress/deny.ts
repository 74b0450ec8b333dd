import { readFileSync, statSync } from 'node:fs'
import { isIP } from 'node:net'
import { networkInterfaces } from 'node:os'
import ipaddr from 'ipaddr.js'
import { type Address, addressAndPort, parsePort, parseRange, plainAddress, type Range, within } from './address.ts'
import { cached } from './cached.ts'

/** Addresses and ports that are refused even if the allow list names them or they are public. */
export interface DenyList {
  /** Addresses with every port denied. */
  ranges: readonly Range[]
  /** Denied ports, each with the addresses it is denied at. */
  ports: ReadonlyMap<number, readonly (Range | 'this machine')[]>
  /** A file of ports of this machine that are denied too, which is read again when it changes. */
  portsFile?: string
}

export const emptyDenyList: DenyList = { ranges: [], ports: new Map() }

const filePrefix = 'file:'

/**
 * Entries separated by commas or spaces: `5432` is a port of this machine at any of its addresses, `10.0.0.5` or
 * `10.0.0.0/24` every port there, `10.0.0.5:5432` or `[fd00::1]:5432` one port, `file:/path` a file of ports of this
 * machine, one a line. One error lists all invalid entries.
 */
export function parseDenyList(text: string): DenyList {
  const invalid: string[] = []
  const ranges: Range[] = []
  const ports = new Map<number, (Range | 'this machine')[]>()
  const files: string[] = []
  for (const entry of text.split(/[\s,]+/).filter(Boolean)) {
    if (entry.startsWith(filePrefix)) {
      files.push(decodeURIComponent(entry.slice(filePrefix.length)))
      continue
    }
    const [, six, four, entryPort] = addressAndPort.exec(entry) ?? []
    const isPort = /^\d+$/.test(entry)
    const range = isPort ? undefined : parseRange(six ?? four ?? entry)
    const portText = isPort ? entry : entryPort
    const port = portText === undefined ? undefined : parsePort(portText)
    if ((portText !== undefined && port === undefined) || (!range && !isPort)) invalid.push(entry)
    else if (port !== undefined) ports.set(port, [...(ports.get(port) ?? []), range ?? 'this machine'])
    else if (range) ranges.push(range)
  }
  const [portsFile, ...more] = files
  invalid.push(...more.map(file => filePrefix + file))
  if (invalid.length)
    throw new Error(
      `Not a port, an address, a CIDR range or address:port: ${invalid.map(entry => `"${entry}"`).join(', ')}.`,
    )
  return { ranges, ports, ...(portsFile && { portsFile }) }
}

/** The entry of a deny list for a file of ports. */
export const denyFileEntry = (path: string) => filePrefix + encodeURIComponent(path).replaceAll('%2F', '/')

/** The ports of the file of a deny list, read again a quarter of a second after it has changed at the latest. */
export function portsIn(file: string): () => ReadonlySet<number> {
  let ports: ReadonlySet<number> = new Set()
  let changed = 0
  return cached(250, () => {
    try {
      const { mtimeMs } = statSync(file)
      if (mtimeMs === changed) return ports
      ports = new Set(readFileSync(file, 'utf8').split(/\s+/).filter(Boolean).map(Number))
      changed = mtimeMs
    } catch {
      // gone or unreadable: what it said last stays denied
    }
    return ports
  })
}

/** Whether the list contains the address, or the address with this port. */
export function isDenied(text: string, port: number | undefined, { ranges, ports }: DenyList): boolean {
  const entries = port === undefined ? undefined : ports.get(port)
  if (ranges.length === 0 && entries === undefined) return false
  const address = plainAddress(text)
  if (!address) return true
  if (within(address, ranges)) return true
  return entries?.some(entry => (entry === 'this machine' ? isThisMachine(address) : within(address, [entry]))) ?? false
}

const ownAddresses = cached(
  10_000,
  () =>
    new Set(
      Object.values(networkInterfaces()).flatMap(
        list => list?.map(({ address }) => canonical(ipaddr.parse(address))) ?? [],
      ),
    ),
)

/** Whether the text is an address of this machine. */
export function isOfThisMachine(text: string): boolean {
  const address = plainAddress(text)
  return address !== undefined && isThisMachine(address)
}

/** Loopback, the unspecified address (which leads to loopback), and the addresses of the machine's interfaces. */
const isThisMachine = (address: Address) =>
  address.range() === 'loopback' || address.range() === 'unspecified' || ownAddresses().has(canonical(address))

const canonical = (address: Address) => address.toNormalizedString().replace(/%.*$/, '')

/** Whether only this machine can connect to a server that listens on this host. */
export const isLoopbackHost = (host: string) => /^(localhost|127(\.\d{1,3}){3}|::1)$/i.test(host)

/**
 * Whether only people of this machine can use an installation: it listens on loopback, its address is there too, and no
 * proxy on this machine passes on requests of others.
 */
export const isForThisMachine = (host: string, baseUrl: string, trustedProxies: number) =>
  isLoopbackHost(host) && isLoopbackHost(new URL(baseUrl).hostname.replace(/^\[|\]$/g, '')) && trustedProxies === 0

/**
 * The deny list entry for one of our own services: its port if the address is of this machine; address and port if it
 * is of another machine; undefined for a name, because it may resolve differently later.
 */
export function denyEntryOf(host: string, port: number): string | undefined {
  const bare = host.replace(/^\[|\]$/g, '')
  if (/^(localhost|.*\.localhost)\.?$/i.test(bare)) return String(port)
  const address = isIP(bare) ? plainAddress(bare) : undefined
  if (!address) return
  if (isThisMachine(address)) return String(port)
  return isIP(bare) === 6 ? `[${bare}]:${port}` : `${bare}:${port}`
}
