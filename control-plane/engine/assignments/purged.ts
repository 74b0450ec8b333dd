import { queries } from '#control-plane/db/queries.ts'
import type { Services } from '#control-plane/http/services.ts'

/**
 * Purged tenants: nothing that arrives for them may create a row. Kept in memory; the database notifies of each new
 * one.
 */
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
    this.#load().catch(error => this.#services.log.warn({ err: error }, 'purged tenants read failure'))
  }

  has(tenantId: string): boolean {
    return this.#ids.has(tenantId)
  }

  stop(): void {
    this.#stopListening()
  }

  async #load(): Promise<void> {
    const rows = await queries(this.#services.platform).selectFrom('purged_tenants').select('tenant_id').execute()
    for (const { tenant_id } of rows) this.#ids.add(tenant_id)
  }
}
