import { isIP } from 'node:net'
import { type RawBuilder, sql } from 'kysely'
import type { AgentSettings } from '#checks/agent/kind.ts'
import { Sentence } from '#contract/sentence.ts'
import { serverLimits } from '#contract/server-agent.ts'
import { Refusal } from '#control-plane/base/refusal.ts'
import { inTransaction } from '#control-plane/base/transaction.ts'
import { columnOf, type Part, prepared, rows } from '#control-plane/db/queries.ts'
import type { RequestContext } from '#control-plane/http/endpoint.ts'
import { addAudit } from '#control-plane/outbox/audit.ts'

/*
 * One token is for one server. A server is bound to the machine whose name came first; reports of another name are
 * refused while that machine reports, so that no value of the one is taken for one of the other.
 */

const minuteMs = 60_000
const longestIntervalMinutes = serverLimits.intervalS.max / 60
/** A machine that reported longer ago reports no more. */
export const heardMinutes = longestIntervalMinutes + 1
/** Every machine calls itself so. */
const loopback = /^(localhost(\..*)?|127(\.\d{1,3}){3}|\[?::1\]?)$/

/** The name of a machine in a form that compares: in lower case and without a port. Null: it names none. */
export function machineNamed(text: string): string | null {
  const name = text
    .replace(/\p{Cc}/gu, ' ')
    .toWellFormed()
    .trim()
    .toLowerCase()
    .replace(/^([^:]+|\[.*\]):\d{1,5}$/, '$1')
    .slice(0, 255)
  return name === '' || loopback.test(name) ? null : name
}

const isAddress = (name: string) => isIP(name.replace(/^\[(.*)\]$/, '$1')) !== 0

/** Whether two names may be of one machine: with and without its domain. A name and an address do not compare. */
const areAlike = (one: string, other: string) =>
  one === other || one.startsWith(`${other}.`) || other.startsWith(`${one}.`) || isAddress(one) !== isAddress(other)

/** What is known of the machines of a server. Times are milliseconds of the database's clock. */
export interface Machines {
  host_name: string | null
  heard_ms: number | null
  from_ms: number | null
  second_since_ms: number | null
  second_heard_ms: number | null
  no_data_after_minutes: AgentSettings['no_data_after_minutes']
  now_ms: number
}

export type Claim =
  | { kind: 'own' }
  | { kind: 'bound' }
  /** `isBeside`: the machine that the server is bound to has reported since the second one did first. */
  | { kind: 'second'; sinceMs: number; isBeside: boolean }

/**
 * What a report is that names this machine. A machine that took the place of another, or was renamed, is bound once
 * the former name is silent for longer than reports may be apart. Of two that reported side by side the second is bound
 * once the silence of the first has opened its incident.
 */
export function claimOf(machines: Machines, name: string): Claim {
  const { host_name, heard_ms, second_since_ms, second_heard_ms, no_data_after_minutes, now_ms } = machines
  if (host_name === null || heard_ms === null) return { kind: 'bound' }
  if (areAlike(host_name, name)) return { kind: 'own' }
  const isKnown = second_heard_ms !== null && now_ms - second_heard_ms < heardMinutes * minuteMs
  const sinceMs = isKnown ? (second_since_ms ?? now_ms) : now_ms
  const isBeside = heard_ms > sinceMs
  const limit = no_data_after_minutes ?? longestIntervalMinutes
  const minutes = (isBeside ? limit : Math.min(limit, longestIntervalMinutes)) + 1
  return now_ms - heard_ms > minutes * minuteMs ? { kind: 'bound' } : { kind: 'second', sinceMs, isBeside }
}

const ms = (column: Part) => sql`extract(epoch from ${columnOf(column)})::float8 * 1000`
const machinesOf = (monitorId: string, lock: RawBuilder<unknown> = sql``) => sql<Machines>`
  select a.host_name, ${ms('a.host_heard_at')} as heard_ms, ${ms('a.host_from')} as from_ms,
    ${ms('a.second_since')} as second_since_ms, ${ms('a.second_heard_at')} as second_heard_ms,
    case when c.settings ->> 'no_data_after_minutes' ~ '^[0-9]{1,6}$'
      then (c.settings ->> 'no_data_after_minutes')::int end as no_data_after_minutes,
    ${ms(sql`clock_timestamp()`)} as now_ms
  from agent_monitors a join checks c on c.id = a.check_id where a.monitor_id = ${monitorId} ${lock}`
const findMachines = prepared('server-machines', (monitorId: string) => machinesOf(monitorId))
const lockMachines = prepared('server-machines for update of a', (monitorId: string) =>
  machinesOf(monitorId, sql`for update of a`),
)

// counters of another machine are no counters of this one
const bindSql = (monitorId: string, name: string) => sql`
  update agent_monitors set host_name = ${name}, host_heard_at = clock_timestamp(), host_from = host_heard_at,
    second_host = null, second_since = null, second_heard_at = null,
    host = case when host_name is null then host end, memory = case when host_name is null then memory else '{}' end,
    processes = case when host_name is null then processes end,
    processes_at = case when host_name is null then processes_at end
  where monitor_id = ${monitorId}`

type MachineContext = Pick<RequestContext, 'services' | 'tenant' | 'server'>

/**
 * Binds the server to a machine, or refuses its report with 409. Returns the moment up to which values are of the
 * machine before it, in milliseconds; null: there was none.
 */
export async function bindMachine({ services, tenant, server }: MachineContext, name: string): Promise<number | null> {
  const { monitorId } = server
  const { platform } = services
  const [known] = await rows(platform, findMachines(monitorId))
  if (!known) return null // deleted meanwhile
  if (claimOf(known, name).kind === 'own') return known.from_ms
  const refused = await inTransaction(platform, async client => {
    const [machines] = await rows(client, lockMachines(monitorId))
    if (!machines) return null
    const claim = claimOf(machines, name)
    const { host_name } = machines
    if (claim.kind === 'second') {
      await rows(client)`
        update agent_monitors set second_host = ${name}, second_since = to_timestamp(${claim.sinceMs} / 1000.0),
        second_heard_at = clock_timestamp(), last_seen_at = case when ${claim.isBeside} then last_seen_at else
        clock_timestamp() end where monitor_id = ${monitorId}`
      return host_name
    }
    if (claim.kind === 'own') return null
    await rows(client, bindSql(monitorId, name))
    if (host_name !== null)
      await addAudit(client, [
        {
          tenantId: tenant.id,
          action: 'monitor.machine_changed',
          type: 'monitor',
          id: monitorId,
          changes: { host_name: { before: host_name, after: name } },
        },
      ])
    return null
  })
  if (refused !== null) throw secondMachine(refused, name)
  const [bound] = await rows(platform, findMachines(monitorId))
  return bound?.from_ms ?? null
}

const secondMachine = (bound: string, name: string) =>
  new Refusal(
    409,
    'second_server',
    new Sentence(
      'A token is for one server: {name} reports with this one, and now {other} as well. Give each its own token.',
      { name: bound, other: name },
    ),
  )
