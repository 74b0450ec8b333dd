import { sql } from 'kysely'
import type { Pool } from 'pg'
import { prepared, rows, stamp } from '#control-plane/db/queries.ts'

/** A row of `stream_events`; `data` is its JSON on one line. */
export interface StreamedEvent {
  id: string
  /** null: a mark for all streams. */
  tenantId: string | null
  name: string
  data: string
}

/** What has been committed so far. */
export interface Position {
  snapshot: string
  /** The newest mark among it. */
  mark: string | null
  /** The database is older than it was at the snapshot before: it was restored. */
  isBack: boolean
}

/** How far back a stream that reconnects can go on. */
export const replayMinutes = 5
/** Events of one stream that are replayed; one that missed more is reset. */
export const mostReplayed = 500
const pageRows = 200

const columns = sql`e.id, e.tenant_id as "tenantId", e.name,
  (e.payload - 'traceparent' || jsonb_build_object('event', e.name, 'timestamp', ${stamp('e.at')}))::text as data`

const position = prepared(
  'stream-position',
  (before: string | null) => sql<Position>`
    select pg_current_snapshot()::text as snapshot,
      (select max(id) from stream_events where tenant_id is null)::text as mark,
      coalesce(pg_snapshot_xmax(pg_current_snapshot()) < pg_snapshot_xmax(${before}::pg_snapshot), false) as "isBack"`,
)

export async function readPosition(platform: Pool, before: string | null): Promise<Position> {
  const [row] = await rows(platform, position(before))
  return row!
}

/** Writes a mark unless the newest is less than a minute old. */
export const markStream = (platform: Pool): Promise<unknown> => rows(platform)`select mark_stream()`

const between = prepared(
  'stream-events',
  (from: string, to: string, after: string, tenants: readonly string[]) =>
    sql<StreamedEvent>`
    select ${columns} from stream_events e
    where e.xid >= pg_snapshot_xmin(${from}::pg_snapshot) and not pg_visible_in_snapshot(e.xid, ${from}::pg_snapshot)
      and pg_visible_in_snapshot(e.xid, ${to}::pg_snapshot) and e.id > ${after}
      and (e.tenant_id is null or e.tenant_id = any(${tenants}::uuid[]))
    order by e.id limit ${sql.lit(pageRows)}`,
)

/** What was committed between two snapshots, of these tenants: pages in the order of ids. */
export async function* eventsBetween(
  platform: Pool,
  from: string,
  to: string,
  tenants: readonly string[],
): AsyncGenerator<StreamedEvent[]> {
  for (let after = '0'; ; ) {
    const page = await rows(platform, between(from, to, after, tenants))
    if (page.length > 0) yield page
    if (page.length < pageRows) return
    after = page.at(-1)!.id
  }
}

export interface Resumption {
  tenantId: string
  lastId: string
}

type Missed = { place: number; isKnown: boolean } & { [Key in keyof StreamedEvent]: StreamedEvent[Key] | null }

/**
 * Ids follow the order of insertion, not of commits. An event that was sent before the last one has a smaller id, and
 * its transaction had committed when the last one was inserted, or is the same. Every other may be new to the client.
 */
const missed = prepared(
  'stream-missed',
  (ids: readonly string[], tenants: readonly string[], upTo: string) => sql<Missed>`
    select j.place::int as place, n.id is not null as "isKnown", e.*
    from unnest(${ids}::bigint[], ${tenants}::uuid[]) with ordinality as j(last_id, tenant_id, place)
    left join stream_events n on n.id = j.last_id and (n.tenant_id is null or n.tenant_id = j.tenant_id)
      and n.made_at > clock_timestamp() - interval '${sql.lit(replayMinutes)} minutes'
    left join lateral (
      select ${columns} from stream_events e
      where n.id is not null and e.tenant_id = j.tenant_id and pg_visible_in_snapshot(e.xid, ${upTo}::pg_snapshot)
        and e.made_at > clock_timestamp() - interval '${sql.lit(2 * replayMinutes)} minutes'
        and (e.id > n.id or e.xid <> n.xid and not pg_visible_in_snapshot(e.xid, n.snapshot))
      order by e.id limit ${sql.lit(mostReplayed + 1)}
    ) e on true
    order by j.place, e.id`,
)

/**
 * What each client has missed since its last event, up to a snapshot; null where that event is unknown, too old or too
 * far back. An event that was written at the same time as the last one may come a second time.
 */
export async function missedEvents(
  platform: Pool,
  upTo: string,
  resumed: readonly Resumption[],
): Promise<(StreamedEvent[] | null)[]> {
  if (resumed.length === 0) return []
  const stored = await rows(
    platform,
    missed(
      resumed.map(({ lastId }) => lastId),
      resumed.map(({ tenantId }) => tenantId),
      upTo,
    ),
  )
  const found = resumed.map((): StreamedEvent[] | null => null)
  for (const { place, isKnown, ...event } of stored) {
    if (!isKnown) continue
    const events = found[place - 1] ?? []
    if (event.id !== null) events.push(event as StreamedEvent)
    found[place - 1] = events
  }
  return found.map(events => (events && events.length > mostReplayed ? null : events))
}

/** Longer than anything is replayed. */
export const forgetStreamEvents = sql`delete from stream_events
  where made_at < clock_timestamp() - interval '15 minutes'`
