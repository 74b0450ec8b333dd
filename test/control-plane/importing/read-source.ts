import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { BoundedRunner } from '#bounded/runner.ts'
import { runSource } from '#control-plane/importing/run-source.ts'
import { parseAllowList } from '#egress/address.ts'
import { Guard } from '#egress/guard.ts'
import { openHttpClient } from '#importers/http-client.ts'
import type { Source, SourceInput, SourceItem } from '#importers/source.ts'

/** All names lead to this machine. */
const guard = new Guard(parseAllowList('127.0.0.0/8'), { lookup: async () => [{ address: '127.0.0.1', family: 4 }] })

/** Its processes end with that of the test. */
const bounded = new BoundedRunner()

/** The items that a source makes of a file, by their ids at the source. */
export async function readText(source: Source, content: string | Buffer): Promise<Map<string, SourceItem>> {
  const input = { ...base, file: Buffer.from(content), reach: openHttpClient(guard) }
  const items = await runSource(bounded, 'team', source).read(input)
  return new Map(items.map(item => [item.sourceId, item]))
}

/**
 * The same of an API, a server whose answers are these, by what their paths begin with; of all other paths an empty
 * one. `path`: where the API lies on it.
 */
export async function readAnswers(
  source: Source,
  answers: Record<string, unknown>,
  { path = '', ...more }: Partial<SourceInput> & { path?: string } = {},
): Promise<Map<string, SourceItem>> {
  const server = createServer(({ url = '' }, response) => {
    const found = Object.keys(answers)
      .filter(prefix => url.startsWith(prefix))
      .toSorted((a, b) => b.length - a.length)[0]
    response.setHeader('Connection', 'close')
    response.end(JSON.stringify(found === undefined ? {} : answers[found]))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  try {
    const items = await source.read({
      ...base,
      credential: 'key',
      baseUrl: `http://provider.example.com:${(server.address() as AddressInfo).port}${path}`,
      reach: openHttpClient(guard),
      ...more,
    })
    return new Map(items.map(item => [item.sourceId, item]))
  } finally {
    server.close()
  }
}

const base: Omit<SourceInput, 'reach'> = {
  file: null,
  path: null,
  credential: null,
  pingKey: null,
  baseUrl: null,
  progress: async () => {},
}
