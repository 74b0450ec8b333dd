import { glob, readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'

/** Who reaches out without the guard, and why it may. */
const excused: Record<string, string> = {
  'checks/dns/probe.ts': 'asks name servers by validated address, which no connection of ours can do',
  'control-plane/base/dns-records.ts':
    'asks the resolver of the system for records, and connects to no address of them',
  'control-plane/base/opentelemetry.ts': 'sends spans to the receiver that the operator named',
  'control-plane/publishing/status-pages/render/script.ts': 'the text of a script that runs in a browser',
  'probe-agent/link.ts': 'calls home, to the address the operator gave',
}

const outward = [
  'undici',
  'node:dns',
  'node:dns/promises',
  'node:net',
  'node:tls',
  'node:http',
  'node:https',
  'node:http2',
  'node:dgram',
]
/** What these modules offer that connects to nothing. */
const harmless = new Set([
  'isIP',
  'isIPv4',
  'isIPv6',
  'BlockList',
  'createServer',
  'checkServerIdentity',
  'rootCertificates',
  'STATUS_CODES',
])

function reachesOut(source: string): string[] {
  const imports = [...source.matchAll(/^import (?!type )(?:(\{[^}]*\})|[\w*][^'\n]*) from '([^']+)'/gm)]
    .filter(([, , from]) => outward.includes(from ?? ''))
    .flatMap(([, names, from]) =>
      (names ? names.slice(1, -1).split(',') : ['*']).map(name => [name.trim(), from] as const),
    )
    .filter(([name]) => name && !name.startsWith('type ') && !harmless.has(name.split(' ')[0] ?? ''))
    .map(([name, from]) => `${name} of ${from}`)
  const calls = [...source.matchAll(/(?<![.\w#])(?:globalThis\.)?fetch\(|new WebSocket\(|new EventSource\(/g)].map(
    ([call]) => call,
  )
  return [...imports, ...calls]
}

test('every outgoing connection goes through the guard', async () => {
  const found: Record<string, string[]> = {}
  for (const folder of ['contract', 'checks', 'probe-agent', 'analytics', 'control-plane', 'workflows']) {
    for await (const file of glob(`${folder}/**/*.ts`)) {
      const ways = reachesOut(await readFile(file, 'utf8'))
      if (ways.length && !excused[file]) found[file] = ways
    }
  }
  expect(found).toEqual({})
})

test('control: the test detects a connection that bypasses the guard', () => {
  expect(reachesOut("import { connect } from 'node:net'\n")).toEqual(['connect of node:net'])
  expect(reachesOut("import dns from 'node:dns'\n")).toEqual(['* of node:dns'])
  expect(reachesOut("import {\n  type Socket,\n  Socket as S,\n} from 'node:net'\n")).toEqual([
    'Socket as S of node:net',
  ])
  expect(reachesOut("import { Agent, fetch } from 'undici'\n")).toEqual(['Agent of undici', 'fetch of undici'])
  expect(reachesOut('await fetch(url)')).toEqual(['fetch('])
  expect(reachesOut("import type { Socket } from 'node:net'\nimport { isIP } from 'node:net'\ncache.fetch(x)")).toEqual(
    [],
  )
})
