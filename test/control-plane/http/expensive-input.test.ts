import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { createLog } from '#cli/serve/log.ts'
import { fieldErrors } from '#control-plane/http/field-errors.ts'
import { refuseUnknown } from '#control-plane/monitoring/checks/settings.ts'
import { NewTemplate, settleChecks } from '#control-plane/reselling/monitor-templates/input.ts'
import { validateTemplate } from '#control-plane/reselling/monitor-templates/validate.ts'
import { parseAllowList } from '#egress/address.ts'
import { Guard } from '#egress/guard.ts'
import { app, given } from '#test/support/app.ts'
import { cpuOf } from '#test/support/cpu.ts'

/** What took longest before it was bounded took 17 seconds. */
const mostMs = 1_000

describe('a megabyte of template', () => {
  const guard = new Guard(parseAllowList(''))
  const check = (settings: object) => ({ type: 'uptime' as const, settings })
  const validate = (checks: object[][]) => {
    const monitors = checks.map(each => ({ name_template: 'x', url_template: 'https://example.com', checks: each }))
    const template = NewTemplate.parse({ name: 'x', monitors })
    const fields = { ...template, monitors: settleChecks(template.monitors) }
    return () => validateTemplate(fields, guard)
  }
  const names = (count: number) => Array.from({ length: count }, (_, i) => `{{a${i.toString(36)}}}`)

  test.each<[what: string, work: () => unknown, error: string]>([
    [
      'of bodies full of placeholders',
      validate(Array.from({ length: 14 }, () => [check({ method: 'POST', body: names(8_000).join('') })])),
      'monitors',
    ],
    [
      'of settings named by placeholders',
      validate([[check(Object.fromEntries(names(30_000).map(name => [name, 1])))]]),
      'monitors',
    ],
    [
      'of unknown settings',
      validate([[check(Object.fromEntries(Array.from({ length: 60_000 }, (_, i) => [`k${i}`, 1])))]]),
      'settings.k0',
    ],
    [
      'of braces that open nothing',
      validate(Array.from({ length: 14 }, () => [check({ method: 'POST', body: '{{ '.repeat(21_000) })])),
      'settings.body',
    ],
  ])('%s is refused for little processor time, with a hundred reasons at most', async (_, work, where) => {
    let errors: Record<string, string[]> = {}
    const ms = await cpuOf(() => {
      try {
        work()
      } catch (error) {
        errors = (error as { errors: typeof errors }).errors
      }
    })
    expect(Object.keys(errors)[0]).toContain(where)
    expect(Object.keys(errors).length).toBeLessThanOrEqual(100)
    expect(ms).toBeLessThan(mostMs)
  })
})

describe('a refusal of a body with many errors', () => {
  test('names a hundred fields at most', () => {
    const { error } = z.array(z.string()).safeParse(Array(30_000).fill(1))
    expect(Object.keys(fieldErrors(error!))).toHaveLength(100)
    expect(
      Object.keys(refuseUnknown('uptime', Object.fromEntries(Array.from({ length: 5_000 }, (_, i) => [`k${i}`, 1])))),
    ).toHaveLength(100)
  })

  test('of 30,000 unknown variables is short', async () => {
    const reseller = await given.reseller({ scopes: ['teams:manage', 'monitors:manage'] })
    const variables = Object.fromEntries(Array.from({ length: 30 }, (_, i) => [`k${i}`, 'x']))
    const { status, text } = await reseller.post('/reseller/managed-teams', {
      name: 'x',
      slug: `t-${crypto.randomUUID()}`,
      variables,
    })
    expect(status).toBe(422)
    expect(text.length).toBeLessThan(20_000)
  })

  test('a public endpoint reads a body of 16 KB and answers 413 to a longer one', async () => {
    const send = (bytes: number) =>
      fetch(`${app.baseUrl}/api/v1/auth/token`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', 'X-Forwarded-For': '203.0.113.77' },
        body: `{"email":"${'x'.repeat(bytes - 12)}"}`,
      })
    expect((await send(16_384)).status).toBe(422)
    expect((await send(16_385)).status).toBe(413)
  })
})

test('a log line costs little processor time, whatever the message of its error', async () => {
  const log = createLog('info', { write: () => undefined })
  const lines = [
    `@${'a.'.repeat(50_000)}`,
    `@${'a'.repeat(100_000)}`,
    `eyJ${'-eyJ'.repeat(25_000)}`,
    `@${'://a:'.repeat(20_000)}`,
  ]
  for (const line of lines)
    expect(
      await cpuOf(() =>
        log.error({ err: Object.assign(new Error('x'), { stack: `Error\nat ${line}` }), line }, 'failed'),
      ),
      line.slice(0, 10),
    ).toBeLessThan(mostMs)
})
