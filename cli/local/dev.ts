import { watch } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import { join } from 'node:path'
import { createServer as createVite, type ViteDevServer } from 'vite'
import { messageOf, StartFault } from '#cli/fault.ts'
import type { Show } from './show.ts'
import type { Supervisor } from './supervise.ts'

const root = join(import.meta.dirname, '..', '..')
const web = join(root, 'web')

/** Folders whose files each process runs. */
const programs = [
  {
    parts: /^control-plane$/,
    folders: [
      'contract',
      'bounded',
      'charts',
      'egress',
      'importers',
      'checks',
      'analytics',
      'control-plane',
      'workflows',
      'cli/serve',
    ],
  },
  { parts: /^agent-/, folders: ['contract', 'bounded', 'egress', 'checks', 'probe-agent'] },
]
/** An editor writes a file several times, and a change of branch many files. */
const settleMs = 100

/** Restarts the parts whose source files change, until `signal` ends it. */
export function restartOnChange(supervisor: Supervisor, show: Show, signal: AbortSignal): void {
  for (const { parts, folders } of programs) {
    let timer: NodeJS.Timeout | undefined
    let work = Promise.resolve()
    const restart = async () => {
      for (const name of supervisor.names().filter(name => parts.test(name)))
        await supervisor.restart(name).catch((error: unknown) => {
          if (signal.aborted) return
          const why = error instanceof StartFault ? `${error.message}. ${error.why}` : messageOf(error)
          show.failed({ part: name, title: name, why, fixes: ['the next change of its sources starts it again'] })
        })
    }
    for (const folder of folders)
      watch(join(root, folder), { recursive: true, signal }, (_event, file) => {
        if (!/\.(ts|js|json|sql)$/.test(file ?? '')) return
        clearTimeout(timer)
        timer = setTimeout(() => (work = work.then(restart)), settleMs)
      }).on('error', () => undefined)
  }
}

/** The addresses of the app, as `cli/serve/web-app.ts` serves them: one document for all. */
const appPath = /^\/(app|console|ops)(\/|\?|$)/

/**
 * Serves the app from its sources at `port`, with hot reload, and passes everything else on to the control plane at
 * `target`. The URL that answers.
 */
export async function serveApp({ port, host, target }: { port: number; host: string; target: URL }): Promise<void> {
  const server = createServer()
  const vite = await createVite({
    configFile: join(web, 'vite.config.ts'),
    appType: 'custom',
    logLevel: 'warn',
    server: { middlewareMode: true, hmr: { server } },
    // found at the first start, kept beside the packages
    cacheDir: join(root, 'node_modules', '.cache', 'vite'),
  })
  server.on('request', (incoming, response) => {
    const url = incoming.url ?? '/'
    if (url.startsWith('/web/')) return vite.middlewares(incoming, response)
    pass(incoming, response, target, vite)
  })
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, host, resolve))
}

/** Passes a request on. Where the answer is the document of the app, that of the sources takes its place. */
function pass(incoming: IncomingMessage, response: ServerResponse, target: URL, vite: ViteDevServer): void {
  const { method, url = '/', headers } = incoming
  const passed = request({ host: target.hostname, port: target.port, method, path: url, headers }, answer => {
    const isDocument = method === 'GET' && appPath.test(url) && [200, 503].includes(answer.statusCode ?? 0)
    if (isDocument) {
      answer.resume()
      documentOf(vite, url).then(
        text => response.writeHead(200, { 'Content-Type': 'text/html; charset=utf-8' }).end(text),
        error => response.writeHead(500, { 'Content-Type': 'text/plain; charset=utf-8' }).end(messageOf(error)),
      )
      return
    }
    response.writeHead(answer.statusCode ?? 502, answer.headers)
    answer.pipe(response)
  })
  passed.on('error', error => {
    if (!response.headersSent)
      response.writeHead(503, { 'Content-Type': 'text/plain; charset=utf-8', 'Retry-After': '1' })
    response.end(`The control plane does not answer (${error.message}). It starts again after a change.\n`)
  })
  response.on('close', () => passed.destroy())
  incoming.pipe(passed)
}

/** The app's document, without the policy of content that the control plane sends: hot reload runs inline scripts. */
async function documentOf(vite: ViteDevServer, url: string): Promise<string> {
  const source = await readFile(join(web, 'index.html'), 'utf8')
  const filled = source.replace('%NONCE%', '').replace('%PICTURES%', '').replace('%BRAND%', 'Development')
  return vite.transformIndexHtml(url, filled.replace('./main.tsx', '/main.tsx'))
}
