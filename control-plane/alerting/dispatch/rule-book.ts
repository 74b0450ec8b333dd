import type { Pool } from 'pg'
import type { Logger } from 'pino'
import { z } from 'zod'
import { effectiveLimits } from '#contract/plans.ts'
import type { Channel } from '#control-plane/alerting/deliveries/delivery.ts'
import { eachIsolated } from '#control-plane/base/each-isolated.ts'
import type { Listener } from '#control-plane/base/listen.ts'
import { type BadRow, isQuarantinedSql, Quarantine } from '#control-plane/base/quarantine/quarantine.ts'
import type { ManagedTenant } from './message.ts'
import { RulesOfTenant } from './rules-of-tenant.ts'

export interface ManagedTeam extends ManagedTenant {
  resellerId: string
  isDeleted: boolean
}

const keptMs = 300_000
const mostTenants = 20_000

interface Kept<Value> {
  until: number
  value: Promise<Value>
}

interface RuleBookOptions {
  platform: Pool
  listener: Pick<Listener, 'on' | 'onMissed'>
  log: Pick<Logger, 'warn' | 'error'>
}

/** Rules and relations in memory, per tenant: for five minutes, or until the database says that they have changed. */
export class RuleBook {
  readonly #platform: Pool
  readonly #quarantine: Quarantine
  readonly #rules = new Map<string, Kept<RulesOfTenant>>()
  readonly #teams = new Map<string, Kept<ManagedTeam | null>>()
  readonly #suppressed = new Map<string, Kept<ReadonlySet<string>>>()
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
    return this.#keep(this.#rules, tenantId, () => loadRules(this.#platform, this.#quarantine, tenantId))
  }

  /** Reads these rules again, which could not be read before. */
  async retry(rules: readonly string[]): Promise<void> {
    const { rows } = await this.#platform.query<{ tenant_id: string }>(
      `select tenant_id, pg_notify('alerting', tenant_id::text) from notification_rules where id = any($1::uuid[]) group by tenant_id`,
      [rules],
    )
    for (const { tenant_id } of rows) {
      this.#rules.delete(tenant_id)
      await this.rulesOf(tenant_id)
    }
  }

  /** Who manages a tenant, if anybody does. */
  teamOf(tenantId: string): Promise<ManagedTeam | null> {
    return this.#keep(this.#teams, tenantId, () => loadTeam(this.#platform, tenantId))
  }

  /** Types of e-mail that a reseller has sent to its webhooks instead. */
  suppressedBy(resellerId: string): Promise<ReadonlySet<string>> {
    return this.#keep(this.#suppressed, resellerId, () => loadSuppressed(this.#platform, resellerId))
  }

  #keep<Value>(kept: Map<string, Kept<Value>>, tenantId: string, load: () => Promise<Value>): Promise<Value> {
    const known = kept.get(tenantId)
    const now = performance.now()
    if (known && known.until > now) return known.value
    if (kept.size >= mostTenants) kept.clear()
    const entry = { until: now + keptMs, value: load() }
    kept.set(tenantId, entry)
    // what could not be read is asked for again
    entry.value.catch(() => {
      if (kept.get(tenantId) === entry) kept.delete(tenantId)
    })
    return entry.value
  }

  #forget(): void {
    this.#rules.clear()
    this.#teams.clear()
    this.#suppressed.clear()
  }
}

interface RuleRow extends Omit<Channel, 'tenantId'> {
  rule_id: string
  event_types: string[]
  monitor_filter: unknown
  tenant_filter: unknown
  is_quarantined: boolean
  plan: string
  feature_overrides: Record<string, unknown> | null
}

const texts = z.array(z.string())
const StoredMonitorFilter = z.object({ monitor_ids: texts, tags: texts, types: texts }).nullable()
const StoredTenantFilter = z.object({ tenant_ids: texts, labels: texts }).nullable()

async function loadRules(platform: Pool, quarantine: Quarantine, tenantId: string): Promise<RulesOfTenant> {
  const { rows } = await platform.query<RuleRow>({
    name: 'alerting-rules',
    text: `select r.id as rule_id, r.event_types, r.monitor_filter, r.tenant_filter, c.id, c.type, c.config, c.secrets,
        ${isQuarantinedSql('notification_rule', 'r.id')} as is_quarantined, t.plan, t.feature_overrides
      from notification_rules r join notification_channels c on c.id = r.channel_id join tenants t on t.id = r.tenant_id
      where r.tenant_id = $1 and c.is_enabled and t.deleted_at is null
      order by r.created_at, r.id`,
    values: [tenantId],
  })
  const [first] = rows
  const allowed = first ? effectiveLimits(first.plan, first.feature_overrides).notification_channels : []
  const channels = new Map<string, Channel>()
  const rules = new RulesOfTenant()
  const [bad, mended]: [BadRow[], string[]] = [[], []]
  const add = ({
    rule_id,
    event_types,
    monitor_filter,
    tenant_filter,
    id,
    type,
    config,
    secrets,
    is_quarantined,
  }: RuleRow) => {
    if (!allowed.some(each => each === type)) return
    const channel = channels.get(id) ?? { id, tenantId, type, config, secrets }
    channels.set(id, channel)
    rules.add({
      event_types,
      monitor_filter: StoredMonitorFilter.parse(monitor_filter),
      tenant_filter: StoredTenantFilter.parse(tenant_filter),
      channel,
    })
    if (is_quarantined) mended.push(rule_id)
  }
  await eachIsolated(rows, add, ({ rule_id }, error) => {
    bad.push({ key: rule_id, tenant: tenantId, error })
  })
  await quarantine.release('notification_rule', mended)
  await quarantine.add('notification_rule', bad)
  return rules
}

async function loadTeam(platform: Pool, tenantId: string): Promise<ManagedTeam | null> {
  const { rows } = await platform.query<ManagedTeam>({
    name: 'alerting-team',
    text: `select m.tenant_id as managed_tenant_id, m.name, m.label, m.public_id, m.external_ref, m.metadata,
        m.reseller_id as "resellerId", m.deleted_at is not null as "isDeleted"
      from managed_teams m where m.tenant_id = $1`,
    values: [tenantId],
  })
  return rows[0] ?? null
}

async function loadSuppressed(platform: Pool, resellerId: string): Promise<ReadonlySet<string>> {
  const { rows } = await platform.query<{ types: string[] }>({
    name: 'alerting-suppressed',
    text: 'select types from email_suppressions where tenant_id = $1',
    values: [resellerId],
  })
  return new Set(rows[0]?.types)
}
