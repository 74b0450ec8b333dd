import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

/**
 * The columns behind the state of a monitor. What shows, counts or judges monitors reads the state instead, as
 * control-plane/engine/state says.
 */
const columns =
  /\b(?:m|o|monitor|monitors)\.(?:status|coverage)\b|\bheld_by_plan\b|\bswitched_at\b|\bcoverage_since\b|\bstatus_changed_at\b|\bmonitors?\.is_enabled\b|\bm\.is_enabled\b/

/** Who reads them all the same, and why. The second list is to become shorter. */
const writers: Record<string, string> = {
  'control-plane/db/rights.ts': 'who may write which column',
  'control-plane/engine/verdicts/write-batch.ts': 'writes them',
  'control-plane/passive/servers/watch.ts': 'counts the silence of a server from the moment it is watched',
  'control-plane/importing/divergence.ts': 'has a field of the same name, filled from the state',
  'control-plane/importing/shadow.ts': 'has a field of the same name, filled from the state',
  'control-plane/importing/steps.ts': 'switches monitors on and off',
  'control-plane/monitoring/monitors/list.ts': 'a filter by the field is_enabled itself',
  'control-plane/monitoring/monitors/own.ts': 'fields of the API',
  'control-plane/monitoring/monitors/row.ts': 'fields of the API',
  'control-plane/monitoring/monitors/store.ts': 'writes them',
  'control-plane/monitoring/monitors/view.ts': 'fields of the API',
  'control-plane/monitoring/stream/open.ts': 'names an event',
  'control-plane/monitoring/plans/get.ts': 'counts what the plan holds',
  'control-plane/monitoring/plans/kept-monitors.ts': 'who chooses what the plan holds',
  'control-plane/monitoring/plans/pause-over-plan.ts': 'writes them',
}
const left: Record<string, string> = {
  'control-plane/alerting/channels/view.ts': 'a field of the same name, of channels',
  'control-plane/alerting/contact-methods/view.ts': 'a field of the same name, of contact methods',
  'control-plane/alerting/notification-gaps/read.ts': 'which monitors need a rule: should be isWatchedSql',
  'control-plane/engine/agents/platform-regions.ts': 'which regions are used: should be isWatchedSql',
  'control-plane/engine/assignments/rows.ts': 'what agents are given to do: should be isWatchedSql',
  'control-plane/engine/crawls/coordinator.ts': 'whether a crawl goes on: should be isWatchedSql',
  'control-plane/engine/suppression/flapping.ts': 'the status beside an event: should be monitor_status',
  'control-plane/engine/suppression/release.ts': 'whether an incident is released: should be isWatchedSql',
  'control-plane/engine/warnings/release.ts': 'whether a warning is released: should be isWatchedSql',
  'control-plane/passive/heartbeats/row.ts': 'whether pings are expected: should be isWatchedSql',
  'control-plane/importing/readiness.ts': 'which monitors a migration counts: should be isWatchedSql',
  'control-plane/importing/row.ts': 'whether a monitor is silent beside its original',
}

test('only the home of the state of a monitor reads the columns behind it', () => {
  const readers = globSync('control-plane/**/*.ts').filter(
    path =>
      !path.startsWith('control-plane/engine/state/') &&
      !path.startsWith('control-plane/db/model/') &&
      columns.test(readFileSync(path, 'utf8')),
  )
  // a file that is named here and reads none of them any more is to be taken out
  expect(readers.sort()).toEqual([...Object.keys(writers), ...Object.keys(left)].sort())
})
