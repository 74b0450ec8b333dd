import { sql } from 'kysely'
import type { Pool } from 'pg'
import type { Logger } from 'pino'
import { eachIsolated } from '#control-plane/base/each-isolated.ts'
import type { Listener } from '#control-plane/base/listen.ts'
import { Loop } from '#control-plane/base/loop.ts'
import { isQuarantinedSql, Quarantine } from '#control-plane/base/quarantine/quarantine.ts'
import { affected, prepared, type Row, rows } from '#control-plane/db/queries.ts'

interface Dependencies {
  platform: Pool
  listener: Pick<Listener, 'on' | 'onMissed'>
  log: Pick<Logger, 'warn' | 'error'>
}

const everyMs = 2_000
/** Subscribers in one transaction. */
const sliceSize = 1_000

const open = prepared(
  'mailings-open',
  () => sql`
  with due as materialized (
    select id, tenant_id from status_page_updates
    where notify_subscribers and queued_at is null order by created_at, id limit 100 for update skip locked
  ), opened as (
    insert into subscriber_mailings (update_id, tenant_id) select id, tenant_id from due on conflict do nothing
  )
  update status_page_updates u set queued_at = clock_timestamp() from due where u.id = due.id returning u.id`,
)

const unfinished = prepared(
  'mailings-unfinished',
  (only: readonly string[] | null) => sql<Row<'subscriber_mailings', 'update_id' | 'tenant_id'>>`
  select update_id, tenant_id from subscriber_mailings m
  where finished_at is null and case when ${only}::uuid[] is null
    then not ${isQuarantinedSql('subscriber_mailing', 'm.update_id')} else m.update_id = any(${only}::uuid[]) end
  order by created_at`,
)

// the place of the mailing moves in the transaction that queues: a killed process repeats no slice and omits none
const slice = prepared(
  'mailings-slice',
  (update: string) => sql<{ goes_on: boolean }>`
  with mailing as materialized (
    select m.update_id, m.tenant_id, m.after_id, u.post_id, u.component_ids, g.id as page_id
    from subscriber_mailings m
    join status_page_updates u on u.id = m.update_id
    left join status_page_posts p on p.id = u.post_id
    join status_pages g on g.id = coalesce(p.page_id, u.page_id) and g.state = 'published'
    join tenants t on t.id = m.tenant_id and t.deleted_at is null and t.suspended_at is null
    where m.update_id = ${update} and m.finished_at is null
    for update of m
  ), slice as materialized (
    select s.id, s.channel, s.host_key, s.component_ids
    from mailing m join status_page_subscribers s on s.page_id = m.page_id and s.state = 'active'
      and (m.after_id is null or s.id > m.after_id)
    order by s.id limit ${sql.lit(sliceSize)}
  ), queued as (
    insert into subscriber_messages (tenant_id, subscriber_id, update_id, queue, queue_key)
    select m.tenant_id, s.id, m.update_id, case when s.channel = 'email' then 'mail' else 'http' end,
      case when s.channel = 'email' then m.tenant_id::text else s.host_key end
    from slice s cross join mailing m
    where s.component_ids = '{}'
      or m.component_ids && s.component_ids
      or m.component_ids = '{}' and not exists (select 1 from status_page_post_components c where c.post_id = m.post_id)
      or exists (
        select 1 from status_page_post_components c
        where c.post_id = m.post_id and c.component_id = any(s.component_ids))
    on conflict (update_id, subscriber_id) do nothing
  )
  update subscriber_mailings m set
    after_id = coalesce((select id from slice order by id desc limit 1), m.after_id),
    finished_at = case when (select count(*) from slice) < ${sql.lit(sliceSize)} then clock_timestamp() end
  where m.update_id = ${update} and m.finished_at is null
  returning m.finished_at is null as goes_on`,
)

/**
 * Queues a message for each active subscriber that an update concerns, in slices; several updates alternate. `only`:
 * mailings that were put into quarantine.
 */
export async function fanOut(dependencies: Dependencies, only: readonly string[] | null = null): Promise<void> {
  const { platform } = dependencies
  const quarantine = new Quarantine(dependencies)
  for (let opened = 1; opened > 0; ) opened = await affected(platform, open())
  for (let left = await rows(platform, unfinished(only)); left.length > 0; ) {
    const going: typeof left = []
    await eachIsolated(
      left,
      async mailing => {
        const [done] = await rows(platform, slice(mailing.update_id))
        if (done?.goes_on) going.push(mailing)
        else if (only) await quarantine.release('subscriber_mailing', [mailing.update_id])
      },
      ({ update_id, tenant_id }, error) =>
        quarantine.add('subscriber_mailing', [{ key: update_id, tenant: tenant_id, error }]),
    )
    left = going
  }
}

interface FanOut {
  /** Goes on with mailings that were put into quarantine. */
  retry(mailings: readonly string[]): Promise<void>
  stop(): Promise<void>
}

/** Queues updates for subscribers as they are posted. Any number of processes may do so. */
export function watchUpdates(dependencies: Dependencies): FanOut {
  const { listener, log } = dependencies
  const loop = new Loop({
    everyMs,
    round: () => fanOut(dependencies),
    log,
    failure: 'subscriber mailing failure',
    wake: { listener, notice: 'status_page_updates' },
  }).start()
  return { retry: mailings => fanOut(dependencies, mailings), stop: () => loop.stop() }
}
