import { familyOf } from '#checks/settings.ts'
import { plus } from '#checks/with-phases.ts'
import { type Phases, RunFailure } from '#contract/check.ts'
import { tlsFailure } from '#egress/failures.ts'
import type { Guard } from '#egress/guard.ts'
import { commandPorts } from '#egress/ports.ts'
import { Exchange, type HttpAnswer, type HttpRequest } from './exchange.ts'

/** What it takes to reach an address. */
export interface Reach {
  guard: Guard
  /** Aborts at the deadline, and when the agent stops. A probe then releases everything at once. */
  signal: AbortSignal
  /** The server's time in milliseconds; certificates are judged by it, because an agent's clock may be wrong. */
  now: () => number
}

export interface ConnectionSettings {
  verify_tls: boolean
  ip_version: 'any' | '4' | '6'
}

export interface ReceivedResponse {
  answer: HttpAnswer
  address: string
  /** TLS version; null over http. */
  tls: string | null
  /** Why its certificate is not trusted; null when it is trusted. */
  untrusted: string | null
}

/** Sends one request on a new connection through the guard and adds its durations to the phases. */
export async function sendRequest(
  url: URL,
  request: HttpRequest,
  settings: ConnectionSettings,
  { guard, signal, now }: Reach,
  phases: Phases,
): Promise<ReceivedResponse> {
  if (commandPorts.has(Number(url.port)))
    throw new RunFailure('blocked', 'guard', 'This port is for another protocol than that of the web.')
  const exchange = new Exchange(request)
  const host = url.hostname.startsWith('[') ? url.hostname.slice(1, -1) : url.hostname
  const isTls = url.protocol === 'https:'
  const target = {
    host,
    port: url.port ? Number(url.port) : isTls ? 443 : 80,
    family: familyOf(settings.ip_version),
    signal,
    onread: exchange.onread,
  }
  const connected = isTls ? await guard.connectTls({ ...target, alpn: ['http/1.1'], now }) : await guard.connect(target)
  phases.dns = plus(phases.dns, connected.dnsMs)
  phases.connect = plus(phases.connect, connected.connectMs)
  let tls: string | null = null
  let untrusted: string | null = null
  if ('tlsMs' in connected) {
    phases.tls = plus(phases.tls, connected.tlsMs)
    if (settings.verify_tls && connected.untrusted !== null) {
      connected.socket.destroy()
      throw tlsFailure({ code: connected.untrusted })
    }
    tls = connected.socket.getProtocol()
    untrusted = connected.untrusted
  }
  const answer = await exchange.run(connected.socket, signal)
  phases.first_byte = plus(phases.first_byte, answer.firstByteMs)
  return { answer, address: connected.address, tls, untrusted }
}

export function parseWebUrl(text: string): URL {
  const url = URL.parse(text)
  if (!url || (url.protocol !== 'http:' && url.protocol !== 'https:'))
    throw new RunFailure('unsupported', 'request', 'The monitor has no web address.')
  return url
}
