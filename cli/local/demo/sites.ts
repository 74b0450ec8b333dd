import { createServer } from 'node:http'

/** The port of the sample sites, unless it is taken. */
export const defaultSitesPort = 18_090

/** How a sample site behaves. The address says it, so that nothing has to be remembered for a site. */
export interface Behaviour {
  /** Milliseconds until it answers. */
  ms?: number
  /** Seconds for which it fails… */
  fails?: number
  /** …of each so many seconds… */
  every?: number
  /** …counted from this time, in seconds since 1970. */
  from?: number
}

export function siteAddress(base: string, path: string, behaviour: Behaviour = {}): string {
  const url = new URL(path, base)
  for (const [name, value] of Object.entries(behaviour)) url.searchParams.set(name, String(value))
  return url.href
}

/** Whether a site that behaves so fails at this time, in seconds since 1970. */
export function isFailing({ fails = 0, every = 0, from = 0 }: Behaviour, at: number): boolean {
  return fails > 0 && every > 0 && (((at - from) % every) + every) % every < fails
}

const slowestMs = 5_000

function behaviourOf({ searchParams }: URL): Behaviour {
  const number = (name: string) => Math.max(0, Number(searchParams.get(name)) || 0)
  return { ms: number('ms'), fails: number('fails'), every: number('every'), from: number('from') }
}

const page = (title: string) =>
  `<!doctype html><html lang="en"><meta charset="utf-8"><title>${title}</title><h1>${title}</h1></html>`
const escaped = (text: string) => text.replace(/[^\w /-]/g, '')

/**
 * Serves the sample sites of the demo on loopback, for as long as this process runs. Every path is a site; whatever is
 * sent to one is thrown away.
 */
export async function serveSites(port: number, now = Date.now): Promise<{ url: string; close(): void }> {
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://sites')
    const behaviour = behaviourOf(url)
    request.resume()
    const answer = () => {
      const fails = isFailing(behaviour, now() / 1_000)
      response.writeHead(fails ? 500 : 200, { 'Content-Type': 'text/html; charset=utf-8' })
      response.end(page(fails ? 'Internal error' : escaped(decodeURI(url.pathname)).replaceAll('/', ' ').trim()))
    }
    const waiting = setTimeout(answer, Math.min(behaviour.ms ?? 0, slowestMs))
    response.on('close', () => clearTimeout(waiting))
  })
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, '127.0.0.1', resolve))
  server.unref()
  return { url: `http://127.0.0.1:${port}/`, close: () => server.close() }
}
