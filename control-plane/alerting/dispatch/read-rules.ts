import { sql } from 'kysely'
import type { Pool } from 'pg'
import { z } from 'zod'
import { effectiveLimits } from '#contract/plans.ts'
import { eachIsolated } from '#control-plane/base/each-isolated.ts'
import { type BadRow, isQuarantinedSql } from '#control-plane/base/quarantine/quarantine.ts'
import { prepared, type Row, rows } from '#control-plane/db/queries.ts'
import { type ListedChannel, RulesOfTenant } from './rules-of-tenant.ts'

type RuleRow = Row<
  'notification_channels',
  'id' | 'tenant_id' | 'type' | 'config' | 'secrets' | 'name' | 'is_enabled'
> &
  Row<'notification_rules', 'event_types' | 'monitor_filter' | 'tenant_filter'> &
  Row<'tenants', 'plan' | 'feature_overrides'> & {
    /** null for a channel without rules; so are the other columns of the rule. */
    rule_id: Row<'notification_rules'>['id'] | null
    is_quarantined: boolean
  }

const texts = z.array(z.string())
const StoredMonitorFilter = z.object({ monitor_ids: texts, tags: texts, types: texts }).nullable()
const StoredTenantFilter = z.object({ tenant_ids: texts, labels: texts }).nullable()

interface ReadRules {
  rules: RulesOfTenant
  /** Rules that cannot be read. */
  bad: BadRow[]
  /** Ids of quarantined rules that can be read again. */
  mended: string[]
}

/** The rules and channels of tenants, by tenant; none for a tenant without channels. One statement. */
export async function readRules(platform: Pool, tenantIds: readonly string[]): Promise<Map<string, ReadRules>> {
  const stored = await rows(platform, alertingRules(tenantIds))
  const found = new Map<string, ReadRules>()
  for (const [tenantId, some] of Map.groupBy(stored, row => row.tenant_id))
    found.set(tenantId, await rulesOf(tenantId, some))
  return found
}

async function rulesOf(tenantId: string, rows: readonly RuleRow[]): Promise<ReadRules> {
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
  return { rules, bad, mended }
}

const alertingRules = prepared(
  'alerting-rules',
  (tenantIds: readonly string[]) => sql<RuleRow>`
    select r.id as rule_id, r.event_types, r.monitor_filter, r.tenant_filter,
      c.id, c.tenant_id, c.type, c.config, c.secrets, c.name, c.is_enabled, t.plan, t.feature_overrides,
      ${isQuarantinedSql('notification_rule', 'r.id')} as is_quarantined
    from notification_channels c
    join tenants t on t.id = c.tenant_id
    left join notification_rules r on r.channel_id = c.id
    where c.tenant_id = any(${tenantIds}::uuid[]) and c.owner_user_id is null and t.deleted_at is null
    order by r.created_at, r.id`,
)
