import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openIngest } from '#cli/serve/ingest.ts'
import type { Services } from '#control-plane/http/services.ts'
import { eventually, type Serving, serving } from '#test/control-plane/serving.ts'

let served: Serving
let owner: pg.Client
beforeAll(async () => {
  served = await serving('terms', { roles: ['api'] })
  owner = new pg.Client({ connectionString: served.stores.ownerUrl })
  await owner.connect()
})
afterAll(async () => {
  await owner?.end()
  await served?.close()
})

/** The services of a control plane, with what is listened to counted and what is logged kept. */
function counted(changes: Partial<Services> = {}) {
  const { services } = served.plane
  const lines: string[] = []
  let listening = 0
  const { listener } = services
  const on: typeof listener.on = (channel, listen) => {
    listening++
    const stop = listener.on(channel, listen)
    return () => {
      listening--
      stop()
    }
  }
  // the rest is the real listener's, whose private fields no inheriting object has
  const counting = new Proxy(listener, {
    get(target, name) {
      const value = Reflect.get(target, name, target)
      return name === 'on' ? on : typeof value === 'function' ? value.bind(target) : value
    },
  })
  const log = pino({ level: 'warn' }, { write: (line: string) => void lines.push(JSON.parse(line).msg) })
  return { services: { ...services, listener: counting, log, ...changes }, lines, listening: () => listening }
}

test('a leader start that fails at its last step releases everything, and the next attempt leads', async () => {
  await owner.query(
    `create function refuse_beat() returns trigger language plpgsql as $$ begin raise exception 'no' using errcode = '54000'; end $$`,
  )
  await owner.query(
    `create trigger refuse_beat before insert or update on liveness for each row
     when (new.name = 'ingest') execute function refuse_beat()`,
  )
  const { services, lines, listening } = counted()
  const ingest = await openIngest(services)
  await eventually(
    () => (lines.filter(line => line === 'ingest start failure, retrying').length >= 3 ? true : undefined),
    30_000,
  )
  expect(ingest.whyNot).toBe('could not start')
  expect(listening()).toBe(0)
  await owner.query('drop trigger refuse_beat on liveness; drop function refuse_beat')
  await eventually(() => (ingest.whyNot === null ? true : undefined), 30_000)
  expect(listening()).toBeGreaterThan(3)
  await ingest.close()
  expect(listening()).toBe(0)
}, 90_000)

test('a failed query of the verdict engine does not prevent the update of changed schedules', async () => {
  const { platform } = served.plane.services
  const tenant = await served.tenant()
  const gone = await served.monitor(tenant, 'http://127.0.0.1:1')
  const [monitor, check] = [randomUUID(), randomUUID()]
  await platform.query(
    `with made as (
       insert into monitors (id, tenant_id, name, url, type, check_interval, timeout, region_policy,
         confirmations, recovery_confirmations)
       values ($1, $2, 'Job', 'cron:job', 'cron', 60, 10, '{"mode":"majority","count":null}', 2, 2) returning id
     )
     insert into checks (id, tenant_id, monitor_id, type, settings, severity)
     select $3, $2, id, 'cron', '{"period_minutes": 60, "grace_minutes": 5}', 'critical' from made`,
    [monitor, tenant, check],
  )
  let isFailing = false
  const flaky = new Proxy(platform, {
    get(target, name) {
      const value = Reflect.get(target, name, target)
      if (name !== 'query') return typeof value === 'function' ? value.bind(target) : value
      return (question: unknown, ...more: unknown[]) =>
        isFailing && typeof question === 'string' && question.startsWith('select id from checks')
          ? Promise.reject(new Error('a query failed'))
          : (value as (...given: unknown[]) => unknown).call(target, question, ...more)
    },
  })
  const { services } = counted({ platform: flaky })
  const ingest = await openIngest(services)
  await eventually(() => (ingest.whyNot === null ? true : undefined), 30_000)
  const armed = async () =>
    (await platform.query('select armed_by from heartbeats where check_id = $1', [check])).rows[0].armed_by as
      | string
      | null
  await eventually(async () => ((await armed())?.startsWith('3600000 ') ? true : undefined))
  isFailing = true
  await platform.query(
    `with paused as (update monitors set is_enabled = false where id = $1)
     update checks set settings = '{"period_minutes": 30, "grace_minutes": 5}' where id = $2`,
    [gone.monitor, check],
  )
  await eventually(async () => ((await armed())?.startsWith('1800000 ') ? true : undefined), 10_000)
  await ingest.close()
}, 90_000)
