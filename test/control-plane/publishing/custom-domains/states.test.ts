import { describe, expect, test } from 'vitest'
import { asciiHostname, whyRefused } from '#control-plane/base/hostname.ts'
import { afterCheck, expiryDays } from '#control-plane/publishing/custom-domains/states.ts'
import { bareHost } from '#control-plane/tenancy/portal-hosts/bare-host.ts'

const now = new Date('2026-11-23T12:00:00Z')
const since = (state: Parameters<typeof afterCheck>[0]['state'], attempts = 0, daysAgo = 1) => ({
  state,
  attempts,
  state_changed_at: new Date(now.getTime() - daysAgo * 86_400_000),
})

describe('the state of a custom domain after a check', () => {
  test('is verified once the records are right, and stays what it was afterwards', () => {
    for (const state of ['pending_dns', 'failed'] as const)
      expect(afterCheck(since(state, 3), null, now)).toEqual({
        state: 'verified',
        attempts: 0,
        last_error: null,
        nextS: 86_400,
      })
    for (const state of ['verified', 'issuing', 'active'] as const)
      expect(afterCheck(since(state, 1), null, now)).toMatchObject({ state, attempts: 0, nextS: 86_400 })
  })

  test('is failed at the second check in a row that misses a record, and not at the first', () => {
    for (const state of ['verified', 'issuing', 'active'] as const) {
      const first = afterCheck(since(state), 'txt_missing', now)
      expect(first).toEqual({ state, attempts: 1, last_error: 'txt_missing', nextS: 3_600 })
      expect(afterCheck(since(state, first.attempts), 'cname_wrong', now)).toEqual({
        state: 'failed',
        attempts: 0,
        last_error: 'cname_wrong',
        nextS: 3_600,
      })
    }
  })

  test('does not change while name servers do not answer', () => {
    expect(afterCheck(since('active', 1, 300), 'dns_unanswered', now)).toMatchObject({ state: 'active', attempts: 1 })
  })

  test('is checked ever less often while it is pending, and expires after fourteen days', () => {
    const waits = [0, 1, 2, 5, 6, 30].map(
      attempts => afterCheck(since('pending_dns', attempts), 'txt_missing', now).nextS,
    )
    expect(waits).toEqual([60, 120, 240, 1_920, 3_600, 3_600])
    expect(afterCheck(since('pending_dns', 9, expiryDays), 'txt_missing', now).state).toBe('pending_dns')
    expect(afterCheck(since('pending_dns', 9, expiryDays + 0.001), 'txt_missing', now)).toMatchObject({
      state: 'expired',
      nextS: null,
    })
    expect(afterCheck(since('failed', 9, expiryDays + 1), 'dns_unanswered', now).state).toBe('expired')
  })
})

describe('a hostname', () => {
  test('is stored as DNS has it', () => {
    expect(asciiHostname('Status.Example.COM.')).toBe('status.example.com')
    expect(asciiHostname('zustände.bücher.de')).toBe('xn--zustnde-8wa.xn--bcher-kva.de')
    expect(asciiHostname('STATUS。example．com')).toBe('status.example.com')
  })

  test.each([
    'evil.com:x@portal.example.com',
    'status.example.com:443',
    'http://status.example.com',
    'status.example.com/path',
    'status.example.com?x',
    'a b.example.com',
    'status.example.com\u0000',
    '*.example.com',
    '_vedette.example.com',
    '-a.example.com',
    `${'a'.repeat(64)}.example.com`,
    'localhost',
    '',
    '.',
    '..',
    '%73tatus.example.com',
  ])('is not %j', text => expect(asciiHostname(text)).toBeNull())

  test.each([
    'co.uk',
    'com',
    'github.io',
    '192.0.2.1',
    ...[
      'alt',
      'arpa',
      'corp',
      'example',
      'home.arpa',
      'internal',
      'invalid',
      'local',
      'localhost',
      'onion',
      'test',
    ].map(name => `status.${name}`),
    'onion',
    'expyuzz4wqqyqhjn.onion',
    '4.3.2.1.in-addr.arpa',
    'status.vedette.example.net',
    'vedette.example.net',
    `${'a.'.repeat(122)}example.com`,
  ])('%s cannot be claimed', name => expect(whyRefused(name, 'https://vedette.example.net')).not.toBeNull())

  test.each(['status.example.com', 'example.com', 'example.co.uk', 'me.github.io', 'status.example.net'])(
    '%s can be claimed',
    name => expect(whyRefused(name, 'https://vedette.example.net')).toBeNull(),
  )

  test('of a request is compared without its port, its last dot and its case', () => {
    for (const header of ['Status.example.com', 'status.example.com:8443', 'STATUS.EXAMPLE.COM.'])
      expect(bareHost(header)).toBe('status.example.com')
  })
})
