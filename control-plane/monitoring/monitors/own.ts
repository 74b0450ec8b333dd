import { z } from 'zod'
import { causes, changers, type State, states } from '#control-plane/engine/state/rules.ts'
import type { StateColumns } from '#control-plane/engine/state/sql.ts'
import { changerOf, statusOfState, whyOf } from '#control-plane/engine/state/state.ts'
import { Slo } from '#control-plane/monitoring/objectives/input.ts'
import type { MonitorRow } from './row.ts'

const time = z.string().meta({ format: 'date-time' })
export const monitorStatuses = ['up', 'down', 'warning', 'paused', 'maintenance'] as const

const MonitorStatus = z.enum(monitorStatuses).meta({ id: 'MonitorStatus' })

/** The states that have one of these statuses. `pending`: those that have none. */
export const statesOf = (statuses: readonly ((typeof monitorStatuses)[number] | 'pending')[]): State[] =>
  states.filter(state => statuses.includes(statusOfState[state] ?? 'pending'))

/** The state of a monitor as the API shows it. */
export const StateView = z
  .object({
    state: z.enum(states).meta({
      description:
        'The first that holds: `deleted` (its team is in the trash), `team_paused`, `disabled`, `on_hold` (more ' +
        'monitors than the plan allows), `maintenance`, `unknown`, `down`, `degraded`, `up`. It is `unknown` while ' +
        'nothing measures it, and from the moment on which it is watched until the first verdict after it.',
    }),
    since: time.nullable().meta({ description: 'Since when.' }),
    why: z.string().nullable().meta({ description: 'As a sentence; `null` for one that is up.' }),
    cause: z.enum(causes).nullable().meta({ description: 'The same as a code.' }),
    changed_by: z.enum(changers).meta({
      description:
        'Who can change it: the operator of the service, the reseller, an administrator or a member of the team; ' +
        '`checks`: their next results.',
    }),
  })
  .meta({ id: 'MonitorState' })

/** The fields of every view of a monitor. `firstEvent`: what ends the time without a status. */
export const ownFields = (firstEvent: string) => ({
  name: z.string(),
  tags: z.array(z.string()),
  group: z.string().nullable(),
  notes: z.string().nullable(),
  is_enabled: z.boolean(),
  held_by_plan: z.boolean(),
  status: MonitorStatus.nullable().meta({
    description: `Of the state, in fewer words. \`null\` until ${firstEvent}, and while it is unknown.`,
  }),
  status_reason: z.string().nullable(),
  status_changed_at: time.nullable(),
  state: StateView,
  depends_on: z.array(z.uuid()),
  escalation_policy_id: z.uuid().nullable(),
  external_ref: z.string().nullable(),
  metadata: z.record(z.string(), z.unknown()),
  slo: Slo.nullable(),
  created_at: time,
  updated_at: time,
})

export const viewOwn = (row: MonitorRow) => ({
  id: row.id,
  name: row.name,
  url: row.url,
  tags: row.tags,
  group: row.group_name,
  notes: row.notes,
  is_enabled: row.is_enabled,
  held_by_plan: row.held_by_plan,
  ...viewState(row),
  depends_on: row.depends_on,
  escalation_policy_id: row.escalation_policy_id,
  external_ref: row.external_ref,
  metadata: row.metadata,
  slo: row.slo,
  created_at: row.created_at,
  updated_at: row.updated_at,
})

/** A state, and the fields that say the same in fewer words. */
export function viewState({ state, since, cause, detail }: StateColumns<string>) {
  const [status, why] = [statusOfState[state], whyOf(cause, detail)]
  return {
    status,
    status_reason: status === null ? null : why,
    status_changed_at: status === null ? null : since,
    state: { state, since, why, cause, changed_by: changerOf(cause) },
  }
}
