import { pino } from 'pino'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { defaultSuppression } from '#control-plane/engine/suppression/rules.ts'
import { applySuppression, suppressionRetries } from '#control-plane/engine/suppression/watch.ts'
import { BenchOfChecks } from '#test/control-plane/engine/verdicts/bench-of-checks.ts'

let bench: BenchOfChecks
beforeEach(async () => {
  bench = await BenchOfChecks.open('isolated_suppression')
})
afterEach(() => bench.close())

const log = pino({ level: 'silent' })
const known = () => ({ platform: bench.platform, log })
const quarantined = async () =>
  (await bench.rows('select kind, key from quarantined_rows where tenant_id = $1', bench.tenant)) as {
    kind: string
    key: string
  }[]
const events = async () =>
  (await bench.events()).map(({ name, payload }) => `${name} ${(payload as { monitor_id: string }).monitor_id}`)

/** What follows of one monitor cannot be written, until that is undone. */
async function refusing(monitor: string): Promise<() => Promise<unknown>> {
  await bench.owner.query(
    `create or replace function refuse_event() returns trigger language plpgsql as $$ begin raise exception 'no'
      using errcode = '54000'; end $$`,
  )
  await bench.owner.query(
    `create trigger refuse_event before insert on outbox for each row
      when (new.payload ->> 'monitor_id' = '${monitor}') execute function refuse_event()`,
  )
  return () => bench.owner.query('drop trigger refuse_event on outbox')
}

const flap = (monitor: string, check: string) =>
  bench.rows(
    `insert into flappings (id, tenant_id, monitor_id, check_id, started_at, last_change_at)
      values (gen_random_uuid(), $1, $2, $3, now(), now()) returning id`,
    bench.tenant,
    monitor,
    check,
  )

/** Another test's process may have locked a row first, and then does the same with it. */
const soon = <Value>(read: () => Promise<Value>) => expect.poll(read, { timeout: 10_000 })

describe('what is suppressed', () => {
  test('a flapping monitor whose event cannot be written delays no other, and is notified once it can', async () => {
    const [bad, ...good] = await bench.add(6)
    for (const { monitor, check } of [bad!, ...good]) await flap(monitor, check)
    const undo = await refusing(bad!.monitor)
    try {
      await applySuppression(known())
      await soon(async () => new Set(await events())).toEqual(
        new Set(good.map(({ monitor }) => `monitor.flapping ${monitor}`)),
      )
      await soon(quarantined).toMatchObject([{ kind: 'flapping' }])
      // from then on it costs nothing
      await applySuppression(known())
      expect(await events()).toHaveLength(5)
    } finally {
      await undo()
    }
    const { key } = (await quarantined())[0]!
    await suppressionRetries(known()).flapping?.([key])
    await soon(events).toHaveLength(6)
    await soon(quarantined).toEqual([])
  })

  test('an incident that cannot be released delays no other incident, warning or storm', async () => {
    const [bad, good, warned, stormy] = await bench.add(4)
    const rules = {
      ...defaultSuppression,
      flapping: { ...defaultSuppression.flapping, releaseAfterS: -3_600 },
      storm: { ...defaultSuppression.storm, notifyAfterS: -3_600 },
    }
    for (const { monitor, check } of [bad!, good!])
      await bench.rows(
        `insert into incidents (id, tenant_id, monitor_id, check_id, check_type, number, title, severity, started_at,
          confirmed_at, quorum, suppressed_by, forwarded_at)
         values (gen_random_uuid(), $1, $2, $3, 'uptime', (select count(*) + 1 from incidents where tenant_id = $1),
           'x', 'critical', now(), now(), '{}', 'flapping', null)
         returning 1`,
        bench.tenant,
        monitor,
        check,
      )
    await bench.rows(
      `insert into check_warnings (check_id, tenant_id, event, depth, since, code, reason, regions, details,
        suppressed_by)
       values ($1, $2, 'warning.ssl_expiring', 1, now(), 'x', 'x', '{}', '{}', 'flapping') returning 1`,
      warned!.check,
      bench.tenant,
    )
    await bench.rows(
      `insert into storms (id, tenant_id, started_at, grown_at, monitors_total)
        values (gen_random_uuid(), $1, now(), now(), 10) returning 1`,
      bench.tenant,
    )
    const undo = await refusing(bad!.monitor)
    try {
      // a row that another process has locked at this moment, or a step that had to give way, is for the next round
      const names = async () => {
        await applySuppression(known(), rules)
        return (await bench.events()).map(({ name }) => name).sort()
      }
      await soon(names).toEqual(['incident.created', 'storm.detected', 'storm.resolved', 'warning.ssl_expiring'])
      await soon(quarantined).toMatchObject([{ kind: 'suppressed_incident' }])
    } finally {
      await undo()
    }
    expect(stormy).toBeDefined()
    const { key } = (await quarantined())[0]!
    await suppressionRetries(known(), rules).suppressed_incident?.([key])
    await soon(async () => (await bench.events()).filter(({ name }) => name === 'incident.created')).toHaveLength(2)
    await soon(quarantined).toEqual([])
  })

  test('a step whose statement fails as a whole delays no other step', async () => {
    const [one] = await bench.add(1)
    await flap(one!.monitor, one!.check)
    await bench.owner.query('alter table storms rename column notified_monitors to former_monitors')
    try {
      await applySuppression(known())
    } finally {
      await bench.owner.query('alter table storms rename column former_monitors to notified_monitors')
    }
    expect(await events()).toEqual([`monitor.flapping ${one!.monitor}`])
  })
})
