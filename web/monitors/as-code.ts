import { yamlOf } from '../parts/yaml.ts'
import { queries } from '../queries.ts'
import { checksQuery, type Monitor } from './queries.ts'

/** A monitor with its checks as YAML: what `POST /monitors` takes to create the same one. */
export async function monitorYaml(monitor: Monitor): Promise<string> {
  const checks = await queries.fetchQuery(checksQuery(monitor.id))
  const { name, url, type, tags, group, notes, is_enabled, check_interval, timeout, regions } = monitor
  const { region_policy, confirmations, recovery_confirmations, depends_on, external_ref, metadata, slo } = monitor
  const { escalation_policy_id } = monitor
  return yamlOf({
    ...{ name, url, type, tags, group, notes, is_enabled, check_interval, timeout, regions },
    ...{ confirmations, recovery_confirmations, depends_on, escalation_policy_id, external_ref, metadata },
    region_policy: { ...region_policy },
    slo: slo === null ? null : { ...slo },
    checks: checks.map(check => ({
      type: check.type,
      is_enabled: check.is_enabled,
      interval: check.interval,
      severity: check.severity,
      settings: check.settings,
    })),
  })
}
