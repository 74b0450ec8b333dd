import type { Pool } from 'pg'
import type { Logger } from 'pino'
import { z } from 'zod'
import { effectiveLimits } from '#contract/plans.ts'
import { eachIsolated } from '#control-plane/base/each-isolated.ts'
import type { Listener } from '#control-plane/base/listen.ts'
import { type BadRow, isQuarantinedSql, Quarantine } from '#control-plane/base/quarantine/quarantine.ts'
import { queries, type Row } from '#control-plane/db/queries.ts'
import type { ManagedTenant } from './message.ts'
import { type ListedChannel, RulesOfTenant } from './rules-of-tenant.ts'

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
    const { rows } = await this.#platform.query<Row<'notification_rules', 'tenant_id'>>(
      `select tenant_id, pg_notify('alerting', tenant_id::text) from notification_rules
       where id = any($1::uuid[]) group by tenant_id`,
      [rules],
    )
    for (const { tenant_id } of rows) {
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

type RuleRow = Row<'notification_channels', 'id' | 'type' | 'config' | 'secrets' | 'name' | 'is_enabled'> &
  Row<'notification_rules', 'event_types' | 'monitor_filter' | 'tenant_filter'> &
  Row<'tenants', 'plan' | 'feature_overrides'> & {
    /** null for a channel without rules; so are the other columns of the rule. */
    rule_id: Row<'notification_rules'>['id'] | null
    is_quarantined: boolean
  }

const texts = z.array(z.string())
const StoredMonitorFilter = z.object({ monitor_ids: texts, tags: texts, types: texts }).nullable()
const StoredTenantFilter = z.object({ tenant_ids: texts, labels: texts }).nullable()

async function loadRules(platform: Pool, quarantine: Quarantine, tenantId: string): Promise<RulesOfTenant> {
  const { rows } = await platform.query<RuleRow>({
    name: 'alerting-rules',
    text: `select r.id as rule_id, r.event_types, r.monitor_filter, r.tenant_filter, c.id, c.type, c.config, c.secrets,
        c.name, c.is_enabled, t.plan, t.feature_overrides,
        ${isQuarantinedSql('notification_rule', 'r.id')} as is_quarantined
      from notification_channels c
      join tenants t on t.id = c.tenant_id
      left join notification_rules r on r.channel_id = c.id
      where c.tenant_id = $1 and c.owner_user_id is null and t.deleted_at is null
      order by r.created_at, r.id`,
    values: [tenantId],
  })
  const [first] = rows
  const allowed = first ? effectiveLimits(first.plan, first.feature_overrides).notification_channels : []
  const listed = new Map<string, ListedChannel>()
  const rules = new RulesOfTenant()
  const list = ({ id, type, config, secrets, name, is_enabled }: RuleRow): ListedChannel => {
    const isAllowed = allowed.some(each => each === type)
    const made: ListedChannel = {
      channel: { id, tenantId, type, config, secrets },
      name,
      state: is_enabled ? (isAllowed ? 'enabled' : 'over_plan') : 'disabled',
      hasUnreadableRule: false,
    }
    listed.set(id, made)
    rules.list(made)
    return made
  }
  const [bad, mended]: [BadRow[], string[]] = [[], []]
  const add = (row: RuleRow) => {
    const { channel, state } = listed.get(row.id) ?? list(row)
    if (row.rule_id === null || state !== 'enabled') return
    rules.add({
      id: row.rule_id,
      event_types: row.event_types,
      monitor_filter: StoredMonitorFilter.parse(row.monitor_filter),
      tenant_filter: StoredTenantFilter.parse(row.tenant_filter),
      channel,
    })
    if (row.is_quarantined) mended.push(row.rule_id)
  }
  await eachIsolated(rows, add, ({ rule_id, id }, error) => {
    const channel = listed.get(id)
    if (channel) channel.hasUnreadableRule = true
    if (rule_id !== null) bad.push({ key: rule_id, tenant: tenantId, error })
  })
  await quarantine.release('notification_rule', mended)
  await quarantine.add('notification_rule', bad)
  return rules
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
