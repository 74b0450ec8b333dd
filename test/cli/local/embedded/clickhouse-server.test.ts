import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { createClient, TupleParam } from '@clickhouse/client'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { bind } from '#cli/local/embedded/clickhouse/parameters.ts'
import { type ClickhouseServer, startClickhouse } from '#test/support/clickhouse.ts'

let server: ClickhouseServer
beforeAll(async () => {
  server = await startClickhouse()
})
afterAll(() => server.stop())

const open = (more: Parameters<typeof createClient>[0] = {}) =>
  createClient({ url: server.url('vedette'), log: { level: 127 }, ...more })

describe('the embedded ClickHouse, asked by its official client', () => {
  test('answers pings, statements, questions with parameters, and inserts, packed or not', async () => {
    for (const compression of [{}, { request: true, response: true }]) {
      const client = open({ compression })
      expect((await client.ping()).success).toBe(true)
      expect((await client.ping({ select: true })).success).toBe(true)
      await client.command({
        query: 'CREATE OR REPLACE TABLE words (id UInt64, word String) ENGINE = MergeTree ORDER BY id',
      })
      const words = ['ä ☂', "it's", 'a\nb\t\\', '{id: UInt8}', '']
      await client.insert({
        table: 'words',
        values: words.map((word, id) => ({ id, word })),
        format: 'JSONEachRow',
        clickhouse_settings: { async_insert: 0 },
      })
      const result = await client.query({
        query: 'SELECT word FROM words ORDER BY id',
        format: 'JSONEachRow',
        clickhouse_settings: { max_threads: 1 },
      })
      expect((await result.json<{ word: string }>()).map(({ word }) => word)).toEqual(words)
      const ids = [crypto.randomUUID(), crypto.randomUUID()]
      const echoed = await client.query({
        query: `SELECT {text: String} AS text, {ids: Array(UUID)} AS ids, {at: DateTime64(3)} AS at,
           {none: Nullable(String)} AS none, {pair: Tuple(UInt8, String)} AS pair,
           {names: Array(String)} AS names, '{text: String}' AS quoted`,
        query_params: {
          text: words.join(''),
          ids,
          at: new Date('2026-05-20T10:11:12.345Z'),
          none: null,
          pair: new TupleParam([7, "x'"]),
          names: words,
        },
        format: 'JSONEachRow',
      })
      expect(await echoed.json()).toEqual([
        {
          text: words.join(''),
          ids,
          at: '2026-05-20 10:11:12.345',
          none: null,
          pair: [7, "x'"],
          names: words,
          quoted: '{text: String}',
        },
      ])
      await client.close()
    }
  })

  test('takes lists too long for an address', async () => {
    const client = open({ use_multipart_params_auto: true })
    const ids = Array.from({ length: 20_000 }, (_, id) => id)
    const result = await client.query({
      query: 'SELECT length({ids: Array(UInt32)}) AS n',
      query_params: { ids },
      format: 'JSONEachRow',
    })
    expect(await result.json()).toEqual([{ n: 20_000 }])
    await client.close()
  })

  test('runs questions side by side, and keeps their settings and databases apart', async () => {
    const client = open()
    const began = performance.now()
    await Promise.all(
      Array.from({ length: 6 }, async () => text((await client.exec({ query: 'SELECT sleep(1)' })).stream)),
    )
    expect(performance.now() - began).toBeLessThan(5_000)
    const read = async (max_threads?: number, database?: string) => {
      const asker = open({
        ...(database && { url: server.url(database) }),
        ...(max_threads && { clickhouse_settings: { max_threads } }),
      })
      const result = await asker.query({
        query: "SELECT getSetting('max_threads')::UInt32 AS threads, currentDatabase() AS database",
        format: 'JSONEachRow',
      })
      const [row] = await result.json<{ threads: number; database: string }>()
      await asker.close()
      return row
    }
    const usual = await read()
    expect(await read(7)).toEqual({ threads: 7, database: 'vedette' })
    expect(await read(undefined, 'system')).toEqual({ ...usual, database: 'system' })
    await Promise.all(
      Array.from({ length: 30 }, async (_, index) => {
        expect((await read(index % 2 ? 3 : 5))?.threads).toBe(index % 2 ? 3 : 5)
      }),
    )
    expect(await read()).toEqual(usual)
    await client.close()
  })

  test('says what is wrong the way the server does', async () => {
    const client = open()
    await expect(client.query({ query: 'SELEC 1' })).rejects.toMatchObject({ code: '62', type: 'SYNTAX_ERROR' })
    await expect(client.query({ query: 'SELECT * FROM nowhere' })).rejects.toMatchObject({
      code: '60',
      type: 'UNKNOWN_TABLE',
    })
    await expect(client.query({ query: 'SELECT {x: String}' })).rejects.toMatchObject({
      code: '456',
      type: 'UNKNOWN_QUERY_PARAMETER',
    })
    await expect(
      client.query({ query: 'SELECT 1', clickhouse_settings: JSON.parse('{"no_such_setting": 1}') }),
    ).rejects.toMatchObject({ code: '115' })
    expect((await (await client.query({ query: 'SELECT 1 AS x', format: 'JSONEachRow' })).json())[0]).toEqual({ x: 1 })
    const stranger = open({ url: server.url('vedette').replace(':test@', ':guess@') })
    await expect(stranger.query({ query: 'SELECT 1' })).rejects.toMatchObject({
      code: '516',
      type: 'AUTHENTICATION_FAILED',
    })
    await Promise.all([client.close(), stranger.close()])
  })

  test('lets no second process into its folder, and does not mind one that died there', async () => {
    const env = { ...process.env, CLICKHOUSE_DATA: server.folder, CLICKHOUSE_PORT: '0', CLICKHOUSE_PASSWORD: 'x' }
    const second = spawn(
      process.execPath,
      [join(import.meta.dirname, '../../../../cli/local/embedded/clickhouse-server.ts')],
      {
        env,
        stdio: ['ignore', 'ignore', 'pipe'],
      },
    )
    const [said, [code]] = await Promise.all([text(second.stderr), once(second, 'exit')])
    expect(code).toBe(1)
    expect(said).toContain(`is in use by process ${server.pid}`)
    await server.kill()
    await server.restart()
    const client = open()
    expect((await client.ping({ select: true })).success).toBe(true)
    await client.close()
  })
})

test.each([
  ["'; DROP TABLE x", "SELECT CAST('\\'; DROP TABLE x' AS String)"],
  ["\\' OR 1", "SELECT CAST('\\' OR 1' AS String)"],
  ['\\\\', "SELECT CAST('\\\\' AS String)"],
])('a value cannot leave its quotes: %s', (value, sql) => {
  expect(bind('SELECT {v: String}', new Map([['v', value]]))).toBe(sql)
})
