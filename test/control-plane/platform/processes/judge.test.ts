import { describe, expect, test } from 'vitest'
import { judgeParts, type SeenProcess } from '#control-plane/platform/processes/judge.ts'

const part = (why?: string) => ({ is_ready: why === undefined, is_vital: true, ...(why !== undefined && { why }) })

const seen = (changes: Partial<SeenProcess> = {}): SeenProcess => ({
  roles: ['api', 'ingest', 'worker'],
  host: 'one',
  version: '0.1.0',
  event_loop_delay_ms: 1,
  memory_bytes: 1,
  parts: { postgres: part(), clickhouse: part(), ingest: part(), agents: part(), temporal: part() },
  ingest_lag_ms: null,
  rollup_mismatch: 0,
  isReporting: true,
  ...changes,
})
const stores = { postgres: null, clickhouse: null }
const partOf = (name: string, processes: SeenProcess[], measured: Parameters<typeof judgeParts>[1] = stores) =>
  judgeParts(processes, measured).find(judged => judged.name === name)

describe('the parts of an installation', () => {
  test('are ok where one process has every role and all that it needs', () => {
    expect(judgeParts([seen()], stores).map(({ state, why }) => [state, why])).toEqual(
      Array.from({ length: 6 }, () => ['ok', null]),
    )
  })

  test('without a process of a role are unavailable, by name', () => {
    const api = seen({ roles: ['api'] })
    expect(partOf('worker', [api])).toMatchObject({
      state: 'unavailable',
      why: 'no process of the role worker reports',
    })
    expect(partOf('ingest', [api])).toMatchObject({ state: 'unavailable' })
    expect(partOf('temporal', [api])).toMatchObject({ state: 'unavailable' })
    expect(partOf('api', [api])).toMatchObject({ state: 'ok' })
  })

  test('are degraded while one of several processes is silent, and unavailable when all are', () => {
    const silent = seen({ host: 'two', isReporting: false })
    expect(partOf('worker', [seen(), silent])).toMatchObject({ state: 'degraded', why: 'no longer reporting: two' })
    expect(partOf('worker', [silent])).toMatchObject({ state: 'unavailable' })
  })

  test('ingest needs one process that leads; the others may stand by', () => {
    const standby = seen({ host: 'two', parts: { ingest: part('stands by: another process leads') } })
    expect(partOf('ingest', [standby, seen()])).toMatchObject({ state: 'ok' })
    expect(partOf('ingest', [standby])).toMatchObject({
      state: 'unavailable',
      why: 'stands by: another process leads',
    })
    const withoutRegion = seen({ parts: { ingest: part(), agents: part('no say at the moment: eu-west') } })
    expect(partOf('ingest', [withoutRegion])).toMatchObject({
      state: 'degraded',
      why: 'no say at the moment: eu-west',
    })
  })

  test('a store is unavailable for the process that asks, or degraded for another', () => {
    const measured = { postgres: null, clickhouse: 'does not answer' }
    expect(partOf('clickhouse', [seen()], measured)).toMatchObject({ state: 'unavailable', why: 'does not answer' })
    const cut = seen({ host: 'two', parts: { ...seen().parts, clickhouse: part('does not answer') } })
    expect(partOf('clickhouse', [seen(), cut])).toMatchObject({ state: 'degraded', why: 'not reached from two' })
  })

  test('Temporal is what the workers say of it', () => {
    const without = seen({ parts: { ...seen().parts, temporal: part('TEMPORAL_ADDRESS is not set') } })
    expect(partOf('temporal', [without])).toMatchObject({ state: 'unavailable', why: 'TEMPORAL_ADDRESS is not set' })
    expect(partOf('temporal', [without, seen()])).toMatchObject({ state: 'degraded' })
  })
})
