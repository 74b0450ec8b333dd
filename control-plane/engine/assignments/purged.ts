import type { Services } from '#control-plane/http/services.ts'

/** Tenants that are gone for good: nothing that arrives for them may bring a row back. Held in memory, told of by the database itself. */
export class PurgedTenants {
  readonly #services: Pick<Services, 'platform' | 'listener' | 'log'>
  readonly #ids = new Set<string>()
  #stopListening: () => void = () => undefined

  constructor(services: Pick<Services, 'platform' | 'listener' | 'log'>) {
    this.#services = services
  }

  async start(): Promise<void> {
    this.#stopListening = this.#services.listener.on('purged', id => this.#ids.add(id))
    await this.#load()
  }

  /** Notices may have been missed. */
  missed(): void {
    this.#load().catch(error => this.#services.log.warn({ err: error }, 'the list of purged tenants could not be read'))
  }

  has(tenantId: string): boolean {
    return this.#ids.has(tenantId)
  }

  stop(): void {
    this.#stopListening()
  }

  async #load(): Promise<void> {
    const { rows } = await this.#services.platform.query<{ tenant_id: string }>('select tenant_id from purged_tenants')
    for (const { tenant_id } of rows) this.#ids.add(tenant_id)
  }
}
