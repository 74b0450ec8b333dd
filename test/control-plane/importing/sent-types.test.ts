import { describe, expect, test } from 'vitest'
import { betterStack } from '#importers/better-stack/source.ts'
import { openstatus } from '#importers/openstatus/source.ts'
import { pingdom } from '#importers/pingdom/source.ts'
import type { SourceItem } from '#importers/source.ts'
import { statusCake } from '#importers/statuscake/source.ts'
import { uptimeKuma } from '#importers/uptime-kuma/source.ts'
import { uptimeRobot } from '#importers/uptimerobot/source.ts'
import { kumaFile } from './kuma-file.ts'
import { readAnswers, readText } from './read-source.ts'

type Settings = Record<string, unknown>

const site = 'http://site.example/'
const form = 'application/x-www-form-urlencoded'
const json = 'application/json'

/** What the uptime check of an item sends. */
function sentOf(item: SourceItem | undefined) {
  const wanted = item?.wanted as { body: { checks: { settings: Settings }[] } } | null | undefined
  const { method, body, headers = {} } = wanted?.body.checks[0]?.settings ?? {}
  const types = Object.entries(headers as Settings).filter(([name]) => name.toLowerCase() === 'content-type')
  return { method, body, type: types.length > 1 ? types : types[0]?.[1] }
}

const kumaRow = async (columns: Settings) => {
  const file = kumaFile(database => {
    database.exec('alter table monitor add column http_body_encoding varchar(25)')
    const row: Settings = { name: 'a', type: 'http', url: site, method: 'POST', ...columns }
    const names = Object.keys(row)
    database
      .prepare(`insert into monitor (${names.join()}) values (${names.map(() => '?').join()})`)
      .run(...(Object.values(row) as (string | null)[]))
  })
  return sentOf((await readText(uptimeKuma, file)).get('1'))
}

describe('Uptime Kuma sends a body with the type of its encoding', () => {
  test.each([
    ['json', '{"a":1}', 'json', null, json],
    ['no encoding, as of version 1', '{"a":1}', null, null, json],
    ['an empty encoding', '{"a":1}', '', null, json],
    ['form', 'a=1&b=2', 'form', null, form],
    ['xml', '<a/>', 'xml', null, 'text/xml; charset=utf-8'],
    ['a header of its own', '{"a":1}', 'json', '{"Content-Type":"text/plain"}', 'text/plain'],
    ['a header of its own in small letters', 'a=1', 'form', '{"content-type":"text/plain"}', 'text/plain'],
    ['other headers', 'a=1', 'form', '{"X-A":"b"}', form],
    ['no body', null, 'json', null, undefined],
    ['an empty body', '', 'form', null, undefined],
  ])('%s', async (_, body, http_body_encoding, headers, type) => {
    expect((await kumaRow({ body, http_body_encoding, headers })).type).toBe(type)
  })

  test('another encoding is a note', async () => {
    const file = kumaFile(database => {
      database.exec('alter table monitor add column http_body_encoding varchar(25)')
      database.exec(
        `insert into monitor (name, type, url, method, body, http_body_encoding)
         values ('a', 'http', '${site}', 'POST', 'x', 'msgpack')`,
      )
    })
    const item = (await readText(uptimeKuma, file)).get('1')
    expect(item?.standIns.join()).toContain('msgpack')
    expect(sentOf(item).type).toBeUndefined()
  })
})

describe('UptimeRobot sends a body with the type of its kind', () => {
  const three = async (fields: Settings) =>
    sentOf(
      (
        await readAnswers(uptimeRobot, {
          '/monitors': {
            data: [
              { id: 1, friendlyName: 'a', type: 'HTTP', url: site, status: 'UP', httpMethodType: 'POST', ...fields },
            ],
          },
        })
      ).get('1'),
    )
  test.each([
    ['pairs', { postValueType: 'KEY_VALUE', postValueData: { a: '1', b: '2' } }, 'a=1&b=2', form],
    ['pairs to be escaped', { postValueType: 'KEY_VALUE', postValueData: { 'a b': 'ü&=' } }, 'a+b=%C3%BC%26%3D', form],
    ['pairs as a text', { postValueType: 'KEY_VALUE', postValueData: '{"a":"1"}' }, 'a=1', form],
    ['pairs of numbers', { postValueType: 'KEY_VALUE', postValueData: { a: 1, b: true } }, 'a=1&b=true', form],
    ['JSON', { postValueType: 'RAW_JSON', postValueData: { a: 1 } }, '{"a":1}', json],
    ['JSON as a text', { postValueType: 'RAW_JSON', postValueData: '{"a":1}' }, '{"a":1}', json],
    ['JSON that is a list', { postValueType: 'RAW_JSON', postValueData: [1] }, '[1]', json],
    [
      'a header of its own',
      { postValueType: 'RAW_JSON', postValueData: '{}', customHttpHeaders: { 'content-Type': 'application/x-own' } },
      '{}',
      'application/x-own',
    ],
    ['no body', { postValueType: 'KEY_VALUE', postValueData: null }, undefined, undefined],
  ])('%s', async (_, fields, body, type) => {
    expect(await three(fields)).toEqual({ method: 'POST', body, type })
  })

  test.each([
    ['a form', { post_type: 1, post_value: '{"a":"1"}' }, 'a=1', form],
    ['JSON', { post_type: 2, post_content_type: 1, post_value: '{"a":1}' }, '{"a":1}', json],
  ])('version 2: %s', async (_, fields, body, type) => {
    const items = await readAnswers(
      uptimeRobot,
      {
        '/v2/getMonitors': {
          stat: 'ok',
          monitors: [{ id: 1, friendly_name: 'a', type: 1, url: site, http_method: 3, ...fields }],
        },
      },
      { path: '/v2' },
    )
    expect(sentOf(items.get('1'))).toEqual({ method: 'POST', body, type })
  })
})

test.each([
  ['pairs', { post_body: '{"a":"1","b":"2"}' }, form],
  ['a raw text', { post_raw: 'a=1' }, undefined],
  ['a header of its own', { post_raw: '<a/>', custom_header: '{"Content-Type":"text/xml"}' }, 'text/xml'],
])('StatusCake sends %s with its type', async (_, fields, type) => {
  const items = await readAnswers(statusCake, {
    '/uptime': { data: [{ id: '1' }] },
    '/uptime/1': { data: { id: '1', name: 'a', test_type: 'HTTP', website_url: site, check_rate: 300, ...fields } },
  })
  expect(sentOf(items.get('1')).type).toBe(type)
})

test('Pingdom sends its post data as a form, unless a header says another type', async () => {
  const read = async (fields: Settings) =>
    sentOf(
      (
        await readAnswers(pingdom, {
          '/checks': { checks: [{ id: 1 }] },
          '/checks/1': {
            check: { id: 1, name: 'a', hostname: 'site.example', type: { http: { url: '/', ...fields } } },
          },
        })
      ).get('1'),
    )
  expect(await read({ postdata: 'a=1' })).toEqual({ method: 'POST', body: 'a=1', type: form })
  expect((await read({ postdata: '{}', requestheaders: { 'Content-Type': json } })).type).toBe(json)
  expect((await read({})).type).toBeUndefined()
})

test('openstatus says that a body without a type is JSON', async () => {
  const read = async (fields: Settings) =>
    sentOf(
      (
        await readAnswers(openstatus, {
          '/monitor': [{ id: 1, url: site, periodicity: '1m', jobType: 'http', method: 'POST', ...fields }],
        })
      ).get('1'),
    )
  expect((await read({ body: '{"a":1}' })).type).toBe(json)
  expect((await read({ body: 'a', headers: [{ key: 'content-type', value: 'text/plain' }] })).type).toBe('text/plain')
  expect((await read({})).type).toBeUndefined()
})

test('Better Stack sends the headers that its monitor names, and no other', async () => {
  const read = async (attributes: Settings) =>
    sentOf(
      (
        await readAnswers(betterStack, {
          '/api/v2/monitors': {
            data: [{ id: '1', attributes: { monitor_type: 'status', url: site, http_method: 'post', ...attributes } }],
          },
        })
      ).get('1'),
    )
  expect(
    (await read({ request_body: '{}', request_headers: [{ id: 1, name: 'Content-Type', value: json }] })).type,
  ).toBe(json)
  expect((await read({ request_body: '{}' })).type).toBeUndefined()
})
