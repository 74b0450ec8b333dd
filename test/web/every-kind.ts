import { type KindName, kindNames } from '#checks/index.ts'
import { aMonitor, minutesAgo } from '#test/control-plane/monitoring/monitored.ts'
import { app, type CallerUnderTest } from '#test/support/app.ts'
import { findingsOf } from './findings.ts'

const regions = ['eu-west', 'us-east']

/** A monitor with a check of each kind, each with a result of two regions that holds `text` wherever there is room. */
export async function aMonitorOfEveryKind(
  owner: CallerUnderTest,
  text: () => string,
  findings: (kind: KindName, text: () => string) => unknown = findingsOf,
): Promise<{ id: string; checks: { kind: KindName; id: string }[] }> {
  const monitor = await aMonitor(owner, { name: text(), kinds: [...kindNames] })
  const checks = kindNames.map((kind, index) => ({ kind, id: monitor.checks[index] ?? '' }))
  await app.services.clickhouse.insert({
    table: 'check_results',
    format: 'JSONEachRow',
    values: checks.flatMap(({ kind, id }) =>
      regions.map((region, index) => {
        const at = minutesAgo(index + 1).getTime()
        return {
          tenant_id: owner.tenantId,
          monitor_id: monitor.id,
          check_id: id,
          ...{ region, kind, due: at, at, received_at: at },
          attempt: 0,
          run_reason: 'due',
          outcome: index === 0 ? 'warning' : 'up',
          code: index === 0 ? 'degraded' : '',
          reason: index === 0 ? text().slice(0, 500) : '',
          response_ms: 120,
          ...{ dns_ms: 4, connect_ms: 12, tls_ms: 30, first_byte_ms: 80, total_ms: 126 },
          http_status: 200,
          seen: JSON.stringify(findings(kind, text)),
          excerpt: text(),
          address: '93.184.216.34',
        }
      }),
    ),
  })
  return { id: monitor.id, checks }
}
