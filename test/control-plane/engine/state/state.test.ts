import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { sqlTextOf } from '#control-plane/base/sql-text.ts'
import { rules, type StateInput, states } from '#control-plane/engine/state/rules.ts'
import { isInStateSql, isWatchedSql, stateFunctions } from '#control-plane/engine/state/sql.ts'
import { isWatched, stateOf, statusOfState, whyOf } from '#control-plane/engine/state/state.ts'
import { app } from '#test/support/app.ts'

const { platform } = app.services

const at = (minute: number) => new Date(Date.UTC(2026, 0, 1, 12, minute))

interface Team {
  id: string
  deleted_at: Date | null
  paused_at: Date | null
  suspended_at: Date | null
}
interface Given extends StateInput {
  id: string
  tenant_id: string
  checks: 'none' | 'disabled' | 'one' | 'both'
}

const teams: Team[] = []
const given: Given[] = []
for (const deleted of [null, at(50)])
  for (const paused of [null, at(40)])
    for (const suspended of [null, at(40)]) {
      const team = { id: randomUUID(), deleted_at: deleted, paused_at: paused, suspended_at: suspended }
      teams.push(team)
      for (const is_enabled of [true, false])
        for (const held_by_plan of [true, false])
          for (const maintenance_since of [null, at(20)])
            for (const checks of ['none', 'disabled', 'one', 'both'] as const)
              for (const status of [null, 'paused', 'up', 'warning', 'down'])
                for (const [coverage, coverage_since] of [
                  ['full', at(5)],
                  ['partial', at(5)],
                  ['none', at(30)],
                  ['none', null],
                ] as const) {
                  const number = given.length
                  given.push({
                    id: randomUUID(),
                    tenant_id: team.id,
                    team_deleted_at: deleted,
                    team_paused_at: paused,
                    team_suspended_at: suspended,
                    is_enabled,
                    held_by_plan,
                    switched_at: number % 3 === 0 ? null : at(number % 2 === 0 ? 10 : 25),
                    created_at: at(number % 7 === 0 ? 45 : 0),
                    maintenance_since,
                    checks,
                    has_check: checks === 'one' || checks === 'both',
                    status,
                    status_changed_at: number % 5 === 0 ? null : at(15),
                    coverage,
                    coverage_since,
                  })
                }
    }

async function store() {
  await platform.query(
    `insert into tenants (id, name, slug, deleted_at, paused_at, suspended_at)
     select r.id, 'States', r.id::text, r.deleted_at, r.paused_at, r.suspended_at
     from jsonb_to_recordset($1::jsonb) as r(id uuid, deleted_at timestamptz, paused_at timestamptz,
       suspended_at timestamptz)`,
    [JSON.stringify(teams)],
  )
  await platform.query(
    `insert into monitors (id, tenant_id, name, url, type, check_interval, timeout, region_policy, confirmations,
       recovery_confirmations, is_enabled, held_by_plan, switched_at, created_at, status, status_changed_at, coverage,
       coverage_since)
     select r.id, r.tenant_id, 'State', 'https://state.example/', 'website', 60, 10, '{"mode":"majority","count":null}',
       2, 2, r.is_enabled, r.held_by_plan, r.switched_at, r.created_at, r.status, r.status_changed_at, r.coverage,
       r.coverage_since
     from jsonb_to_recordset($1::jsonb) as r(id uuid, tenant_id uuid, is_enabled boolean, held_by_plan boolean,
       switched_at timestamptz, created_at timestamptz, status text, status_changed_at timestamptz, coverage text,
       coverage_since timestamptz)`,
    [JSON.stringify(given)],
  )
  await platform.query(
    `insert into maintenance_spans (tenant_id, monitor_id, started_at, ended_at)
     select r.tenant_id, r.id, s.at, case when s.is_over then now() end
     from jsonb_to_recordset($1::jsonb) as r(id uuid, tenant_id uuid, maintenance_since timestamptz)
     cross join lateral (values (r.maintenance_since, false), (r.maintenance_since + interval '5 minutes', false),
       ('2025-12-01'::timestamptz, true)) s(at, is_over)
     where s.at is not null`,
    [JSON.stringify(given)],
  )
  const checks = given.flatMap(({ id, tenant_id, checks }) =>
    checks === 'none'
      ? []
      : [
          { id: randomUUID(), tenant_id, monitor_id: id, type: 'uptime', is_enabled: checks !== 'disabled' },
          { id: randomUUID(), tenant_id, monitor_id: id, type: 'ssl', is_enabled: checks === 'both' },
        ],
  )
  await platform.query(
    `insert into checks (id, tenant_id, monitor_id, type, is_enabled)
     select r.* from jsonb_to_recordset($1::jsonb) as r(id uuid, tenant_id uuid, monitor_id uuid, type text,
       is_enabled boolean)`,
    [JSON.stringify(checks)],
  )
}

const ids = teams.map(({ id }) => id)
const byId = <Row extends { id: string }>(rows: readonly Row[]) => new Map(rows.map(row => [row.id, row]))

test('The state of a monitor is the same in TypeScript and in SQL for all combinations of its columns', async () => {
  await store()
  const { rows } = await platform.query(
    `select s.monitor_id as id, s.state, s.cause, s.since,
       monitor_state(t.deleted_at, t.paused_at, m.is_enabled, m.held_by_plan, (select min(ms.started_at)
         from maintenance_spans ms where ms.monitor_id = m.id and ms.ended_at is null), m.status, m.coverage,
         m.coverage_since) as scalar,
       ${states.map(state => `${sqlTextOf(isInStateSql([state]))} as is_${state}`).join(', ')},
       ${sqlTextOf(isInStateSql(['unknown', 'disabled', 'up']))} as is_one_of_three, ${sqlTextOf(isInStateSql([]))} as is_none,
       ${sqlTextOf(isInStateSql(states))} as is_any, ${sqlTextOf(isWatchedSql())} as is_watched
     from tenants t cross join lateral monitor_states(t.id) s join monitors m on m.id = s.monitor_id
     where t.id = any($1)`,
    [ids],
  )
  const found = byId(rows)
  expect(found.size).toBe(given.length)
  const seen = new Set<string>()
  for (const input of given) {
    const { state, cause, since } = stateOf(input)
    seen.add(`${state} ${cause}`)
    expect(found.get(input.id), JSON.stringify(input)).toEqual({
      id: input.id,
      state,
      cause,
      since,
      scalar: state,
      ...Object.fromEntries(states.map(other => [`is_${other}`, other === state])),
      is_one_of_three: ['unknown', 'disabled', 'up'].includes(state),
      is_none: false,
      is_any: true,
      is_watched: isWatched(state),
    })
  }
  expect(seen.size).toBe(rules.length)
})

test('The functions of the database are those that the table of states makes', async () => {
  const { rows } = await platform.query(
    `select proname as name, prosrc as body from pg_proc
     where pronamespace = 'public'::regnamespace and proname = any($1)`,
    [Object.keys(stateFunctions)],
  )
  expect(Object.fromEntries(rows.map(({ name, body }) => [name, body]))).toEqual(
    Object.fromEntries(Object.entries(stateFunctions).map(([name, { body }]) => [name, body])),
  )
})

test('Each state but up has a sentence that says why', () => {
  for (const { state, cause } of rules)
    if (state === 'up') expect(whyOf(cause, null)).toBeNull()
    else expect(whyOf(cause, 'The host did not answer.')).toMatch(/\.$/)
  expect(Object.keys(statusOfState)).toEqual([...states])
})
