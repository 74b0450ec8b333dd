import {
  type Cause,
  type Changer,
  type Condition,
  type Rule,
  rules,
  type State,
  type StateInput,
  unwatched,
} from './rules.ts'

/*
 * The state of a monitor has this home. What shows, counts or judges it reads
 *
 * - in SQL: `monitor_states(tenant)`, a row for each monitor of a team, joined by `monitor_id`; for several teams
 *   `cross join lateral monitor_states(t.id)`. Conditions and columns for other statements are in `sql.ts`;
 * - in TypeScript: `stateOf(input)`, where the columns are at hand.
 *
 * Both are made from the table in `rules.ts`. A change of the table needs a migration with the functions made again
 * (`stateFunctions` in `sql.ts`). No other place reads the columns behind it: `conventions/state.test.ts` has the list.
 */

/** The state of a monitor. `since` is a moment of the type of those that went in; null where it was never recorded. */
export interface MonitorState<Moment = Date> {
  state: State
  since: Moment | null
  cause: Cause | null
  changedBy: Changer
}

/** The state that follows from these columns. */
export function stateOf<Moment extends Date | string | number>(input: StateInput<Moment>): MonitorState<Moment> {
  const rule = rules.find(({ when }) => when.every(condition => holds(condition, input)))!
  return { state: rule.state, since: sinceOf(rule, input), cause: rule.cause, changedBy: rule.changedBy }
}

function holds(condition: Condition, input: StateInput<unknown>): boolean {
  if ('set' in condition) return input[condition.set] !== null
  if ('yes' in condition) return input[condition.yes] === true
  if ('no' in condition) return input[condition.no] !== true
  const text = input[condition.column]
  return 'in' in condition
    ? text !== null && condition.in.includes(text)
    : text === null || !condition.outside.includes(text)
}

function sinceOf<Moment extends Date | string | number>({ since }: Rule, input: StateInput<Moment>): Moment | null {
  let latest: Moment | null = null
  for (const name of since) {
    const moment = input[name] as Moment | null
    if (moment !== null && (latest === null || moment > latest)) latest = moment
  }
  return latest
}

/** The values of the API's `status`, which has fewer than there are states. */
export const statusOfState = {
  deleted: 'paused',
  team_paused: 'paused',
  disabled: 'paused',
  on_hold: 'paused',
  maintenance: 'maintenance',
  unknown: null,
  down: 'down',
  degraded: 'warning',
  up: 'up',
} as const satisfies Record<State, string | null>

/** Whether its checks run, unless a maintenance window pauses them. */
export const isWatched = (state: State): boolean => !unwatched.includes(state)

const changerOfCause = new Map(rules.map(({ cause, changedBy }) => [cause, changedBy]))

/** Who can change a state of this cause. */
export const changerOf = (cause: Cause | null): Changer => changerOfCause.get(cause) ?? 'checks'

/** Why a monitor is in its state, as a sentence; null for one that is up. `detail`: that of `monitor_states`. */
export function whyOf(cause: Cause | null, detail: string | null): string | null {
  switch (cause) {
    case 'team_deleted':
      return 'The team was deleted.'
    case 'team_suspended':
      return detail === null ? 'The team is suspended.' : `The team is suspended: ${detail}`
    case 'team_paused':
      return detail === null ? 'The team is paused.' : `The team is paused: ${detail}`
    case 'disabled':
      return 'Disabled.'
    case 'over_plan':
      return 'On hold: beyond the limits of the plan.'
    case 'maintenance_window':
      return detail === null ? 'In maintenance.' : `In maintenance: ${detail}`
    case 'no_check':
      return 'None of its checks is enabled.'
    case 'not_judged':
      return 'Not judged since it was last watched.'
    case 'no_region':
      return 'No region reports: the last known status is out of date.'
    case 'check_failed':
    case 'check_warns':
      return detail
    case null:
      return null
  }
}
