import { isDeepStrictEqual } from 'node:util'
import { z } from 'zod'
import { kinds } from '#checks/index.ts'

type Given = Record<string, unknown>

/** What a schema takes, without what makes it optional, and its default. */
function bare(schema: z.ZodType): { inner: z.ZodType; usual: unknown } {
  let inner: z.ZodType = schema
  let usual: unknown
  for (;;) {
    if (inner instanceof z.ZodDefault || inner instanceof z.ZodPrefault) {
      usual ??= inner.def.defaultValue
      inner = inner.def.innerType as z.ZodType
    } else if (inner instanceof z.ZodOptional || inner instanceof z.ZodNullable)
      inner = inner.def.innerType as z.ZodType
    else if (inner instanceof z.ZodPipe) inner = inner.def.in as z.ZodType
    else return { inner, usual }
  }
}

/**
 * A value for each field of a schema, none of them its default: those that are given by their path, else one that its
 * type allows. undefined: the field is not sent here. A field whose value has rules of its own and is not given is an
 * error, which names its path.
 */
export function filled(schema: z.ZodType, given: Given, place: string): unknown {
  const { inner, usual } = bare(schema)
  if (Object.hasOwn(given, place)) {
    if (given[place] !== undefined && isDeepStrictEqual(given[place], usual))
      throw new Error(`${place}: the value given is its default`)
    return given[place]
  }
  const missing = () => new Error(`${place}: give it a value that is not its default, and see that an export has it`)
  if (inner instanceof z.ZodObject)
    return Object.fromEntries(
      Object.entries(inner.shape as Record<string, z.ZodType>).map(([name, field]) => [
        name,
        filled(field, given, `${place}.${name}`),
      ]),
    )
  if (inner instanceof z.ZodBoolean) return usual !== true
  if (inner instanceof z.ZodEnum) return inner.options.find(option => option !== usual)
  if (inner instanceof z.ZodNumber) {
    const [least, most] = [inner.minValue ?? 0, inner.maxValue ?? 1_000]
    const value = typeof usual === 'number' ? usual + 1 : least + 1
    return value <= most ? value : least
  }
  throw missing()
}

/** Settings with rules of their own, by kind and field. */
const settings: Record<string, unknown> = {
  'uptime.method': 'POST',
  'uptime.headers': { Accept: 'text/plain' },
  'uptime.body': 'ping',
  'uptime.expected_status': ['200-299', 302],
  'uptime.warning_status': [418],
  'uptime.keyword_present': 'Welcome',
  'uptime.keyword_absent': 'Error',
  'uptime.assertions': [{ source: 'json', property: 'a.b', comparison: 'equals', target: 'x' }],
  'uptime.auth': { type: 'basic', username: 'pat', password: 'pass-of-pat' },
  'ssl.warn_days': [20, 5],
  'dns.name': 'www.example.com',
  'dns.record_types': ['A', 'MX'],
  'dns.resolvers': ['9.9.9.9'],
  'dns.expected': { A: ['192.0.2.1'] },
  'tcp.send': 'EHLO',
  'tcp.expect': '220',
  'domain_expiry.warn_days': [40, 10],
  'dnsbl.lists': [kinds.dnsbl.settings.shape.lists.unwrap().element.options.at(-1)],
  'security_headers.required': ['referrer-policy'],
  'redirect_chain.final_url': 'https://shop.example.com/end',
  'mixed_content.ignore': ['/private/*'],
  'broken_links.ignore': ['/private/*'],
  'broken_links.tolerated_status': [418],
  'crawl.ignore': ['/private/*'],
  'robots_txt.user_agents': ['ourbot'],
  'robots_txt.must_allow': ['/open'],
  'robots_txt.must_disallow': ['/shut'],
  'application_health.path': '/healthz',
  'application_health.headers': { Accept: 'application/json' },
  'application_health.auth': { type: 'bearer', token: 'token-of-health' },
  'application_health.ignored': ['disk'],
  'sitemap.path': '/map.xml',
  'sitemap.ignored': ['too_large'],
  'lighthouse.categories': ['performance', 'seo'],
}
const activeKinds = Object.values(kinds).filter(({ name }) => name !== 'cron' && name !== 'agent')

/** A check of every kind that regions run, with every field and every setting other than usual. */
export const everyCheck = () =>
  activeKinds.map(kind => ({
    type: kind.name,
    settings: filled(kind.settings, settings, kind.name),
    interval: 7_200,
    severity: kind.severity === 'minor' ? 'major' : 'minor',
    is_enabled: false,
  }))
