import type { AnswerHeaders } from '#checks/http/exchange.ts'
import { cookiesOf, scoreCookies } from './cookies.ts'
import { type PageFindings, scoreScripts } from './page.ts'
import { restrictsFrames, scorePolicies, splitPolicies } from './policy.ts'
import { type Grade, gradeOf, results, type ScoredResult } from './table.ts'

/** What is scored of a site. */
export interface Site {
  /** The page that is judged, over https if available. */
  url: URL
  headers: Pick<AnswerHeaders, 'get' | 'each'>
  /** Null if the response is not HTML. */
  page: PageFindings | null
  cookies: readonly string[]
  https: 'trusted' | 'untrusted' | 'none'
  /** Every address on the way from http, the last one included; null if http does not respond. */
  route: readonly URL[] | null
  isRouteTrusted: boolean
  /** The response to a request with a foreign origin. */
  cors: { origin: string; headers: Pick<AnswerHeaders, 'get' | 'each'> } | null
  now: number
}

export interface Finding {
  name: string
  value: string | null
  result: ScoredResult
  score: number
  advice: string | null
}

export interface Scored {
  grade: Grade
  score: number
  findings: Finding[]
}

const shown = (text: string | undefined) => text?.slice(0, 300) ?? null

export function scoreSite(site: Site): Scored {
  const { headers, page, url } = site
  const first = (name: string) => headers.each(name)?.[0]
  const hsts = scoreHsts(site)
  const policies = {
    headers: splitPolicies(headers.each('content-security-policy')),
    metas: splitPolicies(page?.policies),
    hasReportOnly: first('content-security-policy-report-only') !== undefined,
    isHttps: url.protocol === 'https:',
  }
  const cookies = cookiesOf(site.cookies, site.now)
  const csp = scorePolicies(policies)
  const seen: [name: string, value: string | null, result: ScoredResult][] = [
    ['content-security-policy', shown([...policies.headers, ...policies.metas].join(', ') || undefined), csp],
    [
      'cookies',
      shown(cookies.map(({ name }) => name).join(', ') || undefined),
      scoreCookies(cookies, site.cookies, { hasHsts: hsts.endsWith('at-least-six-months') }),
    ],
    [
      'cross-origin-resource-policy',
      shown(first('cross-origin-resource-policy')),
      scoreResourcePolicy(first('cross-origin-resource-policy')),
    ],
    ['cross-origin-resource-sharing', shown(site.cors?.headers.get('access-control-allow-origin')), scoreSharing(site)],
    ['redirection', shown(site.route?.map(each => each.origin).join(' → ')), scoreRoute(site)],
    [
      'referrer-policy',
      shown(headers.get('referrer-policy')),
      scoreReferrer([
        ...(headers.each('referrer-policy') ?? []),
        ...(page?.referrer === undefined ? [] : [page.referrer]),
      ]),
    ],
    ['strict-transport-security', shown(first('strict-transport-security')), hsts],
    ['subresource-integrity', null, page ? scoreScripts(page, url) : 'sri-not-implemented-response-not-html'],
    ['x-content-type-options', shown(first('x-content-type-options')), scoreSniffing(first('x-content-type-options'))],
    [
      'x-frame-options',
      shown(first('x-frame-options')),
      restrictsFrames(policies) ? 'x-frame-options-implemented-via-csp' : scoreFrames(first('x-frame-options')),
    ],
  ]
  return {
    ...gradeOf(seen.map(([, , result]) => result)),
    findings: seen.map(([name, value, result]) => ({
      name,
      value,
      result,
      score: results[result][0],
      advice: results[result][1],
    })),
  }
}

/** Half a year as the Observatory defines it, which many sites use. */
const halfYear = 15_552_000

function scoreHsts({ https, headers }: Site): ScoredResult {
  if (https === 'none') return 'hsts-not-implemented-no-https'
  if (https === 'untrusted') return 'hsts-invalid-cert'
  const sent = headers.each('strict-transport-security')
  if (!sent) return 'hsts-not-implemented'
  const header = sent.join(', ')
  const maxAge = /(?:^|;)\s*max-age="?(\d{1,15})/i.exec(header)?.[1]
  if (header.includes(',') || maxAge === undefined) return 'hsts-header-invalid'
  return Number(maxAge) < halfYear
    ? 'hsts-implemented-max-age-less-than-six-months'
    : 'hsts-implemented-max-age-at-least-six-months'
}

function scoreRoute({ route, isRouteTrusted }: Site): ScoredResult {
  if (route === null) return 'redirection-not-needed-no-http'
  if (!isRouteTrusted) return 'redirection-invalid-cert'
  const [start, next] = route
  if (!start || !next) return 'redirection-missing'
  if (route.at(-1)?.protocol !== 'https:') return 'redirection-not-to-https'
  if (next.protocol === 'http:') return 'redirection-not-to-https-on-initial-redirection'
  return start.hostname === next.hostname ? 'redirection-to-https' : 'redirection-off-host-from-http'
}

function scoreSharing({ cors }: Site): ScoredResult {
  const allowed = cors?.headers.get('access-control-allow-origin')?.trim().toLowerCase()
  if (!cors || !allowed) return 'cross-origin-resource-sharing-not-implemented'
  if (allowed === '*') return 'cross-origin-resource-sharing-implemented-with-public-access'
  const takesCookies = cors.headers.get('access-control-allow-credentials')?.trim().toLowerCase() === 'true'
  return takesCookies && allowed === cors.origin
    ? 'cross-origin-resource-sharing-implemented-with-universal-access'
    : 'cross-origin-resource-sharing-implemented-with-restricted-access'
}

const privatePolicies = new Set(['no-referrer', 'same-origin', 'strict-origin', 'strict-origin-when-cross-origin'])
const leakyPolicies = new Set(['origin', 'origin-when-cross-origin', 'unsafe-url', 'no-referrer-when-downgrade'])

/** Of several policies the last known one applies. */
function scoreReferrer(values: readonly string[]): ScoredResult {
  if (values.length === 0) return 'referrer-policy-not-implemented'
  const known = values
    .flatMap(value => value.split(','))
    .map(value => value.trim().toLowerCase())
    .findLast(value => privatePolicies.has(value) || leakyPolicies.has(value))
  if (known === undefined) return 'referrer-policy-header-invalid'
  return privatePolicies.has(known) ? 'referrer-policy-private' : 'referrer-policy-unsafe'
}

function scoreSniffing(value: string | undefined): ScoredResult {
  if (!value) return 'x-content-type-options-not-implemented'
  return value.trim().toLowerCase() === 'nosniff'
    ? 'x-content-type-options-nosniff'
    : 'x-content-type-options-header-invalid'
}

function scoreFrames(value: string | undefined): ScoredResult {
  if (!value) return 'x-frame-options-not-implemented'
  const said = value.trim().toLowerCase()
  if (said === 'deny' || said === 'sameorigin') return 'x-frame-options-sameorigin-or-deny'
  return said.startsWith('allow-from') ? 'x-frame-options-allow-from-origin' : 'x-frame-options-header-invalid'
}

function scoreResourcePolicy(value: string | undefined): ScoredResult {
  switch (value?.trim().toLowerCase()) {
    case undefined:
    case '':
      return 'corp-not-implemented'
    case 'same-origin':
      return 'corp-implemented-with-same-origin'
    case 'same-site':
      return 'corp-implemented-with-same-site'
    case 'cross-origin':
      return 'corp-implemented-with-cross-origin'
    default:
      return 'corp-header-invalid'
  }
}
