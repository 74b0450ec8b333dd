import { describe, expect, test } from 'vitest'
import type { z } from 'zod'
import { AnswerHeaders } from '#checks/http/exchange.ts'
import { kinds } from '#checks/index.ts'
import { weaknessesOf } from '#checks/security-headers/evaluate.ts'
import { readPage } from '#checks/security-headers/page.ts'
import { type Site, scoreSite } from '#checks/security-headers/score.ts'
import { gradeOf, type ScoredResult } from '#checks/security-headers/table.ts'
import { noPhases } from '#contract/check.ts'

const kind = kinds.security_headers
const at = new Date('2026-11-21T12:00:00Z')

const headersOf = (...lines: string[]) => AnswerHeaders.parse(['HTTP/1.1 200 OK', ...lines].join('\n'))!
const site = (lines: string[], more: Partial<Site> = {}): Site => ({
  url: new URL('https://www.example.com/'),
  headers: headersOf(...lines),
  page: readPage(''),
  cookies: [],
  https: 'trusted',
  route: [new URL('http://www.example.com/'), new URL('https://www.example.com/')],
  isRouteTrusted: true,
  cors: null,
  now: at.getTime(),
  ...more,
})
const resultOf = (name: string, lines: string[], more: Partial<Site> = {}) =>
  scoreSite(site(lines, more)).findings.find(finding => finding.name === name)?.result

describe('a policy', () => {
  const csp = (policy: string) => resultOf('content-security-policy', [`Content-Security-Policy: ${policy}`])
  test.each<[string, ScoredResult]>([
    ["default-src 'none'", 'csp-implemented-with-no-unsafe-default-src-none'],
    ["default-src 'none'; script-src 'self'", 'csp-implemented-with-no-unsafe-default-src-none'],
    ["default-src 'self'", 'csp-implemented-with-no-unsafe'],
    ["DEFAULT-SRC 'Self'", 'csp-implemented-with-no-unsafe'],
    ["default-src 'self'; style-src 'unsafe-inline'", 'csp-implemented-with-unsafe-inline-in-style-src-only'],
    ["default-src 'self'; style-src data:", 'csp-implemented-with-unsafe-inline-in-style-src-only'],
    ["default-src 'self'; img-src http:", 'csp-implemented-with-insecure-scheme-in-passive-content-only'],
    ["default-src 'self'; script-src 'self' 'unsafe-eval'", 'csp-implemented-with-unsafe-eval'],
    ["default-src 'self' 'unsafe-inline'", 'csp-implemented-with-unsafe-inline'],
    ["script-src 'self'", 'csp-implemented-with-unsafe-inline'],
    ["script-src 'self'; object-src 'none'", 'csp-implemented-with-unsafe-inline-in-style-src-only'],
    ["default-src 'self'; script-src https:", 'csp-implemented-with-unsafe-inline'],
    ["default-src 'self'; connect-src http://api.example.com", 'csp-implemented-with-insecure-scheme'],
    ["default-src 'self'; script-src 'nonce-abc123' 'unsafe-inline'", 'csp-implemented-with-no-unsafe'],
    [
      "default-src 'self'; script-src 'nonce-abc123' 'strict-dynamic' https: 'unsafe-inline'",
      'csp-implemented-with-no-unsafe',
    ],
    ["default-src 'self'; script-src 'strict-dynamic'", 'csp-header-invalid'],
    ["default-src 'self'; default-src 'none'", 'csp-header-invalid'],
    ["default-src 'self'; report-uri /a; report-uri /b", 'csp-implemented-but-duplicate-directives'],
    ['x', 'csp-header-invalid'],
    ["default-src * 'unsafe-inline', default-src 'self'", 'csp-implemented-with-no-unsafe'],
  ])('%s', (policy, result) => expect(csp(policy)).toBe(result))

  test('is also taken from the page, as far as a page may say it', () => {
    const page = (policy: string) => ({
      page: readPage(`<meta http-equiv="Content-Security-Policy" content="${policy}">`),
    })
    expect(resultOf('content-security-policy', [], page("default-src 'self'"))).toBe('csp-implemented-with-no-unsafe')
    expect(resultOf('content-security-policy', [], page("frame-ancestors 'none'"))).toBe('csp-not-implemented')
    expect(resultOf('x-frame-options', [], page("default-src 'self'; frame-ancestors 'none'"))).toBe(
      'x-frame-options-not-implemented',
    )
  })

  test('that is only reported on is none', () => {
    expect(resultOf('content-security-policy', ["Content-Security-Policy-Report-Only: default-src 'self'"])).toBe(
      'csp-not-implemented-but-reporting-enabled',
    )
    expect(resultOf('content-security-policy', [])).toBe('csp-not-implemented')
  })

  test('is evaluated, the worst first and never for long', () => {
    expect(
      weaknessesOf("default-src 'self'; script-src 'unsafe-inline' https://cdn.jsdelivr.net; foo bar").map(
        ({ directive, severity }) => [directive, severity],
      ),
    ).toEqual([
      ['script-src', 'high'],
      ['script-src', 'high'],
      ['foo', 'syntax'],
    ])
    expect(
      weaknessesOf(
        "default-src 'none'; script-src 'nonce-abcdefgh12345678' 'strict-dynamic' https: 'unsafe-inline'; base-uri 'none'",
      ).filter(each => each.severity === 'high'),
    ).toEqual([])
    for (const word of ['https://a.com', '*.*.*', '__proto__;', "'nonce-", ';constructor '])
      expect(weaknessesOf(`script-src ${`${word} `.repeat(10_000)}`).length).toBeLessThanOrEqual(20)
  })
})

test.each<[string, string[], Partial<Site>, ScoredResult]>([
  [
    'strict-transport-security',
    ['Strict-Transport-Security: max-age=15552000'],
    {},
    'hsts-implemented-max-age-at-least-six-months',
  ],
  [
    'strict-transport-security',
    ['Strict-Transport-Security: includeSubDomains; max-age="31536000"'],
    {},
    'hsts-implemented-max-age-at-least-six-months',
  ],
  [
    'strict-transport-security',
    ['Strict-Transport-Security: max-age=15551999'],
    {},
    'hsts-implemented-max-age-less-than-six-months',
  ],
  ['strict-transport-security', ['Strict-Transport-Security: includeSubDomains'], {}, 'hsts-header-invalid'],
  [
    'strict-transport-security',
    ['Strict-Transport-Security: max-age=1', 'Strict-Transport-Security: max-age=2'],
    {},
    'hsts-header-invalid',
  ],
  ['strict-transport-security', [], {}, 'hsts-not-implemented'],
  [
    'strict-transport-security',
    ['Strict-Transport-Security: max-age=31536000'],
    { https: 'untrusted' },
    'hsts-invalid-cert',
  ],
  ['strict-transport-security', [], { https: 'none' }, 'hsts-not-implemented-no-https'],
  ['x-content-type-options', ['X-Content-Type-Options: NoSniff'], {}, 'x-content-type-options-nosniff'],
  ['x-content-type-options', ['X-Content-Type-Options: yes'], {}, 'x-content-type-options-header-invalid'],
  ['x-content-type-options', [], {}, 'x-content-type-options-not-implemented'],
  ['x-frame-options', ['X-Frame-Options: deny'], {}, 'x-frame-options-sameorigin-or-deny'],
  ['x-frame-options', ['X-Frame-Options: ALLOW-FROM https://example.com'], {}, 'x-frame-options-allow-from-origin'],
  ['x-frame-options', ['X-Frame-Options: no-one'], {}, 'x-frame-options-header-invalid'],
  [
    'x-frame-options',
    ["Content-Security-Policy: default-src 'self'; frame-ancestors 'none'"],
    {},
    'x-frame-options-implemented-via-csp',
  ],
  ['referrer-policy', ['Referrer-Policy: no-referrer, strict-origin-when-cross-origin'], {}, 'referrer-policy-private'],
  ['referrer-policy', ['Referrer-Policy: strict-origin, unsafe-url'], {}, 'referrer-policy-unsafe'],
  ['referrer-policy', ['Referrer-Policy: whatever'], {}, 'referrer-policy-header-invalid'],
  ['referrer-policy', [], {}, 'referrer-policy-not-implemented'],
  [
    'cross-origin-resource-policy',
    ['Cross-Origin-Resource-Policy: same-origin'],
    {},
    'corp-implemented-with-same-origin',
  ],
  ['cross-origin-resource-policy', ['Cross-Origin-Resource-Policy: same-site'], {}, 'corp-implemented-with-same-site'],
  [
    'cross-origin-resource-policy',
    ['Cross-Origin-Resource-Policy: cross-origin'],
    {},
    'corp-implemented-with-cross-origin',
  ],
  ['cross-origin-resource-policy', ['Cross-Origin-Resource-Policy: none'], {}, 'corp-header-invalid'],
  ['redirection', [], {}, 'redirection-to-https'],
  ['redirection', [], { route: null }, 'redirection-not-needed-no-http'],
  ['redirection', [], { route: [new URL('http://www.example.com/')] }, 'redirection-missing'],
  [
    'redirection',
    [],
    { route: [new URL('http://example.com/'), new URL('https://www.example.com/')] },
    'redirection-off-host-from-http',
  ],
  [
    'redirection',
    [],
    {
      route: [new URL('http://example.com/'), new URL('http://www.example.com/'), new URL('https://www.example.com/')],
    },
    'redirection-not-to-https-on-initial-redirection',
  ],
  [
    'redirection',
    [],
    { route: [new URL('http://example.com/'), new URL('http://www.example.com/')] },
    'redirection-not-to-https',
  ],
  ['redirection', [], { isRouteTrusted: false }, 'redirection-invalid-cert'],
  [
    'cross-origin-resource-sharing',
    [],
    { cors: { origin: 'https://a.example', headers: headersOf('Access-Control-Allow-Origin: *') } },
    'cross-origin-resource-sharing-implemented-with-public-access',
  ],
  [
    'cross-origin-resource-sharing',
    [],
    { cors: { origin: 'https://a.example', headers: headersOf('Access-Control-Allow-Origin: https://b.example') } },
    'cross-origin-resource-sharing-implemented-with-restricted-access',
  ],
  [
    'cross-origin-resource-sharing',
    [],
    {
      cors: {
        origin: 'https://a.example',
        headers: headersOf('Access-Control-Allow-Origin: https://a.example', 'Access-Control-Allow-Credentials: true'),
      },
    },
    'cross-origin-resource-sharing-implemented-with-universal-access',
  ],
  [
    'x-frame-options',
    ["Content-Security-Policy: script-src 'strict-dynamic'; frame-ancestors 'none'"],
    {},
    'x-frame-options-implemented-via-csp',
  ],
  [
    'x-frame-options',
    ["Content-Security-Policy: img-src a; img-src b; frame-ancestors 'none'"],
    {},
    'x-frame-options-not-implemented',
  ],
  [
    'referrer-policy',
    ['Referrer-Policy: unsafe-url'],
    { page: readPage('<meta name="referrer" content="no-referrer">') },
    'referrer-policy-private',
  ],
  [
    'referrer-policy',
    [],
    { page: readPage('<meta http-equiv="referrer-policy" content="no-referrer">') },
    'referrer-policy-not-implemented',
  ],
  [
    'content-security-policy',
    ["Content-Security-Policy: default-src 'none'; report-uri /a; report-uri /b"],
    {},
    'csp-implemented-but-duplicate-directives',
  ],
  [
    'cookies',
    [],
    { cookies: ['a=1', 'a=2; Secure; SameSite=Lax'] },
    'cookies-secure-with-httponly-sessions-and-samesite',
  ],
  ['cookies', [], { cookies: ['a=1', 'a=2; Secure; SameSite=Lax; Path=/b'] }, 'cookies-without-secure-flag'],
  [
    'cookies',
    [],
    { cookies: ['__Host-a=1; Path=/', '__Secure-b=1', '__Host-c=1; Secure; Path=/; Domain=x.example'] },
    'cookies-not-found',
  ],
  [
    'cookies',
    [],
    { cookies: ['a=1; Secure; SameSite=maybe', 'a=2; Secure; SameSite=Lax'] },
    'cookies-samesite-flag-invalid',
  ],
  ['cookies', [], { cookies: ['a=1; Secure; SameSite=Lax'] }, 'cookies-secure-with-httponly-sessions-and-samesite'],
  ['cookies', [], { cookies: ['a=1; Secure'] }, 'cookies-secure-with-httponly-sessions'],
  ['cookies', [], { cookies: ['a=1'] }, 'cookies-without-secure-flag'],
  [
    'cookies',
    ['Strict-Transport-Security: max-age=31536000'],
    { cookies: ['a=1'] },
    'cookies-without-secure-flag-but-protected-by-hsts',
  ],
  [
    'cookies',
    ['Strict-Transport-Security: max-age=31536000'],
    { cookies: ['PHPSESSID=1; HttpOnly'] },
    'cookies-session-without-secure-flag-but-protected-by-hsts',
  ],
  ['cookies', [], { cookies: ['a=1; Secure', 'PHPSESSID=1; HttpOnly'] }, 'cookies-session-without-secure-flag'],
  ['cookies', [], { cookies: ['PHPSESSID=1; Secure; SameSite=Lax'] }, 'cookies-session-without-httponly-flag'],
  ['cookies', [], { cookies: ['csrftoken=1; Secure'] }, 'cookies-anticsrf-without-samesite-flag'],
  ['cookies', [], { cookies: ['a=1; Secure; SameSite=Maybe'] }, 'cookies-samesite-flag-invalid'],
  ['cookies', [], { cookies: ['a=1; SameSite=None'] }, 'cookies-samesite-flag-invalid'],
  ['cookies', [], { cookies: ['a=; Max-Age=0', 'b=1; expires=Thu, 01 Jan 1970 00:00:00 GMT'] }, 'cookies-not-found'],
  ['subresource-integrity', [], { page: null }, 'sri-not-implemented-response-not-html'],
  ['subresource-integrity', [], { page: readPage('<p>') }, 'sri-not-implemented-but-no-scripts-loaded'],
  [
    'subresource-integrity',
    [],
    { page: readPage('<script src=/a.js></script>') },
    'sri-not-implemented-but-all-scripts-loaded-from-secure-origin',
  ],
  [
    'subresource-integrity',
    [],
    { page: readPage('<script src=https://cdn.example.com/a.js></script>') },
    'sri-not-implemented-but-all-scripts-loaded-from-secure-origin',
  ],
  [
    'subresource-integrity',
    [],
    { page: readPage('<script src=/a.js integrity=sha384-x></script>') },
    'sri-implemented-and-all-scripts-loaded-securely',
  ],
  [
    'subresource-integrity',
    [],
    { page: readPage('<script src=https://other.test/a.js integrity=sha384-x></script>') },
    'sri-implemented-and-external-scripts-loaded-securely',
  ],
  [
    'subresource-integrity',
    [],
    { page: readPage('<script src=https://other.test/a.js></script>') },
    'sri-not-implemented-but-external-scripts-loaded-securely',
  ],
  [
    'subresource-integrity',
    [],
    { page: readPage('<script src=http://other.test/a.js integrity=sha384-x></script>') },
    'sri-implemented-but-external-scripts-not-loaded-securely',
  ],
  [
    'subresource-integrity',
    [],
    { page: readPage('<script src=//other.test/a.js></script>') },
    'sri-not-implemented-and-external-scripts-not-loaded-securely',
  ],
])('%s of %j', (name, lines, more, result) => expect(resultOf(name, lines, more)).toBe(result))

describe('the grade', () => {
  const bare: ScoredResult[] = [
    'csp-not-implemented',
    'hsts-not-implemented',
    'x-frame-options-not-implemented',
    'x-content-type-options-not-implemented',
  ]
  test.each<[ScoredResult[], number, string]>([
    [[], 100, 'A+'],
    [bare, 30, 'D'],
    [[...bare, 'redirection-missing'], 10, 'F'],
    [[...bare, 'redirection-missing', 'cookies-session-without-secure-flag'], 0, 'F'],
    [['x-content-type-options-not-implemented', 'referrer-policy-unsafe', 'csp-implemented-with-no-unsafe'], 95, 'A'],
    [
      ['csp-implemented-with-unsafe-eval', 'x-content-type-options-not-implemented', 'referrer-policy-private'],
      85,
      'A-',
    ],
    [['csp-implemented-with-unsafe-inline', 'referrer-policy-private'], 80, 'B+'],
    [['csp-not-implemented'], 75, 'B'],
    [['csp-not-implemented', 'hsts-implemented-max-age-less-than-six-months'], 65, 'B-'],
    [
      [
        'csp-implemented-with-no-unsafe-default-src-none',
        'x-frame-options-implemented-via-csp',
        'referrer-policy-private',
        'corp-implemented-with-same-origin',
      ],
      130,
      'A+',
    ],
  ])('of %j is %i', (all, score, grade) => expect(gradeOf(all)).toEqual({ score, grade }))
})

describe('judge', () => {
  type Seen = z.input<typeof kind.seen>
  const seen: Seen = {
    url: 'https://example.com/',
    status: 200,
    scoring: 'x',
    grade: 'B',
    score: 75,
    findings: [],
    policy: [],
    missing: [],
    settled: true,
  }
  test.each<[string, Partial<Seen>, z.input<typeof kind.settings>, unknown, string, number | undefined]>([
    ['any grade where none is asked for', { grade: 'F' }, {}, undefined, 'up', undefined],
    ['the least grade', {}, { min_grade: 'B' }, undefined, 'up', undefined],
    ['one below it', { grade: 'B-' }, { min_grade: 'B' }, undefined, 'grade_too_low', 1],
    ['far below it', { grade: 'F' }, { min_grade: 'A+' }, undefined, 'grade_too_low', 12],
    ['a better grade than before', { grade: 'A' }, {}, { grade: 'B', settled: true }, 'up', undefined],
    ['a worse grade than before', {}, {}, { grade: 'A', settled: true }, 'grade_dropped', 3],
    [
      'a worse grade than before, reported by the agent',
      { dropped_from: { grade: 'A-', score: 85 } },
      {},
      seen,
      'grade_dropped',
      2,
    ],
    [
      'a worse grade where that does not matter',
      {},
      { detect_drops: false },
      { grade: 'A', settled: true },
      'up',
      undefined,
    ],
    ['half a result', { settled: false }, {}, { grade: 'A', settled: true }, 'up', undefined],
    ['after half a result', {}, {}, { grade: 'A', settled: false }, 'up', undefined],
    ['after something else', {}, {}, { records: {} }, 'up', undefined],
    ['a required header that is missing', { missing: ['x-a'] }, { required: ['X-A'] }, undefined, 'header_missing', 1],
    ['a header that is required no more', { missing: ['x-a'] }, {}, undefined, 'up', undefined],
    [
      'a page that is out of order',
      { status: 503, grade: 'F' },
      { min_grade: 'A' },
      undefined,
      'wrong_status',
      undefined,
    ],
  ])('%s', (_, more, settings, previous, code, depth) => {
    const verdict = kind.judge(kind.seen.parse({ ...seen, ...more }), kind.settings.parse(settings), {
      at,
      phases: noPhases,
      previous,
    })
    expect([verdict.code ?? verdict.status, 'depth' in verdict ? verdict.depth : undefined]).toEqual([code, depth])
    if (verdict.status === 'warning') expect(verdict.event).toBe('warning.security_headers')
  })

  test('settings are refused where they mean nothing', () => {
    for (const settings of [
      { min_grade: 'E' },
      { required: ['not a header'] },
      { required: Array(21).fill('a') },
      { timeout_ms: 60_001 },
    ])
      expect(kind.settings.safeParse(settings).success, JSON.stringify(settings)).toBe(false)
  })
})
