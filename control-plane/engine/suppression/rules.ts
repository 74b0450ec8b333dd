import { type RawBuilder, sql } from 'kysely'

/**
 * When single alerts are suppressed. That happens on people's channels that receive the grouped event
 * (`monitor.flapping`, `storm.detected`), and nowhere else: a webhook receives every single event it subscribed to.
 *
 * A monitor **flaps** when one of its checks went down and came back by itself, or warned and did not, so often that
 * this makes `changes` changes within `withinS`; it flaps no more when nothing changed for `calmS`. While it flaps,
 * its incidents are suppressed, unless they last for `releaseAfterS`.
 *
 * A **storm** is when at least `least` monitors of a tenant, and at least the share `share` of them or `many`
 * whatever the share, went down within `withinS`. Incidents that open while it grows are suppressed and published as
 * one list: `notifyAfterS` after it began, and again at most every `updateEveryS` when there are more. It grows no more
 * when none joined it for `growsForS`: later ones are notified singly. It is over when fewer of its monitors are down
 * than it takes to make one; what is still down is then notified one by one.
 *
 * A **storm of one host** is when at least `host.least` monitors of a tenant that share the name of their host, or an
 * address of it, went down within `withinS`. It is one of the failures that a storm counts. The first incident of a
 * host is notified singly and at once. The incidents of other monitors of the host wait for `settleS`, so that one
 * notification counts them all; if there are too few by then, they are notified singly. If none was notified singly, as
 * enough monitors failed at the same moment, none waits. It is over when none of its monitors is down; or when fewer
 * than `host.least` are and none recovered for `calmS`: those are then notified singly.
 */
export interface SuppressionRules {
  flapping: { changes: number; withinS: number; calmS: number; releaseAfterS: number }
  storm: {
    least: number
    share: number
    many: number
    withinS: number
    growsForS: number
    notifyAfterS: number
    updateEveryS: number
  }
  host: { least: number; settleS: number; calmS: number }
}

export const defaultSuppression: SuppressionRules = {
  flapping: { changes: 6, withinS: 1_800, calmS: 1_800, releaseAfterS: 600 },
  storm: { least: 5, share: 0.2, many: 50, withinS: 120, growsForS: 600, notifyAfterS: 5, updateEveryS: 180 },
  host: { least: 3, settleS: 10, calmS: 120 },
}

/** The rules as `rulesSql` takes them. */
export const rulesParameter = ({ flapping, storm, host }: SuppressionRules) =>
  JSON.stringify({
    calm_s: flapping.calmS,
    release_after_s: flapping.releaseAfterS,
    least: storm.least,
    share: storm.share,
    many: storm.many,
    wave_within_s: storm.withinS,
    grows_for_s: storm.growsForS,
    notify_after_s: storm.notifyAfterS,
    update_every_s: storm.updateEveryS,
    host_least: host.least,
    host_settle_s: host.settleS,
    host_calm_s: host.calmS,
  })

/** The rules as a table of one row. */
export const rulesSql = (rules: string): RawBuilder<unknown> => sql`
  select * from jsonb_to_record(${rules}::jsonb) as r(calm_s float8, release_after_s float8,
    least int, share float8, many int, wave_within_s float8, grows_for_s float8, notify_after_s float8,
    update_every_s float8, host_least int, host_settle_s float8, host_calm_s float8)`

/** How long ago, by the database's clock; a column says how many seconds. */
export const ago = (seconds: `q.${string}`): RawBuilder<string> =>
  sql`(clock_timestamp() - ${sql.ref(seconds)} * interval '1 second')`

/** Whether so many monitors, of all there are, make a storm. */
export const isStorm = (monitors: RawBuilder<unknown>, total: RawBuilder<unknown>): RawBuilder<boolean> =>
  sql`(${monitors} >= q.least and (${monitors} >= q.many or ${monitors} >= q.share * ${total}))`
