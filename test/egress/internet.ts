import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { connect } from 'node:net'
import { kinds } from '#checks/index.ts'
import { runCheck } from '#checks/probes.ts'
import { Guard } from '#egress/guard.ts'
import { a, DnsServer, type Reply } from '#test/egress/dns-server.ts'

/**
 * Runs in a network namespace that leads nowhere, where a public address is our own and the name server too:
 * the guard is the one of production, with no allow-list. Prints what came of it.
 */
const outside = '93.184.216.34'
/** What is sent there is lost without a word. */
const nowhere = '93.184.217.1'
const insides = ['127.0.0.1', '10.0.0.1', '169.254.169.254']

execFileSync('ip', ['link', 'set', 'lo', 'up'])
for (const address of [outside, ...insides.slice(1), '127.0.0.53'])
  execFileSync('ip', ['address', 'add', `${address}/32`, 'dev', 'lo'])
execFileSync('ip', ['link', 'add', 'void', 'type', 'veth', 'peer', 'name', 'far'])
for (const end of ['void', 'far']) execFileSync('ip', ['link', 'set', end, 'up'])
execFileSync('ip', ['route', 'add', `${nowhere}/32`, 'dev', 'void', 'src', outside])
execFileSync('ip', ['neighbour', 'add', nowhere, 'lladdr', '02:00:00:00:00:01', 'dev', 'void', 'nud', 'permanent'])
if (execFileSync('ip', ['route']).toString().includes('default')) throw new Error('This namespace has a way out.')
writeFileSync('/etc/resolv.conf', 'nameserver 127.0.0.53\n')

const hits: string[] = []
const asked: string[] = []
for (const address of insides) {
  const server = createServer((_, answer) => {
    hits.push(address)
    answer.end('secret')
  })
  server.listen(80, address)
  await once(server, 'listening')
}
const site = createServer((request, answer) => {
  asked.push(request.url ?? '')
  const [, status, location] = /^\/(\d+)\?(.*)/.exec(request.url ?? '') ?? []
  if (status && location) answer.writeHead(Number(status), { location })
  answer.end('public')
})
site.listen(80, outside)
await once(site, 'listening')

const names: Record<string, (nth: number) => Reply> = {
  'public.example': () => a('public.example', outside),
  'flip.example': nth => a('flip.example', nth % 2 ? (insides[nth % 3] ?? '') : outside),
  'lame.example': () => a('lame.example', nowhere, outside),
  'mixed.example': () => a('mixed.example', outside, '10.0.0.1'),
  'inside.example': () => a('inside.example', '10.0.0.1'),
}
const server = await DnsServer.open(
  (name, type, nth) => (type === 'A' ? (names[name]?.(nth) ?? 'nxdomain') : names[name] ? [] : 'nxdomain'),
  53,
  '127.0.0.53',
)

const guard = new Guard()
const settings = kinds.uptime.settings.parse({})
const get = async (url: string) => {
  const { seen, fault } = await runCheck('uptime', { url }, settings, { guard, timeoutMs: 3_000, now: Date.now })
  return fault ? (fault.phase === 'guard' ? fault.code : `${fault.code} in ${fault.phase}`) : seen.status
}
const count = (outcomes: unknown[]) =>
  Object.fromEntries(Object.entries(Object.groupBy(outcomes, String)).map(([outcome, list]) => [outcome, list?.length]))
const each = async <T>(list: T[], act: (item: T) => Promise<unknown>) => {
  const outcomes: unknown[] = []
  for (const item of list) outcomes.push(await act(item))
  return count(outcomes)
}

const report = {
  public: await get('http://public.example/'),
  literal: await get(`http://${outside}/`),
  gone: await get('http://gone.example/'),
  dead: await get(`http://${nowhere}/`),
  lame: await get('http://lame.example/'),
  flips: await each(Array.from({ length: 1_000 }), () => get('http://flip.example/')),
  lookups: server.count('flip.example', 'A'),
  mixed: await get('http://mixed.example/'),
  inside: await get('http://inside.example/'),
  redirects: await each(
    insides.flatMap(address =>
      [301, 302, 303, 307, 308].flatMap(status =>
        [`http://${address}/`, 'http://inside.example/', `//${address}:80/`].map(
          location => `http://public.example/${status}?${location}`,
        ),
      ),
    ),
    get,
  ),
  hits: hits.length,
  /** Who checks a name first and connects by the name afterwards. */
  naive: await naive(),
  asked: asked.length,
}
console.log(JSON.stringify(report))
process.exit(0)

async function naive(): Promise<number> {
  for (let round = 0; round < 4; round++) {
    const [first] = await guard.resolve('flip.example', 4).catch(() => [])
    if (!first) continue
    const socket = connect(80, 'flip.example')
    await once(socket, 'connect').catch(() => {})
    socket.write('GET / HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n')
    await once(socket.resume(), 'close').catch(() => {})
  }
  return hits.length
}
