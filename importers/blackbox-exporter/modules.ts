import { isIP } from 'node:net'
import { z } from 'zod'
import { parseResolver } from '#checks/dns/kind.ts'
import { type Keys, noteKeys } from '#importers/known-keys.ts'
import {
  flag,
  headersOf,
  host,
  methodOf,
  record,
  records,
  type StandIns,
  site,
  statusesOf,
  text,
  texts,
} from '#importers/shapes.ts'
import type { Wanted } from '#importers/source.ts'
import { literalOf } from './relabel.ts'

export const Module = z.object({
  prober: text(30).prefault(null),
  timeout: text(30).prefault(null),
  http: record.prefault({}),
  tcp: record.prefault({}),
  icmp: record.prefault({}),
  dns: record.prefault({}),
})
export type Module = z.output<typeof Module>

const moduleKeys: Keys = { read: [...Object.keys(Module.shape), 'grpc', 'unix', 'websocket'] }

/** The modules that the exporter comes with, where the file holds only the scrape configuration. */
const defaultModules: Record<string, z.input<typeof Module>> = {
  http_2xx: { prober: 'http' },
  http_post_2xx: { prober: 'http', http: { method: 'POST' } },
  tcp_connect: { prober: 'tcp' },
  pop3s_banner: { prober: 'tcp', tcp: { query_response: [{ expect: '^+OK' }], tls: true } },
  ssh_banner: { prober: 'tcp', tcp: { query_response: [{ expect: '^SSH-2.0-' }] } },
  ssh_banner_extract: { prober: 'tcp', tcp: { query_response: [{ expect: '^SSH-2.0-' }] } },
  icmp: { prober: 'icmp' },
  icmp_ttl5: { prober: 'icmp', icmp: { ttl: 5 } },
}

/** A module by its name, and what is to be said of it; null: the file does not have it. */
export function moduleNamed(name: string, modules: Record<string, unknown>): { module: Module; note?: string } | null {
  if (Object.hasOwn(modules, name)) return { module: Module.parse(record.parse(modules[name])) }
  const fallback = Object.hasOwn(defaultModules, name) ? defaultModules[name] : undefined
  if (fallback) return { module: Module.parse(fallback) }
  const [prober] = /^(http|tcp|icmp|dns)/.exec(name) ?? []
  if (!prober) return null
  const note = `The file does not have its module ${name}: one of kind ${prober} without settings stands in.`
  return { module: Module.parse({ prober }), note }
}

export interface Asked {
  target: string
  module: Module
  same: { name: string; intervalS: number; timeoutS: number | null; group: string; tags: string[] }
}

/** A target with its module as a monitor, or why there is none. */
export function wantedOf({ target, module, same }: Asked, standIns: StandIns): Wanted | string {
  const prober = module.prober ?? 'unknown'
  switch (prober) {
    case 'http': {
      const url = /^https?:\/\//i.test(target) ? target : `http://${target}`
      const settings = httpSettings(module.http, url, standIns)
      return site({ ...same, url, settings }, standIns)
    }
    case 'tcp': {
      const [, address = '', port] = /^\[?([^\]]+?)\]?:(\d{1,5})$/.exec(target) ?? []
      if (!port) return 'Its port is missing.'
      return tcp(module.tcp, { address, port: Number(port) }, same, standIns)
    }
    case 'icmp':
      noteKeys(module.icmp, icmpKeys, standIns, { within: 'icmp.' })
      return host({ ...same, address: target, kind: 'ping', settings: familyOf(module.icmp) }, standIns)
    case 'dns':
      return dns(module.dns, target, same, standIns)
    default:
      return `There is no check for modules of kind ${prober}.`
  }
}

/** Keys of a module beside those of its prober. */
export const noteModule = (found: unknown, standIns: StandIns): void =>
  noteKeys(record.parse(found), moduleKeys, standIns, { within: 'module.' })

const protocolKeys = ['preferred_ip_protocol', 'ip_protocol_fallback']
const source = { source_ip_address: 'Its source_ip_address is not used: our regions have their own.' }

const icmpKeys: Keys = {
  read: protocolKeys,
  left: {
    ...source,
    payload_size: 'The payload_size of its packets is not carried over.',
    dont_fragment: 'Whether its packets may be fragmented (dont_fragment) is not carried over.',
    ttl: 'The ttl of its packets is not carried over.',
  },
}

/** Only where it may not fall back is the protocol more than a preference, of which 6 is the usual one. */
function familyOf(probe: Record<string, unknown>): { ip_version?: '4' | '6' } {
  if (flag.parse(probe.ip_protocol_fallback) !== false) return {}
  return { ip_version: text(10).parse(probe.preferred_ip_protocol) === 'ip4' ? '4' : '6' }
}

const tcpKeys: Keys = {
  read: [...protocolKeys, 'tls', 'tls_config', 'query_response'],
  left: source,
}

function tcp(
  found: Record<string, unknown>,
  { address, port }: { address: string; port: number },
  same: Asked['same'],
  standIns: StandIns,
): Wanted {
  noteKeys(found, tcpKeys, standIns, { within: 'tcp.' })
  const steps = records.parse(found.query_response)
  const said = 'What is sent and expected is not carried over: the port must accept connections.'
  if (flag.parse(found.tls) === true) {
    if (steps.length > 0) standIns.add(said)
    noteTls(record.parse(found.tls_config), standIns, { isVerified: false })
    return host({ ...same, address, kind: 'ssl', settings: { port, ...familyOf(found) } }, standIns)
  }
  const banner = steps.length === 1 ? bannerOf(steps[0]!) : null
  if (steps.length > 0 && banner === null) standIns.add(said)
  const settings = { port, ...(banner !== null && { expect: banner }), ...familyOf(found) }
  return host({ ...same, address, kind: 'tcp', settings }, standIns)
}

/** The text that a server sends first, where nothing else is expected. */
function bannerOf(step: Record<string, unknown>): string | null {
  if (Object.keys(step).some(key => key !== 'expect' && key !== 'labels')) return null
  // a plus behind nothing is a plus: the exporter's own module of POP3 has it so
  const expected = (text(500).parse(step.expect) ?? '').replace(/^\^(\+)?/, (_, plus) => (plus ? '\\+' : ''))
  return literalOf(expected)?.slice(0, 255) || null
}

const tlsNotes: Record<string, string> = {
  ca_file: 'Its ca_file is not carried over: the certificate must be trusted by the usual authorities.',
  ca: 'Its own ca is not carried over: the certificate must be trusted by the usual authorities.',
  ca_ref: 'Its ca_ref is not carried over: the certificate must be trusted by the usual authorities.',
  cert: 'Its client certificate (cert) is not sent.',
  cert_file: 'Its client certificate (cert_file) is not sent.',
  cert_ref: 'Its client certificate (cert_ref) is not sent.',
  server_name: 'Its server_name is not used: the name in its address is.',
  min_version: 'Its min_version of TLS is not carried over.',
  max_version: 'Its max_version of TLS is not carried over.',
}

function noteTls(tls: Record<string, unknown>, standIns: StandIns, { isVerified }: { isVerified: boolean }): void {
  const read = ['insecure_skip_verify', 'key', 'key_file', 'key_ref']
  noteKeys(tls, { read, left: tlsNotes }, standIns, { within: 'tls_config.' })
  if (!isVerified && flag.parse(tls.insecure_skip_verify) === true)
    standIns.add('A certificate that is not trusted is an outage here (insecure_skip_verify).')
}

const validators = ['validate_answer_rrs', 'validate_authority_rrs', 'validate_additional_rrs']
const dnsKeys: Keys = {
  read: [...protocolKeys, ...validators, 'query_name', 'query_type', 'valid_rcodes', 'recursion_desired'],
  left: {
    ...source,
    dns_over_tls: 'It is asked without TLS (dns_over_tls).',
    tls_config: 'Its tls_config is not carried over: it is asked without TLS.',
    transport_protocol: 'Its transport_protocol is not carried over: it is asked by UDP, and by TCP where that is cut.',
    query_class: 'Its query_class is not carried over: records of class IN are looked up.',
  },
}
const recordTypes = ['A', 'AAAA', 'MX', 'CNAME', 'NS', 'TXT', 'SOA', 'SRV', 'CAA']

function dns(probe: Record<string, unknown>, target: string, same: Asked['same'], standIns: StandIns): Wanted | string {
  // the name server is the target there, and the module names what is asked
  const name = text(253).parse(probe.query_name)
  if (name === null) return 'Its module does not say which name is looked up.'
  const codes = texts.parse(probe.valid_rcodes).map(code => code.toUpperCase())
  if (codes.length > 0 && !codes.includes('NOERROR'))
    return `It is good there when the answer is ${codes.join(' or ')} (valid_rcodes): there is no such check.`
  if (codes.length > 1) standIns.add(`Of its valid_rcodes only NOERROR is good here, not ${codes.join(', ')}.`)
  if (flag.parse(probe.recursion_desired) === false)
    standIns.add('It is asked with recursion (recursion_desired is false there).')
  for (const part of validators) {
    const rules = Object.keys(record.parse(probe[part]))
    standIns.addNames(
      'Its records are not compared, add expected values',
      rules.map(rule => `${part}.${rule}`),
    )
  }
  noteKeys(
    Object.fromEntries(Object.entries(probe).filter(([key, value]) => value !== defaultOf[key])),
    dnsKeys,
    standIns,
    { within: 'dns.' },
  )
  if (familyOf(probe).ip_version) standIns.add('Its name server is asked by either protocol (ip_protocol_fallback).')
  const resolver = isIP(target) ? target : target.replace(/^\[(.*)\]$/, '$1')
  const isAddress = parseResolver(resolver) !== null
  if (!isAddress) standIns.add('The name servers of our regions are asked in place of its own.')
  const type = (text(10).parse(probe.query_type) ?? 'ANY').toUpperCase()
  if (!recordTypes.includes(type)) standIns.add(`Records of type A are looked up in place of ${type}.`)
  return host(
    {
      ...same,
      address: name.replace(/\.$/, ''),
      kind: 'dns',
      settings: {
        record_types: [recordTypes.includes(type) ? type : 'A'],
        ...(isAddress && { resolvers: [resolver.replace(/^([^[:]+):53$/, '$1')] }),
      },
    },
    standIns,
  )
}

/** Values that say no more than that nothing is said. */
const defaultOf: Record<string, unknown> = { transport_protocol: 'udp', query_class: 'IN', dns_over_tls: false }

const httpKeys: Keys = {
  read: [
    ...protocolKeys,
    ...['valid_status_codes', 'method', 'headers', 'http_headers', 'body', 'tls_config'],
    ...['follow_redirects', 'no_follow_redirects', 'fail_if_ssl', 'fail_if_not_ssl'],
    ...['basic_auth', 'bearer_token', 'authorization', 'fail_if_header_matches', 'fail_if_header_not_matches'],
    ...['fail_if_body_matches_regexp', 'fail_if_body_not_matches_regexp'],
  ],
  // the checks of a site speak HTTP/1.1 and ask for every coding that they can read
  meaningless: ['enable_http2', 'compression'],
  left: {
    valid_http_versions: 'Its valid_http_versions are not carried over: it is asked by HTTP/1.1.',
    enable_http3: 'It is asked by HTTP/1.1, not by HTTP/3 (enable_http3).',
    body_file: 'Its body stands in another file (body_file): set it.',
    bearer_token_file: 'Its token stands in another file (bearer_token_file): set it.',
    oauth2: 'Sign-in by OAuth 2 (oauth2) is not carried over: the check asks without it.',
    proxy_url: 'It is checked directly, not through a proxy (proxy_url).',
    proxy_from_environment: 'It is checked directly, not through a proxy (proxy_from_environment).',
    proxy_connect_header: 'It is checked directly, not through a proxy (proxy_connect_header).',
    no_proxy: 'It is checked directly: no_proxy has no meaning.',
    skip_resolve_phase_with_proxy: 'It is checked directly: skip_resolve_phase_with_proxy has no meaning.',
    body_size_limit: 'Its body_size_limit is not carried over: the first megabyte of the body is read.',
    fail_if_body_json_matches_cel: 'Its fail_if_body_json_matches_cel is not carried over: add an assertion.',
    fail_if_body_json_not_matches_cel: 'Its fail_if_body_json_not_matches_cel is not carried over: add an assertion.',
  },
}

type Assertion = Record<string, unknown>

function httpSettings(http: Record<string, unknown>, url: string, standIns: StandIns): Record<string, unknown> {
  const statuses = statusesOf(texts.parse(http.valid_status_codes))
  const { headers, auth } = signedIn(http, standIns)
  const body = text(65_536).parse(http.body)
  const isFollowing = flag.parse(http.follow_redirects) !== false && flag.parse(http.no_follow_redirects) !== true
  const present = textsIn(http, 'fail_if_body_not_matches_regexp', standIns)
  const absent = textsIn(http, 'fail_if_body_matches_regexp', standIns)
  const assertions: Assertion[] = [
    ...present.slice(1).map(target => ({ source: 'body', comparison: 'contains', target })),
    ...absent.slice(1).map(target => ({ source: 'body', comparison: 'not_contains', target })),
    ...headerAssertions(http, 'fail_if_header_not_matches', 'contains', standIns),
    ...headerAssertions(http, 'fail_if_header_matches', 'not_contains', standIns),
  ]
  if (assertions.length > mostAssertions)
    standIns.add(`Of what must hold of its answers ${mostAssertions} assertions are carried over.`)
  const tls = record.parse(http.tls_config)
  noteTls(tls, standIns, { isVerified: true })
  if (flag.parse(http.fail_if_ssl) === true) standIns.add('An answer by HTTPS is good here (fail_if_ssl).')
  if (flag.parse(http.fail_if_not_ssl) === true && !/^https:/i.test(url))
    standIns.add('An answer without HTTPS is good here (fail_if_not_ssl).')
  noteKeys(http, httpKeys, standIns, { within: 'http.' })
  return {
    method: methodOf(text(20).parse(http.method), standIns),
    ...(statuses.length > 0 && { expected_status: statuses }),
    ...(Object.keys(headers).length > 0 && { headers }),
    ...(body && { body }),
    ...(!isFollowing && { follow_redirects: false }),
    ...(flag.parse(tls.insecure_skip_verify) === true && { verify_tls: false }),
    ...familyOf(http),
    ...(auth && { auth }),
    ...(present[0] !== undefined && { keyword_present: present[0] }),
    ...(absent[0] !== undefined && { keyword_absent: absent[0] }),
    ...(assertions.length > 0 && { assertions: assertions.slice(0, mostAssertions) }),
  }
}

const mostAssertions = 20

/** The plain texts among patterns of the body; the others are noted. */
function textsIn(http: Record<string, unknown>, key: string, standIns: StandIns): string[] {
  const patterns = texts.parse(http[key])
  const plain = patterns.flatMap(pattern => literalOf(pattern) || [])
  if (plain.length < patterns.length)
    standIns.add('Of its patterns of the body only one that is plain text is carried over. Add assertions.')
  standIns.addNames(
    `Patterns of ${key} that are not carried over`,
    patterns.filter(pattern => !literalOf(pattern)),
  )
  return plain
}

function headerAssertions(
  http: Record<string, unknown>,
  key: string,
  comparison: 'contains' | 'not_contains',
  standIns: StandIns,
): Assertion[] {
  return records.parse(http[key]).flatMap((found): Assertion[] => {
    const property = text(100).parse(found.header) ?? ''
    const pattern = text(500).parse(found.regexp) ?? ''
    const isWhole = pattern.startsWith('^') && pattern.endsWith('$')
    const target = literalOf(isWhole ? pattern.slice(1, -1) : pattern)
    const mayBeMissing = flag.parse(found.allow_missing) === true
    if (!/^[\w-]+$/.test(property) || !target || (mayBeMissing && comparison === 'contains')) {
      standIns.add(`Its ${key} of the header ${property} (${pattern}) is not carried over: add an assertion.`)
      return []
    }
    const compared = isWhole ? (comparison === 'contains' ? 'equals' : 'not_equals') : comparison
    const isNeeded = comparison === 'not_contains' && !mayBeMissing
    return [
      { source: 'header', property, comparison: compared, target },
      // a header that is missing fails there too, unless it may be
      ...(isNeeded ? [{ source: 'header', property, comparison: 'not_empty' }] : []),
    ]
  })
}

/** What its requests carry: headers, and how they sign in. */
function signedIn(http: Record<string, unknown>, standIns: StandIns) {
  const headers = headersOf(record.parse(http.headers), standIns)
  for (const [name, found] of Object.entries(record.parse(http.http_headers))) {
    const { values, ...more } = record.parse(found)
    const [value] = texts.parse(values)
    if (value !== undefined) Object.assign(headers, headersOf({ [name]: value }, standIns))
    if (value === undefined || texts.parse(values).length > 1 || Object.keys(more).length > 0)
      standIns.add(`Not all of http_headers.${name} is carried over: set it.`)
  }
  return { headers, auth: authOf(http, headers, standIns) }
}

function authOf(http: Record<string, unknown>, headers: Record<string, string>, standIns: StandIns) {
  const basic = record.parse(http.basic_auth)
  const [username, password] = [text(255).parse(basic.username), text(1_024).parse(basic.password)]
  for (const key of ['username_file', 'username_ref', 'password_file', 'password_ref'])
    if (basic[key]) standIns.add(`Its sign-in stands elsewhere (basic_auth.${key}): set it.`)
  if (username && password) return { type: 'basic', username, password }
  if (username && !password) standIns.add('The password stands in another file: set it.')
  const given = record.parse(http.authorization)
  for (const key of ['credentials_file', 'credentials_ref'])
    if (given[key]) standIns.add(`Its token stands elsewhere (authorization.${key}): set it.`)
  noteKeys(given, { read: ['type', 'credentials', 'credentials_file', 'credentials_ref'] }, standIns, {
    within: 'authorization.',
  })
  const token = text(1_024).parse(given.credentials) ?? text(1_024).parse(http.bearer_token)
  if (!token) return null
  const type = text(50).parse(given.credentials ? given.type : null) || 'Bearer'
  if (/^bearer$/i.test(type)) return { type: 'bearer', token }
  headers.Authorization = `${type} ${token}`
  return null
}
