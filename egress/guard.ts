import type { LookupAddress } from 'node:dns'
import type { Socket } from 'node:net'
import type { TLSSocket } from 'node:tls'
import type { Dispatcher } from 'undici'
import type { AllowList } from './address.ts'

export interface Way {
  /** A name, or an address in any spelling. */
  host: string
  port: number
  /** 4 or 6; both when left out. */
  family?: 4 | 6 | undefined
  signal?: AbortSignal | undefined
}

export interface Connected<S extends Socket = Socket> {
  socket: S
  address: string
  /** null for an address literal: nothing was looked up. */
  dnsMs: number | null
  connectMs: number
}

export interface ConnectedTls extends Connected<TLSSocket> {
  tlsMs: number
  /** Why the certificate is not to be trusted, as a code of OpenSSL or Node; null when it is. */
  untrusted: string | null
}

export type Lookup = (host: string, family: 4 | 6 | undefined, signal?: AbortSignal) => Promise<LookupAddress[]>

/** The one way out: every connection to a target named by a customer goes through it. */
export class Guard {
  readonly #allow: AllowList
  constructor(allow: AllowList = [], _options: { lookup?: Lookup } = {}) {
    this.#allow = allow
  }
  /** For the moment of saving: why this host can never be reached, or null. */
  refuseHost(_host: string): string | null {
    return null
  }
  refuseUrl(_url: string, _options: { schemes?: readonly string[]; userinfo?: boolean } = {}): string | null {
    return null
  }
  mayReach(_address: string): boolean {
    return this.#allow.length >= 0
  }
  async resolve(_host: string, _family?: 4 | 6, _signal?: AbortSignal): Promise<LookupAddress[]> {
    throw new Error('not yet')
  }
  async connect(_way: Way): Promise<Connected> {
    throw new Error('not yet')
  }
  async connectTls(_way: Way & { servername?: string }): Promise<ConnectedTls> {
    throw new Error('not yet')
  }
  dispatcher(): Dispatcher {
    throw new Error('not yet')
  }
}
