import { isDeepStrictEqual } from 'node:util'
import type { EntityManager } from '@mikro-orm/postgresql'
import { sql } from 'kysely'
import { isPassiveKind } from '#checks/index.ts'
import { takesDown } from '#contract/check.ts'
import type { Limits } from '#contract/plans.ts'
import { Sentence, type Text } from '#contract/sentence.ts'
import type { FieldErrors } from '#control-plane/base/refusal.ts'
import { invalid, notInPlan } from '#control-plane/base/refusal.ts'
import { among, amongTexts, queries } from '#control-plane/db/queries.ts'
import type { Unplanned } from '#control-plane/monitoring/checks/input.ts'
import type { Guard } from '#egress/guard.ts'
import type { MonitorChanges } from './input.ts'

/** Collects validation errors of many monitors, and refuses them together. */
export class ValidationErrors {
  readonly #errors: FieldErrors
  #unplanned: Unplanned | undefined
  readonly #prefixOf: (index: number) => string

  /** `prefixOf`: how an error's path begins, for the monitor at an index. `found`: errors that are known already. */
  constructor(prefixOf: (index: number) => string, found: FieldErrors = {}) {
    this.#prefixOf = prefixOf
    this.#errors = { ...found }
  }

  add(index: number, field: string, reason: Text): void {
    const path = this.#prefixOf(index) + field
    this.#errors[path] = [...(this.#errors[path] ?? []), reason]
  }

  addAll(index: number, errors: FieldErrors): void {
    for (const [field, reasons] of Object.entries(errors)) for (const reason of reasons) this.add(index, field, reason)
  }

  /** What the plan does not include is reported only when there are no other errors. */
  addUnplanned(index: number, unplanned: Unplanned): void {
    this.#unplanned ??= { ...unplanned, path: this.#prefixOf(index) + unplanned.path }
  }

  refuseIfAny(tenant: { plan: string }): void {
    if (Object.keys(this.#errors).length > 0) throw invalid(this.#errors)
    if (this.#unplanned)
      throw notInPlan(this.#unplanned.feature, tenant.plan, this.#unplanned.why, this.#unplanned.path)
  }
}

export const single = () => ''
export const byIndex = (index: number) => `monitors.${index}.`

/** White space, control characters and backslashes are read differently by different parsers. */
const ambiguous = /[\s\\\p{Cc}]/u

export const maxUrlBytes = 2_048

/** A monitor's address as it is stored, or why it is refused. */
export function readUrl(text: string, type: string, guard: Guard): { url: string } | { error: string } {
  if (isPassiveKind(type))
    return /^https?:\/\//i.test(text) && URL.canParse(text) && !ambiguous.test(text)
      ? { url: text }
      : { error: 'Give a web address that people can open.' }
  if (ambiguous.test(text)) return { error: 'The address must not contain spaces, backslashes or control characters.' }
  if (type === 'host') {
    const host = text.replace(/^host:\/\//i, '')
    const error = guard.refuseHost(host.replace(/^\[(.*)\]$/, '$1'))
    return error === null
      ? { url: `host://${host.includes(':') && !host.startsWith('[') ? `[${host}]` : host}` }
      : { error }
  }
  const url = withScheme(text, type)
  if (Buffer.byteLength(url) > maxUrlBytes) return { error: `At most ${maxUrlBytes} bytes.` }
  const error = /^https?:\/\/[^/]/i.test(url) ? guard.refuseUrl(url) : 'The URL must start with http:// or https://.'
  return error === null ? { url } : { error }
}

/** A host, perhaps a port, then the end or a path: an address that names no scheme, nor anything else that could be one. */
const schemeless = /^(?:\[[\da-f:.]+\]|[^\s:/?#@[\]]+)(?::\d{1,5})?(?:[/?#]|$)/iu

/** A website's address with its scheme: `example.com` means https. */
export const withScheme = (text: string, type: string): string =>
  type === 'website' && schemeless.test(text) ? `https://${text}` : text

type Planned = Pick<MonitorChanges, 'check_interval' | 'regions'>

/**
 * Errors of fields by the plan and the installation. A value that is stored already is taken as it is: a plan that
 * became smaller refuses no monitor that is sent back unchanged.
 */
export function validateFields(
  wanted: Planned,
  limits: Limits,
  knownRegions: ReadonlySet<string>,
  stored: Planned = {},
): FieldErrors {
  const errors: FieldErrors = {}
  const sent = {
    check_interval: wanted.check_interval === stored.check_interval ? undefined : wanted.check_interval,
    regions: isDeepStrictEqual(wanted.regions, stored.regions) ? undefined : wanted.regions,
  }
  if (sent.check_interval !== undefined && sent.check_interval < limits.min_check_interval)
    errors.check_interval = [
      new Sentence('The plan allows {n} seconds at the least.', { n: limits.min_check_interval }),
    ]
  const unknown = sent.regions?.filter(region => !knownRegions.has(region)) ?? []
  if (unknown.length > 0) errors.regions = [new Sentence('Not known: {regions}.', { regions: unknown.join(', ') })]
  else if (limits.regions_per_monitor !== null && (sent.regions?.length ?? 0) > limits.regions_per_monitor)
    errors.regions = [
      limits.regions_per_monitor === 1
        ? 'The plan allows one region a monitor.'
        : new Sentence('The plan allows {n} regions a monitor.', { n: limits.regions_per_monitor }),
    ]
  return errors
}

export async function regionNames(em: EntityManager): Promise<Set<string>> {
  const rows = await queries(em).selectFrom('regions').where('retired_at', 'is', null).select('name').execute()
  return new Set(rows.map(row => row.name))
}

/** Adds errors for references that are used by another monitor of the tenant, or earlier in the same call. */
export async function validateReferences(
  em: EntityManager,
  tenant: { id: string },
  monitors: readonly { id?: string; external_ref?: string | null }[],
  validationErrors: ValidationErrors,
): Promise<void> {
  const sent = monitors.flatMap((monitor, index) =>
    monitor.external_ref ? [{ id: monitor.id, ref: monitor.external_ref, index }] : [],
  )
  if (sent.length === 0) return
  const refs = sent.map(({ ref }) => ref)
  const own = queries(em).selectFrom('monitors').where('tenant_id', '=', tenant.id)
  const rows = await own.where('external_ref', '=', amongTexts(refs)).select(['id', 'external_ref']).execute()
  const owners = new Map(rows.map(row => [row.external_ref, row.id]))
  const changing = new Map(
    monitors.flatMap(monitor =>
      monitor.id && monitor.external_ref !== undefined ? [[monitor.id, monitor.external_ref]] : [],
    ),
  )
  const taken = new Set<string>()
  for (const { id, ref, index } of sent) {
    const owner = owners.get(ref)
    // an owner may give up the reference in the same call
    const kept = owner !== undefined && changing.has(owner) ? changing.get(owner) : ref
    const isUsed = owner !== undefined && owner !== id && kept === ref
    if (isUsed || taken.has(ref)) validationErrors.add(index, 'external_ref', 'Is already taken.')
    taken.add(ref)
  }
}

/** Adds errors for escalation policies that are not the tenant's own. Those that are named stay until this transaction ends. */
export async function validatePolicies(
  em: EntityManager,
  tenant: { id: string },
  monitors: readonly { escalation_policy_id?: string | null }[],
  validationErrors: ValidationErrors,
): Promise<void> {
  const named = new Set(monitors.flatMap(({ escalation_policy_id }) => escalation_policy_id ?? []))
  if (named.size === 0) return
  const rows = await queries(em)
    .selectFrom('escalation_policies')
    .where('tenant_id', '=', tenant.id)
    .where('id', '=', among([...named]))
    .select('id')
    .orderBy('id')
    .forKeyShare()
    .execute()
  const known = new Set(rows.map(({ id }) => id))
  for (const [index, { escalation_policy_id }] of monitors.entries())
    if (escalation_policy_id && !known.has(escalation_policy_id))
      validationErrors.add(index, 'escalation_policy_id', 'There is no such escalation policy.')
}

/** Adds errors for parents that are not the tenant's own, and for circles. One statement reads the whole graph. */
export async function validateParents(
  em: EntityManager,
  tenant: { id: string },
  monitors: readonly { id?: string; depends_on?: string[] }[],
  validationErrors: ValidationErrors,
): Promise<void> {
  const named = new Set(monitors.flatMap(monitor => monitor.depends_on ?? []))
  if (named.size === 0) return
  const rows = await queries(em)
    .selectFrom('monitors')
    .where('tenant_id', '=', tenant.id)
    .where(({ eb, or }) => or([eb('depends_on', '<>', sql<string[]>`'{}'`), eb('id', '=', among([...named]))]))
    .select(['id', 'depends_on'])
    .execute()
  const parents = new Map(rows.map(row => [row.id, row.depends_on]))
  const known = new Set(parents.keys())
  for (const { id, depends_on } of monitors) if (id && depends_on) parents.set(id, depends_on)
  monitors.forEach(({ id, depends_on = [] }, index) => {
    if (id && depends_on.includes(id)) validationErrors.add(index, 'depends_on', 'A monitor cannot depend on itself.')
    else if (!depends_on.every(parent => known.has(parent)))
      validationErrors.add(index, 'depends_on', 'Names a monitor that does not exist.')
    else if (id && isAncestor(id, depends_on, parents))
      validationErrors.add(index, 'depends_on', 'The dependencies go round in a circle.')
  })
}

const unmeasured = 'Needs a check of severity critical or major: only such a check takes the monitor down.'

/** Adds errors for objectives of monitors that no check takes down. `severities`: those of its checks. */
export function validateObjective(
  index: number,
  slo: MonitorChanges['slo'],
  severities: readonly (string | null)[],
  validationErrors: ValidationErrors,
): void {
  if (slo && !severities.some(takesDown)) validationErrors.add(index, 'slo', unmeasured)
}

/** The severities of the checks of these monitors. */
export async function severitiesOf(
  em: EntityManager,
  tenant: { id: string },
  monitors: readonly string[],
): Promise<Map<string, (string | null)[]>> {
  if (monitors.length === 0) return new Map()
  const rows = await queries(em)
    .selectFrom('checks')
    .where('tenant_id', '=', tenant.id)
    .where('monitor_id', '=', among([...monitors]))
    .select(['monitor_id', 'severity'])
    .execute()
  return new Map(
    [...Map.groupBy(rows, row => row.monitor_id)].map(([id, own]) => [id, own.map(({ severity }) => severity)]),
  )
}

function isAncestor(id: string, from: readonly string[], parents: ReadonlyMap<string, string[]>): boolean {
  const open = [...from]
  const seen = new Set<string>()
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (next === id) return true
    if (seen.has(next)) continue
    seen.add(next)
    open.push(...(parents.get(next) ?? []))
  }
  return false
}
