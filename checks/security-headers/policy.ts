import type { ScoredResult } from './table.ts'

/** Directives of one policy and their sources, all in lower case. */
export type Policy = ReadonlyMap<string, readonly string[]>

const broad = new Set(['ftp:', 'http:', 'https:', '*', 'http://*', 'http://*.*', 'https://*', 'https://*.*'])
const inline = new Set(["'unsafe-inline'", 'data:'])
const notInMeta = new Set(['frame-ancestors', 'report-uri', 'sandbox'])
/** Results without objection, the strictest first, as in `strictness`. */
const passing: readonly ScoredResult[] = [
  'csp-implemented-with-no-unsafe-default-src-none',
  'csp-implemented-with-no-unsafe',
  'csp-implemented-with-unsafe-inline-in-style-src-only',
  'csp-implemented-with-insecure-scheme-in-passive-content-only',
]
/** From the strictest down. Several policies all apply, so the strictest decides. */
const strictness: readonly ScoredResult[] = [
  ...passing,
  'csp-implemented-with-unsafe-eval',
  'csp-implemented-with-insecure-scheme',
  'csp-implemented-with-unsafe-inline',
]

/** Null for an invalid policy: too short, or with a directive named twice. */
export function parsePolicy(text: string): Policy | null {
  if (text.trim().length < 6) return null
  const policy = new Map<string, readonly string[]>()
  for (const part of text.split(';')) {
    const [name, ...sources] = part.trim().toLowerCase().split(/\s+/)
    if (!name) continue
    if (policy.has(name) && !reporting.includes(name)) return null
    policy.set(name, policy.get(name) ?? (sources.length === 0 && name.endsWith('-src') ? ["'none'"] : sources))
  }
  return policy
}

export interface Policies {
  /** Policies of the headers, and of the page itself. */
  headers: readonly string[]
  metas: readonly string[]
  hasReportOnly: boolean
  isHttps: boolean
}

export const splitPolicies = (values: readonly string[] | undefined) =>
  (values ?? []).flatMap(value => value.split(',').map(each => each.trim()))

export function scorePolicies({ headers, metas, hasReportOnly, isHttps }: Policies): ScoredResult {
  const texts = [...headers, ...metas]
  const parsed = texts.map(parsePolicy)
  if (parsed.some(policy => policy === null)) return 'csp-header-invalid'
  const policies = parsed
    .flatMap((policy, index) =>
      policy === null
        ? []
        : [index < headers.length ? policy : new Map([...policy].filter(([name]) => !notInMeta.has(name)))],
    )
    .filter(policy => policy.size > 0)
  if (policies.length === 0) return hasReportOnly ? 'csp-not-implemented-but-reporting-enabled' : 'csp-not-implemented'
  const scored = policies.map(policy => scorePolicy(policy, isHttps))
  const best = strictness.find(result => scored.includes(result)) ?? 'csp-header-invalid'
  return passing.includes(best) && texts.some(reportsTwice) ? 'csp-implemented-but-duplicate-directives' : best
}

/** Repeating one of these two does not invalidate a policy. */
const reporting = ['report-uri', 'report-to']

function reportsTwice(text: string): boolean {
  const names = text.split(';').map(part => part.trim().toLowerCase().split(/\s+/, 1)[0])
  return reporting.some(name => names.indexOf(name) !== names.lastIndexOf(name))
}

/** Only a header can restrict framing; an invalid policy disables it. */
export function restrictsFrames({ headers, metas }: Policies): boolean {
  const parsed = [...headers, ...metas].map(parsePolicy)
  return !parsed.includes(null) && parsed.slice(0, headers.length).some(policy => policy?.has('frame-ancestors'))
}

const isNonceOrHash = (source: string) => /^'(nonce|sha256|sha384|sha512)-/.test(source)

function scorePolicy(policy: Policy, isHttps: boolean): ScoredResult {
  const sourcesOf = (name: string) => policy.get(name) ?? policy.get('default-src') ?? ['*']
  const objects = sourcesOf('object-src')
  const styles = withoutFallback(sourcesOf('style-src'))
  const all = sourcesOf('script-src')
  const isDynamic = all.includes("'strict-dynamic'")
  if (isDynamic && !all.some(isNonceOrHash)) return 'csp-header-invalid'
  const scripts = isDynamic
    ? all.filter(source => source !== "'self'" && source !== "'unsafe-inline'" && !hasScheme(source))
    : withoutFallback(all)
  const isInsecure = (source: string) => isHttps && (source.startsWith('http:') || source.startsWith('ftp:'))
  const active = [...policy].flatMap(([name, sources]) =>
    name === 'img-src' || name === 'media-src' || name === 'script-src' ? [] : sources,
  )
  const passive = ['img-src', 'media-src'].flatMap(name => policy.get(name) ?? policy.get('default-src') ?? [])

  if (scripts.some(source => broad.has(source) || inline.has(source)) || objects.some(source => broad.has(source)))
    return 'csp-implemented-with-unsafe-inline'
  if ([...active, ...scripts].some(isInsecure)) return 'csp-implemented-with-insecure-scheme'
  if ([...scripts, ...styles].includes("'unsafe-eval'")) return 'csp-implemented-with-unsafe-eval'
  if (passive.some(isInsecure)) return 'csp-implemented-with-insecure-scheme-in-passive-content-only'
  if (styles.some(source => broad.has(source) || inline.has(source)))
    return 'csp-implemented-with-unsafe-inline-in-style-src-only'
  const byDefault = policy.get('default-src')
  return byDefault?.length === 1 && byDefault[0] === "'none'"
    ? 'csp-implemented-with-no-unsafe-default-src-none'
    : 'csp-implemented-with-no-unsafe'
}

/** Browsers that support nonces and hashes ignore 'unsafe-inline' beside them. */
const withoutFallback = (sources: readonly string[]) =>
  sources.some(isNonceOrHash) ? sources.filter(source => source !== "'unsafe-inline'") : sources

const hasScheme = (source: string) => [...broad].some(scheme => source.startsWith(scheme))
