import { describe, expect, test } from 'vitest'
import { ConfigError } from '#contract/config-error.ts'
import { readConfig } from '#control-plane/config.ts'

const needed = {
  DATABASE_URL: 'postgres://app:x@localhost/vedette',
  DATABASE_PLATFORM_URL: 'postgres://platform:x@localhost/vedette',
  CLICKHOUSE_URL: 'http://localhost:8123',
  SECRET_KEY: 'a secret key for tests, long enough to be accepted',
}
const from = 'Vedette <mail@example.com>'

function problemsOf(environment: Record<string, string>): string[] {
  try {
    readConfig({ ...needed, ...environment })
  } catch (error) {
    if (error instanceof ConfigError) return error.problems
    throw error
  }
  return []
}

describe('the platform’s mail server', () => {
  test('is none unless it is named', () => {
    expect(readConfig(needed).mail).toBeUndefined()
    expect(readConfig({ ...needed, MAIL_FROM: from }).mail).toBeUndefined()
  })

  test('is read from an address, with its name and password', () => {
    expect(
      readConfig({
        ...needed,
        SMTP_URL: 'smtp://user%40example.com:p%C3%A4ss%2Fword@mail.example.com',
        MAIL_FROM: from,
      }).mail,
    ).toEqual({
      host: 'mail.example.com',
      port: 587,
      isTls: false,
      username: 'user@example.com',
      password: 'päss/word',
      from: { name: 'Vedette', address: 'mail@example.com' },
    })
    expect(readConfig({ ...needed, SMTP_URL: 'smtps://[::1]', MAIL_FROM: 'mail@example.com' }).mail).toMatchObject({
      host: '::1',
      port: 465,
      isTls: true,
      username: null,
      from: { name: null, address: 'mail@example.com' },
    })
    expect(
      readConfig({ ...needed, SMTP_URL: 'smtp://localhost:1025', MAIL_FROM: '"Söhne, Co" <a@example.com>' }).mail,
    ).toMatchObject({
      port: 1025,
      from: { name: 'Söhne, Co', address: 'a@example.com' },
    })
  })

  test('what is wrong is said, and no value with it', () => {
    expect(problemsOf({ SMTP_URL: 'smtp://mail.example.com' })).toEqual([
      'MAIL_FROM: Is needed together with SMTP_URL.',
    ])
    for (const wrong of [
      'mail.example.com',
      'http://mail.example.com',
      'smtp://',
      'smtp://user:100%25%@mail.example.com',
    ])
      expect(problemsOf({ SMTP_URL: wrong, MAIL_FROM: from }).join(), wrong).toMatch(/^SMTP_URL: Must/)
    for (const wrong of [
      'Vedette',
      'a@b',
      'Vedette <a@example.com',
      'a@example.com, b@example.com',
      'x\r\nBcc: a <b@example.com>',
    ])
      expect(problemsOf({ SMTP_URL: 'smtp://mail.example.com', MAIL_FROM: wrong }).join(), wrong).toMatch(
        /^MAIL_FROM: Must/,
      )
  })
})

test('a setting that is missing is named with what it is for and an example, all of them at once', () => {
  expect(() => readConfig({})).toThrow(
    /DATABASE_URL is needed: PostgreSQL as the service role.*, e\.g\. DATABASE_URL=postgres:\/\/[\s\S]*CLICKHOUSE_URL is needed[\s\S]*SECRET_KEY is needed/,
  )
  expect(problemsOf({ PORT: '70000', LOG_LEVEL: 'loud', EGRESS_DENY: 'x' })).toEqual([
    'PORT: Must be at most 65535. E.g. PORT=8080',
    'LOG_LEVEL: Must be one of fatal, error, warn, info, debug, trace, silent. E.g. LOG_LEVEL=info',
    'EGRESS_DENY: Not a port, an address, a CIDR range or address:port: "x".',
  ])
})

test('what listens here and what is stored elsewhere is denied to all checks', () => {
  const { egressDeny } = readConfig({
    ...needed,
    DATABASE_PLATFORM_URL: 'postgres://platform:x@192.0.2.7:6432/vedette',
    CLICKHOUSE_URL: 'https://clickhouse.example/vedette',
    TEMPORAL_ADDRESS: '127.0.0.1:7233',
    EGRESS_DENY: '10.0.0.5',
  })
  expect(egressDeny.split(',').sort()).toEqual(['10.0.0.5', '192.0.2.7:6432', '5432', '7233', '8080', '9464'])
})

test('CORS_ORIGINS is a list of origins, none by default', () => {
  expect(readConfig(needed).corsOrigins).toEqual([])
  const two = ['https://dashboard.example', 'http://localhost:5173']
  expect(readConfig({ ...needed, CORS_ORIGINS: `${two.join(' , ')},` }).corsOrigins).toEqual(two)
  for (const wrong of [
    '*',
    'null',
    'dashboard.example',
    'https://a.example/',
    'https://*.a.example',
    'HTTPS://a.example',
    'file:///a',
    'https://u@a.example',
  ])
    expect(problemsOf({ CORS_ORIGINS: `https://ok.example,${wrong}` }).join(), wrong).toMatch(
      /^CORS_ORIGINS: Must be a comma list of origins/,
    )
})

test('PagerDuty and Telegram are reached at their public addresses, or where the operator says', () => {
  expect(readConfig(needed).receivers).toEqual({
    pagerduty: 'https://events.pagerduty.com',
    telegram: 'https://api.telegram.org',
  })
  const elsewhere = { PAGERDUTY_URL: 'https://events.eu.pagerduty.com/', TELEGRAM_URL: 'http://telegram.internal:8081' }
  expect(readConfig({ ...needed, ...elsewhere }).receivers).toEqual({
    pagerduty: 'https://events.eu.pagerduty.com',
    telegram: 'http://telegram.internal:8081',
  })
  expect(problemsOf({ PAGERDUTY_URL: 'ftp://events.pagerduty.com' })).toHaveLength(1)
})

test('earlier keys are a comma list, each as long as a key', () => {
  const [one, two] = [
    'a key from the year before last and long enough',
    'a key from last year, and as long as it must be',
  ]
  expect(readConfig(needed).previousSecretKeys).toEqual([])
  expect(readConfig({ ...needed, SECRET_KEY_PREVIOUS: one }).previousSecretKeys).toEqual([one])
  // a key may not hold a comma, where it is to be one of a list
  expect(problemsOf({ SECRET_KEY_PREVIOUS: `${one},short` })).toEqual([
    'SECRET_KEY_PREVIOUS: Must be a comma list of keys of at least 32 characters.',
  ])
  const [a, b] = [one, two].map(key => key.replaceAll(',', ''))
  expect(readConfig({ ...needed, SECRET_KEY_PREVIOUS: ` ${a} , ${b},` }).previousSecretKeys).toEqual([a, b])
})

describe('billing', () => {
  const price = { plan: 'pro', interval: 'month', currency: 'EUR', amount: 4_900 }
  const stripe = { STRIPE_API_KEY: 'sk_test_12345', STRIPE_WEBHOOK_SECRET: 'whsec_a, whsec_b' }

  test('is not offered unless there are prices', () => {
    expect(readConfig(needed).billing).toBeUndefined()
    expect(readConfig({ ...needed, BILLING_PRICES: JSON.stringify([price]) }).billing).toEqual({
      prices: [{ ...price, currency: 'eur', per_seat: false, tax_percent: 0 }],
    })
  })

  test('is by Stripe with its key, and each price then has its id there', () => {
    const prices = JSON.stringify([{ ...price, stripe_price: 'price_1' }])
    expect(readConfig({ ...needed, ...stripe, BILLING_PRICES: prices }).billing?.stripe).toEqual({
      apiKey: 'sk_test_12345',
      webhookSecrets: ['whsec_a', 'whsec_b'],
      apiUrl: 'https://api.stripe.com',
    })
    expect(problemsOf({ ...stripe, BILLING_PRICES: JSON.stringify([price]) })).toEqual([
      'BILLING_PRICES: Each price needs its stripe_price together with STRIPE_API_KEY.',
    ])
    expect(problemsOf({ STRIPE_API_KEY: 'sk_test_12345' })).toEqual([
      'STRIPE_WEBHOOK_SECRET: Is needed together with STRIPE_API_KEY.',
    ])
  })

  test.each(['{', '{}', '[1]', '[{"plan":"pro"}]'])('is refused with the prices %s', text => {
    expect(problemsOf({ BILLING_PRICES: text }).join()).toMatch(/^BILLING_PRICES: /)
  })
})

describe('the receiver of traces', () => {
  const endpoint = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318' }

  test('is none unless it is named, whatever else is set', () => {
    expect(readConfig({ ...needed, OTEL_SERVICE_NAME: 'x', OTEL_TRACES_SAMPLER_ARG: '1' }).tracing).toBeUndefined()
  })

  test('gets 1 % of traces by default, and is never reached by checks', () => {
    const { tracing, egressDeny } = readConfig({ ...needed, ...endpoint })
    expect(tracing).toEqual({ endpoint: 'http://127.0.0.1:4318', headers: {}, serviceName: 'vedette', ratio: 0.01 })
    expect(egressDeny.split(',').some(entry => entry.includes('4318'))).toBe(true)
  })

  test('has headers of a list whose values are percent-encoded', () => {
    const headers = 'authorization=Basic%20dXNlcjpwYXNz, x-scope=team=7,'
    expect(readConfig({ ...needed, ...endpoint, OTEL_EXPORTER_OTLP_HEADERS: headers }).tracing?.headers).toEqual({
      authorization: 'Basic dXNlcjpwYXNz',
      'x-scope': 'team=7',
    })
  })

  test.each(['authorization', 'a b=c', 'a=%', 'a=%0d%0aEvil:1', 'a=%C3%A4'])('refuses the headers %s', text => {
    const problems = problemsOf({ ...endpoint, OTEL_EXPORTER_OTLP_HEADERS: text })
    expect(problems.join()).toMatch(/^OTEL_EXPORTER_OTLP_HEADERS: /)
    expect(problems.join()).not.toContain('Evil')
  })

  test.each([
    ['OTEL_TRACES_SAMPLER_ARG', '1.01'],
    ['OTEL_TRACES_SAMPLER_ARG', '-0.1'],
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'grpc://127.0.0.1:4317'],
  ])('refuses %s=%s', (name, value) => {
    expect(problemsOf({ ...endpoint, [name]: value }).join()).toMatch(new RegExp(`^${name}`))
  })
})
