import type { Pool } from 'pg'
import type { Logger } from 'pino'
import type { Listener } from '#control-plane/base/listen.ts'
import { Quarantine } from '#control-plane/base/quarantine/quarantine.ts'
import { queries, type Row, rows } from '#control-plane/db/queries.ts'
import type { ManagedTenant } from './message.ts'
import { readRules } from './read-rules.ts'
import { RulesOfTenant } from './rules-of-tenant.ts'

export interface ManagedTeam extends ManagedTenant {
  resellerId: string
  isDeleted: boolean
}

const cacheMs = 300_000
const mostTenants = 20_000

interface Cached<Value> {
  until: number
  value: Promise<Value>
}

interface RuleBookOptions {
  platform: Pool
  listener: Pick<Listener, 'on' | 'onMissed'>
  log: Pick<Logger, 'warn' | 'error'>
}

/**
 * Caches rules and managed teams for each tenant: for five minutes, or until a notification of the database that they
 * changed.
 */
export class RuleBook {
  readonly #platform: Pool
  readonly #quarantine: Quarantine
  readonly #rules = new Map<string, Cached<RulesOfTenant>>()
  readonly #teams = new Map<string, Cached<ManagedTeam | null>>()
  readonly #suppressed = new Map<string, Cached<ReadonlySet<string>>>()
  readonly #stopListening: () => void

  constructor({ platform, listener, log }: RuleBookOptions) {
    this.#platform = platform
    this.#quarantine = new Quarantine({ platform, log })
    this.#stopListening = listener.on('alerting', tenantId => {
      this.#rules.delete(tenantId)
      this.#teams.delete(tenantId)
      this.#suppressed.delete(tenantId)
    })
    listener.onMissed(() => this.#forget())
  }

  close(): void {
    this.#stopListening()
  }

  rulesOf(tenantId: string): Promise<RulesOfTenant> {
    return this.#cached(this.#rules, tenantId, () => loadRules(this.#platform, this.#quarantine, tenantId))
  }

  /** Reads quarantined rules again. */
  async retry(rules: readonly string[]): Promise<void> {
    const found = await rows(this.#platform)<Row<'notification_rules', 'tenant_id'>>`
      select tenant_id, pg_notify('alerting', tenant_id::text) from notification_rules
      where id = any(${rules}::uuid[]) group by tenant_id`
    for (const { tenant_id } of found) {
      this.#rules.delete(tenant_id)
      await this.rulesOf(tenant_id)
    }
  }

  /** The managed team that a tenant is; null if no reseller manages it. */
  teamOf(tenantId: string): Promise<ManagedTeam | null> {
    return this.#cached(this.#teams, tenantId, () => loadTeam(this.#platform, tenantId))
  }

  /** Types of mail that a reseller suppresses: its webhooks get them instead. */
  suppressedBy(resellerId: string): Promise<ReadonlySet<string>> {
    return this.#cached(this.#suppressed, resellerId, () => loadSuppressed(this.#platform, resellerId))
  }

  #cached<Value>(cache: Map<string, Cached<Value>>, tenantId: string, load: () => Promise<Value>): Promise<Value> {
    const known = cache.get(tenantId)
    const now = performance.now()
    if (known && known.until > now) return known.value
    if (cache.size >= mostTenants) cache.clear()
    const entry = { until: now + cacheMs, value: load() }
    cache.set(tenantId, entry)
    // a failed read is not cached
    entry.value.catch(() => {
      if (cache.get(tenantId) === entry) cache.delete(tenantId)
    })
    return entry.value
  }

  #forget(): void {
    this.#rules.clear()
    this.#teams.clear()
    this.#suppressed.clear()
  }
}

/** The rules of a tenant. Unreadable ones are quarantined, and those that were and can be read again released. */
async function loadRules(platform: Pool, quarantine: Quarantine, tenantId: string): Promise<RulesOfTenant> {
  const found = (await readRules(platform, [tenantId])).get(tenantId)
  await quarantine.release('notification_rule', found?.mended ?? [])
  await quarantine.add('notification_rule', found?.bad ?? [])
  return found?.rules ?? new RulesOfTenant()
}

async function loadTeam(platform: Pool, tenantId: string): Promise<ManagedTeam | null> {
  const team = await queries(platform)
    .selectFrom('managed_teams')
    .where('tenant_id', '=', tenantId)
    .select(['tenant_id as managed_tenant_id', 'name', 'label', 'public_id', 'external_ref', 'metadata'])
    .select('reseller_id as resellerId')
    .select(({ eb }) => eb('deleted_at', 'is not', null).$castTo<boolean>().as('isDeleted'))
    .executeTakeFirst()
  return team ?? null
}

async function loadSuppressed(platform: Pool, resellerId: string): Promise<ReadonlySet<string>> {
  const row = await queries(platform)
    .selectFrom('email_suppressions')
    .where('tenant_id', '=', resellerId)
    .select('types')
    .executeTakeFirst()
  return new Set(row?.types)
}
