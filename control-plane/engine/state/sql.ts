import { type RawBuilder, sql } from 'kysely'
import { sqlTextOf } from '#control-plane/base/sql-text.ts'
import { maintenanceOfSql } from '#control-plane/engine/suppression/maintenance.ts'
import { type Cause, type Condition, type InputName, type Rule, rules, type State, unwatched } from './rules.ts'
import { statusOfState } from './state.ts'

/** How a statement names what goes in: an expression, and where it costs less another one for whether it is set. */
type Columns = Record<InputName, string | { value: string; isSet: string }>

/** What goes in for a monitor of a tenant, by their aliases. */
const columnsOf = (m: string, t: string): Columns => ({
  team_deleted_at: `${t}.deleted_at`,
  team_paused_at: `${t}.paused_at`,
  team_suspended_at: `${t}.suspended_at`,
  is_enabled: `${m}.is_enabled`,
  held_by_plan: `${m}.held_by_plan`,
  switched_at: `${m}.switched_at`,
  created_at: `${m}.created_at`,
  maintenance_since: {
    value: `(select min(ms.started_at) ${sqlTextOf(maintenanceOfSql(m))})`,
    isSet: `exists (select 1 ${sqlTextOf(maintenanceOfSql(m))})`,
  },
  has_check: `exists (select 1 from checks c where c.monitor_id = ${m}.id and c.is_enabled)`,
  status: `${m}.status`,
  status_changed_at: `${m}.status_changed_at`,
  coverage: `${m}.coverage`,
  coverage_since: `${m}.coverage_since`,
})

const expressionOf = (columns: Columns, name: InputName): string => {
  const column = columns[name]
  return typeof column === 'string' ? column : column.value
}

/** SQL: whether a condition holds; null at most where an earlier rule holds, as for a status that is not known. */
function conditionSql(condition: Condition, columns: Columns): string {
  if ('set' in condition) {
    const column = columns[condition.set]
    return typeof column === 'string' ? `${column} is not null` : column.isSet
  }
  if ('yes' in condition) return expressionOf(columns, condition.yes)
  if ('no' in condition) return `not ${expressionOf(columns, condition.no)}`
  const text = expressionOf(columns, condition.column)
  if ('outside' in condition) return `(${text} is null or ${text} not in (${condition.outside.map(quoted).join(', ')}))`
  return condition.in.length === 1
    ? `${text} = ${quoted(condition.in[0]!)}`
    : `${text} in (${condition.in.map(quoted).join(', ')})`
}

const quoted = (text: string) => `'${text}'`

const allOf = ({ when }: Rule, columns: Columns): string =>
  when.map(condition => conditionSql(condition, columns)).join('\n      and ')

/** The rules that decide on the state: without those that only separate its cause from that of the next rule. */
const stateRules = rules.filter((rule, place) => {
  const next = rules[place + 1]
  const own = rule.when.map(condition => JSON.stringify(condition))
  return next?.state !== rule.state || !next.when.every(condition => own.includes(JSON.stringify(condition)))
})

/** SQL: what the first rule that holds says. */
function firstOf(columns: Columns, said: (rule: Rule) => string | null, of: readonly Rule[] = rules): string {
  const lines = of.map(rule => {
    const says = said(rule) ?? 'null'
    return rule.when.length === 0 ? `else ${says}` : `when ${allOf(rule, columns)}\n    then ${says}`
  })
  return `case\n    ${lines.join('\n    ')}\n  end`
}

const sinceSql = ({ since }: Rule, columns: Columns): string => {
  const moments = since.map(name => expressionOf(columns, name))
  return moments.length === 1 ? moments[0]! : `greatest(\n      ${moments.join(',\n      ')}\n    )`
}

/** What a person wrote of the cause: the reason of a pause, the title of a window, what a check found. */
const detailSql = ({ cause }: Rule): string | null => {
  switch (cause) {
    case 'team_paused':
      return '(select g.paused_reason from managed_teams g where g.tenant_id = t.id)'
    case 'maintenance_window':
      return `(select w.title from maintenance_spans ms join maintenance_windows w on w.id = ms.window_id
      where ms.monitor_id = m.id and ms.ended_at is null order by ms.started_at, ms.id limit 1)`
    case 'check_failed':
    case 'check_warns':
      return 'm.status_reason'
    default:
      return null
  }
}

/** The body of `monitor_states(tenant)`. It is inlined into the statements that read it. */
function statesBody(): string {
  const columns = columnsOf('m', 't')
  return `
  select m.id,
  ${firstOf(columns, ({ state }) => quoted(state), stateRules)},
  ${firstOf(columns, ({ cause }) => cause && quoted(cause))},
  ${firstOf(columns, rule => sinceSql(rule, columns))},
  ${firstOf(columns, detailSql)}
  from tenants t join monitors m on m.tenant_id = t.id
  where t.id = $1
`
}

/** The arguments of `monitor_state`: what decides on the state alone, as triggers have it. */
const argumentTypes = {
  team_deleted_at: 'timestamptz',
  team_paused_at: 'timestamptz',
  is_enabled: 'boolean',
  held_by_plan: 'boolean',
  maintenance_since: 'timestamptz',
  status: 'text',
  coverage: 'text',
  coverage_since: 'timestamptz',
} as const satisfies Partial<Record<InputName, string>>
const argumentNames = Object.keys(argumentTypes) as (keyof typeof argumentTypes)[]

function stateBody(): string {
  const columns = Object.fromEntries(argumentNames.map((name, place) => [name, `$${place + 1}`])) as Columns
  return `
  select ${firstOf(columns, ({ state }) => quoted(state), stateRules)}
`
}

const statusBody = () => {
  const named = Object.entries(statusOfState).flatMap(([state, status]) =>
    status === null ? [] : `when ${quoted(state)} then ${quoted(status)}`,
  )
  return `
  select case $1
    ${named.join('\n    ')}
  end
`
}

/** The functions of the database that are made from the table, by name: what a migration creates them with. */
export const stateFunctions = {
  monitor_state: {
    head: `function monitor_state(${argumentNames.map(name => `${name} ${argumentTypes[name]}`).join(',\n  ')})
  returns text language sql immutable parallel safe`,
    body: stateBody(),
  },
  monitor_states: {
    head: `function monitor_states(tenant uuid)
  returns table (monitor_id uuid, state text, cause text, since timestamptz, detail text)
  language sql stable parallel safe`,
    body: statesBody(),
  },
  monitor_status: {
    head: 'function monitor_status(state text) returns text language sql immutable parallel safe',
    body: statusBody(),
  },
} as const

/**
 * Whether the state of a monitor `m` of a tenant `t` is one of these. As conditions on columns, of which the
 * planner knows how many rows they match; of an expression it does not.
 */
export function isInStateSql(wanted: readonly State[], m = 'm', t = 't'): RawBuilder<boolean> {
  const columns = columnsOf(m, t)
  const text = stateRules.reduceRight((rest, rule) => {
    const isWanted = wanted.includes(rule.state)
    if (rule.when.length === 0) return String(isWanted)
    const holds = `(${allOf(rule, columns)})`
    if (rest === String(isWanted)) return rest
    if (rest === String(!isWanted)) return isWanted ? holds : `not ${holds}`
    return isWanted ? `(${holds} or ${rest})` : `(not ${holds} and ${rest})`
  }, 'false')
  return sql.raw(text)
}

/** Whether checks of a monitor run, but for maintenance windows that pause them. By its alias and its tenant's. */
export const isWatchedSql = (m = 'm', t = 't'): RawBuilder<boolean> => sql`not ${isInStateSql(unwatched, m, t)}`

/** A row of `monitor_states`. `detail`: what a person wrote of the cause, or what a check found. */
export interface StateColumns<Moment = Date> {
  state: State
  cause: Cause | null
  since: Moment | null
  detail: string | null
}

/** The states of the monitors of the team that the request acts in. */
export const ofTeamSql = sql`monitor_states(current_tenant())`
