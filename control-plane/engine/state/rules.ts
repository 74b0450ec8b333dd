/** The states of a monitor, in the order in which the rules are asked: the first that holds is its state. */
export const states = [
  'deleted',
  'team_paused',
  'disabled',
  'on_hold',
  'maintenance',
  'unknown',
  'down',
  'degraded',
  'up',
] as const
export type State = (typeof states)[number]

/** Why a monitor is in its state, where the state itself does not say it. */
export const causes = [
  'team_deleted',
  'team_suspended',
  'team_paused',
  'disabled',
  'over_plan',
  'maintenance_window',
  'no_check',
  'not_judged',
  'no_region',
  'check_failed',
  'check_warns',
] as const
export type Cause = (typeof causes)[number]

/** Who can change a state: `checks` are their next results. */
export const changers = ['operator', 'reseller', 'administrator', 'member', 'checks'] as const
export type Changer = (typeof changers)[number]

/**
 * What the state of a monitor follows from, by the names of the columns where they have one. Moments may be of any
 * type that compares by `<`: dates, or texts of one form.
 */
export interface StateInput<Moment = Date> {
  team_deleted_at: Moment | null
  team_paused_at: Moment | null
  team_suspended_at: Moment | null
  is_enabled: boolean
  held_by_plan: boolean
  /** When a person or the plan last changed whether it is watched. */
  switched_at: Moment | null
  created_at: Moment
  /** The beginning of the oldest maintenance window that covers it now. */
  maintenance_since: Moment | null
  has_check: boolean
  /** What the verdicts of its checks make together. */
  status: string | null
  status_changed_at: Moment | null
  coverage: string
  /** Null: the coverage was never examined. */
  coverage_since: Moment | null
}

export type InputName = keyof StateInput
type MomentName = { [Name in InputName]: Date extends StateInput[Name] ? Name : never }[InputName]

/** A condition on one column. `in`: is one of these texts; `outside`: is none of them, or is not known. */
export type Condition =
  | { set: MomentName }
  | { yes: InputName }
  | { no: InputName }
  | { column: 'status' | 'coverage'; in: readonly string[] }
  | { column: 'status' | 'coverage'; outside: readonly string[] }

export interface Rule {
  state: State
  cause: Cause | null
  /** All of them hold. */
  when: readonly Condition[]
  /** Since the latest of these moments. */
  since: readonly MomentName[]
  changedBy: Changer
}

/**
 * The one table from which `stateOf` and the functions of the database are made. The first rule that holds decides; the
 * last one always does.
 */
export const rules: readonly Rule[] = [
  {
    state: 'deleted',
    cause: 'team_deleted',
    when: [{ set: 'team_deleted_at' }],
    since: ['team_deleted_at', 'created_at'],
    changedBy: 'reseller',
  },
  {
    state: 'team_paused',
    cause: 'team_suspended',
    when: [{ set: 'team_paused_at' }, { set: 'team_suspended_at' }],
    since: ['team_paused_at', 'created_at'],
    changedBy: 'operator',
  },
  {
    state: 'team_paused',
    cause: 'team_paused',
    when: [{ set: 'team_paused_at' }],
    since: ['team_paused_at', 'created_at'],
    changedBy: 'reseller',
  },
  {
    state: 'disabled',
    cause: 'disabled',
    when: [{ no: 'is_enabled' }],
    since: ['switched_at', 'created_at'],
    changedBy: 'member',
  },
  {
    state: 'on_hold',
    cause: 'over_plan',
    when: [{ yes: 'held_by_plan' }],
    since: ['switched_at', 'created_at'],
    changedBy: 'administrator',
  },
  {
    state: 'maintenance',
    cause: 'maintenance_window',
    when: [{ set: 'maintenance_since' }],
    since: ['maintenance_since', 'switched_at'],
    changedBy: 'member',
  },
  {
    state: 'unknown',
    cause: 'no_check',
    when: [{ column: 'status', outside: ['up', 'warning', 'down'] }, { no: 'has_check' }],
    since: ['status_changed_at', 'created_at'],
    changedBy: 'member',
  },
  {
    state: 'unknown',
    cause: 'not_judged',
    when: [{ column: 'status', outside: ['up', 'warning', 'down'] }],
    since: ['status_changed_at', 'created_at'],
    changedBy: 'checks',
  },
  {
    state: 'unknown',
    cause: 'no_region',
    when: [{ column: 'coverage', in: ['none'] }, { set: 'coverage_since' }],
    since: ['coverage_since'],
    changedBy: 'operator',
  },
  {
    state: 'down',
    cause: 'check_failed',
    when: [{ column: 'status', in: ['down'] }],
    since: ['status_changed_at'],
    changedBy: 'checks',
  },
  {
    state: 'degraded',
    cause: 'check_warns',
    when: [{ column: 'status', in: ['warning'] }],
    since: ['status_changed_at'],
    changedBy: 'checks',
  },
  { state: 'up', cause: null, when: [], since: ['status_changed_at'], changedBy: 'checks' },
]

/** The states in which no check of the monitor runs, whatever windows say. */
export const unwatched: readonly State[] = ['deleted', 'team_paused', 'disabled', 'on_hold']
