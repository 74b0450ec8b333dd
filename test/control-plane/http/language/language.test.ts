import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import type { Text } from '#contract/sentence.ts'
import { fieldErrors } from '#control-plane/http/field-errors.ts'
import { translated } from '#control-plane/http/language/language.ts'
import { texts } from '#locales/texts.ts'
import { app, type CallerUnderTest, given } from '#test/support/app.ts'
import { refusalSentences } from './refusal-sentences.ts'

const inGerman = (text: Text) => translated(text, 'de')
const german = { headers: { 'Accept-Language': 'de-AT, de;q=0.9, en;q=0.5' } }

describe('an error is in German for a caller that asks for German', () => {
  let team: CallerUnderTest
  const asked = async (status: number, code: string, answer: ReturnType<CallerUnderTest['get']>, message: string) => {
    const { body, headers, ...got } = await answer
    expect([got.status, body.code, body.message]).toEqual([status, code, message])
    expect(headers.get('content-language')).toBe('de')
    expect(headers.get('vary')?.split(', ')).toContain('Accept-Language')
    return body
  }

  test('with the same code, and the fields as well', async () => {
    team = await given.tenant({ plan: 'free' })
    const stranger = given.stranger()
    await asked(
      401,
      'unauthenticated',
      stranger.get('/user', { headers: { ...german.headers, Authorization: 'Bearer unknown' } }),
      'Nicht angemeldet.',
    )
    await asked(
      403,
      'reseller_token_needed',
      team.get('/reseller/managed-teams', german),
      'Dieser Endpunkt braucht ein Reseller-Token.',
    )
    await asked(404, 'not_found', team.get(`/monitors/${crypto.randomUUID()}`, german), 'Monitor nicht gefunden.')
    await asked(404, 'not_found', team.get('/nothing', german), 'Hier ist nichts.')
    await asked(405, 'method_not_allowed', team.put('/user', {}, german), 'Diese Methode ist hier nicht erlaubt.')
    await asked(400, 'malformed', team.call('POST', '/monitors', '{', german), 'Der Inhalt ist kein gültiges JSON.')
    const { errors } = await asked(
      422,
      'invalid',
      team.post('/monitors', { name: '', url: 5, timeout: 1e9 }, german),
      'Die Angaben sind ungültig.',
    )
    expect([errors.name, errors.url]).toEqual([['Darf nicht leer sein.'], ['Muss Text sein.']])
    const unplanned = await asked(
      403,
      'not_in_plan',
      team.patch('/branding', { hide_powered_by: true }, german),
      'Der Tarif enthält kein White-Label-Branding.',
    )
    expect(unplanned.quota).toBe('white_label_branding')
    const refused = given.stranger()
    for (let n = 0; n < 11; n++) await refused.post('/auth/token', {}, german)
    await asked(429, 'rate_limited', refused.post('/auth/token', {}, german), 'Zu viele Anfragen.')
  })
})

test('the request’s language goes before that of the person, which goes before English', async () => {
  const team = await given.tenant()
  const messages = async (language?: string) => {
    const { body, headers } = await team.get(
      '/nothing',
      language === undefined ? {} : { headers: { 'Accept-Language': language } },
    )
    return [body.message.split(' ')[0], headers.get('content-language')]
  }
  const [english, inTheirs] = [
    ['There', 'en'],
    ['Hier', 'de'],
  ]
  const monitor = async (headers: Record<string, string>) =>
    (await team.get(`/monitors/${crypto.randomUUID()}`, { headers })).headers.get('content-language')
  expect(await messages()).toEqual(english)
  for (const language of ['*', 'fr', 'en-GB, de;q=0.5', 'de;q=0', '', ';;,', 'de'.repeat(2_000)])
    expect(await messages(language), language).toEqual(english)
  for (const language of ['de', 'DE-ch', 'fr, de;q=0.1']) expect(await messages(language), language).toEqual(inTheirs)
  await app.services.platform.query(`update users set language = 'de-AT' where id = $1`, [team.userId])
  for (const headers of [{}, { 'Accept-Language': '*' }, { 'Accept-Language': 'fr' }] as Record<string, string>[])
    expect(await monitor(headers)).toBe('de')
  expect(await monitor({ 'Accept-Language': 'en' })).toBe('en')
})

test('a message of a library, without a translation, is in English, and the answer marked so', async () => {
  const team = await given.tenant()
  const { status, body, headers } = await team.post(
    '/notification-channels',
    { name: 'ops', type: 'custom', config: { url: 'https://a.example/', body_template: '{% nothing %}' } },
    german,
  )
  expect([status, body.message]).toEqual([422, 'Die Angaben sind ungültig.'])
  const sentences = Object.values(body.errors as Record<string, string[]>).flat()
  expect(sentences.map(inGerman)).toEqual([undefined])
  expect(headers.get('content-language')).toBe('de, en')
})

test('whatever a schema finds wrong has a German sentence', () => {
  const cases: [z.ZodType, unknown, string][] = [
    [z.string(), undefined, 'Wird benötigt.'],
    [z.int(), 1.5, 'Muss eine ganze Zahl sein.'],
    [z.enum(['free', 'pro']), 'gold', 'Muss einer der folgenden Werte sein: free, pro.'],
    [z.string().min(12), 'a', 'Mindestens 12 Zeichen.'],
    [z.string().max(1), 'ab', 'Höchstens 1 Zeichen.'],
    [z.string().length(2), 'abc', 'Genau 2 Zeichen.'],
    [z.array(z.int()).max(1), [1, 2], 'Höchstens 1 Eintrag.'],
    [z.array(z.int()).max(3), [1, 2, 3, 4], 'Höchstens 3 Einträge.'],
    [z.int().min(1), 0, 'Muss mindestens 1 sein.'],
    [z.int().max(365), 366, 'Darf höchstens 365 sein.'],
    [z.number().gt(0), 0, 'Muss größer als 0 sein.'],
    [z.number().lt(1), 1, 'Muss kleiner als 1 sein.'],
    [z.number().multipleOf(5), 4, 'Muss ein Vielfaches von 5 sein.'],
    [z.email(), 'x', 'Muss eine E-Mail-Adresse sein.'],
    [z.iso.date(), 'x', 'Muss ein Datum wie 2026-11-22 sein.'],
    [z.strictObject({}), { colour: 1 }, 'Ist hier nicht bekannt.'],
  ]
  for (const [schema, given, sentence] of cases) {
    const { error } = z.object({ field: schema }).safeParse({ field: given })
    expect(inGerman(Object.values(fieldErrors(error!))[0]![0]!)).toBe(sentence)
  }
  for (const unknown of ['', 'Something new.', 'constructor', 'Constructor not found.', 'toString not found.'])
    expect(inGerman(unknown)).toBeUndefined()
})

test('every sentence that a refusal says has a German one', () => {
  const sentences = [...refusalSentences()]
  expect(sentences.length).toBeGreaterThan(300)
  const missing = sentences.filter(([text]) => text !== '7 not found.' && inGerman(text) === undefined)
  expect(missing.map(([sentence, file]) => `${file}: ${sentence}`)).toEqual([])
})

/** Sentences that `contract/validation-messages.ts` puts together; the test above has them. */
const ofSchemas =
  /^(Must be (at|more|less|one|text|a|an|true|null)\b|(At least|At most|Exactly) (\{n\}|\d+) (characters?|entr\w+)\.$)/

test('every sentence that has a German one is still said somewhere, and both have the same holes', () => {
  const source = ['control-plane', 'checks', 'contract', 'importers']
    .flatMap(folder => readdirSync(folder, { recursive: true, encoding: 'utf8' }).map(name => join(folder, name)))
    .filter(name => name.endsWith('.ts'))
    .map(name => readFileSync(name, 'utf8'))
    .join('\n')
  const holes = (text: string) => text.match(/\{\w+\}/g)?.toSorted() ?? []
  for (const [english, german] of Object.entries(texts('refusals', 'de'))) {
    expect(holes(german), english).toEqual(holes(english))
    if (ofSchemas.test(english)) continue
    const noun = /^([A-Z][A-Za-z -]*) not found\.$/.exec(english)?.[1]
    const param = noun?.toLowerCase().replaceAll(/[ -]/g, '_')
    if (noun) expect(source.includes(`notFound('${noun}')`) || source.includes(`{${param}}`), noun).toBe(true)
    else
      for (const part of english.replace(/^Unauthenticated: /, '').split(/\{\w+\}/))
        expect(source.includes(part), `${english}: «${part}»`).toBe(true)
  }
})
