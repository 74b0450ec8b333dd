/**
 * The document of `vedette export`, which `vedette import` and the source `vedette` of a migration read. It holds
 * monitors and jobs as the API shows them: no secret, and nothing that was measured. Of servers it names the monitor,
 * as an import leaves them out: their agents have keys of the installation.
 */
export const exportFormat = 'vedette-export'
export const exportVersion = 1

export interface ExportDocument {
  format: typeof exportFormat
  version: typeof exportVersion
  exported_at: string
  /** The installation it comes from. */
  from: string
  monitors: Record<string, unknown>[]
  jobs: Record<string, unknown>[]
}

/** Fields of a monitor that are exported; its checks besides. */
export const exportedOfMonitor = [
  'id',
  'type',
  'name',
  'url',
  'tags',
  'group',
  'notes',
  'is_enabled',
  'check_interval',
  'timeout',
  'regions',
  'region_policy',
  'confirmations',
  'recovery_confirmations',
  'depends_on',
  'escalation_policy_id',
  'external_ref',
  'metadata',
  'slo',
] as const

/** Fields of a job that are exported. */
export const exportedOfJob = [
  'id',
  'name',
  'url',
  'tags',
  'group',
  'notes',
  'is_enabled',
  'severity',
  'schedule_kind',
  'schedule',
  'timezone',
  'period_minutes',
  'grace_minutes',
  'max_run_minutes',
  'fail_keyword',
  'depends_on',
  'escalation_policy_id',
  'external_ref',
  'metadata',
  'slo',
] as const

/** Fields of a check that are exported. */
export const exportedOfCheck = ['type', 'settings', 'interval', 'severity', 'is_enabled'] as const

export const only = (fields: Record<string, unknown>, names: readonly string[]): Record<string, unknown> =>
  Object.fromEntries(names.flatMap(name => (fields[name] === undefined ? [] : [[name, fields[name]]])))
