import { sql } from 'kysely'
import type { Pool } from 'pg'
import { Loop } from '#control-plane/base/loop.ts'
import { affected } from '#control-plane/db/queries.ts'
import type { Services } from '#control-plane/http/services.ts'

const everyMs = 3_600_000
const batch = 1_000
/** As long as ClickHouse keeps them (`analytics/schema`). */
const keptDays = 30

// incidents open for longer included; the condition is that of the index `incidents_with_texts`
const ofIncidents = sql`
  update incidents i set
    evidence = i.evidence || '{"snippet": null}',
    quorum = case when jsonb_typeof(i.quorum -> 'regions') = 'object' then i.quorum || jsonb_build_object('regions', (
      select coalesce(jsonb_object_agg(r.key, r.value || '{"excerpt": null}'), '{}')
      from jsonb_each(i.quorum -> 'regions') r
    )) else i.quorum end
  where i.id in (
    select id from incidents
    where (evidence ->> 'snippet' is not null or quorum @? '$.regions.*.excerpt ? (@ != null)')
      and confirmed_at < clock_timestamp() - interval '${sql.lit(keptDays)} days'
    limit ${sql.lit(batch)} for update skip locked)`

// a vote that changes has a text of today: these are of checks that are paused
const ofVotes = sql`
  update votes v set evidence = v.evidence || '{"excerpt": null}'
  where (v.check_id, v.region) in (
    select check_id, region from votes
    where evidence ->> 'excerpt' is not null and updated_at < clock_timestamp() - interval '${sql.lit(keptDays)} days'
    limit ${sql.lit(batch)} for update skip locked)`

/** Deletes what was read of targets more than 30 days ago from incidents and votes. All else about them stays. */
export async function forgetTargetTexts(platform: Pool): Promise<void> {
  for (const statement of [ofIncidents, ofVotes])
    for (let changed = batch; changed === batch; ) changed = await affected(platform, statement)
}

/** Any number of processes may do so. */
export const startDeletingTexts = ({ platform, log }: Pick<Services, 'platform' | 'log'>): Loop =>
  new Loop({ everyMs, round: () => forgetTargetTexts(platform), log, failure: 'target text deletion failure' }).start()
