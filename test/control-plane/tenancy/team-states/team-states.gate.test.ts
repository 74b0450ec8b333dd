import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { isMailType } from '#contract/mails.ts'
import { sqlTextOf } from '#control-plane/base/sql-text.ts'
import { unwatched } from '#control-plane/engine/state/rules.ts'
import { stateOf } from '#control-plane/engine/state/state.ts'
import { goesOn, goesOnSql, isAboutAccount, storedStateOf } from '#control-plane/tenancy/team-states/state.ts'
import {
  type Cell,
  statesOfTeams,
  type TeamState,
  type Thing,
  teamStates,
  things,
} from '#control-plane/tenancy/team-states/table.ts'
import { type Answered, type Team, World } from './world.ts'

const names = Object.keys(things) as Thing[]

/** Whether what a thing answered is what its cell says. */
function isAsSaid({ happens, answer }: Cell, seen: Answered | boolean): boolean {
  if (typeof seen === 'boolean') return seen === (happens === 'goes on')
  if (happens === 'goes on') return seen.status < 300
  // a picture or a page has no code
  return seen.status === answer?.status && (seen.code === null || seen.code === answer.code)
}

/** Lists and pages follow within moments; what is used up by being asked is asked once. */
const repeatable: ReadonlySet<Thing> = new Set(['checks', 'pings', 'servers', 'pages', 'badges', 'tokens'])

describe('every thing of a team, in its state and after it', () => {
  let world: World
  beforeAll(async () => {
    world = await World.open()
  }, 60_000)
  afterAll(() => world?.close())

  async function walk(team: Team, state: TeamState, phase: 0 | 1): Promise<void> {
    for (const thing of names) {
      const cell = statesOfTeams[state].things[thing]
      const isExpected = cell.happens === 'goes on'
      let seen: Answered | boolean = false
      const message = `${things[thing]} of a team ${phase === 0 ? 'in the state' : 'back in the state'} ${state}`
      const ask = async () => {
        seen = await world.ask[thing](team, phase, isExpected)
        return isAsSaid(cell, seen)
      }
      if (repeatable.has(thing)) await expect.poll(ask, { timeout: 20_000, interval: 250, message }).toBe(true)
      else expect(await ask(), `${message}: ${JSON.stringify(seen)}`).toBe(true)
    }
  }

  test.each(teamStates)('%s', { timeout: 240_000 }, async state => {
    const team = await world.aTeam(state !== 'active')
    await world.ways[state].into(team)
    await walk(team, state, 0)
    await world.ways[state].out(team)
    await walk(team, state === 'active' || state === 'on_trial' ? 'active' : 'on_trial', 1)
  })
})

describe('the table', () => {
  test('says of every cell that does not go on what happens and how it comes back', () => {
    for (const state of teamStates)
      for (const thing of names) {
        const { happens, says, back } = statesOfTeams[state].things[thing]
        expect(happens === 'goes on' || (says !== null && back !== null), `${state} ${thing}`).toBe(true)
        expect(happens === 'goes on' && back !== null, `${state} ${thing}`).toBe(false)
      }
  })

  test('names mails that exist', () => {
    const named = teamStates.flatMap(state => {
      const { mails, endMails, things: cells } = statesOfTeams[state]
      return [...mails, ...endMails, ...names.flatMap(thing => cells[thing].mails ?? [])]
    })
    expect(named.filter(mail => !isMailType(mail) || isAboutAccount(mail))).toEqual([])
  })

  const moment = new Date()
  const none = { deleted_at: null, suspended_at: null, paused_at: null }
  const momentsOf = {
    in_trash: { ...none, deleted_at: moment },
    suspended: { ...none, suspended_at: moment, paused_at: moment },
    paused: { ...none, paused_at: moment },
    active: none,
  }

  test('and the state of a monitor agree where no check runs', () => {
    const monitor = {
      ...{ is_enabled: true, held_by_plan: false, switched_at: null, created_at: moment, maintenance_since: null },
      ...{ has_check: true, status: 'up', status_changed_at: moment, coverage: 'full', coverage_since: moment },
    }
    for (const [state, { deleted_at, suspended_at, paused_at }] of Object.entries(momentsOf)) {
      expect(storedStateOf({ deleted_at, suspended_at, paused_at }) ?? 'active').toBe(state)
      const { state: ofMonitor } = stateOf({
        ...{ ...monitor, team_deleted_at: deleted_at, team_suspended_at: suspended_at, team_paused_at: paused_at },
      })
      const waits = statesOfTeams[state as TeamState].things.checks.happens === 'waits'
      expect(unwatched.includes(ofMonitor), state).toBe(waits)
    }
  })

  test('becomes conditions of statements', () => {
    for (const thing of names)
      for (const moments of Object.values(momentsOf)) {
        const isNull = (column: string) => moments[column.slice(2, -8) as keyof typeof none] === null
        const sql = sqlTextOf(goesOnSql(thing)).replaceAll('"', '')
        expect(goesOn(thing, moments), `${thing}: ${sql}`).toBe(sql === 'true' || sql.split(' and ').every(isNull))
      }
    expect(sqlTextOf(goesOnSql('pings')).replaceAll('"', '')).toBe('t.deleted_at is null')
    expect(sqlTextOf(goesOnSql('servers', 'x')).replaceAll('"', '')).toBe(
      'x.deleted_at is null and x.suspended_at is null',
    )
    expect(sqlTextOf(goesOnSql('checks')).replaceAll('"', '')).toBe(
      't.deleted_at is null and t.suspended_at is null and t.paused_at is null',
    )
    expect(sqlTextOf(goesOnSql('account_mails')).replaceAll('"', '')).toBe('true')
  })
})
