import { type RawBuilder, sql } from 'kysely'
import type { Pool } from 'pg'
import type { DeliveryEnd, RetryLater } from '#contract/workflows.ts'
import { isQuarantinedSql } from '#control-plane/base/quarantine/quarantine.ts'
import type { QueueTable } from '#control-plane/base/queue/table.ts'
import type { DeliveryStatus } from '#control-plane/db/model/shapes.ts'
import { affected, prepared, type Row, rows, stamp } from '#control-plane/db/queries.ts'
import { isPersonalSql } from '#control-plane/outbox/dispatcher.ts'
import { insertWorkflowsSql, wakeSql } from '#control-plane/outbox/emit.ts'
import { insertMailsSql } from '#control-plane/outbox/mail.ts'
import { goesOnSql } from '#control-plane/tenancy/team-states/state.ts'
import { claimS, handedS, queuedAtMostS } from './delivery.ts'
import type { Sent } from './send.ts'

export type NewDelivery = Row<'deliveries', 'id' | 'tenant_id' | 'channel_id' | 'event_id' | 'event'> &
  Row<'deliveries', 'managed_tenant_id' | 'monitor_id' | 'subject'> & {
    body: string
    opens?: Row<'deliveries'>['opens']
  }

// What writes or settles has no name: a plan made while the table was nearly empty reads the whole table, and would
// be kept.

/** States of an unfinished delivery: later ones about the same subject are queued behind it. */
const unfinished = sql`('pending', 'retrying', 'held')`

const insert = prepared(
  null,
  (deliveries: string, queuedS: number) => sql<Row<'deliveries', 'id'> & { status: Added }>`
  insert into deliveries
    (id, tenant_id, channel_id, event_id, event, managed_tenant_id, monitor_id, subject, opens, body, status, next_at)
  select r.id, r.tenant_id, r.channel_id, r.event_id, r.event, r.managed_tenant_id, r.monitor_id, r.subject, r.opens,
    r.body,
    case when w.waits then 'held' else 'pending' end,
    clock_timestamp() + case when w.waits then ${queuedS}::float8 else ${sql.lit(claimS)} end * interval '1 second'
  from (
    select g.*, row_number() over (partition by g.channel_id, g.subject order by g.event_id) as nth
    from json_to_recordset(${deliveries}::json) as g(id uuid, tenant_id uuid, channel_id uuid, event_id bigint,
      event text,
      managed_tenant_id uuid, monitor_id uuid, subject uuid, opens text, body text)
  ) r
  join notification_channels c on c.id = r.channel_id
  cross join lateral (
    select r.subject is not null and (r.nth > 1 or exists (
      select 1 from deliveries d
      where d.channel_id = r.channel_id and d.subject = r.subject and d.status in ${unfinished})) as waits
  ) w
  on conflict (channel_id, event_id) do nothing
  returning id, status`,
)

/**
 * Writes deliveries and returns the state of each. `pending`: this process has claimed it. 'held': it is queued behind
 * an earlier one of the same channel about the same subject, for `queuedS` at most. undefined: it was written before,
 * and is another's.
 */
export async function addDeliveries(
  platform: Pool,
  deliveries: readonly NewDelivery[],
  queuedS: number = queuedAtMostS,
): Promise<(Added | undefined)[]> {
  const added = await rows(platform, insert(JSON.stringify(deliveries), queuedS))
  const known = new Map(added.map(({ id, status }) => [id, status]))
  return deliveries.map(({ id }) => known.get(id))
}
export type Added = Extract<DeliveryStatus, 'pending' | 'held'>

/** A channel that a message notified of the beginning of an alert. */
export interface Opened {
  /** The owner of the channel: the team, or the reseller that manages it. */
  tenant_id: string
  channel_id: string
}

const opened = prepared(
  'deliveries-opened',
  (alerts: readonly string[]) => sql<Opened & { opens: string }>`
    select distinct opens, tenant_id, channel_id from deliveries where opens = any(${alerts}::text[])`,
)

/** The channels that are to be notified of the end of alerts, in the order of the alerts. One statement. */
export async function readOpened(platform: Pool, alerts: readonly string[]): Promise<Opened[][]> {
  const byAlert = Map.groupBy(await rows(platform, opened(alerts)), row => row.opens)
  return alerts.map(alert => byAlert.get(alert) ?? [])
}

const ended = prepared(
  'deliveries-ended',
  (alert: string) => sql`update deliveries set opens = null where opens = ${alert}`,
)

/** Notes that the end of an alert is written: the next alert of the same subject begins with its own channels. */
export const forgetOpened = (platform: Pool, alert: string): Promise<unknown> => rows(platform, ended(alert))

export interface Outcome {
  id: string
  /** Attempts made before this one: the outcome is dropped if another process has made this attempt meanwhile. */
  attempts: number
  sent: Sent
  /** Seconds until the next attempt; null if there is none. */
  waitS: number | null
}

export type Settled = Row<'deliveries', 'id' | 'event' | 'next_at'> & {
  /** `pending`: it was handed over, and is settled when that has arrived. */
  status: Exclude<DeliveryStatus, 'held'>
  is_handed_over: boolean
}

const retryState = prepared(
  'deliveries-retry-state',
  (id: string) => sql<Row<'deliveries', 'status'> & { left_ms: number; is_handed_over: boolean }>`
    select status, handed_over_at is not null as is_handed_over,
      extract(epoch from next_at - clock_timestamp())::float8 * 1000 as left_ms
    from deliveries where id = ${id}`,
)

/** The state of a delivery, for the workflow of its retries. */
export async function retryStateOf(platform: Pool, id: string): Promise<DeliveryEnd | RetryLater> {
  const [row] = await rows(platform, retryState(id))
  // it is settled with what it was handed to
  if (row?.is_handed_over) return 'superseded'
  if (row?.status === 'retrying') return { againInMs: Math.max(20, Math.ceil(row.left_ms)) }
  return row?.status === 'delivered' || row?.status === 'failed' ? row.status : 'superseded'
}

const failureMails = insertMailsSql({
  tenant: 'f.tenant_id',
  type: 'channel_failing',
  data: {
    team_name: 't.name',
    channel_name: 'f.name',
    channel_type: 'f.type',
    failing_since: stamp('f.failing_since'),
  },
  from: sql`from failing f join tenants t on t.id = f.tenant_id
    join memberships m on m.tenant_id = f.tenant_id and m.disabled_at is null
      and case when f.owner_user_id is null then m.role in ('owner', 'admin') else m.user_id = f.owner_user_id end
    join users u on u.id = m.user_id and not u.is_service
    where f.is_notified and t.deleted_at is null`,
})

const retryWorkflows = insertWorkflowsSql({
  tenant: 'tenant_id',
  workflow: 'deliveryRetry',
  id: sql`'delivery-retry:' || id || ':' || replays`,
  input: { tenantId: 'tenant_id', deliveryId: 'id' },
  from: sql`from settled where status = 'retrying' and attempts = 1`,
})

/** Whether an attempt ended by leaving it to other deliveries. */
const isHanded = sql`(cardinality(g.handed) > 0)`

const settle = (startsRetries: boolean) =>
  prepared(
    null,
    (outcomes: string) => sql<Settled>`
  with given as (
    select * from json_to_recordset(${outcomes}::json)
      as r(id uuid, attempts int, delivered boolean, handed uuid[], entry jsonb, wait_s float8)
  ), settled as (
    update deliveries d set
      attempts = g.attempts + 1,
      status = case when ${isHanded} then 'pending' when g.delivered then 'delivered'
        when g.wait_s is null then 'failed' else 'retrying' end,
      next_at = clock_timestamp() + case when ${isHanded} then ${sql.lit(handedS)} else coalesce(g.wait_s, 0) end
        * interval '1 second',
      handed_over_at = case when ${isHanded} then clock_timestamp() else d.handed_over_at end,
      handed_to = case when ${isHanded} then g.handed else d.handed_to end,
      finished_at = case when not ${isHanded} and (g.delivered or g.wait_s is null) then clock_timestamp() end,
      -- a message about a person is deleted once it will not be sent again
      body = case
        when (g.delivered or g.wait_s is null) and ${isPersonalSql('d.event')} then null
        else d.body end,
      log = case when jsonb_array_length(d.log) >= 20 then d.log - 0 else d.log end
        || (g.entry || jsonb_build_object('number', coalesce((d.log -> -1 ->> 'number')::int, 0) + 1))
    from given g where d.id = g.id and d.attempts = g.attempts and d.status in ('pending', 'retrying')
    returning d.id, d.tenant_id, d.channel_id, d.event, d.subject, d.status, d.next_at, d.attempts, d.replays,
      d.handed_over_at is not null as is_handed_over
  ), recovered as (
    update notification_channels c set failing_since = null
    where c.failing_since is not null and c.id in (select channel_id from settled where status = 'delivered')
  ), failing as (
    -- owners and administrators, or whose contact method it is, are notified by mail, at most once an hour: a channel
    -- may fail now and then
    update notification_channels c set failing_since = now(),
      failing_notified_at = case
        when c.failing_notified_at > now() - interval '1 hour' then c.failing_notified_at else now() end
    where c.failing_since is null and c.id in (select channel_id from settled where status = 'failed')
      and c.id not in (select channel_id from settled where status = 'delivered')
    returning c.tenant_id, c.name, c.type, c.owner_user_id, c.failing_since,
      c.failing_notified_at = c.failing_since as is_notified
  ), mailed as (
    ${failureMails}
  ), released as (
    -- the next delivery about the same subject is no longer queued
    update deliveries set status = 'pending', next_at = clock_timestamp()
    where id in (
      select distinct on (h.channel_id, h.subject) h.id
      from settled s join deliveries h on h.channel_id = s.channel_id and h.subject = s.subject and h.status = 'held'
      where s.status in ('delivered', 'failed') order by h.channel_id, h.subject, h.event_id
    )
    returning id
  ), woken as (
    select pg_notify('deliveries', '') from (select 1 from released limit 1) r
  ), counted as (
    insert into usage_counters as u (tenant_id, period, metric, count)
    select s.tenant_id, date_trunc('month', clock_timestamp() at time zone 'utc')::date, m.metric, count(*)
    from settled s join notification_channels c on c.id = s.channel_id
    join (values ('notifications_sent'), ('webhook_deliveries')) as m(metric)
      on m.metric = 'notifications_sent' or c.type = 'webhook'
    where s.status = 'delivered'
    group by s.tenant_id, m.metric order by s.tenant_id, m.metric
    on conflict (tenant_id, period, metric) do update set count = u.count + excluded.count
  )${
    startsRetries
      ? sql`, started as (
    ${retryWorkflows}
  ), notified as (
    select ${wakeSql} from (select 1 from started limit 1) s
  )`
      : sql``
  }
  select s.id, s.status, s.event, s.is_handed_over, ${stamp('s.next_at')} as next_at,
    (select count(*) from woken) as woken
    ${startsRetries ? sql`, (select count(*) from notified) as notified` : sql``}
  from settled s`,
  )

const settleAlone = settle(false)
const settleAndRetry = settle(true)

/** Writes the outcomes of attempts, all in one statement. An outcome after that of another process changes nothing. */
export async function settleDeliveries(
  platform: Pool,
  outcomes: readonly Outcome[],
  startsRetries: boolean,
): Promise<(Settled | undefined)[]> {
  const given = outcomes.map(({ id, attempts, sent, waitS }) => ({
    id,
    attempts,
    delivered: sent.isDelivered,
    handed: sent.isDelivered ? (sent.handedTo ?? []) : [],
    wait_s: waitS,
    entry: {
      at: new Date().toISOString(),
      duration_ms: sent.durationMs,
      status_code: sent.status,
      error: sent.error,
      response: sent.answer?.toWellFormed() ?? null,
    },
  }))
  const settled = await rows(platform, (startsRetries ? settleAndRetry : settleAlone)(JSON.stringify(given)))
  const byId = new Map(settled.map(row => [row.id, row]))
  return outcomes.map(({ id }) => byId.get(id))
}

/** Whether deliveries that were handed over may have to follow: one was just now, or what was handed over changed. */
export const mayBeFollowed = ({ event, status, is_handed_over }: Settled): boolean =>
  event.startsWith('email.') || (is_handed_over && status === 'pending')

interface HandedOver extends Row<'deliveries', 'id' | 'attempts' | 'status'> {
  /** To a webhook of the reseller; else to another channel, which mails the same recipients. */
  is_diverted: boolean
  has_arrived: boolean
  is_under_way: boolean
  error: Sent['error']
}

const handedOver = sql<HandedOver>`
  select d.id, d.attempts, d.status, coalesce(bool_or(r.status = 'delivered'), false) as has_arrived,
    coalesce(bool_or(r.status in ${unfinished}), false) as is_under_way,
    coalesce(bool_or(r.event like 'email.%'), true) as is_diverted,
    max(r.log -> -1 ->> 'error') filter (where r.status in ('retrying', 'failed')) as error
  from deliveries d left join deliveries r on r.id = any(d.handed_to)
  where d.handed_over_at is not null and d.status in ('pending', 'retrying')
  group by d.id`

const ends = {
  diverted: {
    arrived: 'The reseller’s webhook received it.',
    failed: 'The reseller’s webhook did not receive it.',
    again: 'The reseller’s webhook did not receive it: it is sent there again.',
  },
  other: {
    arrived: 'The other channel sent it to the same recipients.',
    failed: 'The other channel did not reach the same recipients.',
    again: 'The other channel did not reach the same recipients: it is sent there again.',
  },
} as const

/**
 * Settles deliveries that were handed to a reseller's webhooks, or left to another channel with the same recipients, as
 * those deliveries ended, and notes where those are retried. Returns how many ended. What another process has settled
 * meanwhile stays as it is.
 */
export async function followHandedOver(platform: Pool): Promise<number> {
  const found = await rows(platform, handedOver)
  const outcomes = found.flatMap(
    ({ id, attempts, status, is_diverted, has_arrived, is_under_way, error }): Outcome[] => {
      const isNew = status === 'pending' && error !== null
      if (is_under_way && !isNew) return []
      const end = is_under_way ? 'again' : has_arrived ? 'arrived' : 'failed'
      const sent: Sent = {
        isDelivered: end === 'arrived',
        status: null,
        error: end === 'arrived' ? null : (error ?? 'internal'),
        answer: ends[is_diverted ? 'diverted' : 'other'][end],
        durationMs: 0,
      }
      return [{ id, attempts, sent, waitS: is_under_way ? handedS : null }]
    },
  )
  if (outcomes.length === 0) return 0
  await settleDeliveries(platform, outcomes, false)
  return outcomes.filter(({ waitS }) => waitS === null).length
}

export type Claimed = Row<'deliveries', 'id' | 'tenant_id' | 'channel_id' | 'event' | 'body' | 'attempts' | 'subject'> &
  Row<'notification_channels', 'type' | 'config' | 'secrets'> & {
    may_send: boolean
    /** It is a day old: it waited all day to become readable. */
    is_late: boolean
    is_quarantined: boolean
  }

const columns = sql`d.id, d.tenant_id, d.channel_id, d.event, d.body, d.attempts, d.subject, c.type, c.config,
  c.secrets,
  c.is_enabled and ${goesOnSql('deliveries')} as may_send,
  d.created_at < clock_timestamp() - interval '1 day' as is_late,
  ${isQuarantinedSql('delivery', 'd.id')} as is_quarantined`

// materialized: otherwise a plan may run the subquery once for each row of the table, and claim all of them
const claim = (those: RawBuilder<unknown>) => sql<Claimed>`
  with due as materialized (
    select id from deliveries where next_at <= clock_timestamp() and ${those} for update skip locked
  )
  update deliveries d set next_at = clock_timestamp() + interval '${sql.lit(claimS)} seconds',
    status = case when d.status = 'held' then 'pending' else d.status end
  from due, notification_channels c, tenants t
  where d.id = due.id and c.id = d.channel_id and t.id = d.tenant_id
  returning ${columns}`

const claimDue = prepared('deliveries-claim', (most: number, graceMs: number) =>
  claim(sql`status in ${unfinished}
  and (status <> 'retrying' or next_at <= clock_timestamp() - ${graceMs} * interval '1 millisecond')
  order by next_at limit ${most}`),
)
const claimOne = prepared('deliveries-claim-one', (id: string) => claim(sql`id = ${id} and status = 'retrying'`))

/**
 * Claims deliveries that are due: replays, those whose claim expired and those queued for too long at once, retries
 * only when they are `graceMs` late.
 */
export const claimDeliveries = (platform: Pool, most: number, graceMs: number): Promise<Claimed[]> =>
  rows(platform, claimDue(most, graceMs))

/** Claims one retry that is due. */
export const claimDelivery = (platform: Pool, id: string): Promise<Claimed[]> => rows(platform, claimOne(id))

/** The traces of the events of deliveries, where they are recorded. An attempt goes on without: it is no part of it. */
export async function tracesOf(platform: Pool, claimed: readonly Pick<Claimed, 'id'>[]): Promise<Map<string, string>> {
  const found = await rows(platform, traces(claimed.map(({ id }) => id))).catch(() => [])
  return new Map(found.map(({ id, traceparent }) => [id, traceparent]))
}

const traces = prepared(
  'deliveries-traces',
  (ids: readonly string[]) => sql<Row<'deliveries', 'id'> & { traceparent: string }>`
    select d.id, o.payload ->> 'traceparent' as traceparent
    from deliveries d join outbox o on o.id = d.event_id
    where d.id = any(${ids}::uuid[]) and o.payload ->> 'traceparent' is not null`,
)

/** Deliveries that are sent or retried; not those that are queued behind another. */
export const deliveryTable: QueueTable = {
  table: 'deliveries',
  id: 'uuid',
  kind: 'delivery',
  isOpen: `q.status in ('pending', 'retrying')`,
  claimS,
}

/** Makes deliveries due that were put off because these channels were unreadable. A usual retry keeps its time. */
export const retryChannels = (platform: Pool, channels: readonly string[]): Promise<unknown> =>
  rows(platform)`update deliveries q set next_at = clock_timestamp()
    where channel_id = any(${channels}::uuid[]) and status in ('pending', 'retrying')
      and next_at > clock_timestamp() + interval '${sql.lit(queuedAtMostS)} seconds'`

const releaseQueued = (among: RawBuilder<unknown>) => sql`
  update deliveries set status = 'pending', next_at = clock_timestamp()
  where id in (
    select h.id from deliveries h
    where h.status = 'held' ${among} and not exists (
      select 1 from deliveries e where e.channel_id = h.channel_id and e.subject = h.subject and e.id <> h.id
        and (e.status in ('pending', 'retrying') or (e.status = 'held' and (e.event_id, e.id) < (h.event_id, h.id))))
    limit 200 for update skip locked)`

/**
 * Releases deliveries that are queued although no earlier one is unfinished: it ended in the moment in which they were
 * written. Returns how many there were.
 */
export const releaseDeliveries = (platform: Pool, ids?: readonly string[]): Promise<number> =>
  affected(platform, releaseQueued(ids ? sql`and h.id = any(${ids}::uuid[])` : sql``))
