import { sql } from 'kysely'
import type { Pool, PoolClient } from 'pg'
import type { MailData } from '#contract/mails.ts'
import { daysAfter } from '#contract/time.ts'
import { personalToken } from '#control-plane/alerting/acknowledge-links/token.ts'
import { linkDays } from '#control-plane/alerting/notifications/links.ts'
import type { Keyring } from '#control-plane/base/secrets.ts'
import { inTransaction } from '#control-plane/base/transaction.ts'
import { prepared, type Row, rows } from '#control-plane/db/queries.ts'
import { incidentPayloadSql } from '#control-plane/engine/incident-events.ts'
import { insertEventsSql, objectSql, wakeSql } from '#control-plane/outbox/emit.ts'
import { addMail, insertMailsSql } from '#control-plane/outbox/mail.ts'
import type { Progress } from './advance.ts'
import type { Called, Person } from './call.ts'
import type { DueRun } from './due.ts'

/** Why a step called no target. */
export type SkipReason = 'condition_not_met' | 'unreachable'

/** What is to be done of a run that is due. */
export interface Move {
  run: DueRun
  policyName: string
  /** null: no step is left. */
  taken: {
    progress: Progress
    waitMinutes: number
    stepId: string
    called: readonly Called[]
    reason: SkipReason | null
    /** How often a step in round robin has called now; null for other steps. */
    turn: number | null
  } | null
}

type TakeDeps = Keyring & { baseUrl: string }

const advanceRuns = prepared(
  'escalation-advance',
  (moves: string) => sql<Row<'escalation_runs', 'id'>>`
    with g as (
      select * from json_to_recordset(${moves}::json) as g(id uuid, was_policy uuid, was_round int, was_step int,
        policy_id uuid, round int, step int, repeats int, wait_minutes int, is_exhausted boolean)
    ), due as (
      select r.id from escalation_runs r join g on g.id = r.id
      where r.state in ('pending', 'running') and r.policy_id = g.was_policy and r.round = g.was_round
        and r.step = g.was_step
      order by r.id for update of r skip locked
    )
    update escalation_runs r set policy_id = g.policy_id, round = g.round, step = g.step, repeats = g.repeats,
      state = case when g.is_exhausted then 'exhausted' else 'running' end,
      next_at = case when not g.is_exhausted then clock_timestamp() + g.wait_minutes * interval '1 minute' end,
      updated_at = clock_timestamp()
    from g join due using (id) where r.id = g.id
    returning r.id`,
)

const fromRuns = sql`from g join incidents i on i.id = g.incident_id join monitors m on m.id = i.monitor_id`
const record = sql`g(run_id uuid, incident_id uuid, policy_id uuid, policy_name text, round int, step int,
  targets jsonb,
  channel_ids jsonb)`

const runPayload = {
  run_id: 'g.run_id',
  policy_id: 'g.policy_id',
  policy_name: 'g.policy_name',
  round: 'g.round',
  step: 'g.step',
}

const noteSteps = prepared(
  'escalation-note',
  (steps: string, notifications: string) => sql`
  with g as (
    select * from json_to_recordset(${steps}::json) as ${record}
  ), published as (
    ${insertEventsSql({
      name: 'incident.escalated',
      tenant: 'i.tenant_id',
      payload: { ...incidentPayloadSql, ...runPayload, targets: 'g.targets', channel_ids: 'g.channel_ids' },
      from: sql`${fromRuns} where jsonb_array_length(g.targets) > 0 order by g.run_id`,
    })}
  ), noted as (
    insert into escalation_notifications (tenant_id, run_id, policy_id, round, step, target, user_id, user_name,
      channel_id, outbox_id, reason)
    select r.tenant_id, r.id, n.policy_id, n.round, n.step, n.target, n.user_id, n.user_name, n.channel_id,
      coalesce(n.mail_id, p.id), n.reason
    from json_to_recordset(${notifications}::json) as n(run_id uuid, policy_id uuid, round int, step int, target text,
    user_id uuid, user_name text, channel_id uuid, mail_id bigint, reason text)
    join escalation_runs r on r.id = n.run_id
    left join published p on n.channel_id is not null and p.payload ->> 'run_id' = n.run_id::text
  )
  select ${wakeSql}`,
)

const noteExhausted = prepared(
  'escalation-exhausted',
  (runs: string, baseUrl: string) => sql`
  with g as (
    select * from json_to_recordset(${runs}::json) as ${record}
  ), published as (
    ${insertEventsSql({
      name: 'incident.escalation_exhausted',
      tenant: 'i.tenant_id',
      payload: { ...incidentPayloadSql, ...runPayload },
      from: sql`${fromRuns} order by g.run_id`,
    })}
  ), mailed as (
    ${insertMailsSql<'escalation_exhausted'>({
      tenant: 'i.tenant_id',
      type: 'escalation_exhausted',
      data: {
        ...incidentPayloadSql,
        policy_name: 'g.policy_name',
        details_url: sql`${baseUrl}::text || '/app/incidents/' || i.id`,
      },
      from: sql`${fromRuns} join memberships s on s.tenant_id = i.tenant_id and s.role in ('owner', 'admin')
          and s.disabled_at is null
        join users u on u.id = s.user_id and not u.is_service and u.email_verified_at is not null order by u.id`,
    })}
  )
  select ${wakeSql} from published`,
)

const turnSteps = prepared(
  'escalation-turn',
  (turns: string) => sql`
    update escalation_steps s set turn = g.turn
    from json_to_recordset(${turns}::json) as g(id uuid, turn int) where s.id = g.id`,
)

const readIncidents = prepared(
  'escalation-incidents',
  (ids: readonly string[]) => sql<Row<'incidents', 'id'> & { data: object }>`
  select i.id, ${objectSql(incidentPayloadSql)} as data
  from incidents i join monitors m on m.id = i.monitor_id where i.id = any(${ids}::uuid[])`,
)

/**
 * Advances runs and notifies whom their steps call, in one transaction. A run that was acknowledged, resolved,
 * suspended or advanced in the meantime is left as it is, so that each step is taken once. Returns how many runs were
 * advanced.
 */
export function takeSteps(platform: Pool, deps: TakeDeps, moves: readonly Move[], at: Date): Promise<number> {
  return inTransaction(platform, async client => {
    const found = await rows(client, advanceRuns(JSON.stringify(moves.map(advanced))))
    const isAdvanced = new Set(found.map(({ id }) => id))
    const done = moves.filter(({ run }) => isAdvanced.has(run.id))
    await notify(client, deps, done, at)
    const exhausted = done.flatMap(move => (move.taken ? [] : [noted(move)]))
    if (exhausted.length > 0) await rows(client, noteExhausted(JSON.stringify(exhausted), deps.baseUrl))
    return done.length
  })
}

const advanced = ({ run, taken }: Move) => ({
  id: run.id,
  was_policy: run.policy_id,
  was_round: run.round,
  was_step: run.step,
  policy_id: taken?.progress.policyId ?? run.policy_id,
  round: taken?.progress.round ?? run.round,
  step: taken?.progress.step ?? run.step,
  repeats: taken?.progress.repeats ?? run.repeats,
  wait_minutes: taken?.waitMinutes ?? 0,
  is_exhausted: taken === null,
})

const noted = ({ run, policyName, taken }: Move) => ({
  run_id: run.id,
  incident_id: run.incident_id,
  policy_id: taken?.progress.policyId ?? run.policy_id,
  policy_name: policyName,
  round: taken?.progress.round ?? run.round,
  step: taken?.progress.step ?? run.step,
  targets: taken?.called.map(each => ({ type: each.type, id: each.type === 'user' ? each.person.id : each.id })) ?? [],
  channel_ids: taken?.called.flatMap(each => (each.type === 'channel' ? [each.id] : each.contacts)) ?? [],
})

interface Notification {
  run_id: string
  policy_id: string
  round: number
  step: number
  target: string
  user_id: string | null
  user_name: string | null
  channel_id: string | null
  mail_id: string | null
  reason: SkipReason | null
}

async function notify(client: PoolClient, deps: TakeDeps, moves: readonly Move[], at: Date): Promise<void> {
  const steps = moves.flatMap(move => (move.taken ? [{ ...move, taken: move.taken }] : []))
  if (steps.length === 0) return
  const notifications: Notification[] = []
  const dataOf = await mailDataOf(client, steps)
  const turns = new Map<string, number>()
  for (const { run, policyName, taken } of steps) {
    const { progress, called, reason } = taken
    const { policyId: policy_id, round, step } = progress
    const note = (target: string, more: Partial<Notification> = {}) =>
      notifications.push({
        run_id: run.id,
        policy_id,
        round,
        step,
        target,
        user_id: null,
        user_name: null,
        channel_id: null,
        mail_id: null,
        reason: null,
        ...more,
      })
    if (taken.turn !== null) turns.set(taken.stepId, Math.max(taken.turn, turns.get(taken.stepId) ?? 0))
    if (called.length === 0) note('none', { reason })
    for (const each of called) {
      if (each.type === 'channel') {
        note(`channel:${each.id}`, { channel_id: each.id })
        continue
      }
      const { person, contacts, isMailed } = each
      const who = { user_id: person.id, user_name: person.name }
      for (const id of contacts) note(`contact:${id}`, { ...who, channel_id: id })
      if (!isMailed) continue
      const data = {
        ...(dataOf.get(run.incident_id) ?? {}),
        policy_name: policyName,
        round,
        step,
        ...linksOf(deps, run.incident_id, person, at),
      } as MailData<'escalation_notice'>
      const mail_id = await addMail(client, deps, {
        tenantId: run.tenant_id,
        type: 'escalation_notice',
        recipient: { userId: person.id, email: person.email, name: person.name, language: person.language },
        data,
      })
      note(`user:${person.id}`, { ...who, mail_id })
    }
  }
  await rows(client, noteSteps(JSON.stringify(steps.map(noted)), JSON.stringify(notifications)))
  if (turns.size > 0) {
    const taken = [...turns].map(([id, turn]) => ({ id, turn })).toSorted((a, b) => (a.id < b.id ? -1 : 1))
    await rows(client, turnSteps(JSON.stringify(taken)))
  }
}

/** The fields of incidents for mails, where there are any. */
async function mailDataOf(client: PoolClient, steps: readonly Move[]): Promise<Map<string, object>> {
  const ids = steps.flatMap(({ run, taken }) =>
    taken?.called.some(each => each.type === 'user' && each.isMailed) ? [run.incident_id] : [],
  )
  if (ids.length === 0) return new Map()
  const found = await rows(client, readIncidents(ids))
  return new Map(found.map(({ id, data }) => [id, data]))
}

function linksOf(deps: TakeDeps, incidentId: string, { id: userId }: Person, at: Date) {
  const grant = { incidentId, userId, expiresAt: daysAfter(at, linkDays) }
  return {
    details_url: `${deps.baseUrl}/app/incidents/${incidentId}`,
    acknowledge_url: `${deps.baseUrl}/acknowledge#${personalToken(deps, 'acknowledge', grant)}`,
    resolve_url: `${deps.baseUrl}/resolve#${personalToken(deps, 'resolve', grant)}`,
  }
}
