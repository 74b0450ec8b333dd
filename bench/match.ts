import { randomUUID } from 'node:crypto'
import { type Rule, RulesOfTenant } from '#control-plane/alerting/dispatch/rules-of-tenant.ts'
import { claim, median, round } from './figures.ts'

/**
 * What it costs to find an event's channels among a reseller's rules, each filtered by monitor and team, against
 * asking every rule in turn.
 */
const events = 20_000
const runs = 9
const names = [
  'incident.created',
  'incident.resolved',
  'warning.ssl_expiring',
  'warning.degraded_performance',
  'dns.records_changed',
  'monitor.updated',
]
const types = ['website', 'api', 'ssl', 'dns', 'cron']
const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(Math.random() * items.length)]!

const costs = new Map<number, number>()
for (const many of [100, 1_000, 10_000]) costs.set(many, measure(many))
claim('one event among 10,000 rules', costs.get(10_000) ?? Number.NaN, 'under', 50, ' µs')
console.log(`      10,000 rules against 100: ${round((costs.get(10_000) ?? 0) / (costs.get(100) ?? 1))} times as long`)

function measure(many: number): number {
  const monitors = Array.from({ length: many * 2 }, () => ({
    id: randomUUID(),
    tags: [`tag-${Math.floor(Math.random() * many)}`],
    type: pick(types),
  }))
  const teams = Array.from({ length: many }, (_, n) => ({ tenantId: randomUUID(), label: `label-${n}` }))
  const rules = Array.from({ length: many }, (_, n): Rule => ruleOf(n, many, monitors, teams))
  const index = new RulesOfTenant(rules)
  const asked = Array.from({ length: events }, () => {
    const monitor = pick(monitors)
    return { event: pick(names), monitorId: monitor.id, monitor, teams: [pick(teams)] }
  })
  let matched = 0
  const times = Array.from({ length: runs }, () => {
    matched = 0
    const began = performance.now()
    for (const { event, ...about } of asked)
      if (index.wants(event))
        matched += index.match(event, {
          ...about,
          monitor: index.asksForMonitor(event) ? about.monitor : undefined,
        }).size
    return ((performance.now() - began) * 1_000) / events
  })
  const few = asked.slice(0, Math.max(200, 200_000 / many))
  const began = performance.now()
  let found = 0
  for (const each of few) found += new Set(rules.filter(rule => wants(rule, each)).map(({ channel }) => channel)).size
  const plain = ((performance.now() - began) * 1_000) / few.length
  const same = few.reduce((sum, { event, ...about }) => sum + index.match(event, about).size, 0)
  if (same !== found) throw new Error(`the index finds ${same} channels, asking every rule finds ${found}`)
  const cost = median(times)
  console.log(
    `      ${many} rules: ${round(cost)} µs an event, ${round(matched / events)} channels each; asking every rule ${round(plain)} µs`,
  )
  return cost
}

/**
 * In turn: by monitors, by tag, by type, by teams, by labels and how they begin, and by tag and team together. Types
 * are few, so only few rules ask for them.
 */
function ruleOf(
  n: number,
  many: number,
  monitors: readonly { id: string }[],
  teams: readonly { tenantId: string }[],
): Rule {
  const channel = { id: randomUUID(), tenantId: 'x', type: 'webhook' as const, config: {}, secrets: null }
  const monitor = { monitor_ids: [], tags: [], types: [] }
  const team = { tenant_ids: [], labels: [] }
  const filters: Pick<Rule, 'monitor_filter' | 'tenant_filter'>[] = [
    { monitor_filter: { ...monitor, monitor_ids: [pick(monitors).id, pick(monitors).id] }, tenant_filter: null },
    { monitor_filter: { ...monitor, tags: [`tag-${n}`] }, tenant_filter: null },
    {
      monitor_filter:
        n < 60 ? { ...monitor, types: [pick(types)] } : { ...monitor, tags: [`tag-${n}`, `tag-${n + 1}`] },
      tenant_filter: null,
    },
    { monitor_filter: null, tenant_filter: { ...team, tenant_ids: [pick(teams).tenantId, pick(teams).tenantId] } },
    { monitor_filter: null, tenant_filter: { ...team, labels: [`label-${n % many}`, `label-${n}*`] } },
    {
      monitor_filter: { ...monitor, tags: [`tag-${n}`] },
      tenant_filter: { tenant_ids: [pick(teams).tenantId], labels: [`label-${n % 10}*`] },
    },
  ]
  return {
    id: randomUUID(),
    event_types: [...new Set([pick(names), 'incident.created'])],
    channel,
    ...filters[n % filters.length]!,
  }
}

function matchesLabel(label: string, pattern: string): boolean {
  return pattern.endsWith('*') ? label.startsWith(pattern.slice(0, -1)) : label === pattern
}

function wants(
  { event_types, monitor_filter, tenant_filter }: Rule,
  {
    event,
    monitor,
    teams,
  }: {
    event: string
    monitor: { id: string; tags: string[]; type: string }
    teams: { tenantId: string; label: string }[]
  },
): boolean {
  if (!event_types.includes(event)) return false
  const isMonitor =
    !monitor_filter ||
    monitor_filter.monitor_ids.length + monitor_filter.tags.length + monitor_filter.types.length === 0 ||
    monitor_filter.monitor_ids.includes(monitor.id) ||
    monitor_filter.types.includes(monitor.type) ||
    monitor_filter.tags.some(tag => monitor.tags.includes(tag))
  const isTeam =
    !tenant_filter ||
    tenant_filter.tenant_ids.length + tenant_filter.labels.length === 0 ||
    teams.some(
      ({ tenantId, label }) =>
        tenant_filter.tenant_ids.includes(tenantId) ||
        tenant_filter.labels.some(pattern => matchesLabel(label, pattern)),
    )
  return isMonitor && isTeam
}
