import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Authority, daysFromNow } from '#test/checks/certificates.ts'
import { http, https, tcp } from '#test/checks/servers.ts'
import { a, DnsServer } from '#test/egress/dns-server.ts'
import { MailServer } from '#test/support/mail-server.ts'
import { System } from '#test/support/system.ts'
import { claim } from './figures.ts'
import { findGatus, Gatus } from './peers/gatus.ts'
import { Move } from './shadow/move.ts'

/**
 * A real Gatus moves in: its YAML with endpoints of each kind that is carried over is imported, and both run side by
 * side while it is asked for its statuses. The targets then fail in known ways: what is found to differ must be exactly
 * that. Takes some eight minutes. `GATUS=/path` names the program of Gatus, else `gatus` is taken from the PATH, see
 * `peers/gatus.ts`; without one nothing is run.
 */

type Seen = 'up' | 'down' | 'slow' | 'other text'
/** What each side is shown of a path; `up` where nothing else is said. */
const shown = new Map<string, { theirs: Seen; ours: Seen }>()

const texts: Record<string, string> = {
  json: '{"state":"ready","items":[{"n":5}]}',
  graphql: '{"data":{"state":"ready"}}',
}

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const path = (request.url ?? '').slice(1)
  const isTheirs = request.headers['user-agent']?.startsWith('Gatus') === true
  const seen = shown.get(path)?.[isTheirs ? 'theirs' : 'ours'] ?? 'up'
  if (seen === 'slow') await sleep(4_000)
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  const isAsked = path !== 'graphql' || Buffer.concat(chunks).toString() === '{"query":"{ state }"}'
  response.statusCode = seen === 'down' || !isAsked ? 500 : path === 'moved' ? 302 : path === 'any' ? 404 : 200
  if (path === 'moved') response.setHeader('Location', '/elsewhere')
  response.end(seen === 'other text' ? '{"state":"other"}' : (texts[path] ?? 'all is well'))
}

const configOf = ({
  names,
  ...ports
}: Record<'http' | 'https' | 'ending' | 'tcp' | 'mail', number> & { names: string }) => `
x-usual: &usual
  interval: 20s
  client: {timeout: 5s}
endpoints:
${['plain', 'both-down', 'ours-up', 'ours-down', 'slow-there']
  .map(
    name => `  - name: ${name}
    <<: *usual
    group: sites
    url: http://127.0.0.1:${ports.http}/${name}
    conditions: ["[STATUS] == 200"]`,
  )
  .join('\n')}
  - {name: any, <<: *usual, url: "http://127.0.0.1:${ports.http}/any", conditions: ["[CONNECTED] == true"]}
  - name: moved
    <<: *usual
    url: http://127.0.0.1:${ports.http}/moved
    client: {ignore-redirect: true}
    conditions: ["[STATUS] >= 300", "[STATUS] < 400", "[STATUS] != 304"]
  - name: json
    <<: *usual
    url: http://127.0.0.1:${ports.http}/json
    conditions: ["[STATUS] == any(200, 204)", "[BODY].state == ready", "[BODY].items[0].n > 4"]
  - name: text
    <<: *usual
    url: http://127.0.0.1:${ports.http}/text
    conditions: ["[STATUS] == pat(2*)", "[BODY] == pat(*all is well*)"]
  - name: graphql
    <<: *usual
    url: http://127.0.0.1:${ports.http}/graphql
    method: POST
    graphql: true
    body: "{ state }"
    conditions: ["[STATUS] == 200", "[BODY].data.state == ready"]
  - name: fast
    <<: *usual
    url: http://127.0.0.1:${ports.http}/fast
    conditions: ["[STATUS] == 200", "[RESPONSE_TIME] < 1500"]
  - name: certificate
    <<: *usual
    url: https://localhost:${ports.https}/
    conditions: ["[STATUS] == 200", "[CERTIFICATE_EXPIRATION] > 48h"]
  - name: certificate-ends
    <<: *usual
    url: https://localhost:${ports.ending}/
    conditions: ["[STATUS] == 200", "[CERTIFICATE_EXPIRATION] > 48h"]
  - {name: tcp, <<: *usual, url: "tcp://127.0.0.1:${ports.tcp}", conditions: ["[CONNECTED] == true"]}
  - {name: tls, <<: *usual, url: "tls://localhost:${ports.https}", conditions: ["[CERTIFICATE_EXPIRATION] > 48h"]}
  - {name: starttls, <<: *usual, url: "starttls://localhost:${ports.mail}", conditions: ["[CONNECTED] == true"]}
  - {name: icmp, <<: *usual, url: "icmp://127.0.0.1", conditions: ["[CONNECTED] == true"]}
  - name: dns
    <<: *usual
    url: ${names}
    dns: {query-name: shop.example.com, query-type: A}
    conditions: ["[BODY] == 192.0.2.1", "[DNS_RCODE] == NOERROR"]
  - {name: off, <<: *usual, enabled: false, url: "http://127.0.0.1:${ports.http}/off", conditions: ["[STATUS] == 200"]}
external-endpoints:
  - {name: nightly, group: jobs, token: token-of-the-job, heartbeat: {interval: 24h}}
`

async function main(program: string): Promise<void> {
  const authority = await Authority.make()
  const folder = mkdtempSync(join(tmpdir(), 'vedette-gatus-'))
  writeFileSync(join(folder, 'authority.pem'), authority.pem)
  const identity = await authority.issue({ names: ['localhost'], addresses: ['127.0.0.1'] })
  const soon = await authority.issue({ names: ['localhost'], addresses: ['127.0.0.1'], to: daysFromNow(1) })
  const sites = await http((request, response) => void answer(request, response))
  const safe = await https(identity, (_, response) => void response.end('all is well'))
  const ending = await https(soon, (_, response) => void response.end('all is well'))
  const port = await tcp(socket => void socket.end())
  let address = '192.0.2.1'
  const names = await DnsServer.open(name => a(name, address))
  const mail = await MailServer.open({ certificate: identity })
  const config = configOf({
    ...{ http: sites.port, https: safe.port, ending: ending.port },
    ...{ tcp: port.port, names: names.address, mail: mail.port },
  })
  const gatus = await Gatus.open(program, config, authority.pem)
  const system = await System.start({ env: { NODE_EXTRA_CA_CERTS: join(folder, 'authority.pem') } })
  try {
    // both measure milliseconds on this machine, which may be busy: four seconds are hundreds of times as much
    const sent = { provider: 'gatus', content: config, options: { latency_factor: 100 } }
    const move = await Move.begin(system, sent)
    const previewed = await move.is('previewed')
    claim('endpoints that the preview carries over, of twenty', previewed.counts.create, 'at least', 20)
    const imported = await move.import()
    claim('monitors created', imported.counts.created, 'at least', 20)
    for (const [name, { stand_ins }] of await move.items())
      for (const note of stand_ins) console.log(`      ${name}: ${note}`)
    await move.shadow({ base_url: gatus.url })

    const compare = async (when: string, wanted: readonly string[]) => {
      const found = await move.differing()
      console.log(`      ${when}: ${found.join(', ') || 'nothing differs'}`)
      const isMissing = wanted.filter(each => !found.includes(each)).length
      claim(`divergences ${when} that were made and not found`, isMissing, 'under', 1)
      const others = found.filter(each => !wanted.includes(each))
      claim(`divergences ${when} that were not made`, others.length, 'under', 1)
    }
    // two days before its end a certificate is an outage there, and a warning here
    const always = ['certificate-ends: missed']
    await move.polled(3)
    await compare('while all is well', always)

    const [up, down, slow, other] = ['up', 'down', 'slow', 'other text'] as const
    shown.set('both-down', { theirs: down, ours: down })
    shown.set('ours-up', { theirs: down, ours: up })
    shown.set('ours-down', { theirs: up, ours: down })
    shown.set('slow-there', { theirs: slow, ours: up })
    shown.set('json', { theirs: other, ours: other })
    shown.set('text', { theirs: other, ours: up })
    shown.set('graphql', { theirs: up, ours: other })
    shown.set('fast', { theirs: slow, ours: slow })
    address = '192.0.2.2'
    await port[Symbol.asyncDispose]()
    await move.polled(4)
    const made = ['graphql: extra', 'ours-down: extra', 'ours-up: missed', 'slow-there: latency', 'text: missed']
    await compare('while ten targets fail', [...always, ...made])

    shown.clear()
    address = '192.0.2.1'
    await using _again = await tcp(socket => void socket.end(), '127.0.0.1', port.port)
    await move.polled(3)
    // a mean over the last minutes may still be slow
    await compare('once all is well again', [
      ...always,
      ...(await move.differing()).filter(each => each.endsWith('latency')),
    ])
  } finally {
    await Promise.allSettled([system.stop(), gatus.close(), names.close(), mail.close()])
    for (const server of [sites, safe, ending]) await server[Symbol.asyncDispose]()
    rmSync(folder, { recursive: true, force: true })
  }
}

const program = findGatus()
if (program === null)
  console.log('not run: there is no gatus on the PATH, and GATUS names none. Nothing of a real Gatus was compared.')
else await main(program)
