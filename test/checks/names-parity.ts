import { execFile } from 'node:child_process'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import packet, { type Answer, type RecordType as PacketType } from 'dns-packet'
import { dns, recordTypes } from '#checks/dns/kind.ts'
import { runCheck } from '#checks/probes.ts'
import { ssl } from '#checks/ssl/kind.ts'
import { noPhases } from '#contract/check.ts'
import { parseAllowList } from '#egress/address.ts'
import { Guard } from '#egress/guard.ts'
import { Authority, daysFromNow, type KeyAndCert, rsa, selfSigned } from '#test/checks/certificates.ts'
import { http, https } from '#test/checks/servers.ts'
import { a, DnsServer } from '#test/egress/dns-server.ts'

/** What our probes find beside what a tool made for it alone finds, at the same targets. */
export interface Row {
  target: string
  what: string
  ours: string
  theirs: string
  agrees: boolean
}

const row = (target: string, what: string, ours: string, theirs: string, agrees = ours === theirs): Row => ({
  target,
  what,
  ours,
  theirs,
  agrees,
})

const run = promisify(execFile)
const has = (tool: string, flag: string) =>
  run(tool, [flag]).then(
    () => true,
    () => false,
  )

/** Codes of `openssl verify` that say the same as ours. */
const verdicts: Record<string, readonly string[]> = {
  up: ['0'],
  certificate_expired: ['10'],
  certificate_chain_expired: ['10'],
  certificate_not_yet_valid: ['9'],
  certificate_wrong_host: ['62'],
  certificate_self_signed: ['18'],
  certificate_chain_incomplete: ['20', '21'],
  certificate_untrusted: ['19', '20', '21'],
  certificate_weak_key: ['66'],
  certificate_weak_signature: ['68'],
}

/** undefined where there is no openssl. */
export async function compareSsl(): Promise<Row[] | undefined> {
  if (!(await has('openssl', 'version'))) return undefined
  const dir = await mkdtemp(join(tmpdir(), 'vedette-parity-'))
  const authority = await Authority.make()
  const old = await Authority.make(rsa(2_048, 'SHA-1'))
  await using depot = await http((_, answer) => answer.end(deputy.der))
  const deputy = await authority.deputy({ issuerUrl: `http://127.0.0.1:${depot.port}/` })
  const faded = await authority.deputy({ name: 'CN=Faded', to: daysFromNow(-1) })
  const names = ['localhost']
  const issuerUrl = `http://127.0.0.1:${depot.port}/`
  const under = ({ key, cert }: KeyAndCert, ...chain: Authority[]) => ({
    key,
    cert: [cert, ...chain.map(({ pem }) => pem)].join('\n'),
  })
  const targets: Record<string, KeyAndCert> = {
    good: await authority.issue({ names }),
    'good, with a deputy': under(await deputy.issue({ names, key: rsa(2_048) }), deputy),
    expired: await authority.issue({ names, from: daysFromNow(-30), to: daysFromNow(-1) }),
    'not yet valid': await authority.issue({ names, from: daysFromNow(1) }),
    'wrong host': await authority.issue({ names: ['other.example'] }),
    'self-signed': await selfSigned({ names }),
    'lacks its deputy': await deputy.issue({ names, issuerUrl }),
    'unknown authority': await (await Authority.make()).issue({ names }),
    'expired deputy': under(await faded.issue({ names }), faded),
    'weak key': await authority.issue({ names, key: rsa(1_024) }),
    'weak signature': await old.issue({ names }),
  }
  try {
    const ca = join(dir, 'ca.pem')
    await writeFile(ca, [authority.pem, old.pem].join('\n'))
    const guard = new Guard(parseAllowList('127.0.0.0/8'), { ca: [authority.pem, old.pem] })
    const rows: Row[] = []
    for (const [target, identity] of Object.entries(targets)) {
      await using site = await https(identity, (_, answer) => answer.end())
      const settings = ssl.settings.parse({ port: site.port, ip_version: '4', warn_days: [1] })
      const { seen } = await runCheck('ssl', { url: 'https://localhost/' }, settings, {
        guard,
        timeoutMs: 5_000,
        now: Date.now,
      })
      const ours = ssl.seen.parse(seen)
      const verdict = ssl.judge(ours, settings, { at: new Date(), phases: noPhases }).code ?? 'up'
      const theirs = await openssl(site.port, ca)
      const [link] = ours.chain
      rows.push(
        row(target, 'verdict', verdict, theirs.verify, verdicts[verdict]?.includes(theirs.verify.split(' ')[0] ?? '')),
        row(target, 'fingerprint', ours.fingerprint, theirs.fingerprint),
        row(target, 'serial', (ours.serial ?? '').replace(/^0+/, ''), theirs.serial.replace(/^0+/, '')),
        row(target, 'end', ours.valid_to, theirs.end),
        row(target, 'key', bitsOf(link?.key ?? ''), theirs.bits),
        row(target, 'signature', (link?.signature ?? '').toLowerCase(), theirs.signature.toLowerCase()),
        row(target, 'certificates sent', String(ours.chain.length), String(theirs.sent)),
        row(target, 'protocol and cipher', `${ours.protocol} ${ours.cipher}`, theirs.cipher),
      )
    }
    return rows
  } finally {
    await rm(dir, { recursive: true })
  }
}

const bitsOf = (key: string) => (key === 'EC prime256v1' ? '256' : (key.split(' ')[1] ?? key))

async function openssl(port: number, ca: string) {
  const names = ['-servername', 'localhost', '-verify_hostname', 'localhost']
  const args = [
    's_client',
    '-connect',
    `127.0.0.1:${port}`,
    ...names,
    '-CAfile',
    ca,
    '-no-CAstore',
    '-no-CApath',
    '-showcerts',
    '-auth_level',
    '2',
  ]
  const shown = await piped(args, '')
  const chain = shown.match(/-----BEGIN CERTIFICATE-----[\s\S]+?-----END CERTIFICATE-----/g) ?? []
  const text = await piped(
    ['x509', '-noout', '-serial', '-enddate', '-fingerprint', '-sha256', '-text'],
    chain[0] ?? '',
  )
  const found = (pattern: RegExp, from = text) => pattern.exec(from)?.[1]?.trim() ?? ''
  return {
    verify: found(/Verify return code: (.*)/, shown),
    cipher: found(/^New, (TLSv1\.\d, Cipher is .*)$/m, shown).replace(', Cipher is', ''),
    sent: chain.length,
    serial: found(/^serial=(.*)$/m),
    fingerprint: found(/Fingerprint=(.*)$/m),
    end: new Date(found(/^notAfter=(.*)$/m)).toISOString(),
    bits: found(/Public-Key: \((\d+) bit\)/),
    signature: found(/Signature Algorithm: (.*)/),
  }
}

function piped(args: string[], input: string): Promise<string> {
  return new Promise(resolve => {
    const child = execFile('openssl', args, { timeout: 10_000 }, (_, stdout, stderr) => resolve(`${stdout}${stderr}`))
    child.stdin?.on('error', () => {})
    child.stdin?.end(input)
  })
}

const zone: Record<string, Answer[]> = {
  A: a('zone.example', '192.0.2.2', '192.0.2.1'),
  AAAA: [{ type: 'AAAA', name: 'zone.example', data: '2001:db8::1' }],
  MX: [
    { type: 'MX', name: 'zone.example', data: { preference: 20, exchange: 'mail2.zone.example' } },
    { type: 'MX', name: 'zone.example', data: { preference: 10, exchange: 'Mail.zone.example' } },
  ],
  CNAME: [{ type: 'CNAME', name: 'zone.example', data: 'alias.example' }],
  NS: ['ns2.zone.example', 'ns1.zone.example'].map(data => ({ type: 'NS', name: 'zone.example', data })),
  TXT: [
    { type: 'TXT', name: 'zone.example', data: 'v=spf1 -all' },
    { type: 'TXT', name: 'zone.example', data: 'with "quotes"' },
  ],
  SOA: [
    {
      type: 'SOA',
      name: 'zone.example',
      data: {
        mname: 'ns1.zone.example',
        rname: 'host.zone.example',
        serial: 7,
        refresh: 1,
        retry: 2,
        expire: 3,
        minimum: 4,
      },
    },
  ],
  SRV: [{ type: 'SRV', name: 'zone.example', data: { priority: 1, weight: 2, port: 443, target: 'srv.zone.example' } }],
  CAA: [{ type: 'CAA', name: 'zone.example', data: { flags: 0, tag: 'issue', value: 'ca.example' } }],
}

/** Beside dig where there is one, else beside another reader of the same answers (dns-packet). */
export async function compareDns(): Promise<{ tool: string; rows: Row[] }> {
  const tool = (await has('dig', '-v')) ? 'dig' : 'dns-packet'
  const server = await DnsServer.open((name, type) =>
    name === 'zone.example' ? (zone[type] ?? []) : name === 'failing.example' ? 'servfail' : 'nxdomain',
  )
  try {
    const guard = new Guard(parseAllowList('127.0.0.0/8'))
    const port = Number(server.address.split(':')[1])
    const theirsOf = (name: string, type: string) => (tool === 'dig' ? dig(port, name, type) : ask(port, name, type))
    const rows: Row[] = []
    for (const type of recordTypes) {
      const settings = dns.settings.parse({ record_types: [type], resolvers: [server.address] })
      const { seen } = await runCheck('dns', { url: 'host://zone.example' }, settings, {
        guard,
        timeoutMs: 5_000,
        now: Date.now,
      })
      const found = dns.seen.parse(seen).records[type] ?? []
      rows.push(row('zone.example', type, found.join(', '), await theirsOf('zone.example', type)))
    }
    for (const [name, code, status] of [
      ['gone.example', 'dns_not_found', 'NXDOMAIN'],
      ['failing.example', 'dns_failed', 'SERVFAIL'],
    ] as const) {
      const settings = dns.settings.parse({ record_types: ['A'], resolvers: [server.address] })
      const { fault } = await runCheck('dns', { url: `host://${name}` }, settings, {
        guard,
        timeoutMs: 5_000,
        now: Date.now,
      })
      rows.push(row(name, 'status', fault?.code === code ? status : String(fault?.code), await theirsOf(name, 'A')))
    }
    return { tool, rows }
  } finally {
    server.close()
  }
}

/**
 * A line as dig writes it, as we write it: names without their last dot, texts without quotes, lower case but for
 * texts.
 */
const plain = (line: string, type: string) =>
  type === 'TXT'
    ? line.replace(/^"|"$/g, '').replaceAll('" "', '').replaceAll('\\"', '"')
    : type === 'CAA'
      ? line
      : line.toLowerCase().replace(/\.(?=\s|$)/g, '')

async function dig(port: number, name: string, type: string): Promise<string> {
  const { stdout } = await run('dig', ['@127.0.0.1', '-p', String(port), '+tries=1', '+time=3', name, type])
  const status = /status: (\w+)/.exec(stdout)?.[1] ?? ''
  if (status !== 'NOERROR') return status
  const section = stdout.split(';; ANSWER SECTION:\n')[1]?.split('\n\n')[0] ?? ''
  const lines = section.split('\n').filter(Boolean)
  return lines
    .map(line => plain(line.split(/\s+/).slice(4).join(' '), type))
    .toSorted()
    .join(', ')
}

async function ask(port: number, name: string, type: string): Promise<string> {
  const socket = createSocket('udp4')
  try {
    socket.send(
      packet.encode({
        type: 'query',
        id: 7,
        flags: packet.RECURSION_DESIRED,
        questions: [{ type: type as PacketType, name }],
      }),
      port,
      '127.0.0.1',
    )
    const [message] = (await once(socket, 'message', { signal: AbortSignal.timeout(3_000) })) as [Buffer]
    const { answers = [], ...rest } = packet.decode(message)
    const status = 'rcode' in rest ? String(rest.rcode) : 'NOERROR'
    if (status !== 'NOERROR') return status
    return answers
      .map(answer => (type === 'TXT' ? textOf(answer) : plain(textOf(answer), type)))
      .toSorted()
      .join(', ')
  } finally {
    socket.close()
  }
}

function textOf(answer: Answer): string {
  switch (answer.type) {
    case 'MX':
      return `${answer.data.preference} ${answer.data.exchange}`
    case 'SOA': {
      const { mname, rname, serial, refresh, retry, expire, minimum } = answer.data
      return [mname, rname, serial, refresh, retry, expire, minimum].join(' ')
    }
    case 'SRV':
      return `${answer.data.priority} ${answer.data.weight} ${answer.data.port} ${answer.data.target}`
    case 'CAA':
      return `${answer.data.flags} ${answer.data.tag} "${answer.data.value}"`
    case 'TXT':
      return Buffer.concat([answer.data].flat().map(part => Buffer.from(part))).toString()
    default:
      return 'data' in answer ? String(answer.data) : ''
  }
}

const table = (head: string[], rows: string[][]) =>
  [head, head.map(() => '---'), ...rows].map(cells => `| ${cells.join(' | ')} |`).join('\n')

if (import.meta.main) {
  const found = (await compareSsl()) ?? []
  const targets = Object.entries(Object.groupBy(found, ({ target }) => target)).map(([target, rows = []]) => {
    const agreeing = rows.filter(({ agrees }) => agrees).length
    return [target, rows[0]?.ours ?? '', rows[0]?.theirs ?? '', `${agreeing} of ${rows.length}`]
  })
  console.log(table(['Certificate', 'Vedette', 'openssl s_client', 'Findings that agree'], targets))
  const { tool, rows } = await compareDns()
  console.log(
    table(
      ['Name', 'Type', 'Vedette', tool, 'Agree'],
      rows.map(({ target, what, ours, theirs, agrees }) => [target, what, ours, theirs, agrees ? 'yes' : 'no']),
    ),
  )
}
