import type { Keyring } from '#control-plane/base/secrets.ts'
import { openPassword } from '#control-plane/tenancy/smtp/password.ts'
import { openTransport, type Transport } from '#control-plane/tenancy/smtp/transport.ts'
import type { Guard } from '#egress/guard.ts'
import type { CustomServer } from './mail-settings.ts'

const connectionsEach = 3
const mostServers = 100
const idleMs = 60_000

interface Held {
  version: string
  transport: Transport
  usedAt: number
  /** Mails under way. */
  inUse: number
}

/** Connections to customers' mail servers, kept while they are used. One that was changed is left behind at once. */
export class Transports {
  readonly #guard: Guard
  readonly #keys: Keyring
  readonly #held = new Map<string, Held>()
  readonly #tidying = setInterval(() => this.#tidy(), idleMs / 4).unref()

  constructor(guard: Guard, keys: Keyring) {
    this.#guard = guard
    this.#keys = keys
  }

  async use<Result>(server: CustomServer, work: (transport: Transport) => Promise<Result>): Promise<Result> {
    const held = this.#hold(server)
    held.inUse++
    try {
      return await work(held.transport)
    } finally {
      held.inUse--
      held.usedAt = performance.now()
    }
  }

  /** What still waits for a connection fails at once; what is being sent comes to its end. */
  leave({ tenant_id: tenantId, updated_at: version }: CustomServer): void {
    if (this.#held.get(tenantId)?.version === version) this.#drop(tenantId)
  }

  close(): void {
    clearInterval(this.#tidying)
    for (const { transport } of this.#held.values()) transport.close({ force: true })
    this.#held.clear()
  }

  #hold(server: CustomServer): Held {
    const { tenant_id: tenantId, updated_at: version, password } = server
    const known = this.#held.get(tenantId)
    if (known?.version === version) return known
    this.#drop(tenantId)
    for (const [id, { inUse }] of this.#held) if (this.#held.size >= mostServers && inUse === 0) this.#drop(id)
    const opened = { ...server, password: password === null ? null : openPassword(this.#keys, tenantId, password) }
    const held: Held = {
      version,
      transport: openTransport(this.#guard, opened, connectionsEach),
      usedAt: performance.now(),
      inUse: 0,
    }
    this.#held.set(tenantId, held)
    return held
  }

  #drop(tenantId: string): void {
    this.#held.get(tenantId)?.transport.close()
    this.#held.delete(tenantId)
  }

  #tidy(): void {
    for (const [id, { inUse, usedAt }] of this.#held)
      if (inUse === 0 && performance.now() - usedAt > idleMs) this.#drop(id)
  }
}
