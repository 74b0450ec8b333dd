import type { Keyring } from '#control-plane/base/secrets.ts'
import { decryptPassword } from '#control-plane/tenancy/smtp/password.ts'
import { openTransport, type Transport } from '#control-plane/tenancy/smtp/transport.ts'
import type { Guard } from '#egress/guard.ts'
import type { CustomServer } from './mail-settings.ts'

const connectionsEach = 3
const mostServers = 100
const idleMs = 60_000

interface OpenServer {
  version: string
  transport: Transport
  usedAt: number
  /** Number of mails under way. */
  inUse: number
}

/**
 * Pooled connections to customers' mail servers. They are closed when idle, and when the configuration of the server
 * changes.
 */
export class Transports {
  readonly #guard: Guard
  readonly #keys: Keyring
  readonly #servers = new Map<string, OpenServer>()
  readonly #tidying = setInterval(() => this.#tidy(), idleMs / 4).unref()

  constructor(guard: Guard, keys: Keyring) {
    this.#guard = guard
    this.#keys = keys
  }

  async use<Result>(server: CustomServer, work: (transport: Transport) => Promise<Result>): Promise<Result> {
    const open = this.#open(server)
    open.inUse++
    try {
      return await work(open.transport)
    } finally {
      open.inUse--
      open.usedAt = performance.now()
    }
  }

  /** Closes a server that failed: mails that wait for a connection fail at once, mails under way are finished. */
  closeServer({ tenant_id: tenantId, updated_at: version }: CustomServer): void {
    if (this.#servers.get(tenantId)?.version === version) this.#drop(tenantId)
  }

  close(): void {
    clearInterval(this.#tidying)
    for (const { transport } of this.#servers.values()) transport.close({ force: true })
    this.#servers.clear()
  }

  #open(config: CustomServer): OpenServer {
    const { tenant_id: tenantId, updated_at: version, password } = config
    const known = this.#servers.get(tenantId)
    if (known?.version === version) return known
    this.#drop(tenantId)
    for (const [id, { inUse }] of this.#servers) if (this.#servers.size >= mostServers && inUse === 0) this.#drop(id)
    const opened = { ...config, password: password === null ? null : decryptPassword(this.#keys, tenantId, password) }
    const server: OpenServer = {
      version,
      transport: openTransport(this.#guard, opened, connectionsEach),
      usedAt: performance.now(),
      inUse: 0,
    }
    this.#servers.set(tenantId, server)
    return server
  }

  #drop(tenantId: string): void {
    this.#servers.get(tenantId)?.transport.close()
    this.#servers.delete(tenantId)
  }

  #tidy(): void {
    for (const [id, { inUse, usedAt }] of this.#servers)
      if (inUse === 0 && performance.now() - usedAt > idleMs) this.#drop(id)
  }
}
