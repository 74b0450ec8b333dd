import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createMetrics } from '#control-plane/base/metrics.ts'
import { dashboardFiles, dashboards } from '#deploy/grafana/dashboards.ts'
import { type Figures, metricsOf } from '#probe-agent/metrics.ts'
import { type Serving, serving } from '#test/control-plane/serving.ts'
import { anchors } from '#test/support/markdown.ts'

const folder = 'deploy/prometheus'
const rules = readFileSync(join(folder, 'rules.yaml'), 'utf8')

interface Alert {
  name: string
  expr: string
  runbook: string
  annotations: string
}

/** The alerts of the file, which has one shape: promtool reads it as YAML. */
const alerts: Alert[] = rules
  .split(/^ {6}- alert: /m)
  .slice(1)
  .map(text => ({
    name: text.slice(0, text.indexOf('\n')),
    expr: /^ {8}expr: (?:>-\n)?([\s\S]*?)(?=^ {8}\w)/m.exec(text)?.[1]?.replaceAll(/\s+/g, ' ') ?? '',
    runbook: /^ {10}runbook: (.*)$/m.exec(text)?.[1] ?? '',
    annotations: text.slice(text.indexOf('annotations:')),
  }))

/** The recording rules. */
const records = rules
  .split(/^ {6}- record: /m)
  .slice(1)
  .map(text => ({
    name: text.slice(0, text.indexOf('\n')),
    expr: /^ {8}expr: (?:>-\n)?([\s\S]*?)(?=^ {8}\w)/m.exec(text)?.[1]?.replaceAll(/\s+/g, ' ') ?? '',
  }))

/** What Prometheus adds to each metric, and what a bucket has. */
const always = ['instance', 'job', 'le']

/** Metrics of node_exporter and of the kubelet, which rules use where they are. */
const ofOthers = [
  ...['node_filesystem_avail_bytes', 'node_filesystem_size_bytes'],
  ...['kubelet_volume_stats_available_bytes', 'kubelet_volume_stats_capacity_bytes'],
]

let served: Serving
/** The labels of each metric, by the name under which it is exposed. */
const exposed = new Map<string, readonly string[]>([
  ['up', []],
  ...ofOthers.map(name => [name, ['fstype', 'mountpoint']] as const),
  ...records.map(({ name }) => [name, ['objective']] as const),
])
beforeAll(async () => {
  served = await serving('deploy_metrics')
  await served.agent('eu-west', { METRICS_PORT: '0' })
  const declared = new Map<string, readonly string[]>()
  for (const registry of [createMetrics().register, metricsOf(() => ({}) as Figures)])
    for (const metric of registry.getMetricsAsArray()) declared.set(metric.name, labelsOf(metric))
  const text = await (await fetch(`${served.plane.metricsUrl}/metrics`)).text()
  const names = [...text.matchAll(/^# TYPE (\w+) (\w+)$/gm)].map(([, name = '', type = '']) => ({ name, type }))
  expect(names.length).toBeGreaterThan(40)
  const agents = metricsOf(() => ({}) as Figures).getMetricsAsArray()
  for (const { name, type } of [...names, ...agents.map(({ name, type }) => ({ name, type: String(type) }))]) {
    const suffixes = type === 'histogram' ? ['_bucket', '_count', '_sum'] : ['']
    for (const suffix of suffixes) exposed.set(name + suffix, declared.get(name) ?? [])
  }
})
afterAll(() => served?.close())

const labelsOf = (metric: object): readonly string[] =>
  'labelNames' in metric && Array.isArray(metric.labelNames) ? metric.labelNames.map(String) : []

/** What is wrong with the metrics and labels of an expression, and of the texts that name its labels. */
function problemsOf(expr: string, named: readonly string[] = []): string[] {
  const problems: string[] = []
  const known = new Set(always)
  const used = [...expr.matchAll(/\b(vedette[_:][\w:]+|(?:node|kubelet)_\w+|up)\b(?:\{([^}]*)\})?/g)]
  if (used.length === 0) problems.push('names no metric')
  for (const [, name = '', filter = ''] of used) {
    const labels = exposed.get(name)
    if (!labels) problems.push(`${name} is not exposed`)
    for (const label of labels ?? []) known.add(label)
    for (const [, label = ''] of filter.matchAll(/(\w+)\s*(?:=~|!~|!=|=)/g))
      if (![...(labels ?? []), ...always].includes(label)) problems.push(`${name} has no label ${label}`)
  }
  const grouped = [...expr.matchAll(/\b(?:by|without) \(([^)]*)\)/g)].flatMap(([, list = '']) => list.split(/,\s*/))
  for (const label of [...grouped, ...named]) if (!known.has(label)) problems.push(`no label ${label}`)
  return problems
}

test('a metric or label that is not exposed is found', () => {
  expect(problemsOf('sum by (region) (rate(vedette_results_ingested_total[5m]))', ['region'])).toEqual([])
  expect(problemsOf('vedette_nothing')).toEqual(['vedette_nothing is not exposed'])
  expect(problemsOf('vedette_agents{status="ok"}')).toEqual(['vedette_agents has no label status'])
  expect(problemsOf('sum by (tenant) (vedette_agents)', ['team'])).toEqual(['no label tenant', 'no label team'])
})

test.each(dashboards.map(plan => [plan.title, plan] as const))('%s uses what is exposed', (_, { panels }) => {
  expect(panels.length).toBeGreaterThan(5)
  for (const { title, queries } of panels)
    for (const [expr, legend] of queries) {
      const named = [...legend.matchAll(/\{\{(\w+)\}\}/g)].map(([, label = '']) => label)
      expect(problemsOf(expr, named), title).toEqual([])
    }
})

test('the files of the dashboards are those of their plans', () => {
  for (const [name, text] of dashboardFiles())
    expect(readFileSync(join('deploy/grafana', name), 'utf8') === text, 'type: npm run dashboards').toBe(true)
  const files = readdirSync('deploy/grafana').filter(name => name.endsWith('.json'))
  expect(files.sort()).toEqual(
    dashboardFiles()
      .map(([name]) => name)
      .sort(),
  )
})

test('every alert uses what is exposed, and names a runbook that exists', () => {
  expect(alerts.length).toBeGreaterThan(20)
  expect(new Set(alerts.map(({ name }) => name)).size).toBe(alerts.length)
  for (const { name, expr, runbook, annotations } of alerts) {
    const named = [...annotations.matchAll(/\$labels\.(\w+)/g)].map(([, label = '']) => label)
    expect(problemsOf(expr, named), name).toEqual([])
    const [page = '', anchor = ''] = runbook.split('#')
    expect(anchors(readFileSync(page, 'utf8')), name).toContain(anchor)
  }
})

test('a label that a rule groups away is not named in its text', () => {
  for (const { name, expr, annotations } of alerts) {
    const grouped = /^(?:min|max|sum|histogram_quantile\([\d.]+, sum)\b/.test(expr)
    if (!grouped) continue
    const kept = [...expr.matchAll(/\bby \(([^)]*)\)/g)].flatMap(([, list = '']) => list.split(/,\s*/))
    for (const [, label = ''] of annotations.matchAll(/\$labels\.(\w+)/g)) expect(kept, name).toContain(label)
  }
})

test('every recording rule uses what is exposed', () => {
  expect(records.length).toBeGreaterThan(10)
  for (const { name, expr } of records) expect(problemsOf(expr), name).toEqual([])
})

test('what a process says of its parts, of ClickHouse and of its work is measured', async () => {
  const text = await (await fetch(`${served.plane.metricsUrl}/metrics`)).text()
  const sampleOf = (series: string) =>
    Number(
      text
        .split('\n')
        .find(line => line.startsWith(`${series} `))
        ?.slice(series.length),
    )
  for (const part of ['postgres', 'clickhouse']) expect(sampleOf(`vedette_part_ready{part="${part}"}`), part).toBe(1)
  for (const role of ['api', 'ingest']) expect(sampleOf(`vedette_role{role="${role}"}`), role).toBe(1)
  const disks = [...text.matchAll(/^vedette_clickhouse_disk_free_ratio\{disk="[^"]+"\} (\S+)$/gm)].map(([, free]) =>
    Number(free),
  )
  expect(disks.length).toBeGreaterThan(0)
  for (const free of disks) expect(free > 0 && free <= 1).toBe(true)
  expect(sampleOf('vedette_clickhouse_parts')).toBeGreaterThan(0)
  expect(sampleOf('vedette_checks_expected')).toBe(0)
  const monitor = await served.monitor(await served.tenant(), 'http://127.0.0.1:9/', { regions: ['eu-west'] })
  expect(monitor.check).toBeTruthy()
  const later = await (await fetch(`${served.plane.metricsUrl}/metrics`)).text()
  expect(later).toMatch(/^vedette_checks_expected 1$/m)
})
