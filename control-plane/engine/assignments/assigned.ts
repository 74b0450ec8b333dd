import { isKindName, isPassiveKind, type KindName, kinds } from '#checks/index.ts'
import type { Assignment } from '#contract/agent.ts'
import { type CheckKind, type Severity, severities } from '#contract/check.ts'
import { effectiveLimits, type Limits } from '#contract/plans.ts'
import { BadRowError } from '#control-plane/base/quarantine/reason.ts'
import type { Keyring } from '#control-plane/base/secrets.ts'
import type { CheckRules } from '#control-plane/engine/verdicts/core.ts'
import { directPolicy, directRegion, policyModes } from '#control-plane/engine/verdicts/quorum.ts'
import { decryptSettings } from './check-secrets.ts'
import { missingFeature } from './feature.ts'
import { effectiveInterval } from './interval.ts'
import type { CheckRow } from './rows.ts'

/**
 * A check as the active ingest process knows it. Parts that many checks share are one object in memory; none is ever
 * changed.
 */
export interface Assigned {
  readonly check: string
  readonly monitor: string
  readonly monitorName: string
  readonly tenant: string
  readonly kind: KindName
  readonly url: string
  /** Parsed by the kind's schema, defaults filled in. */
  readonly settings: Readonly<Record<string, unknown>>
  /** Monitors this one leans on. */
  readonly dependsOn: readonly string[]
  readonly rules: CheckRules
  /** The regions that the customer named; empty: all. */
  readonly wanted: readonly string[]
  readonly regionsAtMost: number | null
  /** Days for which the plan keeps data. */
  readonly keepDays: number
}

/**
 * With more distinct parts of a sort than this, the collection starts again: equal parts are then sent as changed,
 * which does no harm.
 */
const keptAtMost = 100_000

const noStrings: readonly string[] = Object.freeze([])
const directOnly: readonly string[] = Object.freeze([directRegion])

/** Without regions one report is enough, and is valid until the next. */
export const directRules = (severity: Severity | null): CheckRules => ({
  regions: directOnly,
  policy: directPolicy,
  confirmations: 1,
  recoveryConfirmations: 1,
  severity,
  intervalMs: 1e12,
  timeoutMs: 0,
})

/** Makes `Assigned` of rows, and keeps each distinct part once. */
export class Assembler {
  readonly #ring: Keyring
  readonly #settings = new Map<string, Readonly<Record<string, unknown>>>()
  readonly #lists = new Map<string, readonly string[]>()
  readonly #policies = new Map<string, CheckRules['policy']>()
  readonly #limits = new Map<string, Limits>()
  readonly #strings = new Map<string, string>()

  constructor(ring: Keyring) {
    this.#ring = ring
  }

  /** Whether the plan of its tenant includes what the check needs. */
  isInPlan(row: CheckRow): boolean {
    return !isKindName(row.type) || missingFeature(row.type, this.#limitsOf(row)) === null
  }

  /** Throws for a check that cannot be run: its kind, its settings or its secrets are not ours. */
  assemble(row: CheckRow, everywhere: readonly string[]): Assigned {
    if (!isKindName(row.type)) throw new BadRowError('The kind of the check is not known here.')
    if (!policyModes.some(mode => mode === row.region_policy?.mode))
      throw new BadRowError('The region policy of the monitor cannot be read.')
    const settings = this.#parse(row.type, row)
    const limits = this.#limitsOf(row)
    const isPassive = isPassiveKind(row.type)
    const intervalMs = 1_000 * effectiveInterval(row, limits)
    const wanted = isPassive ? directOnly : this.#list(row.regions)
    return {
      check: row.id,
      monitor: row.monitor_id,
      monitorName: row.monitor_name,
      tenant: once(this.#strings, row.tenant_id, row.tenant_id),
      kind: row.type,
      url: row.url,
      settings,
      dependsOn: this.#list(row.depends_on),
      wanted,
      regionsAtMost: limits.regions_per_monitor,
      keepDays: limits.data_retention_days,
      rules: isPassive
        ? directRules(severityOf(row.severity))
        : {
            regions: this.regionsOf({ check: row.id, wanted, regionsAtMost: limits.regions_per_monitor }, everywhere),
            policy: once(this.#policies, `${row.region_policy.mode} ${row.region_policy.count}`, row.region_policy),
            confirmations: row.confirmations,
            recoveryConfirmations: row.recovery_confirmations,
            severity: severityOf(row.severity),
            intervalMs,
            timeoutMs: timeoutOf(row.type, settings, row.timeout * 1_000, intervalMs),
          },
    }
  }

  regionsOf(
    of: Pick<Assigned, 'check' | 'wanted' | 'regionsAtMost'>,
    everywhere: readonly string[],
  ): readonly string[] {
    return this.#list(regionsFor(of, everywhere))
  }

  #list(list: readonly string[]): readonly string[] {
    return list.length === 0 ? noStrings : once(this.#lists, list.join(' '), list)
  }

  #parse(kind: KindName, { id, settings: text, secrets }: CheckRow): Readonly<Record<string, unknown>> {
    const key = `${kind} ${secrets ?? ''} ${text}`
    const known = this.#settings.get(key)
    if (known !== undefined) return known
    if (this.#settings.size >= keptAtMost) this.#settings.clear()
    const settings = kinds[kind].settings.parse(
      decryptSettings(this.#ring, id, { settings: JSON.parse(text), secrets }),
    )
    this.#settings.set(key, settings)
    return settings
  }

  #limitsOf({ plan, feature_overrides }: CheckRow): Limits {
    const key = `${plan} ${JSON.stringify(feature_overrides)}`
    return this.#limits.get(key) ?? once(this.#limits, key, effectiveLimits(plan, feature_overrides))
  }
}

function once<Value>(cache: Map<string, Value>, key: string, value: Value): Value {
  const known = cache.get(key)
  if (known !== undefined) return known
  if (cache.size >= keptAtMost) cache.clear()
  cache.set(key, value)
  return value
}

const severityOf = (text: string | null): Severity | null => severities.find(severity => severity === text) ?? null

/** The setting of the check, else of its monitor; a run never lasts into the next one. */
export function timeoutOf(
  name: KindName,
  settings: Readonly<Record<string, unknown>>,
  defaultMs: number,
  intervalMs: number,
): number {
  const kind: CheckKind = kinds[name]
  const own = kind.runTimeoutMs?.(settings) ?? settings.timeout_ms
  return Math.min(typeof own === 'number' ? own : defaultMs, intervalMs)
}

/**
 * The regions that run the check: those named, else all, and never more than the plan allows. Which of too many is
 * drawn by the check's own hash.
 */
export function regionsFor(
  { check, wanted, regionsAtMost }: Pick<Assigned, 'check' | 'wanted' | 'regionsAtMost'>,
  everywhere: readonly string[],
): readonly string[] {
  const all = wanted.length > 0 ? wanted : everywhere
  if (regionsAtMost === null || all.length <= regionsAtMost) return all
  const first = hashOf(check) % all.length
  return [...all.slice(first), ...all.slice(0, first)].slice(0, regionsAtMost).sort()
}

/** FNV-1a: spreads ids evenly, whatever made them. */
export function hashOf(text: string): number {
  let hash = 0x811c9dc5
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193)
  // the low bits of FNV are weak on short differences: fold the high ones in
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d)
  return (hash ^ (hash >>> 13)) >>> 0
}

/**
 * When in the interval a region runs a check: checks are spread by their hash, and the regions of one check follow
 * each other evenly.
 */
export function offsetMs(check: string, intervalMs: number, regionIndex: number, regionCount: number): number {
  return Math.floor((hashOf(check) % intervalMs) + (regionIndex * intervalMs) / regionCount) % intervalMs
}

/** The frame a region gets for a check. */
export function assignmentFor(assigned: Assigned, region: string, lastDueMs: number | null): Assignment {
  const { regions, intervalMs } = assigned.rules
  return {
    check: assigned.check,
    monitor: assigned.monitor,
    tenant: assigned.tenant,
    kind: assigned.kind,
    url: assigned.url,
    settings: assigned.settings,
    interval_ms: intervalMs,
    timeout_ms: assigned.rules.timeoutMs,
    offset_ms: offsetMs(assigned.check, intervalMs, regions.indexOf(region), regions.length),
    last_due_ms: lastDueMs,
  }
}

/** Whether agents need the new assignment. */
export const isSameWork = (a: Assigned, b: Assigned): boolean =>
  a.url === b.url &&
  a.kind === b.kind &&
  a.settings === b.settings &&
  a.rules.timeoutMs === b.rules.timeoutMs &&
  a.rules.intervalMs === b.rules.intervalMs &&
  (a.rules.regions === b.rules.regions || a.rules.regions.join() === b.rules.regions.join())
