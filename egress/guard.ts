import { randomUUID, X509Certificate } from 'node:crypto'
import type { LookupAddress } from 'node:dns'
import { isIP, type OnReadOpts, Socket, type SocketConstructorOpts } from 'node:net'
import {
  type ConnectionOptions,
  connect as connectOverTls,
  createSecureContext,
  rootCertificates,
  type SecureContext,
  type TLSSocket,
} from 'node:tls'
import { parse } from 'tldts'
import { Agent, type Dispatcher } from 'undici'
import { isOwnFault, RunFailure } from '#contract/check.ts'
import { type AllowList, mayReach } from './address.ts'
import { type DenyList, emptyDenyList, isDenied, isOfThisMachine, portsIn } from './deny.ts'
import { connectFailure, failureOf, tlsFailure } from './failures.ts'
import { hasIPv6 } from './interfaces.ts'
import { type Family, type Lookup, systemLookup } from './names.ts'
import { commandPorts } from './ports.ts'

export interface ConnectOptions {
  /** A name, or an address in canonical notation. */
  host: string
  port: number
  /** Both families by default. */
  family?: Family | undefined
  signal?: AbortSignal | undefined
  /** Buffer to read into, which bypasses Node's streams. */
  onread?: OnReadOpts | undefined
}

export interface TlsConnectOptions extends ConnectOptions {
  /** The name sent as SNI and compared with the certificate; the host by default. */
  servername?: string | undefined
  alpn?: string[] | undefined
  /** The time at which certificates must be valid, in milliseconds. The wall clock by default. */
  now?: (() => number) | undefined
}

export interface Connected<S extends Socket = Socket> {
  socket: S
  address: string
  /** null when `host` is an address: nothing was resolved. */
  dnsMs: number | null
  connectMs: number
}

export interface ConnectedTls extends Connected<TLSSocket> {
  tlsMs: number
  certificate: X509Certificate | undefined
  /** Why the certificate is not trusted, as a code of OpenSSL or Node; null when it is trusted. */
  untrusted: string | null
}

export interface GuardOptions {
  /** Refused whatever is allowed, above all the ports of our own services. */
  deny?: DenyList
  lookup?: Lookup
  /** Name servers to use instead of the system's. */
  servers?: readonly string[]
  /** Certificates to trust besides the public authorities, in PEM. */
  ca?: readonly string[]
}

interface Opened<S extends Socket> {
  socket: S
  address: string
  connectedAt: number
}

/** The refusal when an address is saved that an allow list could allow. */
export const notPublicMessage = 'This address is not public.'

/** The same message for every refusal, so that its variations cannot reveal our internal network. */
const blocked = () => new RunFailure('blocked', 'guard', 'The target is not a public address.')

const commandPortMessage = 'This port is for another protocol than that of the web.'
const internalNames = /^(localhost|.*\.localhost|localhost\.localdomain|ip6-localhost|ip6-loopback|broadcasthost)$/
const metadataNames =
  /^(metadata\.google\.internal|metadata\.goog|metadata|instance-data|instance-data\.ec2\.internal)$/

const noAddressOf = (family: Family | undefined) =>
  new RunFailure('dns_not_found', 'dns', `The target has no IPv${family} address.`)
const noIPv6 = () => new RunFailure('unsupported', 'connect', 'This region has no IPv6.')

let anchors: readonly X509Certificate[] | undefined
/** The public authorities, parsed on first use. */
const publicAnchors = () => {
  anchors ??= rootCertificates.map(pem => new X509Certificate(pem))
  return anchors
}

/**
 * Excludes the post-quantum hybrid, whose key share makes a handshake a sixth more expensive; every server supports one
 * of these.
 */
const classicCurves = 'X25519:P-256:P-384:P-521'

/**
 * Every connection to a host that a customer names goes through here. The address is checked as written, as resolved
 * (one refused address refuses all), and once more as connected to. A name is resolved once per connection and the
 * checked address is the one dialled, so it cannot change in between.
 */
export class Guard {
  /** Name servers for probes that query DNS themselves; undefined: the system's. */
  readonly servers: readonly string[] | undefined
  readonly #allow: AllowList
  /** The single ports that the allow list names. */
  readonly #allowedPorts: readonly number[]
  readonly #deny: DenyList
  /** Denied at this machine, and changing: ports of the deny list's file, and those that were opened here. */
  readonly #filedPorts: () => ReadonlySet<number>
  readonly #openedPorts = new Set<number>()
  readonly #lookup: Lookup
  readonly #secureContext: SecureContext
  readonly #ca: readonly string[]
  #anchors: readonly X509Certificate[] | undefined
  readonly #reachable = new Map<string, boolean>()
  readonly #dispatchers = new Map<number, Dispatcher>()

  constructor(
    allow: AllowList = [],
    { deny = emptyDenyList, servers, lookup = systemLookup(servers ? { servers } : {}), ca }: GuardOptions = {},
  ) {
    this.servers = servers
    this.#allow = allow
    this.#allowedPorts = [...new Set(allow.map(([, , port]) => port).filter(port => port !== undefined))]
    this.#deny = deny
    const none: ReadonlySet<number> = new Set()
    this.#filedPorts = deny.portsFile === undefined ? () => none : portsIn(deny.portsFile)
    this.#lookup = lookup
    this.#ca = ca ?? []
    this.#secureContext = createSecureContext({
      ecdhCurve: classicCurves,
      ...(ca && { ca: [...rootCertificates, ...ca] }),
    })
  }

  /** Whether a trusted authority signed the certificate or is its subject. */
  isAnchored(certificate: X509Certificate): boolean {
    this.#anchors ??= [...publicAnchors(), ...this.#ca.map(pem => new X509Certificate(pem))]
    return this.#anchors.some(
      anchor =>
        anchor.subject === certificate.issuer &&
        certificate.checkIssued(anchor) &&
        certificate.verify(anchor.publicKey),
    )
  }

  /** The trust store for a TLS handshake that starts later on a plain connection (STARTTLS, proxies). */
  get secureContext(): SecureContext {
    return this.#secureContext
  }

  /** Without a port: whether all ports of the address that are not denied may be reached. */
  mayReach(address: string, port?: number): boolean {
    if (port === undefined) return this.#mayReachAll(address)
    if (!this.#allows(address, port)) return false
    if (this.#deny.ports.has(port) && isDenied(address, port, this.#deny)) return false
    const isOurs = this.#openedPorts.has(port) || this.#filedPorts().has(port)
    return !isOurs || !isOfThisMachine(address)
  }

  /** Whether the port may be reached unless it is denied by its number. Without a port: any port. */
  #allows(address: string, port: number | undefined): boolean {
    if (this.#mayReachAll(address)) return true
    const ports = port === undefined ? this.#allowedPorts : this.#allowedPorts.filter(each => each === port)
    return ports.some(each => mayReach(address, this.#allow, each)) && !isDenied(address, undefined, this.#deny)
  }

  /** Denies a port of this machine that this process has opened. Returns what allows it again. */
  denyPort(port: number): () => void {
    this.#openedPorts.add(port)
    return () => this.#openedPorts.delete(port)
  }

  #mayReachAll(address: string): boolean {
    const known = this.#reachable.get(address)
    if (known !== undefined) return known
    const isReachable = mayReach(address, this.#allow) && !isDenied(address, undefined, this.#deny)
    if (this.#reachable.size >= 10_000) this.#reachable.clear()
    this.#reachable.set(address, isReachable)
    return isReachable
  }

  /** Checks a host and port when they are saved: why they can never be reached, or null. Does not resolve the name. */
  refuseHost(host: string, port?: number): string | null {
    const isSix = isIP(host) === 6
    const url = isSix || !/[\s\\/?#@:]/.test(host) ? parseUrl(`http://${isSix ? `[${host}]` : host}/`) : null
    if (!url || !host) return 'This is not a valid host.'
    return this.#refuseHostname(url.hostname, port)
  }

  /** As `refuseHost`, for a whole URL. `host://name` is for targets without a URL. */
  refuseUrl(
    text: string,
    { schemes = ['http', 'https'], userinfo = false }: { schemes?: readonly string[]; userinfo?: boolean } = {},
  ): string | null {
    const url = parseUrl(text)
    if (!url) return 'This is not a valid URL.'
    const scheme = url.protocol.slice(0, -1)
    if (!schemes.includes(scheme)) return `The URL must start with ${schemes.map(name => `${name}://`).join(' or ')}.`
    if (!userinfo && (url.username || url.password)) return 'The URL must not contain a user name or password.'
    if (scheme === 'http' || scheme === 'https') {
      const port = Number(url.port) || (scheme === 'https' ? 443 : 80)
      return commandPorts.has(port) ? commandPortMessage : this.#refuseHostname(url.hostname, port)
    }
    if (url.pathname && url.pathname !== '/') return 'This is not a valid host.'
    return this.refuseHost(decode(url.hostname).replace(/^\[|\]$/g, ''), Number(url.port) || undefined)
  }

  #refuseHostname(hostname: string, port: number | undefined): string | null {
    const host = hostname.replace(/^\[|\]$/g, '')
    const refuse = (address: string, otherwise: string) => {
      if (!this.#allows(address, port)) return otherwise
      return port === undefined || this.mayReach(address, port) ? null : 'This port of this address may not be reached.'
    }
    if (isIP(host)) return refuse(host, notPublicMessage)
    const name = host.replace(/\.$/, '')
    if (!name || name.length > 253 || name.split('.').some(label => !label || label.length > 63))
      return 'This is not a valid host.'
    if (internalNames.test(name)) return refuse('127.0.0.1', 'This name is for internal use.')
    if (metadataNames.test(name)) return refuse('169.254.169.254', 'This name is for internal use.')
    return null
  }

  /**
   * All addresses of a host, each checked, with the port if given. For programs that connect by other means, such as
   * `ping`.
   */
  async resolve(host: string, family?: Family, signal?: AbortSignal, port?: number): Promise<LookupAddress[]> {
    const literal = this.#literal(host, family, port)
    if (literal) return literal
    const addresses = await this.#lookup(host, family, signal)
    if (!addresses.every(({ address }) => this.mayReach(address, port))) throw blocked()
    const fitting = family ? addresses.filter(entry => entry.family === family) : addresses
    if (fitting.length === 0) throw noAddressOf(family)
    return fitting
  }

  /**
   * Resolves to IPv4 answers that are codes, not addresses to connect to: block lists answer within 127/8. For names
   * that the caller built.
   */
  async resolveCodes(name: string, signal?: AbortSignal): Promise<string[]> {
    const answers = await this.#lookup(name, 4, signal)
    return answers.map(({ address }) => address)
  }

  /** The host itself if it is an address, checked; undefined for a name. */
  #literal(host: string, family: Family | undefined, port: number | undefined): LookupAddress[] | undefined {
    const literal = isIP(host)
    if (!literal) return
    if (!this.mayReach(host, port)) throw blocked()
    if (family && family !== literal) throw noAddressOf(family)
    return [{ address: host, family: literal }]
  }

  async connect({ host, port, family, signal, onread }: ConnectOptions): Promise<Connected> {
    const start = performance.now()
    const addresses = this.#literal(host, family, port) ?? (await this.resolve(host, family, signal, port))
    const resolved = performance.now()
    const opening = this.#dialFirst(addresses, signal, 'connect', address =>
      new Socket({ noDelay: true, ...(onread && { onread }) } as SocketConstructorOpts).connect({
        host: address,
        port,
      }),
    )
    const { socket, address, connectedAt } = await (isIP(host) ? opening : withDnsTime(opening, resolved - start))
    return { socket, address, dnsMs: isIP(host) ? null : resolved - start, connectMs: connectedAt - resolved }
  }

  async connectTls(options: TlsConnectOptions): Promise<ConnectedTls> {
    const { host, port, family, signal, onread, alpn, now = Date.now } = options
    const servername = (options.servername ?? host).replace(/\.$/, '')
    const start = performance.now()
    const addresses = this.#literal(host, family, port) ?? (await this.resolve(host, family, signal, port))
    const resolved = performance.now()
    const opening = this.#dialFirst(addresses, signal, 'secureConnect', address => {
      const socket = connectOverTls({
        host: address,
        port,
        noDelay: true,
        servername: isIP(servername) ? '' : servername,
        secureContext: this.#secureContext,
        rejectUnauthorized: false, // an untrusted certificate is a finding, which the caller judges
        checkServerIdentity: () => undefined,
        ...(alpn && { ALPNProtocols: alpn }),
        ...(onread && { onread }),
      } as ConnectionOptions)
      // Node converts the whole chain to objects for checkServerIdentity, which takes a seventh of a run's time. The
      // guard checks the certificate itself.
      return Object.assign(socket, { getPeerCertificate: () => ({}) })
    })
    const { socket, address, connectedAt } = await (isIP(host) ? opening : withDnsTime(opening, resolved - start))
    try {
      const certificate = socket.getPeerX509Certificate() // only the first call returns it (Node 24)
      const untrusted = untrustedReason(socket, certificate, servername, now())
      return {
        socket,
        address,
        certificate,
        untrusted,
        dnsMs: isIP(host) ? null : resolved - start,
        connectMs: connectedAt - resolved,
        tlsMs: performance.now() - connectedAt,
      }
    } catch (error) {
      socket.destroy()
      throw failureOf(error, 'tls')
    }
  }

  /** Tries up to four addresses one after the other, as a browser does. */
  #dialFirst<S extends Socket>(
    addresses: LookupAddress[],
    signal: AbortSignal | undefined,
    readyOn: 'connect' | 'secureConnect',
    dial: (address: string) => S,
  ): Promise<Opened<S>> {
    const [address, ...others] = alternate(addresses).slice(0, 4) as [string, ...string[]]
    const opened = this.#whenOpen(dial(address), address, readyOn, signal, others.length ? 2_000 : undefined)
    if (others.length === 0 && isIP(address) === 4) return opened
    return this.#dialRest(
      opened,
      address,
      others,
      async (next, isLast) => this.#whenOpen(dial(next), next, readyOn, signal, isLast ? undefined : 2_000),
      signal,
    )
  }

  async #dialRest<S extends Socket>(
    opened: Promise<Opened<S>>,
    address: string,
    others: string[],
    open: (address: string, isLast: boolean) => Promise<Opened<S>>,
    signal: AbortSignal | undefined,
  ): Promise<Opened<S>> {
    try {
      return await opened
    } catch (error) {
      if (!(error instanceof RunFailure) || signal?.aborted || error.phase !== 'connect') throw error
      const isIPv6Missing = isIP(address) === 6 && ['unreachable', 'overloaded'].includes(error.code) && !hasIPv6()
      const first = isIPv6Missing ? noIPv6() : error
      const [next, ...rest] = others
      if (next === undefined) throw first
      // Report the first failure, unless the agent caused it.
      return this.#dialRest(open(next, rest.length === 0), next, rest, open, signal).catch(last => {
        throw isOwnFault(first.code) ? last : first
      })
    }
  }

  #whenOpen<S extends Socket>(
    socket: S,
    address: string,
    readyOn: 'connect' | 'secureConnect',
    signal: AbortSignal | undefined,
    timeoutMs: number | undefined,
  ): Promise<Opened<S>> {
    return new Promise((resolve, reject) => {
      let connectedAt = 0
      const settle = () => {
        if (timer) clearTimeout(timer)
        signal?.removeEventListener('abort', stop)
      }
      const fail = (failure: RunFailure) => {
        settle()
        socket.destroy()
        reject(failure)
      }
      const stop = () =>
        fail(
          connectedAt
            ? new RunFailure('timeout', 'tls', 'The TLS handshake did not end in time.')
            : new RunFailure('timeout', 'connect', 'The connection was not made in time.'),
        )
      const timer = timeoutMs === undefined ? undefined : setTimeout(stop, timeoutMs)
      // Never removed: a late error without a listener would end the process.
      socket.on('error', error => fail(connectedAt ? tlsFailure(error) : connectFailure(error)))
      socket.on('connect', () => {
        connectedAt = performance.now()
        if (timer) clearTimeout(timer)
        const { remoteAddress, remotePort } = socket
        // a target that resets the connection at once leaves no address to examine
        if (remoteAddress === undefined) return fail(connectFailure({ code: 'ECONNRESET' }))
        if (!this.mayReach(remoteAddress, remotePort)) return fail(blocked())
        if (readyOn === 'secureConnect') return
        settle()
        resolve({ socket, address, connectedAt })
      })
      if (readyOn === 'secureConnect') {
        socket.once('secureConnect', () => {
          settle()
          resolve({ socket, address, connectedAt })
        })
      }
      if (signal?.aborted) stop()
      else signal?.addEventListener('abort', stop)
    })
  }

  /**
   * For requests of our own through undici: the same guard, with limits of size and time. Redirects are not followed.
   */
  dispatcher(answerBytes = 1_048_576): Dispatcher {
    const known = this.#dispatchers.get(answerBytes)
    if (known) return known
    const dispatcher = new Agent({
      connect: (options, done) => {
        const host = options.hostname.replace(/^\[|\]$/g, '')
        const isTls = options.protocol === 'https:'
        const port = Number(options.port) || (isTls ? 443 : 80)
        if (commandPorts.has(port)) return done(new RunFailure('blocked', 'guard', commandPortMessage), null)
        const signal = AbortSignal.timeout(10_000)
        const connected = isTls
          ? this.connectTrusted({ host, port, signal, alpn: ['http/1.1'], servername: options.servername || host })
          : this.connect({ host, port, signal })
        connected.then(
          ({ socket }) => done(null, socket),
          error => done(error, null),
        )
      },
      headersTimeout: 10_000,
      bodyTimeout: 10_000,
      keepAliveTimeout: 1,
      maxHeaderSize: 65_536,
      maxResponseSize: answerBytes,
    })
    this.#dispatchers.set(answerBytes, dispatcher)
    return dispatcher
  }

  /** As `connectTls`, but an untrusted certificate is an error. */
  async connectTrusted(options: TlsConnectOptions): Promise<ConnectedTls> {
    const connected = await this.connectTls(options)
    if (connected.untrusted === null) return connected
    connected.socket.destroy()
    throw tlsFailure({ code: connected.untrusted })
  }
}

/** Adds the duration of the name resolution to a failure to connect. */
const withDnsTime = <T>(opening: Promise<T>, dnsMs: number): Promise<T> =>
  opening.catch(error => {
    if (error instanceof RunFailure) error.phases = { ...error.phases, dns: dnsMs }
    throw error
  })

function parseUrl(text: string): URL | null {
  return URL.parse(text)
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** Alternates between the families, so that an unreachable family does not use up all attempts. */
function alternate(addresses: LookupAddress[]): string[] {
  if (addresses.length === 1) return [addresses[0]!.address]
  const four = addresses.filter(({ family }) => family === 4)
  const six = addresses.filter(({ family }) => family === 6)
  const [first, second] = addresses[0]?.family === 6 ? [six, four] : [four, six]
  return Array.from({ length: Math.max(first.length, second.length) }, (_, index) => [first[index], second[index]])
    .flat()
    .flatMap(entry => (entry ? [entry.address] : []))
}

const dateCodes = new Set(['CERT_HAS_EXPIRED', 'CERT_NOT_YET_VALID'])

/** OpenSSL uses the machine's clock, which may be wrong; this checks the dates against `now`. */
function untrustedReason(
  socket: TLSSocket,
  leaf: X509Certificate | undefined,
  servername: string,
  now: number,
): string | null {
  const error = socket.authorized ? null : String(socket.authorizationError)
  if (error !== null && !dateCodes.has(error)) return error
  if (!leaf) return 'UNABLE_TO_GET_ISSUER_CERT'
  const dated =
    error === null
      ? dateError(leaf, now)
      : chainOf(leaf)
          .map(each => dateError(each, now))
          .find(Boolean)
  return dated ?? (isMadeFor(leaf, servername) ? null : 'ERR_TLS_CERT_ALTNAME_INVALID')
}

/**
 * Whether a certificate is valid for this name or address, as browsers decide (RFC 9525, 6.3; RFC 9110, 4.3.4): by its
 * subject alternative names alone, never by its common name.
 */
export function isMadeFor(certificate: X509Certificate, host: string): boolean {
  if (isIP(host)) return certificate.checkIP(host) !== undefined
  const name = host.replace(/\.$/, '')
  const isNamed = (asked: string, wildcards: boolean) => {
    const options = { wildcards, partialWildcards: false, multiLabelWildcards: false }
    return certificate.checkHost(asked, { subject: 'never', ...options }) !== undefined
  }
  if (isNamed(name, false)) return true
  // a wildcard stands for any label, but OpenSSL matches none with an underscore: a random label is asked in its place
  return isBelowRegistry(name) && isNamed(name.replace(/^[\w-]*_[\w-]*(?=\.)/, randomUUID()), true)
}

/** Whether a wildcard may stand for the first label: none holds for all domains of a registry, as `*.co.uk` would. */
function isBelowRegistry(name: string): boolean {
  const { publicSuffix } = parse(name, { allowPrivateDomains: false, validateHostname: false })
  return publicSuffix !== name.slice(name.indexOf('.') + 1)
}

function chainOf(leaf: X509Certificate): X509Certificate[] {
  const chain = [leaf]
  for (let next = leaf.issuerCertificate; next && chain.length < 10; next = next.issuerCertificate) chain.push(next)
  return chain
}

function dateError(certificate: X509Certificate, now: number): string | null {
  if (now >= Date.parse(certificate.validTo)) return 'CERT_HAS_EXPIRED'
  return now < Date.parse(certificate.validFrom) ? 'CERT_NOT_YET_VALID' : null
}
