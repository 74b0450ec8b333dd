import { describe, expect, test } from 'vitest'
import { patternOf } from '#importers/blackbox-exporter/relabel.ts'
import { blackboxExporter } from '#importers/blackbox-exporter/source.ts'
import type { SourceItem } from '#importers/source.ts'
import { readText } from './read-source.ts'

const read = (content: string) => readText(blackboxExporter, content)
const bodyOf = (item: SourceItem | undefined) => item?.wanted?.body as Record<string, unknown>
const checkOf = (item: SourceItem | undefined) =>
  (bodyOf(item).checks as { type: string; settings: Record<string, unknown> }[])[0]!
const said = (item: SourceItem | undefined) => item?.standIns.join('\n') ?? ''

/** One target with one module. */
async function probed(module: string, target = 'https://a.example.com', job = ''): Promise<SourceItem> {
  const items = await read(
    `scrape_configs:\n  - {job_name: j, metrics_path: /probe, params: {module: [m]}, static_configs: [{targets: ['${target}']}]${job}}\nmodules: {m: ${module}}`,
  )
  return [...items.values()][0]!
}

test('every target of a group becomes a monitor, however many there are', async () => {
  const targets = Array.from({ length: 120 }, (_, n) => `https://site-${n}.example.com/`)
  const items = await read(
    `scrape_configs:\n  - {job_name: j, metrics_path: /probe, params: {module: [m]}, static_configs: [{targets: ${JSON.stringify(targets)}}]}\nmodules: {m: {prober: http}}`,
  )
  expect([...items.values()].map(item => bodyOf(item).url)).toEqual(targets)
})

describe('a module of kind http', () => {
  test.each<[http: string, settings: object, notes: string[]]>([
    ['authorization: {credentials: s3cret}', { auth: { type: 'bearer', token: 's3cret' } }, []],
    ['authorization: {type: bearer, credentials: s3cret}', { auth: { type: 'bearer', token: 's3cret' } }, []],
    ['authorization: {type: Token, credentials: s3cret}', { headers: { Authorization: 'Token s3cret' } }, []],
    ['authorization: {credentials_file: /etc/token}', {}, ['authorization.credentials_file']],
    ['authorization: {credentials_ref: token}', {}, ['authorization.credentials_ref']],
    ['bearer_token: s3cret', { auth: { type: 'bearer', token: 's3cret' } }, []],
    ['bearer_token_file: /etc/token', {}, ['bearer_token_file']],
    ['basic_auth: {username: u, password: p}', { auth: { type: 'basic', username: 'u', password: 'p' } }, []],
    ['basic_auth: {username: u, password_file: /p}', {}, ['basic_auth.password_file']],
    ['oauth2: {client_id: c, client_secret: s, token_url: "https://t.example.com"}', {}, ['oauth2']],
    ['preferred_ip_protocol: ip6, ip_protocol_fallback: false', { ip_version: '6' }, []],
    ['preferred_ip_protocol: ip4, ip_protocol_fallback: false', { ip_version: '4' }, []],
    ['ip_protocol_fallback: false', { ip_version: '6' }, []],
    ['preferred_ip_protocol: ip4', {}, []],
    ['proxy_url: "http://p.example.com:3128"', {}, ['proxy_url']],
    ['proxy_from_environment: true', {}, ['proxy_from_environment']],
    ['body_file: /b', {}, ['body_file']],
    ['valid_http_versions: ["HTTP/2.0"]', {}, ['valid_http_versions']],
    ['fail_if_ssl: true', {}, ['fail_if_ssl']],
    ['fail_if_not_ssl: true', {}, []],
    ['enable_http3: true', {}, ['enable_http3']],
    ['body_size_limit: 1KB', {}, ['body_size_limit']],
    ['compression: gzip, enable_http2: false', {}, []],
    ['fail_if_body_json_matches_cel: "body.x"', {}, ['fail_if_body_json_matches_cel']],
    ['http_headers: {X-A: {values: [b]}}', { headers: { 'X-A': 'b' } }, []],
    ['http_headers: {X-A: {secrets: [b]}}', {}, ['http_headers.X-A']],
    [
      'tls_config: {insecure_skip_verify: true, ca_file: /ca, cert_file: /c, key_file: /k, server_name: x}',
      { verify_tls: false },
      ['ca_file', 'cert_file', 'server_name'],
    ],
    ['tls_config: {odd: 1}', {}, ['tls_config.odd']],
    ['odd: false', {}, ['http.odd']],
    [
      'fail_if_body_not_matches_regexp: [ok, "v1\\\\.2", "a.*b"]',
      { keyword_present: 'ok', assertions: [{ source: 'body', comparison: 'contains', target: 'v1.2' }] },
      ['a.*b'],
    ],
    [
      'fail_if_body_matches_regexp: [bad, worse]',
      { keyword_absent: 'bad', assertions: [{ source: 'body', comparison: 'not_contains', target: 'worse' }] },
      [],
    ],
    [
      'fail_if_header_not_matches: [{header: X-Cache, regexp: HIT}]',
      { assertions: [{ source: 'header', property: 'X-Cache', comparison: 'contains', target: 'HIT' }] },
      [],
    ],
    [
      'fail_if_header_not_matches: [{header: X-Cache, regexp: "^HIT$"}]',
      { assertions: [{ comparison: 'equals', target: 'HIT' }] },
      [],
    ],
    [
      'fail_if_header_not_matches: [{header: X-Cache, regexp: HIT, allow_missing: true}]',
      {},
      ['fail_if_header_not_matches', 'X-Cache'],
    ],
    [
      'fail_if_header_matches: [{header: X-Env, regexp: dev}]',
      {
        assertions: [
          { property: 'X-Env', comparison: 'not_contains', target: 'dev' },
          { property: 'X-Env', comparison: 'not_empty' },
        ],
      },
      [],
    ],
    [
      'fail_if_header_matches: [{header: X-Env, regexp: dev, allow_missing: true}]',
      { assertions: [{ property: 'X-Env', comparison: 'not_contains' }] },
      [],
    ],
    ['fail_if_header_matches: [{header: X-Env, regexp: "de+v"}]', {}, ['fail_if_header_matches', 'de+v']],
  ])('with {%s}', async (http, settings, notes) => {
    const item = await probed(`{prober: http, http: {${http}}}`)
    expect(checkOf(item).settings).toMatchObject(settings)
    for (const note of notes) expect(said(item)).toContain(note)
    if (notes.length === 0) expect(item.standIns).toEqual([])
    const carried = ['auth', 'headers', 'ip_version', 'assertions', 'keyword_present', 'keyword_absent', 'verify_tls']
    expect(
      Object.keys(checkOf(item).settings)
        .filter(key => carried.includes(key))
        .toSorted(),
    ).toEqual(Object.keys(settings).toSorted())
  })
  test('says that HTTPS is needed where its address has none', async () => {
    expect(said(await probed('{prober: http, http: {fail_if_not_ssl: true}}', 'http://a.example.com'))).toContain(
      'fail_if_not_ssl',
    )
  })
})

describe('modules of other kinds', () => {
  test.each<[module: string, target: string, check: object | string, notes: string[]]>([
    ['{prober: tcp}', 'a.example.com:22', { type: 'tcp', settings: { port: 22 } }, []],
    [
      '{prober: tcp, tcp: {query_response: [{expect: "^SSH-2.0-"}]}}',
      'a.example.com:22',
      { settings: { port: 22 } },
      ['not carried over'],
    ],
    [
      '{prober: tcp, tcp: {query_response: [{expect: "^220 ready"}]}}',
      'a.example.com:25',
      { settings: { expect: '220 ready' } },
      [],
    ],
    [
      '{prober: tcp, tcp: {query_response: [{send: QUIT}]}}',
      'a.example.com:25',
      { settings: { port: 25 } },
      ['What is sent and expected'],
    ],
    [
      '{prober: tcp, tcp: {query_response: [{expect: x, starttls: true}]}}',
      'a.example.com:25',
      { settings: { port: 25 } },
      ['What is sent and expected'],
    ],
    [
      '{prober: tcp, tcp: {tls: true, tls_config: {insecure_skip_verify: true}}}',
      'a.example.com:465',
      { type: 'ssl', settings: { port: 465 } },
      ['insecure_skip_verify'],
    ],
    [
      '{prober: tcp, tcp: {source_ip_address: 192.0.2.1, odd: 1, ip_protocol_fallback: false}}',
      'a.example.com:465',
      { settings: { ip_version: '6' } },
      ['source_ip_address', 'tcp.odd'],
    ],
    [
      '{prober: icmp, icmp: {ttl: 5, payload_size: 9, dont_fragment: true, preferred_ip_protocol: ip4, ip_protocol_fallback: false}}',
      'a.example.com',
      { type: 'ping', settings: { ip_version: '4' } },
      ['ttl', 'payload_size', 'dont_fragment'],
    ],
    [
      '{prober: dns, dns: {query_name: a.example.com, query_type: MX}}',
      '192.0.2.53:5353',
      { settings: { record_types: ['MX'], resolvers: ['192.0.2.53:5353'] } },
      [],
    ],
    [
      '{prober: dns, dns: {query_name: a.example.com}}',
      '2001:db8::1',
      { settings: { record_types: ['A'], resolvers: ['2001:db8::1'] } },
      ['in place of ANY'],
    ],
    [
      '{prober: dns, dns: {query_name: a.example.com, query_type: A}}',
      'ns.example.com',
      { settings: { record_types: ['A'] } },
      ['in place of its own'],
    ],
    ['{prober: dns, dns: {query_name: a, valid_rcodes: [NXDOMAIN]}}', '192.0.2.53', 'valid_rcodes', []],
    [
      '{prober: dns, dns: {query_name: a.example.com, query_type: A, valid_rcodes: [NOERROR, NXDOMAIN], validate_answer_rrs: {fail_if_not_matches_regexp: [x]}, validate_authority_rrs: {fail_if_matches_regexp: [y]}}}',
      '192.0.2.53',
      { settings: {} },
      [
        'valid_rcodes',
        'validate_answer_rrs.fail_if_not_matches_regexp',
        'validate_authority_rrs.fail_if_matches_regexp',
      ],
    ],
    [
      '{prober: dns, dns: {query_name: a.example.com, query_type: A, transport_protocol: tcp, dns_over_tls: true, recursion_desired: false, query_class: CH}}',
      '192.0.2.53',
      { settings: {} },
      ['transport_protocol', 'dns_over_tls', 'recursion_desired', 'query_class'],
    ],
    [
      '{prober: dns, dns: {query_name: a.example.com, query_type: A, transport_protocol: udp, recursion_desired: true, query_class: IN}}',
      '192.0.2.53',
      { settings: {} },
      [],
    ],
    ['{prober: grpc}', 'a.example.com:443', 'There is no check for modules of kind grpc.', []],
    ['{prober: websocket}', 'wss://a.example.com', 'There is no check for modules of kind websocket.', []],
    ['{prober: icmp, odd: 1}', 'a.example.com', { type: 'ping' }, ['module.odd']],
  ])('%s for %s', async (module, target, check, notes) => {
    const item = await probed(module, target)
    if (typeof check === 'string') expect([item.wanted, item.reason]).toEqual([null, expect.stringContaining(check)])
    else expect(checkOf(item)).toMatchObject(check)
    for (const note of notes) expect(said(item)).toContain(note)
    if (notes.length === 0) expect(item.standIns).toEqual([])
  })
})

describe('a job of Prometheus', () => {
  const byLabel = (
    rules: string,
    groups: string,
    modules = 'http_post: {prober: http, http: {method: POST, body: "{}"}}',
  ) =>
    read(
      `scrape_configs:\n  - job_name: j\n    metrics_path: /probe\n    static_configs: ${groups}\n    relabel_configs: ${rules}\nmodules: {${modules}}`,
    )
  const usual = [
    '{source_labels: [__address__], target_label: __param_target}',
    '{source_labels: [__param_target], target_label: instance}',
    "{target_label: __address__, replacement: '127.0.0.1:9115'}",
  ].join(', ')

  test('chooses the module by a label, also by one of Prometheus itself', async () => {
    const items = await byLabel(
      `[{source_labels: [module], target_label: __param_module}, ${usual}]`,
      `[{targets: ['https://post.example.com'], labels: {module: http_post, team: ops}}, {targets: ['db.example.com:5432'], labels: {module: tcp_connect}}, {targets: ['https://c.example.com']}]`,
    )
    expect(checkOf(items.get('j https://post.example.com')).settings).toMatchObject({ method: 'POST' })
    expect(bodyOf(items.get('j https://post.example.com')).tags).toEqual(['team=ops'])
    expect(checkOf(items.get('j db.example.com:5432'))).toMatchObject({ type: 'tcp', settings: { port: 5_432 } })
    expect(checkOf(items.get('j https://c.example.com')).settings).toMatchObject({ method: 'GET' })
    const own = await byLabel(
      `[${usual}]`,
      `[{targets: ['https://a.example.com'], labels: {__param_module: http_post}}]`,
    )
    expect(checkOf(own.get('j https://a.example.com')).settings).toMatchObject({ method: 'POST' })
  })

  test.each<[rules: string, target: string, id: string, method: string]>([
    [
      `{source_labels: [__address__], regex: '(.*);(.*)', target_label: __param_target}, {source_labels: [__address__], regex: '(.*);(.*)', target_label: __param_module, replacement: '$2'}`,
      'https://a.example.com;http_post',
      'j https://a.example.com',
      'POST',
    ],
    [
      `{source_labels: [__address__], regex: '([^;]+);(.+)', target_label: __param_target, replacement: '\${1}'}, {source_labels: [__address__], regex: '[^;]+;(.+)', target_label: __param_module}`,
      'https://a.example.com;http_post',
      'j https://a.example.com',
      'POST',
    ],
    [
      `{source_labels: [__address__], regex: '(.*)', target_label: __param_target, replacement: 'https://\${1}/health'}`,
      'a.example.com',
      'j https://a.example.com/health',
      'GET',
    ],
    [
      `{source_labels: [__address__], separator: '', target_label: __param_target}`,
      'a.example.com',
      'j a.example.com',
      'GET',
    ],
    [
      `{source_labels: [__address__], regex: 'https?://.*', action: keep}, {source_labels: [__address__], target_label: __param_target}`,
      'https://a.example.com',
      'j https://a.example.com',
      'GET',
    ],
    [
      `{target_label: __param_module, replacement: http_post}`,
      'https://a.example.com',
      'j https://a.example.com',
      'POST',
    ],
    [
      `{source_labels: [__address__], action: lowercase, target_label: __param_target}`,
      'HTTPS://A.example.com',
      'j https://a.example.com',
      'GET',
    ],
  ])('by %s', async (rules, target, id, method) => {
    const items = await byLabel(`[${rules}]`, `[{targets: ['${target}']}]`)
    expect([...items.keys()]).toEqual([id])
    expect(checkOf(items.get(id)).settings).toMatchObject({ method })
  })

  test('says which targets are dropped and which rules are not understood', async () => {
    const items = await byLabel(
      `[{source_labels: [env], regex: 'prod|stage', action: keep}, {source_labels: [__address__], regex: '(a+)+\\d{2}', target_label: __param_target}]`,
      `[{targets: ['https://a.example.com'], labels: {env: dev}}, {targets: ['https://b.example.com'], labels: {env: prod}}]`,
    )
    expect(items.get('j https://a.example.com')?.reason).toContain('drops it')
    expect(said(items.get('j https://b.example.com'))).toContain('(a+)+')
  })

  test('takes interval and timeout from the file where it has none, and heeds the shorter timeout', async () => {
    const of = async (file: string, job: string, module: string) => {
      const items = await read(
        `${file}scrape_configs:\n  - {job_name: j, metrics_path: /probe, params: {module: [m]}, static_configs: [{targets: ['https://a.example.com']}]${job}}\nmodules: {m: {prober: http${module}}}`,
      )
      const { check_interval, timeout } = bodyOf([...items.values()][0])
      return [check_interval, timeout]
    }
    expect(await of('', '', '')).toEqual([60, 10])
    expect(await of('global: {scrape_interval: 2m, scrape_timeout: 20s}\n', '', '')).toEqual([120, 20])
    expect(
      await of(
        'global: {scrape_interval: 2m, scrape_timeout: 20s}\n',
        ', scrape_interval: 30s, scrape_timeout: 5s',
        ', timeout: 9s',
      ),
    ).toEqual([30, 5])
    expect(await of('global: {scrape_timeout: 20s}\n', '', ', timeout: 3s')).toEqual([60, 3])
  })

  test('names what is known to Prometheus alone beside static targets, and each key that is not known', async () => {
    const items = await read(`
scrape_configs:
  - job_name: j
    metrics_path: /probe
    params: {module: [http_post_2xx], hostname: [x]}
    static_configs: [{targets: ['https://a.example.com', 'https://a.example.com'], odd: 1}]
    file_sd_configs: [{files: [x]}]
    honor_labels: true
    mood: good
rule_files: [x]
alerting: {alertmanagers: []}
scrape_config_files: [y]
storage: {tsdb: {}}
colour: red`)
    expect([...items.keys()].toSorted()).toEqual([
      'j discovery',
      'j https://a.example.com',
      'j https://a.example.com 1',
      'key alerting',
      'key colour',
      'key rule_files',
      'key scrape_config_files',
    ])
    const item = items.get('j https://a.example.com')
    expect(checkOf(item).settings).toMatchObject({ method: 'POST' })
    for (const word of ['mood', 'params.hostname', 'static_configs.odd']) expect(said(item)).toContain(word)
    expect(said(item)).not.toContain('honor_labels')
  })

  test('whose module is not in the file says so, but for those of the exporter itself', async () => {
    const of = async (module: string, target: string) => {
      const items = await read(
        `scrape_configs: [{job_name: j, metrics_path: /probe, params: {module: [${module}]}, static_configs: [{targets: ['${target}']}]}]`,
      )
      return [...items.values()][0]!
    }
    expect((await of('http_2xx', 'https://a.example.com')).standIns).toEqual([])
    expect(checkOf(await of('pop3s_banner', 'a.example.com:995'))).toMatchObject({ type: 'ssl' })
    expect(said(await of('http_internal', 'https://a.example.com'))).toContain('http_internal')
    expect((await of('special', 'https://a.example.com')).reason).toContain('no module special')
  })

  test('of several files joined is read whole', async () => {
    const job = (name: string) =>
      `scrape_configs:\n- {job_name: ${name}, metrics_path: /probe, params: {module: [${name}]}, static_configs: [{targets: ['https://${name}.example.com']}]}\n`
    const modules = (name: string) => `modules:\n  ${name}: {prober: http, http: {method: PUT}}\n`
    for (const text of [
      job('a') + modules('a') + job('b') + modules('b'),
      [job('a'), modules('a'), job('b'), modules('b')].join('---\n'),
    ]) {
      const items = await read(text)
      for (const name of ['a', 'b'])
        expect(checkOf(items.get(`${name} https://${name}.example.com`)).settings).toMatchObject({ method: 'PUT' })
    }
  })
})

describe('a pattern of a relabelling', () => {
  test.each<[regex: string, value: string, groups: string[] | null]>([
    ['(.*)', 'abc', ['abc', 'abc']],
    ['^(.+)$', '', null],
    ['a|b', 'b', ['b', 'b']],
    ['(a|b)', 'c', null],
    ['x-(.*)-y', 'x-1-y', ['x-1-y', '1']],
    ['x-(.*)-y', 'x-y', null],
    ['(.*)::(.*)', 'a::b::c', ['a::b::c', 'a::b', 'c']],
    ['(.*):.*', 'a:b', ['a:b', 'a']],
    ['a\\.b', 'a.b', ['a.b']],
    ['a\\.b', 'axb', null],
    ['', 'a', null],
  ])('%j of %j', (regex, value, groups) => expect(patternOf(regex)?.(value) ?? null).toEqual(groups))
  test.each(['(a+)+$', '[a-z]+', '(.*)(.*)(.*)', 'a{2}', '\\d+', '(?i)x', '(x'])('%j is not read', regex =>
    expect(patternOf(regex)).toBeNull(),
  )
})
