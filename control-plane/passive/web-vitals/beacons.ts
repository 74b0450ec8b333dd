import { sql } from 'kysely'
import { LRUCache } from 'lru-cache'
import { effectiveLimits } from '#contract/plans.ts'
import { Batch } from '#control-plane/base/batch.ts'
import { accessTimeoutMs } from '#control-plane/base/db-timeouts.ts'
import { prepared, type Row, rows } from '#control-plane/db/queries.ts'
import { perServices, type Services } from '#control-plane/http/services.ts'

const keptMs = 60_000

export interface Beacon {
  tenant: string
  monitor: string
}

type BeaconRow = Row<'vitals_beacons', 'beacon_id' | 'tenant_id' | 'monitor_id'> &
  Row<'tenants', 'plan' | 'feature_overrides'>

const find = prepared(
  'find-beacons',
  (ids: readonly string[]) => sql<BeaconRow>`
  select b.beacon_id, b.tenant_id, b.monitor_id, t.plan, t.feature_overrides
  from vitals_beacons b join tenants t on t.id = b.tenant_id
  where b.beacon_id = any(${ids}::uuid[]) and t.deleted_at is null and t.paused_at is null`,
  { timeoutMs: accessTimeoutMs },
)

/** Finds the monitor of a beacon. It is cached for a minute, since every visitor of every page asks; changes wait for that. */
export class Beacons {
  readonly #services: Services
  readonly #known = new LRUCache<string, { beacon: Beacon | null; until: number }>({ max: 50_000 })

  /** Strangers may send to any id: they share statements. */
  readonly #read = new Batch(async (ids: readonly string[]) => {
    const rowsOf = await rows(this.#services.accessPool, find(ids))
    const found = new Map(rowsOf.map(row => [row.beacon_id, row]))
    return ids.map(id => found.get(id.toLowerCase()))
  })

  constructor(services: Services) {
    this.#services = services
  }

  async find(id: string): Promise<Beacon | null> {
    const now = this.#services.clock.nowMs()
    const known = this.#known.get(id)
    if (known && known.until > now) return known.beacon
    const row = await this.#read.add(id)
    const beacon =
      row && effectiveLimits(row.plan, row.feature_overrides).web_vitals
        ? { tenant: row.tenant_id, monitor: row.monitor_id }
        : null
    this.#known.set(id, { beacon, until: now + keptMs })
    return beacon
  }

  forget(id: string): void {
    this.#known.delete(id)
  }
}

export const beaconsOf = perServices(services => new Beacons(services))
